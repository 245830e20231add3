"""What a run of a template made, told apart by what each record is, not by its id.

A device, rack or group is its key in `made_by`; a cable is the two ports it was made between; a pinned optic is the
cage it was made for. So a second run finds the records of the first, whatever their ids and order.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar, cast

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType, Part
from rackbuilder.design import refs
from rackbuilder.design.design import Design, build
from rackbuilder.design.draft import Draft
from rackbuilder.design.patch import Change
from rackbuilder.design.records import (
    TABLES,
    Base,
    Cable,
    Device,
    End,
    Group,
    MadeBy,
    Original,
    Plug,
    Rack,
    record_from,
)
from rackbuilder.design.view import View
from rackbuilder.templates.base import Template

_OWN = ("runs", "originals")
Run = Mapping["Slot", Base]
T = TypeVar("T", bound=Base)


class Slot(NamedTuple):
    """What a record is within its run."""

    table: str
    mark: str


def _of_run(record: object, run: str) -> bool:
    return isinstance(record, Base) and record.made_by is not None and record.made_by.run == run


def slotted(rows: Iterable[tuple[str, Base]], run: str) -> dict[Slot, Base]:
    """Records of a run by slot, in the order given."""
    listed = list(rows)
    marks = {r.id: f"@{r.made_by.key}" for t, r in listed if t == "devices" and r.made_by}
    found: dict[Slot, Base] = {}
    for table, record in listed:
        if isinstance(record, Cable):
            ends = sorted(f"{marks.get(end.device, end.device)}:{end.port}" for end in (record.a, record.b))
            found[Slot(table, " ".join(ends))] = record
        elif isinstance(record, Plug):
            device, _, cage = record.id.partition(":")
            found[Slot(table, f"{marks.get(device, device)}:{cage}")] = record
        elif record.made_by:
            found[Slot(table, record.made_by.key)] = record
    return found


def as_generated(view: View, run: str) -> dict[Slot, Base]:
    """The records of a run as the template made them: as they were filed before the first hand edit or deletion, else
    as they are.
    """
    filed: dict[tuple[str, str], Base] = {}
    for original in view.tables["originals"].values():
        assert isinstance(original, Original)
        table, _, identity = original.id.partition("/")
        record = record_from(table, original.record)
        if _of_run(record, run):
            filed[table, identity] = cast("Base", record)
    rows: list[tuple[str, Base]] = []
    for table in TABLES:
        if table in _OWN:
            continue
        for identity, record in view.tables[table].items():
            if _of_run(record, run):
                rows.append((table, filed.pop((table, identity), record)))
    rows += [(table, record) for (table, _), record in filed.items()]
    return slotted(rows, run)


class Fresh(NamedTuple):
    """What the template would make now, under ids of its own."""

    records: dict[Slot, Base]
    parts: tuple[Part, ...]


def generate(view: View, catalog: Catalog, command: Template, run: str) -> Fresh:
    """Runs a template beside everything that is not of the run: fabrics, groups and racks of others stay in the way."""
    patch = command.plan(_without(view, run), catalog)
    records = [(c.table, c.after) for c in patch.changes if isinstance(c.after, Base) and c.table not in _OWN]
    fresh = next(c.id for c in patch.changes if c.table == "runs")
    parts = tuple(cast("Part", c.after) for c in patch.changes if c.table == "parts")
    return Fresh(slotted(((t, r) for t, r in records if _of_run(r, fresh)), fresh), parts)


def _without(view: View, run: str) -> Design:
    """Parts, fabrics, groups and racks that the run did not make, with no number used up."""
    changes = [Change("parts", part.id, None, part) for part in view.parts.values()]
    for table in ("fabrics", "groups", "racks"):
        for record in view.tables[table].values():
            if not _of_run(record, run):
                bare = replace(record, space="", groups=()) if isinstance(record, Rack) else record
                bare = replace(bare, parent="") if isinstance(bare, Group) else bare
                changes.append(Change(table, record.id, None, bare))
    return build(changes)


# ---- from ids of the fresh run to ids of the design


class Renaming:
    """Gives each fresh record the id of the record in the same slot, or a new one."""

    def __init__(self, draft: Draft, old: Run, new: Run, run: str) -> None:
        self._run = run
        self._draft = draft
        self._ids: dict[tuple[str, str], str] = {}
        for slot, record in new.items():
            known = old.get(slot)
            if slot.table != "plugs":
                self._ids[slot.table, record.id] = known.id if known else self._new_id(slot.table, record.id)
        self._shift = _shift(old, new)

    def _new_id(self, table: str, identity: str) -> str:
        numbered = refs.split_number(identity)
        taken = identity in self._draft.tables[table]
        return (
            self._draft.new_id(numbered[0]) if numbered else f"{identity}-{self._run}" if taken else identity
        )

    def _id(self, table: str, identity: str) -> str:
        return self._ids.get((table, identity), identity)

    def record(self, slot: Slot, record: Base) -> Base:
        """The record as the template would make it in the design."""
        table = slot.table
        assert record.made_by is not None
        made_by = MadeBy(self._run, record.made_by.key)
        if isinstance(record, Plug):
            device, _, cage = record.id.partition(":")
            return replace(record, id=f"{self._id('devices', device)}:{cage}", made_by=made_by)
        body = replace(record, id=self._id(table, record.id), made_by=made_by)
        if isinstance(body, Device):
            return self._device(body, record)
        if isinstance(body, Cable):
            a, b = (End(self._id("devices", end.device), end.port) for end in (body.a, body.b))
            return replace(
                body, a=a, b=b, fabric=self._id("fabrics", body.fabric), groups=self._groups(body.groups)
            )
        if isinstance(body, Rack):
            return self._rack(body)
        if isinstance(body, Group):
            return replace(body, parent=self._id("groups", body.parent))
        return body

    def _groups(self, groups: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(self._id("groups", group) for group in groups)

    def _device(self, device: Device, fresh: Base) -> Device:
        return replace(
            device,
            name=_renumbered(device, fresh) if self._is_switch(device) else device.name,
            rack=self._id("racks", device.rack),
            parent=self._id("devices", device.parent),
            fabric=self._id("fabrics", device.fabric),
            groups=self._groups(device.groups),
        )

    def _is_switch(self, device: Device) -> bool:
        part = self._draft.parts.get(device.type)
        return isinstance(part, DeviceType) and part.is_switch

    def _rack(self, rack: Rack) -> Rack:
        x, y = self._shift
        return replace(
            rack,
            x_m=None if rack.x_m is None else round(rack.x_m + x, 3),
            y_m=None if rack.y_m is None else round(rack.y_m + y, 3),
            groups=self._groups(rack.groups),
        )


def _shift(old: Run, new: Run) -> tuple[float, float]:
    """How far the racks of the first run stand from where a run beside the present design would put them."""
    for slot, record in new.items():
        was = old.get(slot)
        if not isinstance(record, Rack) or not isinstance(was, Rack):
            continue
        if None not in (record.x_m, record.y_m, was.x_m, was.y_m):
            return (was.x_m or 0) - (record.x_m or 0), (was.y_m or 0) - (record.y_m or 0)
    return 0.0, 0.0


def _renumbered(device: Device, fresh: Base) -> str:
    """“L33” of leaf-33 is “L65” where the design calls it leaf-65: switches are named by their number."""
    there, here = refs.split_number(fresh.id), refs.split_number(device.id)
    tail = re.fullmatch(r"(.*?)(\d+)", device.name)
    if there is None or here is None or tail is None or int(tail[2]) != there[1]:
        return device.name
    return f"{tail[1]}{here[1]:0{len(tail[2])}d}"
