"""Lines of text: one that loses its end where there is no room, and one that does something when clicked."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from rackbuilder.ui.theme import BODY, RADIUS, SECONDARY, colour, current, font
from rackbuilder.ui.widgets.paint import LEFT, RIGHT, draw_frame, fitted, put, text_width


class Elided(QWidget):
    """`ink` is a token of the theme."""

    def __init__(
        self,
        text: str = "",
        size: int = SECONDARY,
        ink: str = "text2",
        semibold: bool = False,
        right: bool = False,
    ) -> None:
        super().__init__()
        self._size, self._ink, self._semibold, self._side = size, ink, semibold, RIGHT if right else LEFT
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
        face = font(self._size, self._semibold)
        painter.setFont(face)
        painter.setPen(colour(current().named(self._ink)))
        put(painter, QRectF(self.rect()), fitted(self._text, face, float(self.width())), self._side)
        painter.end()


class LinkLabel(QAbstractButton):
    """An underlined word: a click, Enter or Space activates it."""

    activated = Signal()

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self.activated)

    def sizeHint(self) -> QSize:
        return QSize(int(text_width(self.text(), font(BODY))) + 5, BODY + 9)

    def minimumSizeHint(self) -> QSize:
        return QSize(40, BODY + 9)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        face = QFont(font(BODY))
        face.setUnderline(True)
        painter.setFont(face)
        painter.setPen(colour(current().link))
        box = QRectF(self.rect()).adjusted(2, 0, -2, 0)
        put(painter, box, fitted(self.text(), font(BODY), box.width()), LEFT)
        if self.hasFocus():
            draw_frame(painter, QRectF(self.rect()), current().accent, RADIUS, width=1.5)
        painter.end()
