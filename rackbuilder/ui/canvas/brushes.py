"""Draws layout shapes with Qt: inks to colours, text that fits or is not there, pictures made once for many."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetricsF, QPainter, QPen, QPixmap, QPolygonF, QTransform

from rackbuilder.layout.glyph_parts import Glyph
from rackbuilder.layout.glyphs import glyph
from rackbuilder.layout.lod import Level
from rackbuilder.layout.looks import Look
from rackbuilder.layout.names import short
from rackbuilder.layout.shapes import Line, Path, Place, Rect, Shape, Text
from rackbuilder.ui import theme
from rackbuilder.ui.theme import Theme

SMALLEST = 10
PIXMAP_LIMIT = 700 * 700
_PRIORITY = {"name": 0, "power": 1, "u": 2, "model": 3}


def ink_colour(of: Theme, ink: str) -> str:
    """The colour of an ink: a token of the theme, or “load:0” … “load:6”."""
    if ink.startswith("load:"):
        band = int(ink[5:])
        return of.load[band - 1] if band else of.idle
    return of.named(ink)


class Brushes:
    """What one canvas needs to draw in one theme. Made anew when the theme changes."""

    def __init__(self, of: Theme | None = None) -> None:
        self.theme = of or theme.current()
        self._pixmaps: dict[tuple[Look, int, int, Level, float], tuple[QPixmap, Glyph]] = {}
        self._glyphs: dict[tuple[Look, int, int, Level], Glyph] = {}
        self._widths: dict[tuple[str, int, bool], float] = {}
        self._brushes: dict[str, QBrush] = {}
        self._pens: dict[tuple[str, float, tuple[float, ...]], QPen] = {}
        self._metrics: dict[tuple[int, bool], QFontMetricsF] = {}

    # ---- inks

    def colour(self, ink: str) -> QColor:
        return theme.colour(ink_colour(self.theme, ink))

    def brush(self, ink: str) -> QBrush:
        found = self._brushes.get(ink)
        if found is None:
            found = self._brushes[ink] = theme.brush(ink_colour(self.theme, ink))
        return found

    def pen(self, ink: str, width: float = 1.0, dash: tuple[float, ...] = ()) -> QPen:
        key = (ink, width, dash)
        found = self._pens.get(key)
        if found is None:
            found = self._pens[key] = theme.pen(ink_colour(self.theme, ink), width, dash)
        return found

    # ---- pictures

    def picture(self, look: Look, w: int, h: int, level: Level) -> Glyph:
        key = (look, w, h, level)
        found = self._glyphs.get(key)
        if found is None:
            found = self._glyphs[key] = glyph(look, float(w), float(h), level)
        return found

    def pixmap(self, look: Look, w: int, h: int, level: Level, ratio: float) -> tuple[QPixmap | None, Glyph]:
        """The picture of a look, painted once for all that look alike; None in place of one that would be too large."""
        if w * h > PIXMAP_LIMIT:
            return None, self.picture(look, w, h, level)
        key = (look, w, h, level, ratio)
        known = self._pixmaps.get(key)
        if known is None:
            if len(self._pixmaps) > 400:
                self._pixmaps.clear()
            known = self._pixmaps[key] = self._render(look, w, h, level, ratio)
        return known

    def draw_large(self, painter: QPainter, picture: Glyph, x: int, y: int) -> None:
        """A picture with its top left corner at a pixel, shape by shape."""
        painter.save()
        painter.setWorldMatrixEnabled(True)
        painter.setWorldTransform(QTransform.fromTranslate(x, y))
        self.draw(painter, picture.shapes)
        painter.restore()

    def _render(self, look: Look, w: int, h: int, level: Level, ratio: float) -> tuple[QPixmap, Glyph]:
        found = self.picture(look, w, h, level)
        pixmap = QPixmap(int((w + 1) * ratio), int((h + 1) * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.draw(painter, found.shapes)
        painter.end()
        return pixmap, found

    # ---- shapes

    def draw(self, painter: QPainter, shapes: Iterable[Shape]) -> None:
        for shape in shapes:
            if isinstance(shape, Rect):
                self.rect(painter, shape)
            elif isinstance(shape, Line):
                self.line(painter, shape)
            elif isinstance(shape, Text):
                self.text(painter, shape)
            else:
                self.path(painter, shape)

    def rect(self, painter: QPainter, shape: Rect) -> None:
        place = snapped(shape.place)
        painter.setBrush(self.brush(shape.fill) if shape.fill else Qt.BrushStyle.NoBrush)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, shape.radius > 0 or bool(shape.width % 1))
        if shape.edge:
            painter.setPen(self.pen(shape.edge, shape.width, shape.dash))
            place = place.adjusted(0.5, 0.5, -0.5, -0.5) if shape.width < 2 else place.adjusted(1, 1, -1, -1)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
        if shape.radius:
            painter.drawRoundedRect(place, shape.radius, shape.radius)
        else:
            painter.drawRect(place)
        if shape.hatch:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(self.colour(shape.hatch), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(place)

    def line(self, painter: QPainter, shape: Line) -> None:
        straight = shape.x1 == shape.x2 or shape.y1 == shape.y2
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not straight)
        painter.setPen(self.pen(shape.ink, shape.width, shape.dash))
        off = 0.5 if straight and shape.width % 2 else 0.0
        points = [round(v) + off if straight else v for v in (shape.x1, shape.y1, shape.x2, shape.y2)]
        painter.drawLine(QPointF(points[0], points[1]), QPointF(points[2], points[3]))

    def path(self, painter: QPainter, shape: Path) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        painter.setPen(self.pen(shape.ink, shape.width) if shape.ink else Qt.PenStyle.NoPen)
        polygon = QPolygonF([QPointF(x, y) for x, y in shape.points])
        if shape.closed:
            painter.setBrush(self.brush(shape.fill) if shape.fill else Qt.BrushStyle.NoBrush)
            painter.drawPolygon(polygon)
        else:
            painter.drawPolyline(polygon)

    # ---- text

    def width(self, text: str, size: int, bold: bool = False) -> float:
        """Pixels of a line of text."""
        key = (text, size, bold)
        found = self._widths.get(key)
        if found is None:
            if len(self._widths) > 20_000:
                self._widths.clear()
            found = self._widths[key] = self._metric(size, bold).horizontalAdvance(text)
        return found

    def _metric(self, size: int, bold: bool) -> QFontMetricsF:
        found = self._metrics.get((size, bold))
        if found is None:
            found = self._metrics[size, bold] = QFontMetricsF(theme.font(size, bold))
        return found

    def fitted(self, shape: Text) -> tuple[str, int] | None:
        """What is written, and how large: as it is, in a short form, or cut; None when it does not fit at 10 px."""
        size = max(SMALLEST, round(shape.size))
        if not shape.room or not shape.text:
            return shape.text, size
        for text in dict.fromkeys((shape.text, *shape.shorter, short(shape.text))):
            for each in range(size, SMALLEST - 1, -1):
                if self.width(text, each, shape.bold) <= shape.room:
                    return text, each
        if shape.elide and shape.room > 24:
            metric = self._metric(SMALLEST, shape.bold)
            return metric.elidedText(shape.text, Qt.TextElideMode.ElideMiddle, shape.room), SMALLEST
        return None

    def text(self, painter: QPainter, shape: Text) -> QRectF | None:
        """Draws one line; returns where, or None when it is left out."""
        fit = self.fitted(shape)
        if fit is None or not fit[0]:
            return None
        text, size = fit
        w = self.width(text, size, shape.bold)
        x = shape.x - (w / 2 if shape.anchor == "middle" else w if shape.anchor == "end" else 0.0)
        where = QRectF(round(x), round(shape.y - size * 0.75), w + 2, round(size * 1.5))
        painter.setFont(theme.font(size, shape.bold, shape.italic))
        painter.setPen(self.colour(shape.ink))
        painter.drawText(where, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        return where

    def fill_slots(
        self, painter: QPainter, picture: Glyph, texts: Mapping[str, str], x: float, y: float
    ) -> None:
        """Writes a device's own texts where its picture has room: name first, then power; model last."""
        taken: dict[tuple[float, bool], float] = {}
        slots = picture.slots
        for name in sorted(slots, key=lambda n: _PRIORITY.get(n, 9)):
            slot, text = slots[name], texts.get(name, "")
            if not text:
                continue
            right = slot.anchor == "end"
            room = slot.room
            other = taken.get((slot.y, not right))
            if other is not None:
                room = min(room, abs(slot.x - other) - 6)
            if room <= 0 and slot.room:
                continue
            again = (texts[f"{name}_short"],) if f"{name}_short" in texts else ()
            shape = slot._replace(x=slot.x + x, y=slot.y + y, text=text, room=room, shorter=again)
            where = self.text(painter, shape)
            if where is not None:
                taken[slot.y, right] = where.left() - x if right else where.right() - x


def snapped(place: Place) -> QRectF:
    """A rectangle on whole pixels, at least one wide and high."""
    x, y = round(place.x), round(place.y)
    return QRectF(x, y, max(1, round(place.right) - x), max(1, round(place.bottom) - y))
