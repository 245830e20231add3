"""Paths, hops and reachability in one fabric. Only switches forward.

A server is never inside a path, and stands once for each of its ports: two ports of one server reach each other
through switches or not at all. A relay over NVLink is another question, asked elsewhere. Failed links carry nothing.
"""

from collections.abc import Iterable, Mapping
from functools import partial

from rackbuilder.design import refs
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.wiring import Link

Switches = Mapping[str, Mapping[str, float | None]]
"""switch -> neighbouring switch -> capacity of the links that are up, bit/s per direction; None: unknown."""


def switches_of(fabric: FabricGraph) -> Switches:
    """The part of a fabric that forwards, in alphabetical order; the same object as long as nothing of it changes."""
    memo = fabric.memo
    return memo.get("switches", (fabric.graph,), lambda: memo.same("switches as last", _switches(fabric)))


def _switches(fabric: FabricGraph) -> Switches:
    memo, adjacency = fabric.memo, fabric.adjacency
    found = {}
    for name in fabric.of_kind("switch"):
        row = memo.get(("switches", name), (adjacency[name],), partial(_near, fabric, name))
        # An edit below a leaf leaves what is above it equal: then it is the same object, too.
        found[name] = memo.same(("switches as last", name), row)
    return found


def _near(fabric: FabricGraph, name: str) -> dict[str, float | None]:
    found = {}
    for other, data in fabric.adjacency[name].items():
        if data["capacity_bps"] != 0 and fabric.nodes[other]["kind"] == "switch":
            found[other] = data["capacity_bps"]
    return found


def attached(fabric: FabricGraph, end: str) -> dict[str, tuple[Link, ...]]:
    """The switches that an end device is joined to by links that are up, in alphabetical order."""
    found = {}
    for other in sorted(fabric.adjacency.get(end, ())):
        links = tuple(link for link in fabric.adjacency[end][other]["links"] if link.up)
        if links and fabric.nodes[other]["kind"] == "switch":
            found[other] = links
    return found


def _starts(fabric: FabricGraph, ref: str) -> tuple[str, ...]:
    """The switches from which a path of a device, or of one port of it, begins."""
    place = refs.parse(ref)
    if place.record in fabric.nodes and fabric.kind(place.record) == "switch" and not place.port:
        return (place.record,)
    found = []
    for switch, links in attached(fabric, place.record).items():
        ports = [link.at(place.record, switch) for link in links]
        if not place.port or any(port is not None and place.port in (port.name, port.cage) for port in ports):
            found.append(switch)
    return tuple(found)


def path(fabric: FabricGraph, a: str, b: str) -> tuple[str, ...] | None:
    """A shortest path between two devices or ports (“srv-0001:osfp1/2”), both named; None when there is none.

    Of several, the first in alphabetical order from `a`.
    """
    came: dict[str, str] = dict.fromkeys(_starts(fabric, a), "")
    goals = _starts(fabric, b)
    switches = switches_of(fabric)
    frontier = list(came)
    while frontier and not any(goal in came for goal in goals):
        following: list[str] = []
        for name in frontier:
            for other in sorted(switches[name]):
                if other not in came:
                    came[other] = name
                    following.append(other)
        frontier = following
    # A goal found earlier in the same step stands nearer in the order of discovery.
    last = next((name for name in came if name in goals), None)
    return None if last is None else _walk(came, last, a, b)


def _walk(came: Mapping[str, str], last: str, a: str, b: str) -> tuple[str, ...]:
    steps, name = [], last
    while name:
        steps.append(name)
        name = came[name]
    ends = [refs.parse(ref).record for ref in (a, b)]
    inner = steps[::-1]
    head = [] if inner[0] == ends[0] else [ends[0]]
    tail = [] if inner[-1] == ends[1] else [ends[1]]
    return (*head, *inner, *tail)


def hops(fabric: FabricGraph, a: str, b: str) -> int | None:
    """Switches on a shortest path between two ends or ports; None when there is none."""
    found = path(fabric, a, b)
    if found is None:
        return None
    return sum(1 for name in found if fabric.kind(name) == "switch")


def components(switches: Switches) -> tuple[tuple[str, ...], ...]:
    """Switches that reach each other, each group in alphabetical order, by its first."""
    waiting = dict.fromkeys(sorted(switches))
    groups = []
    while waiting:
        first = next(iter(waiting))
        del waiting[first]
        group, frontier = [first], [first]
        while frontier:
            for other in switches[frontier.pop()]:
                if other in waiting:
                    del waiting[other]
                    group.append(other)
                    frontier.append(other)
        groups.append(tuple(sorted(group)))
    return tuple(groups)


def islands(fabric: FabricGraph) -> tuple[tuple[str, ...], ...]:
    """The end devices that reach each other, an island for each group of switches that has any.

    Islands are told by ports: a server with ports in two of them is in both. In a rail-only pod of eight rails all
    its servers are in each of eight islands.
    """
    return fabric.memo.get("islands", (fabric.graph,), lambda: _islands(fabric))


def _islands(fabric: FabricGraph) -> tuple[tuple[str, ...], ...]:
    found = (_ends_on(fabric, group) for group in components(switches_of(fabric)))
    return tuple(sorted((ends for ends in found if ends), key=lambda ends: [natural_key(x) for x in ends]))


def _ends_on(fabric: FabricGraph, switches: Iterable[str]) -> tuple[str, ...]:
    memo, adjacency = fabric.memo, fabric.adjacency
    ends: dict[str, None] = {}
    for switch in switches:
        ends.update(memo.get(("ends", switch), (adjacency[switch],), partial(_ends, fabric, switch)))
    return tuple(sorted(ends, key=natural_key))


def _ends(fabric: FabricGraph, switch: str) -> dict[str, None]:
    return {
        other: None
        for other, data in fabric.adjacency[switch].items()
        if fabric.nodes[other]["kind"] != "switch" and any(link.up for link in data["links"])
    }


def reachable(fabric: FabricGraph, ref: str) -> tuple[str, ...]:
    """The end devices that a device or port reaches, without the device itself, in natural order."""
    starts = _starts(fabric, ref)
    groups = [g for g in components(switches_of(fabric)) if any(s in g for s in starts)]
    own = refs.parse(ref).record
    return tuple(name for name in _ends_on(fabric, [s for g in groups for s in g]) if name != own)


def unattached(fabrics: Iterable[FabricGraph], servers: Iterable[str]) -> tuple[str, ...]:
    """The servers that no link of these fabrics joins to a switch, in natural order."""
    graphs = tuple(fabrics)
    return tuple(sorted((s for s in servers if not any(_joined(g, s) for g in graphs)), key=natural_key))


def _joined(fabric: FabricGraph, end: str) -> bool:
    row = fabric.adjacency.get(end, {})
    return any(data["capacity_bps"] != 0 and fabric.kind(other) == "switch" for other, data in row.items())
