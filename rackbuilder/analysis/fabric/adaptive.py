"""Bytes on every cable when switches spread evenly over the shortest ways, packet by packet.

On a whole Clos what leaves a leaf, or a pod, is divided evenly over its up links, and what arrives over its down links.
Pairs of leaves with a link down or slower between them are spread hop by hop, each way by what can still flow behind
it, as is everything on a fabric that is no Clos.
"""

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays, BoolArray
from rackbuilder.analysis.fabric.blocks import Blocks, Sorted, crossing, joined, sort_out, tally
from rackbuilder.analysis.fabric.dmodk import LinkLoads, Steps
from rackbuilder.analysis.fabric.loads import Exchange, Flows, summed
from rackbuilder.analysis.fabric.recognise import Clos
from rackbuilder.analysis.fabric.walk import Maze, Pairs, live_trunks, merged, together
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray

_TRACE = 1e-12
"""Of the largest sum: below this nothing was sent."""


def carry_adaptive(
    arrays: Arrays, clos: Clos | None, flows: Iterable[Flows] = (), exchanges: Iterable[Exchange] = ()
) -> Steps[LinkLoads]:
    """Puts traffic between hosts (places in `arrays`) on a fabric, spread evenly."""
    traffic = sort_out(arrays, flows, exchanges)
    up, down = np.zeros(arrays.trunks), np.zeros(arrays.trunks)
    if clos is None:
        pairs = pairs_between(arrays, traffic)
    else:
        harmed = _Harm(arrays, clos)
        pairs = _pairs(arrays, traffic, harmed.leaves, harmed.far, clos)
        up, down = _even(arrays, clos, traffic, pairs, harmed)
    if len(pairs.size):
        for part in Maze(arrays, clos).spread(pairs):
            up += part.up
            down += part.down
            yield part.done
    return LinkLoads(np.r_[up, traffic.sent], np.r_[down, traffic.received], traffic.lost)


Marked = Callable[[IntArray, IntArray], BoolArray]
"""Which pairs of switches are to be spread by themselves."""


class _Harm:
    """Where even shares would be wrong, by switch: leaves, and leaves for what they send to other pods."""

    def __init__(self, arrays: Arrays, clos: Clos) -> None:
        rate = np.r_[np.where(live_trunks(arrays), arrays.rate_bps[: arrays.trunks], 0.0), 0.0]
        first, second = rate[clos.up1], rate[clos.up2]
        own = np.arange(clos.up1.shape[1]) < clos.u1[clos.net][:, None]
        self.leaf = _uneven(first, own)
        owns = np.arange(clos.up2.shape[2]) < clos.u2[clos.pod_net][:, :, None]
        count = len(clos.pod_net)
        pod = (
            _uneven(second.reshape(count, -1), owns.reshape(count, -1))
            | ~_regular(arrays, clos)[clos.pod_net]
        )
        # Rates of two leaves of one pod, or of two pods, may differ: shares are by leaf and pod only.
        self.leaves = np.zeros(len(arrays.switches), dtype=np.bool_)
        self.leaves[clos.leaves] = self.leaf
        self.far = np.zeros_like(self.leaves)
        self.far[clos.leaves] = (pod & clos.several[clos.pod_net])[clos.pod]
        self.pod = pod


def _uneven(rate: FloatArray, own: BoolArray) -> BoolArray:
    """Rows whose own links are not all up at one rate; unknown rates count as equal."""
    known = np.where(np.isnan(rate), 1.0, rate)
    most = np.where(own, known, 0.0).max(axis=1, initial=0.0)
    return np.asarray((own & (known != most[:, None])).any(axis=1), dtype=np.bool_)


