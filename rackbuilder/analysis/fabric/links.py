"""Links of one fabric as groups with a scope, and how many there are of each kind.

Worked out device by device and remembered by the device's adjacency: an edit redoes the devices it touched.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from rackbuilder.analysis.results import LinkGroup, Scope
from rackbuilder.design.view import View
from rackbuilder.topology.fabric import EdgeData, FabricGraph
from rackbuilder.topology.roles import LEVELS, Role, roles_of
from rackbuilder.topology.wiring import Link, carries_data
from rackbuilder.units import Grade, weakest

COUNTED = ("server-leaf", "leaf-spine", "spine-core", "other-leaf")
"""The kinds of link that every fabric counts. Links that fit none (a server on a spine) are counted as “other”."""


class Piece(NamedTuple):
    """The links from one device up, or to its equals."""

    groups: tuple[LinkGroup, ...]
    cables: Mapping[str, int]
    capacity_bps: Mapping[Scope, float]
    missing: tuple[tuple[Scope, str], ...]


class Block(NamedTuple):
    """One fabric: its groups from the servers up, the count of its links by kind, its capacity by scope."""

    groups: tuple[LinkGroup, ...]
    cables: Mapping[str, int]
    capacity_bps: Mapping[Scope, float]
    missing: tuple[tuple[Scope, str], ...]
    """Port rates that are unknown, by scope; its capacity leaves those links out."""


def block_of(fabric: FabricGraph) -> Block:
    return fabric.memo.get("block", (fabric.graph, fabric.record), lambda: _block(fabric))


def _block(fabric: FabricGraph) -> Block:
    roles = roles_of(fabric)
    scope = main_scope(fabric)
    memo, adjacency = fabric.memo, fabric.adjacency
    groups: list[LinkGroup] = []
    cables: Counter[str] = Counter()
    capacity: dict[Scope, float] = {}
    missing: dict[tuple[Scope, str], None] = {}
    for device in sorted(adjacency, key=lambda name: (_level(roles, name), name)):
        made_of = (adjacency[device], roles, scope)
        piece = memo.get(("piece", device), made_of, partial(_piece, fabric, roles, scope, device))
        groups += piece.groups
        cables.update(piece.cables)
        for name, value in piece.capacity_bps.items():
            capacity[name] = capacity.get(name, 0.0) + value
        missing.update(dict.fromkeys(piece.missing))
    return Block(tuple(groups), cables, capacity, tuple(sorted(missing)))


def main_scope(fabric: FabricGraph) -> Scope | None:
    """The scope of every link of a fabric that carries no compute traffic; None: by where the link runs."""
    for role in fabric.record.roles if not fabric.compute else ():
        if role != "compute":
            return role
    return None


def _level(roles: Mapping[str, Role], device: str) -> int:
    role = roles.get(device)
    return -1 if role is None else LEVELS.index(role)


def _piece(fabric: FabricGraph, roles: Mapping[str, Role], scope: Scope | None, device: str) -> Piece:
    groups: list[LinkGroup] = []
    cables: Counter[str] = Counter()
    capacity: dict[Scope, float] = {}
    missing: dict[tuple[Scope, str], None] = {}
    own = _level(roles, device)
    row = fabric.adjacency[device]
    for other in sorted(row):
        level = _level(roles, other)
        if (own, device) > (level, other):
            continue
        where = scope or _scope(own, level)
        for group in _groups(device, other, fabric.id, where, row[other]):
            groups.append(group)
            if group.capacity_bps is not None:
                capacity[where] = capacity.get(where, 0.0) + group.capacity_bps
        cables.update(_kind(fabric, device, other, own, level, link) for link in row[other]["links"])
        missing.update(((where, name), None) for name in unknown_rates(fabric, device, other))
    return Piece(tuple(groups), cables, capacity, tuple(missing))


def _scope(lower: int, upper: int) -> Scope:
    if lower < 0:
        return "server-leaf"
    return "leaf-spine" if lower == 0 and upper < 2 else "spine-core"


def _kind(fabric: FabricGraph, device: str, other: str, own: int, level: int, link: Link) -> str:
    if own < 0 and level == 0:
        data = carries_data(link.at(device, other))
        return "server-leaf" if data and fabric.kind(device) == "server" else "other-leaf"
    return {(0, 0): "other-leaf", (0, 1): "leaf-spine", (1, 2): "spine-core"}.get((own, level), "other")


def _groups(a: str, b: str, fabric: str, scope: Scope, data: EdgeData) -> Iterator[LinkGroup]:
    """Parallel links of one rate are one group."""
    links = data["links"]
    if len(links) == 1 and links[0].up:
        yield LinkGroup(a, b, fabric, scope, data["cables"], data["rate_bps"])
        return
    by_rate: dict[float | None, list[Link]] = {}
    for link in links:
        by_rate.setdefault(link.rate_bps, []).append(link)
    for rate, found in sorted(by_rate.items(), key=lambda row: -(row[0] or 0)):
        up = tuple(link.cable for link in found if link.up)
        failed = tuple(link.cable for link in found if not link.up)
        yield LinkGroup(a, b, fabric, scope, up, rate, failed)


def evidence(view: View, fabric: FabricGraph) -> Grade:
    """The weakest grade of the ports of any device of a fabric: what sums of its rates rest on."""
    types = fabric.memo.same("types", frozenset(data["type"] for data in fabric.nodes.values()))
    return fabric.memo.get(
        "evidence",
        (types, view.parts),
        lambda: weakest(view.parts[name].grade("cages") for name in sorted(types)),
    )


def unknown_rates(fabric: FabricGraph, a: str, b: str) -> Iterator[str]:
    """In words, the port rates that the links of two devices would need."""
    data = fabric.adjacency[a][b]
    if data["rate_bps"] is not None:
        return
    for link in data["links"]:
        for device, other in ((a, b), (b, a)):
            port = link.at(device, other)
            type_ = fabric.nodes[device]["type"]
            if link.rate_bps is None and port is None:
                yield f"a port of {device} that its cable {link.cable} names"
            elif link.rate_bps is None and port is not None and port.rate_bps is None:
                yield f"rate_bps of {port.cages.name} ports of {type_}"
