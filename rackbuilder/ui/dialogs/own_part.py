"""An own device or rack type from a copy of an existing one."""

from typing import Any

from pydantic import JsonValue
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.catalog.parts import DeviceType, Part
from rackbuilder.commands.parts import CopyPart
from rackbuilder.errors import ProblemError
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.theme import FIELD, SECONDARY, font
from rackbuilder.ui.widgets import Banner
from rackbuilder.units import parse_unit


class OwnPartDialog(QDialog):
    """Height, power and the cages of each row; what is typed has the evidence grade “user”.

    Accepting makes the part; while it is refused, the dialog stays and says why.
    """

    def __init__(self, parent: QWidget, base: Part, document: Document) -> None:
        super().__init__(parent)
        self.setWindowTitle("Own part from a copy")
        self._base, self._document = base, document
        self.identity = QLineEdit(_free_id(document, f"{base.id}-own"))
        self.name = QLineEdit(f"{base.name}, own")
        self.units = QDoubleSpinBox()
        self.units.setRange(0, 100)
        self.units.setDecimals(1)
        self.units.setSingleStep(0.5 if isinstance(base, DeviceType) else 1.0)
        self.units.setValue(getattr(base, "u_height", 1))
        self.power = QLineEdit()
        self.power.setPlaceholderText("unknown")
        self.cages: dict[int, QSpinBox] = {}
        self.trouble = Banner("error", "")
        self.trouble.hide()
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Cancel | kinds.Ok)
        self.buttons.button(kinds.Ok).setText("Make the part")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()

    def _lay_out(self) -> None:
        head = QLabel(f"A copy of {self._base.name}. All that is not changed keeps its source.")
        head.setFont(font(SECONDARY))
        head.setWordWrap(True)
        rows = QFormLayout()
        rows.addRow("Id", self.identity)
        rows.addRow("Name", self.name)
        rows.addRow("Height (U)", self.units)
        if isinstance(self._base, DeviceType):
            power = self._base.max_power().value
            self.power.setText("" if power is None else f"{power:g} W")
            rows.addRow("Maximum power", self.power)
            for index, row in enumerate(self._base.cages):
                self.cages[index] = box = QSpinBox()
                box.setRange(0, 1024)
                box.setValue(row.count)
                ports = f"{row.ports} port{'' if row.ports == 1 else 's'}"
                rows.addRow(f"Cages “{row.name}” ({row.connector}, {ports} each)", box)
        for widget in (self.identity, self.name, self.units, self.power, *self.cages.values()):
            widget.setMinimumHeight(FIELD)
            label = rows.labelForField(widget)
            widget.setAccessibleName(label.text() if isinstance(label, QLabel) else "")
        column = QVBoxLayout(self)
        column.addWidget(head)
        column.addLayout(rows)
        column.addWidget(self.trouble)
        column.addWidget(self.buttons)
        self.setMinimumWidth(480)

    @property
    def command(self) -> CopyPart:
        """The command that makes the part; only changed fields are named. Raises ProblemError for a wrong figure."""
        fields: dict[str, JsonValue] = {}
        height = self.units.value()
        if height != getattr(self._base, "u_height", None):
            fields["u_height"] = height if isinstance(self._base, DeviceType) else int(height)
        if isinstance(self._base, DeviceType):
            fields |= self._device_fields(self._base)
        return CopyPart(
            base=self._base.id, id=self.identity.text().strip(), name=self.name.text().strip(), fields=fields
        )

    def _device_fields(self, base: DeviceType) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        text = self.power.text().strip()
        typed = None if not text else float(text) if _plain(text) else parse_unit(text, "W")
        if typed != base.max_power().value:
            fields["power_max_w"] = typed
        counts = [box.value() for box in self.cages.values()]
        if counts != [row.count for row in base.cages]:
            rows = zip(base.cages, counts, strict=True)
            fields["cages"] = [row.model_dump(mode="json") | {"count": n} for row, n in rows if n]
        return fields

    def accept(self) -> None:
        """Makes the part, or says why it cannot be."""
        try:
            command = self.command
            self._document.session.plan(command)
        except ProblemError as error:
            first = error.problems[0]
            self.trouble.set_content(
                "error", ". ".join(w.rstrip(".") for w in (first.what, first.fix) if w) + "."
            )
            self.trouble.show()
            return
        self._document.do(command)
        super().accept()


def _plain(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _free_id(document: Document, wish: str) -> str:
    """The id wished for, with a number where it is taken."""
    taken = {*document.design.parts, *document.catalog.parts}
    found, number = wish, 2
    while found in taken:
        found, number = f"{wish}-{number}", number + 1
    return found
