"""One item for everything behind the devices: outlines of units, racks, blocks, the floor."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QTransform
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from rackbuilder.layout.facts import RackFacts
from rackbuilder.layout.framing import body_look, frame_shapes
from rackbuilder.layout.gridindex import GridIndex
from rackbuilder.layout.lod import Level, level_at, shown
from rackbuilder.layout.scene import Frame, Scene
from rackbuilder.layout.shapes import Place
from rackbuilder.ui.canvas.brushes import Brushes


class Backdrop(QGraphicsItem):
    def __init__(self, brushes: Brushes) -> None:
        super().__init__()
        self._brushes = brushes
        self._frames: tuple[Frame, ...] = ()
        self._index = GridIndex(())
        self._bounds = QRectF()
        self._facts: Mapping[str, RackFacts] = {}
        self.hidden_layers: frozenset[str] = frozenset()
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.setZValue(0.0)

    def show_scene(self, scene: Scene, facts: Mapping[str, RackFacts]) -> None:
        self.prepareGeometryChange()
        self._frames = scene.frames
        self._index = GridIndex([f.place.grown(60.0) for f in scene.frames])
        self._bounds = QRectF(*scene.bounds)
        self._facts = facts
        self.update()

    def show_facts(self, facts: Mapping[str, RackFacts]) -> None:
        """Other figures under the racks."""
        if facts != self._facts:
            self._facts = facts
            self.update()

    def set_brushes(self, brushes: Brushes) -> None:
        self._brushes = brushes
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def frame_at(self, x: float, y: float, zoom: float) -> Frame | None:
        """The smallest frame with a name under a point, at the level of a zoom."""
        level = level_at(zoom)
        near = (self._frames[n] for n in self._index.touching(Place(x, y, 0.0, 0.0)))
        hits = [f for f in near if f.place.holds(x, y) and shown(f.levels, level) and (f.ref or f.members)]
        return min(hits, key=lambda f: f.place.w * f.place.h, default=None)

    def paint(
        self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None
    ) -> None:
        to_screen = painter.worldTransform()
        level = level_at(to_screen.m11())
        exposed = option.exposedRect
        window = Place(exposed.x(), exposed.y(), exposed.width(), exposed.height())
        painter.setWorldMatrixEnabled(False)
        for number in self._index.touching(window):
            frame = self._frames[number]
            if shown(frame.levels, level):
                place = on_screen(to_screen, frame.place)
                self._draw(painter, frame, place, level, to_screen.m11())
        painter.setWorldMatrixEnabled(True)

    def _draw(self, painter: QPainter, frame: Frame, place: Place, level: Level, zoom: float) -> None:
        """Frames that are alike share one picture; there may be hundreds."""
        pixmap = None
        look = body_look(frame)
        if look is not None:
            x, y = round(place.x), round(place.y)
            w, h = max(1, round(place.right) - x), max(1, round(place.bottom) - y)
            pixmap, _ = self._brushes.pixmap(look, w, h, level, painter.device().devicePixelRatioF())
            if pixmap is not None:
                painter.drawPixmap(x, y, pixmap)
        hidden, facts = frame.layer in self.hidden_layers, self._facts.get(frame.ref)
        self._brushes.draw(
            painter, frame_shapes(frame, place, level, zoom, facts, hidden, body=pixmap is None)
        )


def on_screen(to_screen: QTransform, place: Place) -> Place:
    """A place in pixels of the screen."""
    r = to_screen.mapRect(QRectF(*place))
    return Place(r.x(), r.y(), r.width(), r.height())
