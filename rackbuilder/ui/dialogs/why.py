"""What a number is: its value, how well it is known, and where it comes from."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QLabel, QVBoxLayout, QWidget

from rackbuilder.ui.panels.property_rows import PropertyRow
from rackbuilder.ui.theme import SENTENCE, font

_MARKS = {
    "known": "known, with a source",
    "assumed": "assumed: set by hand, or a planning value",
    "unknown": "unknown: looked for and not found; it counts in no sum",
}


class WhyDialog(QDialog):
    """Shows one row of the properties in full."""

    def __init__(self, parent: QWidget, owner: str, row: PropertyRow) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("What is this number")
        head = QLabel(f"{row.label} of {owner}" if owner else row.label)
        head.setFont(font(SENTENCE, semibold=True))
        rows = QFormLayout()
        rows.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        where = "set by you, in place of the figure of the part" if row.bold else row.source
        for name, text in (
            ("Value", row.value),
            ("Known", "not set yet" if row.field and row.mark == "unknown" else _MARKS[row.mark]),
            ("From", where),
            ("More", row.tip),
        ):
            if text:
                rows.addRow(f"{name}:", _words(text))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(head)
        column.addLayout(rows)
        column.addWidget(buttons)
        self.setMinimumWidth(440)


def _words(text: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
