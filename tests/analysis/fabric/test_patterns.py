"""Traffic patterns, hashing, capacity between selections, cuts."""

from __future__ import annotations

import random

import networkx as nx
import numpy as np
import pytest

from rackbuilder.analysis.fabric.adaptive import carry_adaptive
from rackbuilder.analysis.fabric.arrays import Arrays
from rackbuilder.analysis.fabric.cuts import capacity_between, halves, side_of, worst_cuts
from rackbuilder.analysis.fabric.dmodk import LinkLoads, finish
from rackbuilder.analysis.fabric.ecmp import carry_hashed, collision
from rackbuilder.analysis.fabric.loads import Flows
from rackbuilder.analysis.fabric.patterns import (
    all_to_all,
    gpus_on,
    incast,
    matrix,
    members_of,
    permutation,
    random_permutation,
    ring,
    shift,
)
from rackbuilder.analysis.fabric.recognise import Clos, recognise
from rackbuilder.errors import ProblemError
from tests.analysis.fabric.clos_site import Shape, clos, failing, random_shape, read
from tests.topology.samples import Site, superpod, twin


def tree_of(arrays: Arrays) -> Clos:
    found = recognise(arrays)
    assert isinstance(found, Clos)
    return found


def spread(arrays: Arrays, flows: list[Flows]) -> LinkLoads:
    return finish(carry_adaptive(arrays, tree_of(arrays), flows))


# ---- members and patterns -------------------------------------------------------------------------------------


def pairs(flows: list[Flows]) -> list[tuple[int, int, float]]:
    return [
        row
        for part in flows
        for row in zip(part.src.tolist(), part.dst.tolist(), part.size.tolist(), strict=True)
    ]


def test_patterns_say_who_sends_to_whom() -> None:
    arrays = read(clos(Shape(leaves=2, spines=1, hosts=2)))
    who = members_of(arrays, ["srv-2-1.gpu1", "srv-1-1.gpu0", "srv-1-1:osfp1/2"])
    assert who.hosts.tolist() == [[3], [0], [1]]
    assert pairs(ring(who, 5.0)) == [(3, 0, 5.0), (0, 1, 5.0), (1, 3, 5.0)]
    assert pairs(shift(who, 2, 1.0)) == [(3, 1, 1.0), (0, 3, 1.0), (1, 0, 1.0)]
    assert pairs(incast(who, 1, 2.0)) == [(3, 0, 2.0), (1, 0, 2.0)]
    assert pairs(permutation(who, [2, 0, 1], 1.0)) == [(3, 1, 1.0), (0, 3, 1.0), (1, 0, 1.0)]
    sizes = np.array([[9.0, 1.0, 0.0], [0.0, 0.0, 4.0], [2.0, 0.0, 7.0]])
    assert pairs(matrix(who, sizes)) == [(3, 0, 1.0), (0, 1, 4.0), (1, 3, 2.0)]


def test_a_random_permutation_is_the_same_for_the_same_seed() -> None:
    who = gpus_on(read(superpod(1)))
    one, two, other = (pairs(random_permutation(who, 1.0, seed)) for seed in (7, 7, 8))
    assert one == two != other
    assert sorted(dst for _, dst, _ in one) == sorted(who.hosts[:, 0].tolist())


def test_ports_of_one_member_share_its_bytes_plane_by_plane() -> None:
    site = Site()
    leaves = [site.switch(f"leaf-{n}") for n in range(2)]
    for n in range(2):
        store = site.device(f"ufm-{n}", "ufm")
        for plane, leaf in enumerate(leaves):
            site.cable(store, f"osfp{plane + 1}/1", leaf, twin(n))
    arrays = read(site.done())
    loads = spread(arrays, ring(members_of(arrays, ["ufm-0", "ufm-1"]), 8.0))
    assert loads.up.tolist() == [4.0] * 4
    assert loads.lost == 0.0


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda a, w: members_of(a, ["srv-1-1.gpu7"]), "no port"),
        (lambda a, w: permutation(w, [0, 0, 1], 1.0), "no permutation"),
        (lambda a, w: matrix(w, np.ones((2, 3))), "rows"),
        (lambda a, w: matrix(w, -np.ones((4, 4))), "rows"),
    ],
)
def test_what_is_no_pattern_is_refused(make, word: str) -> None:  # type: ignore[no-untyped-def]
    arrays = read(clos(Shape(leaves=2, spines=1, hosts=2)))
    with pytest.raises(ProblemError, match=word):
        make(arrays, gpus_on(arrays))


