"""Every way to make the links of a cluster from parts on sale: cables with plugs, or optics and fibre.

What is pinned is kept: a plan that would replace it is none.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rackbuilder.analysis.cabling.clusters import Cluster, Line, Spot, socket_of, sockets
from rackbuilder.analysis.cabling.ends import PLUGLESS, own_plugs
from rackbuilder.analysis.cabling.market import Market, OpticGroup, order_length_m
from rackbuilder.catalog.compatibility import (
    fibre_misfit,
    generation_fault,
    plug_misfit,
    protocols_meet,
    reach_m,
    shape_of_end,
    shape_of_optic,
)
from rackbuilder.catalog.parts import CableType, OpticType, PlugEnd, Protocol

Lengths = tuple[float | None, ...]
COPPER = ("passive-copper", "active-copper", "active-optical")


class Plan(NamedTuple):
    """Parts of all lines and optics of all spots, by index; an optic is empty where none is needed."""

    medium: str
    parts: tuple[str, ...]
    lengths_m: Lengths
    optics: tuple[str, ...]


def plans(cluster: Cluster, market: Market) -> list[Plan]:
    """In the order to prefer: passive copper, active copper, active optical, multimode, single-mode."""
    if any(spot.row.connector == "RJ45" for spot in cluster.spots):
        return list(_twisted(cluster, market))
    found = [*_direct(cluster, market), *_optical(cluster, market)]
    # The best of each medium only; the lists are sorted, so that is the first.
    return list({plan.medium: plan for plan in reversed(found)}.values())[::-1]


# ---- twisted pair


def _twisted(cluster: Cluster, market: Market) -> Iterator[Plan]:
    """A copper cord, whatever the length: there is nothing else."""
    if any(spot.row.connector != "RJ45" for spot in cluster.spots):
        return
    for part in market.copper:
        if _kept(cluster, (part.id,)):
            lengths = tuple(_order(part, line, line.length.value) for line in cluster.lines)
            known = [line.length.value for line in cluster.lines if line.length.value is not None]
            if part.reach_max_m is None or max(known, default=0.0) <= part.reach_max_m:
                yield Plan(part.medium, (part.id,) * len(cluster.lines), lengths, ("",) * len(cluster.spots))


def _order(part: CableType, line: Line, need_m: float | None) -> float | None:
    """What to order for a line: the pinned length, else the next one on sale; None while the need is unknown."""
    if line.pinned_m is not None:
        return line.pinned_m
    return order_length_m(part, need_m) if line.length.exact and need_m is not None else None


def _kept(cluster: Cluster, parts: Sequence[str]) -> bool:
    """Whether the pinned parts of the lines are among these."""
    return all(not line.part or line.part in parts for line in cluster.lines)


# ---- cables with plugs


def _direct(cluster: Cluster, market: Market) -> Iterator[Plan]:
    need_m = cluster.longest_m
    if need_m is None or any(spot.optic for spot in cluster.spots):
        return
    for part in market.plugged:
        length_m = order_length_m(part, need_m)
        if length_m is not None and _kept(cluster, (part.id,)) and joins(part, cluster):
            yield Plan(
                part.medium,
                (part.id,) * len(cluster.lines),
                tuple(_order(part, line, need_m) for line in cluster.lines),
                ("",) * len(cluster.spots),
            )


def joins(part: CableType, cluster: Cluster) -> bool:
    """Whether one piece of a cable with plugs can be all links of a cluster."""
    rates = [line.rate_bps for line in cluster.lines]
    if part.rate_bps is None or len(rates) > max(part.links, 1) or any(rate is None for rate in rates):
        return False
    fastest = max(rate or 0.0 for rate in rates)
    if generation_fault(part, fastest) or not all(
        protocols_meet(part.protocols, spoken(cluster, line)) for line in cluster.lines
    ):
        return False
    if part.a.count == part.b.count == 1:
        return _straight(part, cluster, fastest)
    return part.rate_bps >= fastest and any(_heads(part, cluster, n) for n in range(len(cluster.spots)))


def _straight(part: CableType, cluster: Cluster, fastest_bps: float) -> bool:
    if len(cluster.spots) != 2 or any(line.a == line.b for line in cluster.lines):
        return False
    one, two = cluster.spots
    whole = (part.rate_bps or 0.0) * part.links
    single = one.row.ports == two.row.ports == 1
    if (part.rate_bps or 0.0) < fastest_bps and not (single and whole >= fastest_bps):
        return False
    # A faster generation of cable does not go into slower cages.
    if whole > max(spot.row.ports * (spot.row.rate_bps or math.inf) for spot in cluster.spots):
        return False
    return (fits(part, part.a, one) and fits(part, part.b, two)) or (
        fits(part, part.b, one) and fits(part, part.a, two)
    )


def _heads(part: CableType, cluster: Cluster, head: int) -> bool:
    """A splitter with its head in one spot, and one branch in each other."""
    spots, lines = cluster.spots, cluster.lines
    if part.a.count != 1 or len(spots) != len(lines) + 1 or len(cluster.lines_at(head)) != len(lines):
        return False
    if spots[head].branches != part.a.links or not fits(part, part.a, spots[head]):
        return False
    return all(fits(part, part.b, spot) for n, spot in enumerate(spots) if n != head)


def fits(part: CableType, end: PlugEnd, spot: Spot) -> bool:
    return spot.row.connector != "unknown" and plug_misfit(shape_of_end(end, part.rate_bps), spot.row) is None


def spoken(cluster: Cluster, line: Line) -> tuple[Protocol, ...]:
    """The protocols that a link may carry: what both ends speak; empty: not known, or none in common."""
    a, b = cluster.spots[line.a].speaks, cluster.spots[line.b].speaks
    return tuple(p for p in a if p in b) if a and b else a or b


# ---- optics and fibre


def _optical(cluster: Cluster, market: Market) -> Iterator[Plan]:
    pinned = {line.part for line in cluster.lines if line.part}
    if any(own_plugs(market.cable(name)) for name in pinned):
        return
    if cluster.longest_m is None and len(pinned) == 0 and not any(spot.optic for spot in cluster.spots):
        return
    for group, optics in _possible(cluster, market, pinned):
        plan = _of_group(cluster, market, group, optics)
        if plan is not None:
            yield plan


def _possible(
    cluster: Cluster, market: Market, pinned: Iterable[str]
) -> Iterator[tuple[OpticGroup, Sequence[OpticType]]]:
    """The groups of optics that what is pinned leaves."""
    fixed = {
        market.group_of(optic) for spot in cluster.spots if (optic := market.optic(spot.optic)) is not None
    }
    if fixed:
        if len(fixed) == 1:
            (group,) = fixed
            yield group, market.groups.get(group, ())
        return
    media = {part.medium for name in pinned if (part := market.cable(name)) is not None}
    for group, optics in market.groups.items():
        if not media or group.medium in media:
            yield group, optics


def _of_group(
    cluster: Cluster, market: Market, group: OpticGroup, optics: Sequence[OpticType]
) -> Plan | None:
    """The nearest reach first; a longer one when the cord on sale is longer than that reach."""
    need_m = max((line.length.value or 0.0 for line in cluster.lines), default=0.0)
    for _ in range(2):
        chosen = [_optic(cluster, n, market, group, optics, need_m) for n in range(len(cluster.spots))]
        if any(optic is None for optic in chosen):
            return None
        plan = _with_fibres(cluster, market, group, [optic for optic in chosen if optic is not None])
        if plan is None:
            return None
        longest = max((length or 0.0 for length in plan.lengths_m), default=0.0)
        if longest <= (_reach(market, plan) or math.inf):
            return plan
        need_m = longest
    return None


def _reach(market: Market, plan: Plan) -> float | None:
    found = [market.optic(name) or market.cable(name) for name in (*plan.optics, *plan.parts) if name]
    return reach_m(*(part for part in found if part is not None))


def _optic(
    cluster: Cluster, n: int, market: Market, group: OpticGroup, optics: Sequence[OpticType], need_m: float
) -> str | None:
    """The optic of one spot; empty for a cage that takes the fibre itself; None: this group has none for it."""
    spot = cluster.spots[n]
    if spot.optic:
        pinned = market.optic(spot.optic)
        return spot.optic if pinned is not None and market.group_of(pinned) == group else None
    if spot.row.connector in PLUGLESS:
        return "" if group.medium == "single-mode" and group.ferrule.startswith(spot.row.connector) else None
    lines = cluster.lines_at(n)
    for optic in optics:
        reach = optic.reach_max_m
        if (reach is None or reach >= need_m) and _suits(optic, spot, cluster, lines):
            return optic.id
    return None


def _suits(optic: OpticType, spot: Spot, cluster: Cluster, lines: Sequence[Line]) -> bool:
    if spot.row.connector == "unknown" or plug_misfit(shape_of_optic(optic), spot.row):
        return False
    each = sockets(spot, optic.ports)
    if each not in (1, 2) or optic.rate_bps is None:
        return False
    cage_bps = spot.row.ports * (spot.row.rate_bps or 0.0)
    # More than the cage: only for a card that is slower than its family of cages (200G on two 100G lanes).
    if optic.ports * optic.rate_bps > 2 * cage_bps or (
        optic.ports * optic.rate_bps > cage_bps and optic.ports > spot.row.ports
    ):
        return False
    return all(
        line.rate_bps is not None
        and line.rate_bps <= optic.rate_bps / each
        and protocols_meet(optic.protocols, spoken(cluster, line))
        for line in lines
    )


def _with_fibres(cluster: Cluster, market: Market, group: OpticGroup, optics: Sequence[str]) -> Plan | None:
    forms = [_form(cluster, market, line, optics) for line in cluster.lines]
    if None in forms:
        return None
    needs = [_need(cluster, market, line, optics) for line in cluster.lines]
    parts: list[str] = []
    lengths: list[float | None] = []
    for line, form, need_m in zip(cluster.lines, forms, needs, strict=True):
        fibre = _fibre(market, group, form or "fibre", line, need_m, optics)
        if fibre is None:
            return None
        parts.append(fibre.id)
        lengths.append(_order(fibre, line, need_m))
    return Plan(group.medium, tuple(parts), tuple(lengths), tuple(optics))


def _split(cluster: Cluster, market: Market, spot: int, optics: Sequence[str]) -> int:
    """Links a socket of the optic in a spot."""
    optic = market.optic(optics[spot])
    return sockets(cluster.spots[spot], optic.ports) if optic else 1


def _form(cluster: Cluster, market: Market, line: Line, optics: Sequence[str]) -> str | None:
    """A straight cord, or a splitter whose head is at the end with two links a socket; not one at both ends."""
    split = [_split(cluster, market, spot, optics) for spot in (line.a, line.b)]
    if max(split) > 2 or split == [2, 2]:
        return None
    return "splitter-fibre" if 2 in split else "fibre"


def _need(cluster: Cluster, market: Market, line: Line, optics: Sequence[str]) -> float | None:
    """Length of the piece: of a splitter, that of its longest branch."""
    for spot, port in ((line.a, line.a_port), (line.b, line.b_port)):
        if _split(cluster, market, spot, optics) == 2:
            ports = market.optic(optics[spot])
            count = ports.ports if ports else 1
            mine = socket_of(cluster.spots[spot], port, count)
            same = [
                other.length.value
                for other in cluster.lines_at(spot)
                if socket_of(cluster.spots[spot], other.a_port if other.a == spot else other.b_port, count)
                == mine
            ]
            return None if None in same else max(value for value in same if value is not None)
    return line.length.value


def _fibre(
    market: Market, group: OpticGroup, form: str, line: Line, need_m: float | None, optics: Sequence[str]
) -> CableType | None:
    """The pinned fibre when it is right, else the first on sale that is, and is long enough."""
    ends = [optic for spot in (line.a, line.b) if (optic := market.optic(optics[spot])) is not None]
    if line.part:
        pinned = market.cable(line.part)
        right = pinned is not None and pinned.form == form and pinned.medium == group.medium
        return pinned if right and not any(fibre_misfit(optic, pinned) for optic in ends if pinned) else None
    for fibre in market.fibres:
        if fibre.form != form or fibre.medium != group.medium:
            continue
        if fibre.rate_bps is not None and line.rate_bps is not None and fibre.rate_bps < line.rate_bps:
            continue
        if any(fibre_misfit(optic, fibre) for optic in ends):
            continue
        if need_m is None or order_length_m(fibre, need_m) is not None:
            return fibre
    return None
