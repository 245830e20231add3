"""Bytes on links under an even spread: worked examples, and a slow walk flow by flow."""

from __future__ import annotations

import time
from collections.abc import Iterable

import numpy as np
import pytest

from rackbuilder.analysis.fabric.loads import Carried, Exchange, Flows, carry
from rackbuilder.analysis.fabric.wires import Ports, Wires, ports_of_ranks, read_wires
from rackbuilder.catalog.parts import Cages
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Fault
from tests.analysis.fabric.helpers import compiled
from tests.topology.samples import G, Site, server_type, superpod, twin


def wires_of(design: Design) -> Wires:
    return read_wires(design, compiled(design))


def gpus_of(design: Design) -> list[str]:
    servers = [d.id for d in design.devices.values() if design.type_of(d).gpu_count]
    return [f"{server}.gpu{n}" for server in servers for n in range(8)]


def flows(*rows: tuple[int, int, float]) -> Flows:
    src, dst, size = zip(*rows, strict=True)
    return Flows(np.array(src), np.array(dst), np.array(size, dtype=np.float64))


def put(design: Design, *traffic: Flows | Exchange) -> tuple[Wires, Ports, Carried]:
    wires = wires_of(design)
    ports = ports_of_ranks(wires, gpus_of(design))
    plain = [row for row in traffic if isinstance(row, Flows)]
    return wires, ports, carry(wires, ports, plain, [row for row in traffic if isinstance(row, Exchange)])


def loads(wires: Wires, carried: Carried) -> dict[tuple[str, str], tuple[float, float]]:
    """(lower, upper) device -> bytes up and down."""
    found = {}
    for n, link in enumerate(wires.links):
        up, down = (
            carried.forward[n] + carried.leaving[:, n].sum(),
            carried.backward[n] + carried.arriving[:, n].sum(),
        )
        found[link.a, link.b] = (float(up), float(down))
    return found


def tree(uplinks: Iterable[int] = (1, 1, 1, 1), leaves: int = 4) -> Design:
    """Leaves with one server each, all its NICs on that leaf; a number of links to each spine."""
    site = Site()
    names = [site.switch(f"leaf-{n + 1}") for n in range(leaves)]
    for n, leaf in enumerate(names):
        server = site.device(f"srv-{n + 1}", "dgx-h100")
        for rail in range(8):
            site.rail(server, rail, leaf, rail)
    port = 32
    for s, count in enumerate(uplinks):
        spine = site.switch(f"spine-{s + 1}")
        for n, leaf in enumerate(names):
            for k in range(count):
                site.cable(leaf, twin(port + k), spine, twin(n * count + k))
        port += count
    return site.done()


def test_three_flows_of_one_leaf_spread_over_four_uplinks() -> None:
    # X10, adaptive: GPUs 0, 1 and 2 of a leaf send one unit each to three other leaves: 0.75 on each of four uplinks.
    wires, _, carried = put(tree(), flows((0, 8, 1.0), (1, 16, 1.0), (2, 24, 1.0)))
    found = loads(wires, carried)
    assert [found["leaf-1", f"spine-{s}"] for s in range(1, 5)] == [(0.75, 0.0)] * 4
    assert [found["leaf-2", f"spine-{s}"] for s in range(1, 5)] == [(0.0, 0.25)] * 4
    assert carried.by_reach.tolist() == [0.0, 3.0, 0.0]


def test_a_shift_is_even_whatever_the_routing() -> None:
    # X9: four GPUs of each leaf send to the next leaf: one unit on each of four uplinks.
    rows = [(8 * leaf + n, 8 * ((leaf + 1) % 4) + n, 1.0) for leaf in range(4) for n in range(4)]
    wires, _, carried = put(tree(), flows(*rows))
    between = [load for (a, _), load in loads(wires, carried).items() if a.startswith("leaf")]
    assert between == [(1.0, 1.0)] * 16


def test_traffic_inside_a_leaf_stays_there() -> None:
    wires, _, carried = put(tree(), flows((0, 1, 5.0)))
    found = loads(wires, carried)
    assert found["srv-1", "leaf-1"] == (5.0, 5.0)
    assert sum(up for (a, _), (up, _) in found.items() if a.startswith("leaf")) == 0
    assert carried.by_reach.tolist() == [5.0, 0.0, 0.0]


def test_bundles_carry_by_their_capacity() -> None:
    wires, _, carried = put(tree(uplinks=(1, 3), leaves=2), flows((0, 8, 4.0)))
    found = loads(wires, carried)
    assert found["leaf-1", "spine-1"] == (1.0, 0.0)
    assert found["leaf-1", "spine-2"] == (3.0, 0.0)


def test_a_failed_uplink_leaves_its_share_to_the_others() -> None:
    whole = tree(leaves=2)
    draft = Draft(whole)
    gone = next(c for c in draft.cables.values() if (c.a.device, c.b.device) == ("leaf-1", "spine-4"))
    draft.put("faults", Fault(id="fault-1", ref=gone.id))
    design = whole.apply(draft.patch("break"))
    wires, _, carried = put(design, flows((0, 8, 3.0)))
    found = loads(wires, carried)
    assert [found["leaf-1", f"spine-{s}"][0] for s in range(1, 4)] == [1.0] * 3
    # Spine 4 has no way to leaf 1 any more, so nothing for it goes there.
    assert found["leaf-2", "spine-4"] == (0.0, 0.0)


