"""Moves devices: to another unit or rack in the rack view, to a pinned place in the fabric view; also by keys."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from rackbuilder.commands.base import Command
from rackbuilder.commands.devices import MoveDevice, UnplaceDevice
from rackbuilder.commands.drawing import Pin
from rackbuilder.commands.racks import MoveRack
from rackbuilder.design.refs import parse
from rackbuilder.layout.rack import Elevation
from rackbuilder.layout.scene import Box
from rackbuilder.layout.shapes import Place
from rackbuilder.layout.snap import GRID, Target, nearest_fit, snap_to_grid, snap_to_rack
from rackbuilder.ui.canvas.hints import refused_marks, target_marks
from rackbuilder.ui.canvas.host import Refusal, refusal_from
from rackbuilder.ui.canvas.marks import NONE, Ghost, Marks, Sign
from rackbuilder.ui.canvas.tools.base import Pointer, Stage

_ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}
FLOOR_STEP_M = 0.1


class Mover:
    """One drag of a device and whatever else is selected with it."""

    def __init__(self, stage: Stage, box: Box, start: Pointer, devices: Sequence[str]) -> None:
        self.stage, self.box, self.start = stage, box, start
        self.devices = (box.ref, *(d for d in devices if d != box.ref))
        self.command: Command | None = None
        self._last: tuple[object, ...] | None = None

    @staticmethod
    def begin(stage: Stage, box: Box, start: Pointer) -> "Mover | None":
        """A mover for the devices selected, or None where nothing can be moved."""
        selection = stage.host.selection.refs
        if stage.kind == "floor":
            return FloorMover(stage, box, start, [r for r in selection if r in stage.host.design.racks])
        chosen = devices_of(stage, selection)
        if box.ref not in stage.host.design.devices or stage.kind not in ("fabric", "racks"):
            return None
        return (RackMover if stage.kind == "racks" else PinMover)(stage, box, start, chosen)

    def drag(self, p: Pointer) -> None:
        raise NotImplementedError

    def release(self, p: Pointer) -> None:
        """Sends the command that was shown, or nothing where it was refused."""
        self.drag(p)
        command = self.command
        self.drop()
        if command is not None:
            self.stage.host.do(command)

    def drop(self) -> None:
        self.command = None
        self.stage.canvas_view.overlay.show("gesture", NONE)
        self.stage.host.end_preview()

    def _plan(self, command: Command, key: tuple[object, ...]) -> Refusal | None:
        """Previews a command once for each new target; remembers it when it is not refused."""
        if key == self._last:
            return self._refusal
        self._last = key
        found = self.stage.host.preview(command)
        self._refusal = refusal_from(found.problems) if found.problems else None
        self.command = None if self._refusal else command
        return self._refusal

    _refusal: Refusal | None = None

    # ---- keys

    @staticmethod
    def by_key(stage: Stage, event: QKeyEvent) -> bool:
        """Arrow keys move by a unit (Shift: ten; Alt: half a unit); left and right to the next rack."""
        arrow = _ARROWS.get(Qt.Key(event.key()))
        if arrow is None or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            return False
        if stage.kind == "floor":
            racks = [r for r in stage.host.selection.refs if r in stage.host.design.racks]
            return _floor_key(stage, racks, arrow, event) if racks else _pan_key(stage, arrow)
        devices = devices_of(stage, stage.host.selection.refs)
        if not devices:
            return _pan_key(stage, arrow)
        if stage.kind == "racks":
            return _rack_key(stage, devices, arrow, event)
        return _pin_key(stage, devices, arrow, event) if stage.kind == "fabric" else False


def devices_of(stage: Stage, refs: Sequence[str]) -> list[str]:
    """The devices that refs name, each once: a port stands for its device."""
    found = dict.fromkeys(parse(ref).record for ref in refs)
    return [d for d in found if d in stage.host.design.devices]


def _shift(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)


def _pan_key(stage: Stage, arrow: tuple[int, int]) -> bool:
    """With nothing to move, arrows move the window."""
    view = stage.canvas_view
    view.keep_look(view.look.panned(-60.0 * arrow[0], -60.0 * arrow[1]))
    return True


def _rack_key(stage: Stage, devices: list[str], arrow: tuple[int, int], event: QKeyEvent) -> bool:
    design = stage.host.design
    first = design.devices[devices[0]]
    if arrow[0]:
        rack = _next_rack(stage.elevations(), first.rack, arrow[0])
        if rack:
            stage.host.do(MoveDevice(devices=tuple(devices), rack=rack))
        return True
    half = (
        bool(event.modifiers() & Qt.KeyboardModifier.AltModifier) or design.type_of(first).u_height % 1 != 0
    )
    step = 10.0 if _shift(event) else 0.5 if half else 1.0
    up = 1.0 if not first.rack or design.racks[first.rack].numbered_from == "bottom" else -1.0
    stage.host.do(MoveDevice(devices=tuple(devices), by=-arrow[1] * step * up), "keys:move")
    return True


def _next_rack(racks: Sequence[Elevation], rack: str, step: int) -> str:
    """The rack beside another one as drawn, or empty at the end."""
    order = list(dict.fromkeys(e.rack for e in racks))
    if rack not in order:
        return order[0] if order else ""
    at = order.index(rack) + step
    return order[at] if 0 <= at < len(order) else ""


def _pin_key(stage: Stage, devices: list[str], arrow: tuple[int, int], event: QKeyEvent) -> bool:
    step = GRID * (10 if _shift(event) else 1)
    boxes = stage.canvas_view.canvas.drawing.boxes
    places = {
        d: (boxes[d].place.x + arrow[0] * step, boxes[d].place.y + arrow[1] * step)
        for d in devices
        if d in boxes
    }
    if places:
        stage.host.do(Pin(view="fabric", places=places), "keys:pin")
    return True


def _floor_key(stage: Stage, racks: list[str], arrow: tuple[int, int], event: QKeyEvent) -> bool:
    step = FLOOR_STEP_M * (10 if _shift(event) else 1)
    first = stage.host.design.racks[racks[0]]
    x, y = (first.x_m or 0.0) + arrow[0] * step, (first.y_m or 0.0) + arrow[1] * step
    stage.host.do(MoveRack(racks=tuple(racks), x_m=round(x, 3), y_m=round(y, 3)), "keys:floor")
    return True


class RackMover(Mover):
    """Snaps to the nearest unit of the rack under the pointer; over the shelf, takes out of the rack."""

    def drag(self, p: Pointer) -> None:
        design = self.stage.host.design
        device = design.devices[self.box.ref]
        part = design.type_of(device)
        # The box is held where it was pressed.
        x = self.box.place.cx + p.x - self.start.x
        y = self.box.place.cy + p.y - self.start.y
        racks = self.stage.elevations()
        target = snap_to_rack(design, racks, part, x, y, self.devices)
        if target is None:
            self._beside(p, x, y)
            return
        command = self._command(target)
        refusal = self._plan(command, (target.rack, target.u, target.slot, target.face))
        if target.what:
            refusal, self.command = Refusal(target.what, (target.fix,)), None
        overlay = self.stage.canvas_view.overlay
        if refusal is None:
            overlay.show("gesture", target_marks(design, target, device.label))
            return
        near = nearest_fit(design, racks, part, x, y, self.devices)
        overlay.show("gesture", refused_marks(design, target.place, device.label, refusal, near, p))

    def _command(self, target: Target) -> Command:
        return MoveDevice(
            devices=self.devices,
            rack=target.rack,
            u=target.u,
            slot=target.slot or None,  # type: ignore[arg-type]
            face=target.face,  # type: ignore[arg-type]
        )

    def _beside(self, p: Pointer, x: float, y: float) -> None:
        """Over no rack: on the shelf it is taken out of its rack, elsewhere nothing happens."""
        place = Place(x - self.box.place.w / 2, y - self.box.place.h / 2, self.box.place.w, self.box.place.h)
        design = self.stage.host.design
        racked = [d for d in self.devices if design.devices[d].rack]
        overlay = self.stage.canvas_view.overlay
        label = design.devices[self.box.ref].label
        if not racked:
            self.command = None
            overlay.show("gesture", Marks(ghosts=(Ghost(place, label, "line2", ""),)))
            return
        self._plan(UnplaceDevice(devices=tuple(racked)), ("out",))
        sign = Sign(p.x, p.y, "Take out of the rack", ("Its cables stay.",), "target")
        overlay.show("gesture", Marks(ghosts=(Ghost(place, label, "target", ""),), signs=(sign,)))


class PinMover(Mover):
    """Pins where devices are drawn; the grid is shown by where the ghost stands."""

    def drag(self, p: Pointer) -> None:
        boxes = self.stage.canvas_view.canvas.drawing.boxes
        x, y = self.box.place.x + p.x - self.start.x, self.box.place.y + p.y - self.start.y
        if not p.alt:
            x, y = snap_to_grid(x, y)
        dx, dy = x - self.box.place.x, y - self.box.place.y
        moved = {d: boxes[d].place.moved(dx, dy) for d in self.devices if d in boxes}
        self.command = (
            Pin(view="fabric", places={d: (place.x, place.y) for d, place in moved.items()})
            if dx or dy
            else None
        )
        ghosts = tuple(Ghost(place, "", "target", "") for place in moved.values())
        self.stage.canvas_view.overlay.show("gesture", Marks(ghosts=ghosts))


class FloorMover(Mover):
    """Moves racks on the floor, in steps of a decimetre."""

    def drag(self, p: Pointer) -> None:
        from rackbuilder.layout.floor import METRE

        design = self.stage.host.design
        dx_m = round((p.x - self.start.x) / METRE / FLOOR_STEP_M) * FLOOR_STEP_M
        dy_m = round((p.y - self.start.y) / METRE / FLOOR_STEP_M) * FLOOR_STEP_M
        first = design.racks[self.box.ref]
        x, y = round((first.x_m or 0.0) + dx_m, 3), round((first.y_m or 0.0) + dy_m, 3)
        command = MoveRack(racks=self.devices, x_m=x, y_m=y)
        refusal = self._plan(command, (x, y))
        boxes = self.stage.canvas_view.canvas.drawing.boxes
        ink = "refuse" if refusal else "target"
        ghosts = tuple(
            Ghost(boxes[r].place.moved(dx_m * METRE, dy_m * METRE), design.racks[r].label, ink, "")
            for r in self.devices
            if r in boxes
        )
        sign = Sign(p.x, p.y, f"{x:g} m, {y:g} m", (refusal.what,) if refusal else (), ink)
        self.stage.canvas_view.overlay.show("gesture", Marks(ghosts=ghosts, signs=(sign,)))
