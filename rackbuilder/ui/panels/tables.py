"""A table as every panel shows one: rows of 24, no grid, links in the link colour, a click on a link selects."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from rackbuilder.ui.models import REFS_ROLE, Index, RowsModel
from rackbuilder.ui.theme import CAPTION, ROW, colour, current, font


class LinkDelegate(QStyledItemDelegate):
    """Text that selects something, drawn as a link."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        face = font()
        if index.data(Qt.ItemDataRole.DisplayRole):
            face = type(face)(face)
            face.setUnderline(True)
        option.font = face
        option.palette.setColor(option.palette.ColorRole.Text, colour(current().link))


class RowsTable(QTableView):
    """A RowsModel on screen. `linked` gives the refs of a clicked link; `pressed` the row of a clicked button."""

    linked = Signal(tuple)
    pressed = Signal(int)
    entered = Signal(int)
    """The row on which Enter was pressed."""

    def __init__(
        self,
        model: RowsModel,  # type: ignore[type-arg]
        widths: tuple[int, ...],
        links: tuple[int, ...] = (),
        buttons: tuple[int, ...] = (),
    ) -> None:
        super().__init__()
        self._links, self._buttons = links, buttons
        self._shares: tuple[int, ...] = ()
        self._delegate = LinkDelegate(self)
        self.setModel(model)
        model.modelReset.connect(self._divide)
        self.setShowGrid(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setWordWrap(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(ROW)
        self.verticalHeader().setMinimumSectionSize(ROW)
        head = self.horizontalHeader()
        head.setFont(font(CAPTION, semibold=True))
        head.setHighlightSections(False)
        head.setFixedHeight(ROW)
        head.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.viewport().setAutoFillBackground(False)
        for column, width in enumerate(widths):
            if width:
                self.setColumnWidth(column, width)
            else:
                head.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        for column in (*links, *buttons):
            self.setItemDelegateForColumn(column, self._delegate)

    def share(self, *columns: int) -> None:
        """These columns divide the width that is left: the first has what it asks for, up to half, the rest in turn."""
        self._shares = columns
        for column in columns:
            self.horizontalHeader().setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
        self._divide()

    def _divide(self) -> None:
        if not self._shares:
            return
        head = self.horizontalHeader()
        fixed = sum(head.sectionSize(c) for c in range(head.count()) if c not in self._shares)
        room = max(self.viewport().width() - fixed, 60 * len(self._shares))
        wishes = [max(self.sizeHintForColumn(c) + 12, head.sectionSizeHint(c), 60) for c in self._shares]
        first = min(wishes[0], room // 2) if len(wishes) > 1 else room
        total = max(sum(wishes[1:]), 1)
        head.resizeSection(self._shares[0], max(first, room - total))
        left = room - max(first, room - total)
        for column, wish in zip(self._shares[1:], wishes[1:], strict=True):
            head.resizeSection(column, int(left * wish / total))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._divide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        editing = self.state() == self.State.EditingState
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not editing:
            index = self.currentIndex()
            if index.isValid() and not index.flags() & Qt.ItemFlag.ItemIsEditable:
                self.entered.emit(index.row())
                return
        super().keyPressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        hand = index.column() in (*self._links, *self._buttons) and bool(index.data())
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and index.data():
            self._click(index)

    def _click(self, index: QModelIndex) -> None:
        if index.column() in self._links:
            self.linked.emit(index.data(REFS_ROLE))
        elif index.column() in self._buttons:
            self.pressed.emit(index.row())


class PaintedDelegate(QStyledItemDelegate):
    """Base for a cell that paints itself over the usual background."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        super().paint(painter, option, index)
        painter.save()
        self.draw(painter, option, index)
        painter.restore()

    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        raise NotImplementedError
