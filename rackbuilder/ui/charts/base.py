"""How every plot looks: canvas background, horizontal grid only, title left above, no box, figures at the bars."""

from collections.abc import Sequence
from typing import NamedTuple

import pyqtgraph as pg
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from rackbuilder.ui.theme import BODY, CAPTION, SECONDARY, Theme, colour, current, font
from rackbuilder.ui.widgets.label import Elided
from rackbuilder.ui.widgets.paint import text_width

_FEW = 8
"""Up to so many bars have their figure written above them."""


class Bar(NamedTuple):
    """One upright bar: its name below, its height in the unit of the axis, its colour, its figure above."""

    name: str
    height: float
    colour: str
    text: str = ""


class Chart(QWidget):
    """A titled plot. `clear` shows a reason in its place; `again` is called when the theme changes."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.title = Elided(title, BODY, "text", semibold=True)
        self.note = Elided("", CAPTION, right=True)
        self.reason = QLabel()
        self.reason.setFont(font(SECONDARY))
        self.reason.setWordWrap(True)
        self.plot = pg.PlotWidget()
        self.plot.setMenuEnabled(False)
        menu = self.plot.getPlotItem().ctrlMenu  # made all the same, and nobody's: let it go with the plot
        menu.setParent(self.plot, menu.windowFlags())
        self.plot.hideButtons()
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setAccessibleName(title)
        self.plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.plot.setMinimumSize(120, 60)
        self.plot.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._bars: Sequence[Bar] = ()
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.note, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.reason, 0, Qt.AlignmentFlag.AlignTop)
        column.addWidget(self.plot, 1)
        self._dressed: Theme | None = None
        self.dress(current())

    def dress(self, theme: Theme) -> None:
        """Colours of the theme on axes and background."""
        self._dressed = theme
        self.plot.setBackground(colour(theme.canvas))
        self.plot.showGrid(x=False, y=True, alpha=0.25)
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(colour(theme.line))
            axis.setTextPen(colour(theme.text2))
            axis.setStyle(tickFont=font(CAPTION), tickLength=0)
            axis.enableAutoSIPrefix(False)
            axis.setZValue(-1)  # the grid is the axis's: it belongs behind the bars

    def clear(self, reason: str = "") -> None:
        """Takes the drawing away and says why nothing is shown."""
        self.plot.clear()
        self._bars = ()
        self.plot.setVisible(not reason)
        self.reason.setVisible(bool(reason))
        self.reason.setText(reason)
        self.note.setText("")

    def show_bars(self, bars: Sequence[Bar], unit: str, top: float = 0.0) -> None:
        """Upright bars from zero; the axis reaches at least to `top`."""
        self.clear()
        self._bars = tuple(bars)
        theme = current()
        brushes = [colour(bar.colour) for bar in bars]
        heights = [bar.height for bar in bars]
        places = list(range(len(bars)))
        self.plot.addItem(pg.BarGraphItem(x=places, height=heights, width=0.7, brushes=brushes, pens=brushes))
        few = len(bars) <= _FEW
        self.plot.setYRange(0, max([*heights, top, 1e-12]) * (1.25 if few else 1.1), padding=0)
        self.plot.setXRange(-0.6, max(len(bars) - 0.4, 0.6), padding=0)
        self.plot.getAxis("left").setLabel(unit, color=theme.text2)
        for at, bar in enumerate(bars if few else ()):
            text = pg.TextItem(bar.text, color=colour(theme.text2), anchor=(0.5, 1.0))
            text.setFont(font(CAPTION))
            text.setPos(at, bar.height)
            self.plot.addItem(text, ignoreBounds=True)
        self._name_bars()

    def _name_bars(self) -> None:
        """Names under the bars, as many as have room."""
        if not self._bars:
            return
        widest = max(text_width(bar.name, font(CAPTION)) for bar in self._bars) + 8
        room = max(self.plot.width() - 60, 60)
        step = max(1, -(-int(len(self._bars) * widest) // int(room)))
        ticks = [(at, bar.name) for at, bar in enumerate(self._bars) if at % step == 0]
        self.plot.getAxis("bottom").setTicks([ticks])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name_bars()

    def changeEvent(self, event: QEvent) -> None:
        changed = event.type() == QEvent.Type.PaletteChange and hasattr(self, "_dressed")
        if changed and self._dressed is not current():
            self.dress(current())
            self.again()
        super().changeEvent(event)

    def again(self) -> None:
        """Draws the last result in the present theme."""
