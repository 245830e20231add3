"""Levels of detail: what is shown follows from how large things are on the screen."""

from enum import IntEnum


class Level(IntEnum):
    """How much of a drawing is shown, the least first."""

    HALL = 0
    ROW = 1
    RACK = 2
    DEVICE = 3
    PORT = 4


THRESHOLDS = ((0.12, Level.HALL), (0.30, Level.ROW), (0.75, Level.RACK), (2.0, Level.DEVICE))
"""Below which zoom (screen pixels a drawing unit, on the default grid) each level is shown."""

Levels = tuple[Level, Level]
"""First and last level at which something is shown."""

ALWAYS: Levels = (Level.HALL, Level.PORT)


def level_at(zoom: float) -> Level:
    """The level at a zoom, where 1.0 is one screen pixel a drawing unit."""
    for limit, level in THRESHOLDS:
        if zoom < limit:
            return level
    return Level.PORT


def shown(levels: Levels, level: Level) -> bool:
    return levels[0] <= level <= levels[1]
