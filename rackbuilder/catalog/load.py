"""YAML -> Catalog. Every fault names its file and line, and never stops the good entries beside it.

A file has `about`, `revision` (the date of its facts), `sources` (key -> address or document) and `parts`. See
`shorthand` for how figures are written.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError

from rackbuilder import resources
from rackbuilder.catalog.parts import (
    PART,
    Assembly,
    Cages,
    Conflict,
    CoolantUnit,
    DeviceType,
    GpuGroup,
    GpuType,
    LinkTechnology,
    Outlets,
    Part,
    PartBase,
    PlugEnd,
    RackType,
    Slot,
    Supplies,
    needs,
)
from rackbuilder.catalog.shorthand import FIELD_OF, conflict_value, entry, field_name
from rackbuilder.catalog.yaml_nodes import Fault, Plain, line_of, pairs, read_nodes
from rackbuilder.errors import InputError, Problem, ProblemError, did_you_mean, unknown_name

K = TypeVar("K", bound=PartBase)

KINDS: dict[str, type[BaseModel]] = {model.model_fields["kind"].default: model for model in get_args(Part)}
_INNER: dict[str, type[BaseModel]] = {
    "cages": Cages, "gpus": GpuGroup, "supplies": Supplies, "outlets": Outlets, "coolant": CoolantUnit,
    "assembly": Assembly, "slots": Slot, "a": PlugEnd, "b": PlugEnd, "conflicts": Conflict,
}  # fmt: skip
_ID = re.compile(r"[a-z0-9][a-z0-9._-]*")
_TOP = ("about", "revision", "sources", "parts")


@dataclass(frozen=True)
class Catalog:
    """What can be bought, by id in order. `date` is that of the newest entry (ISO)."""

    parts: Mapping[str, Part]
    date: str = ""

    def part(self, identity: str) -> Part:
        """Raises InputError with a suggestion for an id that is not there."""
        found = self.parts.get(identity)
        if found is None:
            raise unknown_name("part", identity, self.parts, "catalog")
        return found

    def _typed(self, identity: str, kind: type[K], words: str) -> K:
        part = self.part(identity)
        if isinstance(part, kind):
            return part
        fitting = [p.id for p in self.of_kind(kind)]
        raise InputError(
            Problem(f"{part.id} is a {part.kind}, no {words}", "catalog", did_you_mean(identity, fitting))
        )

    def device(self, identity: str) -> DeviceType:
        return self._typed(identity, DeviceType, "device")

    def rack(self, identity: str) -> RackType:
        return self._typed(identity, RackType, "rack")

    def gpu(self, identity: str) -> GpuType:
        return self._typed(identity, GpuType, "GPU")

    def technology(self, identity: str) -> LinkTechnology:
        return self._typed(identity, LinkTechnology, "link technology")

    def of_kind(self, kind: type[K]) -> tuple[K, ...]:
        return tuple(part for part in self.parts.values() if isinstance(part, kind))

    def closure(self, *ids: str) -> tuple[Part, ...]:
        """The parts and all they need, each once, what is needed first."""
        found: dict[str, Part] = {}
        for identity in ids:
            self._need(identity, found)
        return tuple(found.values())

    def _need(self, identity: str, found: dict[str, Part]) -> None:
        if identity in found:
            return
        part = self.part(identity)
        for name in needs(part):
            self._need(name, found)
        found[identity] = part

    def with_parts(self, parts: Iterable[Part]) -> "Catalog":
        """This catalog with some parts added; one of a known id takes its place."""
        return _catalog({**self.parts, **{part.id: part for part in parts}})


def _catalog(parts: Mapping[str, Part]) -> Catalog:
    ordered = {identity: parts[identity] for identity in sorted(parts)}
    return Catalog(MappingProxyType(ordered), max((part.revision for part in ordered.values()), default=""))


EMPTY = Catalog(MappingProxyType({}))


@lru_cache(maxsize=1)
def shipped() -> Catalog:
    """The catalog that ships with rackbuilder. Raises ProblemError when a file of it is broken."""
    catalog, problems = load_catalog([resources.path("catalog")])
    if problems:
        raise ProblemError(*problems)
    return catalog


def load_user(folders: Sequence[Path]) -> tuple[Catalog, tuple[Problem, ...]]:
    """The user's own folders on top of the shipped catalog; what is wrong with them is listed, never fatal."""
    return load_catalog(folders, shipped())


