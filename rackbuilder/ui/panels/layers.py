"""The layers of the fabric view: which networks are drawn, and how many cables each has."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rackbuilder.ui.bridge import Document
from rackbuilder.ui.theme import CAPTION, PADDING, ROW, SECONDARY, current, font
from rackbuilder.ui.views.fabric import LAYERS
from rackbuilder.ui.widgets import Chip
from rackbuilder.ui.widgets.paint import draw_box

_SCOPES = {
    "compute": ("server-leaf", "leaf-spine", "spine-core"),
    "storage": ("storage",),
    "in-band": ("in-band",),
    "out-of-band": ("out-of-band",),
}


class _Swatch(QWidget):
    def __init__(self, scope: str) -> None:
        super().__init__()
        self._scope = scope
        self.setFixedSize(QSize(9, 9))

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        draw_box(painter, QRectF(self.rect()), current().named(self._scope), 2)
        painter.end()


class LayersPanel(QWidget):
    """A row a network. The chips above the canvas and these boxes are one: each follows the other."""

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.boxes: dict[str, QCheckBox] = {}
        self._counts: dict[str, QLabel] = {}
        self._chips: dict[str, Chip] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(PADDING, 8, PADDING, 8)
        column.setSpacing(0)
        head = QLabel("Networks in the fabric view")
        head.setFont(font(CAPTION, semibold=True))
        column.addWidget(head)
        for layer, text, scope in LAYERS:
            column.addWidget(self._row(layer, text, scope))
        column.addStretch(1)
        document.reported.connect(self.refresh)
        document.replaced.connect(self.refresh)
        self.refresh()

    def _row(self, layer: str, text: str, scope: str) -> QWidget:
        row = QWidget()
        row.setFixedHeight(ROW)
        line = QHBoxLayout(row)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(8)
        box = QCheckBox(text)
        box.setAccessibleName(f"Show the {text.lower()} network")
        count = QLabel()
        count.setFont(font(SECONDARY))
        self.boxes[layer], self._counts[layer] = box, count
        line.addWidget(_Swatch(scope))
        line.addWidget(box, 1)
        line.addWidget(count, 0, Qt.AlignmentFlag.AlignRight)
        return row

    def bind(self, view: QWidget) -> None:
        """Ties the boxes to the chips of a fabric view."""
        chips = {chip.text(): chip for chip in view.findChildren(Chip)}
        self._chips = {layer: chips[text] for layer, text, _ in LAYERS}
        self.follow()
        for layer, chip in self._chips.items():
            self.boxes[layer].toggled.connect(chip.setChecked)
            chip.toggled.connect(self.boxes[layer].setChecked)

    def follow(self) -> None:
        """Reads the chips again, after the view changed them itself."""
        for layer, chip in self._chips.items():
            self.boxes[layer].setChecked(chip.isChecked())

    def refresh(self) -> None:
        """Counts of cables, as the compiled network has them."""
        compiled = self._document.report.compiled
        sums: dict[str, int] = {}
        for link in compiled.links if compiled else ():
            if link.fabric:
                sums[link.scope] = sums.get(link.scope, 0) + link.count
        for layer, scopes in _SCOPES.items():
            count = sum(sums.get(scope, 0) for scope in scopes)
            self._counts[layer].setText(f"{count:,} cables" if count else "none")
