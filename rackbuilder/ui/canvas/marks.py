"""What lies on top of a drawing: rings, lit runs, ghosts, plates. Values, in drawing units."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rackbuilder.layout.shapes import Dash, Ink, Place, around

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Ring:
    """An outline outside a box; width and distance in pixels."""

    place: Place
    ink: Ink
    width: float = 2.0
    dash: Dash = ()
    away: float = 2.0
    fill: Ink = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A lit path through some points."""

    points: tuple[Point, ...]
    ink: Ink
    width: float = 2.0
    dash: Dash = ()


@dataclass(frozen=True, slots=True)
class Ghost:
    """What is being placed, where it would be."""

    place: Place
    text: str
    ink: Ink
    fill: Ink
    dash: Dash = (4.0, 3.0)
    second: str = ""


@dataclass(frozen=True, slots=True)
class Chip:
    """A count on a lit run."""

    x: float
    y: float
    text: str
    anchor: Literal["middle", "start"] = "middle"
    ink: Ink = "selection"


@dataclass(frozen=True, slots=True)
class Sign:
    """A plate beside a point: what, then lines. `stop` puts a no-entry sign before it."""

    x: float
    y: float
    title: str
    lines: tuple[str, ...] = ()
    ink: Ink = "line2"
    stop: bool = False
    centred: bool = False


@dataclass(frozen=True, slots=True)
class Badge:
    """The shape of a severity at the top right corner of a box."""

    place: Place
    severity: Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Marks:
    rings: tuple[Ring, ...] = ()
    runs: tuple[Run, ...] = ()
    ghosts: tuple[Ghost, ...] = ()
    chips: tuple[Chip, ...] = ()
    signs: tuple[Sign, ...] = ()
    badges: tuple[Badge, ...] = ()
    crosses: tuple[Point, ...] = ()
    """Something failed here."""
    band: Place | None = None

    def extent(self) -> Place | None:
        """What these marks cover, without the pixels around; None when there are none."""
        places: list[Place] = [
            *(r.place for r in self.rings),
            *(g.place for g in self.ghosts),
            *(b.place for b in self.badges),
        ]
        places += [around(Place(x, y, 0, 0) for x, y in run.points) for run in self.runs]
        places += [Place(c.x, c.y, 0, 0) for c in self.chips]
        places += [Place(s.x, s.y, 0, 0) for s in self.signs]
        places += [Place(x, y, 0, 0) for x, y in self.crosses]
        if self.band is not None:
            places.append(self.band)
        return around(places) if places else None


NONE = Marks()


def rings(
    places: Iterable[Place], ink: Ink, width: float = 2.0, dash: Dash = (), away: float = 2.0
) -> tuple[Ring, ...]:
    return tuple(Ring(place, ink, width, dash, away) for place in places)
