"""How many switches a fabric needs: pure arithmetic, proven against published tables by the tests.

Sources: k-ary fat trees (Leiserson 1985; Al-Fares et al., SIGCOMM 2008); the rule that spines divide the uplinks of a
leaf is read from the tables of RA-11333-001 (H100) and RA-11339-001 (B300), where port division alone gives fewer.
"""

from collections.abc import Iterator
from math import ceil, floor
from typing import NamedTuple

from rackbuilder.errors import refusal


def divisors(number: int) -> list[int]:
    return [d for d in range(1, number + 1) if number % d == 0]


def spine_count(leaves: int, uplinks: int, radix: int) -> int:
    """The fewest spines that have the ports and divide a leaf's uplinks evenly.

    leaves x uplinks links end on spines of `radix` ports. Port division alone is not enough: three units of the
    H100 SuperPOD need 12 spines by ports, and get 16, because 32 uplinks do not divide over 12 (RA-11333-001
    table 4). Raises ProblemError when even one spine for each uplink has too few ports: two tiers are full.
    """
    for spines in divisors(uplinks):
        if leaves * (uplinks // spines) <= radix:
            return spines
    limit = radix * (radix - uplinks)
    raise refusal(
        f"{leaves} leaves are more than the {radix} ports of a spine can join",
        "two tiers",
        f"Two tiers of {radix}-port switches end at {limit:,} server ports; a larger fabric needs a third tier.",
    )


def leaf_ports(radix: int, oversubscription: float = 1.0) -> tuple[int, int]:
    """Ports of a leaf to servers and to spines: the most servers whose down over up is at most the ratio asked for.

    64 ports: 32 and 32 at 1:1, 42 and 21 at 2:1 (one port stays free), 48 and 16 at 3:1.
    """
    choices = ((min(radix - up, floor(up * oversubscription + 1e-9)), -up) for up in range(1, radix))
    down, up = max(choices)
    return down, -up


class Shape(NamedTuple):
    """A tree of equal switches.

    A line is a set of leaves that share spines: all leaves of a plain fat tree, the leaves of one rail where a third
    tier joins the rails. In two tiers there is one line.

    leaves       of one line
    uplinks      of a leaf
    pods         of one line; the leaves of a pod share its spines
    spines       of one pod of one line
    spine_up     uplinks of a spine to cores; 0 in two tiers
    core_groups  of `cores` switches each; a group joins spines of every pod and line
    """

    lines: int
    leaves: int
    uplinks: int
    pods: int
    spines: int
    spine_up: int = 0
    core_groups: int = 0
    cores: int = 0

    @property
    def leaf_total(self) -> int:
        return self.lines * self.leaves

    @property
    def spine_total(self) -> int:
        return self.lines * self.pods * self.spines

    @property
    def core_total(self) -> int:
        return self.core_groups * self.cores

    @property
    def leaf_spine_links(self) -> int:
        return self.leaf_total * self.uplinks

    @property
    def spine_core_links(self) -> int:
        return self.spine_total * self.spine_up

    @property
    def switches(self) -> int:
        return self.leaf_total + self.spine_total + self.core_total

    @property
    def spine_down(self) -> int:
        return self.leaves // self.pods * self.uplinks // self.spines


def two_tier(leaves: int, uplinks: int, radix: int) -> Shape:
    """All leaves on all spines. Raises ProblemError when two tiers are full."""
    return Shape(1, leaves, uplinks, 1, spine_count(leaves, uplinks, radix))


def two_tier_holds(leaves: int, radix: int) -> bool:
    """Each spine has a port for each leaf."""
    return leaves <= radix


def three_tier(
    lines: int, leaves: int, uplinks: int, radix: int, taper: float = 1.0, pod: int = 0, core_radix: int = 0
) -> Shape | None:
    """The three-tier tree with the fewest switches, or None when no even one exists.

    lines x leaves leaves; `taper` is down over up of a spine; `pod` pins the leaves of a line that share spines. Of
    trees with as few switches, the smallest pod of four leaves or more wins, as 512 servers are published: 4 leaves
    and 4 spines a rail group, 16 cores a group. 16, 32 and 64 units of the SuperPOD come out as leaf = spine =
    N/32 and core = N/64 (RA-11333-001 table 3); 7 units of 20 A100 servers as 56, 80 and 28, as widely quoted.
    """
    found = [
        shape
        for pods in divisors(leaves)
        if pod in (0, leaves // pods)
        for shape in _with_pods(lines, leaves, uplinks, radix, taper, pods, core_radix or radix)
    ]
    return min(found, key=_rank, default=None)


def _rank(shape: Shape) -> tuple[int, bool, int]:
    size = shape.leaves // shape.pods
    return shape.switches, size < 4, size if size >= 4 else -size


def _with_pods(
    lines: int, leaves: int, uplinks: int, radix: int, taper: float, pods: int, core_radix: int
) -> Iterator[Shape]:
    size = leaves // pods
    for spines in divisors(uplinks):
        down = size * uplinks // spines
        up = ceil(down / taper - 1e-9)
        if down + up > radix:
            continue
        best = _core(lines * pods, spines, up, core_radix)
        if best:
            yield Shape(lines, leaves, uplinks, pods, spines, up, *best)
        return


def _core(sets: int, spines: int, up: int, radix: int) -> tuple[int, int] | None:
    """Groups of cores and cores of a group; each core has links to every set of spines, and to equal shares of it."""
    shares = [
        (share * links, links, share)
        for share in divisors(spines)
        for links in divisors(up)
        if sets * share * links <= radix
    ]
    if not shares:
        return None
    _, links, share = max(shares)
    return spines // share, up // links


def fat_tree(endpoints: int, radix: int, tiers: int = 0, oversubscription: float = 1.0) -> Shape:
    """The tree for a number of server ports; tiers 2, 3, or 0 for as many as are needed.

    Raises ProblemError when the endpoints do not fit.
    """
    down, up = leaf_ports(radix, oversubscription)
    leaves = ceil(endpoints / down)
    if tiers == 2 or (tiers == 0 and two_tier_holds(leaves, radix)):
        return two_tier(leaves, up, radix)
    return grown_three_tier(leaves, up, radix, down)


def grown_three_tier(leaves: int, uplinks: int, radix: int, down: int, lines: int = 1) -> Shape:
    """Three tiers of at least so many leaves a line: a few more where the number asked for has no even tree."""
    for count in range(leaves, leaves + radix):
        shape = three_tier(lines, count, uplinks, radix)
        if shape:
            return shape
    limit = three_tier_hosts(radix, down)
    raise refusal(
        f"{lines * leaves:,} leaves are more than three tiers of {radix}-port switches join",
        "three tiers",
        f"Three tiers end at {limit:,} server ports; use a switch with more ports, or several planes.",
    )


def three_tier_hosts(radix: int, down: int) -> int:
    """k^3/4 at 1:1: k^2/2 leaves of k/2 ports each."""
    return radix * radix // 2 * down
