"""Paths, hops, islands: only switches forward, and a server stands once for each port."""

from rackbuilder.design.records import Fault
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.graphs import build_graphs
from rackbuilder.topology.paths import hops, islands, path, reachable, unattached
from tests.topology.samples import Site, superpod, twin


def rail_only() -> FabricGraph:
    """A pod of eight rails and no spine: NIC n of every server on leaf n."""
    site = Site()
    leaves = [site.switch(f"leaf-{n + 1:02d}") for n in range(8)]
    for n in range(4):
        name = site.device(f"srv-{n + 1:04d}", "dgx-h100")
        for rail, leaf in enumerate(leaves):
            site.rail(name, rail, leaf, n)
    return build_graphs(site.done()).fabric("compute")


def test_a_rail_only_pod_has_eight_islands() -> None:
    graph = rail_only()
    servers = tuple(f"srv-{n + 1:04d}" for n in range(4))
    assert islands(graph) == (servers,) * 8
    assert hops(graph, "srv-0001:osfp1/1", "srv-0002:osfp1/1") == 1
    # From rail 0 to rail 1 there is no way but through a server, which does not forward.
    assert path(graph, "srv-0001:osfp1/1", "srv-0002:osfp1/2") is None
    assert path(graph, "srv-0001:osfp1/1", "srv-0001:osfp1/2") is None


def test_two_fabrics_drawn_as_one_are_two_islands() -> None:
    """Eight servers on one switch, eight on another, no link between; one server on none."""
    site = Site()
    for side in (0, 1):
        site.switch(f"leaf-{side + 1:02d}")
        for n in range(8):
            name = site.device(f"srv-{8 * side + n + 1:04d}", "dgx-h100")
            site.rail(name, 0, f"leaf-{side + 1:02d}", n)
    site.device("srv-0017", "dgx-h100")
    design = site.done()
    graph = build_graphs(design).fabric("compute")
    first, second = islands(graph)
    assert (len(first), len(second)) == (8, 8)
    assert first[0] == "srv-0001"
    assert second[-1] == "srv-0016"
    servers = [name for name in design.devices if name.startswith("srv")]
    assert unattached([graph], servers) == ("srv-0017",)
    assert reachable(graph, "srv-0001") == tuple(f"srv-{n:04d}" for n in range(2, 9))
    assert path(graph, "srv-0001", "srv-0009") is None


def test_hops_of_a_three_tier_fabric() -> None:
    graph = build_graphs(superpod(16)).fabric("compute")
    # Same rail of one unit: a leaf. Same rail of the pod: leaf, spine, leaf. Other pod: leaf, spine, core, spine, leaf.
    assert hops(graph, "srv-0001:osfp1/1", "srv-0002:osfp1/1") == 1
    assert hops(graph, "srv-0001:osfp1/1", "srv-0033:osfp1/1") == 3
    assert hops(graph, "srv-0001:osfp1/1", "srv-0129:osfp1/1") == 5
    found = path(graph, "srv-0001:osfp1/1", "srv-0033:osfp1/1")
    assert found == ("srv-0001", "leaf-001", "spine-001", "leaf-009", "srv-0033")
    assert path(graph, "leaf-001", "leaf-009") == ("leaf-001", "spine-001", "leaf-009")
    # A whole server may use any of its ports.
    assert hops(graph, "srv-0001", "srv-0002") == 1


def test_a_failed_link_carries_nothing() -> None:
    site = Site()
    site.switch("leaf-01")
    for n in (1, 2):
        site.device(f"srv-{n:04d}", "dgx-h100")
        site.rail(f"srv-{n:04d}", 0, "leaf-01", n)
    assert hops(build_graphs(site.done()).fabric("compute"), "srv-0001", "srv-0002") == 1
    site.draft.put("faults", Fault(id="f", ref="cbl-0002"))
    design = site.done()
    graph = build_graphs(design).fabric("compute")
    assert hops(graph, "srv-0001", "srv-0002") is None
    assert unattached([graph], ("srv-0001", "srv-0002")) == ("srv-0002",)
    assert islands(graph) == (("srv-0001",),)


def test_of_equal_paths_the_first_by_name_whatever_the_order_of_drawing() -> None:
    found = set()
    for spines in (("spine-01", "spine-02"), ("spine-02", "spine-01")):
        site = Site()
        for n in (1, 2):
            site.switch(f"leaf-{n:02d}")
            site.device(f"srv-{n:04d}", "dgx-h100")
            site.rail(f"srv-{n:04d}", 0, f"leaf-{n:02d}", 0)
        for k, spine in enumerate(spines):
            site.switch(spine)
            for n in (1, 2):
                site.cable(f"leaf-{n:02d}", twin(40 + k), spine, twin(n))
        found.add(path(build_graphs(site.done()).fabric("compute"), "srv-0001", "srv-0002"))
    assert found == {("srv-0001", "leaf-01", "spine-01", "leaf-02", "srv-0002")}
