"""The status bar: what the design amounts to, and whether it is saved."""

import time
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtGui import QPainter

from rackbuilder.analysis.report import Report
from rackbuilder.ui import numbers
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.panels.problems import counts, problem_rows
from rackbuilder.ui.theme import SECONDARY, STATUS_BAR, brush, font
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.counts import counts_text, counts_width, draw_counts
from rackbuilder.ui.widgets.paint import RIGHT, Look, draw_line, draw_text, text_width
from rackbuilder.ui.widgets.runs import Hot

_GAP = 10


class Item(NamedTuple):
    """A figure between its words; the figure is bold."""

    before: str
    figure: str
    after: str = ""

    @property
    def text(self) -> str:
        return " ".join(part for part in self if part)


def figures(report: Report) -> list[Item]:
    """The figures left to right, each with its unit; what is not known yet is left out."""
    return [*_domains(report), *_fabric(report), *_power(report)]


def _domains(report: Report) -> list[Item]:
    if not report.compiled:
        return []
    found = [Item("", numbers.count(report.compiled.counts.gpus), "GPUs")]
    sizes = sorted(report.compiled.counts.nvlink_domains)
    if sizes:
        text = " and ".join(map(str, sizes)) if len(sizes) < 3 else f"{sizes[0]}–{sizes[-1]}"
        found.append(Item("", text, "per NVLink domain"))
    return found


def _fabric(report: Report) -> list[Item]:
    capacity = report.capacity
    if not capacity:
        return []
    found = []
    if capacity.hops_median is not None and capacity.hops_max:
        found.append(Item("hops", f"{capacity.hops_median} median, {capacity.hops_max} max"))
    ratios = [f.leaf_ratio for f in capacity.fabrics.values() if f.leaf_ratio]
    if ratios:
        found.append(Item("leaf", numbers.ratio(max(ratios), 1.0)))
    return found


def _power(report: Report) -> list[Item]:
    power = report.power.max_w if report.power else None
    if power is None or (power.value == 0 and power.exact):
        return []
    if power.value is None:
        return [Item("power", numbers.UNKNOWN)]
    return [Item("at least" if power.at_least else "", numbers.power(power.value))]


def summary(document: Document) -> str:
    """“127 servers · 1 error, 3 warnings”: what the start page says of a file."""
    compiled = document.report.compiled
    if compiled is None:
        return ""
    servers = compiled.counts.servers
    what = (
        f"{servers:,} server{'' if servers == 1 else 's'}" if servers else f"{compiled.counts.racks:,} racks"
    )
    return f"{what} · {counts_text(counts(problem_rows(document)))}"


class StatusLine(Painted):
    """Fills the status bar; `problem_clicked` asks for the problems panel."""

    problem_clicked = Signal()

    def __init__(self, document: Document) -> None:
        super().__init__(STATUS_BAR)
        self._document = document
        self.items: list[Item] = []
        self._counts = counts([])
        self.state, self._trouble = "", ""
        self.linkActivated.connect(lambda _ref: self.problem_clicked.emit())
        for signal in (document.reported, document.late_changed, document.replaced, document.saved):
            signal.connect(self.reload)
        self.reload()

    def reload(self) -> None:
        """Shows the newest figures; what is older than the design for a moment only is not called so."""
        before = (self.items, self._counts, self.state)
        self.items = figures(self._document.report)
        self._counts = counts(problem_rows(self._document))
        journal = self._document.session.journal
        problem = journal.problem if journal else None
        self._trouble = problem.text() if problem else ""
        self.state = problem.what if problem else f"{self._results()} · {self._saved()}"
        if before != (self.items, self._counts, self.state):
            self.refresh()

    @property
    def in_trouble(self) -> bool:
        """The recovery copy cannot be written."""
        return bool(self._trouble)

    def _results(self) -> str:
        document = self._document
        if document.failed:
            return "An analysis failed"
        return "Results are older than the design" if document.late else "Results current"

    def _saved(self) -> str:
        session = self._document.session
        if session.dirty:
            return "unsaved changes, recovery copy kept" if session.journal else "unsaved changes"
        if session.path is None:
            return "new design"
        at = self._document.saved_at
        return f"saved {time.strftime('%H:%M', time.localtime(at))}" if at else "saved"

    # ---- drawing

    def words(self) -> str:
        said = [item.text for item in self.items]
        return ", ".join((*said, counts_text(self._counts), self.state))

    def tip_at(self, point: QPointF) -> str:
        if self._trouble and point.x() > self.width() / 2:
            return self._trouble
        return counts_text(self._counts) if self._count_box().contains(point) else ""

    def _right(self) -> float:
        """Where the state begins: it is never cut for a figure."""
        return self.width() - 12 - text_width(self.state, font(SECONDARY)) - _GAP

    def _places(self) -> list[tuple[Item, float]]:
        """Items that fit, and where; the last ones go first."""
        found, x = [], 10.0
        room = self._right() - counts_width(self._counts, zeros=True) - 2 * _GAP
        for item in self.items:
            width = self._width(item)
            if x + width > room:
                break
            found.append((item, x))
            x += width + 2 * _GAP + 1
        return found

    @staticmethod
    def _width(item: Item) -> float:
        words = [text_width(t, font(SECONDARY)) + 4 for t in (item.before, item.after) if t]
        return sum(words) + text_width(item.figure, font(SECONDARY, semibold=True))

    def _count_box(self) -> QRectF:
        places = self._places()
        x = places[-1][1] + self._width(places[-1][0]) + 2 * _GAP + 1 if places else 10.0
        return QRectF(x, 0, counts_width(self._counts, zeros=True), self.height())

    def links(self) -> list[Hot]:
        return [Hot("problems", counts_text(self._counts), (self._count_box(),))]

    def draw(self, painter: QPainter, look: Look) -> None:
        theme = look.theme
        painter.fillRect(self.rect(), brush(theme.window))
        draw_line(painter, 0, 0, self.width(), theme.line)
        for item, x in self._places():
            self._draw_item(painter, look, item, x)
        draw_counts(painter, self._count_box(), self._counts, theme, zeros=True)
        box = QRectF(self._right(), 0, self.width() - 12 - self._right(), self.height())
        ink = look.ink("error" if self._trouble else "text2")
        draw_text(painter, box, self.state, ink, SECONDARY, RIGHT, semibold=False)

    def _draw_item(self, painter: QPainter, look: Look, item: Item, x: float) -> None:
        for text, strong in ((item.before, False), (item.figure, True), (item.after, False)):
            if not text:
                continue
            width = text_width(text, font(SECONDARY, semibold=strong))
            ink = look.ink("text" if strong else "text2")
            draw_text(painter, QRectF(x, 0, width + 1, self.height()), text, ink, SECONDARY, semibold=strong)
            x += width + 4
        painter.fillRect(QRectF(round(x - 4 + _GAP), 6, 1, self.height() - 12), brush(look.theme.line))
