"""Whether a drawn fabric is a Clos, and the digits of its hosts if it is.

Recognised are one to three tiers, a leaf a rail, planes side by side, parallel links and switches that lack some of the
links of their peers. Links are numbered by the switches they lead to and not by the ports they happen to use, so
crossed cables of one pair of switches change nothing. Everything else is arbitrary, with the reason.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays, BoolArray
from rackbuilder.analysis.fabric.wires import IntArray

NONE = -1
MOST_LACKING = 0.25
"""Of the links that a complete tree of this shape would have: with more missing it is taken for another shape."""


@dataclass(frozen=True)
class Arbitrary:
    """No Clos: why, and the switches that show it."""

    reason: str
    refs: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Clos:
    """A recognised tree. A network is a connected part: a plane, or a rail of its own; pods are joined by cores only.

    leaves          places of the leaves in `switches`; `leaf_of` the other way round, -1 for other switches
    pod, net        of each leaf; `index` is its place in its pod (a part of digit 2)
    pod_net         network of each pod
    up1             (leaf, number): its trunk to a spine; -1: not drawn
    u1              (network): how many numbers a leaf has
    spine           (network, number): which spine of its pod a number leads to
    up2             (pod, spine, number): trunk to a core; -1: not drawn
    u2              (network, spine): how many numbers a spine has
    spine_pod, spine_place   of each switch that is a spine of a pod: which pod, which spine of it; -1 for others
    host_leaf       place of each host's leaf among the leaves
    host_index      its place among the hosts of its leaf, in port order (digit 1)
    lacking         (lower switch, upper switch, links): drawn fewer than by their peers
    """

    leaves: IntArray
    leaf_of: IntArray
    pod: IntArray
    net: IntArray
    index: IntArray
    pod_net: IntArray
    up1: IntArray
    u1: IntArray
    spine: IntArray
    up2: IntArray
    u2: IntArray
    spine_pod: IntArray
    spine_place: IntArray
    host_leaf: IntArray
    host_index: IntArray
    lacking: tuple[tuple[str, str, int], ...]

    @property
    def tiers(self) -> int:
        """Levels of switches."""
        return 3 if self.u2.any() else 2 if self.u1.any() else 1

    @property
    def networks(self) -> int:
        return len(self.u1)

    @cached_property
    def several(self) -> BoolArray:
        """Of each network, whether it has more than one pod."""
        return np.asarray(np.bincount(self.pod_net, minlength=self.networks) > 1, dtype=np.bool_)

    @property
    def pods(self) -> int:
        return len(self.pod_net)

    def number1(self, net: IntArray, index: IntArray) -> IntArray:
        """The up link that D-mod-K takes at a leaf for a host of such an index (digit 1 modulo up links)."""
        return np.asarray(index % np.maximum(self.u1[net], 1), dtype=np.int64)

    def number2(self, net: IntArray, spine: IntArray, digit: IntArray) -> IntArray:
        """The up link that it takes at a spine for such a second digit (modulo up links)."""
        return np.asarray(digit % np.maximum(self.u2[net, spine], 1), dtype=np.int64)

    @cached_property
    def digit2(self) -> IntArray:
        """The second digit of each host: the place of its leaf in its pod, where a leaf has one link to a spine.

        Where it has several, that place times their number, and which of them is the host's: so all up links of a spine
        are used, and one destination stays one link's.
        """
        net = self.net[self.host_leaf]
        number = self.number1(net, self.host_index)
        width = np.zeros_like(self.spine)
        which = np.zeros_like(self.spine)
        for n in range(self.networks):
            spines = self.spine[n, : self.u1[n]]
            which[n, : len(spines)] = rank_in(spines, np.arange(len(spines)))
            width[n, : len(spines)] = np.bincount(spines)[spines]
        place = self.index[self.host_leaf] * width[net, number] + which[net, number]
        return np.asarray(place, dtype=np.int64)


def recognise(arrays: Arrays) -> Clos | Arbitrary:
    """The Clos that a fabric is, or why it is none. Links that failed are still drawn, and count."""
    return _foreign(arrays) or _Reader(arrays).clos()


def _foreign(arrays: Arrays) -> Arbitrary | None:
    level = arrays.level
    low, high = level[arrays.low], level[arrays.high]
    for odd, reason in (
        (low == high, "two switches of one tier are cabled to each other"),
        (high > low + 1, "a leaf is cabled to a core"),
    ):
        if odd.any():
            n = int(np.flatnonzero(odd)[0])
            return Arbitrary(reason, (arrays.switches[arrays.low[n]], arrays.switches[arrays.high[n]]))
    odd = level[arrays.host_switch] > 0
    if odd.any():
        switch = arrays.host_switch[int(np.flatnonzero(odd)[0])]
        return Arbitrary("an end device is cabled to a switch above the leaves", (arrays.switches[switch],))
    return None


def rank_in(key: IntArray, *then: IntArray) -> IntArray:
    """Of each row, its place among those of its key when sorted by the rest."""
    order = np.lexsort((*then[::-1], key))
    ordered = key[order]
    first = np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]]) if len(key) else np.zeros(0, np.int64)
    size = np.diff(np.r_[first, len(key)])
    rank = np.empty(len(key), dtype=np.int64)
    rank[order] = np.arange(len(key)) - np.repeat(first, size)
    return rank


def _before(counts: IntArray) -> IntArray:
    """Exclusive sums along the last axis."""
    return np.asarray(np.cumsum(counts, axis=-1) - counts, dtype=np.int64)


class _Reader:
    """Reads a fabric whose links all run from one tier to the next."""

    def __init__(self, arrays: Arrays) -> None:
        self._arrays = arrays
        level = arrays.level
        self.leaves = np.flatnonzero(level == 0)
        self.leaf_of = np.full(len(level), NONE, dtype=np.int64)
        self.leaf_of[self.leaves] = np.arange(len(self.leaves))
        self._first = np.flatnonzero(level[arrays.low] == 0)
        self._second = np.flatnonzero(level[arrays.low] == 1)
        self._pods()

    def _pods(self) -> None:
        """Pods hang together below the cores, networks with them; both are numbered by their first leaf."""
        first = self._joined(self._first)[self.leaves]
        whole = self._joined(np.arange(self._arrays.trunks))[self.leaves]
        self.pod, self.net = _numbered(first), _numbered(whole)
        pods = int(self.pod.max(initial=NONE)) + 1
        self.pod_net = np.zeros(pods, dtype=np.int64)
        self.pod_net[self.pod] = self.net
        self.index = rank_in(self.pod, np.arange(len(self.leaves)))
        self._nets = int(self.net.max(initial=NONE)) + 1

    def _joined(self, trunks: IntArray) -> IntArray:
        # Here and not above: scipy takes 0.3 s to import.
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        arrays, count = self._arrays, len(self._arrays.switches)
        ends = (arrays.low[trunks], arrays.high[trunks])
        graph = coo_array((np.ones(len(trunks), dtype=np.int8), ends), shape=(count, count))
        labels = connected_components(graph, directed=False)[1]
        return np.asarray(labels, dtype=np.int64)

    def clos(self) -> Clos | Arbitrary:
        arrays, first, second = self._arrays, self._first, self._second
        low, high = arrays.low, arrays.high
        count = len(arrays.switches)
        spine_pod = np.full(count, NONE, dtype=np.int64)
        spine_pod[high[first]] = self.pod[self.leaf_of[low[first]]]
        # A spine without a leaf carries nothing from host to host.
        second = second[spine_pod[low[second]] >= 0]
        position = self._positions(spine_pod, second)
        places = int(position.max(initial=NONE)) + 1
        leaf = self.leaf_of[low[first]]
        up1, u1, spine, lack1 = self._up1(leaf, position[high[first]], places)
        up2, u2, lack2 = self._up2(spine_pod[low[second]], position[low[second]], second, places)
        drawn = len(first) + len(second)
        lacking = sum(n for _, _, n in (*lack1, *lack2))
        if lacking > MOST_LACKING * (drawn + lacking):
            names = tuple(dict.fromkeys(name for name, _, _ in (*lack1, *lack2)))
            return Arbitrary("switches of one tier have different links up", names)
        host_leaf = self.leaf_of[arrays.host_switch]
        return Clos(
            self.leaves, self.leaf_of, self.pod, self.net, self.index, self.pod_net, up1, u1, spine, up2, u2,
            spine_pod, position, host_leaf, rank_in(host_leaf, arrays.host_order), (*lack1, *lack2),
        )  # fmt: skip

    def _positions(self, spine_pod: IntArray, second: IntArray) -> IntArray:
        """Which spine of its pod each spine is, -1 for other switches: by the cores it leads to, then by name."""
        arrays = self._arrays
        spines = np.flatnonzero(spine_pod >= 0)
        pairs = np.unique(arrays.low[second] * len(arrays.switches) + arrays.high[second])
        below, core = np.divmod(pairs, len(arrays.switches))
        start, stop = np.searchsorted(below, spines), np.searchsorted(below, spines, side="right")
        cores = [tuple(core[a:b].tolist()) for a, b in zip(start, stop, strict=True)]
        kinds = {row: n for n, row in enumerate(sorted(set(cores)))}
        kind = np.array([kinds[row] for row in cores], dtype=np.int64)
        position = np.full(len(arrays.switches), NONE, dtype=np.int64)
        position[spines] = rank_in(spine_pod[spines], kind, spines)
        self._spine_at = {(int(spine_pod[s]), int(position[s])): arrays.switches[s] for s in spines}
        return position

    def _up1(
        self, leaf: IntArray, position: IntArray, places: int
    ) -> tuple[IntArray, IntArray, IntArray, list[tuple[str, str, int]]]:
        arrays, first, nets = self._arrays, self._first, self._nets
        has = np.zeros((len(self.leaves), places), dtype=np.int64)
        np.add.at(has, (leaf, position), 1)
        full = np.zeros((nets, places), dtype=np.int64)
        np.maximum.at(full, self.net, has)
        u1 = full.sum(axis=1)
        number = _before(full)[self.net[leaf], position] + rank_in(
            leaf * max(places, 1) + position, arrays.low_order[first]
        )
        up1 = np.full((len(self.leaves), max(1, int(u1.max(initial=0)))), NONE, dtype=np.int64)
        up1[leaf, number] = first
        spine = np.zeros((nets, up1.shape[1]), dtype=np.int64)
        for net in range(nets):
            spine[net, : u1[net]] = np.repeat(np.arange(places), full[net])
        lacks = full[self.net] - has
        rows = zip(*(axis.tolist() for axis in np.nonzero(lacks)), strict=True)
        return (
            up1,
            u1,
            spine,
            [
                (
                    arrays.switches[self.leaves[a]],
                    self._spine_at.get((int(self.pod[a]), s), ""),
                    int(lacks[a, s]),
                )
                for a, s in rows
            ],
        )

    def _up2(
        self, pod: IntArray, position: IntArray, second: IntArray, places: int
    ) -> tuple[IntArray, IntArray, list[tuple[str, str, int]]]:
        """Numbers are by core in order; spines of one position in all pods of a network are alike."""
        arrays, count = self._arrays, len(self._arrays.switches)
        pods, width = len(self.pod_net), max(1, places)
        core = arrays.high[second]
        own, has = np.unique((pod * width + position) * count + core, return_counts=True)
        own_spine, own_core = np.divmod(own, count)
        net_spine = self.pod_net[own_spine // width] * width + own_spine % width
        kinds, kind = np.unique(net_spine * count + own_core, return_inverse=True)
        full = np.zeros(len(kinds), dtype=np.int64)
        np.maximum.at(full, kind, has)
        u2 = np.bincount(kinds // count, full, self._nets * width).astype(np.int64).reshape(self._nets, width)
        start = np.cumsum(full) - full
        begin = start - start[np.searchsorted(kinds // count, kinds // count)]
        mine = np.searchsorted(kinds, (self.pod_net[pod] * width + position) * count + core)
        number = begin[mine] + rank_in((pod * width + position) * count + core, arrays.low_order[second])
        up2 = np.full((pods, width, max(1, int(u2.max(initial=0)))), NONE, dtype=np.int64)
        up2[pod, position, number] = second
        return up2, u2, self._lacks2(own, has, kinds, full, width)

    def _lacks2(
        self, own: IntArray, has: IntArray, kinds: IntArray, full: IntArray, width: int
    ) -> list[tuple[str, str, int]]:
        count = len(self._arrays.switches)
        pods = np.arange(len(self.pod_net))
        spine, core = np.divmod(kinds, count)
        net, place = np.divmod(spine, width)
        pod, kind = np.nonzero(self.pod_net[pods][:, None] == net[None, :])
        keys = (pod * width + place[kind]) * count + core[kind]
        at = np.searchsorted(own, keys).clip(max=max(0, len(own) - 1))
        there = np.where(own[at] == keys, has[at], 0) if len(own) else np.zeros(len(keys), np.int64)
        lacks = full[kind] - there
        names = self._arrays.switches
        return [
            (self._spine_at.get((int(pod[n]), int(place[kind[n]])), ""), names[core[kind[n]]], int(lacks[n]))
            for n in np.flatnonzero(lacks).tolist()
        ]


def _numbered(labels: IntArray) -> IntArray:
    """Labels as 0, 1, 2 … in order of first appearance."""
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    order = np.empty(len(first), dtype=np.int64)
    order[np.argsort(first)] = np.arange(len(first))
    return order[inverse]
