"""What a drop snaps to: a rack unit and slot, the grid of the drawing, a port. Pure; gives the target and a reason."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rackbuilder.catalog.parts import DeviceType
from rackbuilder.design.geometry import Span, share_space, usable
from rackbuilder.design.records import Device
from rackbuilder.design.view import View
from rackbuilder.layout.portgrid import port_at, port_spots
from rackbuilder.layout.rack import Elevation, U
from rackbuilder.layout.scene import Box
from rackbuilder.layout.shapes import Place

GRID = 10.0
"""Drawing units of the fabric view's grid."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a drop would land. `reason` is empty when it fits; else `what` failed, with both numbers."""

    rack: str
    u: float | None
    slot: str
    face: str
    place: Place
    what: str = ""
    fix: str = ""

    @property
    def fits(self) -> bool:
        return not self.what


def snap_to_rack(
    view: View, racks: Sequence[Elevation], part: DeviceType, x: float, y: float, ignore: Iterable[str] = ()
) -> Target | None:
    """The target of a device whose box's middle is held at x, y; None when it is over no rack.

    The unit is the nearest whole one (half for parts of half units). `ignore` are devices that are about to move.
    """
    elevation = next((e for e in racks if e.place.grown(12.0).holds(x, y)), None)
    if elevation is None:
        return None
    if part.u_height == 0:
        return _at_side(view, elevation, part, x)
    u = _unit(view, elevation, part, y)
    slot = _slot(elevation, part, x)
    moving = frozenset(ignore)
    place = elevation.unit_place(u, part.u_height, slot)
    what, fix = why_not(view, elevation.rack, part, u, slot, elevation.face, moving)
    return Target(elevation.rack, u, slot, elevation.face, place, what, fix)


def _at_side(view: View, elevation: Elevation, part: DeviceType, x: float) -> Target:
    side = "side-left" if x < elevation.place.cx else "side-right"
    p = elevation.place
    strip = Place(p.x + 4 if side == "side-left" else p.right - 22, p.y + 16, 18, p.h - 32)
    what, fix = _mounting(view, elevation.rack, part)
    return Target(elevation.rack, None, side, elevation.face, strip, what, fix)


def _unit(view: View, elevation: Elevation, part: DeviceType, y: float) -> float:
    """The nearest unit inside the rack; of a rack assembly the nearest position that takes the part."""
    positions = _positions(view, elevation.rack, part)
    raw = elevation.u_at(y - part.u_height * U / 2, part.u_height)
    if positions:
        return min(positions, key=lambda u: (abs(u - raw), u))
    step = 1.0 if float(part.u_height).is_integer() else 0.5
    room = usable(view.rack_type(view.racks[elevation.rack]))
    return max(room.low, min(room.high - part.u_height, round(raw / step) * step))


def _positions(view: View, rack: str, part: DeviceType) -> tuple[float, ...]:
    assembly = view.rack_type(view.racks[rack]).assembly
    return tuple(s.u for s in assembly.slots if part.id in s.takes) if assembly else ()


def _slot(elevation: Elevation, part: DeviceType, x: float) -> str:
    if not part.half_width:
        return ""
    right = (x > elevation.place.cx) != (elevation.face == "rear")
    return "right" if right else "left"


def why_not(
    view: View,
    rack: str,
    part: DeviceType,
    u: float,
    slot: str,
    face: str,
    ignore: frozenset[str] = frozenset(),
) -> tuple[str, str]:
    """What hinders a device at a unit, and how to mend it; empty when nothing does."""
    kind = view.rack_type(view.racks[rack])
    found = _mounting(view, rack, part)
    if found[0]:
        return found
    span = Span(u, u + part.u_height)
    room = usable(kind)
    if part.u_height > room.high - room.low:
        return (
            f"{part.name} is {part.u_height:g}U high; the rack has {kind.u_height}U",
            "Choose a taller rack.",
        )
    if span.low < room.low or span.high > room.high:
        label = view.racks[rack].label
        return (
            f"{part.name} would fill {span.text()}; {label} has U1–U{kind.u_height}",
            "Place it inside the rack.",
        )
    if kind.assembly and kind.assembly.slots and u not in _positions(view, rack, part):
        return f"U{u:g} of a {kind.name} takes another tray", "Choose one of its own positions."
    trial = Device(id="?", type=part.id, rack=rack, u=u, slot=slot, face=face)  # type: ignore[arg-type]
    blocker = next(
        (d for d in _seated(view, rack, ignore) if share_space((trial, part), (d, view.type_of(d)))), None
    )
    if blocker is None:
        return "", ""
    return f"{span.text()} is taken by {blocker.label}", "Choose free units."


