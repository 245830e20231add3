"""The inside of one server: that of the selection, or the first of the design."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from rackbuilder.design.design import Design
from rackbuilder.design.refs import parse
from rackbuilder.layout.names import natural
from rackbuilder.layout.scene import Scene
from rackbuilder.layout.server import server_scene
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.canvas.colouring import Colouring
from rackbuilder.ui.canvas.host import CanvasHost
from rackbuilder.ui.canvas.marks import Marks
from rackbuilder.ui.views.page import CanvasPage


class ServerView(CanvasPage):
    kind = "server"
    title = "Server"

    def __init__(self, host: CanvasHost, parent: QWidget | None = None) -> None:
        self._device = ""
        super().__init__(host, parent)
        self.reload()

    def subtitle(self) -> str:
        if not self._device:
            return "Select a server to see its inside"
        return (
            self.host.design.devices[self._device].label if self._device in self.host.design.devices else ""
        )

    @property
    def device(self) -> str:
        return self._device

    def show_device(self, device: str) -> None:
        """Shows the inside of a device."""
        if device != self._device:
            self._device = device
            self.refresh()
            self.fit_all()

    def scene_of(self, design: Design, graphs: Graphs) -> Scene:
        if self._device not in design.devices:
            self._device = self._first(design)
        return server_scene(design, graphs, self._device, self.loads())

    def _first(self, design: Design) -> str:
        servers = [d for d in design.devices.values() if design.type_of(d).gpu_count]
        return min(servers, key=lambda d: (natural(d.label), d.id)).id if servers else ""

    def _colouring_now(self) -> Colouring:
        """By load where one has been computed: the figures stand beside the runs."""
        loads = self.loads()
        return Colouring("load" if any(share is not None for share in loads.values()) else "scope", loads)

    def report_changed(self) -> None:
        self.refresh()  # the loads stand beside the ports

    def _lit(self, refs: Sequence[str]) -> Marks:
        """What is shown needs no light: only a cable, a port or a peer does."""
        return super()._lit([ref for ref in refs if ref != self._device])

    def show_selection(self) -> None:
        for ref in reversed(self.host.selection.refs):
            record = parse(ref).record
            if record in self.host.design.devices:
                self.show_device(record)
                break
        super().show_selection()
