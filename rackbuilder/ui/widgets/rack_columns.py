"""Racks against their power limit: up to ten as rows with names and numbers, more as sorted columns."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QWidget

from rackbuilder.ui.numbers import UNKNOWN, percent
from rackbuilder.ui.theme import CANVAS_MIN, SECONDARY, brush, font, pen
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.data import RackBar, Run, Runs, as_runs, plain
from rackbuilder.ui.widgets.paint import (
    RIGHT,
    Look,
    draw_box,
    draw_hatch,
    draw_text,
    draw_unknown,
    fitted,
    text_width,
)
from rackbuilder.ui.widgets.runs import Hot, Line, draw_runs, hot_boxes, wrap

MOST_ROWS = 10
MOST_COLUMNS = 40
ROW_HEIGHT = 19
FOOT = 17
LIMIT_Y, BASE_Y = 12.0, 42.0
LIMIT_AT = 0.9
"""Where the limit stands on the track of a row: the rest is room to see how far it is passed."""


def share_text(rack: RackBar) -> str:
    if rack.share is None:
        return UNKNOWN
    if not rack.limited:
        return ""
    return ("≥ " if rack.partial else "") + percent(rack.share, 0, "0 %")


class RackColumns(Painted):
    """The load colours tell how near a rack is to its limit; above it the bar is hatched in the error colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(int(BASE_Y) + 4 + FOOT, parent)
        self._racks: tuple[RackBar, ...] = ()
        self._limit = ""
        self._foot: tuple[Run, ...] = ()
        self._foot_right = ""
        self._most_rows = MOST_ROWS

    def allow_rows(self, most: int) -> None:
        """Up to how many racks are rows, at most ten: fewer where the panel has no room for them."""
        most = min(most, MOST_ROWS)
        if most != self._most_rows:
            self._most_rows = most
            self._fit_height()
            self.refresh()

    def set_racks(
        self, racks: Sequence[RackBar], limit: str = "", foot: Runs | str = (), foot_right: str = ""
    ) -> None:
        """`limit` names the line ("limit 44.0 kW"), `foot` the highest rack, `foot_right` what a lost feed does.

        Rows keep the order given, columns are sorted: unknown first, then the fullest. The height changes with
        the number of racks up to ten, never with what is known of them.
        """
        shown = (tuple(racks), limit, as_runs(foot), foot_right)
        if shown == (self._racks, self._limit, self._foot, self._foot_right) and not self.missing:
            return
        self._racks, self._limit, self._foot, self._foot_right = shown
        self._fit_height()
        self.show_content()

    def _fit_height(self) -> None:
        body = len(self._racks) * ROW_HEIGHT + 2 if self.as_rows else int(BASE_Y) + 4
        self.setFixedHeight(body + FOOT)
        self.updateGeometry()

    @property
    def as_rows(self) -> bool:
        return 0 < len(self._racks) <= self._most_rows

    def words(self) -> str:
        racks = ", ".join(f"{rack.name} {self._text(rack)}" for rack in self._racks[:MOST_ROWS])
        return "; ".join(part for part in (plain(self._foot), self._foot_right, racks) if part)

    def tip_at(self, point: QPointF) -> str:
        found = next((r for r, box in self._places() if box.left() <= point.x() <= box.right() + 1), None)
        return (
            ""
            if self.as_rows or found is None or point.y() > BASE_Y
            else f"{found.name}: {self._text(found)}"
        )

    @staticmethod
    def _text(rack: RackBar) -> str:
        share = share_text(rack)
        return UNKNOWN if rack.share is None else f"{rack.text} ({share})" if share else rack.text

    def links(self) -> list[Hot]:
        found: list[Hot] = []
        if self.as_rows:
            for at, rack in enumerate(self._racks):
                found += hot_boxes(self._name(rack), self._row_box(at).topLeft(), ROW_HEIGHT)
        return found + hot_boxes(self._foot_lines(), self._foot_origin(), FOOT)

    def draw(self, painter: QPainter, look: Look) -> None:
        if self.as_rows:
            for at, rack in enumerate(self._racks):
                self._draw_row(painter, look, rack, self._row_box(at))
        else:
            self._draw_columns(painter, look)
        draw_runs(painter, self._foot_lines(), self._foot_origin(), FOOT, look, ink="text2")
        if not self._crowded():
            box = QRectF(0, self._foot_origin().y(), self.width(), FOOT)
            draw_text(painter, box, self._foot_right, look.ink("text2"), align=RIGHT)

    # ---- the foot -------------------------------------------------------------------------------------------------

    def _foot_origin(self) -> QPointF:
        return QPointF(0, self.height() - FOOT)

    def _crowded(self) -> bool:
        """The foot has no room for both texts, and the right one goes above the columns."""
        both = text_width(plain(self._foot), font(SECONDARY)) + text_width(self._foot_right, font(SECONDARY))
        return not self.as_rows and both + 12 > self.width()

    def _foot_lines(self) -> list[Line]:
        right = 0.0 if self._crowded() else text_width(self._foot_right, font(SECONDARY)) + 12
        return wrap(self._foot, self.width() - right, most=1)[0] if self._foot else []

    # ---- columns ----------------------------------------------------------------------------------------------------

    def _places(self) -> list[tuple[RackBar, QRectF]]:
        """Columns side by side: unknown ones first, they may be the highest; then by share."""
        racks = sorted(self._racks, key=lambda r: (r.share is not None, -(r.share or 0.0), r.name))[
            :MOST_COLUMNS
        ]
        pitch = self.width() / max(len(racks), 20)
        return [
            (rack, QRectF(i * pitch, LIMIT_Y, pitch - 1, BASE_Y - LIMIT_Y)) for i, rack in enumerate(racks)
        ]

    def _draw_columns(self, painter: QPainter, look: Look) -> None:
        for rack, full in self._places():
            self._draw_column(painter, look, rack, full)
        if any(rack.limited for rack in self._racks):
            painter.setPen(pen(look.ink("text2"), 1.0, (4.0, 2.0)))
            painter.drawLine(QPointF(0, LIMIT_Y - 0.5), QPointF(self.width(), LIMIT_Y - 0.5))
        face = font(CANVAS_MIN)
        left = self.width() - text_width(self._limit, face) - 2
        painter.fillRect(QRectF(left, 0, self.width() - left, LIMIT_Y - 2), self.palette().window())
        draw_text(
            painter,
            QRectF(left, -1, self.width() - left, 12),
            self._limit,
            look.ink("text2"),
            CANVAS_MIN,
            RIGHT,
        )
        above = QRectF(0, -1, max(left - 6, 0), 12)
        draw_text(painter, above, self._above(), look.ink("text2"), CANVAS_MIN)

    def _above(self) -> str:
        hidden = len(self._racks) > MOST_COLUMNS
        counted = f"highest {MOST_COLUMNS} of {len(self._racks)}" if hidden else ""
        parts = (counted, self._foot_right if self._crowded() else "")
        return " · ".join(part for part in parts if part)

    def _draw_column(self, painter: QPainter, look: Look, rack: RackBar, full: QRectF) -> None:
        if rack.share is None:
            draw_unknown(painter, full, look)
            return
        token = (look.theme.load_colour(rack.share) if rack.limited else None) or "idle"
        height = full.height() * min(rack.share, 1.0)
        part = QRectF(full.left(), full.bottom() - height, full.width(), height)
        painter.fillRect(part, brush(look.fill(token)))
        if rack.share > 1:
            over = full.height() * min(rack.share - 1, 0.35)
            self._draw_over(painter, look, QRectF(full.left(), full.top() - over, full.width(), over))
        elif rack.partial:
            draw_unknown(painter, QRectF(full.left(), full.top(), full.width(), full.height() - height), look)

    def _draw_over(self, painter: QPainter, look: Look, box: QRectF) -> None:
        painter.fillRect(box, brush(look.theme.error_fill))
        draw_hatch(painter, box, look.ink("error"), 4.0)

    # ---- rows -------------------------------------------------------------------------------------------------------

    def _row_box(self, at: int) -> QRectF:
        return QRectF(0, at * ROW_HEIGHT, self.width(), ROW_HEIGHT)

    def _name_width(self) -> float:
        widest = max((text_width(rack.name, font(SECONDARY)) for rack in self._racks), default=0.0)
        return min(max(widest + 8, 37.0), self.width() * 0.3)

    def _name(self, rack: RackBar) -> list[Line]:
        shown = fitted(rack.name, font(SECONDARY), self._name_width() - 8, middle=True)
        return wrap([Run(shown, rack.ref)], 1e6)[0]

    def _bar_end(self) -> float:
        widest = max((text_width(rack.text, font(SECONDARY)) for rack in self._racks), default=0.0)
        return max(self.width() - 48 - widest - 12, self._name_width() + 40)

    def _draw_row(self, painter: QPainter, look: Look, rack: RackBar, box: QRectF) -> None:
        draw_runs(painter, self._name(rack), box.topLeft(), ROW_HEIGHT, look, ink="text2")
        start, end = self._name_width(), self._bar_end()
        track = QRectF(round(start), box.top() + 5, round(end - start), 10)
        self._draw_bar(painter, look, rack, track)
        over = rack.share is not None and rack.share > 1
        figures = QRectF(end + 4, box.top(), self.width() - 48 - end - 4, ROW_HEIGHT)
        if rack.share is not None:
            draw_text(painter, figures, rack.text, look.ink("error" if over else "text"), align=RIGHT)
        draw_text(
            painter,
            box,
            share_text(rack),
            look.ink("error" if over else "text2"),
            align=RIGHT,
            italic=rack.share is None,
        )

    def _draw_bar(self, painter: QPainter, look: Look, rack: RackBar, track: QRectF) -> None:
        limit = track.left() + track.width() * LIMIT_AT
        if rack.share is None:
            draw_unknown(painter, track, look)
        else:
            draw_box(painter, track, look.track)
            full = limit - track.left()
            token = (look.theme.load_colour(rack.share) if rack.limited else None) or "idle"
            width = min(full * rack.share, full)
            draw_box(painter, QRectF(track.left(), track.top(), width, track.height()), look.fill(token))
            if rack.share > 1:
                beyond = min(full * (rack.share - 1), track.right() - limit)
                self._draw_over(painter, look, QRectF(limit, track.top(), beyond, track.height()))
            elif rack.partial:
                draw_unknown(
                    painter, QRectF(track.left() + width, track.top(), full - width, track.height()), look
                )
        if rack.limited:
            mark = QRectF(round(limit), track.top() - 2, 1.5, track.height() + 4)
            painter.fillRect(mark, brush(look.ink("text")))
