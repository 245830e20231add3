"""A line of text that loses its end where there is no room, and says all of it in its tip."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from rackbuilder.ui.theme import SECONDARY, current
from rackbuilder.ui.widgets.paint import draw_text


class Elided(QWidget):
    """`ink` is a token of the theme."""

    def __init__(self, text: str = "", size: int = SECONDARY, ink: str = "text2", semibold: bool = False) -> None:
        super().__init__()
        self._size, self._ink, self._semibold = size, ink, semibold
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def text(self) -> str:
        return self._text

    def setText(self, text: str) -> None:
        self._text = text
        self.setToolTip(text)
        self.setAccessibleName(text)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(60, self._size + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        ink = current().named(self._ink)
        draw_text(painter, QRectF(self.rect()), self._text, ink, self._size, semibold=self._semibold)
        painter.end()
