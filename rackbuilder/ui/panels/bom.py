"""The bill of materials as it stands, and the points still open before an order."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QListWidget, QVBoxLayout, QWidget

from rackbuilder.analysis.results import Bom, BomLine
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.models import Column, RowsModel
from rackbuilder.ui.panels.tables import RowsTable
from rackbuilder.ui.theme import CAPTION, SECONDARY, font
from rackbuilder.ui.widgets import EmptyState

_COLUMNS = (
    Column("Section", lambda r: r.section),
    Column("Scope", lambda r: r.scope),
    Column("Part", lambda r: r.name),
    Column("Order number", lambda r: r.part_number or "not known"),
    Column("Quantity", lambda r: f"{r.quantity:,}", lambda r: r.quantity, right=True),
    Column("Unit", lambda r: r.unit),
    Column("Evidence", lambda r: r.grade),
    Column("Used by", lambda r: r.used_by),
    Column("Note", lambda r: r.note),
)


class BomPanel(QWidget):
    """The table left, open points right; a summary line above says when the bill is only a lower bound."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.model: RowsModel[BomLine] = RowsModel(_COLUMNS)
        self.table = RowsTable(self.model, (72, 76, 0, 130, 66, 92, 66, 150, 110))
        self.table.share(2, 3, 7, 8)
        self.table.setSortingEnabled(True)
        self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self.table.setAccessibleName("Bill of materials")
        self.summary = QLabel()
        self.summary.setFont(font(SECONDARY))
        self._shown: list[str] = []
        self.points = QListWidget()
        self.points.setAccessibleName("Open points")
        self.points.setFrameShape(QListWidget.Shape.NoFrame)
        self.points.setWordWrap(True)
        head = QLabel("Open points before ordering")
        head.setFont(font(CAPTION, semibold=True))
        self.points.viewport().setAutoFillBackground(False)
        right = QVBoxLayout()
        right.addWidget(head)
        right.addWidget(self.points)
        left = QVBoxLayout()
        left.addWidget(self.summary)
        left.addWidget(self.table)
        self.body = QWidget()
        self.none = EmptyState("Nothing to order yet", "Place servers, switches and racks, and cable them.")
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.body)
        outer.addWidget(self.none)
        row = QHBoxLayout(self.body)
        row.setContentsMargins(12, 6, 8, 0)
        row.setSpacing(12)
        row.addLayout(left, 3)
        row.addLayout(right, 1)
        document.reported.connect(self.refresh)
        document.replaced.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        bom = self._document.report.bom
        self.model.show(bom.lines if bom else ())
        self.body.setVisible(bool(self.model.rows))
        self.none.setVisible(not self.model.rows)
        self.summary.setText(summary(bom))
        points = list(bom.open_points) if bom else []
        if points != self._shown:
            self._shown = points
            self.points.clear()
            self.points.addItems(points)


def summary(bom: Bom | None) -> str:
    """“41 lines · 2,044 links · at least: 12 links have no part yet”."""
    if bom is None:
        return "No result yet"
    words = [f"{len(bom.lines):,} lines", f"{bom.cable_count:,} links"]
    if bom.links_without_part:
        words.append(f"at least: {bom.links_without_part:,} links have no part yet")
    elif bom.at_least:
        words.append("at least: see the open points")
    return " · ".join(words)
