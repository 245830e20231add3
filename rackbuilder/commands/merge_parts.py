"""Parts that come from another document: equal ones are shared, others are kept apart under a name of their own."""

from collections.abc import Iterable, Mapping
from itertools import count
from typing import Any

from rackbuilder.catalog.parts import DeviceType, Part, needs, part_from
from rackbuilder.design.draft import Draft


def share_parts(draft: Draft, parts: Iterable[Part]) -> dict[str, str]:
    """Brings parts into the design; each id of theirs -> the id it has here.

    One that is equal to ours is shared. One that differs, or that names one that differs, comes in as
    `<id>@<revision>`.
    """
    given = {part.id: part for part in parts}
    apart = {i for i, part in given.items() if i in draft.parts and draft.parts[i] != part}
    while more := {i for i in given if i in draft.parts and i not in apart and apart & _named(given[i])}:
        apart |= more
    names = _free_names(draft, given, sorted(apart))
    for identity in sorted(given):
        part = _renamed(given[identity], names)
        if part.id not in draft.parts:
            draft.put("parts", part)
    return names


def _named(part: Part) -> set[str]:
    """Every part that this one names, the racks it mounts in too."""
    mounts = part.mounts_in if isinstance(part, DeviceType) else ()
    return {*needs(part), *mounts}


def _free_names(draft: Draft, given: Mapping[str, Part], apart: Iterable[str]) -> dict[str, str]:
    """A name for each part; the first ending that is free, or that holds the very same part already, for all."""
    listed = tuple(apart)
    for number in count(1):
        ending = "" if number == 1 else f"-{number}"
        new = {i: f"{i}@{given[i].revision or 'other'}{ending}" for i in listed}
        names = {i: new.get(i, i) for i in given}
        if all(draft.parts.get(new[i]) in (None, _renamed(given[i], names)) for i in listed):
            return names
    raise AssertionError("count() does not end")


def _renamed(part: Part, names: Mapping[str, str]) -> Part:
    """The part under its new name, naming other parts by theirs."""
    if all(names.get(i, i) == i for i in (part.id, *_named(part))):
        return part
    data: dict[str, Any] = part.model_dump()
    data["id"] = names.get(part.id, part.id)
    if data.get("technology"):
        data["technology"] = names.get(data["technology"], data["technology"])
    if data.get("gpus"):
        data["gpus"]["part"] = names.get(data["gpus"]["part"], data["gpus"]["part"])
    for row in data.get("cages", ()):
        row["nic"] = names.get(row["nic"], row["nic"])
    if data.get("mounts_in"):
        data["mounts_in"] = tuple(names.get(i, i) for i in data["mounts_in"])
    if data.get("assembly"):
        _rename_trays(data["assembly"], names)
    return part_from(data)


def _rename_trays(assembly: dict[str, Any], names: Mapping[str, str]) -> None:
    for key in ("compute_tray", "switch_tray"):
        assembly[key] = names.get(assembly[key], assembly[key])
    for slot in assembly["slots"]:
        slot["takes"] = tuple(names.get(i, i) for i in slot["takes"])
