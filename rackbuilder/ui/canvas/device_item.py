"""One light item a device: a box and a look. It holds no model data, has no child items, and edits nothing."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from rackbuilder.layout.glyph_parts import Glyph
from rackbuilder.layout.lod import level_at, shown
from rackbuilder.layout.scene import Box
from rackbuilder.ui.canvas.brushes import Brushes

NOTHING = Glyph((), {})


class DeviceItem(QGraphicsItem):
    """Shows one box of a scene. Its text and picture come from the box; the overlay draws marks on top."""

    def __init__(self, box: Box, brushes: Brushes) -> None:
        super().__init__()
        self.box = box
        self._brushes = brushes
        self._texts: dict[str, str] = dict(box.texts)
        self._rect = QRectF(0.0, 0.0, box.place.w, box.place.h)
        self._painted: tuple[float, float] | None = None
        self._shown = False
        self._pixmap: QPixmap | None = None
        self._picture = NOTHING
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
        self._texts, self._painted = dict(box.texts), None
        self._rect = QRectF(0.0, 0.0, box.place.w, box.place.h)
        self.setPos(box.place.x, box.place.y)
        self.update()
        return True

    def set_brushes(self, brushes: Brushes) -> None:
        self._brushes, self._painted = brushes, None
        self.update()

    @property
    def texts(self) -> Mapping[str, str]:
        return self._texts

    def boundingRect(self) -> QRectF:
        return self._rect

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        to_screen = painter.worldTransform()
        zoom = to_screen.m11()
        key = (zoom, painter.device().devicePixelRatioF())
        if key != self._painted:
            self._prepare(*key)
        if not self._shown:
            return
        x, y = round(to_screen.dx()), round(to_screen.dy())
        painter.setWorldMatrixEnabled(False)
        if self._pixmap is not None:
            painter.drawPixmap(x, y, self._pixmap)
        else:
            self._brushes.draw_large(painter, self._picture, x, y)
        if self._picture.slots:
            self._brushes.fill_slots(painter, self._picture, self._texts, x, y)
        painter.setWorldMatrixEnabled(True)

    def _prepare(self, zoom: float, ratio: float) -> None:
        """Chooses the picture for a zoom once, not at each repaint: thousands of items are painted a frame."""
        self._painted = (zoom, ratio)
        level = level_at(zoom)
        self._shown = shown(self.box.levels, level)
        if self._shown:
            w, h = max(1, round(self.box.place.w * zoom)), max(1, round(self.box.place.h * zoom))
            self._pixmap, self._picture = self._brushes.pixmap(self.box.look, w, h, level, ratio)
