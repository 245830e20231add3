"""Copy and paste: what is selected with the cables among it, as plain records that another document can take."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType, Part, RackType, needs, part_from
from rackbuilder.commands import targets
from rackbuilder.commands.base import Command
from rackbuilder.commands.merge_parts import share_parts
from rackbuilder.commands.names import copy_name, counted
from rackbuilder.commands.seats import Room, Seat
from rackbuilder.commands.targets import Target
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import (
    Cable,
    Device,
    End,
    Fabric,
    Group,
    Plug,
    Rack,
    from_plain,
    json_values,
    plain,
)
from rackbuilder.design.view import View
from rackbuilder.errors import refusal
from rackbuilder.topology.natural import natural_key

Row = dict[str, Any]
_ONE_THING_ONLY = ("serial", "guid", "mac", "asset", "hostname")
"""Tags that name one physical thing: a copy must not claim to be it."""


class Clip(BaseModel):
    """What was copied, as the records of a file. It can be kept as text and pasted into another document."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    parts: tuple[Row, ...] = ()
    racks: tuple[Row, ...] = ()
    devices: tuple[Row, ...] = ()
    cables: tuple[Row, ...] = ()
    fabrics: tuple[Row, ...] = ()
    groups: tuple[Row, ...] = ()
    plugs: tuple[Row, ...] = ()
    outer: int = 0
    """Cables to devices that were not copied: they are left out."""

    @property
    def empty(self) -> bool:
        return not self.devices and not self.racks

    @property
    def size(self) -> int:
        """How many things a user would count: racks, or else devices."""
        return len(self.racks) or len(self.devices)

    @property
    def word(self) -> str:
        return "rack" if self.racks else "device"

    @property
    def first(self) -> Target:
        return (
            Target("racks", self.racks[0]["id"]) if self.racks else Target("devices", self.devices[0]["id"])
        )


class Where(NamedTuple):
    """Where a paste goes: a rack and unit, or beside the originals; `step` in rack units from copy to copy."""

    rack: str = ""
    u: float | None = None
    step: float | None = None


def copy(view: View, names: Iterable[str]) -> Clip:
    """What some refs name: racks with all in them, devices with what is inside, and the cables among them.

    Raises ProblemError when none of them is a rack or a device.
    """
    racks, devices = _chosen(view, names)
    inside = set(devices)
    cables: dict[str, Cable] = {}
    outer: dict[str, None] = {}
    for device in devices:
        for cable in view.cables_of(device):
            if cable.a.device in inside and cable.b.device in inside:
                cables[cable.id] = cable
            else:
                outer[cable.id] = None
    kept = [cables[c] for c in sorted(cables, key=natural_key)]
    records: list[Rack | Device | Cable] = [view.racks[r] for r in racks]
    records += [*(view.devices[d] for d in devices), *kept]
    fabrics = dict.fromkeys(r.fabric for r in records if isinstance(r, Device | Cable) and r.fabric)
    groups = dict.fromkeys(g for r in records for g in r.groups)
    plugs = _plugs(view, kept)
    return Clip(
        parts=tuple(json_values(part) for part in _parts(view, records, fabrics, plugs)),
        racks=tuple(json_values(view.racks[r]) for r in racks),
        devices=tuple(json_values(view.devices[d]) for d in devices),
        cables=tuple(json_values(cable) for cable in kept),
        fabrics=tuple(json_values(view.fabrics[f]) for f in fabrics),
        groups=tuple(json_values(view.groups[g]) for g in groups),
        plugs=tuple(json_values(plug) for plug in plugs),
        outer=len(outer),
    )


def _chosen(view: View, names: Iterable[str]) -> tuple[list[str], list[str]]:
    racks: dict[str, None] = {}
    devices: dict[str, None] = {}
    for text in names:
        table, identity = targets.target(view, text)
        if table == "racks":
            racks[identity] = None
            devices.update(dict.fromkeys(d.id for d in view.seated(identity)))
        elif table == "devices":
            devices[identity] = None
    if not racks and not devices:
        raise refusal("Nothing that can be copied is selected", "copy", "Select devices or racks.")
    waiting = list(devices)
    while waiting:
        inner = [c.id for c in view.children(waiting.pop()) if c.id not in devices]
        devices.update(dict.fromkeys(inner))
        waiting += inner
    return sorted(racks, key=natural_key), sorted(devices, key=natural_key)


def _plugs(view: View, cables: Iterable[Cable]) -> list[Plug]:
    """The pinned optics of the cages that the copied cables use."""
    cages = {f"{end.device}:{end.port.partition('/')[0]}": None for c in cables for end in (c.a, c.b)}
    return [view.tables["plugs"][c] for c in sorted(cages, key=natural_key) if c in view.tables["plugs"]]


