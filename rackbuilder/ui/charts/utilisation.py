"""How many links are how busy."""

from rackbuilder.analysis.results import Loads
from rackbuilder.ui.charts.base import Bar, Chart
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
        counts = [0] * len(_BANDS)
        unknown = 0
        for link in loads.links:
            band = load_band(link.utilisation)
            if band is None:
                unknown += link.count
            else:
                counts[band] += link.count
        inks = (current().idle, *current().load)
        rows = [Bar(n, float(c), ink, f"{c:,}") for n, c, ink in zip(_BANDS, counts, inks, strict=True)]
        self.show_bars(rows, "links")
        self.note.setText(f"{sum(counts):,} links" + (f", {unknown:,} unknown" if unknown else ""))

    def again(self) -> None:
        self.show_result(self._loads)
