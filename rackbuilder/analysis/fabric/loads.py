"""Bytes on every link of the compute fabric, spread evenly over the shortest ways, as drawn.

No flow is walked by itself: traffic is summed by pair of access switches (those with NICs of the job), and what is
bound for all destinations then moves one hop at a time. Exact for an even spread on any drawing, failed links included;
where a GPU has several NICs (planes), its bytes are divided evenly and stay in their plane.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.wires import (
    FABRIC_SCOPES,
    UNREACHABLE,
    FloatArray,
    IntArray,
    Ports,
    Wires,
)

_TRACE = 1e-12
"""Of the largest sum: below this nothing was sent. Doubles keep 1e-16 of each of the terms."""


def summed(place: IntArray, size: FloatArray, count: int) -> FloatArray:
    """Sizes added up by the place each belongs to."""
    return np.asarray(np.bincount(place, size, count), dtype=np.float64)


class Flows(NamedTuple):
    """Bytes from one rank to another, a row each."""

    src: IntArray
    dst: IntArray
    size: FloatArray


class Exchange(NamedTuple):
    """Every ordered pair of ranks of one group and different islands: `size` bytes, equal in a group; a row a rank."""

    group: IntArray
    island: IntArray
    rank: IntArray
    size: FloatArray


class Pairs(NamedTuple):
    """Bytes between two access switches, a row each."""

    src: IntArray
    dst: IntArray
    size: FloatArray


@dataclass(frozen=True, eq=False)
class Carried:
    """What some traffic puts on the fabric. Bytes per direction, by link group.

    leaving, arriving    (reach, link): at the NICs of the job
    forward, backward    between switches, from end a to end b and back
    by_reach             all bytes by how far they go
    busiest              where links of a group carry unequal bytes: those of the busiest, times the links, in the worse
                         direction; None: all carry the same
    unreachable          pairs of access switches with traffic and no way between them
    """

    leaving: FloatArray
    arriving: FloatArray
    forward: FloatArray
    backward: FloatArray
    by_reach: FloatArray
    unreachable: tuple[tuple[str, str], ...]
    busiest: FloatArray | None = None

    @property
    def between(self) -> FloatArray:
        """What counts for the time of each link group between switches, in the worse direction."""
        even: FloatArray = np.maximum(self.forward, self.backward)
        return even if self.busiest is None else np.maximum(even, self.busiest)


# ---- traffic on it --------------------------------------------------------------------------------------------


def carry(wires: Wires, ports: Ports, flows: Iterable[Flows], exchanges: Iterable[Exchange]) -> Carried:
    """Puts traffic on the fabric; every rank in it must have a NIC."""
    meter = _Meter(wires, ports)
    for flow in flows:
        meter.add_flows(flow)
    for exchange in exchanges:
        meter.add_exchange(exchange)
    return meter.carried()


class _Meter:
    """Sums up what the NICs send and what pairs of access switches exchange."""

    def __init__(self, wires: Wires, ports: Ports) -> None:
        self._wires, self._ports = wires, ports
        self._shape = (len(FABRIC_SCOPES) + 1, len(wires.links))
        self._out = np.zeros(self._shape)
        self._in = np.zeros(self._shape)
        self._pairs: list[Pairs] = []

    def add_flows(self, flows: Flows) -> None:
        wires, ports = self._wires, self._ports
        size = flows.size / ports.lanes
        for lane in range(ports.lanes):
            a, b = ports.switch[flows.src, lane], ports.switch[flows.dst, lane]
            reach = wires.reach[a, b]
            self._out += self._at(reach, ports.link[flows.src, lane], size)
            self._in += self._at(reach, ports.link[flows.dst, lane], size)
            self._pairs.append(Pairs(a, b, size))

    def add_exchange(self, exchange: Exchange) -> None:
        """Pairs of a group, less those of one island: each counted by access switch, never rank by rank."""
        ports = self._ports
        # A key of group and island: both are small counts, so their product is far below 2^63.
        inner = exchange.group * (int(exchange.island.max(initial=0)) + 1) + exchange.island
        for lane in range(ports.lanes):
            for group, sign in ((exchange.group, 1.0), (inner, -1.0)):
                self._add_groups(group, exchange.rank, lane, sign * exchange.size / ports.lanes)

    def _add_groups(self, group: IntArray, rank: IntArray, lane: int, size: FloatArray) -> None:
        wires, ports = self._wires, self._ports
        at = ports.switch[rank, lane]
        keys, first, row, count = np.unique(
            group * wires.access + at, return_index=True, return_inverse=True, return_counts=True
        )
        groups, switch = np.divmod(keys, wires.access)
        left, right = _within(groups)
        reach, size = wires.reach[switch[left], switch[right]], size[first]
        sent = summed(left * self._shape[0] + reach, count[right] * size[left], len(keys) * self._shape[0])
        by_rank = sent.reshape(len(keys), self._shape[0])[row]
        for place in range(self._shape[0]):
            nic = summed(ports.link[rank, lane], by_rank[:, place], self._shape[1])
            self._out[place] += nic
            self._in[place] += nic
        self._pairs.append(Pairs(switch[left], switch[right], count[left] * count[right] * size[left]))

    def _at(self, reach: IntArray, link: IntArray, size: FloatArray) -> FloatArray:
        flat = summed(reach * self._shape[1] + link, size, self._shape[0] * self._shape[1])
        return flat.reshape(self._shape)

    def carried(self) -> Carried:
        wires, far = self._wires, len(FABRIC_SCOPES)
        out, home = _clean(self._out), _clean(self._in)
        pairs = _added(self._pairs, wires.access)
        lost = wires.reach[pairs.src, pairs.dst] == UNREACHABLE
        names = [
            (wires.switches[a], wires.switches[b])
            for a, b in zip(pairs.src[lost], pairs.dst[lost], strict=True)
        ]
        between = ~lost & (pairs.src != pairs.dst)
        edges = _spread(wires, Pairs(pairs.src[between], pairs.dst[between], pairs.size[between]))
        links = len(wires.links)
        forward = summed(wires.edge_link, np.where(wires.edge_forward, edges, 0.0), links)
        backward = summed(wires.edge_link, np.where(wires.edge_forward, 0.0, edges), links)
        return Carried(out[:far], home[:far], forward, backward, out[:far].sum(axis=1), tuple(names))


def _clean(sizes: FloatArray) -> FloatArray:
    """Without what rounding leaves of sums that cancel out."""
    return np.where(sizes > _TRACE * sizes.max(initial=0.0), sizes, 0.0)


def _within(groups: IntArray) -> tuple[IntArray, IntArray]:
    """All ordered pairs of rows of equal group, as places (left, right); groups ascend."""
    _, first, inverse, count = np.unique(groups, return_index=True, return_inverse=True, return_counts=True)
    size = count[inverse]
    left = np.repeat(np.arange(len(groups)), size)
    before = np.repeat(np.cumsum(size) - size, size)
    return left, np.repeat(first[inverse], size) + np.arange(len(left)) - before


def _added(pairs: list[Pairs], access: int) -> Pairs:
    """Equal pairs added up; those that cancel out are gone."""
    if not pairs:
        return Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    key = np.concatenate([row.src * access + row.dst for row in pairs])
    size = np.concatenate([row.size for row in pairs])
    keys, inverse = np.unique(key, return_inverse=True)
    total = _clean(summed(inverse, size, len(keys)))
    keep = total > 0
    src, dst = np.divmod(keys[keep], access)
    return Pairs(src, dst, total[keep])


def _spread(wires: Wires, pairs: Pairs) -> FloatArray:
    """Bytes on each directed edge when every switch divides what it holds evenly over its edges that lead nearer."""
    load = np.zeros(len(wires.edge_from))
    for block in wires.ways if len(pairs.src) else ():
        mine = (pairs.dst >= block.first) & (pairs.dst < block.last)
        if not mine.any():
            continue
        width, count = block.last - block.first, len(wires.switches)
        held = summed(
            pairs.src[mine] * width + pairs.dst[mine] - block.first, pairs.size[mine], count * width
        )
        for step in block.steps:
            moved = step.share * held[step.start]
            load += summed(step.edge, moved, len(load))
            held += summed(step.end, moved, count * width)
    return load
