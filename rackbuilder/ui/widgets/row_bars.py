"""Rows of a label, a bar and a text: hops between GPU pairs, the busiest links."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from rackbuilder.ui.numbers import UNKNOWN
from rackbuilder.ui.theme import SECONDARY, font
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.data import Row, Run
from rackbuilder.ui.widgets.paint import RIGHT, Look, draw_box, draw_text, draw_unknown, fitted, text_width
from rackbuilder.ui.widgets.runs import Hot, Line, draw_runs, hot_boxes, wrap

LEAST_BAR = 48.0


class RowBars(Painted):
    """A fixed number of rows; fewer leave room, more end with a count. Bars begin and end alike in all rows."""

    def __init__(
        self,
        rows: int = 5,
        row_height: int = 18,
        bar_height: int = 8,
        track: bool = False,
        columns: tuple[float, float] = (0.45, 0.85),
        parent: QWidget | None = None,
    ) -> None:
        """`columns`: where the bars begin and end, as parts of the width, if labels and texts leave them there."""
        super().__init__(rows * row_height + 1, parent)
        self._most = rows
        self._row = row_height
        self._bar = bar_height
        self._track = track
        self._columns = columns
        self._rows: tuple[Row, ...] = ()

    def set_rows(self, rows: Sequence[Row]) -> None:
        self.take("_rows", tuple(rows))

    def words(self) -> str:
        return ", ".join(f"{row.label} {_text(row)}" for row in self._rows)

    def tip_at(self, point: QPointF) -> str:
        at = int((point.y() - 1) // self._row)
        return f"{self._rows[at].label}: {_text(self._rows[at])}" if 0 <= at < len(self._shown()) else ""

    def _shown(self) -> tuple[Row, ...]:
        return self._rows[: self._most]

    def _extent(self) -> tuple[float, float]:
        """Where bars begin and end: as pictured, moved where a label or a text needs more, within reason."""
        width = float(self.width())
        labels = max((text_width(row.label, font(SECONDARY)) for row in self._rows), default=0.0)
        texts = max((text_width(_text(row), font(SECONDARY)) for row in self._rows), default=0.0)
        end = min(width * self._columns[1], width - texts - 8)
        start = min(max(width * self._columns[0], labels + 8), end - LEAST_BAR)
        return round(start), round(end)

    def _label_box(self, at: int, start: float) -> QRectF:
        return QRectF(0, 1 + at * self._row, start - 8, self._row)

    def links(self) -> list[Hot]:
        start, _ = self._extent()
        found: list[Hot] = []
        for at, row in enumerate(self._shown()):
            if row.ref is not None:
                box = self._label_box(at, start)
                found += hot_boxes(self._label(row, box.width()), box.topLeft(), self._row)
        return found

    @staticmethod
    def _label(row: Row, width: float) -> list[Line]:
        return wrap([Run(fitted(row.label, font(SECONDARY), width, middle=True), row.ref)], 1e6)[0]

    def draw(self, painter: QPainter, look: Look) -> None:
        start, end = self._extent()
        for at, row in enumerate(self._shown()):
            box = self._label_box(at, start)
            draw_runs(painter, self._label(row, box.width()), box.topLeft(), self._row, look, ink="text2")
            bar = QRectF(start, round(box.center().y() - self._bar / 2), end - start, self._bar)
            self._draw_bar(painter, look, row, bar)
            ink = "error" if row.error else "text2" if row.share is None else "text"
            text = QRectF(end + 4, box.top(), self.width() - end - 4, self._row)
            draw_text(painter, text, _text(row), look.ink(ink), align=RIGHT, italic=row.share is None)

    def _draw_bar(self, painter: QPainter, look: Look, row: Row, bar: QRectF) -> None:
        if row.share is None:
            draw_unknown(painter, bar, look)
            return
        if self._track:
            draw_box(painter, bar, look.track)
        if row.share > 0:
            width = min(max(bar.width() * row.share, 2.0), bar.width())
            token = row.colour or look.theme.load_colour(row.share) or "idle"
            draw_box(painter, QRectF(bar.left(), bar.top(), width, bar.height()), look.fill(token))


def _text(row: Row) -> str:
    return UNKNOWN if row.share is None else row.text
