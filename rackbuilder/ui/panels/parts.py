"""The palette: every part that can be placed, with search and favourites. Drag, double click or Enter."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QKeyEvent, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import (
    QLabel,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.ui import pictures
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.icons import icon
from rackbuilder.ui.panels.parts_model import Entry, Index, PartsModel, counted_search
from rackbuilder.ui.placing import placeable
from rackbuilder.ui.theme import BODY, CANVAS_MIN, CAPTION, PADDING, SECONDARY, brush, current, font, mix
from rackbuilder.ui.widgets.paint import LEFT, draw_text, fitted, text_width
from rackbuilder.ui.widgets.picker import SearchField

_ITEM, _HEAD, _STAR = 44, 26, 22
_TEXT = 48
"""Where the words of an item begin."""


class _Delegate(QStyledItemDelegate):
    """Paints a heading, or picture, name and figures."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        model = index.model()
        assert isinstance(model, PartsModel)
        entry = model.entry(index)
        return QSize(100, _ITEM if entry and entry.part else _HEAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, PartsModel)
        entry = model.entry(index)
        theme = current()
        box = QRectF(option.rect)
        if entry is None:
            return
        if entry.part is None:
            draw_text(
                painter, box.adjusted(PADDING, 6, -4, 0), entry.heading, theme.text2, CAPTION, LEFT, True
            )
            return
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if chosen or over:
            fill = theme.selection_fill if chosen else mix(theme.panel, theme.text, 0.05)
            painter.fillRect(box, brush(fill))
        picture = QRectF(box.x() + 8, box.center().y() - 11, pictures.WIDTH, pictures.HEIGHT)
        pictures.paint_part(painter, picture, entry.part, theme)
        self._texts(painter, box.adjusted(_TEXT, 3, -4, -4), entry, chosen or over or entry.star)

    def _texts(self, painter: QPainter, box: QRectF, entry: Entry, star: bool) -> None:
        theme, half = current(), box.height() / 2
        top = box.adjusted(0, 0, -_STAR if star else 0, -half)
        name = entry.name if text_width(entry.name, font(BODY)) <= top.width() else entry.short
        draw_text(painter, top, name, theme.text, BODY)
        if star:
            icon("star", "accent" if entry.star else "line2").paint(painter, star_box(box).toRect())
        line = box.adjusted(0, half, 0, 0)
        sizes = (SECONDARY, CAPTION, CANVAS_MIN)
        size = next((s for s in sizes if text_width(entry.line, font(s)) <= line.width()), CANVAS_MIN)
        draw_text(painter, line, fitted(entry.line, font(size), line.width(), middle=True), theme.text2, size)


def star_box(box: QRectF) -> QRectF:
    """Where the star of an item stands, within its words."""
    return QRectF(box.right() - 17, box.top() + 2, 14, 14)


