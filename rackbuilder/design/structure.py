"""Structure: every id a record names exists. A patch that breaks it is refused; a file's record is set aside."""

from collections.abc import Iterator, Mapping
from typing import Any

from rackbuilder.catalog.parts import DeviceType, LinkTechnology, RackType
from rackbuilder.design.indexes import Indexes
from rackbuilder.design.patch import Change
from rackbuilder.design.records import Cable, Cord, Device, Fabric, Group, Rack, Record, Space
from rackbuilder.errors import Problem

Tables = Mapping[str, Mapping[str, Any]]


def named(record: Record) -> Iterator[tuple[str, str]]:
    """(table, id) of every record that this one names."""
    if isinstance(record, Device):
        yield "parts", record.type
        yield from _optional(("racks", record.rack), ("devices", record.parent), ("fabrics", record.fabric))
        yield from (("groups", group) for group in record.groups)
    elif isinstance(record, Cable):
        yield "devices", record.a.device
        yield "devices", record.b.device
        yield from _optional(
            ("parts", record.part), ("fabrics", record.fabric), ("assemblies", record.assembly)
        )
        yield from (("groups", group) for group in record.groups)
    elif isinstance(record, Rack):
        yield "parts", record.type
        yield from _optional(("spaces", record.space))
        yield from (("groups", group) for group in record.groups)
    elif isinstance(record, Cord):
        yield "devices", record.a.device
        yield "devices", record.b.device
    elif isinstance(record, Fabric):
        yield "parts", record.technology
    elif isinstance(record, Group):
        yield from _optional(("groups", record.parent))
    elif isinstance(record, Space):
        yield from _optional(("spaces", record.parent))


def _optional(*names: tuple[str, str]) -> Iterator[tuple[str, str]]:
    return (name for name in names if name[1])


def missing(tables: Tables, table: str, record: Record) -> Iterator[Problem]:
    """What a record names that is not there, or is of the wrong kind."""
    for other, identity in named(record):
        if identity not in tables[other]:
            what = f"{record.id} names {identity}, which is not in the table of {other}"
            yield Problem(what, f"{table} {record.id}", f"Add {identity} first, or remove {record.id}.")
    yield from _wrong_kind(tables, table, record)


def _wrong_kind(tables: Tables, table: str, record: Record) -> Iterator[Problem]:
    match record:
        case Device():
            kind: type[object] = DeviceType
            wanted, words = record.type, "a device"
        case Rack():
            kind, wanted, words = RackType, record.type, "a rack"
        case Fabric():
            kind, wanted, words = LinkTechnology, record.technology, "a link technology"
        case _:
            return
    part = tables["parts"].get(wanted)
    if part is not None and not isinstance(part, kind):
        yield Problem(f"{part.id} is not {words}", f"{table} {record.id}", "Choose another part.")


def dangling(tables: Tables, indexes: Indexes, change: Change) -> Iterator[Problem]:
    """Who still names a record that a change removes."""
    if change.after is not None:
        return
    for user in _users(tables, indexes, change.table, change.id):
        yield Problem(
            f"{user} still uses {change.id}", f"{change.table} {change.id}", f"Remove or change {user} first."
        )


def _users(tables: Tables, indexes: Indexes, table: str, identity: str) -> Iterator[str]:
    if table == "devices":
        yield from dict.fromkeys(c for ids in indexes.ends.get(identity, {}).values() for c in ids)
        yield from indexes.children.get(identity, ())
        yield from indexes.cords.get(identity, ())
    elif table == "racks":
        yield from indexes.seats.get(identity, ())
    elif table == "parts":
        yield from indexes.users.get(identity, ())
        yield from (f.id for f in tables["fabrics"].values() if f.technology == identity)
        yield from (c.id for c in tables["cables"].values() if c.part == identity)
    elif table == "fabrics":
        yield from (d.id for d in tables["devices"].values() if d.fabric == identity)
        yield from (c.id for c in tables["cables"].values() if c.fabric == identity)
    elif table == "groups":
        for name in ("devices", "racks", "cables"):
            yield from (r.id for r in tables[name].values() if identity in r.groups)
        yield from (g.id for g in tables["groups"].values() if g.parent == identity)
    elif table == "spaces":
        for name, key in (("racks", "space"), ("spaces", "parent")):
            yield from (r.id for r in tables[name].values() if getattr(r, key) == identity)
    elif table == "assemblies":
        yield from (c.id for c in tables["cables"].values() if c.assembly == identity)
