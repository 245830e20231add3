"""Panels that share a place: a strip of tabs as the title of a dock, and the panels behind it.

One panel alone is a plain title. The title and the stack are two widgets, so that a dock can take the one as its
title bar and the other as its content, and a fly-out can put both into one column.
"""

from collections.abc import Mapping

from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QTabBar, QWidget

from rackbuilder.errors import Severity
from rackbuilder.ui.icons import icon
from rackbuilder.ui.theme import BODY, DOCK_TITLE, SECONDARY, brush, current, font, mix
from rackbuilder.ui.widgets.button import PaintedButton
from rackbuilder.ui.widgets.counts import counts_text, counts_width, draw_counts
from rackbuilder.ui.widgets.paint import LEFT, RIGHT, draw_box, draw_frame, draw_line, draw_text, text_width

SIDE = 10


class TabStrip(QTabBar):
    """Flat tabs: the chosen one on the colour of its panel under a line of accent; counts by severity beside a name."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: dict[str, Mapping[Severity, int]] = {}
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(DOCK_TITLE)

    @property
    def alone(self) -> bool:
        return self.count() == 1

    def set_counts(self, index: int, counts: Mapping[Severity, int]) -> None:
        """Shapes and numbers right of a tab's name; a severity without any is left out."""
        text = self.tabText(index)
        if not text or self._counts.get(text) == counts:
            return
        self._counts[text] = dict(counts)
        self.setTabToolTip(index, f"{text}: {counts_text(counts)}")
        self.setAccessibleTabName(index, f"{text}, {counts_text(counts)}")
        self.setTabText(index, text)  # the bar measures its tabs again
        self.update()

    def _of(self, index: int) -> Mapping[Severity, int]:
        return self._counts.get(self.tabText(index), {})

    def tabSizeHint(self, index: int) -> QSize:
        counts = counts_width(self._of(index))
        width = 2 * SIDE + text_width(self.tabText(index), font(BODY, semibold=True)) + counts
        return QSize(int(width) + 2, DOCK_TITLE)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), brush(current().window))
        for index in range(self.count()):
            self._draw_tab(painter, index)
        painter.end()

    def _draw_tab(self, painter: QPainter, index: int) -> None:
        theme, box = current(), QRectF(self.tabRect(index))
        chosen = index == self.currentIndex() and not self.alone
        if chosen:
            painter.fillRect(box, brush(theme.panel))
            painter.fillRect(QRectF(box.x(), box.y(), box.width(), 2), brush(theme.accent))
            for x in (box.left(), box.right() - 1):
                painter.fillRect(QRectF(x, box.y() + 2, 1, box.height() - 2), brush(theme.line))
        else:
            draw_line(painter, box.bottom() - 1, box.left(), box.right(), theme.line)
        strong = chosen or self.alone
        ink = theme.text if strong else theme.text2
        place = box.adjusted(SIDE, 0, -2, -1)
        draw_text(painter, place, self.tabText(index), ink, BODY, LEFT, semibold=strong)
        x = place.left() + text_width(self.tabText(index), font(BODY, semibold=True)) + 8
        draw_counts(
            painter, QRectF(x, place.top(), place.right() - x, place.height()), self._of(index), theme
        )
        if chosen and self.hasFocus():
            draw_frame(painter, box.adjusted(3, 4, -3, -3), theme.accent, 3, width=1.5)


