"""Trees with the exact number of routes over each link when every host sends to every other."""

from __future__ import annotations

from typing import NamedTuple

from tests.outside import designs


class Case(NamedTuple):
    """A tree, what it holds, and how many directed links between switches carry how many routes.

    A route is an ordered pair of hosts on different leaves. By symmetry every link up of a leaf has
    (its hosts) x (hosts elsewhere) / (its links up), and as many come down.
    """

    site: designs.Site
    hosts: int
    switches: int
    spread: dict[int, int]


CASES = {
    # 4 x 12 / 4
    "16": lambda: Case(designs.two_tiers([4] * 4, 2, 2), 16, 6, {12: 32}),
    # 32 x 32 / 32
    "64": lambda: Case(designs.two_tiers([32] * 2, 1, 32), 64, 3, {32: 128}),
    # 32 x 480 / 32
    "512": lambda: Case(designs.two_tiers([32] * 16, 8, 4), 512, 24, {480: 1024}),
    # 32 x 2016 / 32
    "2048": lambda: Case(designs.two_tiers([32] * 64, 32, 1), 2048, 96, {2016: 4096}),
    # half as many links up: 32 x 224 / 16
    "256, 2:1": lambda: Case(designs.two_tiers([32] * 8, 4, 4), 256, 12, {448: 256}),
    # leaf to spine 32 x 480 / 32; above it 256 x 256 / 256 between two pods of 8 leaves
    "512, three tiers": lambda: Case(
        designs.three_tiers(2, 8, 32, 8, 4, 1, 32), 512, 40, {480: 1024, 256: 1024}
    ),
    # leaf to spine 32 x 992 / 16; above it 512 x 512 / 512 between two pods of 16 leaves
    "1024, three tiers, 2:1": lambda: Case(
        designs.three_tiers(2, 16, 32, 16, 1, 2, 16), 1024, 96, {1984: 1024, 512: 2048}
    ),
}
