"""Bytes of a step by scope."""

from rackbuilder.analysis.results import Step
from rackbuilder.ui import numbers
from rackbuilder.ui.charts.base import Chart, bars, names
from rackbuilder.ui.panels.live_parts import SCOPES
from rackbuilder.ui.theme import current


class TrafficChart(Chart):
    def __init__(self) -> None:
        super().__init__("Traffic per step by scope")
        self._step: Step | None = None

    def show_result(self, step: Step | None) -> None:
        """Bars in TB; without traffic, the reason."""
        self._step = step
        if step is None or not step.traffic:
            self.clear("Needs a workload.")
            return
        self.clear()
        theme = current()
        sums = {scope: sum(p.size_bytes for p in step.traffic if p.scope == scope) for scope, _ in SCOPES}
        bars(
            self,
            [float(i) for i in range(len(SCOPES))],
            [sums[s] / 1e12 for s, _ in SCOPES],
            [theme.scope(s) for s, _ in SCOPES],
        )
        names(self, [name for _, name in SCOPES])
        self.plot.getAxis("left").setLabel("TB", color=theme.text2)
        self.note.setText(numbers.size(sum(sums.values())))

    def again(self) -> None:
        self.show_result(self._step)
