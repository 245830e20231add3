"""From what a user names to records: by id, or by a name that is unique."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import CableType, DeviceType, LinkTechnology, OpticType, Part, RackType
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Device, Rack
from rackbuilder.design.view import View
from rackbuilder.errors import ProblemError, did_you_mean, refusal
from rackbuilder.topology.natural import natural_key

NAMED_TABLES = (
    "devices",
    "racks",
    "cables",
    "fabrics",
    "groups",
    "jobs",
    "spaces",
    "faults",
    "waivers",
    "notes",
    "cords",
)
"""Where a bare id is looked for, in this order."""
_WORDS = {
    "devices": "device",
    "racks": "rack",
    "cables": "cable",
    "fabrics": "fabric",
    "groups": "group",
    "spaces": "space",
}


class Target(NamedTuple):
    """A record and the table it is in."""

    table: str
    id: str


def target(view: View, text: str, tables: Iterable[str] = NAMED_TABLES) -> Target:
    """The record that a text names: “srv-0007”, “racks/rack-01”, or a name that only one record has."""
    names = tuple(tables)
    table, slash, identity = text.partition("/")
    if slash and table in names and identity in view.tables[table]:
        return Target(table, identity)
    for name in names:
        if text in view.tables[name]:
            return Target(name, text)
    found = [Target(name, r.id) for name in names for r in _named(view.tables[name], text)]
    if len(found) == 1:
        return found[0]
    if found:
        ids = ", ".join(sorted((t.id for t in found), key=natural_key)[:10])
        raise refusal(f"“{text}” is the name of {len(found)} records", fix=f"Give the id: {ids}.")
    raise _nothing(view, text, names)


def _named(rows: Mapping[str, Any], name: str) -> list[Any]:
    return [record for record in rows.values() if name and record.name == name]


def _nothing(view: View, text: str, tables: tuple[str, ...]) -> ProblemError:
    parsed = refs.parse(text)
    if parsed != refs.Ref(text) and any(parsed.record in view.tables[name] for name in tables):
        return refusal(
            f"“{text}” is a part of {parsed.record}, no record", fix=f"Name {parsed.record} itself."
        )
    known = (identity for name in tables for identity in view.tables[name])
    word = _WORDS.get(tables[0], tables[0]) if len(tables) == 1 else "record"
    return refusal(f"There is no {word} “{text}”", fix=did_you_mean(text, known))


def devices(view: View, texts: Iterable[str]) -> list[Device]:
    """The devices that some texts name, each once, in natural order: the order of a selection decides nothing."""
    ids = {target(view, text, ("devices",)).id: None for text in texts}
    return [view.devices[identity] for identity in sorted(ids, key=natural_key)]


def device(view: View, text: str) -> Device:
    return view.devices[target(view, text, ("devices",)).id]


def rack(view: View, text: str) -> Rack:
    return view.racks[target(view, text, ("racks",)).id]


def exists(view: View, ref: str) -> bool:
    """Whether a ref names a record, or a port, inner part or derived link of devices that are there."""
    parsed = refs.parse(ref)
    there = any(parsed.record in view.tables[name] for name in NAMED_TABLES)
    return there and (not parsed.other or parsed.other in view.devices)


# ---- parts


def use_part(draft: Draft, catalog: Catalog, identity: str) -> Part:
    """A part by id, with all it names in the design; one that the design holds already wins over the catalog."""
    found = draft.parts.get(identity)
    if found is not None:
        return found
    part = catalog.part(identity)
    draft.use_parts(catalog.closure(identity))
    return part


def use_device_type(draft: Draft, catalog: Catalog, identity: str) -> DeviceType:
    part = use_part(draft, catalog, identity)
    if not isinstance(part, DeviceType):
        raise _wrong(
            part,
            "a device that can be placed",
            "It is a rack: add it as one." if isinstance(part, RackType) else "",
        )
    return part


def use_rack_type(draft: Draft, catalog: Catalog, identity: str) -> RackType:
    part = use_part(draft, catalog, identity)
    if not isinstance(part, RackType):
        raise _wrong(part, "a rack")
    return part


def use_cable_type(draft: Draft, catalog: Catalog, identity: str) -> CableType:
    part = use_part(draft, catalog, identity)
    if not isinstance(part, CableType):
        raise _wrong(part, "a cable")
    return part


def use_optic_type(draft: Draft, catalog: Catalog, identity: str) -> OpticType:
    part = use_part(draft, catalog, identity)
    if not isinstance(part, OpticType):
        raise _wrong(part, "an optic")
    return part


def use_technology(draft: Draft, catalog: Catalog, identity: str) -> LinkTechnology:
    part = use_part(draft, catalog, identity)
    if not isinstance(part, LinkTechnology):
        raise _wrong(part, "a link technology")
    return part


def _wrong(part: Part, wanted: str, fix: str = "") -> ProblemError:
    return refusal(f"{part.name} is not {wanted}", part.id, fix or "Choose another part.")