def test_groups_leave_their_islands_only() -> None:
    arrays = read(clos(Shape(leaves=2, spines=1, hosts=2)))
    (exchange,) = all_to_all(gpus_on(arrays), [0, 0, 0, 0], [0, 1, 0, 1], 3.0)
    loads = finish(carry_adaptive(arrays, tree_of(arrays), [], [exchange]))
    # Each sends 3 bytes to each of the two on the other island, one of them on the other leaf.
    assert loads.up[arrays.trunks :].tolist() == [6.0] * 4
    assert loads.up[: arrays.trunks].tolist() == [6.0, 6.0]


# ---- hash ECMP ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("flows", "links", "published"),
    [(8, 8, 2.6), (16, 16, 3.1), (32, 32, 3.5), (64, 64, 3.9), (128, 32, 2.2), (512, 32, 1.55)],
)
def test_the_busiest_of_hashed_links(flows: int, links: int, published: float) -> None:
    assert collision(flows, links) == pytest.approx(published, rel=0.025)


def test_two_flows_on_two_links_collide_half_the_time() -> None:
    # Busiest over mean is 2 or 1, each with probability 1/2.
    assert collision(2, 2) == pytest.approx(1.5, abs=0.03)
    assert collision(5, 1) == collision(0, 8) == 1.0


def test_hashing_keeps_the_mean_and_tells_the_worst() -> None:
    # 8 hosts a leaf each send one flow to the other leaf over 8 uplinks: on average one each, expected worst 2.6.
    arrays = read(clos(Shape(leaves=2, spines=8, hosts=8)))
    flows = shift(gpus_on(arrays), 8, 1.0)
    found = finish(carry_hashed(arrays, tree_of(arrays), flows, []))
    assert found.even.up[: arrays.trunks].tolist() == pytest.approx([1.0] * 16)
    assert found.flows[arrays.host_switch].tolist() == [8.0] * 16
    assert found.expected(arrays) == pytest.approx(np.full(16, 2.6), rel=0.025)
    # With 16 queue pairs a flow: 128 hashes on 8 links, far more even.
    assert finish(carry_hashed(arrays, tree_of(arrays), flows, [], 16)).expected(arrays).max() < 1.6


# ---- capacity -------------------------------------------------------------------------------------------------


def by_networkx(arrays: Arrays, first: list[int], second: list[int]) -> float:
    graph = nx.DiGraph()

    def add(a: object, b: object, rate: float) -> None:
        known = graph.edges[a, b]["capacity"] if graph.has_edge(a, b) else 0.0
        graph.add_edge(a, b, capacity=known + rate)

    graph.add_nodes_from(["from", "to"])
    for n in np.flatnonzero(arrays.trunk_up).tolist():
        add(int(arrays.low[n]), int(arrays.high[n]), arrays.rate_bps[n])
        add(int(arrays.high[n]), int(arrays.low[n]), arrays.rate_bps[n])
    for host in range(arrays.hosts):
        if arrays.up[arrays.trunks + host]:
            switch, rate = int(arrays.host_switch[host]), arrays.rate_bps[arrays.trunks + host]
            if host in first:
                add("from", switch, rate)
            if host in second:
                add(switch, "to", rate)
    value: float = nx.maximum_flow_value(graph, "from", "to")
    return value


def test_capacity_between_any_two_selections_is_a_maximum_flow() -> None:
    for seed in range(40):
        rng = random.Random(seed)
        design = clos(random_shape(rng))
        arrays = read(failing(design, *(c for c in sorted(design.cables) if rng.random() < 0.15)))
        hosts = list(range(arrays.hosts))
        rng.shuffle(hosts)
        cut = rng.randint(1, arrays.hosts - 1)
        first, second = hosts[:cut], hosts[cut : rng.randint(cut + 1, arrays.hosts)]
        sides = [side_of(arrays, [arrays.host_names[h] for h in part]) for part in (first, second)]
        assert capacity_between(arrays, *sides).value == by_networkx(arrays, first, second)


