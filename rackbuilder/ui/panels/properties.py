"""The properties dock: what is selected, with the grade and source next to each number; a click edits."""

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    QTimer,
)
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.catalog.parts import Part
from rackbuilder.commands.devices import SetProperty
from rackbuilder.commands.marks import ClearOverride, SetOverride
from rackbuilder.ui import pictures
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.dialogs.why import WhyDialog
from rackbuilder.ui.icons import paint_grade
from rackbuilder.ui.models import ROW_ROLE, Column, Index, RowsModel
from rackbuilder.ui.panels.property_rows import Properties, PropertyRow, properties
from rackbuilder.ui.panels.tables import LinkDelegate, PaintedDelegate, RowsTable
from rackbuilder.ui.theme import CAPTION, MARK, ROW_PROPERTIES, SECONDARY, colour, current, font
from rackbuilder.ui.widgets.label import Elided

_LABEL, _VALUE, _GRADE, _SOURCE = range(4)
RESET = "Reset"


class PropertyModel(RowsModel[PropertyRow]):
    """Property rows; the value of a field or figure can be typed over."""

    def __init__(self, document: Document) -> None:
        super().__init__(
            (
                Column("Property", lambda r: r.label),
                Column("Value", lambda r: r.value, right=True, tip=lambda r: r.tip or r.value),
                Column("", lambda r: "", tip=lambda r: f"{r.mark}: {r.source}. A click says more."),
                Column("Source", lambda r: RESET if r.bold else r.source, tip=lambda r: r.tip or r.source),
            )
        )
        self._document = document
        self.refs: tuple[str, ...] = ()

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row(index)
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        editable = row is not None and index.column() == _VALUE and row.editable
        return base | Qt.ItemFlag.ItemIsEditable if editable else base

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is not None and role == Qt.ItemDataRole.EditRole:
            return row.raw
        if row is not None and role == Qt.ItemDataRole.FontRole:
            return self._face(row, index.column())
        if row is not None and role == Qt.ItemDataRole.ForegroundRole:
            return self._ink(row, index.column())
        if row is not None and role == Qt.ItemDataRole.AccessibleTextRole and index.column() == _GRADE:
            return row.mark
        return super().data(index, role)

    @staticmethod
    def _face(row: PropertyRow, column: int) -> object:
        size = CAPTION if column == _SOURCE else SECONDARY
        unknown = row.mark == "unknown" and column == _VALUE
        return font(size, semibold=row.bold and column == _LABEL, italic=unknown)

    @staticmethod
    def _ink(row: PropertyRow, column: int) -> object:
        theme = current()
        if column == _SOURCE:
            return colour(theme.link if row.bold else theme.text3)
        return colour(theme.text if column == _VALUE else theme.text2)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row(index)
        if row is None or role != Qt.ItemDataRole.EditRole or str(value) == row.raw:
            return False
        text = str(value).strip()
        if row.field:
            return self._document.do(SetProperty(refs=self.refs, field=row.field, value=text))
        return self.reset(row) if not text else self._override(row, text)

    def _override(self, row: PropertyRow, text: str) -> bool:
        """One step for all selected; the first refusal ends it."""
        try:
            return all(
                self._document.do(
                    SetOverride(key=key, value=text, reason="typed in the properties"), _gesture(row)
                )
                for key in row.overrides
            )
        finally:
            self._document.session.history.close_gesture()

    def reset(self, row: PropertyRow) -> bool:
        """Back to the figures of the parts."""
        there = [key for key in row.overrides if key in self._document.design.tables["overrides"]]
        done = [self._document.do(ClearOverride(key=key), _gesture(row)) for key in there]
        self._document.session.history.close_gesture()
        return bool(done) and all(done)


def _gesture(row: PropertyRow) -> str:
    return f"properties/{row.label}"


class _Grade(PaintedDelegate):
    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        box = QRectF(option.rect)
        paint_grade(
            painter, QRectF(box.center().x() - MARK / 2, box.center().y() - MARK / 2, MARK, MARK), row.mark
        )


