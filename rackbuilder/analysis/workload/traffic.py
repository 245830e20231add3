"""Traffic of a job on the seats of its ranks: what stays in an island, what PCIe carries, what goes to the fabric."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.loads import Exchange, Flows, summed
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray
from rackbuilder.analysis.workload.seats import MEDIA, Seats
from rackbuilder.analysis.workload.training import Demand

PCIE = MEDIA.index("pcie")


class Members(NamedTuple):
    """Groups of one dimension with the members of each island side by side. All (group, member) but `islands`.

    rank      the members; place: of a member inside its island; inside: how many its island holds
    onward    the partner in the next island of the group, on the same rail where islands are equal
    islands   by group: how many it spans
    """

    rank: IntArray
    island: IntArray
    place: IntArray
    inside: IntArray
    onward: IntArray
    islands: IntArray


def arrange(groups: IntArray, island: IntArray) -> Members:
    """Sorts the members of each group by island and finds each one's partner in the next."""
    count, size = groups.shape
    there = island[groups]
    order = np.argsort(there, axis=1, kind="stable")
    rank, there = np.take_along_axis(groups, order, axis=1), np.take_along_axis(there, order, axis=1)
    first = np.ones((count, size), dtype=np.bool_)
    first[:, 1:] = there[:, 1:] != there[:, :-1]
    run = np.cumsum(first, axis=1) - 1
    islands = run[:, -1] + 1
    base = np.arange(count)[:, None] * size
    held = np.bincount((base + run).ravel(), minlength=count * size)
    starts = np.zeros(count * size, dtype=np.int64)
    column = np.broadcast_to(np.arange(size), (count, size))
    starts[(base + run)[first]] = column[first]
    place = column - starts[base + run]
    following = base + (run + 1) % islands[:, None]
    onward = np.take_along_axis(rank, starts[following] + place % held[following], axis=1)
    return Members(rank, there, place, held[base + run], onward, islands)


@dataclass(frozen=True, eq=False)
class Traffic:
    """Of one dimension and step, bytes per direction.

    inside      by rank: sent to GPUs of its island
    beside      by rank: sent to another island of its server, over PCIe
    flows, exchanges   to other servers, over the fabric
    """

    dimension: str
    inside: FloatArray
    beside: FloatArray
    flows: tuple[Flows, ...]
    exchanges: tuple[Exchange, ...]

    @property
    def on_fabric(self) -> bool:
        return any(len(row.src) for row in self.flows) or any(len(row.rank) for row in self.exchanges)

    def fabric_ranks(self) -> IntArray:
        """The ranks that send or receive on the fabric."""
        used = [row.src for row in self.flows] + [row.dst for row in self.flows]
        used += [row.rank for row in self.exchanges]
        return np.unique(np.concatenate(used)) if used else np.zeros(0, dtype=np.int64)


def traffic_of(demands: Iterable[Demand], seats: Seats, two_level: bool = False) -> list[Traffic]:
    """The traffic of each dimension, in the order of the demands; demands of one dimension are added up."""
    found: dict[str, list[_Moved]] = {}
    for demand in demands:
        found.setdefault(demand.dimension, []).append(_moved(demand, seats, two_level))
    return [_split(name, rows, seats) for name, rows in found.items()]


class _Moved(NamedTuple):
    inside: FloatArray
    flows: Flows
    exchanges: tuple[Exchange, ...] = ()


def _moved(demand: Demand, seats: Seats, two_level: bool) -> _Moved:
    if demand.flows is not None:
        return _pairs(demand.flows, seats)
    members = arrange(demand.groups, seats.island)
    if demand.pattern == "ring":
        return _ring(members, demand.size, demand.passes, two_level)
    return _mesh(members, demand.size, seats)


def _split(dimension: str, rows: list[_Moved], seats: Seats) -> Traffic:
    inside = sum((row.inside for row in rows), np.zeros(len(seats.island)))
    flows = Flows(*(np.concatenate(columns) for columns in zip(*(row.flows for row in rows), strict=True)))
    near = seats.server[flows.src] == seats.server[flows.dst]
    beside = summed(flows.src[near], flows.size[near], len(inside))
    far = Flows(*(column[~near] for column in flows))
    return Traffic(dimension, inside, beside, (far,), tuple(e for row in rows for e in row.exchanges))


def _pairs(flows: Flows, seats: Seats) -> _Moved:
    stays = seats.island[flows.src] == seats.island[flows.dst]
    inside = summed(flows.src[stays], flows.size[stays], len(seats.island))
    return _Moved(inside, Flows(*(column[~stays] for column in flows)))


def _ring(members: Members, size: FloatArray, passes: int, two_level: bool) -> _Moved:
    """Rings over the whole group, one a rail: with g members in an island, one g-th of what each sends leaves it.

    With `two_level`, groups that are even over their islands reduce inside, ring across, and gather inside instead
    (collectives.multi_rail_ring and two_level).
    """
    ranks, n = members.rank.ravel(), members.rank.shape[1]
    buffer = passes * size[ranks]
    g, q = members.inside.ravel(), np.repeat(members.islands, n)
    whole = buffer * (n - 1) / n
    leaves = np.where(q > 1, whole / g, 0.0)
    stays = whole - leaves
    if two_level:
        even = g * q == n
        stays = np.where(even, buffer * (g - 1) / g, stays)
        leaves = np.where(even, buffer * (q - 1) / (q * g), leaves)
    inside = summed(ranks, stays, len(size))
    out = q > 1
    return _Moved(inside, Flows(ranks[out], members.onward.ravel()[out], leaves[out]))


def _mesh(members: Members, size: FloatArray, seats: Seats) -> _Moved:
    """All-to-all. Over NVLink first to the receiver's rail where islands are equal (collectives.all_to_all_aligned)."""
    n = members.rank.shape[1]
    part = size[members.rank] / n
    even = (members.inside * members.islands[:, None] == n).all(axis=1)
    relay = even & (seats.medium[members.rank] != PCIE).all(axis=1)
    factor = np.where(relay[:, None], members.islands[:, None], 1)
    inside = summed(members.rank.ravel(), (part * (members.inside - 1) * factor).ravel(), len(size))
    apart = members.islands > 1
    group = np.broadcast_to(np.arange(len(members.rank))[:, None], members.rank.shape)
    rails = Exchange(*_rows(relay & apart, group * n + members.place, members, part * members.inside))
    direct = Exchange(*_rows(~relay & apart, group, members, part))
    empty = np.zeros(0, dtype=np.int64)
    exchanges = tuple(row for row in (rails, direct) if len(row.rank))
    return _Moved(inside, Flows(empty, empty, np.zeros(0)), exchanges)


def _rows(
    chosen: IntArray, group: IntArray, members: Members, size: FloatArray
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    columns = (group, members.island, members.rank)
    a, b, c = (column[chosen].ravel() for column in columns)
    return a, b, c, size[chosen].ravel()
