"""One light item a device: a box and a look. It holds no model data, has no child items, and edits nothing."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from rackbuilder.layout.lod import level_at, shown
from rackbuilder.layout.portgrid import PortSpot, port_at
from rackbuilder.layout.scene import Box
from rackbuilder.ui.canvas.brushes import Brushes


class DeviceItem(QGraphicsItem):
    """Shows one box of a scene. Its text and picture come from the box; the overlay draws marks on top."""

    def __init__(self, box: Box, brushes: Brushes) -> None:
        super().__init__()
        self.box = box
        self._brushes = brushes
        self._texts: dict[str, str] = dict(box.texts)
        self.setPos(box.place.x, box.place.y)
        self.setZValue(10.0)

    @property
    def ref(self) -> str:
        return self.box.ref

    def show_box(self, box: Box) -> bool:
        """Takes over another box of the same device; returns whether anything changed."""
        if box == self.box:
            return False
        self.prepareGeometryChange()
        self.box = box
        self._texts = dict(box.texts)
        self.setPos(box.place.x, box.place.y)
        self.update()
        return True

    def set_brushes(self, brushes: Brushes) -> None:
        self._brushes = brushes
        self.update()

    @property
    def texts(self) -> Mapping[str, str]:
        return self._texts

    def boundingRect(self) -> QRectF:
        return QRectF(0.0, 0.0, self.box.place.w, self.box.place.h)

    def port_at(self, x: float, y: float) -> PortSpot | None:
        """The port under a point of the scene, by arithmetic."""
        place = self.box.place
        return port_at(self.box.look, place.w, place.h, x - place.x, y - place.y)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        to_screen = painter.worldTransform()
        level = level_at(to_screen.m11())
        if not shown(self.box.levels, level):
            return
        where = to_screen.mapRect(self.boundingRect())
        x, y = round(where.left()), round(where.top())
        w, h = max(1, round(where.right()) - x), max(1, round(where.bottom()) - y)
        painter.setWorldMatrixEnabled(False)
        picture = self._brushes.draw_look(painter, self.box.look, x, y, w, h, level)
        if picture.slots:
            self._brushes.fill_slots(painter, picture, self._texts, x, y)
        painter.setWorldMatrixEnabled(True)
