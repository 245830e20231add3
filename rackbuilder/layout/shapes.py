"""What a drawing is made of: rectangles, lines and text in pixels, coloured by the name of an ink.

The window and the exports draw the same shapes, so they cannot differ. An ink is a name such as “device” or
“leaf-spine”; its colour belongs to the theme, or to layout.colours on paper.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

Ink = str
Dash = tuple[float, ...]
Anchor = Literal["start", "middle", "end"]


class Place(NamedTuple):
    """A rectangle: left, top, width, height; y grows downwards."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    @property
    def cx(self) -> float:
        return self.x + self.w / 2

    @property
    def cy(self) -> float:
        return self.y + self.h / 2

    def meets(self, other: "Place") -> bool:
        """Share more than an edge."""
        return (
            self.x < other.right and other.x < self.right and self.y < other.bottom and other.y < self.bottom
        )

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x <= self.right and self.y <= y <= self.bottom

    def grown(self, by: float) -> "Place":
        """Larger by `by` on each side; smaller for a negative value, never below nothing."""
        by_x, by_y = max(by, -self.w / 2), max(by, -self.h / 2)
        return Place(self.x - by_x, self.y - by_y, self.w + 2 * by_x, self.h + 2 * by_y)

    def moved(self, dx: float, dy: float) -> "Place":
        return Place(self.x + dx, self.y + dy, self.w, self.h)


def around(places: Iterable[Place]) -> Place:
    """The smallest rectangle around some; a point at the origin for none."""
    rows = list(places)
    if not rows:
        return Place(0.0, 0.0, 0.0, 0.0)
    x, y = min(p.x for p in rows), min(p.y for p in rows)
    return Place(x, y, max(p.right for p in rows) - x, max(p.bottom for p in rows) - y)


class Rect(NamedTuple):
    place: Place
    fill: Ink = ""
    edge: Ink = ""
    radius: float = 0.0
    width: float = 1.0
    dash: Dash = ()
    hatch: Ink = ""


class Line(NamedTuple):
    x1: float
    y1: float
    x2: float
    y2: float
    ink: Ink
    width: float = 1.0
    dash: Dash = ()


class Path(NamedTuple):
    """Straight runs through some points."""

    points: tuple[tuple[float, float], ...]
    ink: Ink = ""
    width: float = 1.0
    fill: Ink = ""
    closed: bool = False


class Text(NamedTuple):
    """One line of text; y is the middle of the line. Dropped when it does not fit `room` (0: no limit)."""

    x: float
    y: float
    text: str
    ink: Ink = "text"
    size: float = 11.0
    bold: bool = False
    anchor: Anchor = "start"
    room: float = 0.0
    elide: bool = False
    italic: bool = False
    shorter: tuple[str, ...] = ()
    """What may stand instead when the text does not fit, longest first."""


Shape = Rect | Line | Path | Text


def shifted(shape: Shape, dx: float, dy: float) -> Shape:
    """The same shape elsewhere."""
    if isinstance(shape, Rect):
        return shape._replace(place=shape.place.moved(dx, dy))
    if isinstance(shape, Line):
        return shape._replace(x1=shape.x1 + dx, y1=shape.y1 + dy, x2=shape.x2 + dx, y2=shape.y2 + dy)
    if isinstance(shape, Path):
        return shape._replace(points=tuple((x + dx, y + dy) for x, y in shape.points))
    return shape._replace(x=shape.x + dx, y=shape.y + dy)
