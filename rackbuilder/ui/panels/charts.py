"""The charts dock: traffic split, link utilisation, rack power."""

from typing import TYPE_CHECKING

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from rackbuilder.ui.bridge import Document

if TYPE_CHECKING:
    from rackbuilder.ui.charts.power import RackPowerChart
    from rackbuilder.ui.charts.traffic import TrafficChart
    from rackbuilder.ui.charts.utilisation import UtilisationChart


class ChartsPanel(QWidget):
    """Made when it is first seen, and drawn only while it is: the plotting library takes a quarter second to load."""

    traffic: "TrafficChart"
    utilisation: "UtilisationChart"
    power: "RackPowerChart"

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._made = False
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(8, 4, 8, 4)
        document.reported.connect(self.refresh)
        document.replaced.connect(self.refresh)

    def _make(self) -> None:
        from rackbuilder.ui.charts.power import RackPowerChart
        from rackbuilder.ui.charts.traffic import TrafficChart
        from rackbuilder.ui.charts.utilisation import UtilisationChart

        self.traffic, self.utilisation, self.power = TrafficChart(), UtilisationChart(), RackPowerChart()
        for chart in (self.traffic, self.utilisation, self.power):
            self._row.addWidget(chart, 1)
        self._made = True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._made:
            self._make()
        self.refresh()

    def refresh(self) -> None:
        """Draws the newest results, if they can be seen."""
        if not (self._made and self.isVisible()):
            return
        report = self._document.report
        self.traffic.show_result(report.step)
        self.utilisation.show_result(report.loads)
        self.power.show_result(report.power, self._document.design)
