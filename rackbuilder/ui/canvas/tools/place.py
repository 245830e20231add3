"""Places a part: dropped from the palette, or clicked down with the place tool. The target shows before release."""

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from rackbuilder.catalog.parts import DeviceType, Part, RackType
from rackbuilder.commands.base import Command
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.racks import AddRack, PlaceRackSystem
from rackbuilder.errors import ProblemError
from rackbuilder.layout.rack import RACK_W, U
from rackbuilder.layout.shapes import Place
from rackbuilder.layout.snap import Target, nearest_fit, snap_to_rack
from rackbuilder.ui.canvas.hints import refused_marks, target_marks
from rackbuilder.ui.canvas.host import Refusal, refusal_from
from rackbuilder.ui.canvas.marks import NONE, Ghost, Marks, Ring, Sign
from rackbuilder.ui.canvas.tools.base import Hit, Pointer, Stage, Tool


def part_named(stage: Stage, identity: str) -> Part | None:
    """The part as the design has it, else as the catalog does."""
    own = stage.host.design.parts.get(identity)
    if own is not None:
        return own
    try:
        return stage.host.catalog.part(identity)
    except ProblemError:
        return None


class Dropper:
    """One part on its way to the drawing."""

    def __init__(self, stage: Stage, part: str, hit: Callable[[Pointer], Hit] | None = None) -> None:
        self.stage, self.part_id = stage, part
        self.part = part_named(stage, part)
        self.command: Command | None = None
        self._hit = hit or Tool(stage).hit
        self._last: tuple[object, ...] | None = None
        self._refusal: Refusal | None = None
        self._landing: tuple[Place, ...] = ()

    # ---- called by tools

    def over(self, p: Pointer) -> None:
        """Shows where the part would land, or why it would not."""
        if isinstance(self.part, RackType):
            self._rack(self.part, p)
        elif isinstance(self.part, DeviceType):
            if self.stage.kind == "racks":
                self._into_rack(self.part, p)
            else:
                self._onto_fabric(self.part, p)
        else:
            self._refuse(p, Refusal(self._no_place(), ()), None)

    def release(self, p: Pointer) -> None:
        self.over(p)
        command = self.command
        self.drop()
        if command is not None:
            self.stage.host.do(command)

    def drop(self) -> None:
        self.command = None
        self.stage.canvas_view.overlay.show("gesture", NONE)
        self.stage.host.end_preview()

    # ---- racks

    def _into_rack(self, part: DeviceType, p: Pointer) -> None:
        design, racks = self.stage.host.design, self.stage.elevations()
        target = snap_to_rack(design, racks, part, p.x, p.y)
        overlay = self.stage.canvas_view.overlay
        if target is None:
            self._plan(PlaceDevice(type=part.id), ("loose",))
            place = Place(p.x - RACK_W / 2, p.y - part.u_height * U / 2, RACK_W, max(1.0, part.u_height) * U)
            sign = Sign(
                p.x, p.y, f"{part.name}, in no rack yet", ("Drop it on a rack to give it a place.",), "target"
            )
            overlay.show("gesture", Marks(ghosts=(Ghost(place, part.name, "target", ""),), signs=(sign,)))
            return
        command = PlaceDevice(type=part.id, rack=target.rack, u=target.u, slot=target.slot, face=target.face)  # type: ignore[arg-type]
        refusal = self._plan(command, (target.rack, target.u, target.slot, target.face))
        if target.what:
            refusal, self.command = Refusal(target.what, (target.fix,)), None
        if refusal is None:
            overlay.show("gesture", target_marks(design, target, part.name))
        else:
            near = nearest_fit(design, racks, part, p.x, p.y)
            overlay.show("gesture", refused_marks(design, target.place, part.name, refusal, near, p))

    def _rack(self, part: RackType, p: Pointer) -> None:
        system = part.assembly is not None and bool(part.assembly.slots)
        x_m, y_m = self._floor_point(p)
        kind = PlaceRackSystem if system else AddRack
        command = kind(type=part.id, x_m=x_m, y_m=y_m)
        refusal = self._plan(command, (x_m, y_m))
        w, h = (RACK_W, part.u_height * U) if self.stage.kind == "racks" else (90.0, 120.0)
        place = Place(p.x - w / 2, p.y - h / 2, w, h)
        if refusal is not None:
            self._refuse(p, refusal, None, place)
            return
        what = f"{part.name} with its trays" if system else part.name
        sign = Sign(p.x, p.y, what, ("It stands at the end of the racks.",) if x_m is None else (), "target")
        ghost = Ghost(place, part.name, "target", "")
        self.stage.canvas_view.overlay.show("gesture", Marks(ghosts=(ghost,), signs=(sign,)))

    def _floor_point(self, p: Pointer) -> tuple[float | None, float | None]:
        if self.stage.kind != "floor":
            return None, None
        from rackbuilder.layout.floor import METRE

        return round(p.x / METRE, 1), round(p.y / METRE, 1)

    # ---- fabric

    def _onto_fabric(self, part: DeviceType, p: Pointer) -> None:
        """Into the rack under the pointer, else where its tier puts it; with Alt it stays where it is dropped."""
        frame = self._hit(p).frame
        rack = frame.ref if frame is not None and frame.ref in self.stage.host.design.racks else ""
        if rack:
            command = PlaceDevice(type=part.id, rack=rack)
        elif p.alt:
            command = PlaceDevice(type=part.id, x=round(p.x - 20, 0), y=round(p.y - 20, 0))
        else:
            command = PlaceDevice(type=part.id)
        key = (rack, p.alt, (p.x, p.y) if p.alt else ())
        refusal = self._plan(command, key, look=True)
        if refusal is not None:
            self._refuse(p, refusal, None)
            return
        self._show_landing(part, p, rack)

    def _show_landing(self, part: DeviceType, p: Pointer, rack: str) -> None:
        where = self.stage.host.design.racks[rack].label if rack else ""
        line = f"Into {where}, lowest free unit" if rack else "Alt: keep it where it is dropped"
        rings = tuple(Ring(place, "target", 1.5, (4.0, 3.0), 2.0) for place in self._landing)
        sign = Sign(p.x, p.y, part.name, (line,), "target")
        self.stage.canvas_view.overlay.show("gesture", Marks(rings=rings, signs=(sign,)))

    # ---- shared

    def _plan(self, command: Command, key: tuple[object, ...], look: bool = False) -> Refusal | None:
        """Previews a command once for each new target; with `look`, also where the drawing would put it."""
        if key == self._last:
            if self._refusal is None:
                self.command = command
            return self._refusal
        self._last = key
        found = self.stage.host.preview(command)
        self._refusal = refusal_from(found.problems) if found.problems else None
        self.command = None if self._refusal else command
        self._landing = ()
        if look and found.design is not None and found.graphs is not None:
            before = self.stage.canvas_view.canvas.drawing.boxes
            after = self.stage.scene_of(found.design, found.graphs).boxes
            self._landing = tuple(box.place for ref, box in after.items() if ref not in before)
        return self._refusal

    def _no_place(self) -> str:
        if self.part is None:
            return f"There is no part “{self.part_id}”"
        return f"{self.part.name} cannot stand alone"

    def _refuse(self, p: Pointer, refusal: Refusal, near: Target | None, place: Place | None = None) -> None:
        self.command = None
        name = self.part.name if self.part else self.part_id
        where = place or Place(p.x - 60, p.y - 20, 120, 40)
        marks = refused_marks(self.stage.host.design, where, name, refusal, near, p)
        self.stage.canvas_view.overlay.show("gesture", marks)


