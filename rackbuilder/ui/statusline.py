"""The status bar: what the design amounts to, and whether it is saved."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from rackbuilder.analysis.report import Report
from rackbuilder.errors import Severity
from rackbuilder.ui import numbers
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.icons import paint_severity
from rackbuilder.ui.panels.problems import counts, problem_rows
from rackbuilder.ui.theme import SECONDARY, STATUS_BAR, colour, current, font


def figures(report: Report) -> list[str]:
    """The figures left to right, each with its unit; what is not known yet is left out."""
    words = []
    if report.compiled:
        words.append(f"{numbers.count(report.compiled.counts.gpus)} GPUs")
        sizes = sorted(report.compiled.counts.nvlink_domains)
        if sizes:
            words.append(f"{' and '.join(map(str, sizes[:3]))} per NVLink domain")
    if report.capacity and report.capacity.hops_median is not None:
        words.append(f"hops {report.capacity.hops_median} median, {report.capacity.hops_max} max")
    ratios = (
        [f.leaf_ratio for f in report.capacity.fabrics.values() if f.leaf_ratio] if report.capacity else []
    )
    if ratios:
        words.append(f"leaf {max(ratios):.3g}:1")
    if report.power and report.power.max_w.value:
        least = "at least " if report.power.max_w.at_least else ""
        words.append(f"{least}{numbers.power(report.power.max_w.value)}")
    return words


class SeverityCount(QWidget):
    """A shape and a number."""

    def __init__(self, severity: Severity) -> None:
        super().__init__()
        self._severity = severity
        self._count = 0
        self.setFixedSize(36, STATUS_BAR - 4)

    def show_count(self, count: int) -> None:
        self._count = count
        self.setAccessibleName(f"{count} {self._severity}s")
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current()
        paint_severity(painter, QRectF(2, self.height() / 2 - 6, 12, 12), self._severity, theme)
        painter.setPen(colour(theme.text2))
        painter.setFont(font(SECONDARY))
        painter.drawText(
            QRectF(18, 0, 20, self.height()), Qt.AlignmentFlag.AlignVCenter, numbers.count(self._count)
        )
        painter.end()


class StatusLine(QWidget):
    """Fills the status bar; `problem_clicked` asks for the problems panel."""

    problem_clicked = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._figures = QLabel()
        self._figures.setFont(font(SECONDARY))
        self._state = QLabel()
        self._state.setFont(font(SECONDARY))
        self._marks: dict[Severity, SeverityCount] = {
            s: SeverityCount(s) for s in ("error", "warning", "note")
        }
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(10)
        row.addWidget(self._figures)
        for mark in self._marks.values():
            row.addWidget(mark)
        row.addStretch(1)
        row.addWidget(self._state)
        self.setFixedHeight(STATUS_BAR)
        for signal in (document.reported, document.changed, document.replaced, document.saved):
            signal.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        self._figures.setText("   |   ".join(figures(self._document.report)))
        rows = problem_rows(self._document)
        for severity, count in counts(rows).items():
            self._marks[severity].show_count(count)
        self._save_state()

    def _save_state(self) -> None:
        session = self._document.session
        problem = session.journal.problem if session.journal else None
        ink = current().error if problem else current().text2
        palette = self._state.palette()
        palette.setColor(palette.ColorRole.WindowText, colour(ink))
        self._state.setPalette(palette)
        if problem:
            self._state.setText(problem.what)
            self._state.setToolTip(problem.text())
            return
        results = "results are older than the design" if self._document.stale else "results current"
        saved = (
            "unsaved changes, recovery copy kept"
            if session.dirty
            else "saved"
            if session.path
            else "new design"
        )
        self._state.setText(f"{results} · {saved}")
        self._state.setToolTip("")

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.problem_clicked.emit()
        super().mouseReleaseEvent(event)
