"""The fabric view: tiers from top to bottom, with layer chips and what colours say in its header."""

from collections.abc import Mapping

from PySide6.QtWidgets import QLabel, QWidget

from rackbuilder.catalog.parts import CableType
from rackbuilder.design.design import Design
from rackbuilder.design.refs import parse
from rackbuilder.layout.fabric import FabricLayout
from rackbuilder.layout.scene import Scene
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.canvas.colouring import MODES, Colouring
from rackbuilder.ui.canvas.host import CanvasHost
from rackbuilder.ui.views.page import CanvasPage
from rackbuilder.ui.widgets import Chip, Segmented

LAYERS = (
    ("compute", "Compute", "server-leaf"),
    ("storage", "Storage", "storage"),
    ("in-band", "In-band", "in-band"),
    ("out-of-band", "Out-of-band", "out-of-band"),
)
FIRST_HIDDEN = frozenset(("in-band", "out-of-band"))


class FabricView(CanvasPage):
    kind = "fabric"
    title = "Fabric"

    def __init__(self, host: CanvasHost, parent: QWidget | None = None) -> None:
        self._opened: frozenset[str] = frozenset()
        # One remembers the document, one what gestures try: neither makes the other forget.
        self._layout, self._trial = FabricLayout(), FabricLayout()
        self._chips: dict[str, Chip] = {}
        super().__init__(host, parent)
        self.hide_layers(FIRST_HIDDEN)
        self.reload()

    def header_widgets(self) -> tuple[list[QWidget], list[QWidget]]:
        for layer, text, ink in LAYERS:
            chip = Chip(text, ink, layer not in FIRST_HIDDEN)
            chip.setToolTip(f"Show the cables of the {text.lower()} network")
            chip.toggled.connect(lambda on, layer=layer: self._toggle(layer, on))
            self._chips[layer] = chip
        self._modes = Segmented([(mode, mode.capitalize()) for mode in MODES], "Colour by")
        self._modes.chosen.connect(self.set_mode)
        word = QLabel("Colour by")
        return list(self._chips.values()), [word, self._modes]

    def subtitle(self) -> str:
        return "all tiers"

    def scene_of(self, design: Design, graphs: Graphs) -> Scene:
        layout = self._layout if design is self.host.design else self._trial
        return layout.scene(design, graphs, idle=self._idle(design), opened=self._opened)

    def _idle(self, design: Design) -> frozenset[str]:
        """Servers that the placed job does not use."""
        placement = self.host.report.placement
        if placement is None or not placement.servers:
            return frozenset()
        used = frozenset(parse(s).record for s in placement.servers)
        gpus = (d.id for d in design.devices.values() if design.type_of(d).gpu_count)
        return frozenset(d for d in gpus if d not in used)

    def report_changed(self) -> None:
        idle = self._idle(self.host.design)
        if idle != self._shown_idle:
            self.refresh()
        else:
            super().report_changed()
            self._modes.set_current(self.mode)

    _shown_idle: frozenset[str] = frozenset()

    def refresh(self) -> list[str]:
        self._shown_idle = self._idle(self.host.design)
        touched = super().refresh()
        self._modes.set_current(self.mode)
        return touched

    # ---- layers and blocks

    def _toggle(self, layer: str, on: bool) -> None:
        self.hide_layers(self._hidden - {layer} if on else self._hidden | {layer})

    def hide_layers(self, layers: frozenset[str]) -> None:
        super().hide_layers(layers)
        for layer, chip in self._chips.items():
            chip.blockSignals(True)
            chip.setChecked(layer not in layers)
            chip.blockSignals(False)

    def toggle_block(self, key: str) -> None:
        """Shows the devices of a block one by one, or only their count."""
        self._opened = self._opened ^ {key}
        self.refresh()

    # ---- colours

    def _colouring_now(self) -> Colouring:
        """By load where a step has been computed, else by scope; as the user chose, if he did."""
        loads = self.loads()
        known = any(share is not None for share in loads.values())
        mode = self._mode or ("load" if known else "scope")
        return Colouring(mode, loads, self._media() if mode == "medium" else {})

    def _media(self) -> Mapping[str, str]:
        design = self.host.design
        parts = {c.id: design.parts.get(c.part) for c in design.cables.values() if c.part}
        return {cable: part.medium for cable, part in parts.items() if isinstance(part, CableType)}

    def set_mode(self, mode: str) -> None:
        super().set_mode(mode)
        self._modes.set_current(self.mode)
