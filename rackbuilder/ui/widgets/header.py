"""The three figures at the head of the live panel: GPUs per NVLink domain, switch hops, step time."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from rackbuilder.ui.numbers import UNKNOWN
from rackbuilder.ui.theme import CAPTION, FIGURE, PADDING, SECONDARY, font
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.data import HeadFigure
from rackbuilder.ui.widgets.paint import Look, draw_line, draw_text, text_width

PLACES = (0.0, 0.344, 0.665)
"""Where the figures begin, as parts of the width. Fixed, unless a number needs more than its place."""

Sizes = tuple[int, int]
SIZES: tuple[Sizes, ...] = ((FIGURE, SECONDARY), (16, CAPTION))
"""Of the number and of the words beside it; the second where the panel is narrow and domains differ."""
GAP = 6


def needs(figure: HeadFigure, sizes: Sizes) -> float:
    """Width of the number and the words beside it."""
    big, small = sizes
    if figure.value is None:
        return text_width(UNKNOWN, font(big, italic=True))
    pairs = ((figure.value, figure.unit), *figure.more)
    values = sum(text_width(value, font(big, semibold=True)) + GAP for value, _ in pairs)
    return values + sum(text_width(unit, font(small)) + GAP for _, unit in pairs if unit) - GAP


class HeaderFigures(Painted):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(56, parent)
        self._figures: tuple[HeadFigure, ...] = ()

    def set_figures(self, figures: Sequence[HeadFigure]) -> None:
        """At most three."""
        self.take("_figures", tuple(figures[:3]))

    def words(self) -> str:
        return ", ".join(self._say(figure) for figure in self._figures)

    @staticmethod
    def _say(figure: HeadFigure) -> str:
        if figure.value is None:
            return f"{figure.caption} {UNKNOWN}"
        pairs = ((figure.value, figure.unit), *figure.more)
        return " ".join(part for pair in pairs for part in pair if part) + f" {figure.caption}"

    def tip_at(self, point: QPointF) -> str:
        inside = (f for f, box in zip(self._figures, self._fit()[1], strict=False) if box.contains(point))
        return next((self._say(figure) for figure in inside), "")

    def _boxes(self, sizes: Sizes = SIZES[0]) -> list[QRectF]:
        width = self.width() - 2 * PADDING
        edges = [PADDING + place * width for place in PLACES] + [self.width() - PADDING + 6.0]
        for at, figure in enumerate(self._figures[:2]):
            edges[at + 1] = max(edges[at + 1], edges[at] + needs(figure, sizes) + 12)
        for at, figure in reversed(list(enumerate(self._figures))[1:]):
            edges[at] = max(min(edges[at], edges[at + 1] - needs(figure, sizes) - 7), edges[0])
        return [QRectF(a, 0, max(b - a - 6, 0), self.height() - 1) for a, b in pairwise(edges)]

    def _fit(self) -> tuple[Sizes, list[QRectF]]:
        """The largest sizes at which no number is cut."""
        for sizes in SIZES:
            boxes = self._boxes(sizes)
            if all(needs(f, sizes) <= box.width() for f, box in zip(self._figures, boxes, strict=False)):
                return sizes, boxes
        return SIZES[-1], self._boxes(SIZES[-1])

    def draw(self, painter: QPainter, look: Look) -> None:
        sizes, boxes = self._fit()
        for figure, box in zip(self._figures, boxes, strict=False):
            self._draw_number(painter, look, figure, QRectF(box.left(), 7, box.width(), 26), sizes)
            caption = figure.caption
            if figure.short and text_width(caption, font(CAPTION)) > box.width():
                caption = figure.short
            line = QRectF(box.left(), 33, box.width(), 16)
            draw_text(painter, line, caption, look.ink("text2"), CAPTION)
        draw_line(painter, self.height() - 1, 0, self.width(), look.theme.line)

    def _draw_number(
        self, painter: QPainter, look: Look, figure: HeadFigure, box: QRectF, sizes: Sizes
    ) -> None:
        big, small = sizes
        if figure.value is None:
            draw_text(painter, box, UNKNOWN, look.ink("text2"), big, italic=True)
            return
        x = box.left()
        for value, unit in ((figure.value, figure.unit), *figure.more):
            place = QRectF(x, box.top(), max(box.right() - x, 0), box.height())
            draw_text(painter, place, value, look.ink("text"), big, semibold=True)
            x += text_width(value, font(big, semibold=True)) + GAP
            # The smaller words stand on the line of the number, not on its middle.
            place = QRectF(x, box.top() + (big - small) * 0.38, max(box.right() - x, 0), box.height())
            draw_text(painter, place, unit, look.ink("text2"), small)
            x += text_width(unit, font(small)) + GAP if unit else 0
