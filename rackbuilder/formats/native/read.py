"""Bytes -> Design, line by line: a bad record is set aside with its line number while the rest opens."""

import gc
import json
import re
from collections.abc import Iterator
from itertools import islice
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
from rackbuilder.design.refs import valid_id
from rackbuilder.errors import InputError, Problem
from rackbuilder.formats.native import layout
from rackbuilder.formats.native.later import without_later
from rackbuilder.formats.native.layout import Raw, parse_json
from rackbuilder.formats.native.migrations import MIGRATIONS, VERSION, migrate

SIZE_LIMIT_BYTES = 400_000_000
_HEADER = ("format", "version", "written_by", "about")
_REFERRED = ("spaces", "fabrics", "groups", "racks", "devices", "cables")
"""Tables whose ids stand in refs, where a mark in one would name something else."""
_LONGEST_REASON = 200
_OURS = re.compile(r'\s*\{\s*"format"\s*:\s*"rackbuilder"')


class Loaded(NamedTuple):
    """A design, and what was set aside or stood in for on the way."""

    design: Design
    problems: tuple[Problem, ...]


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
    """Line by line; where a line is no JSON by itself, the whole may still be: laid out by another hand."""
    lines, loaded = layout.by_line(text), None
    if lines is not None:
        builder = _Builder(_present(lines, where), where)
        loaded = builder.loaded()
        if not builder.torn:
            return loaded
    try:
        raw = layout.whole(text)
    except (ValueError, RecursionError) as error:
        if loaded is not None and lines is not None and not lines.spread:
            return loaded
        raise _broken(text, error, where) from None
    return _Builder(_present(raw, where), where).loaded()


def _broken(text: str, error: Exception, where: str) -> InputError:
    if _OURS.match(text):
        what = f"The file breaks off or is damaged: {error}"
        fix = "Open its .bak copy, or a copy from your backups; the file was left as it is."
        return _unreadable(what, where, fix)
    return _unreadable(
        f"This is no rackbuilder file: {error}", where, "Open a .rackbuilder file, or import it."
    )


def _present(raw: Raw, where: str) -> Raw:
    """The content in the present version."""
    version = _check_header(raw, where)
    return raw if version == VERSION else _migrated(raw, version, where)


def _check_header(raw: Raw, where: str) -> int:
    kind, version = (_header_value(raw, name) for name in ("format", "version"))
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


def _header_value(raw: Raw, name: str) -> Any:
    try:
        return json.loads(raw.header.get(name, "null"))
    except (ValueError, RecursionError):
        return None


def _migrated(raw: Raw, version: int, where: str) -> Raw:
    """Brought up to the present version; what is no JSON cannot be, and is kept for the builder to set aside."""
    data: dict[str, Any] = {}
    bad = Raw()
    for key, text in raw.header.items():
        try:
            data[key] = parse_json(text)
        except (ValueError, RecursionError):
            bad.header[key] = text
    for key, rows in raw.tables.items():
        data[key] = []
        for number, text in rows:
            try:
                data[key].append(parse_json(text.removesuffix(",")))
            except (ValueError, RecursionError):
                bad.tables.setdefault(key, []).append((number, text))
    try:
        made = layout.raw_of(list(migrate(data, version, MIGRATIONS, VERSION).items()))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        what = f"The file of version {version} cannot be brought up to version {VERSION}: {error!r}"
        raise _unreadable(what, where, "It was left as it is; please report this.") from None
    for key, rows in bad.tables.items():
        made.tables.setdefault(key, []).extend(rows)
    made.header |= bad.header
    return made


