"""Traffic between hosts of a fabric, sorted out before it is routed: what cannot arrive is set aside, and all-to-all
groups become blocks, so that no flow of theirs is ever listed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays
from rackbuilder.analysis.fabric.loads import Exchange, Flows, summed
from rackbuilder.analysis.fabric.walk import live_trunks
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray

ROWS = 1 << 21
"""How many pairs are listed at a time: bounds the memory to some tens of megabytes."""


class Blocks(NamedTuple):
    """Hosts of which each sends to each other one of its block, rows in order of block; a size for each block.

    A size is negative where a block takes back what a larger one counted: hosts of one island do not send over the
    fabric. Sums over all blocks are exact.
    """

    block: IntArray
    host: IntArray
    size: FloatArray

    @property
    def members(self) -> IntArray:
        """Hosts of each block."""
        return np.bincount(self.block, minlength=len(self.size))


@dataclass(frozen=True, eq=False)
class Sorted:
    """Traffic that arrives. `sent`, `received`: bytes of each host; `lost`: bytes that have no way."""

    flows: Flows
    blocks: Blocks
    sent: FloatArray
    received: FloatArray
    lost: float


def sort_out(arrays: Arrays, flows: Iterable[Flows], exchanges: Iterable[Exchange]) -> Sorted:
    """Traffic between hosts (places in `arrays`), without what has no way. Flows to oneself are nothing."""
    part = parts_of(arrays)
    merged = _one(flows)
    way = (part[merged.src] == part[merged.dst]) & (part[merged.src] >= 0)
    kept = Flows(merged.src[way], merged.dst[way], merged.size[way])
    sent, received = (summed(end, kept.size, arrays.hosts) for end in (kept.src, kept.dst))
    lost = float(merged.size[~way].sum())
    found: list[Blocks] = []
    for exchange in exchanges:
        whole = [_block(key, exchange, np.zeros_like(part)) for key in _keys(exchange)]
        live = [_block(key, exchange, part) for key in _keys(exchange)]
        own = _all([live[0], live[1]._replace(size=-live[1].size)])
        each = summed(own.host, (own.size * own.members)[own.block], arrays.hosts)
        sent += each
        received += each
        lost += _bytes(whole[0]) - _bytes(whole[1]) - float(each.sum())
        found.append(own)
    return Sorted(kept, _all(found), sent, received, max(0.0, lost))


def parts_of(arrays: Arrays) -> IntArray:
    """Of each host, which connected part of what is up it is in; -1 when its own link is down."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    live, count = live_trunks(arrays), len(arrays.switches)
    ends = (arrays.low[live], arrays.high[live])
    graph = coo_array((np.ones(len(ends[0]), dtype=np.int8), ends), shape=(count, count))
    label = connected_components(graph, directed=False)[1].astype(np.int64)
    return np.where(arrays.up[arrays.trunks :], label[arrays.host_switch], -1)


def _one(flows: Iterable[Flows]) -> Flows:
    rows = list(flows)
    if not rows:
        return Flows(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    src, dst, size = (np.concatenate([row[n] for row in rows]) for n in range(3))
    other = src != dst
    return Flows(src[other], dst[other], size[other])


def _keys(exchange: Exchange) -> tuple[IntArray, IntArray]:
    islands = int(exchange.island.max(initial=0)) + 1
    return exchange.group, exchange.group * islands + exchange.island


def _block(key: IntArray, exchange: Exchange, part: IntArray) -> Blocks:
    """Rows of one key and one part; those without a way are in none."""
    host = exchange.rank
    there = part[host] >= 0
    key, host, size = key[there], host[there], exchange.size[there]
    parts = int(part.max(initial=0)) + 1
    _, first, block = np.unique(key * parts + part[host], return_index=True, return_inverse=True)
    order = np.argsort(block, kind="stable")
    return Blocks(block[order], host[order], size[first])


def _bytes(blocks: Blocks) -> float:
    return float((blocks.size * blocks.members**2).sum())


def _all(rows: list[Blocks]) -> Blocks:
    if not rows:
        return Blocks(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))
    start = np.cumsum([0, *(len(row.size) for row in rows)])
    block = np.concatenate([row.block + n for row, n in zip(rows, start[:-1], strict=True)])
    return Blocks(
        block, np.concatenate([row.host for row in rows]), np.concatenate([row.size for row in rows])
    )


class Tally(NamedTuple):
    """How many hosts of a block share something: rows in order of block, then of what they share."""

    block: IntArray
    what: IntArray
    hosts: FloatArray


def tally(block: IntArray, what: IntArray) -> Tally:
    """Counts rows by block and `what`."""
    width = int(what.max(initial=0)) + 1
    keys, count = np.unique(block * width + what, return_counts=True)
    return Tally(keys // width, keys % width, count.astype(np.float64))


def look_up(rows: Tally, block: IntArray, what: IntArray) -> FloatArray:
    """The count of a tally for some blocks and things that are in it."""
    width = int(rows.what.max(initial=0)) + 1
    place = np.searchsorted(rows.block * width + rows.what, block * width + what)
    return rows.hosts[place]


def joined(left: IntArray, right: IntArray) -> Iterator[tuple[IntArray, IntArray]]:
    """All pairs of rows of equal block, as places, some at a time; `right` in order of block."""
    first = np.searchsorted(right, left)
    size = np.searchsorted(right, left, side="right") - first
    ends = np.cumsum(size)
    begin = 0
    while begin < len(left):
        done = ends[begin - 1] if begin else 0
        stop = max(begin + 1, int(np.searchsorted(ends, done + ROWS, side="right")))
        own = size[begin:stop]
        row = np.repeat(np.arange(begin, stop), own)
        place = np.arange(len(row)) - np.repeat(np.cumsum(own) - own, own) + first[row]
        yield row, place
        begin = stop


def crossing(side: IntArray, traffic: Sorted, count: int) -> tuple[FloatArray, FloatArray]:
    """Bytes that leave each side (a leaf, a pod) and that reach it from others."""
    flows, blocks = traffic.flows, traffic.blocks
    start, end = side[flows.src], side[flows.dst]
    away = start != end
    out = summed(start[away], flows.size[away], count)
    home = summed(end[away], flows.size[away], count)
    rows = tally(blocks.block, side[blocks.host])
    both = blocks.size[rows.block] * rows.hosts * (blocks.members[rows.block] - rows.hosts)
    crossing = summed(rows.what, both, count)
    return out + crossing, home + crossing
