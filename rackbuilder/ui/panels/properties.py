"""The properties dock: what is selected, with the grade and source next to each number; a click edits."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QMenu,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.catalog.parts import Part
from rackbuilder.commands.devices import SetProperty
from rackbuilder.commands.marks import ClearOverride, SetOverride
from rackbuilder.ui import pictures
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.icons import paint_grade
from rackbuilder.ui.models import ROW_ROLE, Column, Index, RowsModel
from rackbuilder.ui.panels.property_rows import Properties, PropertyRow, properties
from rackbuilder.ui.panels.tables import PaintedDelegate, RowsTable
from rackbuilder.ui.theme import MARK, ROW_PROPERTIES, SECONDARY, colour, current, font

_LABEL, _VALUE, _GRADE, _SOURCE = range(4)


class _Rows(RowsModel[PropertyRow]):
    """Property rows; the value of a field or figure can be typed over."""

    def __init__(self, document: Document) -> None:
        super().__init__(
            (
                Column("Property", lambda r: r.label),
                Column("Value", lambda r: r.value, right=True, tip=lambda r: r.tip or r.value),
                Column("", lambda r: "", tip=lambda r: f"{r.mark}: {r.source}"),
                Column("Source", lambda r: r.source, tip=lambda r: r.tip or r.source),
            )
        )
        self._document = document
        self.refs: tuple[str, ...] = ()

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row(index)
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        editable = row is not None and index.column() == _VALUE and bool(row.field or row.override)
        return base | Qt.ItemFlag.ItemIsEditable if editable else base

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is not None and role == Qt.ItemDataRole.EditRole:
            return row.raw
        if row is not None and role == Qt.ItemDataRole.FontRole:
            return font(
                12,
                semibold=row.bold and index.column() == _LABEL,
                italic=row.mark == "unknown" and index.column() == _VALUE,
            )
        if role == Qt.ItemDataRole.ForegroundRole and index.column() != _VALUE:
            theme = current()
            return colour(theme.text3 if index.column() == _SOURCE else theme.text2)
        return super().data(index, role)

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.row(index)
        if row is None or role != Qt.ItemDataRole.EditRole or str(value) == row.raw:
            return False
        text = str(value).strip()
        if row.field:
            return self._document.do(SetProperty(refs=self.refs, field=row.field, value=text))
        if not text:
            return self._document.do(ClearOverride(key=row.override))
        try:
            number: float | str = float(text)
        except ValueError:
            number = text
        return self._document.do(
            SetOverride(key=row.override, value=number, reason="typed in the properties")
        )


class _Grade(PaintedDelegate):
    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        box = QRectF(option.rect)
        paint_grade(
            painter, QRectF(box.center().x() - MARK / 2, box.center().y() - MARK / 2, MARK, MARK), row.mark
        )


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
    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.title, self.subtitle, self.picture = QLabel(), QLabel(), _Picture()
        self.title.setFont(font(semibold=True))
        self.subtitle.setFont(font(SECONDARY))
        self.subtitle.setWordWrap(True)
        self.model = _Rows(document)
        self.table = RowsTable(self.model, (118, 0, 22, 96))
        self.table.setAccessibleName("Properties")
        self.table.horizontalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW_PROPERTIES)
        self.table.horizontalHeader().setSectionResizeMode(_VALUE, QHeaderView.ResizeMode.Stretch)
        triggers = self.table.EditTrigger
        self.table.setEditTriggers(
            triggers.DoubleClicked | triggers.EditKeyPressed | triggers.SelectedClicked
        )
        self._delegate = _Grade(self.table)
        self.table.setItemDelegateForColumn(_GRADE, self._delegate)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._menu)
        self._lay_out()
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.refresh)
        for signal in (document.selection.changed, document.changed, document.reported, document.replaced):
            signal.connect(self._later.start)
        self.refresh()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(12, 8, 12, 2)
        head.addWidget(self.picture)
        head.addWidget(self.title)
        head.addWidget(self.subtitle, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.table)

    def refresh(self) -> None:
        """Shows what is selected now, if it is shown at all."""
        document = self._document
        if self.table.state() == self.table.State.EditingState:
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

    def _menu(self, place: QPoint) -> None:
        index = self.table.indexAt(place)
        row = self.model.row(index)
        if row is None or not row.bold:
            return
        menu = QMenu(self)
        menu.addAction(
            "Reset to the catalog's figure", lambda: self._document.do(ClearOverride(key=row.override))
        )
        menu.popup(self.table.viewport().mapToGlobal(place))
