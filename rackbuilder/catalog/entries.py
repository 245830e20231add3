"""One entry of a catalog file: from shorthand to fields in base units, and what is wrong with it in words."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

import yaml
from pydantic import BaseModel, JsonValue, ValidationError

from rackbuilder.catalog.parts import (
    Assembly,
    Cages,
    Conflict,
    CoolantUnit,
    GpuGroup,
    Outlets,
    Part,
    PlugEnd,
    Slot,
    Supplies,
)
from rackbuilder.catalog.shorthand import FIELD_OF, conflict_value, entry, field_name
from rackbuilder.catalog.yaml_nodes import Fault, Plain, line_of, pairs
from rackbuilder.errors import ProblemError, did_you_mean

KINDS: dict[str, type[BaseModel]] = {model.model_fields["kind"].default: model for model in get_args(Part)}
_INNER: dict[str, type[BaseModel]] = {
    "cages": Cages, "gpus": GpuGroup, "supplies": Supplies, "outlets": Outlets, "coolant": CoolantUnit,
    "assembly": Assembly, "slots": Slot, "a": PlugEnd, "b": PlugEnd, "conflicts": Conflict,
}  # fmt: skip
_ID = re.compile(r"[a-z0-9][a-z0-9._-]*")


def converted(node: yaml.Node, plain: Plain) -> dict[str, JsonValue]:
    """The plain form of an entry, in base units."""
    published: dict[str, JsonValue] = {}
    data = _fields(node, plain, published)
    given, unverified, grades = data.get("published"), data.get("unverified"), data.get("grades")
    if published:
        data["published"] = {**published, **(given if isinstance(given, dict) else {})}
    if isinstance(unverified, list):
        data["unverified"] = [field_name(str(name)) for name in unverified]
    if isinstance(grades, dict):
        data["grades"] = {field_name(name): grade for name, grade in grades.items()}
    conflicts = data.get("conflicts")
    for row in conflicts if isinstance(conflicts, list) else ():
        if isinstance(row, dict) and isinstance(key := row.get("key"), str):
            row.update(key=field_name(key), value=conflict_value(key, row.get("value")))
    return data


def _fields(
    node: yaml.Node, plain: Plain, published: dict[str, JsonValue], depth: int = 0
) -> dict[str, JsonValue]:
    plain.count(node, depth)
    data: dict[str, JsonValue] = {}
    for key, key_node, value_node in pairs(node, "A part"):
        try:
            name, value, printed = entry(key, _value(key, value_node, plain, published, depth))
        except ProblemError as error:
            problem = error.problems[0]
            raise Fault(line_of(value_node), f"{key}: {problem.what}", problem.fix) from None
        if name in data:
            raise Fault(line_of(key_node), f"“{key}” gives {name} a second time", "Keep one.")
        data[name] = value
        if printed:
            published[name] = printed
    return data


def _value(key: str, node: yaml.Node, plain: Plain, published: dict[str, JsonValue], depth: int) -> JsonValue:
    """A value, with the shorthand of inner models read too; `facts` and the like are kept verbatim."""
    if key in _INNER and isinstance(node, yaml.MappingNode):
        return _fields(node, plain, published, depth + 1)
    if key in _INNER and isinstance(node, yaml.SequenceNode):
        return [
            _fields(item, plain, published, depth + 1)
            if isinstance(item, yaml.MappingNode)
            else plain.value(item, depth + 1)
            for item in node.value
        ]
    return plain.value(node, depth)


def check_names(part: Part, node: yaml.Node) -> None:
    """An id of the right form, and marks that name fields: a misspelt one would mark nothing. Raises Fault."""
    if not _ID.fullmatch(part.id):
        raise Fault(
            line_at(node, ("id",)), f"“{part.id}” is no id", "Use a–z, 0–9, dot, dash and underscore."
        )
    known = type(part).model_fields
    marks = {
        "unverified": part.unverified,
        "grades": part.grades,
        "conflicts": [row.key for row in part.conflicts],
        "published": part.published,
    }
    for where, names in marks.items():
        for name in names:
            if name.partition(".")[0] not in known:
                what = f"{part.id}: {where} names “{name}”, which is no field of a {part.kind}"
                raise Fault(line_at(node, (where,)), what, did_you_mean(name, known))


def faults(error: ValidationError, node: yaml.Node, data: Mapping[str, JsonValue]) -> Iterator[Fault]:
    """One fault for each thing that the model refuses, in words, at the line of the field."""
    for row in error.errors(include_url=False):
        kind = row["type"]
        if kind in ("union_tag_not_found", "union_tag_invalid"):
            said = (
                f"“{data.get('kind')}” is no kind of part"
                if "kind" in data
                else "The kind of part is missing"
            )
            yield Fault(line_at(node, ("kind",)), said, did_you_mean(str(data.get("kind", "")), KINDS))
            continue
        place = row["loc"][1:]  # the first step is the kind
        name = ".".join(str(step) for step in place)
        label = f"{data.get('id', 'part')}: {name}"
        if kind == "extra_forbidden":
            yield Fault(
                line_at(node, place),
                f"{label} is not known",
                did_you_mean(str(place[-1]), _known(row["loc"])),
            )
        elif kind == "missing":
            yield Fault(line_at(node, place), f"{label} is missing", "Add it.")
        else:
            yield Fault(line_at(node, place), f"{label}: {row['msg']}", f"It is {_short(row['input'])} now.")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _known(loc: Sequence[int | str]) -> list[str]:
    """Names that could stand where `loc` points: fields of the innermost model, and their shorthand."""
    inner = [step for step in loc[1:-1] if isinstance(step, str) and step in _INNER]
    model = _INNER[inner[-1]] if inner else KINDS[str(loc[0])]
    names = set(model.model_fields)
    return [*names, *(key for key, name in FIELD_OF.items() if name in names)]


def line_at(node: yaml.Node, place: Sequence[int | str]) -> int:
    """The line of a field of an entry, or of the nearest thing around it that is there."""
    line = line_of(node)
    for step in place:
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if FIELD_OF.get(key.value, key.value) == step]
            if not found:
                break
            line, node = line_of(found[0][0]), found[0][1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            node = node.value[step]
            line = line_of(node)
        else:
            break
    return line
