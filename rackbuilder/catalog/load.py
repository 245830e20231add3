"""YAML -> Catalog. Every fault names its file and line, and never stops the good entries beside it.

A file has `about`, `revision` (the date of its facts), `sources` (key -> address or document) and `parts`. See
`shorthand` for how figures are written.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml
from pydantic import JsonValue, ValidationError

from rackbuilder import resources
from rackbuilder.catalog.catalog import EMPTY, Catalog, catalog_of
from rackbuilder.catalog.entries import check_names, converted, faults, line_at
from rackbuilder.catalog.parts import PART, Part, needs
from rackbuilder.catalog.selfcheck import self_check
from rackbuilder.catalog.yaml_nodes import Fault, Plain, line_of, pairs, read_nodes
from rackbuilder.errors import Problem, ProblemError, did_you_mean

__all__ = ["Catalog", "load_catalog", "load_user", "shipped"]

_TOP = ("about", "revision", "sources", "parts")


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
    reading.drop_contradictions()
    reading.drop_dangling()
    return catalog_of(reading.parts), tuple(reading.problems)


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
                fix = did_you_mean(name, (i for i in self.parts if i != identity))
                self._report(identity, f"{identity} names the part “{name}”, which is not there", fix)
            self._drop(identity for identity, _ in gone)

    def drop_contradictions(self) -> None:
        """Leaves out parts whose figures contradict each other, such as a switch with 62 of its 64 ports."""
        found = [(problem.refs[0], problem) for problem in self_check(catalog_of(self.parts))]
        for identity, problem in found:
            self._report(identity, problem.what, problem.fix)
        self._drop(identity for identity, _ in found)

    def _report(self, identity: str, what: str, fix: str) -> None:
        """A fault of a part that was read now; those of the base are not for its readers to repair."""
        if identity in self.places:
            place = self.places[identity]
            self.problems.append(Fault(place.line, what, fix).problem(place.path))

    def _drop(self, identities: Iterable[str]) -> None:
        for identity in identities:
            if self.places.pop(identity, None):
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
        data = converted(node, self._plain)
        data["sources"] = self._named_sources(node, data.get("sources", []))
        data.setdefault("revision", self._revision)
        try:
            # Strict, so that “yes” is no power; by way of JSON, where a list may become a tuple.
            part = PART.validate_json(json.dumps(data), strict=True)
        except ValidationError as error:
            for fault in faults(error, node, data):
                self._fault(fault)
            return None
        check_names(part, node)
        return part

    def _named_sources(self, node: yaml.Node, given: JsonValue) -> list[JsonValue]:
        """Keys of the file's sources as their text; a text of its own is kept."""
        rows = given if isinstance(given, list) else [given]
        for row in rows:
            if isinstance(row, str) and row not in self._sources and re.fullmatch(r"[\w.-]+", row):
                what = f"The file has no source “{row}”"
                raise Fault(line_at(node, ("sources",)), what, did_you_mean(row, self._sources))
        return [self._sources.get(row, row) if isinstance(row, str) else row for row in rows]


def _iso_date(node: yaml.Node, plain: Plain) -> str:
    text = str(plain.value(node))
    try:
        date.fromisoformat(text)
    except ValueError:
        raise Fault(line_of(node), f"“{text}” is no date", "Write it as 2026-12-01.") from None
    return text
