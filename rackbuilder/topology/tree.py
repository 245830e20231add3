"""A fabric read as a tree, whatever was drawn: which switches are leaves, which stand above them, tier by tier.

Roles (topology.roles) call every switch with an end device a leaf. Here a spine with a host on it stays a spine.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.paths import switches_of


class Tree(NamedTuple):
    """Switches of one fabric.

    tier      0 for leaves, one more for each step up; switches that no leaf reaches have none
    ends      links that are up to end devices, by switch, where there is any
    above     switches that have end devices and stand over leaves, in alphabetical order
    """

    tier: Mapping[str, int]
    ends: Mapping[str, int]
    above: tuple[str, ...]

    @property
    def height(self) -> int:
        """The number of tiers."""
        return max(self.tier.values(), default=-1) + 1

    def of_tier(self, tier: int) -> tuple[str, ...]:
        return tuple(name for name, found in self.tier.items() if found == tier)


def tree_of(fabric: FabricGraph) -> Tree:
    return fabric.memo.get("tree", (fabric.graph,), lambda: _tree(fabric))


def links_up(fabric: FabricGraph, a: str, b: str) -> int:
    """Links between two devices that are up."""
    data = fabric.edge(a, b)
    return sum(link.up for link in data["links"]) if data else 0


def _tree(fabric: FabricGraph) -> Tree:
    memo, switches = fabric.memo, switches_of(fabric)
    ends, servers = {}, set[str]()
    for name in switches:
        made_of = (fabric.adjacency[name],)
        count, server = memo.get(("tree ends", name), made_of, partial(_ends, fabric, name))
        if count:
            ends[name] = count
        if server:
            servers.add(name)
    above = tuple(name for name in ends if _above(fabric, name, ends, servers))
    leaves = dict.fromkeys([name for name in ends if name not in above])
    # A leaf is one before anything hangs on it: said so, or joined to the same switches as a leaf with hosts.
    joined = {frozenset(switches[name]) for name in leaves if switches[name]}
    for name in switches:
        role = fabric.nodes[name].get("role")
        if role == "leaf" or (role is None and name not in ends and frozenset(switches[name]) in joined):
            leaves[name] = None
    tier = memo.same("tiers as last", _tiers(switches, sorted(leaves)))
    return Tree(tier, ends, above)


def _ends(fabric: FabricGraph, switch: str) -> tuple[int, bool]:
    """Links that are up to end devices, and whether one of these is a server."""
    others = [other for other in fabric.adjacency[switch] if fabric.kind(other) != "switch"]
    joined = {other: links_up(fabric, switch, other) for other in others}
    return sum(joined.values()), any(count and fabric.kind(o) == "server" for o, count in joined.items())


def _above(fabric: FabricGraph, name: str, ends: Mapping[str, int], servers: set[str]) -> bool:
    """Has hosts and yet stands over leaves: said so by its role; or joins leaves of servers and has none itself; or
    joins several switches with hosts and has less than half as many as they.
    """
    role = fabric.nodes[name].get("role")
    if role in ("leaf", "spine", "core"):
        return role != "leaf"
    near = [other for other in switches_of(fabric)[name] if other in ends]
    if name not in servers and sum(other in servers for other in near) > 1:
        return True
    return len(near) > 1 and 2 * ends[name] * len(near) < sum(ends[other] for other in near)


def _tiers(switches: Mapping[str, Mapping[str, object]], leaves: list[str]) -> dict[str, int]:
    tier = dict.fromkeys(leaves, 0)
    frontier = leaves
    while frontier:
        following: dict[str, None] = {}
        for name in frontier:
            for other in switches[name]:
                if other not in tier:
                    following[other] = None
        tier.update(dict.fromkeys(following, tier[frontier[0]] + 1))
        frontier = list(following)
    return {name: tier[name] for name in switches if name in tier}


def flat_links(fabric: FabricGraph, tree: Tree) -> Iterator[tuple[str, str]]:
    """Pairs of leaves that links join directly, though leaves have a tier above."""
    for a in tree.of_tier(0):
        for b in switches_of(fabric)[a]:
            if a < b and tree.tier.get(b) == 0:
                yield a, b
