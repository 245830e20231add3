"""A file taken apart, line by line as our own writer lays it out, or as one JSON value."""

import json
from dataclasses import dataclass, field
from typing import Any

LineNumber = int
"""Of a record's line; in a file laid out by another hand, minus the record's place in its table."""


@dataclass
class Raw:
    """Header fields as JSON text; each table's records as (line number, JSON text and the comma after it)."""

    header: dict[str, str] = field(default_factory=dict)
    tables: dict[str, list[tuple[LineNumber, str]]] = field(default_factory=dict)

    @property
    def spread(self) -> bool:
        """A record runs over several lines: taken line by line it would come back in pieces."""
        return any(text in ("{", "[") for rows in self.tables.values() for _, text in rows)


def parse_json(text: str) -> Any:
    """A value that can be written again. Raises ValueError for what is no JSON, for a field that stands twice, for
    numbers that are none or have no end, and for half a character; RecursionError for endless nesting.
    """
    value = _DECODER.decode(text)
    if "\\u" in text:
        _compact(value).encode()  # an escape may be half a character, which no file can hold
    return value


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is beyond all numbers")
    return value


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"“{twice}” stands twice in it")
    return value


_DECODER = json.JSONDecoder(parse_float=_finite, parse_constant=_no_number, object_pairs_hook=_once)


def by_line(text: str) -> Raw | None:
    """The file as our own writer lays it out, or None when a line outside the records is laid out otherwise."""
    lines = text.split("\n")
    if lines[0].strip() != "{":
        return None
    raw, table, ended = Raw(), None, False
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
                table.append((number, body))
        elif body == "}":
            ended = True
        else:
            name, _, rest = body.partition(": ")
            table = raw.tables.setdefault(_name(name), []) if rest == "[" else None
            if table is None and not _header_line(raw, name, rest, number):
                return None
    return raw if ended and "" not in raw.tables else None


def _name(text: str) -> str:
    """A field's name out of its quotes; empty when it is none."""
    try:
        name = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    return name if isinstance(name, str) else ""


def _header_line(raw: Raw, name: str, rest: str, number: LineNumber) -> bool:
    """A field on one line, kept as it stands; a list on one line is a table. False for anything else."""
    key, body = _name(name), rest.removesuffix(",")
    if not key or not body or key in raw.header:
        return False
    if not body.startswith("["):
        raw.header[key] = body
        return True
    try:
        rows = json.loads(body)
    except (ValueError, RecursionError):
        return False
    raw.tables.setdefault(key, []).extend((number, text) for text in _rows(rows))
    return True


def whole(text: str) -> Raw:
    """A file laid out by another hand, parsed as one JSON value; a table that stands twice is joined.

    Raises ValueError when it is no JSON object, or says a field twice, and RecursionError for endless nesting.
    """
    top: list[tuple[str, Any]] = []
    twice: list[dict[str, Any]] = []

    def keep(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        top[:] = pairs  # the outermost object is the last to end
        value = dict(pairs)
        if len(value) != len(pairs):
            twice.append(value)
        return value

    made = json.loads(text, object_pairs_hook=keep)
    if not isinstance(made, dict):
        raise ValueError("it holds no object")
    for value in twice:
        if value is not made:
            raise ValueError(f"a field stands twice in {_compact(value)[:80]}")
    return raw_of(top)


def raw_of(pairs: list[tuple[str, Any]]) -> Raw:
    """Fields and tables from values. Raises ValueError for a field that stands twice."""
    raw = Raw()
    for key, value in pairs:
        if isinstance(value, list):
            rows = raw.tables.setdefault(key, [])
            rows += [(-place, row) for place, row in enumerate(_rows(value), start=len(rows) + 1)]
        elif key in raw.header:
            raise ValueError(f"“{key}” stands twice in it")
        else:
            raw.header[key] = _text(value)
    return raw


def _rows(values: list[Any]) -> list[str]:
    texts = [_text(value) for value in values]
    return [f"{text}," for text in texts[:-1]] + texts[-1:]


def _text(value: Any) -> str:
    """JSON that holds the value for sure, even one that no record may have: NaN, or half a character as an escape."""
    text = _compact(value)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":"))
    return text


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
