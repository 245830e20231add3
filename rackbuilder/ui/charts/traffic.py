"""Bytes of a step by scope."""

from rackbuilder.analysis.results import Step
from rackbuilder.ui import numbers
from rackbuilder.ui.charts.base import Bar, Chart
from rackbuilder.ui.panels.live_parts import SCOPES
from rackbuilder.ui.theme import current

_TB = 1e12


class TrafficChart(Chart):
    def __init__(self) -> None:
        super().__init__("Traffic per step by scope")
        self._step: Step | None = None

    def show_result(self, step: Step | None) -> None:
        """Bars in TB; without traffic, the reason."""
        self._step = step
        if step is None or not step.workload:
            self.clear("Needs a workload.")
            return
        if not step.traffic:
            lacks = ", ".join(step.missing[:3])
            self.clear(f"Unknown: needs {lacks}." if lacks else "This job sends nothing.")
            return
        sums = {scope: sum(p.size_bytes for p in step.traffic if p.scope == scope) for scope, _ in SCOPES}
        theme = current()
        rows = [
            Bar(
                name,
                sums[scope] / _TB,
                theme.scope(scope),
                numbers.size(sums[scope]) if sums[scope] else "none",
            )
            for scope, name in SCOPES
        ]
        self.show_bars(rows, "TB")
        self.note.setText(numbers.size(sum(sums.values())))

    def again(self) -> None:
        self.show_result(self._step)
