"""Oversubscription, bisection, hops and islands by hand and against networkx on small graphs."""

import random
from collections import Counter

import networkx as nx
import pytest

from rackbuilder.analysis.fabric.flow import max_flow
from rackbuilder.catalog.parts import Cages, DeviceType, GpuGroup
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Fault
from rackbuilder.topology.graphs import build_graphs
from tests.analysis.fabric.helpers import capacity, run
from tests.topology.edits import Edits, start
from tests.topology.samples import Site, nvl72, superpod, twin

GBPS = 1e9


def tree(servers: int, uplinks: int, leaves: int = 2) -> Site:
    """Leaves of eight-port servers, all ports of a server on one leaf, `uplinks` from each leaf to one spine."""
    site = Site()
    site.switch("spine-01")
    for n in range(leaves):
        leaf = site.switch(f"leaf-{n + 1:02d}")
        for s in range(servers):
            name = site.device(f"srv-{n * servers + s + 1:04d}", "dgx-h100")
            for rail in range(8):
                site.rail(name, rail, leaf, 8 * s + rail)
        for k in range(uplinks):
            site.cable(leaf, twin(48 + k), "spine-01", twin(16 * n + k))
    return site


def test_two_to_one() -> None:
    """Two servers of eight 400 Gb/s ports below, eight uplinks above: 6,400 over 3,200."""
    found = capacity(tree(2, 8).done()).fabrics["compute"]
    assert found.leaf_ratio == 2.0
    assert found.spine_ratio is None
    assert [(row.leaf, row.down_bps, row.up_bps) for row in found.leaves] == [
        ("leaf-01", 6400 * GBPS, 3200 * GBPS), ("leaf-02", 6400 * GBPS, 3200 * GBPS),
    ]  # fmt: skip
    # The halves are the leaves: what goes up from one.
    assert found.bisection_bps.value == 3200 * GBPS


def test_a_failed_uplink_makes_the_worst_leaf_worse() -> None:
    site = tree(2, 8)
    cable = next(c for c in site.draft.cables.values() if c.a.device == "leaf-02")
    site.draft.put("faults", Fault(id="f", ref=cable.id))
    found = capacity(site.done()).fabrics["compute"]
    assert found.leaf_ratio == pytest.approx(16 / 7)
    assert found.bisection_bps.value == 7 * 400 * GBPS


