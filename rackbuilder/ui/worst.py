"""The bottom line of a small window: counts, the worst problem, its fix; a click opens the list."""

from PySide6.QtCore import QPointF, QRect, QRectF, Signal
from PySide6.QtGui import QMouseEvent, QPainter

from rackbuilder.ui.bridge import Document
from rackbuilder.ui.icons import icon
from rackbuilder.ui.panels.problems import ProblemRow, counts, problem_rows
from rackbuilder.ui.rail import LINE_HEIGHT
from rackbuilder.ui.theme import PADDING, brush
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.counts import counts_text, counts_width, draw_counts
from rackbuilder.ui.widgets.data import Run
from rackbuilder.ui.widgets.paint import Look, draw_line
from rackbuilder.ui.widgets.runs import Hot, Line, draw_runs, hot_boxes, wrap

_FIX, _SHOW, _OPEN = "fix", "show", "open"


class WorstLine(Painted):
    """`fixed` carries the number of the problem in the report; `shown` its refs; `opened` asks for the list."""

    opened = Signal()
    fixed = Signal(int)
    shown = Signal(tuple)

    def __init__(self, document: Document) -> None:
        super().__init__(LINE_HEIGHT)
        self._document = document
        self._worst: ProblemRow | None = None
        self._counts = counts([])
        self.linkActivated.connect(self._follow)
        document.reported.connect(self.reload)
        document.replaced.connect(self.reload)
        self.reload()

    def reload(self) -> None:
        """The worst problem that stands."""
        rows = problem_rows(self._document)
        self._counts = counts(rows)
        self._worst = next((row for row in rows if not row.waived), None)
        self.refresh()

    def words(self) -> str:
        worst = f": {self._worst.problem.what}. {self._worst.problem.fix}" if self._worst else ""
        return counts_text(self._counts) + worst

    def _lines(self) -> list[Line]:
        width = self.width() - self._left() - 30
        if self._worst is None:
            return wrap([Run("No problems")], width, most=1)[0]
        problem = self._worst.problem
        tail = Run("Apply", _FIX) if self._worst.fixable else Run("Show", _SHOW)
        return wrap([Run(f"{problem.what}  {problem.fix}".strip() + "  "), tail], width, most=1)[0]

    def _left(self) -> float:
        return PADDING + counts_width(self._counts)

    def _opener(self) -> QRectF:
        return QRectF(self.width() - 28, 0, 28, LINE_HEIGHT)

    def links(self) -> list[Hot]:
        found = hot_boxes(self._lines(), QPointF(self._left(), 0), LINE_HEIGHT)
        return [*found, Hot(_OPEN, "Show all problems", (self._opener(),))]

    def draw(self, painter: QPainter, look: Look) -> None:
        painter.fillRect(self.rect(), brush(look.theme.panel))
        draw_line(painter, 0, 0, self.width(), look.theme.line)
        draw_counts(painter, QRectF(PADDING, 0, self.width(), LINE_HEIGHT), self._counts, look.theme)
        draw_runs(painter, self._lines(), QPointF(self._left(), 0), LINE_HEIGHT, look)
        icon("up").paint(painter, QRect(self.width() - 22, 9, 12, 12))

    def tip_at(self, point: QPointF) -> str:
        del point
        return self._worst.problem.text() if self._worst else ""

    def _follow(self, what: str) -> None:
        if what == _OPEN or self._worst is None:
            self.opened.emit()
        elif what == _FIX:
            self.fixed.emit(self._worst.number)
        else:
            self.shown.emit(self._worst.problem.refs)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        on_link = bool(self._pressed)
        super().mouseReleaseEvent(event)
        if not on_link:
            self.opened.emit()
