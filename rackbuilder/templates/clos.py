"""Trees of switches: spines and cores above leaves, as a Shape counts them, and the cables between.

Cabling is by formula, never by search: the same leaves give the same ports, in whatever order they are asked for.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import NamedTuple

from rackbuilder.templates.counts import Shape
from rackbuilder.templates.kit import Kit, Node
from rackbuilder.templates.media import UNCHOSEN, Media

MakeSwitch = Callable[[str, str, tuple[str, ...]], Node]
"""(role, mark, groups) -> a switch without a place."""


class Join(NamedTuple):
    """Lower switches that each spread `ups` links evenly over the upper ones."""

    lower: Sequence[Node]
    upper: Sequence[Node]
    ups: int
    down: int
    """Ports of a lower switch that look down: its uplinks begin after them."""
    taken: int = 0
    """Ports of an upper switch that others use before."""


class Tree(NamedTuple):
    spines: list[Node]
    cores: list[Node]
    joins: list[Join]


def first_up(down: int, ups: int, radix: int) -> int:
    """The first uplink port: the upper half of the switch, else the first whole cage after the ports that look down."""
    start = max(radix // 2, down + down % 2)
    return start if start + ups <= radix else radix - ups


def raise_tree(
    lines: Sequence[Sequence[Node]],
    shape: Shape,
    down: int,
    make: MakeSwitch,
    mark: str = "",
    groups: tuple[str, ...] = (),
    pods: Sequence[str] = (),
) -> Tree:
    """Spines and cores above leaves given line by line, each line in unit order.

    `mark` begins the keys of what is made, `groups` are its groups, `pods` the group of each pod of a line.
    """
    if not shape.core_total:
        leaves = [leaf for unit in zip(*lines, strict=True) for leaf in unit]
        spines = [make("spine", f"{mark}spine{n + 1}", groups) for n in range(shape.spines)]
        return Tree(spines, [], [Join(leaves, spines, shape.uplinks, down)])
    sets = list(_pod_spines(lines, shape, make, mark, groups, pods))
    joins = [Join(leaves, spines, shape.uplinks, down) for leaves, spines in sets]
    cores = list(_cores(shape, make, mark, groups))
    share = shape.spines // shape.core_groups
    for group, of_group in enumerate(cores):
        lower = [spine for _, spines in sets for spine in spines[group * share : (group + 1) * share]]
        joins.append(Join(lower, of_group, shape.spine_up, shape.spine_down))
    return Tree([s for _, spines in sets for s in spines], [c for group in cores for c in group], joins)


def _pod_spines(
    lines: Sequence[Sequence[Node]],
    shape: Shape,
    make: MakeSwitch,
    mark: str,
    groups: tuple[str, ...],
    pods: Sequence[str],
) -> Iterator[tuple[Sequence[Node], list[Node]]]:
    """The leaves and the spines of each pod of each line, pod by pod."""
    size = shape.leaves // shape.pods
    for pod in range(shape.pods):
        within = (*groups, pods[pod]) if pods else groups
        for line, leaves in enumerate(lines):
            rail = f"rail{line + 1}." if shape.lines > 1 else ""
            name = f"{mark}pod{pod + 1}.{rail}spine"
            spines = [make("spine", f"{name}{n + 1}", within) for n in range(shape.spines)]
            yield leaves[pod * size : (pod + 1) * size], spines


def _cores(shape: Shape, make: MakeSwitch, mark: str, groups: tuple[str, ...]) -> Iterator[list[Node]]:
    for group in range(shape.core_groups):
        yield [make("core", f"{mark}core{group + 1}.{n + 1}", groups) for n in range(shape.cores)]


def cable_up(kit: Kit, join: Join, media: Media = UNCHOSEN) -> None:
    """As many links of each lower switch to each upper one, side by side, in order.

    Where the uplinks do not divide, they go round the upper switches, so that each of those still has as many.
    """
    ups, uppers = join.ups, len(join.upper)
    even = ups // uppers if ups % uppers == 0 else 0
    for number, low in enumerate(join.lower):
        start = first_up(join.down, ups, len(low.ports))
        for up in range(ups):
            if even:
                upper, port = up // even, join.taken + number * even + up % even
            else:
                port, upper = divmod(number * ups + up, uppers)
                port += join.taken
            high = join.upper[upper]
            kit.link(low, low.ports[start + up], high, high.ports[port], f"{low.key}.up{up + 1:02d}", media)


def cable_down(
    kit: Kit,
    leaf: Node,
    ends: Sequence[tuple[Node, int, str]],
    media: Media = UNCHOSEN,
    first: int = 0,
) -> None:
    """Server ports, each as (server, index of its port, key of the link), on the leaf's ports in order."""
    for place, (server, index, mark) in zip(count(first), ends):
        kit.link(server, server.ports[index], leaf, leaf.ports[place], mark, media)