def test_a_non_blocking_pod_of_127_servers() -> None:
    """Four units, one server given up for the fabric manager; published as non-blocking, 1:1 at the leaves.

    Hops by hand. Inside a server: 127 x 8 x 7 / 2. On one leaf: 24 leaves of 32 GPUs and 8 of 31. The rest of the
    1,016 x 1,015 / 2 pairs lie over a spine. Bisection: 63 servers of eight ports send all they have.
    """
    result = capacity(superpod(4, 127, 16, manager=True))
    found = result.fabrics["compute"]
    assert found.leaf_ratio == 1.0
    assert found.bisection_bps.value == 63 * 8 * 400 * GBPS
    server, leaf = 127 * 28, 24 * (32 * 31 // 2) + 8 * (31 * 30 // 2)
    assert found.hops == {0: server, 1: leaf, 3: 1016 * 1015 // 2 - server - leaf}
    shares = [round(100 * pairs / 515_620, 1) for pairs in found.hops.values()]
    assert shares == [0.7, 3.0, 96.3]
    assert (result.hops_median, result.hops_max, result.unreachable) == (3, 3, 0)
    assert found.islands == ()
    assert found.kind == "infiniband-ndr"


def test_removing_one_drawn_cable_changes_the_figures() -> None:
    """GPU 0 of the first server has no port left: it reaches only the seven beside it."""
    design = superpod(4, 127, 16, manager=True)
    draft = Draft(design)
    draft.remove("cables", "cbl-0001")
    result = capacity(design.apply(draft.patch("pull")))
    assert result.unreachable == 1015 - 7
    assert result.fabrics["compute"].hops[1] == 15624 - 31
    assert result.fabrics["compute"].bisection_bps.value == (63 * 8 - 1) * 400 * GBPS


def test_three_tiers_by_hand() -> None:
    """512 servers. Pairs on a leaf: 128 leaves of 32. Rail of a pod (4 leaves): 3 switches. Same spine group only."""
    found = capacity(superpod(16)).fabrics["compute"]
    gpus = 4096
    leaf = 128 * (32 * 31 // 2)
    rail = 32 * (128 * 127 // 2) - leaf  # 4 pods x 8 rails, 128 GPUs each
    server = 512 * 28
    total = gpus * (gpus - 1) // 2
    assert found.hops == {0: server, 1: leaf, 3: rail, 5: total - server - leaf - rail}
    assert found.leaf_ratio == found.spine_ratio == 1.0
    assert found.bisection_bps.value == 256 * 8 * 400 * GBPS


def test_a_rail_only_pod() -> None:
    """Eight leaves and no spine: eight islands, and only GPUs of one rail reach each other."""
    site = Site()
    for rail in range(8):
        site.switch(f"leaf-{rail + 1:02d}")
    for n in range(4):
        name = site.device(f"srv-{n + 1:04d}", "dgx-h100")
        for rail in range(8):
            site.rail(name, rail, f"leaf-{rail + 1:02d}", n)
    found = capacity(site.done()).fabrics["compute"]
    assert len(found.islands) == 8
    assert found.leaf_ratio is None
    # 4 servers x 28 pairs inside; 8 rails x 4 x 3 / 2 on a leaf; the other of 32 x 31 / 2 = 496 not at all.
    assert (found.hops, found.unreachable) == ({0: 112, 1: 48}, 336)


def test_a_rack_has_no_switch_between_its_gpus_and_three_between_racks() -> None:
    """Two NVL72 racks, GPU n of every tray on leaf n of its rack, leaves under one spine."""
    site = Site()
    site.switch("spine-01")
    for r in (1, 2):
        trays = nvl72(site, f"rack-{r:02d}")
        leaves = [site.switch(f"leaf-{r}{n}") for n in range(4)]
        for t, tray in enumerate(trays):
            for n in range(4):
                site.cable(tray, f"osfp{n + 1}/1", leaves[n], twin(t))
        for n, leaf in enumerate(leaves):
            site.cable(leaf, twin(40), "spine-01", twin(4 * r + n))
    found = capacity(site.done())
    assert found.hops == {0: 2 * (72 * 71 // 2), 3: 72 * 72}
    # Without the switch trays of the second rack its trays are four GPUs each, and use the fabric among themselves.
    design = site.done()
    draft = Draft(design)
    for n in range(9):
        draft.remove("devices", f"rack-02-nvsw-{n + 1:02d}")
    found = capacity(design.apply(draft.patch("out")))
    leaf = 4 * (18 * 17 // 2)
    inner = 72 * 71 // 2 - 18 * 6 - leaf
    assert found.hops == {0: 72 * 71 // 2 + 18 * 6, 1: leaf, 3: inner + 72 * 72}


def test_servers_without_nvlink_reach_each_other_inside_over_pcie() -> None:
    site = tree(1, 4)
    for n in (1, 2):
        site.draft.change("devices", f"srv-{n:04d}", type="pcie8-l40s")
    assert capacity(site.done()).hops == {0: 56, 3: 64}


def test_two_islands_and_a_server_on_no_switch() -> None:
    site = tree(1, 0)
    site.device("srv-0003", "dgx-h100")
    result = capacity(site.done())
    assert result.fabrics["compute"].islands == (("srv-0001",), ("srv-0002",))
    assert result.unattached == ("srv-0003",)
    assert result.unreachable == 3 * 64
    assert result.fabrics["compute"].bisection_bps.value == 0.0


def test_two_compute_fabrics_are_taken_together() -> None:
    """Rails 0–3 on one fabric, 4–7 on the other: each reaches half of the ports."""
    site = Site(fabrics=("compute", "second"))
    site.switch("leaf-01")
    site.switch("leaf-02", "second")
    for n in (1, 2):
        name = site.device(f"srv-{n:04d}", "dgx-h100")
        for rail in range(8):
            site.rail(name, rail, f"leaf-{rail // 4 + 1:02d}", 8 * n + rail)
    result = capacity(site.done())
    assert result.fabrics["compute"].hops == {0: 56, 1: 16}
    assert result.fabrics["compute"].unreachable == 48
    assert (result.hops, result.unreachable) == ({0: 56, 1: 32}, 32)


def test_a_planned_cable_counts_as_drawn() -> None:
    design = tree(1, 4).done()
    draft = Draft(design)
    for name, state in (("cbl-0001", "existing"), ("cbl-0002", "spare")):
        draft.change("cables", name, state=state)
    assert capacity(design.apply(draft.patch("state"))) == capacity(design)


def test_an_unknown_rate_gives_no_ratio_and_no_bisection_but_hops() -> None:
    site = tree(1, 4)
    site.device("sto-01", "store")
    site.switch("dark-01", type_="blind-switch")
    site.cable("leaf-01", twin(60), "dark-01", "port1/1")
    site.cable("sto-01", "qsfp1/1", "dark-01", "port2/1")
    found = capacity(site.done()).fabrics["compute"]
    name = "rate_bps of port ports of blind-switch"
    assert found.leaf_ratio is None
    assert found.missing == (name,)
    assert found.bisection_bps.value is None
    assert found.bisection_bps.missing == (name,)
    assert found.hops == {0: 56, 3: 64}
    assert [row.leaf for row in found.leaves] == ["leaf-02"]


def test_one_server_has_nothing_to_halve() -> None:
    found = capacity(tree(1, 4, leaves=1).done()).fabrics["compute"]
    assert found.bisection_bps.value is None
    assert found.bisection_bps.missing == ()


def test_two_planes_the_nearer_one_counts() -> None:
    """Each GPU has a port into each plane; planes do not meet, and each reaches every GPU of its rail."""
    site = Site()
    cages = (Cages(name="osfp", count=2, connector="OSFP", rate_bps=800e9, gpu_first=0, splits=(2,)),)
    gpus = GpuGroup(part="b200-sxm", count=2)
    kind = DeviceType(id="two", name="Two", category="gpu-server", u_height=4, cages=cages, gpus=gpus)
    site.draft.use_parts([kind])
    for name in ("a-1", "a-2", "b-1", "b-2", "a-spine"):
        site.switch(name)
    for n in range(4):
        name = site.device(f"srv-{n + 1:04d}", "two", modes={"osfp1": 2, "osfp2": 2})
        for gpu in (0, 1):
            site.cable(name, f"osfp{gpu + 1}/1.1", f"a-{n // 2 + 1}", twin(2 * n + gpu))
            site.cable(name, f"osfp{gpu + 1}/1.2", f"b-{gpu + 1}", twin(n))
    for n in (1, 2):
        site.cable(f"a-{n}", twin(40), "a-spine", twin(n))
    # 28 pairs; 4 inside servers. One switch: same GPU index (plane b), 2 x 6 pairs; or the same half (plane a) at
    # another index: 2 halves x 2 pairs. The rest, another half and another index, 8, over the spine of plane a.
    assert capacity(site.done()).hops == {0: 4, 1: 16, 3: 8}


# ---- against networkx


def random_fabric(seed: int) -> Design:
    """A few servers and switches cabled at random, some links lost, at unequal rates."""
    chance = random.Random(seed)
    site = Site()
    switches = [site.switch(f"sw-{n + 1:02d}") for n in range(chance.randint(1, 6))]
    used = dict.fromkeys(switches, 0)

    def port(switch: str) -> str:
        used[switch] += 1
        return twin(used[switch] - 1)

    for n in range(chance.randint(2, 7)):
        name = site.device(f"srv-{n + 1:04d}", chance.choice(("dgx-h100", "pcie8-l40s")))
        for rail in range(8):
            if chance.random() < 0.7:
                switch = chance.choice(switches[:3])
                site.cable(name, twin(rail), switch, port(switch))
    for _ in range(chance.randint(0, 12) if len(switches) > 1 else 0):
        a, b = chance.sample(switches, 2)
        site.cable(a, port(a), b, port(b))
    for n, name in enumerate(chance.sample(sorted(site.draft.cables), 4)):
        loss = (
            {"kind": "failed"} if n % 2 else {"kind": "degraded", "rate_bps": chance.choice((1e11, 54.5e9))}
        )
        site.draft.put("faults", Fault(id=f"f{n}", ref=name, **loss))
    return site.done()


def flow_by_networkx(design: Design) -> float | None:
    fabric = build_graphs(design).fabric("compute")
    servers = sorted(fabric.of_kind("server"))
    if len(servers) < 2:
        return None
    graph = nx.DiGraph()
    graph.add_nodes_from("st")
    for a, b, data in fabric.edges():
        whole = round(data["capacity_bps"] or 0)
        for one, other in ((a, b), (b, a)):
            # A server sends or receives: it forwards nothing.
            if one not in servers and other in servers[: len(servers) // 2]:
                continue
            if one in servers[len(servers) // 2 :]:
                continue
            graph.add_edge(one, other, capacity=whole)
    for n, server in enumerate(servers):
        graph.add_edge(*(("s", server) if n < len(servers) // 2 else (server, "t")))
    return float(nx.maximum_flow_value(graph, "s", "t"))


@pytest.mark.parametrize("seed", range(60))
def test_bisection_is_the_maximum_flow_of_networkx(seed: int) -> None:
    design = random_fabric(seed)
    found = capacity(design).fabrics["compute"].bisection_bps
    assert found.value == flow_by_networkx(design)
    assert not found.at_least


def hops_by_networkx(design: Design) -> tuple[dict[int, int], int]:
    """Every pair of GPUs one by one: distances between the leaves of their own ports over switches only."""
    fabric = build_graphs(design).fabric("compute")
    switches = nx.Graph()
    switches.add_nodes_from(fabric.of_kind("switch"))
    leaf: dict[tuple[str, int], str] = {}
    for a, b, data in fabric.edges():
        for link in data["links"]:
            if not link.up:
                continue
            if fabric.kind(a) == fabric.kind(b) == "switch":
                switches.add_edge(a, b)
                continue
            server, switch = (a, b) if fabric.kind(a) == "server" else (b, a)
            port = link.at(server, switch)
            assert port is not None
            leaf[server, port.index] = switch
    distance = dict(nx.all_pairs_shortest_path_length(switches))
    gpus = [
        (d, n)
        for d in sorted(design.devices)
        if design.type_of(design.devices[d]).gpu_count
        for n in range(8)
    ]
    counts: Counter[int] = Counter()
    for i, one in enumerate(gpus):
        for two in gpus[i + 1 :]:
            if one[0] == two[0]:
                counts[0] += 1
            else:
                steps = distance.get(leaf.get(one, ""), {}).get(leaf.get(two, ""))
                counts[-1 if steps is None else steps + 1] += 1
    lost = counts.pop(-1, 0)
    return dict(sorted(counts.items())), lost


@pytest.mark.parametrize("seed", range(40))
def test_hops_are_those_of_networkx_pair_by_pair(seed: int) -> None:
    design = random_fabric(seed)
    found = capacity(design).fabrics["compute"]
    assert (found.hops, found.unreachable) == hops_by_networkx(design)


def test_rates_beyond_32_bits_of_their_common_unit_give_a_lower_bound() -> None:
    """A flow of 5e14 bit/s in units of 1 bit/s: rounded down to units of about 2.3e5."""
    rate = 2.5e14
    found = max_flow(
        {"a": {"b": rate + 1.0}, "b": {"a": rate + 1.0}}, {"a": (2 * rate, 0.0), "b": (0.0, 2 * rate)}
    )
    assert found.at_least
    assert found.value is not None
    assert rate * 0.999 < found.value <= rate + 1


# ---- in step with edits


@pytest.mark.parametrize("seed", range(25))
def test_what_is_remembered_from_edit_to_edit_changes_no_result(seed: int) -> None:
    """Results of graphs patched 25 times, with all that was remembered, equal those of graphs built afresh."""
    edits, design = Edits(seed), start()
    graphs = build_graphs(design)
    for step in range(25):
        patch = edits.patch(design)
        design = design.apply(patch)
        graphs = graphs.apply(patch, design)
        patched, fresh = run(design, graphs), run(design)
        assert patched == fresh, (step, patch)
        capacity = fresh["capacity"]
        gpus = fresh["compiled"].counts.gpus
        assert sum(capacity.hops.values()) + capacity.unreachable == gpus * (gpus - 1) // 2


def test_a_switch_that_begins_to_forward_is_seen_from_its_other_neighbours() -> None:
    """A switch with no fabric hangs on leaf-01 by its management port; a data cable to leaf-02 makes it forward."""
    site = tree(1, 0)
    site.device("bare-01", "qm9700")
    site.cable("bare-01", "mgmt1/1", "leaf-01", twin(60))
    design = site.done()
    graphs = build_graphs(design)
    assert run(design, graphs)["capacity"].unreachable == 64
    site = Site(design)
    site.cable("bare-01", twin(0), "leaf-02", twin(60))
    after = design.apply(site.patch())
    patched = run(after, graphs.apply(site.patch(), after))
    assert patched == run(after)
    assert patched["capacity"].unreachable == 0
