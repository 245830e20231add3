"""Icons by what they mean, from one outline set, and the painted marks of severity and of confidence.

An icon asks for the theme's colour each time it is painted: after a change of theme a repaint is enough, and
nobody keeps a list of icons to renew.
"""

from typing import Final

import qtawesome
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from rackbuilder.errors import Severity, did_you_mean
from rackbuilder.ui.theme import ICON, Theme, brush, current, pen
from rackbuilder.units import Mark

# The bold weight of this set is 1.5 px on a field of 16 px.
_NAMES: Final = {
    "open": "folder-open",
    "save": "floppy-disk",
    "undo": "arrow-u-up-left",
    "redo": "arrow-u-up-right",
    "new": "file-plus",
    "import": "download-simple",
    "export": "upload-simple",
    "copy": "copy",
    "paste": "clipboard",
    "delete": "trash",
    "duplicate": "copy-simple",
    "group": "selection-all",
    "ungroup": "selection-slash",
    "select": "cursor",
    "place": "arrow-line-down",
    "cable": "path",
    "pan": "arrows-out-cardinal",
    "failure": "lightning",
    "search": "magnifying-glass",
    "fit": "frame-corners",
    "zoom-in": "magnifying-glass-plus",
    "zoom-out": "magnifying-glass-minus",
    "star": "star",
    "error": "x-circle",
    "warning": "warning",
    "note": "info",
    "waived": "prohibit",
    "parts": "squares-four",
    "tree": "tree-structure",
    "settings": "sliders-horizontal",
    "properties": "list-bullets",
    "report": "article",
    "table": "table",
    "chart": "chart-line",
    "history": "clock-counter-clockwise",
    "bom": "list-numbers",
    "price": "currency-circle-dollar",
    "workload": "cpu",
    "power": "power",
    "cooling": "thermometer-simple",
    "liquid": "drop",
    "floor": "map-trifold",
    "rack": "hard-drives",
    "server": "desktop-tower",
    "fabric": "share-network",
    "lock": "lock-simple",
    "pin": "push-pin-simple",
    "link": "link-simple",
    "info": "info",
    "help": "question",
    "add": "plus",
    "remove": "minus",
    "close": "x",
    "check": "check",
    "down": "caret-down",
    "up": "caret-up",
    "left": "caret-left",
    "right": "caret-right",
    "more": "dots-three",
    "swap": "swap",
    "variant": "git-branch",
    "theme": "circle-half",
}
NAMES: Final = tuple(_NAMES)


def icon(name: str, colour: str = "text2") -> QIcon:
    """The icon of a meaning; `colour` is a token of the theme. Raises KeyError for a meaning it does not know."""
    _glyph(name)
    return QIcon(_ThemedEngine(name, colour))


def paint_icon(painter: QPainter, rect: QRect, name: str, colour: str) -> None:
    """Paints a meaning into a square, in a colour "#rrggbb"."""
    glyph = qtawesome.icon(_glyph(name), color=colour, color_disabled=colour, scale_factor=8 / 7)
    glyph.paint(painter, rect)


def _glyph(name: str) -> str:
    if name not in _NAMES:
        raise KeyError(f"no icon means {name!r}. {did_you_mean(name, _NAMES)}")
    return f"ph.{_NAMES[name]}-bold"


class _ThemedEngine(QIconEngine):
    """Paints with the theme that is on at that moment; disabled in the colour of hints, selected on the accent."""

    def __init__(self, name: str, colour: str) -> None:
        super().__init__()
        self._name = name
        self._colour = colour

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        del state  # a pressed tool shows in its frame, not in its icon
        theme = current()
        tokens = {QIcon.Mode.Disabled: "line2", QIcon.Mode.Selected: "on_tint"}
        side = min(rect.width(), rect.height())
        square = QRect(0, 0, side, side)
        square.moveCenter(rect.center())
        paint_icon(painter, square, self._name, theme.named(tokens.get(mode, self._colour)))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        made = QPixmap(size)
        made.fill(Qt.GlobalColor.transparent)
        painter = QPainter(made)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        return made


