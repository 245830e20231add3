"""Ways through any drawn fabric: hop by hop to the switch of the destination, over links that are up.

Traffic is summed by (switch, host it is for), or by (switch, switch it is for) where it spreads, and moves one hop at a
time, in blocks of destinations that bound the memory and are where a caller may stop.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays, BoolArray
from rackbuilder.analysis.fabric.loads import summed
from rackbuilder.analysis.fabric.recognise import NONE, Clos, rank_in
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray

FAR = np.int64(1 << 30)
_BLOCK = 128


class Pairs(NamedTuple):
    """Bytes at a switch, for a host (or for a switch), a row each."""

    at: IntArray
    to: IntArray
    size: FloatArray

    def some(self, rows: BoolArray | IntArray) -> "Pairs":
        return Pairs(self.at[rows], self.to[rows], self.size[rows])


def together(rows: Sequence[Pairs]) -> Pairs:
    """All rows, one after another; there is at least one part."""
    return Pairs(
        np.concatenate([row.at for row in rows]),
        np.concatenate([row.to for row in rows]),
        np.concatenate([row.size for row in rows]),
    )


class Part(NamedTuple):
    """What one block of destinations puts on the trunks, from low to high and back, and what found no way."""

    done: float
    up: FloatArray
    down: FloatArray
    lost: Pairs


@dataclass(frozen=True, eq=False)
class Candidates:
    """Live links out of each (switch, destination) that lead one hop nearer, in order."""

    start: IntArray
    count: IntArray
    trunk: IntArray
    there: IntArray


class Maze:
    """The live trunks of a fabric, ready to be walked.

    In a Clos a switch takes the link of D-mod-K where that leads one hop nearer: up by number, down by the links that
    the host's own leaf would take up. Where it does not (it failed, the way there did, or this is no Clos), the switch
    takes, of the links that do, number (digit modulo their count). The digit is the host's place on its leaf, at a leaf
    and on the last hop; elsewhere the second digit, or in no Clos the place of its leaf. So the way depends on switch
    and host alone, as forwarding tables do, and a failure moves only those whose way it was on.
    """

    def __init__(self, arrays: Arrays, clos: Clos | None) -> None:
        self._arrays = arrays
        self._clos = clos
        live = np.flatnonzero(live_trunks(arrays))
        number = _numbers(arrays, clos)[live]
        low, high = arrays.low[live], arrays.high[live]
        start, end = np.r_[low, high], np.r_[high, low]
        own = np.r_[arrays.low_order[live], arrays.high_order[live]]
        order = np.lexsort((own, end, np.r_[number, np.zeros_like(number)], start))
        self._live = live_trunks(arrays)
        self._trunk, self._end = np.r_[live, live][order], end[order]
        self._first = np.searchsorted(start[order], np.arange(len(arrays.switches) + 1))
        self.own1, self.own2 = own_links(arrays, clos)
        self.digit1, self.digit2 = _digits(arrays, clos)

    @cached_property
    def weight(self) -> FloatArray:
        """Of each trunk, for spreading: its rate, or 1 where any rate is unknown."""
        rates = self._arrays.rate_bps[: self._arrays.trunks]
        return np.ones(len(rates)) if np.isnan(rates).any() else rates

    @cached_property
    def _bundle(self) -> FloatArray:
        """Of each trunk, the weight of all live ones between its two switches."""
        arrays = self._arrays
        keys = arrays.low * len(arrays.switches) + arrays.high
        _, inverse = np.unique(keys, return_inverse=True)
        return summed(inverse, np.where(live_trunks(arrays), self.weight, 0.0), 0)[inverse]

    # ---- distances

    def distances(self, goals: IntArray) -> IntArray:
        """(switch, goal): hops between them; FAR when there is no way."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        count = len(self._arrays.switches)
        graph = csr_array((np.ones(len(self._end), np.int8), self._end, self._first), shape=(count, count))
        # Without weights this is a breadth-first search from each goal.
        found = dijkstra(graph, indices=goals, unweighted=True)
        return np.where(np.isinf(found), FAR, found).astype(np.int64).T

    def nearer(self, at: IntArray, column: IntArray, distance: IntArray) -> Candidates:
        """Links of some switches that lead one hop nearer to a column of `distance`."""
        size = self._first[at + 1] - self._first[at]
        row = np.repeat(np.arange(len(at)), size)
        place = np.arange(len(row)) - np.repeat(np.cumsum(size) - size, size) + self._first[at][row]
        there = self._end[place]
        keep = distance[there, column[row]] == distance[at, column][row] - 1
        count = np.bincount(row[keep], minlength=len(at))
        return Candidates(np.cumsum(count) - count, count, self._trunk[place[keep]], there[keep])

    # ---- one way for each destination

    def routed(self, pairs: Pairs) -> Generator[Part, None, None]:
        """Puts bytes on one way each, a block of goals after another; each part says how much is done."""
        leaf = self._arrays.host_switch[pairs.to]
        goals = np.unique(leaf)
        for number, mine, column, block in _blocks(goals, leaf):
            yield self._route(pairs.some(mine), block, column, min(1.0, number / max(1, len(goals))))

    def _route(self, held: Pairs, goals: IntArray, column: IntArray, done: float) -> Part:
        arrays = self._arrays
        up, down = np.zeros(arrays.trunks), np.zeros(arrays.trunks)
        distance = self.distances(goals)
        lost = distance[held.at, column] >= FAR
        gone = held.some(lost)
        held, column = held.some(~lost), column[~lost]
        width = len(goals)
        while True:
            on = distance[held.at, column] > 0
            if not on.any():
                return Part(done, up, down, gone)
            held = merged(held.some(on), arrays.hosts)
            column = np.searchsorted(goals, arrays.host_switch[held.to])
            trunk = self._choose(held, column, distance, width)
            rising = arrays.low[trunk] == held.at
            up += summed(trunk[rising], held.size[rising], len(up))
            down += summed(trunk[~rising], held.size[~rising], len(up))
            held = held._replace(at=np.where(rising, arrays.high[trunk], arrays.low[trunk]))

    def _choose(self, held: Pairs, column: IntArray, distance: IntArray, width: int) -> IntArray:
        arrays = self._arrays
        keys, row = np.unique(held.at * width + column, return_inverse=True)
        found = self.nearer(keys // width, keys % width, distance)
        last = distance[held.at, column] == 1
        digit = np.where(last | (arrays.level[held.at] == 0), self.digit1[held.to], self.digit2[held.to])
        trunk: IntArray = found.trunk[found.start[row] + digit % found.count[row]]
        for own in self._preferred(held):
            at = own.clip(min=0)
            there = np.where(arrays.low[at] == held.at, arrays.high[at], arrays.low[at])
            mine = (own >= 0) & self._live[at] & ((arrays.low[at] == held.at) | (arrays.high[at] == held.at))
            mine &= distance[there, column] == distance[held.at, column] - 1
            trunk = np.where(mine, own, trunk)
        return trunk

    def _preferred(self, held: Pairs) -> Iterator[IntArray]:
        """The links of D-mod-K: up from a leaf, up from a spine, down from a core, down from a spine; -1: none."""
        clos = self._clos
        if clos is None:
            return
        leaf, pod, place = clos.leaf_of[held.at], clos.spine_pod[held.at], clos.spine_place[held.at]
        index = clos.host_index[held.to]
        yield np.where(leaf >= 0, clos.up1[leaf, clos.number1(clos.net[leaf], index)], NONE)
        if clos.up2.size:
            number = clos.number2(clos.pod_net[pod], place, clos.digit2[held.to])
            yield np.where(pod >= 0, clos.up2[pod, place, number], NONE)
        yield self.own2[held.to]
        yield self.own1[held.to]

    # ---- spread evenly

    def spread(self, pairs: Pairs) -> Generator[Part, None, None]:
        """Divides bytes for a switch over all links one hop nearer, by what can still flow behind each."""
        goals = np.unique(pairs.to)
        for number, mine, column, block in _blocks(goals, pairs.to):
            yield self._pour(
                pairs.at[mine], column, pairs.size[mine], block, min(1.0, number / max(1, len(goals)))
            )

    def _pour(self, at: IntArray, column: IntArray, size: FloatArray, goals: IntArray, done: float) -> Part:
        arrays, width = self._arrays, len(goals)
        distance = self.distances(goals)
        lost = distance[at, column] >= FAR
        held = summed(at[~lost] * width + column[~lost], size[~lost], len(arrays.switches) * width)
        up, down = np.zeros(arrays.trunks), np.zeros(arrays.trunks)
        for start, end, trunk, share in reversed(self._steps(distance)):
            moved = share * held[start]
            rising = arrays.low[trunk] == start // width
            up += summed(trunk[rising], moved[rising], len(up))
            down += summed(trunk[~rising], moved[~rising], len(up))
            held += summed(end, moved, len(held))
        return Part(done, up, down, Pairs(at[lost], goals[column[lost]], size[lost]))

    def _steps(self, distance: IntArray) -> list[tuple[IntArray, IntArray, IntArray, FloatArray]]:
        """Hops by distance, the nearest first: (switch, goal) from and to as one number, trunk, share.

        What a link may carry toward a goal is its rate, and no more than its part of what the switch behind it can pass
        on; parts of one switch are by rate. So a spine that lost half of its links to a leaf is given half.
        """
        width = distance.shape[1]
        room = np.where(distance == 0, np.inf, 0.0)
        steps = []
        for hops in range(1, int(distance[distance < FAR].max(initial=0)) + 1):
            at, column = np.nonzero(distance == hops)
            found = self.nearer(at, column, distance)
            row = np.repeat(np.arange(len(at)), found.count)
            end = found.there * width + column[row]
            bundle = self._bundle[found.trunk]
            behind = np.minimum(bundle, room.ravel()[end]) * (self.weight[found.trunk] / bundle)
            total = summed(row, behind, len(at))
            room[at, column] = total
            steps.append((at[row] * width + column[row], end, found.trunk, behind / total[row]))
        return steps


def _blocks(goals: IntArray, goal: IntArray) -> Iterator[tuple[int, BoolArray, IntArray, IntArray]]:
    place = np.searchsorted(goals, goal)
    for first in range(0, len(goals), _BLOCK):
        mine = (place >= first) & (place < first + _BLOCK)
        yield first + _BLOCK, mine, place[mine] - first, goals[first : first + _BLOCK]


def merged(pairs: Pairs, width: int) -> Pairs:
    """Equal rows added up, in order of switch and destination."""
    keys, inverse = np.unique(pairs.at * width + pairs.to, return_inverse=True)
    at, to = np.divmod(keys, width)
    return Pairs(at, to, summed(inverse, pairs.size, len(keys)))


def live_trunks(arrays: Arrays) -> BoolArray:
    """Trunks that are up, and not slowed down to nothing."""
    return np.asarray(arrays.trunk_up & (arrays.rate_bps[: arrays.trunks] != 0), dtype=np.bool_)


def _numbers(arrays: Arrays, clos: Clos | None) -> IntArray:
    """The number of each trunk among the up links of its lower switch; 0 where there is no Clos."""
    found = np.zeros(arrays.trunks, dtype=np.int64)
    if clos is not None:
        for table in (clos.up1, clos.up2):
            there = np.nonzero(table >= 0)
            found[table[there]] = there[-1]
    return found


def _digits(arrays: Arrays, clos: Clos | None) -> tuple[IntArray, IntArray]:
    """The two digits of each host: see Clos; of no Clos its place on its switch, and the place of that."""
    if clos is not None:
        return clos.host_index, clos.digit2
    return rank_in(arrays.host_switch, arrays.host_order), arrays.host_switch


def own_links(arrays: Arrays, clos: Clos | None) -> tuple[IntArray, IntArray]:
    """The trunks that D-mod-K takes from a host's leaf up: to its spine and to its core; -1: none."""
    none = np.full(arrays.hosts, NONE, dtype=np.int64)
    if clos is None or not len(clos.host_leaf):
        return none, none
    leaf = clos.host_leaf
    net, pod = clos.net[leaf], clos.pod[leaf]
    number = clos.number1(net, clos.host_index)
    spine = clos.spine[net, number]
    return clos.up1[leaf, number], clos.up2[pod, spine, clos.number2(net, spine, clos.digit2)]
