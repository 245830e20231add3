"""How many link bundles are how busy."""

from rackbuilder.analysis.results import Loads
from rackbuilder.ui.charts.base import Chart, bars, names
from rackbuilder.ui.theme import current, load_band

_BANDS = ("idle", "0–10 %", "10–25", "25–50", "50–75", "75–90", "from 90 %")


class UtilisationChart(Chart):
    def __init__(self) -> None:
        super().__init__("Links by load")
        self._loads: Loads | None = None

    def show_result(self, loads: Loads | None) -> None:
        """A bar a load band: how many links stand in it; unknown ones are said, not drawn."""
        self._loads = loads
        if loads is None or not loads.links:
            self.clear("Needs a workload with traffic on the fabric.")
            return
        self.clear()
        theme = current()
        counts = [0] * len(_BANDS)
        unknown = 0
        for link in loads.links:
            band = load_band(link.utilisation)
            if band is None:
                unknown += link.count
            else:
                counts[band] += link.count
        bars(
            self,
            [float(i) for i in range(len(_BANDS))],
            [float(c) for c in counts],
            [theme.idle, *theme.load],
        )
        names(self, list(_BANDS))
        self.plot.getAxis("left").setLabel("links", color=theme.text2)
        self.note.setText(f"{unknown:,} links unknown" if unknown else f"{sum(counts):,} links")

    def again(self) -> None:
        self.show_result(self._loads)
