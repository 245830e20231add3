"""The window onto a drawing: zoom about the cursor, pan, fit; hands mouse and keys to the tool in hand."""

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QResizeEvent,
    QTransform,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QGraphicsView, QWidget

from rackbuilder.layout.lod import Level, level_at
from rackbuilder.layout.shapes import Place, around
from rackbuilder.ui import theme
from rackbuilder.ui.canvas.brushes import Brushes
from rackbuilder.ui.canvas.navigation import Look, fitting
from rackbuilder.ui.canvas.overlay import UNDER, Overlay
from rackbuilder.ui.canvas.scene import CanvasScene
from rackbuilder.ui.canvas.tools.base import Pointer, Tool

PART_MIME = "application/x-rackbuilder-part"
"""What the palette puts on a drag: the id of a part, in UTF-8."""
WORLD = 1.0e6
FIT_MOST = 2.0
"""Fitting never enlarges beyond this: two boxes alone need not fill a wall."""


class CanvasView(QGraphicsView):
    """Shows a CanvasScene. Its own zoom and centre are the truth; Qt's scroll bars only follow."""

    zoomed = Signal(float)
    menu_wanted = Signal(QPoint, str)
    """Where on the screen, and the ref under the cursor (empty: none)."""
    opened = Signal(str)
    """A ref was double-clicked."""
    tool_changed = Signal(str)

    def __init__(self, scene: CanvasScene, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.canvas = scene
        self.setScene(scene)
        self.overlay = Overlay(scene.brushes)
        self.overlay.set_bounds(QRectF(-WORLD, -WORLD, 2 * WORLD, 2 * WORLD))
        self.under = Overlay(scene.brushes, UNDER, 11.0)
        self.under.set_bounds(self.overlay.boundingRect())
        for item in (self.overlay, self.under):
            scene.addItem(item)
        self.look = Look()
        self._tool: Tool | None = None
        self._panning: QPointF | None = None
        self._space = False
        self._fitted = True
        """The whole drawing is shown, and is to be when the window changes its size."""
        self.foot = 0
        """Pixels at the bottom that corner plates cover: fitting keeps clear of them where that costs nothing."""
        self._set_up()

    def _set_up(self) -> None:
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSceneRect(-WORLD, -WORLD, 2 * WORLD, 2 * WORLD)
        for policy in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            policy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.NoAnchor)
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.SmartViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState, True)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontAdjustForAntialiasing, True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setAcceptDrops(True)
        self.setMinimumSize(240, 180)
        self._paint_canvas()

    # ---- theme

    def _paint_canvas(self) -> None:
        self.setBackgroundBrush(theme.brush(theme.current().canvas))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and theme.current() is not self.canvas.brushes.theme:
            brushes = Brushes()
            self.canvas.set_brushes(brushes)
            self.overlay.set_brushes(brushes)
            self.under.set_brushes(brushes)
            self._paint_canvas()
            self.viewport().update()

    # ---- looking

    @property
    def zoom(self) -> float:
        return self.look.zoom

    @property
    def level(self) -> Level:
        return level_at(self.look.zoom)

    def set_look(self, look: Look) -> None:
        changed = look.zoom != self.look.zoom
        self.look = look
        self._apply()
        if changed:
            self.zoomed.emit(look.zoom)

    def _apply(self) -> None:
        """Brings Qt's view to the look, rounded to whole pixels from the exact value each time."""
        zoom, port = self.look.zoom, self.viewport()
        if self.transform().m11() != zoom:
            self.setTransform(QTransform.fromScale(zoom, zoom))
            self.overlay.zoom = self.under.zoom = zoom
        for bar, middle, size in (
            (self.horizontalScrollBar(), self.look.x, port.width()),
            (self.verticalScrollBar(), self.look.y, port.height()),
        ):
            bar.setValue(round(middle * zoom - size / 2))

    def to_scene(self, at: QPointF) -> tuple[float, float]:
        return self.look.to_scene(at.x(), at.y(), self.viewport().width(), self.viewport().height())

    def to_window(self, x: float, y: float) -> QPointF:
        """The pixel of the viewport at which a point of the drawing is shown."""
        zoom, port = self.look.zoom, self.viewport()
        left, top = (
            round(self.look.x * zoom - port.width() / 2),
            round(self.look.y * zoom - port.height() / 2),
        )
        return QPointF(x * zoom - left, y * zoom - top)

    def zoom_by(self, steps: float, at: QPointF | None = None) -> None:
        """Nearer by some steps of the wheel, about a pixel or the middle."""
        w, h = self.viewport().width(), self.viewport().height()
        px, py = (at.x(), at.y()) if at is not None else (w / 2, h / 2)
        self._fitted = False
        self.set_look(self.look.zoomed(steps, px, py, w, h))

    def fit_all(self) -> None:
        """Shows the whole drawing, and goes on doing so until it is zoomed or moved."""
        self._fit(self.canvas.drawing.bounds)
        self._fitted = True

    def fit_grown(self) -> None:
        """After an edit: shows all again where all was shown and no longer is."""
        if self._fitted and not _inside(self.canvas.drawing.bounds, self.window_place()):
            self.fit_all()

    def fit(self, refs: Iterable[str]) -> None:
        """Shows some things with room around them; the whole drawing when none of them is in it."""
        places = [place for ref in refs for place in self.canvas.places_of(ref)]
        if places:
            place = around(places)
            self._fit(place.grown(max(40.0, 0.15 * max(place.w, place.h))))
        else:
            self.fit_all()

    def frame(self, refs: Iterable[str]) -> None:
        """Brings things into sight, and changes nothing when they all are."""
        wanted = list(refs)
        places = [place for ref in wanted for place in self.canvas.places_of(ref)]
        if places and not _inside(around(places), self.window_place()):
            place = around(places)
            if (
                place.w * self.zoom < self.viewport().width()
                and place.h * self.zoom < self.viewport().height()
            ):
                self._fitted = False
                self.set_look(Look(place.cx, place.cy, self.zoom))
            else:
                self.fit(wanted)

    def _fit(self, place: Place) -> None:
        port = self.viewport()
        if port.width() < 40 or port.height() < 40:
            return
        self._fitted = False
        self.set_look(fitting(place, port.width(), port.height(), FIT_MOST, foot=self.foot))

    def window_place(self) -> Place:
        """The part of the drawing that is seen."""
        x, y = self.to_scene(QPointF(0, 0))
        return Place(x, y, self.viewport().width() / self.zoom, self.viewport().height() / self.zoom)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._fitted:
            self.fit_all()
        else:
            self._apply()

    def keep_look(self, look: Look) -> None:
        """Shows exactly this, also after the view is laid out."""
        self._fitted = False
        self.set_look(look)

    # ---- tools

    @property
    def tool(self) -> Tool | None:
        return self._tool

    def set_tool(self, tool: Tool) -> None:
        """Takes another tool in hand; what the old one was doing is dropped."""
        if self._tool is not None:
            self._tool.cancel()
        self._tool = tool
        self.viewport().setCursor(tool.cursor)
        tool.start()
        self.tool_changed.emit(tool.name)

    def pointer(self, event: QMouseEvent | QPointF, modifiers: Qt.KeyboardModifier | None = None) -> Pointer:
        at = event if isinstance(event, QPointF) else event.position()
        keys = (
            modifiers
            if modifiers is not None
            else event.modifiers()
            if isinstance(event, QMouseEvent)
            else None
        )
        x, y = self.to_scene(at)
        return Pointer(x, y, at, keys or Qt.KeyboardModifier.NoModifier)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        pan = event.button() == Qt.MouseButton.MiddleButton or (
            self._space and event.button() == Qt.MouseButton.LeftButton
        )
        if pan or (
            self._tool is not None and self._tool.pans and event.button() == Qt.MouseButton.LeftButton
        ):
            self._panning = event.position()
            self.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        elif event.button() == Qt.MouseButton.LeftButton and self._tool is not None:
            self._tool.press(self.pointer(event))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._panning is not None:
            moved = event.position() - self._panning
            self._panning = event.position()
            self._fitted = False
            self.set_look(self.look.panned(moved.x(), moved.y()))
        elif self._tool is not None:
            held = bool(event.buttons() & Qt.MouseButton.LeftButton)
            (self._tool.drag if held else self._tool.hover)(self.pointer(event))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._panning is not None and event.button() in (
            Qt.MouseButton.MiddleButton,
            Qt.MouseButton.LeftButton,
        ):
            self._panning = None
            self._show_cursor()
        elif event.button() == Qt.MouseButton.LeftButton and self._tool is not None:
            self._tool.release(self.pointer(event))
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._tool is not None:
            self._tool.double_click(self.pointer(event))
        event.accept()

    def _show_cursor(self) -> None:
        hand = Qt.CursorShape.OpenHandCursor if self._space else None
        self.viewport().setCursor(hand or (self._tool.cursor if self._tool else Qt.CursorShape.ArrowCursor))

    def wheelEvent(self, event: QWheelEvent) -> None:
        steps = event.angleDelta().y() / 120.0
        if steps:
            self.zoom_by(steps, event.position())
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        if self._tool is not None:
            self._tool.leave()
        super().leaveEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if self._tool is None or self._tool.busy:
            return
        ref = self._tool.ref_at(self.pointer(QPointF(event.pos())))
        self.menu_wanted.emit(event.globalPos(), ref)
        event.accept()

    # ---- keys

    def event(self, event: QEvent) -> bool:
        # Tab turns the pattern of a gesture in hand; otherwise it moves the focus, as everywhere.
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            tab = event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
            if tab and self._tool is not None and self._tool.busy and self._tool.key(event):
                return True
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and self._wants(event)
        ):
            event.accept()
            return True
        return super().event(event)

    def _wants(self, event: QKeyEvent) -> bool:
        """Keys that belong to the gesture in hand, before any shortcut of the window."""
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Escape, Qt.Key.Key_Space)
        return event.key() == Qt.Key.Key_Space or (
            self._tool is not None and self._tool.busy and event.key() in keys
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = True
            self._show_cursor()
        elif self._tool is not None and self._tool.key(event):
            pass
        elif not self._own_key(event):
            event.ignore()
            return
        event.accept()

    def _own_key(self, event: QKeyEvent) -> bool:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() == Qt.Key.Key_F:
            if shift or self._tool is None:
                self.fit_all()
            else:
                self.fit(self._tool.selected())
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(1)
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom_by(-1)
        else:
            return False
        return True

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
            self._show_cursor()
            event.accept()
        else:
            event.ignore()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent) and self._tool is not None:
            self._tool.tip(self.pointer(QPointF(event.pos())))
            return True
        return super().viewportEvent(event)

    # ---- drops from the palette

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(PART_MIME) and self._tool is not None:
            event.acceptProposedAction()
            self._tool.drop_over(_part_of(event), self.pointer(event.position(), event.modifiers()))
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        if event.mimeData().hasFormat(PART_MIME) and self._tool is not None:
            self._tool.drop_over(_part_of(event), self.pointer(event.position(), event.modifiers()))
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        if self._tool is not None:
            self._tool.drop_left()
        event.accept()

    def dropEvent(self, event: QDropEvent) -> None:
        if event.mimeData().hasFormat(PART_MIME) and self._tool is not None:
            self._tool.dropped(_part_of(event), self.pointer(event.position(), event.modifiers()))
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            event.acceptProposedAction()
        else:
            event.ignore()


def _part_of(event: QDropEvent) -> str:
    return bytes(event.mimeData().data(PART_MIME).data()).decode("utf-8", errors="replace")


def _inside(place: Place, window: Place) -> bool:
    return (
        place.x >= window.x
        and place.right <= window.right
        and place.y >= window.y
        and place.bottom <= window.bottom
    )
