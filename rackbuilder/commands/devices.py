"""Devices: place, move, take out, delete, duplicate, rename, set, change type."""

from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.commands import cascade, clipboard, fabrics, fields, retype, targets
from rackbuilder.commands.base import Command
from rackbuilder.commands.names import checked_name, counted, row_of_names
from rackbuilder.commands.seats import Room, Seat, SlotName, seat_in
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Device, Drawing, Face
from rackbuilder.errors import refusal

RoleName = Literal["", "leaf", "spine", "core", "server", "fabric-manager"]

_PREFIX = {
    "gpu-server": "srv",
    "compute-tray": "tray",
    "nvlink-switch-tray": "nvsw",
    "switch": "sw",
    "management-server": "mgmt",
    "storage": "stg",
    "pdu": "pdu",
    "power-shelf": "shelf",
    "cdu": "cdu",
}


def prefix_of(part: DeviceType, role: str = "") -> str:
    """The letters of a new id: srv-0001, tray-01, leaf-03, …"""
    if part.is_switch and role in ("leaf", "spine", "core"):
        return role
    return _PREFIX.get(part.category, "dev")


class PlaceDevice(Command):
    """One device or a row of equal ones, in a rack at a unit (empty: the lowest free one) or in no rack yet.

    The first switch of a kind makes its fabric in the same step; `x`, `y` pin the drawn place in the fabric view.
    """

    verb: ClassVar[str] = "place"

    type: str
    rack: str = ""
    u: float | None = None
    slot: SlotName = ""
    face: Face = "front"
    name: str = ""
    count: int = Field(1, ge=1, le=10_000)
    fabric: str = ""
    role: RoleName = ""
    rail: int | None = Field(None, ge=0)
    x: float | None = None
    y: float | None = None
    id: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        part = targets.use_device_type(draft, catalog, self.type)
        fabric = self._fabric(draft, catalog, part)
        names = row_of_names(
            self.name, self.count, {d.name for d in draft.devices.values()} if self.name else ()
        )
        ids = self._ids(draft, part)
        room = Room(draft, targets.rack(draft, self.rack)) if self.rack else None
        for identity, name in zip(ids, names, strict=True):
            device = Device(
                id=identity,
                name=name,
                type=part.id,
                face=self.face,
                fabric=fabric,
                role=self.role,
                rail=self.rail,
            )
            draft.put("devices", self._seated(room, device, part))
        if self.x is not None and self.y is not None:
            draft.put("drawing", Drawing(id=f"fabric/{ids[0]}", x=self.x, y=self.y, pinned=True))
        return self._label(draft, part, ids)

    def _ids(self, draft: Draft, part: DeviceType) -> list[str]:
        if not self.id:
            return [draft.new_id(prefix_of(part, self.role)) for _ in range(self.count)]
        if self.count > 1:
            raise refusal("One id cannot stand for several devices", "place", "Leave the id out.")
        if not refs.valid_id(self.id) or any(self.id in rows for rows in draft.tables.values()):
            raise refusal(
                f"“{self.id}” cannot be the id of a new device", "place", "Choose one that is free."
            )
        return [self.id]

    def _seated(self, room: Room | None, device: Device, part: DeviceType) -> Device:
        if room is None:
            return device
        if self.count == 1 or self.u is None:
            return seat_in(room, device, part, Seat(self.u, self.slot))
        for seat in room.seats(part, self.face, start=self.u):
            return seat_in(room, device, part, seat)
        raise room.full(part)

    def _fabric(self, draft: Draft, catalog: Catalog, part: DeviceType) -> str:
        if not self.fabric:
            return fabrics.join_fabric(draft, catalog, part)
        if not part.is_switch:
            raise refusal(
                f"{part.name} is no switch and lends no fabric", "place", "It joins a fabric by its cables."
            )
        return targets.target(draft, self.fabric, ("fabrics",)).id

    def _label(self, draft: Draft, part: DeviceType, ids: list[str]) -> str:
        if len(ids) > 1:
            return f"Place {len(ids):,} {part.name}"
        device = draft.devices[ids[0]]
        where = f" in {draft.racks[device.rack].label}" if device.rack else ""
        unit = f" at U{device.u:g}" if device.u is not None else ""
        return f"Place {part.name}{where}{unit}"


