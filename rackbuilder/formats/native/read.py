"""Bytes -> Design, line by line: a bad record is set aside with its line number while the rest opens."""

import gc
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import ValidationError

from rackbuilder.catalog.parts import DeviceType, LinkTechnology, Part, RackType, ReferencePart
from rackbuilder.design import structure
from rackbuilder.design.design import Aside, Design, build
from rackbuilder.design.patch import Change
from rackbuilder.design.records import (
    TABLE_NAMES,
    About,
    Device,
    Fabric,
    Rack,
    Record,
    from_plain,
    record_from,
)
from rackbuilder.errors import InputError, Problem
from rackbuilder.formats.native.migrations import VERSION, migrate
from rackbuilder.formats.native.write import dumps

SIZE_LIMIT_BYTES = 400_000_000
_HEADER = ("format", "version", "written_by", "about")


class Loaded(NamedTuple):
    """A design, and what was set aside or stood in for on the way."""

    design: Design
    problems: tuple[Problem, ...]


@dataclass
class _Raw:
    """A file taken apart: header fields, and each table's records as (line number, text).

    A file laid out by another hand has no line a record: the number is then minus the record's place.
    """

    header: dict[str, str] = field(default_factory=dict)
    tables: dict[str, list[tuple[int, str]]] = field(default_factory=dict)


def read_design(data: bytes, where: str) -> Loaded:
    """A design from a file's bytes; `where` names the file in messages.

    Raises InputError for what is no rackbuilder file, is cut off, or comes from a newer version.
    """
    if len(data) > SIZE_LIMIT_BYTES:
        what = f"The file has {len(data):,} bytes; the limit is {SIZE_LIMIT_BYTES:,}"
        raise _unreadable(what, where, "Split the design.")
    enabled = gc.isenabled()
    gc.disable()  # a collection in the middle of a million new records costs more than it frees
    try:
        return _read(_text(data, where), where)
    finally:
        if enabled:
            gc.enable()


def _unreadable(what: str, where: str, fix: str) -> InputError:
    return InputError(Problem(what, where, fix))


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"Byte {error.start:,} is not UTF-8 text"
        raise _unreadable(what, where, "This is no rackbuilder file, or it was damaged.") from None


def _read(text: str, where: str) -> Loaded:
    raw = _by_line(text)
    if raw is None:
        raw = _whole(text, where)
    version = _check_header(raw, where)
    if version < VERSION:
        raw = _migrated(raw, version, where)
    return _Builder(raw, where).loaded()


def _by_line(text: str) -> _Raw | None:
    """The file as our own writer lays it out, or None when any line is laid out otherwise."""
    lines = text.split("\n")
    if lines[0].strip() != "{":
        return None
    raw, table, ended = _Raw(), None, False
    for number, line in enumerate(lines[1:], start=2):
        body = line.strip()
        if not body:
            continue
        if ended:
            return None
        if table is not None:
            if body in ("]", "],"):
                table = None
            else:
                raw.tables[table].append((number, body.removesuffix(",")))
        elif body == "}":
            ended = True
        else:
            name, _, rest = body.partition(": ")
            key = name[1:-1]
            if not (name.startswith('"') and name.endswith('"')) or key in raw.header or key in raw.tables:
                return None
            if rest == "[":
                table = key
                raw.tables[key] = []
            else:
                raw.header[key] = rest.removesuffix(",")
    return raw if ended else None


