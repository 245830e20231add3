"""Loads under D-mod-K and even spreading: worked examples, and a slow walk flow by flow."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from rackbuilder.analysis.fabric.adaptive import carry_adaptive
from rackbuilder.analysis.fabric.arrays import Arrays
from rackbuilder.analysis.fabric.dmodk import LinkLoads, carry_dmodk, finish
from rackbuilder.analysis.fabric.loads import Exchange, Flows
from rackbuilder.analysis.fabric.recognise import Arbitrary, Clos, recognise
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from tests.analysis.fabric.clos_site import Shape, between, clos, failing, random_shape, read
from tests.analysis.fabric.plain_walk import Plain
from tests.topology.samples import Site, twin

FOUR = Shape(leaves=4, spines=4, hosts=4)


def tree_of(arrays: Arrays) -> Clos:
    found = recognise(arrays)
    assert isinstance(found, Clos), found
    return found


def flows(*rows: tuple[int, int, float]) -> Flows:
    src, dst, size = zip(*rows, strict=True)
    return Flows(np.array(src), np.array(dst), np.array(size, dtype=np.float64))


def dmodk(arrays: Arrays, *traffic: Flows | Exchange, recognised: bool = True) -> LinkLoads:
    plain = [row for row in traffic if isinstance(row, Flows)]
    groups = [row for row in traffic if isinstance(row, Exchange)]
    return finish(carry_dmodk(arrays, tree_of(arrays) if recognised else None, plain, groups))


def adaptive(arrays: Arrays, *traffic: Flows | Exchange, recognised: bool = True) -> LinkLoads:
    plain = [row for row in traffic if isinstance(row, Flows)]
    groups = [row for row in traffic if isinstance(row, Exchange)]
    return finish(carry_adaptive(arrays, tree_of(arrays) if recognised else None, plain, groups))


def uplinks(arrays: Arrays, loads: LinkLoads, leaf: str) -> list[float]:
    place = arrays.switch_by_name[leaf]
    return loads.up[: arrays.trunks][arrays.low == place].tolist()


def listed(exchange: Exchange) -> Flows:
    """Every flow of an exchange."""
    rows = [
        (int(a), int(b), float(size))
        for a, ga, ia, size in zip(*exchange[2:3], *exchange[:2], exchange.size, strict=True)
        for b, gb, ib in zip(exchange.rank, exchange.group, exchange.island, strict=True)
        if ga == gb and ia != ib
    ]
    return flows(*rows) if rows else Flows(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))


# ---- worked examples ------------------------------------------------------------------------------------------


def test_a_shift_by_a_leaf_puts_one_flow_on_each_uplink() -> None:
    # X9: 4 leaves of 4 hosts and 4 uplinks; host x sends to x + 4.
    arrays = read(clos(FOUR))
    loads = dmodk(arrays, flows(*((x, (x + 4) % 16, 1.0) for x in range(16))))
    assert loads.up[: arrays.trunks].tolist() == [1.0] * 16
    assert loads.down[: arrays.trunks].tolist() == [1.0] * 16


def test_three_flows_to_hosts_of_one_digit_share_an_uplink() -> None:
    # X10: 0→4, 1→8, 2→12: all three have digit 0. Spread evenly they take 3/4 of each of four uplinks.
    arrays = read(clos(FOUR))
    rows = flows((0, 4, 1.0), (1, 8, 1.0), (2, 12, 1.0))
    assert sorted(uplinks(arrays, dmodk(arrays, rows), "leaf-1-1")) == [0.0, 0.0, 0.0, 3.0]
    assert uplinks(arrays, adaptive(arrays, rows), "leaf-1-1") == [0.75] * 4


@pytest.mark.parametrize("links", [1, 2])
def test_all_to_all_off_their_rails(links: int) -> None:
    # X7: two servers of 8 GPUs, a leaf each rail, 62.5e6 bytes to each peer. A GPU sends 7 · 62.5e6 = 437.5e6 bytes to
    # the other server off its own rail; what stays in its server goes by NVLink. Two GPUs a leaf: 875e6 bytes.
    arrays = read(clos(Shape(leaves=8, spines=1, links=links, hosts=2)))
    rank = np.arange(16)
    direct = Exchange(np.zeros(16, np.int64), rank % 2, rank, np.full(16, 62.5e6))
    loads = dmodk(arrays, direct)
    assert sum(uplinks(arrays, loads, "leaf-1-1")) == 875e6
    # 50e9 bytes/s an uplink: 17.5 ms over one, 8.75 ms over two.
    assert max(uplinks(arrays, adaptive(arrays, direct), "leaf-1-1")) / 50e9 == pytest.approx(17.5e-3 / links)


@pytest.mark.parametrize("shape", [FOUR, Shape(pods=3, leaves=3, spines=3, cores=3, hosts=3)])
def test_every_shift_is_free_of_contention(shape: Shape) -> None:
    arrays = read(clos(shape))
    for shift in range(1, arrays.hosts):
        rows = [(x, (x + shift) % arrays.hosts, 1.0) for x in range(arrays.hosts)]
        assert dmodk(arrays, flows(*rows)).worst.max() == 1.0


@pytest.mark.parametrize(
    "shape",
    [
        FOUR,
        Shape(leaves=3, spines=2, links=2, hosts=4),
        Shape(3, 3, 3, 1, 3, 1, 3),
        Shape(2, 4, 2, 2, 2, 4, 4),
    ],
)
def test_a_down_link_carries_one_destination(shape: Shape) -> None:
    arrays = read(clos(shape))
    carried: Counter[int] = Counter()
    for dst in range(arrays.hosts):
        rows = [(src, dst, 1.0) for src in range(arrays.hosts) if src != dst]
        carried.update(np.flatnonzero(dmodk(arrays, flows(*rows)).down[: arrays.trunks]).tolist())
    assert set(carried.values()) == {1}


def test_incast_is_what_the_host_receives() -> None:
    arrays = read(clos(Shape(2, 3, 3, 1, 3, 1, 3)))
    rows = flows(*((src, 0, 2.0) for src in range(1, arrays.hosts)))
    for loads in (dmodk(arrays, rows), adaptive(arrays, rows)):
        assert loads.down[arrays.trunks] == 2.0 * (arrays.hosts - 1)
        # All but the two on its own leaf come down from spines: over one link by D-mod-K, over three evenly.
        home = loads.down[: arrays.trunks][arrays.low == arrays.host_switch[0]]
        assert home.sum() == pytest.approx(2.0 * (arrays.hosts - 3))


def test_a_dead_uplink_moves_only_what_it_carried() -> None:
    whole = clos(FOUR)
    (cable,) = between(whole, "leaf-1-1", "spine-1-2")
    arrays = read(failing(whole, cable))
    loads = dmodk(arrays, flows(*((x, x + 4, 1.0) for x in range(4))))
    # Digit 1 of the three links left (0, 2, 3) is the second: spine 3 carries its own flow and that one.
    assert uplinks(arrays, loads, "leaf-1-1") == [1.0, 0.0, 2.0, 1.0]


def test_a_link_never_drawn_is_as_one_that_failed() -> None:
    whole = clos(FOUR)
    (cable,) = between(whole, "leaf-1-1", "spine-1-2")
    draft = Draft(whole)
    draft.remove("cables", cable)
    arrays = read(whole.apply(draft.patch("remove")))
    assert tree_of(arrays).lacking == (("leaf-1-1", "spine-1-2", 1),)
    loads = dmodk(arrays, flows(*((x, x + 4, 1.0) for x in range(4))))
    assert uplinks(arrays, loads, "leaf-1-1") == [1.0, 2.0, 1.0]


def test_spreading_gives_a_spine_what_can_still_flow_behind_it() -> None:
    # Two spines with two links to each leaf; one of those between spine 1 and leaf 2 is down. Of 3 bytes to leaf 2,
    # spine 1 has room for one part, spine 2 for two.
    whole = clos(Shape(leaves=2, spines=2, links=2, hosts=4))
    arrays = read(failing(whole, between(whole, "leaf-1-2", "spine-1-1")[0]))
    loads = adaptive(arrays, flows((0, 4, 3.0)))
    assert uplinks(arrays, loads, "leaf-1-1") == pytest.approx([0.5, 0.5, 1.0, 1.0])
    assert sorted(loads.down[: arrays.trunks][arrays.low == 1].tolist()) == pytest.approx(
        [0.0, 1.0, 1.0, 1.0]
    )


def test_bytes_without_a_way_are_counted_and_sent_nowhere() -> None:
    whole = clos(Shape(leaves=2, spines=1, hosts=2))
    arrays = read(failing(whole, "spine-1-1"))
    rank = np.arange(4)
    for loads in (
        dmodk(arrays, flows((0, 2, 5.0), (0, 1, 7.0))),
        adaptive(arrays, flows((0, 2, 5.0), (0, 1, 7.0))),
    ):
        assert (loads.lost, loads.up.sum(), loads.down.sum()) == (5.0, 7.0, 7.0)
    # All four to each other: 8 of the 12 pairs are on two leaves.
    assert dmodk(arrays, Exchange(rank * 0, rank, rank, np.ones(4))).lost == 8.0


def test_a_random_permutation_collides_and_spreading_does_not() -> None:
    arrays = read(clos(Shape(pods=3, leaves=4, spines=4, cores=4, hosts=4)))
    order = list(range(arrays.hosts))
    random.Random(1).shuffle(order)
    rows = flows(*((x, y, 1.0) for x, y in enumerate(order)))
    assert dmodk(arrays, rows).worst.max() >= 2.0
    assert adaptive(arrays, rows).worst.max() <= 1.0


# ---- against a slow walk --------------------------------------------------------------------------------------


def some_traffic(rng: random.Random, hosts: int) -> tuple[Flows, Exchange]:
    order = list(range(hosts))
    rng.shuffle(order)
    rows = flows(*((x, y, float(rng.randint(1, 9))) for x, y in enumerate(order)))
    groups = rng.randint(1, 3)
    group = np.array([rng.randrange(groups) for _ in range(hosts)])
    island = np.array([rng.randrange(4) for _ in range(hosts)])
    return rows, Exchange(group, island, np.arange(hosts), np.array([1.0, 3.0, 7.0])[group])


def balanced(arrays: Arrays, loads: LinkLoads) -> bool:
    """Whether bytes in equal bytes out at every switch."""
    net = np.zeros(len(arrays.switches))
    up, down = loads.up - loads.down, arrays.trunks
    np.add.at(net, arrays.low, -up[:down])
    np.add.at(net, arrays.high, up[:down])
    np.add.at(net, arrays.host_switch, up[down:])
    return bool(np.allclose(net, 0.0, atol=1e-9 * max(1.0, loads.worst.max(initial=0.0))))


@pytest.mark.parametrize("block", range(8))
def test_aggregated_equals_flow_by_flow_on_random_fabrics(block: int) -> None:
    # 8 · 25 = 200 trees of one to three pods, most with links down.
    for seed in range(25 * block, 25 * block + 25):
        rng = random.Random(seed)
        design = clos(random_shape(rng))
        share = rng.choice([0.0, 0.03, 0.1, 0.25])
        dead = {name for name in sorted(design.cables) if rng.random() < share}
        arrays = read(failing(design, *sorted(dead)))
        rows, groups = some_traffic(rng, arrays.hosts)
        loads = dmodk(arrays, rows, groups)
        up, down, lost = walked(Plain(design, dead), arrays, rows, listed(groups))
        assert loads.up.tolist() == up, seed
        assert loads.down.tolist() == down, seed
        assert loads.lost == lost, seed
        assert balanced(arrays, loads)
        assert balanced(arrays, adaptive(arrays, rows, groups))


def walked(plain: Plain, arrays: Arrays, *traffic: Flows) -> tuple[list[float], list[float], float]:
    place = {cable: n for n, cable in enumerate(arrays.cables)}
    hosts = arrays.cables[arrays.trunks :]
    up, down, lost = [0.0] * len(place), [0.0] * len(place), 0.0
    for rows in traffic:
        for src, dst, size in zip(*(column.tolist() for column in rows), strict=True):
            if src == dst:
                continue
            way = plain.way(hosts[src], hosts[dst])
            lost += 0.0 if way else size
            for cable, rising in way or ():
                (up if rising else down)[place[cable]] += size
    return up, down, lost


@pytest.mark.parametrize("block", range(4))
def test_even_shares_equal_spreading_hop_by_hop(block: int) -> None:
    for seed in range(25 * block, 25 * block + 25):
        rng = random.Random(seed)
        design = clos(random_shape(rng))
        share = rng.choice([0.0, 0.05, 0.2])
        arrays = read(failing(design, *(name for name in sorted(design.cables) if rng.random() < share)))
        rows, groups = some_traffic(rng, arrays.hosts)
        quick = adaptive(arrays, rows, groups)
        slow = adaptive(arrays, rows, listed(groups), recognised=False)
        np.testing.assert_allclose(quick.up, slow.up, atol=1e-9)
        np.testing.assert_allclose(quick.down, slow.down, atol=1e-9)
        assert quick.lost == pytest.approx(slow.lost)


# ---- no tree --------------------------------------------------------------------------------------------------


def tangle(rng: random.Random) -> Design:
    """Switches with hosts, joined by a ring and some chords, one pair twice: a drawing that is no Clos."""
    site = Site()
    count = rng.randint(4, 9)
    names = [site.switch(f"sw-{n}") for n in range(count)]
    used = dict.fromkeys(names, 20)
    pairs = [(n, (n + 1) % count) for n in range(count)]
    pairs += [tuple(rng.sample(range(count), 2)) for _ in range(rng.randint(1, count))] + [(0, 1)]  # type: ignore[misc]
    for a, b in pairs:
        site.cable(names[a], twin(used[names[a]]), names[b], twin(used[names[b]]))
        used[names[a]] += 1
        used[names[b]] += 1
    for n, name in enumerate(names):
        for h in range(rng.randint(1, 3)):
            server = f"srv-{n}"
            if server not in site.draft.devices:
                site.device(server, "dgx-h100")
            site.rail(server, h, name, h)
    return site.done()


@pytest.mark.parametrize("seed", range(20))
def test_on_any_drawing_bytes_take_shortest_ways(seed: int) -> None:
    rng = random.Random(seed)
    arrays = read(tangle(rng))
    assert isinstance(recognise(arrays), Arbitrary)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(len(arrays.switches)))
    graph.add_edges_from(zip(arrays.low.tolist(), arrays.high.tolist(), strict=True))
    hops = dict(nx.all_pairs_shortest_path_length(graph))
    rows, groups = some_traffic(rng, arrays.hosts)
    both = [rows, listed(groups)]
    wanted = sum(
        size * hops[int(arrays.host_switch[a])][int(arrays.host_switch[b])]
        for part in both
        for a, b, size in zip(*(column.tolist() for column in part), strict=True)
    )
    for carried in (dmodk, adaptive):
        loads = carried(arrays, rows, groups, recognised=False)
        trunks = slice(0, arrays.trunks)
        assert loads.up[trunks].sum() + loads.down[trunks].sum() == pytest.approx(wanted)
        assert balanced(arrays, loads)
        slow = carried(arrays, *both, recognised=False)
        np.testing.assert_allclose(loads.up, slow.up, atol=1e-9)
        np.testing.assert_allclose(loads.down, slow.down, atol=1e-9)


def test_one_way_for_each_destination_on_any_drawing() -> None:
    arrays = read(tangle(random.Random(5)))
    for dst in range(arrays.hosts):
        out: dict[int, set[int]] = {}
        for src in range(arrays.hosts):
            if src == dst:
                continue
            loads = dmodk(arrays, flows((src, dst, 1.0)), recognised=False)
            for n in np.flatnonzero(loads.up[: arrays.trunks]).tolist():
                out.setdefault(int(arrays.low[n]), set()).add(n)
            for n in np.flatnonzero(loads.down[: arrays.trunks]).tolist():
                out.setdefault(int(arrays.high[n]), set()).add(n)
        assert all(len(links) == 1 for links in out.values())


def test_a_long_walk_is_given_in_parts_and_can_be_left() -> None:
    # 300 switches with hosts: three blocks of 128 destinations.
    site = Site()
    spine = [site.switch(f"spine-{n}", role="spine") for n in range(5)]
    for n in range(300):
        leaf = site.switch(f"leaf-{n}", role="leaf")
        site.rail(site.device(f"srv-{n}", "dgx-h100"), 0, leaf, 0)
        site.cable(leaf, twin(40), spine[n // 62], twin(n % 62))
    for a, b in pairwise(spine):
        site.cable(a, twin(62), b, twin(63))
    arrays = read(site.done())
    assert isinstance(recognise(arrays), Arbitrary)
    rows = flows(*((n, (n + 1) % 300, 1.0) for n in range(300)))
    shares = list(carry_dmodk(arrays, None, [rows]))
    assert shares == [128 / 300, 256 / 300, 1.0]
    steps = carry_dmodk(arrays, None, [rows])
    next(steps)
    steps.close()
    with pytest.raises(StopIteration):
        next(steps)
