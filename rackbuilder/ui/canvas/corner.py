"""What stands in the corners of the canvas: the legend of the colours, the zoom, and the whole drawing in small."""

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from rackbuilder.layout.facts import load_band
from rackbuilder.layout.scene import Scene
from rackbuilder.layout.shapes import Place, Rect, Text
from rackbuilder.ui.canvas.brushes import Brushes
from rackbuilder.ui.canvas.colouring import Colouring

EDGE = 12
_BANDS = ("0", "1", "10", "25", "50", "75", "90 %")
_SHARES = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 1.0)


class Corner(QWidget):
    """A small plate over the canvas."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)

    def brushes(self) -> Brushes:
        return Brushes()


class Legend(Corner):
    """What the colours of runs say now. Rows of (ink, word), or the bands of the load."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._title = ""
        self._rows: tuple[tuple[str, str], ...] = ()
        self._load = False
        self.setAccessibleName("Legend")

    def show_colouring(self, title: str, rows: tuple[tuple[str, str], ...], load: bool) -> None:
        self._title, self._rows, self._load = title, rows, load
        self.setVisible(bool(rows) or load)
        brushes = self.brushes()
        widths = [brushes.width(word, 10) + 34 for _, word in rows]
        across = max(brushes.width(title, 11) + 24, 270.0 if load else min(sum(widths) + 16, 420.0))
        self.resize(QSize(int(across), 60 if load else 30 + 18 * self._lines(widths, across)))
        self.update()

    @property
    def text(self) -> str:
        """What it says, for tests and screen readers."""
        return " ".join((self._title, *(_BANDS if self._load else (word for _, word in self._rows))))

    def _lines(self, widths: list[float], across: float) -> int:
        lines, x = 1, 12.0
        for w in widths:
            if x + w > across:
                lines, x = lines + 1, 12.0
            x += w
        return lines

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        brushes = self.brushes()
        place = Place(0, 0, self.width(), self.height())
        brushes.draw(painter, (Rect(place, "panel", "line", 4.0), Text(11, 15, self._title, "text2", 11.0)))
        if self._load:
            self._bands(painter, brushes)
        else:
            self._words(painter, brushes)
        painter.end()

    def _bands(self, painter: QPainter, brushes: Brushes) -> None:
        """A pipe a band: the grey is its capacity, the filled part the load."""
        w = (self.width() - 22) / len(_BANDS)
        for n, (word, share) in enumerate(zip(_BANDS, _SHARES, strict=True)):
            x = 11 + n * w
            filled = max(2.0, 12.0 * share)
            shapes = (
                Rect(Place(x, 26, w - 2, 12), "track"),
                Rect(Place(x, 32 - filled / 2, w - 2, filled), f"load:{load_band(share)}"),
                Text(x, 49, word, "text2", 10.0),
            )
            brushes.draw(painter, shapes)

    def _words(self, painter: QPainter, brushes: Brushes) -> None:
        x, y = 12.0, 34.0
        for ink, word in self._rows:
            w = brushes.width(word, 10) + 34
            if x + w > self.width() and x > 12:
                x, y = 12.0, y + 18
            brushes.draw(painter, (Rect(Place(x, y - 3, 16, 6), ink), Text(x + 21, y, word, "text2", 10.0)))
            x += w
        return


