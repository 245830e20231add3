"""Rack elevations, front, rear or both, with what each rack draws, sheds and weighs."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from rackbuilder.design.design import Design
from rackbuilder.layout.fabric import switch_roles
from rackbuilder.layout.facts import device_power
from rackbuilder.layout.names import counted
from rackbuilder.layout.rack import Elevation, Faces, elevations, rack_scene
from rackbuilder.layout.scene import Scene
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.canvas.host import CanvasHost
from rackbuilder.ui.views.page import CanvasPage
from rackbuilder.ui.widgets import Segmented


class RackView(CanvasPage):
    kind = "racks"
    title = "Racks"

    def __init__(self, host: CanvasHost, parent: QWidget | None = None) -> None:
        self._faces: Faces = "front"
        self._places: tuple[Elevation, ...] = ()
        super().__init__(host, parent)
        self.reload()

    def header_widgets(self) -> tuple[list[QWidget], list[QWidget]]:
        self._switch = Segmented(
            [("front", "Front"), ("rear", "Rear"), ("both", "Both")], "Face of the racks"
        )
        self._switch.chosen.connect(self.set_faces)
        return [self._switch], []

    def subtitle(self) -> str:
        racks = len(self.host.design.racks)
        if len(self._places) == racks:
            return counted(racks, "rack")
        return f"{counted(len(self._places), 'elevation')} of {counted(racks, 'rack')}"

    @property
    def faces(self) -> Faces:
        return self._faces

    def set_faces(self, faces: str) -> None:
        """front, rear or both."""
        assert faces in ("front", "rear", "both")
        self._faces = faces  # type: ignore[assignment]
        self._switch.set_current(faces)
        self.refresh()
        self.fit_all()

    def elevations(self) -> Sequence[Elevation]:
        return self._places

    def scene_of(self, design: Design, graphs: Graphs) -> Scene:
        return rack_scene(design, self._faces, switch_roles(graphs), device_power(self.host.report.power))

    def refresh(self) -> list[str]:
        self._places = elevations(self.host.design, self._faces)
        return super().refresh()

    def report_changed(self) -> None:
        self.refresh()  # the figures stand on the devices
