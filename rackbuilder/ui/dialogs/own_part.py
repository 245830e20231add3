"""An own device or rack type from a copy of an existing one."""

from pydantic import JsonValue
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.catalog.parts import DeviceType, Part
from rackbuilder.commands.parts import CopyPart


class OwnPartDialog(QDialog):
    """Height, power and the cages of each row; what is typed has the evidence grade “user”."""

    def __init__(self, parent: QWidget, base: Part) -> None:
        super().__init__(parent)
        self.setWindowTitle("Own part from a copy")
        self._base = base
        self.identity = QLineEdit(f"{base.id}-own")
        self.name = QLineEdit(f"{base.name} (own)")
        self.units = QDoubleSpinBox()
        self.units.setRange(0, 100)
        self.units.setSingleStep(0.5)
        self.units.setValue(getattr(base, "u_height", 1))
        self.power = QLineEdit()
        self.power.setPlaceholderText("unknown")
        rows = QFormLayout()
        rows.addRow("Id", self.identity)
        rows.addRow("Name", self.name)
        rows.addRow("Height (U)", self.units)
        self.cages: dict[int, QSpinBox] = {}
        if isinstance(base, DeviceType):
            power = base.max_power().value
            self.power.setText("" if power is None else f"{power:g}")
            rows.addRow("Maximum power (W)", self.power)
            for index, row in enumerate(base.cages):
                self.cages[index] = self._cages(row.count)
                rows.addRow(
                    f"Cages {row.name} ({row.connector}, {row.ports} port{'' if row.ports == 1 else 's'} each)",
                    self.cages[index],
                )
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Cancel | QDialogButtonBox.StandardButton.Ok
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(rows)
        column.addWidget(buttons)

    def _cages(self, count: int) -> QSpinBox:
        box = QSpinBox()
        box.setRange(0, 1024)
        box.setValue(count)
        return box

    @property
    def command(self) -> CopyPart:
        """The command that makes the part; only changed fields are named."""
        fields: dict[str, JsonValue] = {}
        if self.units.value() != getattr(self._base, "u_height", None):
            fields["u_height"] = self.units.value()
        if isinstance(self._base, DeviceType):
            power = self._base.max_power().value
            text = self.power.text().strip()
            typed = float(text) if text else None
            if typed != power:
                fields["power_max_w"] = typed
            counts = [box.value() for box in self.cages.values()]
            if counts != [row.count for row in self._base.cages]:
                rows = zip(self._base.cages, counts, strict=True)
                fields["cages"] = [row.model_dump(mode="json") | {"count": n} for row, n in rows if n]
        return CopyPart(
            base=self._base.id, id=self.identity.text().strip(), name=self.name.text().strip(), fields=fields
        )
