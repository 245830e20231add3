"""What stands around the numbers: a section with caption and total."""

from typing import Generic, TypeVar

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from rackbuilder.ui.theme import CAPTION, PADDING, current, font
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.data import Runs
from rackbuilder.ui.widgets.paint import RIGHT, Look, draw_line, draw_text, text_width

CAPTION_HEIGHT = 27
BELOW = 10


ContentT = TypeVar("ContentT", bound=Painted)


class SectionBox(QWidget, Generic[ContentT]):
    """Caption left, total right, the content below, a hairline at the bottom."""

    def __init__(self, caption: str, content: ContentT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self._caption = caption
        self._total = ""
        self._unknown = False
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, CAPTION_HEIGHT, PADDING, BELOW)
        column.setSpacing(0)
        column.addWidget(content)
        self._name()

    def set_total(self, total: str, unknown: bool = False) -> None:
        """The sum, right of the caption; in italics when it is the word "unknown"."""
        if (total, unknown) == (self._total, self._unknown):
            return
        self._total = total
        self._unknown = unknown
        self._name()

    def set_stale(self, stale: bool) -> None:
        if stale == self.content.stale:
            return
        self.content.set_stale(stale)
        self.update()

    def set_missing(self, runs: Runs | str, total: str = "unknown", hatched: bool = True) -> None:
        """In place of the content what it needs, and no number as total."""
        self.content.set_missing(runs, hatched)
        self.set_total(total, unknown=True)

    def set_empty(self, runs: Runs | str) -> None:
        """In place of the content why there is none, and no total."""
        self.content.set_empty(runs)
        self.set_total("")

    def _name(self) -> None:
        self.setAccessibleName(f"{self._caption}: {self._total}" if self._total else self._caption)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(376, CAPTION_HEIGHT + self.content.height() + BELOW)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        look = Look(current(), self.content.stale)
        row = QRectF(PADDING, 6, self.width() - 2 * PADDING, 19)
        caption = text_width(self._caption, font(CAPTION, semibold=True))
        draw_text(painter, row, self._caption, look.ink("text2"), CAPTION, semibold=True)
        total = row.adjusted(caption + 8, 0, 0, 0)
        draw_text(painter, total, self._total, look.ink("text2"), CAPTION, RIGHT, italic=self._unknown)
        draw_line(painter, self.height() - 1, 0, self.width(), look.theme.line)
        painter.end()