def _parts(
    view: View, records: Iterable[Rack | Device | Cable], fabrics: Iterable[str], plugs: Iterable[Plug]
) -> Iterator[Part]:
    """Every part that is named, and what those name, each once, sorted by id."""
    waiting = [r.part if isinstance(r, Cable) else r.type for r in records]
    waiting += [view.fabrics[f].technology for f in fabrics] + [plug.part for plug in plugs]
    found: dict[str, Part] = {}
    while waiting:
        identity = waiting.pop()
        part = view.parts.get(identity)
        if part is not None and identity not in found:
            found[identity] = part
            waiting += needs(part)
    return (found[identity] for identity in sorted(found))


class Paste(Command):
    """Puts copies into the design: new ids, cables among them, parts and fabrics shared where they are equal.

    Cables to what was not copied are left out, and counted in the name of the step.
    """

    verb: ClassVar[str] = "paste"

    clip: Clip
    rack: str = ""
    u: float | None = None
    count: int = Field(1, ge=1, le=1000)
    step: float | None = None

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        if self.clip.empty:
            raise refusal("There is nothing to paste", "paste", "Copy devices or racks first.")
        rack = targets.rack(draft, self.rack).id if self.rack else ""
        renamed = paste(draft, self.clip, Where(rack, self.u, self.step), self.count)
        notes = []
        if self.clip.outer:
            notes.append(f"{counted(self.clip.outer, 'cable')} to others left out")
        if renamed:
            notes.append("other figures, so kept apart: " + ", ".join(renamed))
        label = f"Paste {counted(self.clip.size * self.count, self.clip.word)}"
        return f"{label} ({'; '.join(notes)})" if notes else label


def paste(draft: Draft, clip: Clip, where: Where, count: int = 1) -> tuple[str, ...]:
    """Pastes a clip a number of times; the ids of parts that came in under another name. Raises ProblemError."""
    parts = share_parts(draft, [part_from(row) for row in clip.parts])
    fabrics = {row["id"]: _fabric(draft, from_plain(Fabric, row), parts) for row in clip.fabrics}
    groups = {row["id"] for row in clip.groups if draft.groups.get(row["id"]) == from_plain(Group, row)}
    for number in range(count):
        _Copy(draft, clip, parts, fabrics, groups).put(where, number)
    return tuple(new for old, new in parts.items() if old != new)


def _fabric(draft: Draft, fabric: Fabric, parts: dict[str, str]) -> str:
    """The fabric of this document that stands for one of another: same id and technology, or a new one."""
    technology = parts.get(fabric.technology, fabric.technology)
    identity, number = fabric.id, 1
    while identity in draft.fabrics and draft.fabrics[identity].technology != technology:
        number += 1
        identity = f"{fabric.id}-{number}"
    if identity not in draft.fabrics:
        plain_row = {**plain(fabric), "id": identity, "technology": technology}
        plain_row.pop("made_by", None)
        draft.put("fabrics", from_plain(Fabric, plain_row))
    return identity