def _mounting(view: View, rack: str, part: DeviceType) -> tuple[str, str]:
    kind = view.rack_type(view.racks[rack])
    if part.mounts_in and kind.id not in part.mounts_in:
        return (
            f"{part.name} mounts in {' or '.join(part.mounts_in)} only",
            "It needs the backplane of its own rack.",
        )
    own = kind.assembly is not None and kind.assembly.slots and part.u_height > 0
    if own and not _positions(view, rack, part):
        return f"A {kind.name} takes its own trays only", f"{part.name} needs a 19-inch rack."
    return "", ""


def _seated(view: View, rack: str, ignore: frozenset[str]) -> list[Device]:
    return [d for d in view.seated(rack) if d.id not in ignore]


def nearest_fit(
    view: View, racks: Sequence[Elevation], part: DeviceType, x: float, y: float, ignore: Iterable[str] = ()
) -> Target | None:
    """The free place nearest to a point among all racks shown; None when nothing fits anywhere."""
    moving = frozenset(ignore)
    best: tuple[float, Target] | None = None
    for elevation in racks:
        distance = abs(elevation.place.cx - x)
        if best is not None and distance > best[0]:
            continue
        found = _nearest_in(view, elevation, part, y, moving)
        if found is not None:
            apart = distance + abs(found.place.cy - y)
            if best is None or apart < best[0]:
                best = (apart, found)
    return best[1] if best else None


def _nearest_in(
    view: View, elevation: Elevation, part: DeviceType, y: float, moving: frozenset[str]
) -> Target | None:
    raw = elevation.u_at(y - part.u_height * U / 2, part.u_height)
    kind = view.rack_type(view.racks[elevation.rack])
    if part.u_height == 0 or _mounting(view, elevation.rack, part)[0]:
        return None
    step = 1.0 if float(part.u_height).is_integer() else 0.5
    count = int((usable(kind).high - part.u_height - 1.0) / step) + 1
    units = _positions(view, elevation.rack, part) or tuple(1.0 + n * step for n in range(max(0, count)))
    for u in sorted(units, key=lambda u: (abs(u - raw), u)):
        for slot in ("left", "right") if part.half_width else ("",):
            if not why_not(view, elevation.rack, part, u, slot, elevation.face, moving)[0]:
                place = elevation.unit_place(u, part.u_height, slot)
                return Target(elevation.rack, u, slot, elevation.face, place)
    return None


def snap_to_grid(x: float, y: float, step: float = GRID) -> tuple[float, float]:
    """The nearest corner of the drawing's grid."""
    return round(x / step) * step, round(y / step) * step


def snap_to_port(box: Box, x: float, y: float, reach: float = 6.0) -> str | None:
    """The port of a box at a point, or the nearest within `reach` drawing units: “osfp9/1”; None when there is none."""
    place = box.place
    px, py = x - place.x, y - place.y
    hit = port_at(box.look, place.w, place.h, px, py)
    if hit is not None:
        return hit.name(box.look)
    best: tuple[float, str] | None = None
    for spot in port_spots(box.look, place.w, place.h):
        dx = max(spot.place.x - px, 0.0, px - spot.place.right)
        dy = max(spot.place.y - py, 0.0, py - spot.place.bottom)
        apart = (dx * dx + dy * dy) ** 0.5
        if apart <= reach and (best is None or apart < best[0]):
            best = (apart, spot.name(box.look))
    return best[1] if best else None