# ---- severity -----------------------------------------------------------------------------------------------------


def paint_severity(
    painter: QPainter, rect: QRectF, severity: Severity, theme: Theme, waived: bool = False
) -> None:
    """The shape of a severity: octagon with cross, triangle, ring with i; struck through when waived.

    Shape and colour both say it. Drawn for 16 px and up; at 12 px it still tells the three apart.
    """
    colour = theme.text3 if waived else theme.severity(severity)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center())
    painter.scale(rect.width() / ICON, rect.height() / ICON)
    {"error": _octagon, "warning": _triangle, "note": _ring}[severity](painter, colour, theme)
    if waived:
        _strike(painter, colour, theme)
    painter.restore()


def _octagon(painter: QPainter, colour: str, theme: Theme) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(brush(colour))
    far, near = 6.5, 2.7
    corners = ((-near, -far), (near, -far), (far, -near), (far, near))
    points = [QPointF(x, y) for x, y in corners] + [QPointF(-x, -y) for x, y in corners]
    painter.drawPolygon(QPolygonF(points))
    painter.setPen(_scaled(theme.on_tint, 1.7))
    painter.drawLine(QPointF(-2.3, -2.3), QPointF(2.3, 2.3))
    painter.drawLine(QPointF(-2.3, 2.3), QPointF(2.3, -2.3))


def _triangle(painter: QPainter, colour: str, theme: Theme) -> None:
    painter.setPen(_scaled(colour, 1.4))
    painter.setBrush(brush(colour))
    painter.drawPolygon(QPolygonF([QPointF(0, -5.6), QPointF(6.3, 5.2), QPointF(-6.3, 5.2)]))
    painter.setPen(_scaled(theme.on_tint, 1.6))
    painter.drawLine(QPointF(0, -1.8), QPointF(0, 1.6))
    painter.drawPoint(QPointF(0, 4.0))


def _ring(painter: QPainter, colour: str, theme: Theme) -> None:
    del theme
    painter.setPen(_scaled(colour, 1.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(0, 0), 5.8, 5.8)
    painter.drawLine(QPointF(0, -0.4), QPointF(0, 2.9))
    painter.setPen(_scaled(colour, 1.8))
    painter.drawPoint(QPointF(0, -2.9))


def _strike(painter: QPainter, colour: str, theme: Theme) -> None:
    # A gap in the surface's colour first, so that the stroke is seen across a filled shape.
    for ink, width in ((theme.panel, 3.6), (colour, 1.5)):
        painter.setPen(_scaled(ink, width))
        painter.drawLine(QPointF(-6.6, 6.6), QPointF(6.6, -6.6))


def _scaled(colour: str, width: float) -> QPen:
    return pen(colour, width, round_cap=True)


# ---- confidence ---------------------------------------------------------------------------------------------------


def paint_grade(
    painter: QPainter, rect: QRectF, mark: Mark, theme: Theme | None = None, ink: str = "text2"
) -> None:
    """How well a value is known: full disc, half disc, dashed ring; drawn for 10 px."""
    theme = theme or current()
    colour = theme.named(ink)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    side = min(rect.width(), rect.height())
    disc = QRectF(0, 0, side - 2, side - 2)
    disc.moveCenter(rect.center())
    if mark == "unknown":
        painter.setPen(pen(colour, 1.2, (2.0, 1.6)))
        painter.drawEllipse(disc)
    else:
        _disc(painter, disc, colour, mark == "known")
    painter.restore()


def _disc(painter: QPainter, disc: QRectF, colour: str, full: bool) -> None:
    painter.setPen(pen(colour, 1.2))
    painter.setBrush(brush(colour) if full else Qt.BrushStyle.NoBrush)
    painter.drawEllipse(disc)
    if not full:
        half = QPainterPath(disc.center())
        half.arcTo(disc, 90, 180)
        painter.fillPath(half, brush(colour))
