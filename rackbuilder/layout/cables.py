"""Single cables, when few enough touch the window: the points of each from port to port."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from rackbuilder.design.view import View
from rackbuilder.layout.bundles import Pair, by_device
from rackbuilder.layout.portgrid import port_spots
from rackbuilder.layout.scene import Box, Pipe, Scene
from rackbuilder.layout.shapes import Place

Point = tuple[float, float]
LEAST_APART, MOST_APART = 0.3, 2.0
SPLIT_KINDS = ("drop", "lane", "riser", "link")
"""Runs whose cables are drawn one by one; trunks, bars and buses stay pipes."""


class CableLine(NamedTuple):
    """One cable from port to port; `start` and `end` are the numbers of points near its ends that leave the run."""

    cable: str
    pair: int
    points: tuple[Point, ...]
    start: int
    end: int

    def stubs(self) -> tuple[tuple[Point, ...], tuple[Point, ...]]:
        """Only the pieces between the ports and the run."""
        return self.points[: self.start + 1], self.points[len(self.points) - self.end - 1 :]


def splits(pipe: Pipe) -> bool:
    """Whether a pipe is drawn as single cables when near."""
    return pipe.kind in SPLIT_KINDS and pipe.scope == "server-leaf"


class CableLines:
    """Makes the lines of single cables of one scene on demand."""

    def __init__(self, view: View, scene: Scene) -> None:
        self._view, self._scene = view, scene
        self._spots: dict[tuple[object, float, float], dict[str, Place]] = {}
        most = max((pipe.cables for pipe in scene.pipes if splits(pipe)), default=1)
        self.apart = min(MOST_APART, max(LEAST_APART, scene.lane_room / most))
        """Drawing units between neighbouring cables of a run."""

    @cached_property
    def _ranks(self) -> Mapping[str, Mapping[int, int]]:
        """device -> pair -> its place among the pairs of the device."""
        near = by_device(self._scene.pairs)
        return {device: {n: rank for rank, n in enumerate(rows)} for device, rows in near.items()}

    @cached_property
    def _classes(self) -> Mapping[int, tuple[str, int | None]]:
        """pair -> scope and rail of the run that carries it."""
        found: dict[int, tuple[str, int | None]] = {}
        for pipe in self._scene.pipes:
            if splits(pipe):
                for n in pipe.pairs:
                    if found.get(n, ("", None))[1] is None:
                        found[n] = (pipe.scope, pipe.rail)
        return found

    def class_of(self, number: int) -> tuple[str, int | None]:
        """Scope and rail of a pair's cables, for their colour."""
        return self._classes.get(number, ("server-leaf", None))

    def of_pairs(self, numbers: Iterable[int], spread: bool = True) -> Iterator[CableLine]:
        """Every cable of some pairs; a pair whose devices are not drawn has none. Without `spread`, all of a run
        lie in its middle: what the pieces that leave a pipe need.
        """
        for n in numbers:
            pair, route = self._scene.pairs[n], self._scene.routes[n]
            if len(route) >= 2 and pair.a in self._scene.boxes and pair.b in self._scene.boxes:
                for index, cable in enumerate(pair.cables):
                    yield self._line(n, pair, route, cable, index, spread)

    def _line(
        self, n: int, pair: Pair, route: Sequence[Point], cable: str, index: int, spread: bool
    ) -> CableLine:
        record = self._view.cables[cable]
        port_a, port_b = (
            (record.a.port, record.b.port) if record.a.device == pair.a else (record.b.port, record.a.port)
        )
        at_switch, at_end = self._offsets(n, pair, index) if spread else (0.0, 0.0)
        switch_first = self._is_switch(pair.a)
        rest = [at_switch] * (len(route) - 2)
        shifts = [*rest, at_end] if switch_first else [at_end, *rest]
        if len(route) == 2:
            shifts = [at_end]
        middle = _offset(route, shifts)
        first = self._end(pair.a, port_a, middle[0], shifts[0])
        last = self._end(pair.b, port_b, middle[-1], shifts[-1])
        return CableLine(cable, n, (*first, *middle, *reversed(last)), len(first), len(last))

    def _offsets(self, n: int, pair: Pair, index: int) -> tuple[float, float]:
        """Sideways shift of a cable on the runs of its switch, and on that of its server: none lies on another."""
        switch, end = (pair.a, pair.b) if self._is_switch(pair.a) else (pair.b, pair.a)
        of_switch, of_end = self._ranks[switch][n], self._ranks[end][n]
        here = of_switch * pair.size + index
        there = (of_switch * len(self._ranks[end]) + of_end) * pair.size + index
        return self._centred(here), self._centred(there)

    def _is_switch(self, device: str) -> bool:
        return self._scene.boxes[device].look.kind in ("leaf", "spine", "core", "switch")

    def _centred(self, rank: int) -> float:
        rows = max(1, round(self._scene.lane_room / self.apart))
        return (rank % rows - (rows - 1) / 2) * self.apart

    def _end(self, device: str, port: str, entry: Point, shift: float) -> tuple[Point, ...]:
        """From the port to where the route begins: straight, or beside the boxes that stand between."""
        box = self._scene.boxes[device]
        place = box.place
        spot = self._port(box, device, port)
        x = place.x + (spot.x + spot.w / 2 if spot is not None else place.w / 2)
        if place.h < 24.0 and entry[1] < place.cy:
            side, top = place.right + 3.0 + shift * 0.3, entry[1] + 1.5 + shift * 0.2
            return ((place.right, place.cy), (side, place.cy), (side, top), (entry[0], top))
        if entry[1] >= place.cy:
            y = place.bottom
            return ((x, y), (x, y + 3.0 + shift * 0.2), (entry[0], y + 3.0 + shift * 0.2))
        y, above = place.y, place.y - 2.5 + shift * 0.2
        if place.y - entry[1] < 8.0:
            return ((x, y), (x, above), (entry[0], above))
        side = place.right + 3.0 + shift * 0.3
        top = entry[1] + 1.5 + shift * 0.2
        return ((x, y), (x, above), (side, above), (side, top), (entry[0], top))

    def _port(self, box: Box, device: str, port: str) -> Place | None:
        key = (box.look, box.place.w, box.place.h)
        known = self._spots.get(key)
        if known is None:
            spots = port_spots(box.look, box.place.w, box.place.h)
            known = self._spots[key] = {spot.name(box.look): spot.place for spot in spots}
        return known.get(port.partition(".")[0])


def _offset(route: Sequence[Point], shifts: Sequence[float]) -> list[Point]:
    """A route moved sideways, each piece by its own shift; corners stay square."""
    points: list[Point] = []
    for n, (x, y) in enumerate(route):
        dx = dy = 0.0
        for piece in {max(0, n - 1): None, min(n, len(shifts) - 1): None}:
            if _upright(route, piece):
                dx = shifts[piece]
            else:
                dy = shifts[piece]
        points.append((x + dx, y + dy))
    return points


def _upright(route: Sequence[Point], n: int) -> bool:
    return route[n][0] == route[n + 1][0]