def test_all_to_all_between_two_servers_off_their_rails() -> None:
    # X7: eight rails, a leaf each, 1e9 bytes a rank over 16 ranks: 875e6 bytes out of each leaf.
    site = Site()
    spine = site.switch("spine-1")
    for rail in range(8):
        leaf = site.switch(f"leaf-{rail + 1}")
        site.cable(leaf, twin(32), spine, twin(rail))
    for n in (1, 2):
        server = site.device(f"srv-{n}", "dgx-h100")
        for rail in range(8):
            site.rail(server, rail, f"leaf-{rail + 1}", n)
    ranks = np.arange(16)
    exchange = Exchange(np.zeros(16, np.int64), ranks // 8, ranks, np.full(16, 62.5e6))
    wires, _, carried = put(site.done(), exchange)
    found = loads(wires, carried)
    for rail in range(1, 9):
        assert found[f"leaf-{rail}", "spine-1"] == pytest.approx((875e6, 875e6))
        assert found["srv-1", f"leaf-{rail}"] == pytest.approx((500e6, 500e6))
    assert carried.by_reach == pytest.approx([16 * 62.5e6, 16 * 437.5e6, 0])


def test_an_exchange_is_its_flows() -> None:
    design = superpod(2, servers=40)
    rng = np.random.default_rng(1)
    ranks = np.sort(rng.choice(320, 96, replace=False))
    group, island = np.repeat(np.arange(4), 24), ranks // 8
    rows = [
        (int(ranks[i]), int(ranks[j]), 7.0)
        for i in range(96)
        for j in range(96)
        if group[i] == group[j] and island[i] != island[j]
    ]
    wires, _, whole = put(design, Exchange(group, island, ranks, np.full(96, 7.0)))
    _, _, single = put(design, flows(*rows))
    for name in ("leaving", "arriving", "forward", "backward", "by_reach"):
        assert getattr(whole, name) == pytest.approx(getattr(single, name), abs=1e-6), name
    assert len(wires.links) == 40 * 8 + 16 * 8


def walk(design: Design, rows: list[tuple[int, int, float]]) -> dict[tuple[str, str], float]:
    """Each flow by itself through a dictionary of switches: load of every directed pair of devices."""
    network = compiled(design)
    joined: dict[str, dict[str, float]] = {}
    for link in network.links:
        if link.scope in ("leaf-spine", "spine-core"):
            joined.setdefault(link.a, {})[link.b] = joined.setdefault(link.b, {})[link.a] = (
                link.capacity_bps or 0.0
            )
    wires = wires_of(design)
    ports = ports_of_ranks(wires, gpus_of(design))
    load: dict[tuple[str, str], float] = {}
    for src, dst, size in rows:
        start, goal = (wires.switches[ports.switch[rank, 0]] for rank in (src, dst))
        near = {goal: 0}
        frontier = [goal]
        while frontier:
            frontier = [
                b for a in frontier for b in joined[a] if near.setdefault(b, near[a] + 1) == near[a] + 1
            ]
            frontier = list(dict.fromkeys(frontier)) if len(near) < len(joined) else []
        held = {start: size}
        while held:
            name, amount = held.popitem()
            if name == goal:
                continue
            ways = {b: c for b, c in joined[name].items() if near[b] == near[name] - 1}
            for b, capacity in ways.items():
                part = amount * capacity / sum(ways.values())
                load[name, b] = load.get((name, b), 0.0) + part
                held[b] = held.get(b, 0.0) + part
    return load


@pytest.mark.parametrize(
    "design",
    [superpod(2, servers=40), tree(uplinks=(1, 3, 2)), superpod(16, servers=36)],
    ids=["two tiers", "unequal", "three tiers"],
)
def test_as_a_walk_flow_by_flow(design: Design) -> None:
    count = len(gpus_of(design))
    rng = np.random.default_rng(2)
    rows = [
        (int(a), int(b), float(s))
        for a, b, s in zip(*rng.integers(0, count, (2, 60)), rng.integers(1, 9, 60), strict=True)
    ]
    wires, _, carried = put(design, flows(*rows))
    expected = walk(design, rows)
    for n, link in enumerate(wires.links):
        if link.scope in ("leaf-spine", "spine-core"):
            assert carried.forward[n] == pytest.approx(expected.get((link.a, link.b), 0.0))
            assert carried.backward[n] == pytest.approx(expected.get((link.b, link.a), 0.0))


def test_what_enters_a_switch_leaves_it() -> None:
    design = superpod(2, servers=40)
    rng = np.random.default_rng(3)
    src, dst = rng.integers(0, 320, (2, 500))
    wires, _, carried = put(design, Flows(src, dst, rng.uniform(1, 2, 500)))
    net: dict[str, float] = {}
    for (a, b), (up, down) in loads(wires, carried).items():
        net[a] = net.get(a, 0.0) + down - up
        net[b] = net.get(b, 0.0) + up - down
    switches = [name for name in net if not name.startswith("srv")]
    assert len(switches) == 16 + 8
    assert [net[name] for name in switches] == pytest.approx([0.0] * len(switches), abs=1e-9)


def test_rails_without_spines_have_no_way_between_them() -> None:
    site = Site()
    server = site.device("srv-1", "dgx-h100")
    other = site.device("srv-2", "dgx-h100")
    for rail in range(8):
        leaf = site.switch(f"leaf-{rail + 1}")
        for n, name in enumerate((server, other)):
            site.rail(name, rail, leaf, n)
    design = site.done()
    _, _, fine = put(design, flows((0, 8, 1.0)))
    assert fine.unreachable == ()
    _, _, lost = put(design, flows((0, 9, 1.0)))
    assert lost.unreachable == (("leaf-1", "leaf-2"),)


# ---- NICs


def two_servers(cages: Cages, cable_ports: list[str]) -> Design:
    """Two servers of eight GPUs with NICs of one kind, all on one leaf."""
    site = Site()
    site.draft.use_parts([server_type("odd", "h100-sxm", 4, cages=(cages,))])
    leaf = site.switch("leaf-1")
    for n in (0, 1):
        server = site.device(f"srv-{n + 1}", "odd")
        for k, port in enumerate(cable_ports):
            site.cable(server, port, leaf, twin(16 * n + k))
    return site.done()


def test_eight_gpus_share_four_nics() -> None:
    # Each NIC carries what its two GPUs send.
    four = Cages(
        name="nic",
        count=4,
        connector="OSFP",
        rate_bps=400 * G,
        fabric="compute",
        gpu_first=0,
        gpus_per_port=2,
    )
    design = two_servers(four, [f"nic{n}/1" for n in range(1, 5)])
    wires, ports, carried = put(design, flows(*((g, 8 + g, 10.0) for g in range(8))))
    assert ports.lanes == 1
    assert loads(wires, carried)["srv-1", "leaf-1"] == (80.0, 0.0)
    assert wires.capacity_bps[0] == 4 * 400 * G


@pytest.mark.parametrize(("count", "lanes"), [(8, 1), (4, 1), (16, 2), (6, 6)])
def test_ports_tied_to_no_gpu_are_shared_out(count: int, lanes: int) -> None:
    loose = Cages(name="nic", count=count, connector="OSFP", rate_bps=400 * G, fabric="compute")
    design = two_servers(loose, [f"nic{n}/1" for n in range(1, count + 1)])
    wires, ports, carried = put(design, flows(*((g, 8 + g, 10.0) for g in range(8))))
    assert ports.lanes == lanes
    assert loads(wires, carried)["srv-1", "leaf-1"] == pytest.approx((80.0, 0.0))


def test_two_planes_share_the_bytes_of_a_gpu() -> None:
    site = Site()
    twins = Cages(
        name="nic", count=8, connector="OSFP", ports=1, rate_bps=400 * G, fabric="compute", gpu_first=0
    )
    more = twins.model_copy(update={"name": "nix"})
    site.draft.use_parts([server_type("dual", "h100-sxm", 4, cages=(twins, more))])
    planes = [site.switch(f"leaf-{p}") for p in (1, 2)]
    for n in (0, 1):
        server = site.device(f"srv-{n + 1}", "dual")
        for gpu in range(8):
            site.cable(server, f"nic{gpu + 1}/1", planes[0], twin(8 * n + gpu))
            site.cable(server, f"nix{gpu + 1}/1", planes[1], twin(8 * n + gpu))
    wires, ports, carried = put(site.done(), flows((0, 8, 10.0)))
    assert ports.lanes == 2
    found = loads(wires, carried)
    assert found["srv-1", "leaf-1"] == found["srv-1", "leaf-2"] == (5.0, 0.0)
    # A plane reaches only itself, and no byte changes planes.
    assert carried.unreachable == ()


def test_servers_without_links_have_no_ports() -> None:
    site = Site()
    site.device("srv-1", "dgx-h100")
    site.switch("leaf-1")
    design = site.done()
    ports = ports_of_ranks(wires_of(design), gpus_of(design))
    assert ports.unplugged().tolist() == list(range(8))


@pytest.mark.bench
def test_a_thousand_gpus_in_time() -> None:
    """Under 40 ms from the drawn fabric to bytes on its 1,528 bundles, wires read anew."""
    design = superpod(4, servers=127)
    network = compiled(design)
    gpus = gpus_of(design)
    ranks = np.arange(1016)
    ring = Flows(ranks, np.roll(ranks, -8), np.full(1016, 1e9))
    mesh = Exchange(ranks // 64, ranks // 8, ranks, np.full(1016, 1e6))
    best = 1.0
    for _ in range(5):
        start = time.perf_counter()
        wires = read_wires(design, network)
        carry(wires, ports_of_ranks(wires, gpus), [ring], [mesh])
        best = min(best, time.perf_counter() - start)
    print(f"wires, a ring and an all-to-all of 1,016 GPUs: {best * 1e3:.1f} ms")
    assert best < 0.040