class _Source(LinkDelegate):
    """The word “Reset” is a link, a source is not."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        if index.data() == RESET:
            super().initStyleOption(option, index)
        else:
            QStyledItemDelegate.initStyleOption(self, option, index)


class _Value(QStyledItemDelegate):
    """A line to type in, or a choice where the values are few."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        row = index.data(ROW_ROLE)
        if not row.choices:
            return super().createEditor(parent, option, index)
        box = QComboBox(parent)
        box.addItems(list(row.choices))
        box.activated.connect(lambda _at: self._chosen(box))
        return box

    def _chosen(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        if isinstance(editor, QComboBox):
            editor.setCurrentText(str(index.data(Qt.ItemDataRole.EditRole)))
        else:
            super().setEditorData(editor, index)

    def setModelData(
        self, editor: QWidget, model: QAbstractItemModel, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        if isinstance(editor, QComboBox):
            model.setData(index, editor.currentText())
        else:
            super().setModelData(editor, model, index)


class _Picture(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.part: Part | None = None
        self.setFixedSize(QSize(pictures.WIDTH, pictures.HEIGHT))

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.part is not None:
            painter = QPainter(self)
            pictures.paint_part(painter, QRectF(self.rect()), self.part, current())
            painter.end()


class PropertiesPanel(QWidget):
    """Follows the selection; with nothing selected it tells of the whole design."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.title, self.subtitle, self.picture = QLabel(), Elided(), _Picture()
        self.title.setFont(font(semibold=True))
        self.subtitle.setFont(font(SECONDARY))
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.model = PropertyModel(document)
        self.table = RowsTable(self.model, (132, 0, 22, 84))
        self.table.setAccessibleName("Properties")
        self.table.horizontalHeader().hide()
        self.table.verticalHeader().setMinimumSectionSize(ROW_PROPERTIES)
        self.table.verticalHeader().setDefaultSectionSize(ROW_PROPERTIES)
        self.table.horizontalHeader().setSectionResizeMode(_VALUE, QHeaderView.ResizeMode.Stretch)
        triggers = self.table.EditTrigger
        self.table.setEditTriggers(
            triggers.DoubleClicked
            | triggers.EditKeyPressed
            | triggers.SelectedClicked
            | triggers.AnyKeyPressed
        )
        self._delegates = {
            _VALUE: _Value(self.table),
            _GRADE: _Grade(self.table),
            _SOURCE: _Source(self.table),
        }
        for at, delegate in self._delegates.items():
            self.table.setItemDelegateForColumn(at, delegate)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu)
        self.table.clicked.connect(self._clicked)
        self._lay_out()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.refresh)
        for signal in (document.selection.changed, document.changed, document.reported, document.replaced):
            signal.connect(self._soon)
        self.refresh()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(12, 8, 12, 2)
        head.setSpacing(8)
        head.addWidget(self.picture)
        head.addWidget(self.title)
        head.addWidget(self.subtitle, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        inner = QVBoxLayout()
        inner.setContentsMargins(6, 0, 0, 0)
        inner.addWidget(self.table)
        column.addLayout(inner)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room, sources and labels give way to the values."""
        super().resizeEvent(event)
        wide = self.width() >= 360
        self.table.setColumnWidth(_LABEL, 132 if wide else 108)
        self.table.setColumnWidth(_GRADE, 22 if wide else 18)
        self.table.setColumnWidth(_SOURCE, 84 if wide else 66)

    def _soon(self) -> None:
        self._later.start()

    def showEvent(self, event: object) -> None:
        self._later.start()

    def refresh(self) -> None:
        """Shows what is selected now; an edit in hand is not disturbed, a panel out of sight costs nothing."""
        document = self._document
        if self.table.state() == self.table.State.EditingState or (
            self.title.text() and not self.isVisible()
        ):
            return
        found = properties(document.design, document.graphs, document.report, tuple(document.selection.refs))
        self._show(found)

    def _show(self, found: Properties | None) -> None:
        self.title.setText(found.title if found else "Nothing selected")
        self.subtitle.setText(found.subtitle if found else "")
        self.picture.part = found.part if found else None
        self.picture.setVisible(self.picture.part is not None)
        self.picture.update()
        self.model.refs = found.refs if found else ()
        self.model.show(found.rows if found else ())

    # ---- what can be done with a row

    def _clicked(self, index: QModelIndex) -> None:
        row = self.model.row(index)
        if row is None:
            return
        if index.column() == _SOURCE and row.bold:
            self.model.reset(row)
        elif index.column() == _GRADE:
            self.why(row).open()
        elif index.column() == _VALUE and row.editable:
            self.table.edit(index)

    def explain(self) -> None:
        """Says what the current number is and where it comes from; of the first row when none is current."""
        if not self.model.rows:
            return
        index = self.table.currentIndex()
        if not index.isValid():
            index = self.model.index(0, _VALUE)
            self.table.setCurrentIndex(index)
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        row = self.model.row(index)
        if row is not None:
            self.why(row).open()

    def why(self, row: PropertyRow) -> WhyDialog:
        return WhyDialog(self, self.title.text(), row)

    def _menu(self, place: QPoint) -> None:
        index = self.table.indexAt(place)
        row = self.model.row(index)
        if row is None:
            return
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        if row.editable:
            menu.addAction("Edit", lambda: self.table.edit(self.model.index(index.row(), _VALUE)))
        if row.bold:
            menu.addAction("Reset to the figure of the part", lambda: self.model.reset(row))
        menu.addAction("What is this number", lambda: self.why(row).open())
        menu.popup(self.table.viewport().mapToGlobal(place))
