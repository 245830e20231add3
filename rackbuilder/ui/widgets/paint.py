"""Shared strokes of the painted widgets: text, runs with links, hatching, swatches, focus.

All text goes through `put`, so that fonts and eliding are alike everywhere and a test can read what is drawn.
"""

from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter

from rackbuilder.ui import theme as tokens
from rackbuilder.ui.theme import Theme, brush, colour, font, mix, pen

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
CENTRE = Qt.AlignmentFlag.AlignCenter


@dataclass(frozen=True)
class Look:
    """The theme as a widget sees it: of a stale one every ink is that of hints and every fill grey."""

    theme: Theme
    stale: bool = False

    def ink(self, token: str = "text") -> str:
        return self.theme.text3 if self.stale else self.theme.named(token)

    def fill(self, token: str) -> str:
        named = self.theme.named(token)
        return self.theme.stale(named) if self.stale else named

    @property
    def track(self) -> str:
        return mix(self.theme.track, self.theme.panel, 0.5) if self.stale else self.theme.track


@lru_cache(maxsize=4096)
def text_width(text: str, face: QFont) -> float:
    """Kept, because wrapping asks for the same words at each repaint."""
    return QFontMetricsF(face).horizontalAdvance(text)


@lru_cache(maxsize=4096)
def fitted(text: str, face: QFont, width: float, middle: bool = False) -> str:
    """The text, or as much of it as fits and an ellipsis. Names elide in the middle: their ends tell them apart."""
    mode = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
    # Half a pixel of grace: a box made for the text must not elide it over rounding.
    return QFontMetricsF(face).elidedText(text, mode, width + 0.5)


def draw_text(
    painter: QPainter,
    rect: QRectF,
    text: str,
    ink: str,
    size: int = tokens.SECONDARY,
    align: Qt.AlignmentFlag = LEFT,
    semibold: bool = False,
    italic: bool = False,
) -> None:
    """One line in a box, elided to it, centred upright."""
    face = font(size, semibold, italic)
    painter.setFont(face)
    painter.setPen(colour(ink))
    put(painter, rect, fitted(text, face, rect.width()), align)


def put(painter: QPainter, rect: QRectF, text: str, align: Qt.AlignmentFlag = LEFT) -> None:
    """The one place that draws text, in the painter's font and pen."""
    painter.drawText(rect, align.value | Qt.TextFlag.TextSingleLine.value, text)


def draw_hatch(painter: QPainter, rect: QRectF, ink: str, pitch: float = 7.0) -> None:
    """Diagonals inside a box: what is not known, or hidden behind something else."""
    painter.save()
    painter.setClipRect(rect, Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen(ink, 1.0))
    x = rect.left() - rect.height()
    while x < rect.right():
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()))
        x += pitch
    painter.restore()


def draw_unknown(painter: QPainter, rect: QRectF, look: Look) -> None:
    """A hatched box with an edge: the bar of a value that is not known."""
    draw_hatch(painter, rect, mix(look.theme.line2, look.theme.panel, 0.55))
    draw_frame(painter, rect, look.theme.line2)


def draw_frame(
    painter: QPainter, rect: QRectF, ink: str, radius: float = 2.0, fill: str = "", width: float = 1.0
) -> None:
    """A rounded edge that lies inside the box, with or without a fill."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(pen(ink, width))
    painter.setBrush(brush(fill) if fill else Qt.BrushStyle.NoBrush)
    half = width / 2
    painter.drawRoundedRect(rect.adjusted(half, half, -half, -half), radius, radius)
    painter.restore()


def draw_box(painter: QPainter, rect: QRectF, fill: str, radius: float = 1.0) -> None:
    """A filled box without an edge: bars and swatches."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(brush(fill))
    painter.drawRoundedRect(rect, radius, radius)
    painter.restore()


def draw_focus(painter: QPainter, rect: QRectF, look: Look) -> None:
    draw_frame(painter, rect.adjusted(-2, 0, 2, 0), look.theme.accent, tokens.RADIUS, width=1.5)


def draw_line(painter: QPainter, y: float, left: float, right: float, ink: str) -> None:
    """A hairline that fills the pixel row from y to y + 1."""
    painter.fillRect(QRectF(left, y, right - left, 1), brush(ink))
