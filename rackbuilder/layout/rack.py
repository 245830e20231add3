"""Rack elevations as a scene: frames with their ruler, devices at their units, what is in no rack on a shelf."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rackbuilder.catalog.parts import DeviceType
from rackbuilder.design.geometry import span_of
from rackbuilder.design.records import Device, Rack
from rackbuilder.design.view import View
from rackbuilder.layout.lod import ALWAYS
from rackbuilder.layout.looks import Look, Style, is_grown, look_of
from rackbuilder.layout.names import model, natural, within
from rackbuilder.layout.scene import Box, Frame, Scene
from rackbuilder.layout.shapes import Place, around
from rackbuilder.units import Figure, power_text

U = 20.0
"""Drawing units of one rack unit."""
RACK_W, INSET, SIDE = 200.0, 5.0, 26.0
PITCH = 244.0
HEAD, FOOT = 76.0, 190.0
PER_LINE = 12
BETWEEN_LINES = 90.0
FREE_LEAST = 4.0
"""Free units in a row from which they are drawn as blanking panels."""
Face = Literal["front", "rear"]
Faces = Literal["front", "rear", "both"]


@dataclass(frozen=True, slots=True)
class Elevation:
    """One face of one rack in a drawing."""

    rack: str
    face: Face
    place: Place
    """The frame."""
    units: int
    numbered_from: Literal["bottom", "top"] = "bottom"

    def unit_place(self, u: float, height: float, slot: str = "") -> Place:
        """Where a device at a unit is drawn; half-width ones take their half."""
        side = SIDE if self.face == "rear" else INSET
        x, w = self.place.x + side, self.place.w - 2 * side
        if slot in ("left", "right"):
            right = (slot == "right") != (self.face == "rear")
            x, w = x + (w / 2 if right else 0.0), w / 2
        if self.numbered_from == "top":
            return Place(x, self.place.y + (u - 1) * U, w, height * U)
        return Place(x, self.place.bottom - (u - 1 + height) * U, w, height * U)

    def u_at(self, y: float, height: float) -> float:
        """The lowest unit, not rounded, of a device whose top edge is drawn at y."""
        if self.numbered_from == "top":
            return (y - self.place.y) / U + 1
        return (self.place.bottom - y) / U + 1 - height


def elevations(
    view: View, faces: Faces = "front", only: Iterable[str] | None = None
) -> tuple[Elevation, ...]:
    """Every rack face with its place: a line for each row of the hall, racks from left to right."""
    chosen = view.racks if only is None else {r: view.racks[r] for r in only if r in view.racks}
    result: list[Elevation] = []
    y = 0.0
    shown: tuple[Face, ...] = ("front", "rear") if faces == "both" else (faces,)
    for band in _bands(_lines(view, chosen.values()), len(shown)):
        tallest = max(view.rack_type(rack).u_height for line in band for rack in line) * U
        x = 0.0
        for line in band:
            for rack in line:
                units = view.rack_type(rack).u_height
                for face in shown:
                    place = Place(x, y + tallest - units * U, RACK_W, units * U)
                    result.append(Elevation(rack.id, face, place, units, rack.numbered_from))
                    x += PITCH
            x += BETWEEN_LINES
        y += tallest + HEAD + FOOT
    return tuple(result)


def _bands(lines: list[list[Rack]], faces: int) -> list[list[list[Rack]]]:
    """Lines of racks beside each other, as many as make the drawing largest on a screen of 16 to 10."""
    if not lines:
        return []
    longest = max(len(line) for line in lines) * faces * PITCH + BETWEEN_LINES

    def zoom(beside: int) -> float:
        return min(1600 / (longest * beside), 1000 / (-(-len(lines) // beside) * (48 * U + HEAD + FOOT)))

    beside = max(range(1, len(lines) + 1), key=lambda n: (zoom(n), -n))
    return [lines[n : n + beside] for n in range(0, len(lines), beside)]


def _lines(view: View, racks: Iterable[Rack]) -> list[list[Rack]]:
    """Racks by row; a row that is too long goes on in the next line."""
    spaces = view.tables["spaces"]

    def row(rack: Rack) -> tuple[object, ...]:
        named = rack.space in spaces and spaces[rack.space].kind == "row"
        name = natural(spaces[rack.space].label) if named else ()
        # Without a row, racks that stand in one line on the floor do so here.
        line = rack.y_m if rack.y_m is not None and not named else 0.0
        return (not named, name, rack.space if named else "", rack.x_m is None, line)

    by_row: dict[tuple[object, ...], list[Rack]] = {}
    for rack in racks:
        by_row.setdefault(row(rack), []).append(rack)
    lines = []
    for key in sorted(by_row):
        ordered = sorted(by_row[key], key=_across)
        lines += [ordered[n : n + PER_LINE] for n in range(0, len(ordered), PER_LINE)]
    return lines


def _across(rack: Rack) -> tuple[object, ...]:
    placed = rack.x_m is not None
    return (not placed, rack.y_m or 0.0, rack.x_m or 0.0, natural(rack.label), rack.id)


def rack_scene(
    view: View,
    faces: Faces = "front",
    roles: Mapping[str, str] | None = None,
    power: Mapping[str, Figure] | None = None,
    only: Iterable[str] | None = None,
) -> Scene:
    """The rack view. `roles` tells leaf from spine; `power` is each device's maximum draw, else its part's."""
    lines = elevations(view, faces, only)
    maker = _Maker(view, roles or {}, power or {}, faces)
    boxes: dict[str, Box] = {}
    frames: list[Frame] = []
    for elevation in lines:
        frames.append(maker.frame(elevation))
        for box in maker.boxes(elevation):
            boxes[box.ref if elevation.face == "front" or faces == "rear" else f"{box.ref}@rear"] = box
    if only is None:
        bottom = max((e.place.bottom + FOOT for e in lines), default=0.0)
        shelf, loose = maker.shelf(bottom + (HEAD if lines else 0.0))
        frames += shelf
        boxes.update(loose)
    reach = [
        *(e.place.grown(44) for e in lines),
        *(Place(f.place.x, f.place.y - HEAD, f.place.w, f.place.h + HEAD) for f in frames),
    ]
    reach += [Place(e.place.x, e.place.bottom, RACK_W, FOOT - 20) for e in lines]
    return Scene("racks", around(reach).grown(10), tuple(frames), boxes)


class _Maker:
    def __init__(
        self, view: View, roles: Mapping[str, str], power: Mapping[str, Figure], faces: Faces
    ) -> None:
        self._view, self._roles, self._power, self._faces = view, roles, power, faces
        self._grown = is_grown(view)

    def frame(self, elevation: Elevation) -> Frame:
        rack = self._view.racks[elevation.rack]
        kind = self._view.rack_type(rack)
        ink = "domain" if kind.assembly is not None else ""
        free = tuple(f"{low:g} {high:g}" for low, high in free_spans(self._view, rack, elevation.face))
        members = tuple(self._view.indexes.seats.get(rack.id, ()))
        title = (elevation.face, elevation.numbered_from, *free)
        return Frame(
            "rack", elevation.place, rack.id, rack.label, title, ink, ALWAYS, members, number=elevation.units
        )

    def boxes(self, elevation: Elevation) -> Iterable[Box]:
        sides: dict[str, int] = {}
        for device in sorted(
            self._view.seated(elevation.rack), key=lambda d: (d.u or 0, natural(d.label), d.id)
        ):
            part = self._view.type_of(device)
            if part.u_height == 0:
                place = self._side(elevation, device, sides)
            elif device.u is None or (part.half_depth and device.face != elevation.face):
                place = None
            else:
                place = elevation.unit_place(device.u, part.u_height, device.slot)
            if place is not None:
                yield self._box(device, part, place, "front" if device.face == elevation.face else "rear")

    def _side(self, elevation: Elevation, device: Device, sides: dict[str, int]) -> Place | None:
        """A 0U device stands at a side of the rear; more than one at a side share its height."""
        if elevation.face != "rear":
            return None
        right = device.slot == "side-right" or (
            not device.slot and sides.get("left", 0) > sides.get("right", 0)
        )
        side = "right" if right else "left"
        sides[side] = sides.get(side, 0) + 1
        p = elevation.place
        share = max(1, sum(1 for d in self._view.seated(elevation.rack) if d.slot == f"side-{side}"))
        h = (p.h - 2 * U) / share
        x = p.right - SIDE + 4 if right else p.x + 4
        return Place(x, p.y + U * 0.8 + h * (sides[side] - 1), SIDE - 8, h - 6)

    def _box(self, device: Device, part: DeviceType, place: Place, style: Style) -> Box:
        look = self.look(device, style)
        texts = {
            "name": within(device.label, self._view.racks[device.rack].label if device.rack else ""),
            "model": model(part.name, part.vendor),
            "u": f"{part.u_height:g}U",
            "power": self._power_of(device, part),
            "feed": look.feeds[:1],
            "links": f"{144} links" if look.kind == "nvswitch" else "",
        }
        return Box(device.id, place, look, texts, ALWAYS)

    def look(self, device: Device, style: Style) -> Look:
        role = self._roles.get(device.id, "") or device.role
        return look_of(self._view, device, role, style, feeds_of(self._view, device), grown=self._grown)

    def _power_of(self, device: Device, part: DeviceType) -> str:
        figure = self._power.get(device.id) or part.max_power()
        if figure.value is None:
            return "kW unknown" if part.category in ("gpu-server", "switch") else ""
        return power_text(figure.value) if figure.value else ""

    def shelf(self, top: float) -> tuple[list[Frame], dict[str, Box]]:
        """Devices in no rack, side by side below the racks, so that they can be seen and dragged in."""
        loose = [d for d in self._view.devices.values() if not d.rack and not d.parent]
        loose.sort(key=lambda d: (-self._view.type_of(d).u_height, natural(d.label), d.id))
        if not loose:
            return [], {}
        boxes: dict[str, Box] = {}
        limit = max(24 * U, max(self._view.type_of(d).u_height for d in loose) * U)
        x, y = 0.0, top
        for device in loose:
            part = self._view.type_of(device)
            h = max(part.u_height, 1.0) * U
            if y + h > top + limit:
                x, y = x + RACK_W + 12, top
            boxes[device.id] = self._box(device, part, Place(x, y, RACK_W - 2 * INSET, h), "front")
            y += h + 4
        place = around(box.place for box in boxes.values()).grown(10)
        title = f"Not in a rack: {len(loose)}"
        return [Frame("shelf", place, "", title, members=tuple(d.id for d in loose))], boxes


def free_spans(view: View, rack: Rack, face: Face) -> list[tuple[float, float]]:
    """Runs of free units (low, high) of one face, from the bottom; those of at least FREE_LEAST units."""
    taken = []
    for device in view.seated(rack.id):
        part = view.type_of(device)
        span = span_of(device, part)
        if span is not None and not (part.half_depth and device.face != face):
            taken.append(span)
    result, u = [], 1.0
    for span in sorted(taken):
        if span.low - u >= FREE_LEAST:
            result.append((u, span.low))
        u = max(u, span.high)
    top = view.rack_type(rack).u_height + 1.0
    return [*result, (u, top)] if top - u >= FREE_LEAST else result


def feeds_of(view: View, device: Device) -> str:
    """Feed letters of a device's supplies in the order of their inlets, from its cords; of a PDU its own letter."""
    if view.type_of(device).category in ("pdu", "power-shelf"):
        return _letter(view, device)
    letters = []
    cords: Sequence[str] = sorted(view.cords_of(device.id))
    for identity in cords:
        cord = view.tables["cords"][identity]
        if cord.kind == "power":
            near, far = (cord.a, cord.b) if cord.a.device == device.id else (cord.b, cord.a)
            letters.append((natural(near.port), _letter(view, view.devices[far.device])))
    return "".join(letter or " " for _, letter in sorted(letters))


def _letter(view: View, device: Device) -> str:
    feed = device.config.get("feed") or device.tags.get("feed") or ""
    if feed[:1].upper() in ("A", "B", "C"):
        return feed[:1].upper()
    by_side = {"side-left": "A", "side-right": "B"}
    return by_side.get(device.slot, "") if view.type_of(device).category == "pdu" else ""
