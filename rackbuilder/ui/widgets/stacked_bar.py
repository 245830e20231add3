"""One bar of parts and its legend: traffic by scope, step time by what takes it, cost, heat."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from rackbuilder.ui.numbers import NONE, UNKNOWN
from rackbuilder.ui.theme import CAPTION, SECONDARY, font, mix
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.data import Segment
from rackbuilder.ui.widgets.paint import (
    RIGHT,
    Look,
    draw_box,
    draw_hatch,
    draw_text,
    draw_unknown,
    text_width,
)

ROW_HEIGHT = 17
GAP = 1.5
LEAST = 2.0
"""Width in px of a part that is not zero: a little is not nothing."""


def value_text(segment: Segment) -> str:
    """The value in words; neither a zero nor an unknown value is left to the caller's text."""
    if segment.value is None:
        return UNKNOWN
    return segment.text if segment.value else NONE


class StackedBar(Painted):
    """`legend`: "grid" has two columns, read downwards; "line" has one line of label and value."""

    def __init__(
        self,
        bar_height: int = 18,
        legend_rows: int = 2,
        legend: Literal["grid", "line"] = "grid",
        parent: QWidget | None = None,
    ) -> None:
        rows = 1 if legend == "line" else legend_rows
        super().__init__(bar_height + rows * ROW_HEIGHT + (5 if legend == "grid" else 0), parent)
        self.bar_height = float(bar_height)
        self._rows = rows
        self._grid = legend == "grid"
        self._segments: tuple[Segment, ...] = ()

    def set_segments(self, segments: Sequence[Segment]) -> None:
        self.take("_segments", tuple(segments))

    def words(self) -> str:
        return ", ".join(self._say(segment) for segment in self._segments)

    @staticmethod
    def _say(segment: Segment) -> str:
        return f"{segment.label} {value_text(segment)}" + (" hidden" if segment.hidden else "")

    def tip_at(self, point: QPointF) -> str:
        if point.y() > self.bar_height:
            return "\n".join(map(self._say, self._segments))
        return next(
            (self._say(s) for s, box in self._boxes() if box.left() <= point.x() <= box.right() + GAP), ""
        )

    # ---- the bar --------------------------------------------------------------------------------------------------

    def _boxes(self) -> list[tuple[Segment, QRectF]]:
        """Each part that takes room, with its place; in proportion, but never thinner than can be seen."""
        parts = [(segment, segment.value) for segment in self._segments if segment.value]
        total = sum(value for _, value in parts)
        room = self.width() - GAP * max(len(parts) - 1, 0)
        widths = [max(value / total * room, LEAST) for _, value in parts]
        if widths:
            widths[widths.index(max(widths))] -= sum(widths) - room
        boxes, x = [], 0.0
        for (segment, _), width in zip(parts, widths, strict=True):
            boxes.append((segment, QRectF(x, 0, max(width, 0), self.bar_height)))
            x += width + GAP
        return boxes

    def draw(self, painter: QPainter, look: Look) -> None:
        if any(segment.value is None for segment in self._segments):
            # Without one part the shares of the others are not known either.
            draw_unknown(painter, QRectF(0, 0, self.width(), self.bar_height), look)
        else:
            for segment, box in self._boxes():
                self._draw_part(painter, look, segment, box)
        if self._grid:
            self._draw_grid(painter, look)
        else:
            self._draw_line(painter, look)

    def _draw_part(self, painter: QPainter, look: Look, segment: Segment, box: QRectF) -> None:
        fill = look.fill(segment.colour)
        if segment.hidden:
            draw_box(painter, box, mix(fill, look.theme.panel, 0.6))
            draw_hatch(painter, box, fill, 5.0)
            return
        draw_box(painter, box, fill)
        face = font(CAPTION, semibold=True)
        room = box.width() - 12
        for label in (segment.inside or segment.label, segment.label):
            if self.bar_height >= 16 and text_width(label, face) <= room:
                inner = box.adjusted(6, 0, -4, 0)
                draw_text(painter, inner, label, look.theme.on_fill(fill), CAPTION, semibold=True)
                return

    # ---- the legend -------------------------------------------------------------------------------------------------

    def _entries(self) -> list[Segment]:
        """What fits in the legend: zeros give way first, then the end of the list, which the tip still has."""
        listed = [s for s in self._segments if s.legend and not s.hidden]
        room = self._rows * 2 if self._grid else len(listed)
        if len(listed) > room:
            listed = [s for s in listed if s.value != 0]
        if len(listed) > room:
            rest = len(listed) - room + 1
            listed = [*listed[: room - 1], Segment(f"{rest} more", 1.0, "", "")]
        return listed

    def _draw_grid(self, painter: QPainter, look: Look) -> None:
        column = (self.width() - 12) / 2
        top = self.bar_height + 5
        for at, segment in enumerate(self._entries()):
            left = (at // self._rows) * (column + 12)
            cell = QRectF(left, top + (at % self._rows) * ROW_HEIGHT, column, ROW_HEIGHT)
            self._draw_entry(painter, look, segment, cell)

    def _draw_entry(self, painter: QPainter, look: Look, segment: Segment, cell: QRectF) -> None:
        self._draw_swatch(
            painter, look, segment, QRectF(round(cell.left()), round(cell.center().y() - 4), 9, 9)
        )
        text = value_text(segment)
        unknown = segment.value is None
        used = text_width(text, font(SECONDARY, italic=unknown)) + 6
        ink = look.ink("text2" if unknown else "text")
        draw_text(painter, cell, text, ink, align=RIGHT, italic=unknown)
        place = cell.adjusted(15, 0, -used, 0)
        short = segment.inside and text_width(segment.label, font(SECONDARY)) > place.width()
        draw_text(painter, place, segment.inside if short else segment.label, look.ink("text2"))

    @staticmethod
    def _draw_swatch(painter: QPainter, look: Look, segment: Segment, box: QRectF) -> None:
        if segment.value is None:
            draw_unknown(painter, box, look)
        elif segment.colour:
            draw_box(painter, box, look.theme.named(segment.colour), 2.0)

    def _draw_line(self, painter: QPainter, look: Look) -> None:
        entries = [(segment, f"{segment.label} {value_text(segment)}") for segment in self._entries()]
        texts = [text_width(text, font(CAPTION)) + 1 for _, text in entries]
        spare = self.width() - sum(texts)
        # The order of the bar says which is which too, so swatches give way before any number does.
        lead = 12.0 if spare >= 12 * len(entries) + 10 * (len(entries) - 1) else 0.0
        gap = min(14.0 if lead else 20.0, max(6.0, (spare - lead * len(entries)) / max(len(entries) - 1, 1)))
        x, y = 0.0, self.bar_height + 2
        for (segment, text), width in zip(entries, texts, strict=True):
            if lead:
                self._draw_swatch(painter, look, segment, QRectF(x, y + ROW_HEIGHT / 2 - 3.5, 8, 8))
            room = min(width, self.width() - x - lead)
            draw_text(painter, QRectF(x + lead, y, room, ROW_HEIGHT), text, look.ink("text2"), CAPTION)
            x += lead + width + gap
