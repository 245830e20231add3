"""A small live drawing of a design that is not open: drawn once by the canvas itself, and kept as a picture."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from rackbuilder.design.design import Design
from rackbuilder.layout.cables import CableLines
from rackbuilder.layout.fabric import fabric_scene
from rackbuilder.layout.rack import rack_scene
from rackbuilder.layout.scene import Scene
from rackbuilder.layout.server import server_scene
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.canvas.colouring import Colouring
from rackbuilder.ui.canvas.scene import CanvasScene
from rackbuilder.ui.theme import Theme, colour, current

_MARGIN = 10
_FINE = 0.34
"""Zoom at which a drawing is made before it is made small: devices are still drawn then, not only their sums."""
_MOST = 3000
"""Pixels across of the large picture; a larger drawing is shown as its sums."""


def scene_for(design: Design, graphs: Graphs) -> Scene:
    """The view that says most of a design: its fabric, its racks where nothing is cabled, or its one server."""
    servers = [d.id for d in design.devices.values() if design.type_of(d).gpu_count]
    if len(servers) == 1 and not design.cables:
        return server_scene(design, graphs, servers[0])
    if design.racks and not design.cables:
        return rack_scene(design)
    return fabric_scene(design, graphs)


def draw(design: Design, graphs: Graphs, size: QSize, theme: Theme) -> QImage:
    """The picture of a design in device pixels, on the canvas's background."""
    picture = QImage(size, QImage.Format.Format_RGB32)
    picture.fill(colour(theme.canvas))
    drawing = scene_for(design, graphs)
    bounds = drawing.bounds
    if bounds.w <= 0 or bounds.h <= 0 or size.width() <= 2 * _MARGIN or size.height() <= 2 * _MARGIN:
        return picture
    inner = QSize(size.width() - 2 * _MARGIN, size.height() - 2 * _MARGIN)
    fit = min(inner.width() / bounds.w, inner.height() / bounds.h)
    zoom = max(fit, min(_FINE, _MOST / max(bounds.w, bounds.h)))
    scene = CanvasScene()
    scene.show_scene(drawing, Colouring("scope"), {}, CableLines(design, drawing) if drawing.pipes else None)
    large = QImage(QSize(int(bounds.w * zoom) + 1, int(bounds.h * zoom) + 1), QImage.Format.Format_RGB32)
    large.fill(colour(theme.canvas))
    painter = QPainter(large)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    scene.render(painter, QRectF(large.rect()), QRectF(bounds.x, bounds.y, bounds.w, bounds.h))
    painter.end()
    shown = QSize(max(int(bounds.w * fit), 1), max(int(bounds.h * fit), 1))
    small = large.scaled(
        shown, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
    painter = QPainter(picture)
    painter.drawImage((size.width() - small.width()) // 2, (size.height() - small.height()) // 2, small)
    painter.end()
    return picture


class Thumbnail(QWidget):
    """Shows a design as soon as it has one; `load` gives it when the widget is first painted."""

    def __init__(self, load: Callable[[], tuple[Design, Graphs] | None] | None = None) -> None:
        super().__init__()
        self._load = load
        self._shown: tuple[Design, Graphs] | None = None
        self._picture: QImage | None = None
        self.setAccessibleName("Drawing of the design")

    def show_design(self, design: Design | None, graphs: Graphs | None) -> None:
        """Another design, or none."""
        self._shown = (design, graphs) if design is not None and graphs is not None else None
        self._picture = None
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        if self._load is not None and self._shown is None:
            self._shown, self._load = self._load(), None
        painter = QPainter(self)
        if self._shown is None:
            painter.fillRect(self.rect(), colour(current().canvas))
        else:
            painter.drawImage(self.rect(), self._drawn())
        painter.end()

    def _drawn(self) -> QImage:
        assert self._shown is not None
        if self._picture is None:
            ratio = self.devicePixelRatioF()
            size = QSize(int(self.width() * ratio), int(self.height() * ratio))
            self._picture = draw(*self._shown, size, current())
        return self._picture

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange:
            self._picture = None
            self.update()
        super().changeEvent(event)
