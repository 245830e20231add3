"""Holds the items of one drawing and brings them in step with a new one, touching only what differs."""

from collections.abc import Iterator, Mapping

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QGraphicsScene

from rackbuilder.design.refs import parse
from rackbuilder.layout.cables import CableLines
from rackbuilder.layout.facts import RackFacts
from rackbuilder.layout.gridindex import GridIndex
from rackbuilder.layout.lod import Level, shown
from rackbuilder.layout.portgrid import port_spots
from rackbuilder.layout.scene import Box, Frame, Scene
from rackbuilder.layout.shapes import Place, around
from rackbuilder.ui.canvas.backdrop import Backdrop
from rackbuilder.ui.canvas.brushes import Brushes
from rackbuilder.ui.canvas.cable_layer import CableLayer
from rackbuilder.ui.canvas.colouring import Colouring
from rackbuilder.ui.canvas.device_item import DeviceItem
from rackbuilder.ui.canvas.plate_layer import PlateLayer

EMPTY = Scene("fabric", Place(0.0, 0.0, 0.0, 0.0))


class CanvasScene(QGraphicsScene):
    """No index: Qt's tree costs more than it saves here, and makes every move slow."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        self.brushes = Brushes()
        self.drawing = EMPTY
        self.devices: dict[str, DeviceItem] = {}
        self.backdrop = Backdrop(self.brushes)
        self.cables = CableLayer(self.brushes)
        self.plates = PlateLayer(self.brushes)
        for item in (self.backdrop, self.cables, self.plates):
            self.addItem(item)
        self._keys: list[str] = []
        self._index: GridIndex | None = None

    def show_scene(
        self,
        drawing: Scene,
        colouring: Colouring,
        facts: Mapping[str, RackFacts],
        lines: CableLines | None = None,
    ) -> list[str]:
        """Shows another drawing; returns the keys of boxes whose items were added, changed or removed."""
        touched = self._boxes(drawing.boxes)
        self.drawing, self._index = drawing, None
        self.backdrop.show_scene(drawing, facts)
        self.cables.show_scene(drawing, colouring, lines)
        self.plates.show_scene(drawing)
        return touched

    def _boxes(self, boxes: Mapping[str, Box]) -> list[str]:
        touched = []
        for key in [key for key in self.devices if key not in boxes]:
            self.removeItem(self.devices.pop(key))
            touched.append(key)
        for key, box in boxes.items():
            item = self.devices.get(key)
            if item is None:
                item = self.devices[key] = DeviceItem(box, self.brushes)
                self.addItem(item)
                touched.append(key)
            elif item.show_box(box):
                touched.append(key)
        return touched

    def set_brushes(self, brushes: Brushes) -> None:
        """Another theme: every item draws with it from now on."""
        self.brushes = brushes
        for layer in (self.backdrop, self.cables, self.plates):
            layer.set_brushes(brushes)
        for item in self.devices.values():
            item.set_brushes(brushes)

    def hide_layers(self, layers: frozenset[str]) -> None:
        """Switches the runs of some layers off."""
        for item in (self.backdrop, self.cables, self.plates):
            item.hidden_layers = layers
            item.update()

    # ---- what is where, by arithmetic

    def device_at(self, x: float, y: float, level: Level) -> DeviceItem | None:
        """The device shown at a point of the drawing, the last drawn first."""
        if self._index is None:
            self._keys = list(self.drawing.boxes)
            self._index = GridIndex([box.place for box in self.drawing.boxes.values()])
        hits = (self._keys[n] for n in reversed(self._index.touching(Place(x, y, 0.0, 0.0))))
        found = (self.devices[key] for key in hits if shown(self.drawing.boxes[key].levels, level))
        return next(found, None)

    def port_places(self, box: Box) -> dict[str, Place]:
        """“osfp3/2” -> where it is drawn."""
        spots = port_spots(box.look, box.place.w, box.place.h)
        return {spot.name(box.look): spot.place.moved(box.place.x, box.place.y) for spot in spots}

    def places_of(self, ref: str) -> list[Place]:
        """Where a ref is drawn: device, port, inner part, rack, group, cable; nothing when it is not in this view."""
        found = list(self._boxes_of(ref))
        if not found:
            found = [self._outline(frame) for frame in self.drawing.frames if frame.ref == ref and ref]
        return found or self._inside_frames(ref) or self.cables.places_of(ref)

    def _outline(self, frame: Frame) -> Place:
        """A frame; of a device seen from inside also the ports that stand on its edge, so that no ring strikes them."""
        if frame.kind != "inner":
            return frame.place
        return around([frame.place, *(box.place for box in self.drawing.boxes.values())])

    def _boxes_of(self, ref: str) -> Iterator[Place]:
        parsed = parse(ref)
        for key in (ref, parsed.record, f"{parsed.record}@rear"):
            box = self.drawing.boxes.get(key)
            if box is None:
                continue
            port = self.port_places(box).get(parsed.port.partition(".")[0]) if parsed.port else None
            yield port or box.place
            if key == ref:
                return

    def _inside_frames(self, ref: str) -> list[Place]:
        """A device that is only counted in a block is shown as its block."""
        record = parse(ref).record
        return [f.place for f in self.drawing.frames if f.kind == "block" and record in f.members]
