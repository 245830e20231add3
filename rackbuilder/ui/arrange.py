"""Which panels fit a window of a given size, as plain numbers: what goes first, what shrinks last."""

from dataclasses import dataclass
from typing import Literal

MIN_WIDTH, MIN_HEIGHT = 1024, 640


@dataclass(frozen=True)
class Arrangement:
    """The panels of one window size, logical pixels.

    left    0: a rail of icons whose panels fly out over the canvas
    right   width of the live panel; `beside` that of properties beside it, 0: below it, or a tab when `tabs`
    bottom  0: one line with counts and the worst problem
    """

    name: Literal["small", "normal", "large", "huge"]
    left: int
    right: int
    beside: int
    bottom: int
    tabs: bool
    split: bool
    minimap: bool


SMALL = Arrangement("small", 0, 316, 0, 0, tabs=True, split=False, minimap=False)
NORMAL = Arrangement("normal", 252, 376, 0, 200, tabs=False, split=False, minimap=True)
LARGE = Arrangement("large", 280, 400, 320, 240, tabs=False, split=False, minimap=True)
HUGE = Arrangement("huge", 320, 420, 360, 320, tabs=False, split=True, minimap=True)


def arrangement(width: int, height: int) -> Arrangement:
    """The arrangement for a window of this logical size; the canvas keeps at least 640 px of width."""
    if width >= 3200 and height >= 1400:
        return HUGE
    if width >= 2300 and height >= 1000:
        return LARGE
    if width >= 1600 and height >= 860:
        return NORMAL
    return SMALL
