"""A drawing of one view: boxes, frames, pipes and plates in drawing units, and what they stand for.

One unit is one screen pixel at 100 %. A scene is a value: the same design gives an equal one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rackbuilder.layout.bundles import Pair
from rackbuilder.layout.lod import ALWAYS, Level, Levels
from rackbuilder.layout.looks import Look
from rackbuilder.layout.shapes import Ink, Place

ViewName = Literal["fabric", "racks", "floor", "server"]
PipeKind = Literal["drop", "lane", "riser", "uplink", "bar", "trunk", "bus", "run", "link"]
FrameKind = Literal[
    "unit",
    "column",
    "vacant",
    "block",
    "coarse",
    "rack",
    "bay",
    "shelf",
    "space",
    "row",
    "inner",
    "domain",
    "cage",
    "peer",
]


@dataclass(frozen=True, slots=True)
class Box:
    """A device (or an inner part) that can be selected; `texts` go to the slots of its glyph by name."""

    ref: str
    place: Place
    look: Look
    texts: Mapping[str, str] = field(default_factory=dict)
    levels: Levels = (Level.RACK, Level.PORT)
    pinned: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """Something behind or around devices: a unit, a rack, a block of things not shown one by one."""

    kind: FrameKind
    place: Place
    ref: str = ""
    title: str = ""
    lines: tuple[str, ...] = ()
    ink: Ink = ""
    levels: Levels = ALWAYS
    members: tuple[str, ...] = ()
    layer: str = ""
    number: float = 0.0
    """A count that the picture needs: rack units of a rack, filled servers of a column, racks of a unit."""
    banded: bool = False
    """A unit from afar that has leaves: their band is drawn along its top."""


@dataclass(frozen=True, slots=True)
class Pipe:
    """One straight run that carries cables. `pairs` are indexes into the scene's pairs."""

    kind: PipeKind
    x1: float
    y1: float
    x2: float
    y2: float
    pairs: tuple[int, ...]
    cables: int
    scope: str
    layer: str = ""
    rail: int | None = None
    levels: Levels = ALWAYS

    @property
    def place(self) -> Place:
        x, y = min(self.x1, self.x2), min(self.y1, self.y2)
        return Place(x, y, abs(self.x2 - self.x1), abs(self.y2 - self.y1))


@dataclass(frozen=True, slots=True)
class Plate:
    """Text on a small plate in the middle of a run, or right of a riser."""

    x: float
    y: float
    text: str
    anchor: Literal["middle", "start"] = "middle"
    layer: str = ""
    levels: Levels = ALWAYS
    room: float = 0.0
    short: str = ""
    """What to write when the text is wider than `room` drawing units."""
    run: float = 0.0
    """Length of the run it stands on, where it must not be longer than the run: an upright one."""


@dataclass(frozen=True, slots=True)
class Mark:
    """A square where runs join, coloured like the cables that turn there."""

    x: float
    y: float
    pairs: tuple[int, ...]
    scope: str
    layer: str = ""
    rail: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    view: ViewName
    bounds: Place
    frames: tuple[Frame, ...] = ()
    boxes: Mapping[str, Box] = field(default_factory=dict)
    pipes: tuple[Pipe, ...] = ()
    plates: tuple[Plate, ...] = ()
    marks: tuple[Mark, ...] = ()
    pairs: tuple[Pair, ...] = ()
    routes: tuple[tuple[tuple[float, float], ...], ...] = ()
    """For each pair the points its cables run through."""
    planned: frozenset[int] = frozenset()
    """Pairs whose cables are all still to be laid, in a design that also holds laid ones: dashed."""
    lane_room: float = 9.6
    """Drawing units across which the cables of one run may spread and still keep off the next lane."""