def _regular(arrays: Arrays, clos: Clos) -> BoolArray:
    """Networks in which every spine has as many links down to a leaf, and up to as many cores, as every other."""
    found = np.ones(clos.networks, dtype=np.bool_)
    for net in range(clos.networks):
        if not clos.several[net]:
            continue
        spines = np.bincount(clos.spine[net, : clos.u1[net]], minlength=clos.u2.shape[1])
        links = clos.u2[net]
        pods = np.flatnonzero(clos.pod_net == net)
        trunks = clos.up2[pods]
        trunks = trunks[trunks >= 0]
        pairs, bundle = np.unique(
            arrays.low[trunks] * len(arrays.switches) + arrays.high[trunks], return_counts=True
        )
        cores = np.unique(pairs % len(arrays.switches), return_counts=True)[1]
        used = spines > 0
        rows = (spines[used], links[used], bundle, cores)
        found[net] = bool(links[used].all()) and all(len(np.unique(row)) == 1 for row in rows)
    return found


def _pairs(
    arrays: Arrays, traffic: Sorted, near: BoolArray, far: BoolArray, clos: Clos | None = None
) -> Pairs:
    """Traffic between switches of which one is marked: `near` for all of it, `far` for that to other pods."""
    flows, blocks, switch = traffic.flows, traffic.blocks, arrays.host_switch

    def marked(at: IntArray, to: IntArray) -> BoolArray:
        told = near[at] | near[to]
        if clos is not None and far.any():
            other = clos.pod[clos.leaf_of[at]] != clos.pod[clos.leaf_of[to]]
            told |= other & (far[at] | far[to])
        return np.asarray(told & (at != to), dtype=np.bool_)

    keep = marked(switch[flows.src], switch[flows.dst])
    rows = [Pairs(switch[flows.src[keep]], switch[flows.dst[keep]], flows.size[keep])]
    if (near | far).any():
        rows += _block_pairs(arrays, blocks, near | far, marked)
    found = merged(together(rows), len(arrays.switches))
    keep = found.size > _TRACE * found.size.max(initial=0.0)
    return found.some(keep)


def pairs_between(arrays: Arrays, traffic: Sorted) -> Pairs:
    """All traffic between switches, by both."""
    every = np.ones(len(arrays.switches), dtype=np.bool_)
    return _pairs(arrays, traffic, every, every)


def _block_pairs(arrays: Arrays, blocks: Blocks, sick: BoolArray, marked: "Marked") -> Iterator[Pairs]:
    rows = tally(blocks.block, arrays.host_switch[blocks.host])
    ill = sick[rows.what]
    for chosen, others in ((ill, np.ones(len(ill), np.bool_)), (~ill, ill)):
        block, what, count = rows.block[chosen], rows.what[chosen], rows.hosts[chosen]
        to_block, to, to_count = rows.block[others], rows.what[others], rows.hosts[others]
        for left, right in joined(block, to_block):
            keep = marked(what[left], to[right])
            left, right = left[keep], right[keep]
            size = blocks.size[block[left]] * count[left] * to_count[right]
            yield merged(Pairs(what[left], to[right], size), len(arrays.switches))


def _even(
    arrays: Arrays, clos: Clos, traffic: Sorted, pairs: Pairs, harm: _Harm
) -> tuple[FloatArray, FloatArray]:
    """What leaves and reaches each leaf and pod, less the pairs that are spread by themselves, over its links."""
    up, down = np.zeros(arrays.trunks), np.zeros(arrays.trunks)
    leaf = clos.host_leaf
    taken = Pairs(clos.leaf_of[pairs.at], clos.leaf_of[pairs.to], pairs.size)
    sides = (
        (np.arange(len(clos.leaves)), harm.leaf, clos.up1, clos.u1[clos.net]),
        (clos.pod, harm.pod, clos.up2.reshape(clos.pods, -1), clos.u2.sum(axis=1)[clos.pod_net]),
    )
    for side, sick, table, links in sides:
        count = len(table)
        out, home = crossing(side[leaf], traffic, count)
        own, other = side[taken.at], side[taken.to]
        away = own != other
        out -= summed(own[away], taken.size[away], count)
        home -= summed(other[away], taken.size[away], count)
        for total, loads in ((out, up), (home, down)):
            total = np.where(sick | (total < _TRACE * max(out.max(initial=0.0), 1e-300)), 0.0, total)
            share = np.broadcast_to((total / np.maximum(links, 1))[:, None], table.shape)
            there = table >= 0
            loads[table[there]] = share[there]
    return up, down
