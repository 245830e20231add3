"""The charts dock: traffic split, link utilisation, rack power."""

from PySide6.QtWidgets import QHBoxLayout, QWidget

from rackbuilder.ui.bridge import Document
from rackbuilder.ui.charts.power import RackPowerChart
from rackbuilder.ui.charts.traffic import TrafficChart
from rackbuilder.ui.charts.utilisation import UtilisationChart


class ChartsPanel(QWidget):
    """Redrawn when results arrive and the dock is in sight; hidden charts cost nothing."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.traffic, self.utilisation, self.power = TrafficChart(), UtilisationChart(), RackPowerChart()
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 4)
        for chart in (self.traffic, self.utilisation, self.power):
            row.addWidget(chart)
        document.reported.connect(self.refresh)
        document.replaced.connect(self.refresh)

    def showEvent(self, event: object) -> None:
        self.refresh()

    def refresh(self) -> None:
        if not self.isVisible():
            return
        report = self._document.report
        self.traffic.show_result(report.step)
        self.utilisation.show_result(report.loads)
        self.power.show_result(report.power, self._document.design)
