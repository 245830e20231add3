"""Small windows: a rail of icons whose panels fly out over the canvas."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QToolBar, QVBoxLayout, QWidget

from rackbuilder.ui.icons import icon
from rackbuilder.ui.theme import brush, current, pen
from rackbuilder.ui.widgets.picker import TOOL, ToolButton
from rackbuilder.ui.widgets.tabs import PanelTabs

RAIL_WIDTH, FLYOUT_WIDTH, LINE_HEIGHT = 44, 300, 29


class RailPanel(NamedTuple):
    """What a button of the rail shows: beside the rail, or along the bottom."""

    title: str
    icon: str
    tabs: PanelTabs
    wide: bool = False


class FlyOut(QFrame):
    """Panels over the canvas; Esc or a click on their button closes them."""

    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAutoFillBackground(True)
        self._over = parent
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(1, 1, 1, 1)
        self._column.setSpacing(0)
        self.panel: RailPanel | None = None
        parent.installEventFilter(self)
        self.hide()

    def open(self, panel: RailPanel) -> None:
        self.give_back()
        self.panel = panel
        panel.tabs.title.set_detachable(False)
        self._column.addWidget(panel.tabs.title)
        self._column.addWidget(panel.tabs.stack, 1)
        panel.tabs.title.show()
        panel.tabs.stack.show()
        self._place()
        self.show()
        self.raise_()
        if panel.tabs.current is not None:
            panel.tabs.current.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def give_back(self) -> None:
        """Takes the panels out, so that a dock can have them again."""
        if self.panel is None:
            return
        tabs, self.panel = self.panel.tabs, None
        for widget in (tabs.title, tabs.stack):
            self._column.removeWidget(widget)
        tabs.put_away(tabs.title, tabs.stack)
        self.hide()
        self.closed.emit()

    def _place(self) -> None:
        size = self._over.size()
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
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        self.flyout = FlyOut(centre)
        self.flyout.closed.connect(self._uncheck)
        self.buttons: dict[str, ToolButton] = {}
        self._panels: Mapping[str, RailPanel] = {}

    def take(self, panels: Mapping[str, RailPanel]) -> None:
        """Shows a button for each panel."""
        self._panels = panels
        for name, panel in panels.items():
            if name not in self.buttons:
                action = QAction(icon(panel.icon), panel.title, self)
                action.setCheckable(True)
                action.triggered.connect(lambda checked=False, n=name: self.toggle(n, checked))
                self.buttons[name] = button = ToolButton(action, panel.title)
                button.setFixedSize(RAIL_WIDTH - 8, TOOL)
                self.addWidget(button)

    def toggle(self, name: str, on: bool) -> None:
        """Opens one panel, or closes it."""
        if on:
            self.flyout.open(self._panels[name])
            self.buttons[name].defaultAction().setChecked(True)
        else:
            self.flyout.give_back()

    def release(self) -> None:
        """Closes what is open: the docks take their panels back."""
        self.flyout.give_back()

    def _uncheck(self) -> None:
        for button in self.buttons.values():
            button.defaultAction().setChecked(False)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), brush(current().window))
        painter.fillRect(self.width() - 1, 0, 1, self.height(), brush(current().line))
        painter.end()
