"""Rack power against its limits."""

import pyqtgraph as pg

from rackbuilder.analysis.results import Power, RackPower
from rackbuilder.design.design import Design
from rackbuilder.ui import numbers
from rackbuilder.ui.charts.base import Bar, Chart
from rackbuilder.ui.theme import current, pen


class RackPowerChart(Chart):
    """A bar a rack in kW, in the colour of its share of the limit; grey where no limit is set."""

    def __init__(self) -> None:
        super().__init__("Rack power, maximum")
        self._result: tuple[Power | None, Design] | None = None

    def show_result(self, power: Power | None, design: Design) -> None:
        """Bars, and the limit where all racks share one; racks whose power is unknown are said, not drawn."""
        self._result = (power, design)
        known = (
            [r for r in power.racks if r.rack in design.racks and r.max_w.value is not None] if power else []
        )
        if power is None or not known:
            self.clear("No rack with a known power.")
            return
        limits = sorted({r.limit_w for r in known if r.limit_w})
        shared = limits[0] / 1e3 if len(limits) == 1 else 0.0
        self.show_bars([_bar(r, design) for r in known], "kW", shared)
        if shared:
            self.plot.addItem(pg.InfiniteLine(shared, angle=0, pen=pen(current().error, 1.5)))
        unknown = sum(r.rack in design.racks and r.max_w.value is None for r in power.racks)
        words = [numbers.figure(power.max_w, numbers.power).text]
        words += [f"limit {numbers.power(limits[0])}"] if shared else []
        words += [f"{unknown:,} unknown"] if unknown else []
        self.note.setText(" · ".join(words))

    def again(self) -> None:
        if self._result:
            self.show_result(*self._result)


def _bar(row: RackPower, design: Design) -> Bar:
    value = row.max_w.value or 0.0
    share = value / row.limit_w if row.limit_w else None
    ink = current().load_colour(share) or current().idle
    return Bar(design.racks[row.rack].label, value / 1e3, ink, numbers.fixed(value / 1e3, 1))