class _Copy:
    """One paste of a clip: old ids mapped to new ones, then placed."""

    def __init__(
        self, draft: Draft, clip: Clip, parts: dict[str, str], fabrics: dict[str, str], groups: set[str]
    ) -> None:
        self.draft, self.clip = draft, clip
        self._parts, self._fabrics, self._groups = parts, fabrics, groups
        self._ids: dict[str, str] = {}
        self._used: dict[str, set[str]] = {}

    def put(self, where: Where, number: int) -> None:
        for row in (*self.clip.racks, *self.clip.devices):
            self._ids[row["id"]] = self.draft.new_id(_prefix(row["id"]))
        for row in self.clip.racks:
            self.draft.put("racks", self._rack(row))
        self._devices(where, number)
        for row in self.clip.cables:
            self.draft.put("cables", self._cable(row))
        for row in self.clip.plugs:
            device, _, cage = row["id"].partition(":")
            part = self._parts.get(row["part"], row["part"])
            self.draft.put("plugs", Plug(id=f"{self._ids[device]}:{cage}", part=part))

    def _common(self, table: str, row: Row) -> Row:
        """What every copy changes: id, name, origin, groups, tags of one thing, state."""
        tags = {k: v for k, v in row.get("tags", {}).items() if not k.lower().endswith(_ONE_THING_ONLY)}
        copied = {
            **row,
            "name": self._name(table, row.get("name", "")),
            "groups": tuple(g for g in row.get("groups", ()) if g in self._groups),
        }
        copied.pop("made_by", None)
        if table != "racks":
            copied |= {
                "tags": tags,
                "state": "planned" if row.get("state") == "existing" else row.get("state", "planned"),
            }
        return copied

    def _name(self, table: str, name: str) -> str:
        if not name:
            return ""
        used = self._used.setdefault(table, {r.name for r in self.draft.tables[table].values()})
        proposal = copy_name(name, used)
        used.add(proposal)
        return proposal

    def _rack(self, row: Row) -> Rack:
        """A copied rack stands right of all others of its row."""
        part = self._parts.get(row["type"], row["type"])
        x, y = row.get("x_m"), row.get("y_m")
        if x is not None:
            x = max(
                [
                    r.x_m + self._width(r.type)
                    for r in self.draft.racks.values()
                    if r.x_m is not None and r.y_m == y
                ]
                or [x]
            )
        space = row.get("space", "")
        fields = {"id": self._ids[row["id"]], "type": part, "x_m": None if x is None else round(x, 3)}
        fields["space"] = space if space in self.draft.tables["spaces"] else ""
        return from_plain(Rack, {**self._common("racks", row), **fields})

    def _width(self, rack_type: str) -> float:
        part = self.draft.parts[rack_type]
        return (part.width_mm if isinstance(part, RackType) and part.width_mm else 600.0) / 1000

    def _devices(self, where: Where, number: int) -> None:
        """Devices of a copied rack keep their units; the others go where they fit together, or one by one."""
        loose: list[Device] = []
        for row in self.clip.devices:
            device = self._device(row)
            if row.get("rack") in self._ids:
                self.draft.put("devices", device)
            else:
                loose.append(device)
        _place(self.draft, loose, where, number)

    def _device(self, row: Row) -> Device:
        common = self._common("devices", row)
        rack, parent = row.get("rack", ""), row.get("parent", "")
        fields = {
            "id": self._ids[row["id"]],
            "type": self._parts.get(row["type"], row["type"]),
            "rack": self._ids.get(rack, rack),
            "parent": self._ids.get(parent, parent if parent in self.draft.devices else ""),
            "fabric": self._fabrics.get(row.get("fabric", ""), ""),
        }
        return from_plain(Device, {**common, **fields})

    def _cable(self, row: Row) -> Cable:
        ends = {side: End(self._ids[row[side][0]], row[side][1]) for side in ("a", "b")}
        part = row.get("part", "")
        fields = {
            "id": self.draft.new_id(_prefix(row["id"])),
            "part": self._parts.get(part, part),
            "fabric": self._fabrics.get(row.get("fabric", ""), ""),
            "assembly": "",
        }
        return from_plain(Cable, {**self._common("cables", row), **ends, **fields})


def _prefix(identity: str) -> str:
    parts = refs.split_number(identity)
    return parts[0] if parts else identity


def _place(draft: Draft, devices: list[Device], where: Where, number: int) -> None:
    """Seats copies: in the rack asked for, else in the rack of the original, where there is room; else in none."""
    racks = dict.fromkeys(where.rack or d.rack for d in devices)
    for rack in racks:
        mine = [d for d in devices if (where.rack or d.rack) == rack]
        if not rack or rack not in draft.racks:
            for device in mine:
                draft.put("devices", _unseated(device))
            continue
        room = Room(draft, draft.racks[rack])
        shift = _shift(draft, room, mine, where, number)
        for device in mine:
            draft.put("devices", _seated(draft, room, device, shift, bool(where.rack)))


def _shift(draft: Draft, room: Room, devices: list[Device], where: Where, number: int) -> float | None:
    """By how many units the whole goes up to stand free together; None when it fits nowhere as a whole."""
    units = [d.u for d in devices if d.u is not None]
    if not units or len({d.rack for d in devices}) > 1:
        return None
    first = 0.0 if where.u is None else where.u - min(units)
    if where.step:
        return first + (number if where.u is not None else number + 1) * where.step
    if where.u is not None and number == 0:
        return first
    step = 1.0 if all(float(draft.type_of(d).u_height).is_integer() for d in devices) else 0.5
    shift = first if where.u is not None else 1.0 - min(units)
    while min(units) + shift < room.type.u_height + 1:
        if _all_fit(draft, room, devices, shift):
            return shift
        shift += step
    return None


def _all_fit(draft: Draft, room: Room, devices: list[Device], shift: float) -> bool:
    return all(d.u is None or room.fits(draft.type_of(d), Seat(d.u + shift, d.slot), d.face) for d in devices)


def _seated(draft: Draft, room: Room, device: Device, shift: float | None, must: bool) -> Device:
    part: DeviceType = draft.type_of(device)
    if device.u is not None and shift is not None:
        seat: Seat | None = Seat(device.u + shift, device.slot)
    else:
        seat = next(room.seats(part, device.face), None)
    if seat is None:
        if must:
            raise room.full(part)
        return _unseated(device)
    fields = {"rack": room.rack.id, "u": seat.u, "slot": seat.slot}
    placed = from_plain(Device, {**plain(device), **fields})
    room.add(placed, part)
    return placed


def _unseated(device: Device) -> Device:
    return from_plain(Device, {**plain(device), "rack": "", "u": None, "slot": ""})
