"""The floor: halls and rows from above, racks where they stand, each with its share of its power limit."""

from PySide6.QtWidgets import QWidget

from rackbuilder.design.design import Design
from rackbuilder.layout.floor import floor_scene
from rackbuilder.layout.names import counted
from rackbuilder.layout.scene import Scene
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.canvas.host import CanvasHost
from rackbuilder.ui.views.page import CanvasPage


class FloorView(CanvasPage):
    kind = "floor"
    title = "Floor"

    def __init__(self, host: CanvasHost, parent: QWidget | None = None) -> None:
        super().__init__(host, parent)
        self.reload()

    def subtitle(self) -> str:
        return f"{counted(len(self.host.design.racks), 'rack')}, north is up"

    def scene_of(self, design: Design, graphs: Graphs) -> Scene:
        return floor_scene(design, self.facts())

    def report_changed(self) -> None:
        self.refresh()
