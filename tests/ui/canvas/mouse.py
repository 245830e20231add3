"""Mouse gestures on a canvas, in drawing units."""

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDragMoveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from rackbuilder.ui.canvas.view import PART_MIME
from rackbuilder.ui.views.page import CanvasPage

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
Spot = tuple[float, float]


def pixel(page: CanvasPage, spot: Spot) -> QPoint:
    return page.canvas_view.to_window(*spot).toPoint()


def middle(page: CanvasPage, ref: str) -> Spot:
    place = page.canvas.drawing.boxes[ref].place
    return place.cx, place.cy


def click(page: CanvasPage, spot: Spot, keys: Qt.KeyboardModifier = NONE) -> None:
    QTest.mouseClick(page.canvas_view.viewport(), LEFT, keys, pixel(page, spot))


def press(page: CanvasPage, spot: Spot, keys: Qt.KeyboardModifier = NONE) -> None:
    QTest.mousePress(page.canvas_view.viewport(), LEFT, keys, pixel(page, spot))


def move(page: CanvasPage, spot: Spot) -> None:
    QTest.mouseMove(page.canvas_view.viewport(), pixel(page, spot))
    QApplication.processEvents()


def release(page: CanvasPage, spot: Spot, keys: Qt.KeyboardModifier = NONE) -> None:
    QTest.mouseRelease(page.canvas_view.viewport(), LEFT, keys, pixel(page, spot))


def drag(page: CanvasPage, start: Spot, end: Spot, keys: Qt.KeyboardModifier = NONE) -> None:
    """Press, two moves, release."""
    press(page, start, keys)
    move(page, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    move(page, end)
    release(page, end, keys)


def key(page: CanvasPage, which: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(page.canvas_view, which, keys)


class PartDrag:
    """A part dragged from the palette over a view."""

    def __init__(self, page: CanvasPage, part: str) -> None:
        self._page, self._port = page, page.canvas_view.viewport()
        self._data = QMimeData()
        self._data.setData(PART_MIME, part.encode())

    def over(self, spot: Spot) -> None:
        for kind in (QDragEnterEvent, QDragMoveEvent):
            at = pixel(self._page, spot)
            event = kind(at, Qt.DropAction.CopyAction, self._data, LEFT, NONE)
            QApplication.sendEvent(self._port, event)

    def leave(self) -> None:
        QApplication.sendEvent(self._port, QDragLeaveEvent())

    def drop(self, spot: Spot) -> None:
        self.over(spot)
        at = QPointF(pixel(self._page, spot))
        QApplication.sendEvent(self._port, QDropEvent(at, Qt.DropAction.CopyAction, self._data, LEFT, NONE))
