"""The base of the painted widgets: a fixed height, links by mouse and keyboard, stale and missing states.

A subclass says what it draws and which boxes are links. Height never depends on state, so that nothing jumps.
"""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from rackbuilder.ui.theme import current
from rackbuilder.ui.widgets.data import Run, Runs, as_runs, plain
from rackbuilder.ui.widgets.paint import Look, draw_focus, draw_unknown
from rackbuilder.ui.widgets.runs import Hot, draw_runs, hot_boxes, wrap

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Painted(QWidget):
    """A widget that draws plain data with the theme that is on."""

    linkActivated = Signal(str)
    linkHovered = Signal(str)
    """The ref under the cursor, empty when it left."""

    bar_height = 18.0
    """Of the hatched bar that stands for a missing value."""
    link_reasons: tuple[Qt.FocusReason, ...] = (
        Qt.FocusReason.ActiveWindowFocusReason,
        Qt.FocusReason.OtherFocusReason,
        Qt.FocusReason.ShortcutFocusReason,
    )
    """Ways of getting the focus, besides Tab, that put it on the first link."""

    def __init__(self, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFixedHeight(height)
        self.setMinimumWidth(120)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self.stale = False
        self._message: tuple[Run, ...] = ()
        self._hatched = False
        self._focused = -1
        self._pressed = ""
        self._hovered = ""

    # ---- what a subclass says -----------------------------------------------------------------------------------

    def draw(self, painter: QPainter, look: Look) -> None:
        """Draws the content; not called while a message stands in its place."""
        raise NotImplementedError

    def links(self) -> list[Hot]:
        """The links of the content, in reading order."""
        return []

    def words(self) -> str:
        """The content for a screen reader."""
        return ""

    def tip_at(self, point: QPointF) -> str:
        """What a tip says at a point; empty for none."""
        del point
        return ""

    # ---- states ---------------------------------------------------------------------------------------------------

    def set_stale(self, stale: bool) -> None:
        """Grey while a new result is computed: the old numbers stay readable, and are not taken for current."""
        if stale != self.stale:
            self.stale = stale
            self.refresh()

    def set_missing(self, runs: Runs | str, hatched: bool = True) -> None:
        """In place of the content: a hatched bar and what is needed. Without the bar where no value is expected."""
        message = as_runs(runs)
        if (message, hatched) != (self._message, self._hatched):
            self._message, self._hatched = message, hatched
            self.refresh()

    def set_empty(self, runs: Runs | str) -> None:
        """In place of the content: why there is none, possibly with a link ("No price book. *Load*")."""
        self.set_missing(runs, hatched=False)

    @property
    def missing(self) -> bool:
        return bool(self._message)

    def refresh(self) -> None:
        """After any change of data: repaint, and tell the screen reader."""
        words = plain(self._message) if self._message else self.words()
        self.setAccessibleName(f"{words} (being computed again)" if self.stale else words)
        if self._focused >= len(self._hot()):
            self._focused = -1
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if self._hot() else Qt.FocusPolicy.NoFocus)
        self.update()

    def take(self, name: str, value: object) -> None:
        """Sets one field of content and shows it; what is shown already costs nothing."""
        if self._message or getattr(self, name) != value:
            setattr(self, name, value)
            self.show_content()

    def show_content(self) -> None:
        """Takes a message away; setters of data call it."""
        self._message = ()
        self.refresh()

    # ---- Qt ---------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(352, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        look = Look(current(), self.stale)
        if self._message:
            self._draw_message(painter, look)
        else:
            self.draw(painter, look)
        if self.hasFocus() and 0 <= self._focused < len(hot := self._hot()):
            for rect in hot[self._focused].rects:
                draw_focus(painter, rect, look)
        painter.end()

    def _message_origin(self) -> QPointF:
        return QPointF(0, self.bar_height + 4 if self._hatched else -1)

    def _draw_message(self, painter: QPainter, look: Look) -> None:
        if self._hatched:
            draw_unknown(painter, QRectF(0, 0, self.width(), min(self.bar_height, 16)), look)
        lines, _ = wrap(self._message, self.width(), most=2)
        draw_runs(painter, lines, self._message_origin(), 17, look, ink="text2")

    def _hot(self) -> Sequence[Hot]:
        if not self._message:
            return self.links()
        lines, _ = wrap(self._message, self.width(), most=2)
        return hot_boxes(lines, self._message_origin(), 17)

    def _ref_at(self, point: QPointF) -> str:
        return next((hot.ref for hot in self._hot() if hot.holds(point)), "")

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._hover(self._ref_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._hover("")
        super().leaveEvent(event)

    def _hover(self, ref: str) -> None:
        if ref == self._hovered:
            return
        self._hovered = ref
        self.setCursor(Qt.CursorShape.PointingHandCursor if ref else Qt.CursorShape.ArrowCursor)
        self.linkHovered.emit(ref)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = self._ref_at(event.position())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        pressed, self._pressed = self._pressed, ""
        if (
            pressed
            and event.button() == Qt.MouseButton.LeftButton
            and pressed == self._ref_at(event.position())
        ):
            self.linkActivated.emit(pressed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        hot = self._hot()
        if event.key() in (*ENTER, Qt.Key.Key_Space) and 0 <= self._focused < len(hot):
            self.linkActivated.emit(hot[self._focused].ref)
        elif event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Right):
            self._step(1)
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Left):
            self._step(-1)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The keyboard comes to a link, a click to none."""
        reason = event.reason()
        if reason == Qt.FocusReason.BacktabFocusReason:
            self._focus_link(len(self._hot()) - 1)
        elif reason == Qt.FocusReason.TabFocusReason or (reason in self.link_reasons and self._focused < 0):
            self._focus_link(0)
        elif reason == Qt.FocusReason.MouseFocusReason:
            self._focus_link(-1)
        super().focusInEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab walks the links one by one, then goes on to the next widget."""
        return self._step(1 if forward else -1) or super().focusNextPrevChild(forward)

    def _step(self, by: int) -> bool:
        at = self._focused + by
        if not (self.hasFocus() and 0 <= at < len(self._hot())):
            return False
        self._focus_link(at)
        return True

    def _focus_link(self, at: int) -> None:
        self._focused = at
        hot = self._hot()
        self.setAccessibleDescription(f"link: {hot[at].text}" if 0 <= at < len(hot) else "")
        self.update()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), self.tip_at(QPointF(event.pos())), self)
            return True
        return super().event(event)
