"""Racks: add, move, limit; a rack-scale system with all its trays; a rack filled with one kind of device."""

from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType, RackType
from rackbuilder.commands import fabrics, targets
from rackbuilder.commands.base import Command
from rackbuilder.commands.devices import prefix_of
from rackbuilder.commands.names import counted, row_of_names
from rackbuilder.commands.seats import Room, Seat, seat_in
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Device, Face, Rack
from rackbuilder.errors import refusal

_WIDTH_M = 0.6
"""A rack of a type that does not say its width (EIA-310 cabinet)."""


class AddRack(Command):
    """Empty racks, side by side from x, y (metres) where given. “A##” names them A01, A02, …"""

    verb: ClassVar[str] = "add-rack"

    type: str
    count: int = Field(1, ge=1, le=1000)
    name: str = ""
    space: str = ""
    x_m: float | None = None
    y_m: float | None = None
    power_limit_w: float | None = Field(None, gt=0)
    id: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        part = targets.use_rack_type(draft, catalog, self.type)
        racks = _add(draft, part, self)
        return f"Add rack {racks[0].label}" if len(racks) == 1 else f"Add {counted(len(racks), 'rack')}"


class PlaceRackSystem(Command):
    """A rack-scale system: the rack of an assembly with a tray in each of its positions, in one step."""

    verb: ClassVar[str] = "place-system"

    type: str
    count: int = Field(1, ge=1, le=1000)
    name: str = ""
    space: str = ""
    x_m: float | None = None
    y_m: float | None = None
    power_limit_w: float | None = Field(None, gt=0)
    id: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        part = targets.use_rack_type(draft, catalog, self.type)
        if part.assembly is None or not part.assembly.slots:
            raise refusal(
                f"{part.name} has no trays of its own", "place-system", "Add it as a rack.", (part.id,)
            )
        racks = _add(draft, part, self)
        for rack in racks:
            _fill_assembly(draft, catalog, part, rack)
        return f"Place {part.name}" if len(racks) == 1 else f"Place {len(racks):,} {part.name}"


def _fill_assembly(draft: Draft, catalog: Catalog, part: RackType, rack: Rack) -> None:
    """A device of the first type that each position takes."""
    assert part.assembly is not None
    for slot in part.assembly.slots:
        tray = targets.use_device_type(draft, catalog, slot.takes[0])
        name = f"{rack.name} {slot.label}" if slot.label and rack.name else slot.label
        device = Device(
            id=draft.new_id(prefix_of(tray)),
            name=name,
            type=tray.id,
            rack=rack.id,
            u=slot.u if tray.u_height else None,
            fabric=fabrics.join_fabric(draft, catalog, tray),
        )
        draft.put("devices", device)


def _add(draft: Draft, part: RackType, what: AddRack | PlaceRackSystem) -> list[Rack]:
    names = row_of_names(what.name, what.count, {r.name for r in draft.racks.values()})
    space = targets.target(draft, what.space, ("spaces",)).id if what.space else ""
    width_m = (part.width_mm or _WIDTH_M * 1000) / 1000
    racks = []
    for index, name in enumerate(names):
        rack = Rack(
            id=_rack_id(draft, what),
            name=name,
            type=part.id,
            space=space,
            x_m=None if what.x_m is None else round(what.x_m + index * width_m, 3),
            y_m=None if what.x_m is None else what.y_m or 0.0,
            power_limit_w=what.power_limit_w,
        )
        draft.put("racks", rack)
        racks.append(rack)
    return racks


def _rack_id(draft: Draft, what: AddRack | PlaceRackSystem) -> str:
    if not what.id:
        return draft.new_id("rack")
    taken = any(what.id in rows for rows in draft.tables.values())
    if what.count > 1 or taken or not refs.valid_id(what.id):
        raise refusal(
            f"“{what.id}” cannot be the id of a new rack", what.verb, "Choose one that is free, for one rack."
        )
    return what.id


class MoveRack(Command):
    """Racks on the floor: the first one named goes to x, y; the others keep their distance from it."""

    verb: ClassVar[str] = "move-rack"

    racks: tuple[str, ...] = Field(min_length=1)
    x_m: float | None = None
    y_m: float | None = None
    space: str = ""
    facing: Literal["", "north", "east", "south", "west"] = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        found = [targets.rack(draft, text) for text in self.racks]
        first = found[0]
        space = targets.target(draft, self.space, ("spaces",)).id if self.space else ""
        for rack in found:
            moved = replace(
                rack,
                x_m=_shifted(rack.x_m, first.x_m, self.x_m),
                y_m=_shifted(rack.y_m, first.y_m, self.y_m),
                space=space or rack.space,
                facing=self.facing or rack.facing,
            )
            draft.put("racks", moved)
        return f"Move {first.label}" if len(found) == 1 else f"Move {counted(len(found), 'rack')}"


def _shifted(own: float | None, first: float | None, to: float | None) -> float | None:
    if to is None:
        return own
    return round(to if own is None or first is None else to + own - first, 3)


class RackLimits(Command):
    """Limits of single racks, over those of their type; 0 takes a limit away, nothing leaves it as it is."""

    verb: ClassVar[str] = "rack-limits"

    racks: tuple[str, ...] = Field(min_length=1)
    power_limit_w: float | None = Field(None, ge=0)
    weight_limit_kg: float | None = Field(None, ge=0)

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        found = [targets.rack(draft, text) for text in self.racks]
        for rack in found:
            power = _limit(rack.power_limit_w, self.power_limit_w)
            weight = _limit(rack.weight_limit_kg, self.weight_limit_kg)
            draft.put("racks", replace(rack, power_limit_w=power, weight_limit_kg=weight))
        return f"Limits of {found[0].label if len(found) == 1 else counted(len(found), 'rack')}"


def _limit(own: float | None, given: float | None) -> float | None:
    return own if given is None else given or None


class FillRack(Command):
    """As many devices of one type as the free units of a rack hold, or `count` of them, from the lowest up."""

    verb: ClassVar[str] = "fill-rack"

    rack: str
    type: str
    count: int = Field(0, ge=0, le=1000)
    face: Face = "front"
    name: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        part = targets.use_device_type(draft, catalog, self.type)
        rack = targets.rack(draft, self.rack)
        if part.u_height == 0 and not self.count:
            raise refusal(
                f"{part.name} mounts at the side: no unit says how many fit", "fill-rack", "Give a count."
            )
        devices = self._devices(draft, part, Room(draft, rack))
        fabric = fabrics.join_fabric(draft, catalog, part)
        names = row_of_names(self.name, len(devices), {d.name for d in draft.devices.values()})
        for device, name in zip(devices, names, strict=True):
            draft.put("devices", replace(device, id=draft.new_id(prefix_of(part)), name=name, fabric=fabric))
        return f"Fill {rack.label} with {len(devices)} {part.name}"

    def _devices(self, draft: Draft, part: DeviceType, room: Room) -> list[Device]:
        made: list[Device] = []
        blank = Device(id="?", type=part.id, face=self.face)
        while not self.count or len(made) < self.count:
            if next(room.seats(part, self.face), None) is None:
                break
            made.append(seat_in(room, blank, part, Seat(None)))
        if not made or len(made) < self.count:
            raise self._short(part, room, len(made))
        return made

    def _short(self, part: DeviceType, room: Room, fits: int) -> Exception:
        if not fits:
            return room.full(part)
        what = f"{fits} of {self.count} {part.name} fit in {room.rack.label}"
        return refusal(
            what, f"rack {room.rack.label}", f"Ask for {fits}, or free some units.", (room.rack.id,)
        )
