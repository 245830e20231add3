"""What is wrong or worth knowing, worst first; a row selects the culprit, and a fix is one click and one undo step."""

from typing import NamedTuple

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QMenu, QStyleOptionViewItem, QToolButton, QVBoxLayout, QWidget

from rackbuilder.commands.edit import Unwaive, Waive
from rackbuilder.errors import Problem, Severity
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.dialogs.ask import ask_text
from rackbuilder.ui.icons import icon, paint_severity
from rackbuilder.ui.models import ROW_ROLE, Column, Index, RowsModel
from rackbuilder.ui.panels.tables import PaintedDelegate, RowsTable
from rackbuilder.ui.theme import ROW, SECONDARY, current, font
from rackbuilder.ui.widgets import EmptyState

_ORDER = {"error": 0, "warning": 1, "note": 2}
_NO_FIX = -1


class ProblemRow(NamedTuple):
    """A problem with its place in the report, whether it can be fixed at once, and why it was waived."""

    problem: Problem
    number: int
    fixable: bool
    waived: str
    waivable: bool = False


def problem_rows(document: Document) -> list[ProblemRow]:
    """Findings of the report and what the file held unread: errors first, then the wider reach; waived last."""
    report, findings = document.report, document.outcome.findings
    rows = [
        ProblemRow(p, i, i in report.fixable, report.waived.get(i, ""), bool(p.rule) and findings[i].waivable)
        for i, p in enumerate(report.problems)
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
        self.table = RowsTable(self.model, (28, 0, 200, 300, 64), links=(2,), buttons=(4,))
        self.table.share(1, 3)
        self.table.setAccessibleName("Problems")
        self._delegate = _Severity(self.table)
        self.table.setItemDelegateForColumn(0, self._delegate)
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.none = EmptyState("No problems", "The rules have nothing to say about the design as it is.")
        self.fold = QToolButton()
        self.fold.setCheckable(True)
        self.fold.setAutoRaise(True)
        self.fold.setFont(font(SECONDARY))
        self.fold.setFixedHeight(ROW)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.table, 1)
        column.addWidget(self.none, 1)
        column.addWidget(self.fold)
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self.table.linked.connect(self.shown)
        self.table.pressed.connect(self._press)
        self.table.entered.connect(self._go)
        self.table.selectionModel().currentRowChanged.connect(self._select)
        self.table.customContextMenuRequested.connect(self._menu)
        self.fold.toggled.connect(lambda _on: self.refresh())
        self._document.reported.connect(self.refresh)
        self._document.replaced.connect(self.refresh)

    def refresh(self) -> None:
        """Lists again; the row the user is on stays the current one."""
        rows = problem_rows(self._document)
        waived = sum(bool(row.waived) for row in rows)
        kept = self.model.row(self.table.currentIndex())
        self._following = False
        self.model.show(rows if self.fold.isChecked() else [row for row in rows if not row.waived])
        if kept is not None and not self.table.currentIndex().isValid():
            self._stay(kept)
        self._following = True
        self.table.setVisible(bool(self.model.rows))
        self.none.setVisible(not self.model.rows)
        self.fold.setVisible(bool(waived))
        self.fold.setText(f"{waived:,} waived")
        self.fold.setIcon(icon("down" if self.fold.isChecked() else "right"))
        self.counted.emit(counts(rows))

    _following = True

    def _stay(self, kept: ProblemRow) -> None:
        for number, row in enumerate(self.model.rows):
            if (row.problem.rule, row.problem.refs) == (kept.problem.rule, kept.problem.refs):
                self.table.selectRow(number)

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
        """Applies the fix of the current problem; of the first that has one when none is current."""
        rows = self.model.rows
        current_row = self.table.currentIndex().row()
        if current_row < 0:
            current_row = next((n for n, row in enumerate(rows) if row.fixable and not row.waived), -1)
        if 0 <= current_row < len(rows):
            self._press(current_row)

    def _select(self, index: Index) -> None:
        row = self.model.row(index)
        if row and row.problem.refs and self._following:
            self._document.selection.set(row.problem.refs)

    def apply(self, number: int) -> None:
        """Applies the fix of a problem of the report by its number there."""
        fix = self._document.outcome.fix(number)
        if fix is not None and not self._document.stale:
            self._document.do(fix)

    def _press(self, number: int) -> None:
        row = self.model.rows[number]
        if row.fixable and not row.waived:
            self.apply(row.number)
        else:
            self._go(number)

    def _go(self, number: int) -> None:
        self.shown.emit(self.model.rows[number].problem.refs)

    # ---- waiving

    def _menu(self, place: QPoint) -> None:
        index = self.table.indexAt(place)
        if index.isValid():
            self.menu_for(index.row()).popup(self.table.viewport().mapToGlobal(place))

    def menu_for(self, number: int) -> QMenu:
        """What can be done about a problem."""
        row = self.model.rows[number]
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        if row.fixable and not row.waived:
            menu.addAction("Apply the fix", lambda: self.apply(row.number))
        if row.problem.refs:
            menu.addAction("Show", lambda: self.shown.emit(row.problem.refs))
        if row.waived:
            menu.addAction("Take the waiver back", lambda: self.unwaive(row))
        else:
            menu.addAction("Waive …", lambda: self.waive(row)).setEnabled(row.waivable)
        return menu

    def waive(self, row: ProblemRow) -> None:
        """Asks for the reason; without one nothing is waived."""
        reason = ask_text(self, "Waive", f"Why is this accepted? {row.problem.what}", required=True)
        if reason:
            refs = tuple(row.problem.refs)
            self._document.do(Waive(rule=row.problem.rule, refs=refs, reason=reason))

    def unwaive(self, row: ProblemRow) -> None:
        self._document.do(Unwaive(rule=row.problem.rule, refs=tuple(row.problem.refs)))
