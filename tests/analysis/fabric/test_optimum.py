"""The least time of any routing."""

from __future__ import annotations

import random

import numpy as np
import pytest

from rackbuilder.analysis.fabric.adaptive import carry_adaptive
from rackbuilder.analysis.fabric.cuts import worst_cuts
from rackbuilder.analysis.fabric.dmodk import carry_dmodk, finish
from rackbuilder.analysis.fabric.failures import busiest_s
from rackbuilder.analysis.fabric.loads import Exchange, Flows
from rackbuilder.analysis.fabric.optimum import least_time_s
from rackbuilder.analysis.fabric.patterns import incast, members_of, random_permutation, shift
from rackbuilder.analysis.fabric.recognise import Clos, recognise
from rackbuilder.errors import ProblemError
from tests.analysis.fabric.clos_site import Shape, between, clos, failing, random_shape, read
from tests.topology.samples import Site, twin

# 50e9 bytes take a second on a link of 400 Gb/s.
SECOND = 50e9


def test_on_a_whole_tree_the_best_is_the_even_share() -> None:
    # Two uplinks for four hosts: 2:1, two seconds.
    arrays = read(clos(Shape(leaves=2, spines=2, hosts=4)))
    who = members_of(arrays, arrays.host_names)
    assert least_time_s(arrays, shift(who, 4, SECOND)) == pytest.approx(2.0)
    # Inside a leaf the NICs are all there is.
    assert least_time_s(arrays, [Flows(np.array([0]), np.array([1]), np.array([SECOND]))]) == pytest.approx(
        1.0
    )
    assert least_time_s(arrays, incast(who, 0, SECOND)) == pytest.approx(7.0)


def test_a_detour_beats_every_shortest_way() -> None:
    # Three switches in a triangle: two bytes each second one way over one link; a third of them go round.
    site = Site()
    names = [site.switch(f"sw-{n}") for n in range(3)]
    for a, b in ((0, 1), (1, 2), (0, 2)):
        site.cable(names[a], twin(40 + b), names[b], twin(40 + a))
    for n in range(2):
        server = site.device(f"srv-{n}", "dgx-h100")
        for rail in range(2):
            site.rail(server, rail, names[n], rail)
    arrays = read(site.done())
    who = members_of(arrays, arrays.host_names)
    flows = [Flows(who.hosts[:2, 0], who.hosts[2:, 0], np.full(2, SECOND))]
    # Two NICs' worth over one direct link and one detour: one second each. Shortest ways only: two seconds.
    assert least_time_s(arrays, flows) == pytest.approx(1.0)
    assert busiest_s(arrays, finish(carry_adaptive(arrays, None, flows))) == pytest.approx(2.0)


def test_it_lies_between_the_cuts_and_the_routings() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        design = clos(random_shape(rng))
        arrays = read(failing(design, *(c for c in sorted(design.cables) if rng.random() < 0.1)))
        tree = recognise(arrays)
        assert isinstance(tree, Clos)
        flows = random_permutation(members_of(arrays, arrays.host_names), SECOND, seed)
        rank = np.arange(arrays.hosts)
        groups = [Exchange(rank % 2, rank, rank, np.full(arrays.hosts, 1e9))]
        best = least_time_s(arrays, flows, groups)
        assert best is not None
        least = max((cut.seconds for cut in worst_cuts(arrays, tree, flows, groups)), default=0.0)
        assert least <= best * (1 + 1e-7)
        for carry in (carry_adaptive, carry_dmodk):
            own = busiest_s(arrays, finish(carry(arrays, tree, flows, groups)))
            assert own is not None
            assert best <= own * (1 + 1e-7)


def test_a_failure_that_cuts_cannot_see() -> None:
    # Leaf 1 lost spine 1, leaf 2 lost spine 2: each still has one of two uplinks, but none in common. All bytes go over
    # leaf 3, and take two hops through it: possible, and slower than the cuts say for two hosts at once.
    whole = clos(Shape(leaves=3, spines=2, hosts=2))
    dead = between(whole, "leaf-1-1", "spine-1-1") + between(whole, "leaf-1-2", "spine-1-2")
    arrays = read(failing(whole, *dead))
    flows = [Flows(np.array([0, 4]), np.array([2, 3]), np.full(2, SECOND))]
    best = least_time_s(arrays, flows)
    # Up to spine 1 from leaf 3 go its own byte and the one of leaf 1: two, over one link down to leaf 2 as well.
    assert best == pytest.approx(2.0)


def test_what_cannot_be_asked() -> None:
    site = Site()
    leaf = site.switch("leaf-1", type_="blind-switch")
    for n in range(2):
        site.cable(site.device(f"srv-{n}", "dgx-h100"), "osfp1/1", leaf, f"port{n + 1}/1")
    arrays = read(site.done())
    assert least_time_s(arrays, [Flows(np.array([0]), np.array([1]), np.ones(1))]) is None


def test_a_program_too_large_is_refused() -> None:
    from tests.bench.fabrics import random_graph

    arrays = random_graph(switches=128, links=32, hosts=32)
    rank = np.arange(arrays.hosts)
    with pytest.raises(ProblemError, match="unknowns"):
        least_time_s(arrays, [Flows(rank, np.roll(rank, 64), np.ones(arrays.hosts))])
