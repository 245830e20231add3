"""Rack power against its limits."""

import pyqtgraph as pg

from rackbuilder.analysis.results import Power
from rackbuilder.design.design import Design
from rackbuilder.ui import numbers
from rackbuilder.ui.charts.base import Chart, bars, names
from rackbuilder.ui.theme import current, pen


class RackPowerChart(Chart):
    def __init__(self) -> None:
        super().__init__("Rack power, maximum")
        self._result: tuple[Power | None, Design] | None = None

    def show_result(self, power: Power | None, design: Design) -> None:
        """A bar a rack in kW in the colour of its share of the limit, and the limit where all racks share one."""
        self._result = (power, design)
        rows = (
            [r for r in power.racks if r.rack in design.racks and r.max_w.value is not None] if power else []
        )
        if not rows:
            self.clear("No rack with a known power.")
            return
        self.clear()
        theme = current()
        heights = [(r.max_w.value or 0.0) / 1e3 for r in rows]
        top = max(heights) or 1.0
        shares = [h * 1e3 / r.limit_w if r.limit_w else h / top for h, r in zip(heights, rows, strict=True)]
        bars(
            self,
            [float(i) for i in range(len(rows))],
            heights,
            [theme.load_colour(s) or theme.idle for s in shares],
        )
        names(self, [design.racks[r.rack].label for r in rows])
        limits = {r.limit_w for r in rows}
        if len(limits) == 1 and (limit := next(iter(limits))):
            self.plot.addItem(pg.InfiniteLine(limit / 1e3, angle=0, pen=pen(theme.error, 1.5)))
            self.plot.setYRange(0, max(top, limit / 1e3) * 1.1, padding=0)
        self.plot.getAxis("left").setLabel("kW", color=theme.text2)
        assert power is not None
        least = "at least " if power.max_w.at_least else ""
        self.note.setText(f"{least}{numbers.power(power.max_w.value)}")

    def again(self) -> None:
        if self._result:
            self.show_result(*self._result)
