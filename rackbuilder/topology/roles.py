"""What each switch is, told from the graph: leaf, spine or core; the rail and the plane of a leaf."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Literal

from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.wiring import Link, gpus_behind

Role = Literal["leaf", "spine", "core"]
LEVELS: tuple[Role, ...] = ("leaf", "spine", "core")


def roles_of(fabric: FabricGraph) -> Mapping[str, Role]:
    """Leaf, spine or core of every switch that forwards in a fabric, in alphabetical order.

    A pinned role wins. Else a switch with any end device on it is a leaf, one joined to leaves only is a spine, and
    what lies above is core. Switches that no leaf is joined to are leaves: the first ones placed. The same object is
    given as long as no role changes.
    """
    memo = fabric.memo
    return memo.get("roles", (fabric.graph,), lambda: memo.same("roles as last", _roles(fabric)))


def _roles(fabric: FabricGraph) -> dict[str, Role]:
    switches = dict.fromkeys(fabric.of_kind("switch"))
    adjacency, nodes = fabric.adjacency, fabric.nodes
    level: dict[str, int] = {}
    for name in switches:
        pinned = nodes[name].get("role")
        if pinned in ("leaf", "spine", "core"):
            level[name] = LEVELS.index(pinned)
        elif any(other not in switches for other in adjacency[name]):
            level[name] = 0
    frontier = 0
    while frontier <= max(level.values(), default=-1):
        for name in [n for n, found in level.items() if found == frontier]:
            for other in adjacency[name]:
                if other in switches:
                    level.setdefault(other, frontier + 1)
        frontier += 1
    return {name: LEVELS[min(2, level.get(name, 0))] for name in switches}


def _server_links(fabric: FabricGraph, leaf: str) -> Iterator[tuple[str, Link]]:
    for other, data in fabric.adjacency[leaf].items():
        if fabric.nodes[other]["kind"] == "server":
            for link in data["links"]:
                yield other, link


def rails_of(fabric: FabricGraph) -> Mapping[str, int]:
    """The rail of each leaf that has one: pinned, or the NIC index that most of its server links share."""
    return fabric.memo.get("rails", (fabric.graph,), lambda: _rails(fabric))


def _rails(fabric: FabricGraph) -> dict[str, int]:
    found: dict[str, int] = {}
    for leaf, role in roles_of(fabric).items():
        pinned = fabric.nodes[leaf].get("rail")
        if pinned is not None:
            found[leaf] = pinned
        elif role == "leaf":
            ports = ((link.at(server, leaf), server) for server, link in _server_links(fabric, leaf))
            count = Counter(gpus.start // len(gpus) for port, _ in ports if (gpus := gpus_behind(port)))
            rail = _most(count)
            if rail is not None:
                found[leaf] = rail
    return found


def _most(count: Counter[int]) -> int | None:
    """The value that more than half of the rows have."""
    value = max(count, key=lambda key: (count[key], -key), default=None)
    return value if value is not None and 2 * count[value] > count.total() else None


def planes_of(fabric: FabricGraph) -> Mapping[str, int]:
    """The plane of each leaf where GPUs have several ports into one fabric, one to each plane; else nothing."""
    return fabric.memo.get("planes", (fabric.graph,), lambda: _planes(fabric))


def _planes(fabric: FabricGraph) -> dict[str, int]:
    roles = roles_of(fabric)
    count: dict[str, Counter[int]] = {leaf: Counter() for leaf, role in roles.items() if role == "leaf"}
    for server in fabric.of_kind("server"):
        for leaf, order in _ordered(fabric, server):
            if leaf in count:
                count[leaf][order] += 1
    found = {leaf: plane for leaf, rows in count.items() if (plane := _most(rows)) is not None}
    return found if any(found.values()) else {}


def _ordered(fabric: FabricGraph, server: str) -> Iterator[tuple[str, int]]:
    """Each link of a server: the leaf, and its place among the ports of the same GPU."""
    by_gpu: dict[int, list[tuple[str, str]]] = {}
    for leaf, data in fabric.adjacency[server].items():
        for link in data["links"]:
            port = link.at(server, leaf)
            gpus = gpus_behind(port)
            if port is not None and gpus:
                by_gpu.setdefault(gpus.start, []).append((port.name, leaf))
    for rows in by_gpu.values():
        yield from ((leaf, order) for order, (_, leaf) in enumerate(sorted(rows)))
