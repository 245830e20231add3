"""Collects the runs of a drawing: equal ones become one pipe that knows all its pairs."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rackbuilder.layout.bundles import Pair
from rackbuilder.layout.lod import ALWAYS, Level, Levels
from rackbuilder.layout.scene import Mark, Pipe, PipeKind

Point = tuple[float, float]
FINE: Levels = (Level.RACK, Level.PORT)


@dataclass(frozen=True, slots=True)
class Class:
    """What the cables of a run have in common: the scope and layer that colour it, and their rail if one."""

    scope: str
    layer: str
    rail: int | None = None


Key = tuple[PipeKind, float, float, float, float, Class, Levels]


class Pipes:
    def __init__(self, pairs: Sequence[Pair]) -> None:
        self._pairs = pairs
        self._found: dict[Key, dict[int, None]] = {}
        self._marks: dict[tuple[float, float, Class], dict[int, None]] = {}
        self._routes: dict[int, tuple[Point, ...]] = {}

    def add(
        self, kind: PipeKind, a: Point, b: Point, members: Iterable[int], what: Class, levels: Levels = ALWAYS
    ) -> None:
        """A run between two points on one horizontal or vertical; one without length or cables is left out."""
        rows = dict.fromkeys(members)
        if rows and a != b:
            first, second = (a, b) if a <= b else (b, a)
            self._found.setdefault((kind, *first, *second, what, levels), {}).update(rows)

    def chain(
        self, kind: PipeKind, points: Sequence[Point], member: int, what: Class, levels: Levels = FINE
    ) -> None:
        """The runs of one pair through some points, which also become its route."""
        for a, b in pairwise(points):
            self.add(kind, a, b, (member,), what, levels)
        self.route(member, points)

    def mark(self, x: float, y: float, members: Iterable[int], what: Class) -> None:
        self._marks.setdefault((x, y, what), {}).update(dict.fromkeys(members))

    def route(self, member: int, points: Iterable[Point]) -> None:
        """The points of a pair from its end `a` to its end `b`; repeated points are dropped."""
        clean: list[Point] = []
        for point in points:
            if not clean or clean[-1] != point:
                clean.append(point)
        self._routes[member] = tuple(clean)

    def pipes(self) -> tuple[Pipe, ...]:
        return tuple(self._pipe(key, tuple(rows)) for key, rows in self._found.items())

    def _pipe(self, key: Key, rows: tuple[int, ...]) -> Pipe:
        kind, x1, y1, x2, y2, what, levels = key
        count = sum(len(self._pairs[n].cables) for n in rows)
        return Pipe(kind, x1, y1, x2, y2, rows, count, what.scope, what.layer, what.rail, levels)

    def marks(self) -> tuple[Mark, ...]:
        return tuple(
            Mark(x, y, tuple(rows), what.scope, what.layer, what.rail)
            for (x, y, what), rows in self._marks.items()
        )

    def routes(self, empty: Mapping[int, tuple[Point, ...]] | None = None) -> tuple[tuple[Point, ...], ...]:
        return tuple(self._routes.get(n, ()) for n in range(len(self._pairs)))