class MoveDevice(Command):
    """Devices to another rack, unit, slot or face; several keep their distance from the first one named.

    `by` moves each by rack units (arrow keys); `x`, `y` pin the drawn place of the first.
    """

    verb: ClassVar[str] = "move"

    devices: tuple[str, ...] = Field(min_length=1)
    rack: str = ""
    u: float | None = None
    slot: SlotName | None = None
    face: Face | None = None
    by: float = 0.0
    x: float | None = None
    y: float | None = None

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        first = targets.device(draft, self.devices[0])
        moving = targets.devices(draft, self.devices)
        before = {d.id: d for d in moving}
        for device in moving:  # all out first: they must not stand in each other's way
            draft.put("devices", replace(device, rack="", u=None))
        rooms: dict[str, Room] = {}
        for device in sorted(moving, key=lambda d: d.id != first.id):
            self._put(draft, rooms, before[device.id], first)
        if self.x is not None and self.y is not None:
            draft.put("drawing", Drawing(id=f"fabric/{first.id}", x=self.x, y=self.y, pinned=True))
        for device in moving:
            self._children(draft, before[device.id], before)
        return self._label(draft, first, len(moving))

    def _put(self, draft: Draft, rooms: dict[str, Room], device: Device, first: Device) -> None:
        rack = targets.rack(draft, self.rack).id if self.rack else device.rack
        turned = replace(device, face=self.face or device.face)
        if not rack:
            if self.u is not None:
                raise refusal(f"{device.label} stands in no rack", "move", "Name the rack too.", (device.id,))
            draft.put("devices", turned)
            return
        room = rooms.setdefault(rack, Room(draft, draft.racks[rack]))
        part = draft.type_of(device)
        draft.put("devices", seat_in(room, turned, part, self._wanted(room, device, part, first)))

    def _wanted(self, room: Room, device: Device, part: DeviceType, first: Device) -> Seat:
        slot = device.slot if self.slot is None else self.slot
        if self.u is not None:
            apart = 0.0 if device.u is None or first.u is None else device.u - first.u
            return Seat(self.u + apart, slot)
        if device.u is None:
            return Seat(None, slot)
        seat = Seat(device.u + self.by, slot)
        if self.by or room.rack.id == device.rack or room.fits(part, seat, self.face or device.face):
            return seat
        return Seat(None, slot)

    def _children(self, draft: Draft, before: Device, moving: dict[str, Device]) -> None:
        """Sleds go where their carrier goes."""
        after = draft.devices[before.id]
        for child in list(draft.children(before.id)):
            if child.id not in moving and child.rack == before.rack and child.rack:
                u = child.u if child.u is None or not (before.u and after.u) else child.u + after.u - before.u
                draft.put("devices", replace(child, rack=after.rack, u=u))

    def _label(self, draft: Draft, first: Device, count: int) -> str:
        after = draft.devices[first.id]
        if count > 1:
            where = f" to {draft.racks[after.rack].label}" if self.rack else ""
            return f"Move {count:,} devices{where}"
        if after.rack and (after.rack != first.rack or after.u != first.u):
            unit = f" U{after.u:g}" if after.u is not None else ""
            return f"Move {first.label} to {draft.racks[after.rack].label}{unit}"
        return f"Move {first.label}"


class UnplaceDevice(Command):
    """Takes devices out of their racks; their cables stay."""

    verb: ClassVar[str] = "unplace"

    devices: tuple[str, ...] = Field(min_length=1)

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        found = targets.devices(draft, self.devices)
        for device in found:
            draft.put("devices", replace(device, rack="", u=None, slot=""))
        what = found[0].label if len(found) == 1 else counted(len(found), "device")
        return f"Take {what} out of the rack"


_WORDS = {
    "devices": "device",
    "racks": "rack",
    "cables": "cable",
    "fabrics": "fabric",
    "groups": "group",
    "jobs": "job",
}