class TitleButton(PaintedButton):
    """A small icon in a title; seen while the cursor is over the title, or while it has the focus."""

    def __init__(self, name: str, what: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon: QIcon = icon(name, "text2")
        self.setToolTip(what)
        self.setAccessibleName(what)
        self.setFixedSize(20, 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        title = self.parentWidget()
        if not (self.hasFocus() or (title is not None and title.underMouse())):
            return
        painter = QPainter(self)
        theme = current()
        if self.underMouse() or self.hasFocus():
            draw_box(painter, QRectF(self.rect()), mix(theme.window, theme.text, 0.1), 3)
        self._icon.paint(painter, self.rect().adjusted(4, 4, -4, -4))
        painter.end()


class TabTitle(QWidget):
    """Title bar of a dock: tabs or a name left, the state of what is shown right. Dragged, it moves the dock."""

    floated = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.strip = TabStrip(self)
        self._status, self._short, self._progress = "", "", False
        self.setFixedHeight(DOCK_TITLE)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.buttons = (
            TitleButton("link", "Detach this panel, or put it back", self),
            TitleButton("close", "Hide this panel", self),
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 4, 0)
        row.setSpacing(0)
        row.addWidget(self.strip)
        row.addStretch(1)
        for button, signal in zip(self.buttons, (self.floated, self.closed), strict=True):
            button.clicked.connect(lambda _=False, s=signal: s.emit())
            row.addWidget(button)

    def set_status(self, status: str, progress: bool = False, short: str = "") -> None:
        """Right of the tabs; `progress` shows the line of work going on, `short` stands where there is little room."""
        self._status, self._short, self._progress = status, short, progress
        self.setAccessibleName(status)
        self.setToolTip(status)
        self.update()

    @property
    def status(self) -> str:
        return self._status

    @property
    def working(self) -> bool:
        return self._progress

    def set_detachable(self, on: bool) -> None:
        """A fly-out has no buttons of a dock."""
        for button in self.buttons:
            button.setVisible(on)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, DOCK_TITLE)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        painter.fillRect(self.rect(), brush(theme.window))
        draw_line(painter, self.height() - 1, 0, self.width(), theme.line)
        hover = 44 if self.underMouse() and self.buttons[0].isVisible() else 0
        left = self.strip.geometry().right() + 8
        room = QRectF(left, 0, self.width() - SIDE - hover - left, self.height() - 1)
        full = text_width(self._status, font(SECONDARY)) <= room.width() or not self._short
        status = self._status if full else self._short
        shown = min(text_width(status, font(SECONDARY)), room.width())
        draw_text(painter, room, status, theme.text2, SECONDARY, RIGHT)
        if self._progress and room.width() - shown > 76:
            line = QRectF(room.right() - shown - 72, room.center().y() - 2, 64, 4)
            draw_box(painter, line, theme.track, 2)
            draw_box(painter, QRectF(line.x(), line.y(), 26, 4), theme.accent, 2)
        painter.end()


class PanelTabs(QObject):
    """Panels behind one title. `chosen` carries the panel the user or a program brought to the front."""

    chosen = Signal(QWidget)

    def __init__(self, shelf: QWidget, *panels: tuple[str, QWidget]) -> None:
        """`shelf` owns what is in no place for the moment, so that it goes with its window."""
        super().__init__(shelf)
        self._shelf = shelf
        self.title = TabTitle(shelf)
        self.stack = QStackedWidget(shelf)
        self.title.strip.currentChanged.connect(self._show)
        for text, panel in panels:
            self.add(text, panel)

    def add(self, text: str, panel: QWidget) -> None:
        """Adds a panel at the end, or does nothing when it is here already."""
        if self.stack.indexOf(panel) < 0:
            self.stack.addWidget(panel)
            self.title.strip.addTab(text)

    def remove(self, panel: QWidget) -> None:
        """Takes a panel out, unhurt; nothing when it is not here."""
        index = self.stack.indexOf(panel)
        if index >= 0:
            self.title.strip.removeTab(index)
            self.stack.removeWidget(panel)
            self.put_away(panel)

    def put_away(self, *widgets: QWidget) -> None:
        """Out of sight until somebody takes them: a panel, or title and stack themselves."""
        for widget in widgets:
            widget.hide()
            widget.setParent(self._shelf)

    def __contains__(self, panel: object) -> bool:
        return isinstance(panel, QWidget) and self.stack.indexOf(panel) >= 0

    @property
    def current(self) -> QWidget | None:
        return self.stack.currentWidget()

    def index(self, panel: QWidget) -> int:
        return self.stack.indexOf(panel)

    def bring(self, panel: QWidget) -> None:
        """Brings a panel to the front."""
        self.title.strip.setCurrentIndex(self.stack.indexOf(panel))

    def _show(self, index: int) -> None:
        if 0 <= index < self.stack.count():
            self.stack.setCurrentIndex(index)
            self.chosen.emit(self.stack.currentWidget())