def _whole(text: str, where: str) -> _Raw:
    """A file laid out by another hand: parsed as one JSON value. Says why when it is none."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise _broken(text, error, where) from None
    if not isinstance(data, dict):
        raise _unreadable(
            "This is no rackbuilder file: it holds no object", where, "Open a .rackbuilder file."
        )
    raw = _Raw()
    for key, value in data.items():
        if isinstance(value, list):
            raw.tables[key] = [(-index, dumps(row)) for index, row in enumerate(value, start=1)]
        else:
            raw.header[key] = dumps(value)
    return raw


def _broken(text: str, error: Exception, where: str) -> InputError:
    if text.lstrip().startswith("{") and '"format": "rackbuilder"' in text[:400]:
        what = f"The file breaks off or is damaged: {error}"
        fix = "Open its .bak copy, or a copy from your backups; the file was left as it is."
        return _unreadable(what, where, fix)
    return _unreadable(
        f"This is no rackbuilder file: {error}", where, "Open a .rackbuilder file, or import it."
    )


def _check_header(raw: _Raw, where: str) -> int:
    try:
        kind = json.loads(raw.header.get("format", "null"))
        version = json.loads(raw.header.get("version", "null"))
    except json.JSONDecodeError:
        kind = version = None
    if kind != "rackbuilder":
        fix = "Open a .rackbuilder file."
        raise _unreadable("This is no rackbuilder file: it does not say so in “format”", where, fix)
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        fix = f"A file of this program says “version”: {VERSION}."
        raise _unreadable("The file does not say its version", where, fix)
    if version > VERSION:
        what = f"The file has version {version}; this rackbuilder reads up to {VERSION}"
        raise _unreadable(
            what, where, "Open it with the newer rackbuilder that wrote it. It was left as it is."
        )
    return version


def _migrated(raw: _Raw, version: int, where: str) -> _Raw:
    data: dict[str, Any] = {key: json.loads(text) for key, text in raw.header.items()}
    data |= {key: [json.loads(text) for _, text in rows] for key, rows in raw.tables.items()}
    return _whole(dumps(migrate(data, version)), where)


class _Builder:
    """Records from raw lines: parse, then set aside until everything named is there."""

    def __init__(self, raw: _Raw, where: str) -> None:
        self._raw, self._where = raw, where
        self._problems: list[Problem] = []
        self._aside: list[tuple[str, str]] = []
        self._tables: dict[str, dict[str, Record]] = {name: {} for name in TABLE_NAMES}
        self._source: dict[tuple[str, str], tuple[int, str]] = {}

    def loaded(self) -> Loaded:
        about = self._about()
        for table in TABLE_NAMES:
            for number, text in self._raw.tables.get(table, ()):
                self._record(table, number, text)
        self._stand_in()
        while self._set_aside_dangling():
            pass
        changes = (Change(t, i, None, r) for t, rows in self._tables.items() for i, r in rows.items())
        return Loaded(build(changes, about, self._leftovers()), tuple(self._problems))

    def _about(self) -> About:
        try:
            return from_plain(About, json.loads(self._raw.header.get("about", "{}")))
        except (ValidationError, ValueError, TypeError, AttributeError) as error:
            self._complain(0, f"“about” cannot be read: {_first(error)}", "about")
            return About()

    def _leftovers(self) -> Aside:
        header = {k: v for k, v in self._raw.header.items() if k not in _HEADER and k not in TABLE_NAMES}
        tables = {
            name: "[\n" + ",\n".join(text for _, text in rows) + "\n]" if rows else "[]"
            for name, rows in self._raw.tables.items()
            if name not in TABLE_NAMES
        }
        return Aside(tuple(self._aside), tables, header)

    def _record(self, table: str, number: int, text: str) -> None:
        try:
            record = record_from(table, json.loads(text))
        except (ValidationError, ValueError, TypeError, RecursionError) as error:
            self._put_aside(table, number, text, f"A record of {table} cannot be read: {_first(error)}")
            return
        if record.id in self._tables[table]:
            self._put_aside(table, number, text, f"{record.id} stands twice in {table}")
            return
        self._tables[table][record.id] = record
        self._source[table, record.id] = (number, text)

    def _put_aside(self, table: str, number: int, text: str, what: str) -> None:
        self._aside.append((table, text))
        self._complain(number, what, table)

    def _complain(self, number: int, what: str, table: str) -> None:
        place = f"line {number}" if number > 0 else f"record {-number} of {table}" if number < 0 else table
        fix = "It was set aside and is written back on save; mend it in a text editor, or discard it."
        self._problems.append(Problem(what, f"{self._where}, {place}", fix, rule="file.record"))

    def _set_aside_dangling(self) -> bool:
        """One pass over all records; True when one went, for others may name it."""
        bad = [
            (table, identity, problem)
            for table, rows in self._tables.items()
            for identity, record in rows.items()
            for problem in _one(structure.missing(self._tables, table, record))
        ]
        for table, identity, problem in bad:
            number, text = self._source.pop((table, identity))
            del self._tables[table][identity]
            self._put_aside(table, number, text, problem.what)
        return bool(bad)

    def _stand_in(self) -> None:
        """A missing part is replaced by a placeholder of the right kind, so that what uses it opens."""
        for table in ("devices", "racks", "fabrics", "cables"):
            for record in self._tables[table].values():
                for other, identity in structure.named(record):
                    if other == "parts" and identity not in self._tables["parts"]:
                        self._tables["parts"][identity] = _placeholder(identity, record)
                        self._missing_part(identity, record)

    def _missing_part(self, identity: str, user: Record) -> None:
        what = f"{user.id} uses the part {identity}, which the file does not carry"
        fix = "It is shown as an unknown part; change its type, or add the part."
        self._problems.append(Problem(what, self._where, fix, refs=(user.id,), rule="file.part"))


def _one(problems: Iterable[Problem]) -> Iterator[Problem]:
    for problem in problems:
        yield problem
        return


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        row = error.errors()[0]
        return f"{'.'.join(str(x) for x in row['loc'])}: {row['msg']}"
    return str(error)


def _placeholder(identity: str, user: Record) -> Part:
    common: dict[str, Any] = {
        "id": identity,
        "name": f"Unknown part {identity}",
        "facts": {"placeholder": True},
    }
    if isinstance(user, Device):
        return DeviceType(category="other", u_height=1, **common)
    if isinstance(user, Rack):
        return RackType(u_height=100, **common)
    if isinstance(user, Fabric):
        return LinkTechnology(protocol="ethernet", lossless=False, **common)
    return ReferencePart(topic="unknown", **common)