class PartsList(QListView):
    """Drags with the part's picture under the cursor; a click on a star makes a favourite, or no longer one."""

    starred = Signal(str)
    entered_part = Signal(str)
    menu_wanted = Signal(QPoint, str)

    def __init__(self, model: PartsModel) -> None:
        super().__init__()
        self.setModel(model)
        self._model = model
        self.setItemDelegate(_Delegate(self))
        self.setAccessibleName("Parts")
        self.setDragEnabled(True)
        self.setMouseTracking(True)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._menu)

    def part_at(self, index: Index) -> str:
        entry = self._model.entry(index)
        return entry.part.id if entry and entry.part else ""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        box = QRectF(self.visualRect(index)).adjusted(_TEXT, 3, -4, -4)
        if self.part_at(index) and star_box(box).adjusted(-4, -4, 4, 4).contains(event.position()):
            self.starred.emit(self.part_at(index))
        super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.part_at(self.currentIndex()):
            self.entered_part.emit(self.part_at(self.currentIndex()))
        else:
            super().keyPressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        part = self.part_at(self.indexAt(event.position().toPoint()))
        if part and event.button() == Qt.MouseButton.LeftButton:
            self.entered_part.emit(part)

    def _menu(self, place: QPoint) -> None:
        part = self.part_at(self.indexAt(place))
        if part:
            self.menu_wanted.emit(self.viewport().mapToGlobal(place), part)

    def startDrag(self, _actions: Qt.DropAction) -> None:
        entry = self._model.entry(self.currentIndex())
        if entry is None or entry.part is None:
            return
        drag = QDrag(self)
        drag.setMimeData(self._model.mimeData([self.currentIndex()]))
        ratio = self.devicePixelRatioF()
        pixmap = QPixmap(QSize(pictures.WIDTH, pictures.HEIGHT) * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        whole = QRect(0, 0, pictures.WIDTH, pictures.HEIGHT)
        pictures.paint_part(painter, QRectF(whole), entry.part, current())
        painter.end()
        drag.setPixmap(pixmap)
        drag.exec(Qt.DropAction.CopyAction)


class PartsPanel(QWidget):
    """The palette. `placed` asks to place so many of a part at once; `picked` says which one the place tool uses."""

    placed = Signal(str, int)
    picked = Signal(str)
    starred = Signal(tuple)
    """All favourites, after one was added or taken away."""

    def __init__(self, document: Document, favourites: Sequence[str] = ()) -> None:
        super().__init__()
        self._document = document
        self._favourites = tuple(favourites)
        self._used: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self.search = SearchField("Part, vendor, speed")
        self.search.setToolTip("Enter places the first part found; “4 x” before a name places four")
        self.model = PartsModel()
        self.list = PartsList(self.model)
        self.none = QLabel("No part is called so.")
        self.none.setContentsMargins(PADDING, 8, PADDING, 8)
        self.none.setWordWrap(True)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 8, 0, 0)
        column.setSpacing(4)
        inner = QVBoxLayout()
        inner.setContentsMargins(PADDING, 0, PADDING, 4)
        inner.addWidget(self.search)
        column.addLayout(inner)
        column.addWidget(self.none)
        column.addWidget(self.list, 1)
        self.setFocusProxy(self.search)
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self.search.textChanged.connect(self.refresh)
        self.search.returnPressed.connect(self._place_first)
        self.search.installEventFilter(self)
        self.list.entered_part.connect(lambda part: self.placed.emit(part, 1))
        self.list.starred.connect(self._star)
        self.list.menu_wanted.connect(self._menu)
        self.list.selectionModel().currentChanged.connect(self._pick)
        self._document.replaced.connect(self.refresh)
        self._document.changed.connect(self._changed)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and down move in the list while the search keeps the keyboard."""
        keys = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in keys:
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def refresh(self) -> None:
        """Lists again: another document, favourites or search text."""
        design = self._document.design
        self._used = self._state()
        parts = placeable(design, self._document.catalog)
        used = [p for p in parts if design.indexes.users.get(p.id)]
        kept = self.list.part_at(self.list.currentIndex())
        _, words = counted_search(self.search.text())
        self.model.show(parts, used, self._favourites, words)
        index = self.model.first_part() if words else self.model.row_of(kept)
        if index.isValid():
            self.list.setCurrentIndex(index)
        self.none.setVisible(not self.model.rowCount())
        self.list.setVisible(bool(self.model.rowCount()))

    def set_favourites(self, favourites: Sequence[str]) -> None:
        """Favourites as the settings have them now."""
        if tuple(favourites) != self._favourites:
            self._favourites = tuple(favourites)
            self.refresh()

    def _star(self, part: str) -> None:
        there = part in self._favourites
        kept = tuple(p for p in self._favourites if p != part)
        self.starred.emit(kept if there else (*kept, part))

    def _menu(self, place: QPoint, part: str) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction("Place", lambda: self.placed.emit(part, 1))
        starred = part in self._favourites
        menu.addAction("No longer a favourite" if starred else "Favourite", lambda: self._star(part))
        menu.popup(place)

    def _changed(self) -> None:
        if self._state() != self._used:
            self.refresh()

    def _state(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What the rows depend on besides search and favourites: the parts there are, and those in use."""
        design = self._document.design
        return tuple(design.parts), tuple(part for part, users in design.indexes.users.items() if users)

    def _place_first(self) -> None:
        count, _ = counted_search(self.search.text())
        index = self.list.currentIndex()
        part = self.list.part_at(index if index.isValid() else self.model.first_part())
        if part:
            self.placed.emit(part, count)

    def _pick(self, index: Index) -> None:
        if self.list.part_at(index):
            self.picked.emit(self.list.part_at(index))