class ZoomLabel(Corner):
    """“62 %”."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._zoom = 1.0
        self.resize(60, 20)

    @property
    def text(self) -> str:
        percent = self._zoom * 100
        return f"{percent:.0f} %" if percent >= 1.5 else f"{percent:.1f} %"

    def show_zoom(self, zoom: float) -> None:
        self._zoom = zoom
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        brushes = self.brushes()
        w = brushes.width(self.text, 11) + 10
        brushes.draw(painter, (Rect(Place(self.width() - w, 1, w, self.height() - 2), "canvas", "", 3.0),))
        brushes.draw(painter, (Text(self.width() - 4, 10, self.text, "text2", 11.0, anchor="end"),))
        painter.end()


class Minimap(Corner):
    """The whole drawing in small, with what is seen framed; a click or drag goes there."""

    moved = Signal(float, float)
    """The point of the drawing to be in the middle."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._scene: Scene | None = None
        self._window = Place(0, 0, 0, 0)
        self.resize(168, 66)
        self.setAccessibleName("Map of the drawing")

    def show_scene(self, scene: Scene) -> None:
        self._scene = scene
        self.update()

    def show_window(self, window: Place) -> None:
        if window != self._window:
            self._window = window
            self.update()

    def _scale(self) -> tuple[float, float, float]:
        """Pixels a unit, and where the drawing's corner is."""
        assert self._scene is not None
        b = self._scene.bounds
        zoom = min((self.width() - 16) / max(b.w, 1.0), (self.height() - 16) / max(b.h, 1.0))
        return (
            zoom,
            (self.width() - b.w * zoom) / 2 - b.x * zoom,
            (self.height() - b.h * zoom) / 2 - b.y * zoom,
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        brushes = self.brushes()
        whole = Place(0, 0, self.width(), self.height())
        brushes.draw(painter, (Rect(whole, "panel", "line", 4.0),))
        if self._scene is not None:
            self._contents(painter, brushes)
        painter.end()

    def _contents(self, painter: QPainter, brushes: Brushes) -> None:
        assert self._scene is not None
        zoom, dx, dy = self._scale()
        painter.setPen(Qt.PenStyle.NoPen)
        rects: dict[str, list[QRectF]] = {}
        for box in self._scene.boxes.values():
            ink = "gpu_cell" if box.look.gpus else box.look.band or "device_edge"
            rects.setdefault(ink, []).append(self._small(box.place, zoom, dx, dy))
        for frame in self._scene.frames:
            if frame.kind in ("block", "rack") and not (frame.kind == "rack" and self._scene.boxes):
                rects.setdefault(frame.ink or "line2", []).append(self._small(frame.place, zoom, dx, dy))
        for ink in sorted(rects):
            painter.setBrush(brushes.brush(ink))
            painter.drawRects(rects[ink])
        seen = self._window
        left, top = max(2.0, seen.x * zoom + dx), max(2.0, seen.y * zoom + dy)
        right = min(self.width() - 2.0, seen.right * zoom + dx)
        bottom = min(self.height() - 2.0, seen.bottom * zoom + dy)
        if right > left and bottom > top:
            brushes.draw(
                painter, (Rect(Place(left, top, right - left, bottom - top), "", "selection", 2.0, 2.0),)
            )

    def _small(self, place: Place, zoom: float, dx: float, dy: float) -> QRectF:
        w, h = place.w * zoom, place.h * zoom
        return QRectF(place.x * zoom + dx, place.y * zoom + dy, max(0.8, w - 0.4), max(0.8, h - 0.4))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._go(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._go(event)

    def _go(self, event: QMouseEvent) -> None:
        if self._scene is not None:
            zoom, dx, dy = self._scale()
            self.moved.emit((event.position().x() - dx) / zoom, (event.position().y() - dy) / zoom)
        event.accept()


def legend_rows(
    colouring: Colouring, scopes: tuple[str, ...], rails: int
) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Title and rows of the legend for a colour mode."""
    from rackbuilder.ui.canvas.colouring import MEDIUM_INKS, MEDIUM_WORDS, RAIL_INKS

    if colouring.mode == "load":
        return "Link load: share of the step a link is busy", ()
    if colouring.mode == "rail":
        rows = tuple((RAIL_INKS[n % len(RAIL_INKS)], f"rail {n + 1}") for n in range(min(rails, 8)))
        return "Rails", rows or (("bubble", "no rails"),)
    if colouring.mode == "medium":
        found = {m for m in colouring.media.values() if m in MEDIUM_INKS}
        rows = tuple((MEDIUM_INKS[m], MEDIUM_WORDS[m]) for m in MEDIUM_INKS if m in found)
        return "Medium of the cables", rows or (("line2", "not known: no part chosen"),)
    return "Scope of a link", tuple((scope, _scope_word(scope)) for scope in scopes)


def _scope_word(scope: str) -> str:
    return (
        scope.replace("server-leaf", "server–leaf")
        .replace("leaf-spine", "leaf–spine")
        .replace("spine-core", "spine–core")
    )


def corners(size: QSize, legend: QWidget, zoom: QWidget, minimap: QWidget, map_wanted: bool) -> None:
    """Puts the three plates into their corners; the map goes first when there is no room."""
    legend.move(QPoint(EDGE, size.height() - legend.height() - EDGE))
    room = map_wanted and size.width() > 900 and size.height() > 420
    minimap.setVisible(room)
    minimap.move(QPoint(size.width() - minimap.width() - EDGE, size.height() - minimap.height() - EDGE))
    right = minimap.x() - 8 if room else size.width() - EDGE
    zoom.move(QPoint(right - zoom.width(), size.height() - zoom.height() - EDGE))


def covers(widget: QWidget, at: QPoint) -> bool:
    return widget.isVisible() and QRect(widget.pos(), widget.size()).contains(at)
