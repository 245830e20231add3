"""Bisection: the most that the first half of the servers can send to the second half at once."""

from collections.abc import Mapping
from dataclasses import replace
from math import gcd
from operator import add

import numpy as np

from rackbuilder.analysis.fabric.links import block_of, evidence
from rackbuilder.design.view import View
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.paths import Switches, switches_of
from rackbuilder.topology.twins import Weighted, fold
from rackbuilder.units import Figure

MOST = 2**31 - 1
"""scipy's maximum flow counts in 32 bits."""

Ends = Mapping[str, tuple[float, float]]
"""switch -> what the first and the second half of the servers have to it, bit/s."""


def servers_of(fabric: FabricGraph) -> tuple[str, ...]:
    """The GPU servers on a fabric, in natural order."""
    names = fabric.memo.same("server names", fabric.of_kind("server"))
    return fabric.memo.get("servers", (names,), lambda: tuple(sorted(names, key=natural_key)))


def bisection(view: View, fabric: FabricGraph) -> Figure:
    """Maximum flow, bit/s per direction, from the first half of the servers (rounded down) to the rest.

    Over the drawn links that are up: servers forward nothing, and NVLink does not count. With fewer than two servers
    there is nothing to halve: no value, and nothing missing.
    """
    found = fabric.memo.get("bisection", (fabric.graph,), lambda: _bisection(fabric))
    return found if found.value is None else replace(found, grade=evidence(view, fabric))


def _bisection(fabric: FabricGraph) -> Figure:
    servers = servers_of(fabric)
    if len(servers) < 2:
        return Figure(None)
    missing = block_of(fabric).missing
    if missing:
        return Figure(None, missing=tuple(sorted({name for _, name in missing})))
    ends: dict[str, tuple[float, float]] = {}
    for index, server in enumerate(servers):
        first = index < len(servers) // 2
        for switch, data in fabric.adjacency[server].items():
            capacity = data["capacity_bps"] or 0.0
            s, t = ends.get(switch, (0.0, 0.0))
            ends[switch] = (s + capacity, t) if first else (s, t + capacity)
    return max_flow(switches_of(fabric), ends)


def max_flow(switches: Switches, ends: Ends) -> Figure:
    """Maximum flow between two sets of ends through switches, exact unless rates have no common unit.

    Rates are counted in their greatest common divisor. Where even that leaves more than 32 bits hold, each capacity
    is rounded down to a coarser unit, and the flow is a lower bound.
    """
    ends = {name: pair for name, pair in ends.items() if name in switches}
    rates = [x for row in switches.values() for x in row.values() if x] + [
        x for pair in ends.values() for x in pair
    ]
    unit = max(1, gcd(*(int(x) for x in rates)))
    largest = max(sum(s for s, _ in ends.values()), sum(t for _, t in ends.values()), max(rates, default=0.0))
    exact = all(float(x).is_integer() for x in rates)
    if largest / unit > MOST:
        exact, unit = False, int(largest / MOST) + 1
    near = {a: {b: int(x // unit) for b, x in row.items() if x} for a, row in switches.items()}
    colours = {name: tuple(int(x // unit) for x in ends.get(name, (0.0, 0.0))) for name in near}
    _, folded, halves = fold(near, colours, add)
    return Figure(float(_solve(folded, halves) * unit), at_least=not exact)


def _solve(near: Weighted, halves: Mapping[str, tuple[int, ...]]) -> int:
    """Maximum flow in whole units over a graph whose edges carry their weight each way."""
    index = {name: n for n, name in enumerate(near, start=2)}
    rows = [(0, index[name], first) for name, (first, _) in halves.items()]
    rows += [(index[name], 1, second) for name, (_, second) in halves.items()]
    rows += [(index[a], index[b], weight) for a, row in near.items() for b, weight in row.items()]
    rows = [row for row in rows if row[2]]
    return _scipy_flow(rows, len(index) + 2) if rows else 0


def _scipy_flow(rows: list[tuple[int, int, int]], size: int) -> int:
    # Here and not above: scipy takes 0.3 s to import, which a command that asks for no flow need not wait for.
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    table = np.array(rows, dtype=np.int64)
    # What goes into or out of a switch beyond the 32 bits could never flow: the ends together hold less.
    weights = np.minimum(table[:, 2], MOST).astype(np.int32)
    graph = csr_array((weights, (table[:, 0], table[:, 1])), shape=(size, size))
    return int(maximum_flow(graph, 0, 1).flow_value)
