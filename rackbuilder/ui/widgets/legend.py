"""The legend of the load colours, with the pipes that fill as the links on the canvas do."""

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from rackbuilder.ui.theme import CAPTION, LOAD_EDGES, RADIUS, brush
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.paint import LEFT, Look, draw_frame, draw_text

CELL, GAP, PIPE = 33.0, 1.5, 12.0
LABELS = ("idle", "0", *(f"{edge * 100:.0f}" for edge in LOAD_EDGES))


class LegendBar(Painted):
    """Seven cells: the grey track is capacity, the filled part the load, the number where the band begins."""

    def __init__(
        self, title: str = "Link load: share of the step a link is busy", parent: QWidget | None = None
    ) -> None:
        super().__init__(60, parent)
        self._title = title
        self.setFixedWidth(int(7 * CELL + 6 * GAP + 22))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.refresh()

    def set_title(self, title: str) -> None:
        self._title = title
        self.refresh()

    def words(self) -> str:
        return f"{self._title}. Bands begin at {', '.join(LABELS[1:])} %"

    def draw(self, painter: QPainter, look: Look) -> None:
        draw_frame(painter, QRectF(self.rect()), look.theme.line, RADIUS, look.theme.panel)
        draw_text(painter, QRectF(10, 4, self.width() - 20, 18), self._title, look.ink("text2"), CAPTION)
        for band, label in enumerate(LABELS):
            self._draw_cell(painter, look, band, label)

    def _draw_cell(self, painter: QPainter, look: Look, band: int, label: str) -> None:
        cell = QRectF(11 + band * (CELL + GAP), 25, CELL, PIPE)
        painter.fillRect(cell, brush(look.theme.track))
        height = max(PIPE * band / 6, 1.5)
        token = look.theme.load[band - 1] if band else look.theme.idle
        pipe = QRectF(cell.left(), cell.center().y() - height / 2, CELL, height)
        painter.fillRect(pipe, brush(look.fill(token)))
        text = f"{label} %" if band == 6 else label
        draw_text(painter, QRectF(cell.left(), 39, CELL + 4, 16), text, look.ink("text2"), CAPTION, LEFT)
