"""A small live drawing of a design, as the fabric or rack view shows it; drawn once and kept as a picture."""

from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from rackbuilder.design.design import Design
from rackbuilder.layout.cables import CableLines
from rackbuilder.layout.fabric import fabric_scene
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.canvas.colouring import Colouring
from rackbuilder.ui.canvas.scene import CanvasScene
from rackbuilder.ui.theme import brush, current

_MARGIN = 10


class Thumbnail(QWidget):
    """Shows the fabric view of a design that is not open."""

    def __init__(self, design: Design, graphs: Graphs) -> None:
        super().__init__()
        self._design, self._graphs = design, graphs
        self._picture: QPixmap | None = None

    def show_design(self, design: Design, graphs: Graphs) -> None:
        self._design, self._graphs, self._picture = design, graphs, None
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self._picture is None:
            self._picture = self._drawn()
        painter = QPainter(self)
        painter.drawPixmap(self.rect(), self._picture)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._picture = None
            self.update()
        super().changeEvent(event)

    def _drawn(self) -> QPixmap:
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(brush(current().canvas).color())
        drawing = fabric_scene(self._design, self._graphs)
        scene = CanvasScene()
        lines = CableLines(self._design, drawing) if drawing.pipes else None
        scene.show_scene(drawing, Colouring("scope"), {}, lines)
        bounds = drawing.bounds
        source = QRectF(bounds.x, bounds.y, max(bounds.w, 1), max(bounds.h, 1))
        target = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        scene.render(painter, target, source, Qt.AspectRatioMode.KeepAspectRatio)
        painter.end()
        return picture
