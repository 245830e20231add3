"""The middle of the window: the start page, or a view of the document; in a huge window a second view beside it."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from rackbuilder.ui.bridge import Document
from rackbuilder.ui.start import StartPage
from rackbuilder.ui.views import FabricView, FloorView, RackView, ServerView, TableView, View
from rackbuilder.ui.widgets import Banner
from rackbuilder.ui.worst import WorstLine

_KINDS: Mapping[str, Callable[[Document], View]] = {
    "fabric": FabricView,
    "racks": RackView,
    "floor": FloorView,
    "server": ServerView,
    "table": TableView,
}
VIEW_NAMES = tuple(_KINDS)


class Centre(QWidget):
    """Makes each view when it is first shown: `made` is called with its name and the view."""

    def __init__(self, document: Document, made: Callable[[str, View], None]) -> None:
        super().__init__()
        self._document, self._made = document, made
        self.views: dict[str, View] = {}
        self._second: dict[str, View] = {}
        self._split = self._map = False
        self.banner = Banner("note", "")
        self.banner.hide()
        self.start = StartPage(document)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.start)
        self.beside = QStackedWidget()
        self.beside.hide()
        self.worst = WorstLine(document)
        self.worst.hide()
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.stack)
        self.splitter.addWidget(self.beside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self.splitter, 1)
        column.addWidget(self.worst)

    def _make(self, name: str) -> View:
        view = _KINDS[name](self._document)
        self._document.changed.connect(view.follow_event)
        self._document.reported.connect(view.follow_report)
        self._document.replaced.connect(view.follow_document)
        view.set_minimap(self._map)
        self._made(name, view)
        return view

    def view(self, name: str) -> View:
        """A view by its name. Raises KeyError for another name."""
        if name not in self.views:
            self.views[name] = self._make(name)
            self.stack.addWidget(self.views[name])
        return self.views[name]

    @property
    def shown(self) -> View | None:
        """The view in sight; None on the start page. Of two, the one that has the focus."""
        second = self.beside.currentWidget()
        holders = [w for w in (QApplication.focusWidget(),) if w is not None]
        if isinstance(second, View) and second.isVisible() and any(map(second.isAncestorOf, holders)):
            return second
        shown = self.stack.currentWidget()
        return shown if isinstance(shown, View) else None

    @property
    def all_views(self) -> list[View]:
        return [*self.views.values(), *self._second.values()]

    def show_view(self, name: str) -> View:
        view = self.view(name)
        self.stack.setCurrentWidget(view)
        self._show_beside(name)
        return view

    def show_start(self) -> None:
        self.stack.setCurrentWidget(self.start)
        self.beside.hide()

    def set_room(self, minimap: bool, split: bool) -> None:
        """Whether there is room for the map of a drawing, and for a second view: racks beside all others."""
        self._map, self._split = minimap, split
        for view in self.all_views:
            view.set_minimap(minimap)
        name = next((n for n, v in self.views.items() if v is self.stack.currentWidget()), "")
        if name:
            self._show_beside(name)

    def _show_beside(self, name: str) -> None:
        self.beside.setVisible(self._split)
        if not self._split:
            return
        other = "fabric" if name == "racks" else "racks"
        if other not in self._second:
            self._second[other] = self._make(other)
            self.beside.addWidget(self._second[other])
        self.beside.setCurrentWidget(self._second[other])
        half = self.splitter.width() // 2
        self.splitter.setSizes([half, half])
