"""Levels of detail follow the zoom figures of the design."""

import pytest

from rackbuilder.layout.lod import Level, level_at, shown


@pytest.mark.parametrize(
    ("zoom", "level"),
    [
        (0.01, Level.HALL),
        (0.119, Level.HALL),
        (0.12, Level.ROW),
        (0.299, Level.ROW),
        (0.30, Level.RACK),
        (0.62, Level.RACK),
        (0.75, Level.DEVICE),
        (1.99, Level.DEVICE),
        (2.0, Level.PORT),
        (16.0, Level.PORT),
    ],
)
def test_the_level_at_each_edge(zoom: float, level: Level) -> None:
    assert level_at(zoom) is level


def test_what_is_shown_has_a_first_and_a_last_level() -> None:
    middle = (Level.ROW, Level.RACK)
    assert [shown(middle, level) for level in Level] == [False, True, True, False, False]
