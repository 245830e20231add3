"""What is wrong or worth knowing, worst first; a row selects the culprit, and a fix is one click and one undo step."""

from typing import NamedTuple

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QVBoxLayout, QWidget

from rackbuilder.errors import Problem, Severity
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.icons import paint_severity
from rackbuilder.ui.models import ROW_ROLE, Column, Index, RowsModel
from rackbuilder.ui.panels.tables import PaintedDelegate, RowsTable
from rackbuilder.ui.theme import current

_ORDER = {"error": 0, "warning": 1, "note": 2}
_NO_FIX = -1


class ProblemRow(NamedTuple):
    """A problem with its place in the report, whether it can be fixed at once, and why it was waived."""

    problem: Problem
    number: int
    fixable: bool
    waived: str


def problem_rows(document: Document) -> list[ProblemRow]:
    """Findings of the report and what the file held unread: errors first, then the wider reach; waived last."""
    report = document.report
    rows = [
        ProblemRow(p, i, i in report.fixable, report.waived.get(i, "")) for i, p in enumerate(report.problems)
    ]
    rows += [ProblemRow(p, _NO_FIX, False, "") for p in document.unread()]
    return sorted(
        rows, key=lambda r: (bool(r.waived), _ORDER[r.problem.severity], -len(r.problem.refs), r.problem.what)
    )


def counts(rows: list[ProblemRow]) -> dict[Severity, int]:
    """Open problems by severity; waived ones do not count."""
    result: dict[Severity, int] = {"error": 0, "warning": 0, "note": 0}
    for row in rows:
        if not row.waived:
            result[row.problem.severity] += 1
    return result


class _Severity(PaintedDelegate):
    def draw(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        box = QRectF(option.rect)
        mark = QRectF(box.center().x() - 6, box.center().y() - 6, 12, 12)
        paint_severity(painter, mark, row.problem.severity, current(), bool(row.waived))


_COLUMNS = (
    Column("", lambda r: "", lambda r: _ORDER[r.problem.severity], tip=lambda r: r.problem.severity),
    Column("Problem", lambda r: r.problem.what, tip=lambda r: r.problem.text()),
    Column("Where", lambda r: r.problem.where or ", ".join(r.problem.refs[:3])),
    Column("Fix", lambda r: f"waived: {r.waived}" if r.waived else r.problem.fix),
    Column("", lambda r: "Apply" if r.fixable and not r.waived else "Show" if r.problem.refs else ""),
)


class ProblemsPanel(QWidget):
    """The problems dock. `shown` asks to select and frame refs; `counted` tells the numbers for the tab."""

    shown = Signal(tuple)
    counted = Signal(dict)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.model: RowsModel[ProblemRow] = RowsModel(_COLUMNS, lambda r: r.problem.refs)
        self.table = RowsTable(self.model, (28, 0, 240, 300, 64), links=(2,), buttons=(4,))
        self.table.setAccessibleName("Problems")
        self._delegate = _Severity(self.table)
        self.table.setItemDelegateForColumn(0, self._delegate)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.table)
        self.table.linked.connect(self.shown)
        self.table.pressed.connect(self._press)
        self.table.selectionModel().currentRowChanged.connect(self._select)
        document.reported.connect(self.refresh)
        document.replaced.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        rows = problem_rows(self._document)
        self.model.show(rows)
        self.counted.emit(counts(rows))

    def next(self) -> None:
        """Goes to the next problem, after the last to the first (F8)."""
        total = len(self.model.rows)
        if not total:
            return
        row = (self.table.currentIndex().row() + 1) % total
        self.table.selectRow(row)
        self.table.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.shown.emit(self.model.rows[row].problem.refs)

    def apply_fix(self) -> None:
        """Applies the fix of the current problem, if it has one."""
        if self.table.currentIndex().isValid():
            self._press(self.table.currentIndex().row())

    def _select(self, index: Index) -> None:
        row = self.model.row(index)
        if row and row.problem.refs:
            self._document.selection.set(row.problem.refs)

    def apply(self, number: int) -> None:
        """Applies the fix of a problem of the report by its number there."""
        fix = self._document.outcome.fix(number)
        if fix is not None and not self._document.stale:
            self._document.do(fix)

    def _press(self, number: int) -> None:
        row = self.model.rows[number]
        fix = self._document.outcome.fix(row.number) if row.fixable else None
        if fix is not None and not self._document.stale:
            self._document.do(fix)
        else:
            self.shown.emit(row.problem.refs)
