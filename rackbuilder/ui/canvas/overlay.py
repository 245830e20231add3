"""The item on top: hover, selection, culprits, lit paths, and what a gesture shows before it is released."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPolygonF, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from rackbuilder.layout.shapes import Place, Rect, Text
from rackbuilder.ui.canvas.backdrop import on_screen
from rackbuilder.ui.canvas.brushes import Brushes
from rackbuilder.ui.canvas.marks import NONE, Badge, Chip, Ghost, Marks, Ring, Run, Sign
from rackbuilder.ui.icons import paint_severity

LAYERS = ("faults", "problems", "path", "selection", "culprits", "hover", "gesture")
UNDER = ("lit",)
"""Lit runs lie over the cables and under the text on them."""
MARGIN = 26.0
"""Pixels that rings, badges and chips reach beyond what they mark."""
SIGN_ROOM = 560.0


class Overlay(QGraphicsItem):
    """Draws marks by layer; a change of one layer repaints only what it covered and covers now."""

    def __init__(self, brushes: Brushes, layers: tuple[str, ...] = LAYERS, height: float = 100.0) -> None:
        super().__init__()
        self._brushes = brushes
        self._layers: dict[str, Marks] = dict.fromkeys(layers, NONE)
        self._bounds = QRectF()
        self.zoom = 1.0
        self.setZValue(height)
        self.setAcceptedMouseButtons(Qt.MouseButton.NoButton)

    def set_bounds(self, bounds: QRectF) -> None:
        self.prepareGeometryChange()
        self._bounds = bounds

    def set_brushes(self, brushes: Brushes) -> None:
        self._brushes = brushes
        self.update()

    def show(self, layer: str, marks: Marks) -> None:  # type: ignore[override]
        """Replaces one layer. Raises KeyError for one that is none."""
        old = self._layers[layer]
        if old != marks:
            self._layers[layer] = marks
            for each in (old, marks):
                self._touch(each)

    def marks(self, layer: str) -> Marks:
        return self._layers[layer]

    def _touch(self, marks: Marks) -> None:
        extent = marks.extent()
        if extent is not None:
            by = (SIGN_ROOM if marks.signs else MARGIN) / max(self.zoom, 1e-6)
            self.update(QRectF(*extent.grown(by)))

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        to_screen = painter.worldTransform()
        # Not merely switched off: painters of shapes translate, which would switch it on again.
        painter.setWorldTransform(QTransform())
        for marks in self._layers.values():
            if marks is not NONE:
                self._draw(painter, marks, to_screen)
        for marks in self._layers.values():
            for sign in marks.signs:
                self._sign(painter, sign, to_screen, widget)
        painter.setWorldTransform(to_screen)

    def _draw(self, painter: QPainter, marks: Marks, to_screen: QTransform) -> None:
        for run in marks.runs:
            self._run(painter, run, to_screen)
        for ring in marks.rings:
            self._ring(painter, ring, to_screen)
        for ghost in marks.ghosts:
            self._ghost(painter, ghost, to_screen)
        for chip in marks.chips:
            self._chip(painter, chip, to_screen)
        for x, y in marks.crosses:
            self._cross(painter, to_screen.map(QPointF(x, y)))
        for badge in marks.badges:
            self._badge(painter, badge, to_screen)
        if marks.band is not None:
            place = on_screen(to_screen, marks.band)
            self._brushes.draw(painter, (Rect(place, "", "selection", 0.0, 1.0, (4.0, 3.0)),))

    def _ring(self, painter: QPainter, ring: Ring, to_screen: QTransform) -> None:
        place = on_screen(to_screen, ring.place).grown(ring.away)
        self._brushes.draw(painter, (Rect(place, ring.fill, ring.ink, 4.0, ring.width, ring.dash),))

    def _run(self, painter: QPainter, run: Run, to_screen: QTransform) -> None:
        points = [to_screen.map(QPointF(x, y)) for x, y in run.points]
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(self._brushes.pen(run.ink, run.width, run.dash))
        painter.drawPolyline(QPolygonF([QPointF(round(p.x()), round(p.y())) for p in points]))

    def _ghost(self, painter: QPainter, ghost: Ghost, to_screen: QTransform) -> None:
        place = on_screen(to_screen, ghost.place)
        y = place.cy if place.h < 44 else place.y + 20
        shapes: list[Rect | Text] = [Rect(place, ghost.fill, ghost.ink, 2.0, 2.0, ghost.dash)]
        shapes.append(Text(place.cx, y, ghost.text, "text", 11.0, True, anchor="middle", room=place.w - 8))
        if ghost.second and place.h >= 64:
            shapes.append(
                Text(place.cx, y + 22, ghost.second, "text2", 11.0, anchor="middle", room=place.w - 8)
            )
        self._brushes.draw(painter, shapes)

    def _chip(self, painter: QPainter, chip: Chip, to_screen: QTransform) -> None:
        at = to_screen.map(QPointF(chip.x, chip.y))
        w = self._brushes.width(chip.text, 11) + 12
        x = at.x() if chip.anchor == "start" else at.x() - w / 2
        place = Place(x, at.y() - 9, w, 18)
        text = Text(place.cx, place.cy, chip.text, "text", 11.0, anchor="middle")
        self._brushes.draw(painter, (Rect(place, "selection_fill", chip.ink, 3.0), text))

    def _cross(self, painter: QPainter, at: QPointF) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        for ink, width in (("canvas", 5.0), ("error", 2.0)):
            painter.setPen(self._brushes.pen(ink, width))
            for turn in (1.0, -1.0):
                painter.drawLine(at + QPointF(-5.0, -5.0 * turn), at + QPointF(5.0, 5.0 * turn))

    def _badge(self, painter: QPainter, badge: Badge, to_screen: QTransform) -> None:
        place = on_screen(to_screen, badge.place)
        side = 14.0 if place.w >= 20 else 10.0
        where = QRectF(round(place.right - side * 0.7), round(place.y - side * 0.3), side, side)
        paint_severity(painter, where, badge.severity, self._brushes.theme)

    # ---- plates

    def _sign(self, painter: QPainter, sign: Sign, to_screen: QTransform, widget: QWidget | None) -> None:
        at = to_screen.map(QPointF(sign.x, sign.y))
        place, left = self.sign_place(sign, at, widget)
        shapes: list[Rect | Text] = [
            Rect(place, "raised", sign.ink, 4.0, 1.5 if sign.ink != "line2" else 1.0)
        ]
        y = place.y + 15
        shapes.append(Text(left, y, sign.title, "text", 12.0, True))
        for line in sign.lines:
            y += 17
            shapes.append(Text(left, y, line, "text2", 11.0))
        self._brushes.draw(painter, shapes)
        if sign.stop:
            self._stop(painter, place.x + 18, place.y + 15)

    def sign_place(self, sign: Sign, at: QPointF, widget: QWidget | None = None) -> tuple[Place, float]:
        """The plate's rectangle on the screen, inside the window, and where its text begins."""
        first = 34.0 if sign.stop else 12.0
        widths = [
            self._brushes.width(sign.title, 12, True),
            *(self._brushes.width(line, 11) for line in sign.lines),
        ]
        w, h = max(widths) + first + 12, 30.0 + 17 * len(sign.lines)
        x, y = (at.x() - w / 2, at.y() - h / 2) if sign.centred else (at.x() + 16, at.y() + 16)
        if widget is not None:
            x = min(max(6.0, x), max(6.0, widget.width() - w - 6))
            y = min(max(6.0, y), max(6.0, widget.height() - h - 6))
        return Place(round(x), round(y), round(w), round(h)), round(x) + first

    def _stop(self, painter: QPainter, x: float, y: float) -> None:
        """A no-entry sign: said by shape as well as by colour."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._brushes.brush("refuse"))
        painter.drawEllipse(QPointF(x, y), 7.5, 7.5)
        painter.setBrush(self._brushes.brush("on_tint"))
        painter.drawRect(QRectF(x - 4.5, y - 1.5, 9, 3))
