"""The least time that any routing could take for some traffic: a linear program on the folded fabric.

Between the bound of the cuts, which may be below it, and a given routing, which may be above. Bytes for one switch are
one commodity; minimise t so that on each link the bytes of all commodities take at most t, and at each switch what
comes in goes out. Switches without hosts that nothing tells apart are one: a program has a solution that uses them
alike, the mean of all.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.adaptive import pairs_between
from rackbuilder.analysis.fabric.arrays import Arrays
from rackbuilder.analysis.fabric.blocks import sort_out
from rackbuilder.analysis.fabric.failures import twins
from rackbuilder.analysis.fabric.loads import Exchange, Flows, summed
from rackbuilder.analysis.fabric.walk import Pairs, live_trunks, merged
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray
from rackbuilder.errors import refusal

MOST = 200_000
"""Unknowns of a program that is solved in seconds; larger ones are refused."""


class _Folded(NamedTuple):
    """Directed edges of the folded fabric with their rates, bit/s, and how many switches it has."""

    start: IntArray
    end: IntArray
    rate_bps: FloatArray
    switches: int


def least_time_s(
    arrays: Arrays, flows: Iterable[Flows] = (), exchanges: Iterable[Exchange] = ()
) -> float | None:
    """Seconds that the busiest link takes under the best routing there can be, NICs included.

    None when the rate of a link is unknown. Raises ProblemError when the folded fabric is too large for a program.
    """
    if np.isnan(arrays.rate_bps[arrays.up]).any():
        return None
    traffic = sort_out(arrays, flows, exchanges)
    worst = np.maximum(traffic.sent, traffic.received)
    used = worst > 0
    nic = float((8 * worst[used] / arrays.rate_bps[arrays.trunks :][used]).max(initial=0.0))
    pairs = pairs_between(arrays, traffic)
    if not len(pairs.size):
        return nic
    place, folded = _fold(arrays)
    goals = np.unique(pairs.to)
    size = len(goals) * len(folded.start)
    if size > MOST:
        raise refusal(
            f"The program has {size:,} unknowns, and {MOST:,} are solved in good time",
            fix="Ask about fewer destinations, or take the bound of the cuts.",
        )
    between = merged(Pairs(place[pairs.at], np.searchsorted(goals, pairs.to), pairs.size), len(goals))
    return max(nic, _solved(folded, between, place[goals]))


def _fold(arrays: Arrays) -> tuple[IntArray, _Folded]:
    """Where each switch stands in the folded fabric, and that."""
    alike = twins(arrays)
    hosts = np.unique(arrays.host_switch)
    # A switch with hosts has its own traffic, and stands alone.
    key = alike.copy()
    key[hosts] = alike.max(initial=0) + 1 + np.arange(len(hosts))
    _, place = np.unique(key, return_inverse=True)
    live, count = live_trunks(arrays), int(place.max(initial=0)) + 1
    low, high = place[arrays.low[live]], place[arrays.high[live]]
    rate = arrays.rate_bps[: arrays.trunks][live]
    edges = merged(Pairs(np.r_[low, high], np.r_[high, low], np.r_[rate, rate]), count)
    return place, _Folded(edges.at, edges.to, edges.size, count)


def _solved(folded: _Folded, between: Pairs, goals: IntArray) -> float:
    """Seconds. Unknowns: bytes of each commodity on each edge, then the time; bytes counted in parts of all."""
    from scipy.optimize import linprog
    from scipy.sparse import coo_array, hstack

    edges, commodities = len(folded.start), len(goals)
    whole, fastest = float(between.size.sum()), float(folded.rate_bps.max())
    each = np.arange(commodities * edges)
    goal, edge = np.divmod(each, edges)
    rows = np.r_[goal * folded.switches + folded.start[edge], goal * folded.switches + folded.end[edge]]
    signs = np.r_[np.ones(len(each)), -np.ones(len(each))]
    keep = np.tile(goals[goal], 2) != np.r_[folded.start[edge], folded.end[edge]]
    height = commodities * folded.switches
    kept = coo_array((signs[keep], (rows[keep], np.tile(each, 2)[keep])), shape=(height, len(each)))
    supply = summed(between.to * folded.switches + between.at, between.size / whole, height)
    used = coo_array((np.ones(len(each)), (edge, each)), shape=(edges, len(each)))
    rate = coo_array(
        (-folded.rate_bps / fastest, (np.arange(edges), np.zeros(edges, np.int64))), shape=(edges, 1)
    )
    still = coo_array((height, 1))
    # The stubs know dense matrices only; scipy takes sparse ones.
    found = linprog(  # type: ignore[call-overload]
        np.r_[np.zeros(len(each)), 1.0],
        A_ub=hstack((used, rate)).tocsr(),
        b_ub=np.zeros(edges),
        A_eq=hstack((kept, still)).tocsr(),
        b_eq=supply,
        method="highs",
    )
    return float(found.fun) * 8 * whole / fastest