def load_catalog(folders: Sequence[Path], base: Catalog = EMPTY) -> tuple[Catalog, tuple[Problem, ...]]:
    """Every *.yaml of the folders, in order of name, on top of `base`; with every fault in them."""
    reading = _Reading(dict(base.parts))
    for folder in folders:
        if not folder.is_dir():
            what, fix = "There is no such catalog folder", "Make it, or take it out of the settings."
            reading.problems.append(Problem(what, str(folder), fix, rule="catalog.file"))
        for path in sorted(folder.glob("*.yaml")):
            _File(path, reading).read()
    reading.drop_dangling()
    return _catalog(reading.parts), tuple(reading.problems)


class _Place(NamedTuple):
    path: Path
    line: int


@dataclass
class _Reading:
    """What was read so far, from all files."""

    parts: dict[str, Part]
    places: dict[str, _Place] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def add(self, part: Part, place: _Place) -> None:
        if part.id in self.parts:
            first = self.places.get(part.id)
            where = (
                f"first in {first.path.name}, line {first.line}"
                if first
                else "the first is in the shipped catalog"
            )
            fault = Fault(
                place.line, f"The id {part.id} is there twice ({where})", "Give this part another id."
            )
            self.problems.append(fault.problem(place.path))
            return
        self.parts[part.id], self.places[part.id] = part, place

    def drop_dangling(self) -> None:
        """Leaves out parts that name a part which is not there, and those that name them in turn."""
        while True:
            gone = [
                (identity, name)
                for identity in self.places
                for name in needs(self.parts[identity])
                if name not in self.parts
            ]
            if not gone:
                return
            for identity, name in gone:
                self._drop(identity, name)

    def _drop(self, identity: str, name: str) -> None:
        place = self.places.pop(identity, None)
        if place is not None:
            fix = did_you_mean(name, (i for i in self.parts if i != identity))
            fault = Fault(place.line, f"{identity} names the part “{name}”, which is not there", fix)
            self.problems.append(fault.problem(place.path))
            del self.parts[identity]


class _File:
    """One file being read."""

    def __init__(self, path: Path, reading: _Reading) -> None:
        self._path, self._reading, self._plain = path, reading, Plain()
        self._sources: dict[str, str] = {}
        self._revision = ""

    def read(self) -> None:
        try:
            self._read()
        except Fault as fault:
            self._fault(fault)

    def _fault(self, fault: Fault) -> None:
        self._reading.problems.append(fault.problem(self._path))

    def _read(self) -> None:
        root = read_nodes(self._path)
        if root is None:
            raise Fault(1, "The file is empty", "Write “parts:” and a list, or delete it.")
        top = {key: (key_node, value) for key, key_node, value in pairs(root, "A catalog file")}
        for key, (node, _) in top.items():
            if key not in _TOP:
                self._fault(Fault(line_of(node), f"“{key}” is not known here", did_you_mean(key, _TOP)))
        if "parts" not in top:
            raise Fault(1, "There are no parts in it", "Write “parts:” and a list.")
        self._head(top)
        self._parts(top["parts"][1])

    def _head(self, top: Mapping[str, tuple[yaml.Node, yaml.Node]]) -> None:
        if "sources" in top:
            for key, _, node in pairs(top["sources"][1], "The list of sources"):
                self._sources[key] = str(self._plain.value(node))
        if "revision" in top:
            self._revision = _iso_date(top["revision"][1], self._plain)

    def _parts(self, node: yaml.Node) -> None:
        if not isinstance(node, yaml.SequenceNode):
            raise Fault(line_of(node), "“parts” is a list", "Begin each part with “- id: …”.")
        for item in node.value:
            try:
                part = self._part(item)
            except Fault as fault:
                self._fault(fault)
                continue
            if part is not None:
                self._reading.add(part, _Place(self._path, line_of(item)))

    def _part(self, node: yaml.Node) -> Part | None:
        data = _converted(node, self._plain)
        data["sources"] = self._named_sources(node, data.get("sources", []))
        data.setdefault("revision", self._revision)
        try:
            # Strict, so that “yes” is no power; by way of JSON, where a list may become a tuple.
            part = PART.validate_json(json.dumps(data), strict=True)
        except ValidationError as error:
            for fault in _faults(error, node, data):
                self._fault(fault)
            return None
        _check_names(part, node)
        return part

    def _named_sources(self, node: yaml.Node, given: Any) -> list[Any]:
        """Keys of the file's sources as their text; a text of its own is kept."""
        rows = given if isinstance(given, list) else [given]
        for row in rows:
            if isinstance(row, str) and row not in self._sources and re.fullmatch(r"[\w.-]+", row):
                what = f"The file has no source “{row}”"
                raise Fault(_line(node, ("sources",)), what, did_you_mean(row, self._sources))
        return [self._sources.get(row, row) if isinstance(row, str) else row for row in rows]