def test_a_switch_gives_what_its_links_take() -> None:
    # Two parallel 400 Gb/s links from each of four leaves to each of two spines.
    arrays = read(clos(Shape(leaves=4, spines=2, links=2, hosts=1)))
    value = capacity_between(arrays, side_of(arrays, ["spine-1-1"]), side_of(arrays, ["leaf-1-1"])).value
    # Two links straight, and two more by each of three other leaves and the other spine, which has two to leaf 1.
    assert value == 4 * 400e9


def test_sides_that_overlap_are_refused() -> None:
    arrays = read(clos(Shape()))
    with pytest.raises(ProblemError, match="Both sides hold"):
        capacity_between(arrays, side_of(arrays, ["srv-1-1"]), side_of(arrays, ["srv-1-1.gpu2"]))
    with pytest.raises(ProblemError, match="no port"):
        side_of(arrays, ["srv-99"])


def test_an_unknown_rate_makes_the_capacity_unknown() -> None:
    site = Site()
    leaf = site.switch("leaf-1", type_="blind-switch")
    for n in range(2):
        site.cable(site.device(f"srv-{n}", "dgx-h100"), "osfp1/1", leaf, f"port{n + 1}/1")
    arrays = read(site.done())
    found = capacity_between(arrays, *(side_of(arrays, [f"srv-{n}"]) for n in range(2)))
    assert found.value is None
    assert found.missing == ("rate of cbl-0001", "rate of cbl-0002")


def test_halves_are_the_bisection() -> None:
    # Four units of 32 servers with 8 NICs at 1:1: 64 · 8 · 400 Gb/s from one half to the other.
    arrays = read(superpod(4))
    sides = halves(arrays)
    assert sides is not None
    assert capacity_between(arrays, *sides).value == 64 * 8 * 400e9


# ---- cuts -----------------------------------------------------------------------------------------------------


def ring_of_eight(uplinks: int) -> tuple[Arrays, list[Flows]]:
    """Four servers on each of two leaves, a NIC each; a ring that changes leaf at every step."""
    arrays = read(clos(Shape(leaves=2, spines=uplinks, hosts=4)))
    order = [f"srv-{leaf}-1.gpu{n}" for n in range(4) for leaf in (1, 2)]
    return arrays, ring(members_of(arrays, order), 50e9)


def test_uplinks_at_two_to_one_halve_a_ring_over_two_leaves() -> None:
    # Case: 50 GB over a NIC of 400 Gb/s takes 1 s; four of them over two uplinks take 2 s; over four, 1 s.
    arrays, flows = ring_of_eight(2)
    worst = worst_cuts(arrays, tree_of(arrays), flows)[0]
    assert (worst.kind, worst.where, worst.seconds) == ("leaf", ("leaf-1-1",), 2.0)
    arrays, flows = ring_of_eight(4)
    assert [cut.seconds for cut in worst_cuts(arrays, tree_of(arrays), flows)] == [1.0, 1.0]


def test_a_slower_nic_holds_up_the_ring() -> None:
    # Case: NICs of an older generation at 200 Gb/s on a 400 Gb/s leaf: the ring takes twice as long.
    site = Site()
    leaf = site.switch("leaf-1")
    for n in range(3):
        site.rail(site.device(f"srv-{n}", "dgx-h100"), 0, leaf, n)
    site.cable(site.device("old", "store"), "qsfp1/1", leaf, twin(5))
    arrays = read(site.done())
    members = ["srv-0.gpu0", "srv-1.gpu0", "srv-2.gpu0", "old"]
    worst = worst_cuts(arrays, tree_of(arrays), ring(members_of(arrays, members), 50e9))[0]
    assert (worst.where, worst.seconds) == (("old:qsfp1/1",), 2.0)
    fast = worst_cuts(arrays, tree_of(arrays), ring(members_of(arrays, members[:3]), 50e9))[0]
    assert fast.seconds == 1.0


def test_no_routing_is_faster_than_a_cut() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        design = clos(random_shape(rng))
        arrays = read(failing(design, *(c for c in sorted(design.cables) if rng.random() < 0.1)))
        flows = random_permutation(members_of(arrays, arrays.host_names), 1e9, seed)
        loads = spread(arrays, flows)
        busiest = float((8 * loads.worst / arrays.rate_bps).max())
        assert max(
            (cut.seconds for cut in worst_cuts(arrays, tree_of(arrays), flows)), default=0.0
        ) <= busiest * (1 + 1e-9)
