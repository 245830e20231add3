"""One item for the text on runs: small plates, hidden where they would cover a device or another plate."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from rackbuilder.layout.gridindex import GridIndex
from rackbuilder.layout.lod import level_at, shown
from rackbuilder.layout.scene import Plate, Scene
from rackbuilder.layout.shapes import Place, Rect, Text
from rackbuilder.ui.canvas.brushes import Brushes


class PlateLayer(QGraphicsItem):
    def __init__(self, brushes: Brushes) -> None:
        super().__init__()
        self._brushes = brushes
        self._scene = Scene("fabric", Place(0, 0, 0, 0))
        self._boxes = GridIndex(())
        self._box_levels: list[tuple[int, int]] = []
        self._bounds = QRectF()
        self.hidden_layers: frozenset[str] = frozenset()
        self.setZValue(12.0)

    def show_scene(self, scene: Scene) -> None:
        self.prepareGeometryChange()
        self._scene = scene
        boxes = list(scene.boxes.values())
        self._boxes = GridIndex([b.place for b in boxes])
        self._box_levels = [b.levels for b in boxes]
        self._bounds = QRectF(*scene.bounds)
        self.update()

    def set_brushes(self, brushes: Brushes) -> None:
        self._brushes = brushes
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        to_screen = painter.worldTransform()
        zoom = to_screen.m11()
        level = level_at(zoom)
        painter.setWorldMatrixEnabled(False)
        taken: dict[int, list[Place]] = {}
        for plate in self._scene.plates:
            if not shown(plate.levels, level) or plate.layer in self.hidden_layers:
                continue
            x, y = plate.x * zoom + to_screen.dx(), plate.y * zoom + to_screen.dy()
            found = self._place(plate, x, y, zoom)
            if found is None:
                continue
            place, text = found
            line = int(place.y // place.h)
            near = (other for n in (line - 1, line, line + 1) for other in taken.get(n, ()))
            if any(place.meets(other) for other in near):
                continue
            inside = Place(
                plate.x - (x - place.x) / zoom, plate.y - (y - place.y) / zoom, place.w / zoom, place.h / zoom
            )
            if any(shown(self._box_levels[n], level) for n in self._boxes.touching(inside)):  # type: ignore[arg-type]
                continue
            taken.setdefault(line, []).append(place)
            self._draw(painter, place, text)
        painter.setWorldMatrixEnabled(True)

    def _place(self, plate: Plate, x: float, y: float, zoom: float) -> tuple[Place, str] | None:
        """The plate's rectangle on the screen and its text: in short where it does not fit its run."""
        if plate.run and plate.run * zoom < 20:
            return None
        for text in (plate.text, plate.short):
            if not text:
                continue
            w = self._brushes.width(text, 11) + 12
            if plate.room and w > plate.room * zoom:
                continue
            left = x if plate.anchor == "start" else x - w / 2
            return Place(left, y - 9, w, 18), text
        return None

    def _draw(self, painter: QPainter, place: Place, text: str) -> None:
        self._brushes.draw(
            painter,
            (
                Rect(place, "panel", "line", 3.0),
                Text(place.cx, place.cy, text, "text", 11.0, anchor="middle"),
            ),
        )
