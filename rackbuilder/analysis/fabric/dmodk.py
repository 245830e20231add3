"""Bytes on every cable under D-mod-K, where the way depends on the source's leaf and the destination alone.

On a Clos, all-to-all groups are added up by (group, leaf), (group, number of the up link) and (group, pod): exact, and
no flow is listed. Ways that meet a link that is down, or was never drawn, are taken back and walked hop by hop, as is
everything on a fabric that is no Clos.
"""

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays, BoolArray
from rackbuilder.analysis.fabric.blocks import Blocks, Sorted, joined, look_up, sort_out, tally
from rackbuilder.analysis.fabric.loads import Exchange, Flows, summed
from rackbuilder.analysis.fabric.recognise import Clos
from rackbuilder.analysis.fabric.walk import Maze, Pairs, live_trunks, merged, together
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray

_TRACE = 1e-12
"""Of the largest load: below this nothing was sent. Doubles keep 1e-16 of each of the terms."""

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class LinkLoads:
    """Bytes on each link of a fabric (`Arrays.cables`): toward the upper switch, and down.

    lost   bytes that have no way: a host whose link is down, or parts that no link joins
    """

    up: FloatArray
    down: FloatArray
    lost: float = 0.0

    @property
    def worst(self) -> FloatArray:
        """Of the two directions, the busier."""
        return np.maximum(self.up, self.down)


Steps = Generator[float, None, T]
"""Gives the share that is done, then returns its result; not asked for more, it is cancelled."""


def finish(steps: Steps[T]) -> T:
    """The result of a run to the end."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: T = end.value
            return found


def carry_dmodk(
    arrays: Arrays, clos: Clos | None, flows: Iterable[Flows] = (), exchanges: Iterable[Exchange] = ()
) -> Steps[LinkLoads]:
    """Puts traffic between hosts (places in `arrays`) on a fabric; without a Clos every way is walked."""
    traffic = sort_out(arrays, flows, exchanges)
    if clos is None:
        up, down = np.zeros(arrays.trunks), np.zeros(arrays.trunks)
        pairs = _walked(arrays, traffic)
    else:
        table = _Table(arrays, clos)
        table.add_flows(traffic.flows)
        table.add_blocks(traffic.blocks)
        pairs = table.taken_back(traffic.blocks)
        up, down = table.loads()
    if len(pairs.size):
        for part in Maze(arrays, clos).routed(pairs):
            up += part.up
            down += part.down
            yield part.done
    return LinkLoads(np.r_[up, traffic.sent], np.r_[down, traffic.received], traffic.lost)


def _walked(arrays: Arrays, traffic: Sorted) -> Pairs:
    """All traffic between switches, by switch and host."""
    flows, blocks = traffic.flows, traffic.blocks
    switch = arrays.host_switch
    rows = [Pairs(switch[flows.src], flows.dst, flows.size)]
    start = tally(blocks.block, switch[blocks.host])
    for left, right in joined(start.block, blocks.block):
        size = blocks.size[start.block[left]] * start.hosts[left]
        rows.append(merged(Pairs(start.what[left], blocks.host[right], size), arrays.hosts))
    return _cleaned(arrays, rows)


def _cleaned(arrays: Arrays, rows: list[Pairs]) -> Pairs:
    """Rows added up, without those that stay at their switch or cancel out."""
    found = merged(together(rows), arrays.hosts)
    keep = (found.at != arrays.host_switch[found.to]) & (found.size > _TRACE * found.size.max(initial=0.0))
    return found.some(keep)


def _any(table: BoolArray) -> BoolArray:
    """Rows with any mark."""
    return np.asarray(table.reshape(len(table), -1).any(axis=1), dtype=np.bool_)


class _Way(NamedTuple):
    """D-mod-K's choice for each host: number of the up link of its leaf, spine, number of the up link of that."""

    number: IntArray
    spine: IntArray
    second: IntArray


