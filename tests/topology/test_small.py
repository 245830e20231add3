"""The small helpers under the graph: natural order, memo, folding, PCIe rates."""

import random
from operator import add

import networkx as nx
import pytest

from rackbuilder.topology.figures import Figures, lowest
from rackbuilder.topology.memo import Memo
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.pcie import pcie_bytes_s
from rackbuilder.topology.twins import fold
from rackbuilder.units import Figure, unknown
from tests.topology.samples import GB200, H100, L40S


def test_natural_order() -> None:
    names = ["srv-10", "srv-2", "leaf-1", "srv-2b", "7", "10", "srv"]
    assert sorted(names, key=natural_key) == ["7", "10", "leaf-1", "srv", "srv-2", "srv-2b", "srv-10"]


def test_a_memo_makes_a_value_anew_when_something_it_is_made_of_is_another_object() -> None:
    memo, made = Memo(), []

    def make() -> int:
        made.append(1)
        return len(made)

    part, other = [1], [1]
    assert [memo.get("k", (part,), make), memo.get("k", (part,), make)] == [1, 1]
    assert memo.get("k", (other,), make) == 2
    assert memo.get("k", (other, part), make) == 3


def test_a_memo_keeps_the_object_of_an_equal_value() -> None:
    memo, first = Memo(), {"a": 1}
    assert memo.same("k", first) is first
    assert memo.same("k", {"a": 1}) is first
    assert memo.same("k", {"a": 2}) == {"a": 2}


@pytest.mark.parametrize("seed", range(20))
def test_folding_keeps_distances(seed: int) -> None:
    """A random graph of few kinds of neighbourhood, so that much folds; distances by networkx."""
    chance = random.Random(seed)
    graph = nx.Graph()
    graph.add_nodes_from(f"s{n}" for n in range(5))
    for n in range(14):
        graph.add_edges_from((f"l{n}", f"s{s}") for s in chance.sample(range(5), chance.choice((0, 2, 5))))
        graph.add_node(f"l{n}")
    near = {a: dict.fromkeys(graph[a], 1) for a in graph}
    stands, folded, _ = fold(near, dict.fromkeys(near, ()), max)
    small = nx.Graph([(a, b) for a, row in folded.items() for b in row])
    small.add_nodes_from(folded)
    for a in graph:
        for b in graph:
            if a == b or not nx.has_path(graph, a, b):
                continue
            distance = 2 if stands[a] == stands[b] else nx.shortest_path_length(small, stands[a], stands[b])
            assert distance == nx.shortest_path_length(graph, a, b), (a, b)


def test_a_fat_tree_folds_to_two() -> None:
    leaves, spines = [f"l{n}" for n in range(6)], [f"s{n}" for n in range(3)]
    near = {leaf: dict.fromkeys(spines, 2) for leaf in leaves} | {s: dict.fromkeys(leaves, 2) for s in spines}
    _, folded, _ = fold(near, dict.fromkeys(near, ()), add)
    assert sorted(folded.values(), key=str) == [{"l0": 36}, {"s0": 36}]


def test_pcie_rates_by_generation_and_lanes() -> None:
    # Gen5 x16: 63.0 GB/s after 128b/130b; Gen4 x16: 31.5.
    assert pcie_bytes_s(H100, Figures()).value == 63.0e9
    assert pcie_bytes_s(H100.model_copy(update={"pcie_lanes": 8}), Figures()).value == 31.5e9
    assert pcie_bytes_s(L40S, Figures()).value == 31.5e9
    assert pcie_bytes_s(L40S, Figures()).grade == "U"
    assert pcie_bytes_s(GB200, Figures()).missing == (
        "pcie_generation of gb200-gpu",
        "pcie_lanes of gb200-gpu",
    )
    assert pcie_bytes_s(H100.model_copy(update={"pcie_generation": 9}), Figures()).value is None


def test_the_lowest_figure_is_unknown_when_one_is() -> None:
    assert lowest([Figure(3.0, grade="A"), Figure(2.0, grade="C")]) == Figure(2.0, grade="C")
    assert lowest([Figure(3.0), unknown("rate of x")]) == Figure(None, missing=("rate of x",))
