"""How many switches a fat tree needs: pure arithmetic, proven against published tables by the tests."""

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