def _iso_date(node: yaml.Node, plain: Plain) -> str:
    text = str(plain.value(node))
    try:
        date.fromisoformat(text)
    except ValueError:
        raise Fault(line_of(node), f"“{text}” is no date", "Write it as 2026-12-01.") from None
    return text


# ---- one entry


def _converted(node: yaml.Node, plain: Plain) -> dict[str, Any]:
    """The plain form of an entry, in base units."""
    published: dict[str, str] = {}
    data = _fields(node, plain, published)
    given = data.get("published")
    if published:
        data["published"] = {**published, **(given if isinstance(given, dict) else {})}
    if isinstance(data.get("unverified"), list):
        data["unverified"] = [field_name(str(name)) for name in data["unverified"]]
    if isinstance(data.get("grades"), dict):
        data["grades"] = {field_name(name): grade for name, grade in data["grades"].items()}
    for row in data.get("conflicts") or ():
        if isinstance(row, dict) and isinstance(row.get("key"), str):
            row["value"] = conflict_value(row["key"], row.get("value"))
            row["key"] = field_name(row["key"])
    return data


def _fields(node: yaml.Node, plain: Plain, published: dict[str, str]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, key_node, value_node in pairs(node, "A part"):
        try:
            name, value, printed = entry(key, _value(key, value_node, plain, published))
        except ProblemError as error:
            problem = error.problems[0]
            raise Fault(line_of(value_node), f"{key}: {problem.what}", problem.fix) from None
        if name in data:
            raise Fault(line_of(key_node), f"“{key}” gives {name} a second time", "Keep one.")
        data[name] = value
        if printed:
            published[name] = printed
    return data


def _value(key: str, node: yaml.Node, plain: Plain, published: dict[str, str]) -> Any:
    """A value, with the shorthand of inner models read too; `facts` and the like are kept verbatim."""
    if key in _INNER and isinstance(node, yaml.MappingNode):
        return _fields(node, plain, published)
    if key in _INNER and isinstance(node, yaml.SequenceNode):
        return [
            _fields(item, plain, published) if isinstance(item, yaml.MappingNode) else plain.value(item)
            for item in node.value
        ]
    return plain.value(node)


def _check_names(part: Part, node: yaml.Node) -> None:
    """An id of the right form, and marks that name fields: a misspelt one would mark nothing. Raises Fault."""
    if not _ID.fullmatch(part.id):
        raise Fault(_line(node, ("id",)), f"“{part.id}” is no id", "Use a–z, 0–9, dot, dash and underscore.")
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
                raise Fault(_line(node, (where,)), what, did_you_mean(name, known))


def _faults(error: ValidationError, node: yaml.Node, data: Mapping[str, Any]) -> Iterator[Fault]:
    """One fault for each thing that the model refuses, in words, at the line of the field."""
    for row in error.errors(include_url=False):
        kind = row["type"]
        if kind in ("union_tag_not_found", "union_tag_invalid"):
            said = (
                f"“{data.get('kind')}” is no kind of part"
                if "kind" in data
                else "The kind of part is missing"
            )
            yield Fault(_line(node, ("kind",)), said, did_you_mean(str(data.get("kind", "")), KINDS))
            continue
        place = row["loc"][1:]  # the first step is the kind
        name = ".".join(str(step) for step in place)
        label = f"{data.get('id', 'part')}: {name}"
        if kind == "extra_forbidden":
            yield Fault(
                _line(node, place), f"{label} is not known", did_you_mean(str(place[-1]), _known(row["loc"]))
            )
        elif kind == "missing":
            yield Fault(_line(node, place), f"{label} is missing", "Add it.")
        else:
            yield Fault(_line(node, place), f"{label}: {row['msg']}", f"It is {_short(row['input'])} now.")


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


def _known(loc: Sequence[int | str]) -> list[str]:
    """Names that could stand where `loc` points: fields of the innermost model, and their shorthand."""
    inner = [step for step in loc[1:-1] if isinstance(step, str) and step in _INNER]
    model = _INNER[inner[-1]] if inner else KINDS[str(loc[0])]
    names = set(model.model_fields)
    return [*names, *(key for key, name in FIELD_OF.items() if name in names)]


def _line(node: yaml.Node, place: Sequence[int | str]) -> int:
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
