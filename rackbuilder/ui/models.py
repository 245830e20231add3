"""Thin read-only table models over plain rows: no truth of their own."""

from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

Row = TypeVar("Row")
Index = QModelIndex | QPersistentModelIndex
REFS_ROLE = Qt.ItemDataRole.UserRole + 1
ROW_ROLE = Qt.ItemDataRole.UserRole + 2
_NO_PARENT = QModelIndex()


class Column(NamedTuple):
    """One column: its head, the text of a row, what sorts it, and whether figures stand right."""

    title: str
    text: Callable[[Any], str]
    key: Callable[[Any], Any] | None = None
    right: bool = False
    tip: Callable[[Any], str] | None = None


class RowsModel(QAbstractTableModel, Generic[Row]):
    """Rows of one kind in columns. `refs` tells what a row selects."""

    def __init__(self, columns: Sequence[Column], refs: Callable[[Row], Sequence[str]] | None = None) -> None:
        super().__init__()
        self._columns = tuple(columns)
        self._refs = refs
        self._rows: tuple[Row, ...] = ()
        self._sorted: tuple[int, Qt.SortOrder] | None = None

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._rows

    def show(self, rows: Sequence[Row]) -> None:
        """Replaces all rows, keeping the order the user chose; equal rows change nothing."""
        new = tuple(rows)
        if self._sorted:
            new = self._in_order(new)
        if new == self._rows:
            return
        self.beginResetModel()
        self._rows = new
        self.endResetModel()

    def row(self, index: Index) -> Row | None:
        return self._rows[index.row()] if index.isValid() and index.row() < len(self._rows) else None

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._sorted = (column, order)
        self.layoutAboutToBeChanged.emit()
        self._rows = self._in_order(self._rows)
        self.layoutChanged.emit()

    def _in_order(self, rows: tuple[Row, ...]) -> tuple[Row, ...]:
        assert self._sorted
        column, order = self._sorted
        if not 0 <= column < len(self._columns):
            return rows
        key = self._columns[column].key or self._columns[column].text
        return tuple(sorted(rows, key=key, reverse=order == Qt.SortOrder.DescendingOrder))

    def rowCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _NO_PARENT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:  # noqa: ANN401
        if orientation != Qt.Orientation.Horizontal or section >= len(self._columns):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if self._columns[section].right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:  # noqa: ANN401
        row = self.row(index)
        if row is None:
            return None
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return (column.tip or column.text)(row)
        if role == Qt.ItemDataRole.TextAlignmentRole and column.right:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == REFS_ROLE:
            return tuple(self._refs(row)) if self._refs else ()
        return row if role == ROW_ROLE else None
