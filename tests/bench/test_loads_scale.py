"""Bytes on every link at full size, as ratios to a loop of plain Python on the same machine at the same moment.

Memory is what Python and numpy ask for at the peak, beside the fabric itself.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Iterable

import networkx as nx
import numpy as np
import pytest

from rackbuilder.analysis.fabric import arrays as arrays_module
from rackbuilder.analysis.fabric.adaptive import carry_adaptive
from rackbuilder.analysis.fabric.arrays import Arrays
from rackbuilder.analysis.fabric.dmodk import LinkLoads, carry_dmodk, finish
from rackbuilder.analysis.fabric.failures import failure_pass
from rackbuilder.analysis.fabric.loads import Exchange, Flows
from rackbuilder.analysis.fabric.recognise import Arbitrary, Clos, recognise
from rackbuilder.topology.graphs import build_graphs
from tests.bench.fabrics import random_graph, tree
from tests.topology.samples import superpod

pytestmark = [pytest.mark.bench, pytest.mark.timeout(300)]

MB = 1e6


def best(work: Callable[[], object], times: int = 3) -> float:
    """Seconds of the fastest of some runs."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def reference() -> float:
    """A million steps of a plain loop: some 30 to 60 ms."""

    def loop() -> int:
        total = 0
        for n in range(1_000_000):
            total += n & 7
        return total

    return best(loop)


def report(name: str, seconds: float, must_s: float, memory: float | None = None) -> None:
    """Prints the figure; fails beyond the bar, counted in loops of 40 ms so that a busy machine does not decide."""
    unit = reference()
    ratio, most = seconds / unit, must_s / 0.04
    space = "" if memory is None else f", {memory / MB:.0f} MB"
    print(
        f"\n{name}: {seconds * 1000:.1f} ms{space}; {ratio:.2f} loops of {unit * 1000:.1f} ms (at most {most:g})"
    )
    assert ratio <= most


def peak(work: Callable[[], object]) -> float:
    """Bytes at the peak of some work."""
    tracemalloc.start()
    work()
    found = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return float(found)


def ring_and_experts(hosts: int) -> tuple[list[Flows], list[Exchange]]:
    """A data-parallel ring on every rail, and all-to-all in groups of 64 GPUs on servers of 8."""
    place = np.arange(hosts)
    ring = Flows(place, np.roll(place, -8), np.full(hosts, 1e9))
    return [ring], [Exchange(place // 64, place // 8, place, np.full(hosts, 1e6))]


def tree_of(arrays: Arrays) -> Clos:
    found = recognise(arrays)
    assert isinstance(found, Clos)
    return found


@pytest.mark.parametrize(
    ("radix", "pods", "must_s", "most"), [(64, 32, 0.1, 300 * MB), (128, 32, 1.0, 1000 * MB)]
)
def test_ring_and_experts_on_a_recognised_tree(radix: int, pods: int, must_s: float, most: float) -> None:
    arrays = tree(radix, pods)
    assert arrays.hosts == {64: 32_768, 128: 131_072}[radix]
    clos = tree_of(arrays)
    report(f"recognise {arrays.hosts:,} hosts", best(lambda: recognise(arrays)), must_s)
    flows, groups = ring_and_experts(arrays.hosts)
    failed = arrays.without([3, 5000, arrays.trunks // 2 + 9, arrays.trunks - 5])
    for name, carry in (("D-mod-K", carry_dmodk), ("spread", carry_adaptive)):

        def work(on: Arrays = arrays, carry: Callable[..., object] = carry) -> LinkLoads:
            found: LinkLoads = finish(carry(on, clos, flows, groups))  # type: ignore[arg-type]
            return found

        memory = peak(work)
        report(f"{name}, ring + EP64, {arrays.hosts:,} GPUs", best(work), must_s, memory)
        assert memory <= most
        report(f"{name}, the same with 4 links down", best(lambda: work(failed)), 3 * must_s)


def test_an_arbitrary_graph_of_4096_gpus() -> None:
    arrays = random_graph(switches=128, links=32, hosts=32)
    assert isinstance(recognise(arrays), Arbitrary)
    flows, groups = ring_and_experts(arrays.hosts)
    everyone = [Exchange(np.zeros(arrays.hosts, np.int64), groups[0].island, groups[0].rank, groups[0].size)]
    for name, traffic in (("ring + EP64", groups), ("ring + all to all", everyone)):
        for routing, carry in (("one way each", carry_dmodk), ("spread", carry_adaptive)):

            def work(
                carry: Callable[..., object] = carry, traffic: Iterable[Exchange] = traffic
            ) -> LinkLoads:
                found: LinkLoads = finish(carry(arrays, None, flows, traffic))  # type: ignore[arg-type]
                return found

            memory = peak(work)
            report(f"random graph, {routing}, {name}, 4,096 GPUs", best(work), 2.0, memory)


def test_an_arbitrary_graph_of_32768_gpus() -> None:
    arrays = tree(64, 32)
    flows, _ = ring_and_experts(arrays.hosts)
    report(
        "walked hop by hop, ring, 32,768 GPUs",
        best(lambda: finish(carry_dmodk(arrays, None, flows)), 1),
        15.0,
    )


def test_networkx_finds_shortest_paths_of_flows() -> None:
    """For comparison only: any shortest path, without a routing."""
    arrays = tree(64, 32)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_edges_from(zip(arrays.low.tolist(), arrays.high.tolist(), strict=True))
    rng = np.random.default_rng(1)
    src, dst = rng.integers(0, arrays.hosts, (2, 60))
    ends = list(zip(arrays.host_switch[src].tolist(), arrays.host_switch[dst].tolist(), strict=True))
    seconds = best(lambda: [nx.shortest_path(graph, a, b) for a, b in ends], 1)
    ring_s = seconds / 60 * arrays.hosts
    clos = tree_of(arrays)
    flows, groups = ring_and_experts(arrays.hosts)
    own = best(lambda: finish(carry_dmodk(arrays, clos, flows, groups)))
    # A GPU of an EP64 group on servers of 8 sends to 56 others over the fabric.
    # A GPU of an EP64 group on servers of 8 sends to 56 others over the fabric.
    print(f"\nnetworkx, 60 sampled flows of 32,768 GPUs: {seconds / 60 * 1000:.3f} ms each")
    print(
        f"extrapolated from those: {ring_s:.1f} s for a ring, {56 * ring_s:.0f} s for EP64; ours: {own:.3f} s for both"
    )
    assert own < ring_s / 10


def test_a_drawn_fabric_of_16384_gpus_as_arrays() -> None:
    graph = build_graphs(superpod(64)).fabrics["compute"]
    arrays = arrays_module.arrays_of(graph)
    assert arrays.hosts == 16_384
    report("arrays of 16,384 GPUs from their graph", best(lambda: arrays_module._compile(graph), 5), 0.15)


def test_failures_of_four_units() -> None:
    graph = build_graphs(superpod(4)).fabrics["compute"]
    report(
        "every link, plug, switch and rail of 1,024 GPUs", best(lambda: finish(failure_pass(graph)), 1), 3.0
    )
