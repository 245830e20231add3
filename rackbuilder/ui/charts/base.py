"""How every plot looks: canvas background, horizontal grid only, title left above, no box."""

import pyqtgraph as pg
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from rackbuilder.ui.theme import CAPTION, SECONDARY, Theme, colour, current, font


class Chart(QWidget):
    """A titled plot. `clear` shows a reason in its place; `paint` is called again when the theme changes."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.title = QLabel(title)
        self.title.setFont(font(CAPTION, semibold=True))
        self.note = QLabel()
        self.note.setFont(font(SECONDARY))
        self.plot = pg.PlotWidget()
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setAccessibleName(title)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.setSpacing(2)
        for widget in (self.title, self.note, self.plot):
            column.addWidget(widget)
        self.dress(current())

    def dress(self, theme: Theme) -> None:
        """Colours of the theme on axes and background."""
        self.plot.setBackground(colour(theme.canvas))
        self.plot.showGrid(x=False, y=True, alpha=0.25)
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(colour(theme.line2))
            axis.setTextPen(colour(theme.text2))
            axis.setStyle(tickFont=font(SECONDARY))
            axis.enableAutoSIPrefix(False)

    def clear(self, reason: str = "") -> None:
        """Takes the drawing away and says why nothing is shown."""
        self.plot.clear()
        self.plot.setVisible(not reason)
        self.note.setText(reason)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "plot"):
            self.dress(current())
            self.again()
        super().changeEvent(event)

    def again(self) -> None:
        """Draws the last result in the present theme."""


def bars(
    chart: Chart, positions: list[float], heights: list[float], colours: list[str], width: float = 0.7
) -> None:
    """Upright bars in theme colours, from zero."""
    brushes = [colour(c) for c in colours]
    item = pg.BarGraphItem(x=positions, height=heights, width=width, brushes=brushes, pens=brushes)
    chart.plot.addItem(item)
    chart.plot.setYRange(0, max([*heights, 1e-12]) * 1.1, padding=0)
    chart.plot.setXRange(min(positions) - 0.6, max(positions) + 0.6, padding=0)


def names(chart: Chart, texts: list[str]) -> None:
    """Names under the bars; thinned out when there are many."""
    step = max(1, -(-len(texts) // 12))
    chart.plot.getAxis("bottom").setTicks([[(i, t) for i, t in enumerate(texts) if i % step == 0]])
