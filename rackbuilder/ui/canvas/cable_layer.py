"""One item for all cables: pipes from afar, single cables when few enough touch the window."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from PySide6.QtCore import QLineF, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from rackbuilder.layout.bundles import pipe_width
from rackbuilder.layout.cables import CableLine, CableLines, Point, splits
from rackbuilder.layout.gridindex import GridIndex
from rackbuilder.layout.lod import Level, level_at, shown
from rackbuilder.layout.scene import Pipe, Scene
from rackbuilder.layout.shapes import Place, around
from rackbuilder.ui.canvas.brushes import Brushes
from rackbuilder.ui.canvas.colouring import Colouring, Tint
from rackbuilder.ui.theme import DASH_PLANNED, cable_width

NEAR_LIMIT = 2_000
"""Single cables drawn at most; more are pipes."""
PART_FROM = 2.0
"""Screen pixels between neighbouring cables from which each is drawn all the way."""
REACH = 4.0
"""Pixels beside a run at which the cursor still is on it."""


class CableLayer(QGraphicsItem):
    """Draws the pipes of a scene. What a pipe's colour says is the colouring's business."""

    def __init__(self, brushes: Brushes) -> None:
        super().__init__()
        self._brushes = brushes
        self._scene = Scene("fabric", Place(0, 0, 0, 0))
        self._index = GridIndex(())
        self._lines: CableLines | None = None
        self._cable_pairs: dict[str, int] | None = None
        self.colouring = Colouring()
        self._tints: list[Tint] = []
        self._mark_tints: list[Tint] = []
        self._bounds = QRectF()
        self.hidden_layers: frozenset[str] = frozenset()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(5.0)

    def show_scene(self, scene: Scene, colouring: Colouring, lines: CableLines | None = None) -> None:
        self.prepareGeometryChange()
        if scene.pipes is not self._scene.pipes:
            self._index = GridIndex([p.place for p in scene.pipes])
        same = (
            scene.pipes is self._scene.pipes
            and scene.pairs is self._scene.pairs
            and colouring == self.colouring
        )
        if scene.pairs is not self._scene.pairs:
            self._cable_pairs = None
        self._scene, self._lines = scene, lines
        self._bounds = QRectF(*scene.bounds)
        if not same:
            self.set_colouring(colouring)

    def set_colouring(self, colouring: Colouring) -> None:
        """Other colours; what each run then says is worked out once, not at each repaint."""
        self.colouring = colouring
        pairs = self._scene.pairs
        self._tints = [colouring.tint(p.pairs, pairs, p.scope, p.rail) for p in self._scene.pipes]
        self._mark_tints = [colouring.tint(m.pairs, pairs, m.scope, m.rail) for m in self._scene.marks]
        self.update()

    def set_brushes(self, brushes: Brushes) -> None:
        self._brushes = brushes
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    @property
    def cable_pairs(self) -> Mapping[str, int]:
        """cable -> number of its pair."""
        if self._cable_pairs is None:
            self._cable_pairs = {c: n for n, pair in enumerate(self._scene.pairs) for c in pair.cables}
        return self._cable_pairs

    # ---- what is shown

    def _visible(self, window: Place, level: Level) -> list[int]:
        pipes = self._scene.pipes
        return [
            n
            for n in self._index.touching(window)
            if shown(pipes[n].levels, level) and pipes[n].layer not in self.hidden_layers
        ]

    def near_cables(self, numbers: Sequence[int], level: Level, spread: bool) -> list[CableLine] | None:
        """The single cables of some pipes; None when it is not near enough, or they are too many."""
        if level < Level.DEVICE or self._lines is None:
            return None
        pairs: dict[int, None] = {}
        for n in numbers:
            if splits(self._scene.pipes[n]):
                pairs.update(dict.fromkeys(self._scene.pipes[n].pairs))
        if sum(self._scene.pairs[n].size for n in pairs) > NEAR_LIMIT:
            return None
        return list(self._lines.of_pairs(pairs, spread))

    # ---- painting

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        to_screen = painter.worldTransform()
        zoom, dx, dy = to_screen.m11(), to_screen.dx(), to_screen.dy()
        level = level_at(zoom)
        exposed = option.exposedRect
        window = Place(exposed.x(), exposed.y(), exposed.width(), exposed.height()).grown(12 / zoom)
        numbers = self._visible(window, level)
        cables = self.near_cables(numbers, level, self.apart(zoom) >= PART_FROM)
        painter.setWorldMatrixEnabled(False)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setPen(Qt.PenStyle.NoPen)
        apart = self.apart(zoom)
        whole = (
            numbers
            if cables is None or apart < PART_FROM
            else [n for n in numbers if not splits(self._scene.pipes[n])]
        )
        self._draw_pipes(painter, whole, zoom, dx, dy)
        if level >= Level.RACK and (cables is None or apart < PART_FROM):
            self._draw_marks(painter, window, zoom, dx, dy)
        if cables is not None:
            self._draw_cables(painter, cables, window, zoom, dx, dy)
        painter.setWorldMatrixEnabled(True)

    def apart(self, zoom: float) -> float:
        """Screen pixels between neighbouring cables of a run."""
        return self._lines.apart * zoom if self._lines is not None else 0.0

    def _draw_pipes(
        self, painter: QPainter, numbers: Iterable[int], zoom: float, dx: float, dy: float
    ) -> None:
        """All tracks first, then all fills: a crossing then shows both."""
        tracks: list[QRectF] = []
        hatched: list[QRectF] = []
        fills: dict[str, list[QRectF]] = {}
        planned: dict[int, list[QLineF]] = {}
        for n in numbers:
            pipe, tint = self._scene.pipes[n], self._tints[n]
            width = pipe_width(pipe.cables)
            if self._scene.planned and self._scene.planned.issuperset(pipe.pairs):
                planned.setdefault(min(3, width), []).append(_line(pipe, zoom, dx, dy))
                continue
            if tint.share is None:
                hatched.append(bar(pipe, zoom, dx, dy, width))
                continue
            if tint.track and tint.share < 1.0 and width > 1:
                tracks.append(bar(pipe, zoom, dx, dy, width))
            inner = max(1, round(width * tint.share))
            fills.setdefault(tint.ink, []).append(bar(pipe, zoom, dx, dy, inner, width))
        self._flush(painter, "track", tracks)
        self._flush(painter, "track", hatched)
        if hatched:
            painter.setBrush(QBrush(self._brushes.colour("line2"), Qt.BrushStyle.BDiagPattern))
            painter.drawRects(hatched)
        for ink in sorted(fills):
            self._flush(painter, ink, fills[ink])
        self._dashes(painter, planned)

    def _dashes(self, painter: QPainter, lines: Mapping[int, list[QLineF]]) -> None:
        """What is still to be laid."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for width in sorted(lines):
            painter.setPen(self._brushes.pen("line2", float(width), DASH_PLANNED))
            painter.drawLines(lines[width])
        painter.setPen(Qt.PenStyle.NoPen)

    def _flush(self, painter: QPainter, ink: str, rects: list[QRectF]) -> None:
        if rects:
            painter.setBrush(self._brushes.brush(ink))
            painter.drawRects(rects)

    def _draw_marks(self, painter: QPainter, window: Place, zoom: float, dx: float, dy: float) -> None:
        squares: dict[str, list[QRectF]] = {}
        half = 3 if zoom >= 0.55 else 2
        for mark, tint in zip(self._scene.marks, self._mark_tints, strict=True):
            if mark.layer not in self.hidden_layers and window.holds(mark.x, mark.y):
                x, y = round(mark.x * zoom + dx), round(mark.y * zoom + dy)
                ink = tint.ink if tint.share is not None else "line2"
                squares.setdefault(ink, []).append(QRectF(x - half, y - half, 2 * half, 2 * half))
        for ink in sorted(squares):
            self._flush(painter, ink, squares[ink])

    def _draw_cables(
        self, painter: QPainter, cables: Sequence[CableLine], window: Place, zoom: float, dx: float, dy: float
    ) -> None:
        """Single cables by ink and width: whole where they part on the screen, else what leaves the pipes."""
        found: dict[tuple[str, int, bool], list[QLineF]] = {}
        keys: dict[int, tuple[str, int, bool]] = {}
        apart = self.apart(zoom)
        most = max(1, int(apart) - 1) if apart >= PART_FROM else 1
        for line in cables:
            if line.pair not in keys:
                ink, width, dashed = self._cable_key(line.pair)
                keys[line.pair] = (ink, min(width, most), dashed)
            lines = found.setdefault(keys[line.pair], [])
            for points in (line.points,) if apart >= PART_FROM else line.stubs():
                lines += _pieces(points, window, zoom, dx, dy)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for ink, width, dashed in sorted(found):
            painter.setPen(self._brushes.pen(ink, width, DASH_PLANNED if dashed else ()))
            painter.drawLines(found[ink, width, dashed])
        painter.setPen(Qt.PenStyle.NoPen)

    def _cable_key(self, number: int) -> tuple[str, int, bool]:
        pair = self._scene.pairs[number]
        scope, rail = self._lines.class_of(number) if self._lines is not None else ("server-leaf", None)
        if number in self._scene.planned:
            return ("line2", 1, True)
        tint = self.colouring.tint((number,), self._scene.pairs, scope, rail)
        busy = self.colouring.load_of(pair) if self.colouring.mode == "load" else None
        width = cable_width(busy) if self.colouring.mode == "load" else 2
        return (tint.ink, width, tint.share is None)

    # ---- what is where

    def at(self, x: float, y: float, zoom: float) -> tuple[tuple[str, ...], int]:
        """The cables under a point and the number of their pipe; nothing when no run is near enough."""
        level = level_at(zoom)
        numbers = self._visible(Place(x, y, 0.0, 0.0).grown(12.0 / zoom), level)
        parted = self.apart(zoom) >= PART_FROM
        near = self.near_cables(numbers, level, parted)
        parted = parted and near is not None
        whole = [n for n in numbers if not parted or not splits(self._scene.pipes[n])]
        for n in sorted(whole, key=lambda n: self._scene.pipes[n].cables):
            pipe = self._scene.pipes[n]
            reach = (pipe_width(pipe.cables) / 2 + REACH - 1) / zoom
            if pipe.place.grown(reach).holds(x, y):
                pairs = self._scene.pairs
                return tuple(c for p in pipe.pairs for c in pairs[p].cables), n
        return self._cable_at(near or (), x, y, zoom, numbers)

    def _cable_at(
        self, lines: Iterable[CableLine], x: float, y: float, zoom: float, numbers: Sequence[int]
    ) -> tuple[tuple[str, ...], int]:
        best: tuple[float, CableLine] | None = None
        for line in lines:
            apart = min(_distance(a, b, x, y) for a, b in pairwise(line.points))
            if apart * zoom <= REACH and (best is None or apart < best[0]):
                best = (apart, line)
        if best is None:
            return (), -1
        pipe = next((n for n in numbers if best[1].pair in self._scene.pipes[n].pairs), -1)
        return (best[1].cable,), pipe

    def route_of(self, number: int) -> tuple[Point, ...]:
        return self._scene.routes[number] if number < len(self._scene.routes) else ()

    def places_of(self, ref: str) -> list[Place]:
        """What the route of a cable, or of all between two devices (“a~b”), covers."""
        if "~" in ref:
            ends = frozenset(ref.split("~"))
            numbers = [n for n, pair in enumerate(self._scene.pairs) if ends == {pair.a, pair.b}]
        else:
            numbers = [self.cable_pairs[ref]] if ref in self.cable_pairs else []
        routes = [self.route_of(n) for n in numbers]
        return [around(Place(x, y, 0.0, 0.0) for x, y in route) for route in routes if route]