class _Builder:
    """Records from raw lines: parse, then set aside until everything named is there."""

    def __init__(self, raw: Raw, where: str) -> None:
        self._raw, self._where = raw, where
        self.torn = False
        """A line was no JSON by itself."""
        self._problems: list[Problem] = []
        self._aside: list[tuple[str, str]] = []
        self._tables: dict[str, dict[str, Record]] = {name: {} for name in TABLE_NAMES}
        self._source: dict[tuple[str, str], tuple[int, str]] = {}

    def loaded(self) -> Loaded:
        about = self._about()
        for table in TABLE_NAMES:
            if table in self._raw.header:
                what = f"“{table}” is no list of records"
                self._put_aside(table, 0, self._raw.header[table], what)
            for number, text in self._raw.tables.get(table, ()):
                self._record(table, number, text.removesuffix(","))
        self._stand_in()
        self._set_aside_dangling()
        changes = (Change(t, i, None, r) for t, rows in self._tables.items() for i, r in rows.items())
        return Loaded(build(changes, about, self._leftovers()), tuple(self._problems))

    def _about(self) -> About:
        """Title, customer and the marks; a field that cannot be read has its default."""
        text = self._raw.header.get("about", "[]" if "about" in self._raw.tables else "{}")
        try:
            data = parse_json(text)
            if not isinstance(data, dict):
                raise TypeError("it is no object in braces")
        except (ValueError, TypeError, RecursionError) as error:
            self._default("“about”", str(error))
            return About()
        while True:
            try:
                return from_plain(About, data)
            except ValidationError as error:
                bad = str(error.errors()[0]["loc"][0])
                self._default(f"“{bad}” in “about”", _first(error))
                data = {name: value for name, value in data.items() if name != bad and bad in data}

    def _default(self, name: str, why: str) -> None:
        what, fix = f"{name} cannot be read: {why}", "Its default stands in; set it again."
        self._problems.append(Problem(what, self._where, fix, rule="file.record"))

    def _leftovers(self) -> Aside:
        known = (*_HEADER, *TABLE_NAMES)
        header = {k: v for k, v in self._raw.header.items() if k not in known}
        tables = {name: rows for name, rows in self._raw.tables.items() if name not in known}
        for rows in tables.values():
            for _, text in rows:
                self._check(text.removesuffix(","))
        texts = {
            name: "[\n" + "\n".join(text for _, text in rows) + "\n]" if rows else "[]"
            for name, rows in tables.items()
        }
        return Aside(tuple(self._aside), texts, header)

    def _check(self, text: str) -> None:
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            self.torn = True

    def _record(self, table: str, number: int, text: str) -> None:
        try:
            record = self._made(table, text)
        except (ValueError, TypeError, RecursionError) as error:
            self._put_aside(table, number, text, f"A record of {table} cannot be read: {_first(error)}")
            return
        if record.id in self._tables[table]:
            self._put_aside(table, number, text, f"{record.id} stands twice in {table}")
            return
        self._tables[table][record.id] = record
        self._source[table, record.id] = (number, text)

    def _made(self, table: str, text: str) -> Record:
        """Raises ValueError (pydantic's is one), TypeError or RecursionError."""
        try:
            data = parse_json(text)
        except json.JSONDecodeError:
            self.torn = True
            raise
        try:
            record = record_from(table, data)
        except ValidationError as error:
            data = without_later(data, error) if table == "parts" else None
            if data is None:
                raise
            record = record_from(table, data)
        if not record.id or (table in _REFERRED and not valid_id(record.id)):
            raise ValueError(f"“{record.id}” cannot be an id")
        return record

    def _put_aside(self, table: str, number: int, text: str, what: str) -> None:
        self._aside.append((table, text))
        place = f"line {number}" if number > 0 else f"record {-number} of {table}" if number < 0 else table
        fix = "It was set aside and is written back on save; mend it in a text editor, or discard it."
        self._problems.append(Problem(what, f"{self._where}, {place}", fix, rule="file.record"))

    def _set_aside_dangling(self) -> None:
        """Records that name a missing one go, then those that name them, and so on."""
        look = [(table, identity) for table, rows in self._tables.items() for identity in rows]
        users: dict[tuple[str, str], list[tuple[str, str]]] | None = None
        while bad := list(self._dangling(look)):
            users = self._users() if users is None else users
            look = []
            for (table, identity), problem in bad:
                number, text = self._source[table, identity]
                del self._tables[table][identity]
                self._put_aside(table, number, text, problem.what)
                look += users.get((table, identity), [])

    def _dangling(self, look: list[tuple[str, str]]) -> Iterator[tuple[tuple[str, str], Problem]]:
        for table, identity in dict.fromkeys(look):
            record = self._tables[table].get(identity)
            if record is not None:
                for problem in islice(structure.missing(self._tables, table, record), 1):
                    yield (table, identity), problem

    def _users(self) -> dict[tuple[str, str], list[tuple[str, str]]]:
        """Who names a record."""
        found: dict[tuple[str, str], list[tuple[str, str]]] = {}
        for table, rows in self._tables.items():
            for identity, record in rows.items():
                for name in structure.named(record):
                    found.setdefault(name, []).append((table, identity))
        return found

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


def _first(error: Exception) -> str:
    if isinstance(error, ValidationError):
        row = error.errors()[0]
        text = f"{'.'.join(str(x) for x in row['loc'])}: {row['msg']}"
    elif isinstance(error, UnicodeEncodeError):
        text = "a name or text holds half a character, which no file can keep"
    else:
        text = str(error)
    return text if len(text) <= _LONGEST_REASON else f"{text[:_LONGEST_REASON]} …"


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
