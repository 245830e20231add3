"""What stands around the numbers: a section with caption and total, and the title line of a panel."""

from typing import Generic, TypeVar

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from rackbuilder.ui.theme import BODY, CAPTION, DOCK_TITLE, PADDING, SECONDARY, brush, current, font
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.data import Runs
from rackbuilder.ui.widgets.paint import RIGHT, Look, draw_box, draw_line, draw_text, text_width

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


class PanelTitle(QWidget):
    """The title of a dock: its name, and right the state of its results with a line of progress while they change."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._title = title
        self._status = ""
        self._progress: float | None = None
        self.setFixedHeight(DOCK_TITLE)
        self.setAccessibleName(title)

    def set_status(self, status: str, progress: float | None = None) -> None:
        """`progress` 0 to 1 shows the line, None hides it."""
        self._status = status
        self._progress = progress
        self.setAccessibleName(f"{self._title}, {status}" if status else self._title)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(376, DOCK_TITLE)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        painter.fillRect(self.rect(), brush(theme.window))
        draw_line(painter, self.height() - 1, 0, self.width(), theme.line)
        row = QRectF(10, 0, self.width() - 20, self.height() - 1)
        draw_text(painter, row, self._title, theme.text, BODY, semibold=True)
        right = row.adjusted(text_width(self._title, font(BODY, semibold=True)) + 12, 0, 0, 0)
        draw_text(painter, right, self._status, theme.text2, SECONDARY, RIGHT)
        if self._progress is not None:
            left = row.right() - text_width(self._status, font(SECONDARY)) - 6 - 64
            self._draw_progress(painter, max(left, right.left()))
        painter.end()

    def _draw_progress(self, painter: QPainter, left: float) -> None:
        theme = current()
        line = QRectF(left, (self.height() - 1) / 2 - 2, 64, 4)
        draw_box(painter, line, theme.track, 2)
        done = min(max(self._progress or 0.0, 0.0), 1.0)
        line.setWidth(max(64 * done, 4))
        draw_box(painter, line, theme.accent, 2)
