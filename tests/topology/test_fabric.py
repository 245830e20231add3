"""The graph follows every patch: equal to one built afresh, and the one before as it was."""

import networkx as nx
import pytest

from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.topology.graphs import Graphs, build_graphs
from tests.topology.edits import Edits, start
from tests.topology.samples import Site, superpod, twin


def equal(one: Graphs, two: Graphs) -> bool:
    return (
        list(one.fabrics) == list(two.fabrics)
        and all(one.fabrics[name].same(two.fabrics[name]) for name in one.fabrics)
        and one.loose == two.loose
        and one.domains == two.domains
        and one.backplanes == two.backplanes
    )


@pytest.mark.parametrize("seed", range(40))
def test_patched_is_built_afresh_and_the_one_before_unchanged(seed: int) -> None:
    edits, design = Edits(seed), start()
    graphs = build_graphs(design)
    for step in range(25):
        patch = edits.patch(design)
        after = design.apply(patch)
        patched = graphs.apply(patch, after)
        assert equal(patched, build_graphs(after)), (step, patch)
        assert equal(graphs, build_graphs(design)), (step, patch)
        design, graphs = after, patched


def test_undoing_every_edit_leads_back() -> None:
    edits, design = Edits(7), start()
    first = graphs = build_graphs(design)
    undo = []
    for _ in range(30):
        patch = edits.patch(design)
        design = design.apply(patch)
        graphs = graphs.apply(patch, design)
        undo.append(patch.inverted())
    for patch in reversed(undo):
        design = design.apply(patch)
        graphs = graphs.apply(patch, design)
    assert equal(graphs, first)


def without(design: Design, cable: str) -> tuple[Design, Graphs, Graphs]:
    draft = Draft(design)
    draft.remove("cables", cable)
    patch = draft.patch("remove")
    after, graphs = design.apply(patch), build_graphs(design)
    return after, graphs, graphs.apply(patch, after)


def test_an_edit_copies_the_adjacency_of_the_devices_it_touches_only() -> None:
    design = superpod(1)
    cable = design.cables["cbl-0001"]
    _, before, after = without(design, cable.id)
    old, new = before.fabric("compute").adjacency, after.fabric("compute").adjacency
    copied = [name for name in new if new[name] is not old[name]]
    assert sorted(copied) == sorted([cable.a.device, cable.b.device])


def test_a_patch_elsewhere_gives_the_same_graph() -> None:
    design = superpod(1)
    draft = Draft(design)
    draft.change("devices", "srv-0001", name="Anna")
    patch = draft.patch("rename")
    graphs = build_graphs(design)
    after = graphs.apply(patch, design.apply(patch))
    assert after is graphs


def test_a_graph_is_frozen_and_networkx_can_use_it() -> None:
    graph = build_graphs(superpod(1)).fabric("compute").graph
    with pytest.raises(nx.NetworkXError):
        graph.add_edge("a", "b")
    # One unit: 32 servers, 8 leaves, 4 spines; 256 server cables, and 8 leaves to 4 spines (8 links each).
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (44, 256 + 32)
    assert nx.shortest_path_length(graph, "leaf-001", "leaf-008") == 2


def test_parallel_links_are_one_edge_with_their_cables_and_the_slower_rate() -> None:
    site = Site()
    site.switch("leaf-01")
    site.device("sto-01", "store")
    site.device("srv-0001", "dgx-h100")
    slow = [site.cable("sto-01", f"qsfp{n}/1", "leaf-01", twin(n)) for n in (1, 2)]
    site.rail("srv-0001", 0, "leaf-01", 5)
    graph = build_graphs(site.done()).fabric("compute").graph
    # Storage ports of 200 Gb/s into switch ports of 400 Gb/s: 200 each way.
    assert graph.edges["leaf-01", "sto-01"]["cables"] == tuple(slow)
    assert graph.edges["leaf-01", "sto-01"]["rate_bps"] == 200e9
    assert graph.edges["leaf-01", "sto-01"]["capacity_bps"] == 400e9
    assert graph.edges["leaf-01", "srv-0001"]["rate_bps"] == 400e9


def test_an_unknown_rate_stays_unknown() -> None:
    site = Site()
    site.switch("sw-01", type_="blind-switch")
    site.device("srv-0001", "dgx-h100")
    site.cable("srv-0001", "osfp1/1", "sw-01", "port1/1")
    data = build_graphs(site.done()).fabric("compute").graph.edges["srv-0001", "sw-01"]
    assert data["rate_bps"] is None
    assert data["capacity_bps"] is None


def test_a_fabric_cap_and_a_split_lower_the_rate() -> None:
    site = Site()
    site.fabric("slow", rate_cap_bps=100e9)
    site.switch("leaf-01", modes={"osfp1": 2})
    site.switch("leaf-02", "slow")
    site.device("srv-0001", "dgx-h100")
    site.cable("srv-0001", "osfp1/1", "leaf-01", "osfp1/1.2")
    site.rail("srv-0001", 1, "leaf-02", 0)
    graphs = build_graphs(site.done())
    assert graphs.fabric("compute").graph.edges["srv-0001", "leaf-01"]["rate_bps"] == 200e9
    assert graphs.fabric("slow").graph.edges["srv-0001", "leaf-02"]["rate_bps"] == 100e9


def test_a_switch_with_no_cable_is_in_its_fabric_and_a_server_is_not() -> None:
    site = Site()
    site.switch("leaf-01")
    site.device("srv-0001", "dgx-h100")
    assert list(build_graphs(site.done()).fabric("compute").nodes) == ["leaf-01"]