def bar(pipe: Pipe, zoom: float, dx: float, dy: float, width: int, outer: int = 0) -> QRectF:
    """A pipe as a rectangle of whole pixels, `width` wide about the middle of one `outer` wide."""
    x1, y1 = pipe.x1 * zoom + dx, pipe.y1 * zoom + dy
    x2, y2 = pipe.x2 * zoom + dx, pipe.y2 * zoom + dy
    whole = outer or width
    cap = whole // 2
    inset = (whole - width) // 2
    if pipe.x1 == pipe.x2:
        return QRectF(round(x1) - cap + inset, round(min(y1, y2)), width, max(1, round(abs(y2 - y1))))
    return QRectF(round(min(x1, x2)) - cap, round(y1) - cap + inset, round(abs(x2 - x1)) + whole, width)


def _line(pipe: Pipe, zoom: float, dx: float, dy: float) -> QLineF:
    return QLineF(
        round(pipe.x1 * zoom + dx),
        round(pipe.y1 * zoom + dy),
        round(pipe.x2 * zoom + dx),
        round(pipe.y2 * zoom + dy),
    )


def _pieces(points: Sequence[Point], window: Place, zoom: float, dx: float, dy: float) -> list[QLineF]:
    """The pieces of a line that touch the window, on whole pixels."""
    left, top, right, bottom = window.x, window.y, window.right, window.bottom
    return [
        QLineF(round(x1 * zoom + dx), round(y1 * zoom + dy), round(x2 * zoom + dx), round(y2 * zoom + dy))
        for (x1, y1), (x2, y2) in pairwise(points)
        if (min(x2, x1)) <= right
        and (max(x1, x2)) >= left
        and (min(y2, y1)) <= bottom
        and (max(y1, y2)) >= top
    ]


def _distance(a: Point, b: Point, x: float, y: float) -> float:
    """From a point to a horizontal or vertical piece."""
    dx = max(min(a[0], b[0]) - x, 0.0, x - max(a[0], b[0]))
    dy = max(min(a[1], b[1]) - y, 0.0, y - max(a[1], b[1]))
    return float((dx * dx + dy * dy) ** 0.5)