class DeleteItems(Command):
    """Deletes devices, racks, cables, groups, fabrics and other records with all that cannot stand without them.

    A rack goes with what is in it, unless `keep_devices`. Members of a group and switches of a fabric stay.
    """

    verb: ClassVar[str] = "delete"

    refs: tuple[str, ...] = Field(min_length=1)
    keep_devices: bool = False

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        found = [targets.target(draft, text) for text in self.refs]
        label = self._label(draft, found)
        cascade.remove(draft, found, self.keep_devices)
        return label

    def _label(self, draft: Draft, found: list[targets.Target]) -> str:
        if len(found) == 1:
            return f"Delete {draft.tables[found[0].table][found[0].id].label}"
        tables = {t.table: None for t in found}
        word = _WORDS.get(found[0].table, "item") if len(tables) == 1 else "item"
        return f"Delete {counted(len(found), word)}"


class DuplicateDevices(Command):
    """Copies beside the originals, with the cables among them: in the same rack where there is room.

    `step` is the distance of one copy from the last in rack units; without it each goes to the lowest free place.
    """

    verb: ClassVar[str] = "duplicate"

    devices: tuple[str, ...] = Field(min_length=1)
    count: int = Field(1, ge=1, le=1000)
    step: float | None = None

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        clip = clipboard.copy(draft, self.devices)
        clipboard.paste(draft, clip, clipboard.Where(step=self.step), self.count)
        made = clip.size * self.count
        first = draft.tables[clip.first.table][clip.first.id].label
        return f"Duplicate {first}" if made == 1 else f"Duplicate: {counted(made, clip.word)}"


class Rename(Command):
    """Gives a record or a part of the design another name; empty: its id stands for it."""

    verb: ClassVar[str] = "rename"

    ref: str
    name: str

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        checked_name(self.name)
        if self.ref in draft.parts:
            part = draft.parts[self.ref]
            draft.put("parts", type(part).model_validate({**part.model_dump(), "name": self.name or part.id}))
            return f"Rename {part.name}"
        table, identity = targets.target(draft, self.ref)
        label = draft.tables[table][identity].label
        fields.set_fields(draft, table, identity, name=self.name)
        return f"Rename {label}"


class SetProperty(Command):
    """One field of one record, or of several alike. `config.driver` sets one key; an empty value clears it."""

    verb: ClassVar[str] = "set"

    ref: str = ""
    refs: tuple[str, ...] = ()
    field: str
    value: JsonValue = None

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        names = (*((self.ref,) if self.ref else ()), *self.refs)
        if not names:
            raise refusal("Nothing is named to be set", "set", "Give ref or refs.")
        found = [targets.target(draft, text) for text in names]
        for table, identity in found:
            self._set(draft, catalog, table, identity)
        what = draft.tables[found[0].table][found[0].id].label
        return f"Set {self.field} of {what if len(found) == 1 else counted(len(found), 'item')}"

    def _set(self, draft: Draft, catalog: Catalog, table: str, identity: str) -> None:
        name, key = fields.check_field(table, self.field)
        if key:
            fields.set_key(draft, table, identity, name, key, self.value)
            return
        value = fields.value_from(name, self.value, identity)
        if value is None:
            fields.set_fields(
                draft, table, identity, **{name: fields.default_of(draft, table, identity, name)}
            )
            return
        if isinstance(value, str) and value:
            value = _named(draft, catalog, table, name, value)
        fields.set_fields(draft, table, identity, **{name: value})


def _named(draft: Draft, catalog: Catalog, table: str, name: str, value: str) -> str:
    """The id of what a field names, brought into the design where it is a part."""
    if name == "part":
        return targets.use_cable_type(draft, catalog, value).id
    if name == "technology":
        return targets.use_technology(draft, catalog, value).id
    if name in ("fabric", "space") or (name == "parent" and table in ("groups", "spaces")):
        rows = {"fabric": "fabrics", "space": "spaces", "parent": table}[name]
        return targets.target(draft, value, (rows,)).id
    return value


class ChangeType(Command):
    """Another type for devices, in place: cables stay port for port. Refused where a port is lost, unless
    `drop_cables`.
    """

    verb: ClassVar[str] = "change-type"

    devices: tuple[str, ...] = Field(min_length=1)
    type: str
    drop_cables: bool = False

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        part = targets.use_device_type(draft, catalog, self.type)
        found = targets.devices(draft, self.devices)
        retype.change_type(draft, catalog, found, part, self.drop_cables)
        what = found[0].label if len(found) == 1 else counted(len(found), "device")
        return f"Change {what} to {part.name}"
