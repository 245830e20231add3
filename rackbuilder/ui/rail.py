"""Small windows: a rail of icons whose panels fly out over the canvas, and one line with the worst problem."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.errors import Severity
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.icons import icon
from rackbuilder.ui.panels.problems import ProblemRow, counts, problem_rows
from rackbuilder.ui.statusline import SeverityCount
from rackbuilder.ui.theme import SECONDARY, brush, current, font, pen

RAIL_WIDTH, FLYOUT_WIDTH, LINE_HEIGHT = 44, 300, 29


class RailPanel(NamedTuple):
    """What a button of the rail shows: beside the rail, or along the bottom."""

    title: str
    icon: str
    widget: QWidget
    wide: bool = False


class FlyOut(QFrame):
    """One panel over the canvas; Esc or a click on its button closes it."""

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self.title = QLabel()
        self.title.setFont(font(semibold=True))
        self.title.setContentsMargins(12, 6, 12, 2)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(0)
        self._column.addWidget(self.title)
        self.panel: RailPanel | None = None
        parent.installEventFilter(self)
        self.hide()

    def open(self, panel: RailPanel) -> None:
        self.give_back()
        self.panel = panel
        self.title.setText(panel.title)
        self._column.addWidget(panel.widget, 1)
        panel.widget.show()
        self._place()
        self.show()
        self.raise_()
        panel.widget.setFocus()

    def give_back(self) -> QWidget | None:
        """Takes the panel out, so that a dock can have it again."""
        if self.panel is None:
            return None
        widget, self.panel = self.panel.widget, None
        self._column.removeWidget(widget)
        widget.setParent(None)
        self.hide()
        self.closed.emit()
        return widget

    def _place(self) -> None:
        size = self.parentWidget().size()
        if self.panel is not None and self.panel.wide:
            height = min(300, size.height() // 2)
            self.setGeometry(0, size.height() - height - LINE_HEIGHT, size.width(), height)
        else:
            self.setGeometry(0, 0, min(FLYOUT_WIDTH, size.width()), size.height() - LINE_HEIGHT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.give_back()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current()
        painter.setPen(pen(theme.line2))
        painter.setBrush(brush(theme.panel))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


class Rail(QToolBar):
    """The icons at the left. Panels are handed in when the window becomes small, and handed back when it grows."""

    def __init__(self, centre: QWidget) -> None:
        super().__init__("Panels")
        self.setObjectName("rail")
        self.setMovable(False)
        self.setOrientation(Qt.Orientation.Vertical)
        self.setFixedWidth(RAIL_WIDTH)
        self.setIconSize(QSize(16, 16))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.flyout = FlyOut(centre)
        self.flyout.closed.connect(self._uncheck)
        self._buttons: dict[str, QToolButton] = {}
        self._panels: Mapping[str, RailPanel] = {}

    def take(self, panels: Mapping[str, RailPanel]) -> None:
        """Shows a button for each panel."""
        self._panels = panels
        for name, panel in panels.items():
            if name not in self._buttons:
                button = QToolButton()
                button.setIcon(icon(panel.icon))
                button.setToolTip(panel.title)
                button.setAccessibleName(panel.title)
                button.setCheckable(True)
                button.setFixedSize(36, 36)
                button.clicked.connect(lambda checked=False, n=name: self.toggle(n, checked))
                self.addWidget(button)
                self._buttons[name] = button

    def toggle(self, name: str, on: bool) -> None:
        """Opens one panel, or closes it."""
        if on:
            self.flyout.open(self._panels[name])
            self._buttons[name].setChecked(True)
        else:
            self.flyout.give_back()

    def release(self) -> None:
        """Closes what is open: the docks take their panels back."""
        self.flyout.give_back()

    def _uncheck(self) -> None:
        for button in self._buttons.values():
            button.setChecked(False)


class WorstLine(QWidget):
    """Counts, the worst problem, its fix; a click opens the problems."""

    opened = Signal()
    fixed = Signal(int)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._worst: ProblemRow | None = None
        self.setFixedHeight(LINE_HEIGHT)
        self._marks: dict[Severity, SeverityCount] = {
            s: SeverityCount(s) for s in ("error", "warning", "note")
        }
        self._what, self._fix = QLabel(), QLabel()
        self._apply = QToolButton()
        self._apply.setText("Apply")
        self._apply.clicked.connect(lambda: self.fixed.emit(self._worst.number) if self._worst else None)
        self._open = QToolButton()
        self._open.setIcon(icon("up"))
        self._open.setAccessibleName("Show problems")
        self._open.clicked.connect(self.opened)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        for mark in self._marks.values():
            row.addWidget(mark)
        for label in (self._what, self._fix):
            label.setFont(font(SECONDARY))
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            row.addWidget(label, 1)
        row.addWidget(self._apply)
        row.addWidget(self._open)
        document.reported.connect(self.refresh)
        document.replaced.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        rows = problem_rows(self._document)
        for severity, count in counts(rows).items():
            self._marks[severity].show_count(count)
        self._worst = next((row for row in rows if not row.waived), None)
        self._what.setText(self._worst.problem.what if self._worst else "No problems")
        self._fix.setText(self._worst.problem.fix if self._worst else "")
        self._apply.setVisible(bool(self._worst and self._worst.fixable))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.opened.emit()
        super().mouseReleaseEvent(event)
