"""Menus and shortcuts from ACTIONS: one QAction each, with the handler the window gives it."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QActionGroup, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QMenuBar, QWidget

from rackbuilder.ui.actions import ACTIONS, MENUS, Action, action
from rackbuilder.ui.icons import icon
from rackbuilder.ui.theme import brush, current

Handler = Callable[[], object]


class MenuBar(QMenuBar):
    """With one line below all of it, where the style draws pieces."""

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.fillRect(0, self.height() - 2, self.width(), 2, brush(current().window))
        painter.fillRect(0, self.height() - 1, self.width(), 1, brush(current().line))
        painter.end()


class Actions:
    """The window's QActions by id. An action without a handler is a bug and is refused at the start."""

    def __init__(self, window: QMainWindow, canvas: QWidget, handlers: Mapping[str, Handler]) -> None:
        missing = sorted({a.id for a in ACTIONS} ^ set(handlers))
        if missing:
            raise KeyError(f"actions and handlers differ: {', '.join(missing)}")
        self._window = window
        window.setMenuBar(MenuBar())
        self._all: dict[str, QAction] = {}
        self.menus: dict[str, QMenu] = {name: window.menuBar().addMenu(name) for name in MENUS}
        for item in ACTIONS:
            self._all[item.id] = self._make(item, canvas, handlers[item.id])
            self.menus[item.menu].addAction(self._all[item.id])
        self.recent = QMenu("Open recent", window)
        self.menus["File"].insertMenu(self._all["file.save"], self.recent)
        self._exclusive("view.fabric", "view.racks", "view.floor", "view.server", "view.table")
        self._exclusive("view.system", "view.light", "view.dark")
        self._exclusive("tool.select", "tool.place", "tool.cable", "tool.pan")

    def __getitem__(self, identity: str) -> QAction:
        return self._all[identity]

    def items(self) -> Iterable[tuple[str, QAction]]:
        return self._all.items()

    def name(self, identity: str, text: str) -> None:
        """Another text for an action: what would be undone."""
        if self._all[identity].text() != text:
            self._all[identity].setText(text)
            item = action(identity)
            self._all[identity].setToolTip(_tip(item, item.tip if text == item.text and item.tip else text))

    def check(self, identity: str) -> None:
        """Marks one of an exclusive group without running it."""
        self._all[identity].setChecked(True)

    def _make(self, item: Action, canvas: QWidget, handler: Handler) -> QAction:
        made = (
            QAction(icon(item.icon), item.text, self._window)
            if item.icon
            else QAction(item.text, self._window)
        )
        made.setObjectName(item.id)
        made.setCheckable(item.checkable)
        made.setToolTip(_tip(item, item.tip or item.text))
        if item.shortcut:
            made.setShortcut(QKeySequence(item.shortcut))
        made.triggered.connect(lambda _checked=False: handler())
        if item.canvas_only:
            # A single letter acts only while the canvas has the focus: in a field it is text.
            made.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            canvas.addAction(made)
        else:
            self._window.addAction(made)
        return made

    def _exclusive(self, *ids: str) -> None:
        group = QActionGroup(self._window)
        for identity in ids:
            group.addAction(self._all[identity])


def _tip(item: Action, text: str) -> str:
    """“Save the design  Ctrl+S”."""
    key = QKeySequence(item.shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    return f"{text}  {key}" if key else text