class _Table:
    """Loads by place in the tree: (leaf, number) and (pod, spine, number), up and down."""

    def __init__(self, arrays: Arrays, clos: Clos) -> None:
        self._arrays, self._clos = arrays, clos
        net = clos.net[clos.host_leaf]
        number = clos.number1(net, clos.host_index)
        spine = clos.spine[net, number]
        self._way = _Way(number, spine, clos.number2(net, spine, clos.digit2))
        live = np.r_[live_trunks(arrays), False]
        self._ok1: BoolArray = live[clos.up1]
        self._ok2: BoolArray = live[clos.up2]
        self._up1, self._down1 = np.zeros(clos.up1.size), np.zeros(clos.up1.size)
        self._up2, self._down2 = np.zeros(clos.up2.size), np.zeros(clos.up2.size)
        self._rows: list[Pairs] = []

    # ---- flows

    def add_flows(self, flows: Flows) -> None:
        clos, start, end = self._clos, self._clos.host_leaf[flows.src], self._clos.host_leaf[flows.dst]
        away = start != end
        leaf, dst, size = start[away], flows.dst[away], flows.size[away]
        good = self._whole(leaf, dst)
        self._add(leaf[good], dst[good], size[good])
        bad = ~good
        self._rows.append(Pairs(clos.leaves[leaf[bad]], dst[bad], size[bad]))

    def _whole(self, leaf: IntArray, dst: IntArray) -> BoolArray:
        """Whether all links of the way from a leaf to a host of another leaf are up."""
        clos, way = self._clos, self._way
        home = clos.host_leaf[dst]
        number, spine, second = way.number[dst], way.spine[dst], way.second[dst]
        good = self._ok1[leaf, number] & self._ok1[home, number]
        there, here = clos.pod[home], clos.pod[leaf]
        if clos.up2.size:
            good &= (here == there) | (self._ok2[here, spine, second] & self._ok2[there, spine, second])
        return np.asarray(good, dtype=np.bool_)

    def _add(self, leaf: IntArray, dst: IntArray, size: FloatArray) -> None:
        """Bytes from leaves to hosts of other leaves along their ways; negative to take them back."""
        clos, way = self._clos, self._way
        home, number = clos.host_leaf[dst], way.number[dst]
        self._up1 += summed(self._place1(leaf, number), size, len(self._up1))
        self._down1 += summed(self._place1(home, number), size, len(self._down1))
        far = clos.pod[leaf] != clos.pod[home]
        if far.any():
            dst, size = dst[far], size[far]
            second = self._place2(way.spine[dst], way.second[dst])
            step = clos.up2[0].size
            self._up2 += summed(clos.pod[leaf[far]] * step + second, size, len(self._up2))
            self._down2 += summed(clos.pod[home[far]] * step + second, size, len(self._down2))

    def _place1(self, leaf: IntArray, number: IntArray) -> IntArray:
        return np.asarray(leaf * self._clos.up1.shape[1] + number, dtype=np.int64)

    def _place2(self, spine: IntArray, second: IntArray) -> IntArray:
        return np.asarray(spine * self._clos.up2.shape[2] + second, dtype=np.int64)

    # ---- all-to-all

    def add_blocks(self, blocks: Blocks) -> None:
        """Each host of a block to each other, by leaf and by pod: what leaves goes by the digits of where it goes."""
        if not len(blocks.host):
            return
        clos, way, host = self._clos, self._way, blocks.host
        leaf = clos.host_leaf[host]
        self._add_tier(blocks, leaf, way.number[host], clos.up1.shape[1], self._up1, self._down1)
        if clos.several.any():
            place = self._place2(way.spine[host], way.second[host])
            self._add_tier(blocks, clos.pod[leaf], place, clos.up2[0].size, self._up2, self._down2)

    def _add_tier(
        self, blocks: Blocks, side: IntArray, number: IntArray, width: int, up: FloatArray, down: FloatArray
    ) -> None:
        """One tier: n hosts of a block on a side send to each host elsewhere that has number j, over up link j.

        up[side, j] = size · n · (hosts with j − hosts with j on this side); down[side, j] = size · (hosts with j on
        this side) · (hosts elsewhere).
        """
        block, size, total = blocks.block, blocks.size, blocks.members
        here = tally(block, side)
        both = tally(block, side * width + number)
        own = look_up(here, both.block, both.what // width)
        base = size[both.block] * both.hosts
        up -= summed(both.what, base * own, len(up))
        down += summed(both.what, base * (total[both.block] - own), len(down))
        by_number = tally(block, number)
        for left, right in joined(here.block, by_number.block):
            amount = size[here.block[left]] * here.hosts[left] * by_number.hosts[right]
            up += summed(here.what[left] * width + by_number.what[right], amount, len(up))

    # ---- what is down

    def taken_back(self, blocks: Blocks) -> Pairs:
        """Takes the traffic of blocks whose way is not whole off the table; gives it with that of flows, by leaf."""
        clos = self._clos
        for leaf, dst, size in self._broken(blocks):
            self._add(leaf, dst, -size)
            self._rows.append(merged(Pairs(clos.leaves[leaf], dst, size), self._arrays.hosts))
        return _cleaned(self._arrays, self._rows)

    def _broken(self, blocks: Blocks) -> Iterator[tuple[IntArray, IntArray, FloatArray]]:
        """(leaf, host, bytes) of blocks over links that are not up."""
        clos = self._clos
        harmed, leaf_harmed = self._harmed()
        if not (harmed.any() or leaf_harmed.any()):
            return
        bad = harmed[blocks.host]
        start = tally(blocks.block, clos.host_leaf[blocks.host])
        sick = leaf_harmed[start.what]
        for chosen, hosts in ((np.ones(len(sick), np.bool_), bad), (sick, ~bad)):
            block, what, count = start.block[chosen], start.what[chosen], start.hosts[chosen]
            to_block, to_host = blocks.block[hosts], blocks.host[hosts]
            for left, right in joined(block, to_block):
                leaf, dst = what[left], to_host[right]
                keep = (clos.host_leaf[dst] != leaf) & ~self._whole(leaf, dst)
                left, leaf, dst = left[keep], leaf[keep], dst[keep]
                yield leaf, dst, blocks.size[block[left]] * count[left]

    def _harmed(self) -> tuple[BoolArray, BoolArray]:
        """Hosts with a link down on the way to them, and leaves with one on the way out."""
        clos, way = self._clos, self._way
        leaf, pod = clos.host_leaf, clos.pod[clos.host_leaf]
        hosts = np.asarray(~self._ok1[leaf, way.number], dtype=np.bool_)
        u1 = clos.u1[clos.net][:, None]
        leaves = _any(~self._ok1 & (np.arange(clos.up1.shape[1]) < u1))
        if clos.several.any():
            hosts |= clos.several[clos.net[leaf]] & ~self._ok2[pod, way.spine, way.second]
            u2 = clos.u2[clos.pod_net][:, :, None]
            leaves |= _any(~self._ok2 & (np.arange(clos.up2.shape[2]) < u2))[clos.pod]
        return hosts, leaves

    def loads(self) -> tuple[FloatArray, FloatArray]:
        """Of each trunk; what rounding leaves of sums that cancel out is nothing."""
        clos, trunks = self._clos, self._arrays.trunks
        found = []
        for first, second in ((self._up1, self._up2), (self._down1, self._down2)):
            loads = np.zeros(trunks)
            least = _TRACE * max(first.max(initial=0.0), second.max(initial=0.0))
            for table, ok, values in ((clos.up1, self._ok1, first), (clos.up2, self._ok2, second)):
                loads[table[ok]] = np.where(values > least, values, 0.0).reshape(table.shape)[ok]
            found.append(loads)
        return found[0], found[1]
