"""Records with every field set to something else than its default, made from the models themselves.

A field added to a model is thus tested from its first day.
"""

from dataclasses import fields, is_dataclass
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from pydantic import BaseModel

from rackbuilder.catalog.parts import (
    CableType,
    DeviceType,
    GpuType,
    LinkTechnology,
    NicType,
    NvSwitchType,
    OpticType,
    Part,
    RackType,
    ReferencePart,
)
from rackbuilder.design.design import Design, build
from rackbuilder.design.patch import Change
from rackbuilder.design.records import TABLES, About, Base, Record

PART_KINDS: tuple[type[BaseModel], ...] = (
    GpuType, DeviceType, RackType, NicType, NvSwitchType, CableType, OpticType, LinkTechnology, ReferencePart
)  # fmt: skip
JSON = {"a": [1, 2.5, None, True, "ü"], "b": {}}


def other(hint: Any, default: object, name: str) -> Any:
    """A value of a type that is not the default."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return next(choice for choice in arguments if choice != default)
    if origin is tuple and arguments:
        kinds = arguments[:1] if arguments[-1] is Ellipsis else arguments
        return tuple(other(kind, None, f"{name}{n}") for n, kind in enumerate(kinds))
    if origin is dict:
        return {"schlüssel": other(arguments[1], None, name)}
    if type(None) in arguments:
        return other(next(kind for kind in arguments if kind is not type(None)), default, name)
    if str(hint) in ("JsonValue", "typing.Annotated") or "JsonValue" in str(hint):
        return JSON
    if getattr(hint, "__metadata__", None):
        return other(hint.__origin__, default, name)
    return _plain(hint, default, name)


def _plain(hint: Any, default: object, name: str) -> Any:
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return model(hint)
    if isinstance(hint, type) and issubclass(hint, tuple):
        return hint(*(other(kind, None, part) for part, kind in get_type_hints(hint).items()))
    values = {str: f"{name} “Ω”", bool: default is not True, int: 2, float: 1.5}
    return values[hint]


def model(kind: type[BaseModel], **given: Any) -> Any:
    hints = get_type_hints(kind, include_extras=True)
    values = {
        name: other(hints[name], field.default, name)
        for name, field in kind.model_fields.items()
        if name != "kind"
    }
    return kind(**values | given)


def record(kind: type[Base], **given: Any) -> Any:
    assert is_dataclass(kind)
    hints = get_type_hints(kind, include_extras=True)
    values = {spec.name: other(hints[spec.name], spec.default, spec.name) for spec in fields(kind)}
    return kind(**values | {"extra": {"of a later version": JSON}} | given)


class Filled(NamedTuple):
    design: Design
    records: tuple[tuple[str, Record], ...]


REFERENCES: dict[str, dict[str, Any]] = {
    "spaces": {"parent": "space-0"},
    "racks": {"type": "rack", "space": "space-0", "groups": ("group-0",)},
    "devices": {
        "type": "device", "rack": "rack-0", "parent": "device-0", "fabric": "fabric-0", "groups": ("group-0",)
    },
    "cables": {
        "a": ("device-0", "p1/1"), "b": ("device-0", "p2/1"), "assembly": "assembly-0", "part": "cable",
        "fabric": "fabric-0", "groups": ("group-0",),
    },
    "cords": {"a": ("device-0", "in"), "b": ("device-0", "out")},
    "fabrics": {"technology": "technology"},
    "groups": {"parent": "group-0"},
}  # fmt: skip
"""What names another record must name one that is there."""
_ANCHORS: dict[str, dict[str, Any]] = {
    "spaces": {}, "groups": {}, "assemblies": {},
    "fabrics": {"technology": "technology"},
    "racks": {"type": "rack"},
    "devices": {"type": "device"},
}  # fmt: skip
_ONE = {"assemblies": "assembly"}


def one_name(table: str) -> str:
    return _ONE.get(table, table.removesuffix("s"))


def parts() -> list[Part]:
    return [model(kind, id=kind.model_fields["kind"].default) for kind in PART_KINDS]


def full_record(table: str, **given: Any) -> Any:
    return record(TABLES[table], **{"id": f"{one_name(table)}-1"} | REFERENCES.get(table, {}) | given)


def anchors() -> list[tuple[str, Any]]:
    """Bare records for the full ones to name."""
    return [
        (table, TABLES[table](id=f"{one_name(table)}-0", **given))  # type: ignore[call-arg]
        for table, given in _ANCHORS.items()
    ]


def filled() -> Filled:
    """A design with every table in use and every field set."""
    full = [*(("parts", part) for part in parts()), *((table, full_record(table)) for table in TABLES)]
    changes = (Change(table, row.id, None, row) for table, row in (*anchors(), *full))
    about = record(About)  # type: ignore[type-var]
    return Filled(build(changes, about), tuple(full))