class PlaceTool(Tool):
    """Click to place the part chosen in the palette, again and again; Enter places at the lowest free unit."""

    name: ClassVar[str] = "place"
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.CrossCursor

    def __init__(self, stage: Stage, other_tool: Callable[[str], None] | None = None) -> None:
        super().__init__(stage, other_tool)
        self.part_id = ""
        self._dropper: Dropper | None = None

    @property
    def busy(self) -> bool:
        return self._dropper is not None

    def set_part(self, part: str) -> None:
        """What a click places from now on; empty: nothing."""
        self.cancel()
        self.part_id = part

    def cancel(self) -> None:
        if self._dropper is not None:
            self._dropper.drop()
            self._dropper = None

    def hover(self, p: Pointer) -> None:
        if not self.part_id:
            sign = Sign(p.x, p.y, "Choose a part first", ("Then click where it goes.",))
            self.stage.canvas_view.overlay.show("gesture", Marks(signs=(sign,)))
            return
        if self._dropper is None:
            self._dropper = Dropper(self.stage, self.part_id, self.hit)
        self._dropper.over(p)

    drag = hover

    def leave(self) -> None:
        self.cancel()
        self.stage.canvas_view.overlay.show("gesture", NONE)

    def release(self, p: Pointer) -> None:
        self.hover(p)
        if self._dropper is not None:
            self._dropper.release(p)
            self._dropper = None

    def key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self.cancel()
            self.stage.canvas_view.overlay.show("gesture", NONE)
            self._other_tool("select")
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.part_id:
            self._by_key()
            return True
        return False

    def _by_key(self) -> None:
        """Into the selected rack, or the rack of the selected device; else into no rack."""
        design = self.host.design
        refs = self.selected()
        rack = next((r for r in refs if r in design.racks), "")
        rack = rack or next((design.devices[r].rack for r in refs if r in design.devices), "")
        part = part_named(self.stage, self.part_id)
        if isinstance(part, DeviceType):
            self.host.do(PlaceDevice(type=part.id, rack=rack))
        elif isinstance(part, RackType):
            system = part.assembly is not None and bool(part.assembly.slots)
            self.host.do((PlaceRackSystem if system else AddRack)(type=part.id))

    def drop_over(self, part: str, p: Pointer) -> None:
        if self._dropper is None or self._dropper.part_id != part:
            self.cancel()
            self._dropper = Dropper(self.stage, part, self.hit)
        self._dropper.over(p)

    drop_left = cancel

    def dropped(self, part: str, p: Pointer) -> None:
        self.drop_over(part, p)
        assert self._dropper is not None
        self._dropper.release(p)
        self._dropper = None
