"""Design -> bytes. Two saves of one design are byte-equal: no dates, no machine names, one order."""

import json
from collections.abc import Iterator
from typing import Any

from rackbuilder import __version__
from rackbuilder.design.design import Design
from rackbuilder.design.records import TABLE_NAMES, plain
from rackbuilder.formats.native.later import with_later
from rackbuilder.formats.native.migrations import VERSION


def is_placeholder(record: Any) -> bool:
    """A part put in place of one that a file named but did not carry: never written, so that it stays missing.

    A part the user made from one is a part of its own.
    """
    return bool(getattr(record, "facts", {}).get("placeholder", False)) and not record.based_on


def write_design(design: Design, stand_ins: bool = False) -> bytes:
    """The whole file, what could not be read included, at its old table.

    `stand_ins` keeps the parts put in place of missing ones too: a recovery copy must hold all that an undo may need.
    """
    fields = [_field("format", "rackbuilder"), _field("version", VERSION)]
    fields.append(_field("written_by", f"rackbuilder {__version__}"))
    fields.append(_field("about", _about(design)))
    fields += [f"{dumps(name)}: {text}" for name, text in sorted(design.aside.header.items())]
    for name in TABLE_NAMES:
        lines = list(_lines(design, name, stand_ins))
        if lines:
            fields.append(f"{dumps(name)}: [\n" + ",\n".join(lines) + "\n]")
    fields += [f"{dumps(name)}: {text}" for name, text in sorted(design.aside.tables.items())]
    return ("{\n" + ",\n".join(fields) + "\n}\n").encode()


def _about(design: Design) -> dict[str, Any]:
    """The marks in order of name: the same design has the same bytes, in whatever order its ids were given."""
    about = plain(design.about)
    return about | {"next": dict(sorted(about["next"].items()))} if "next" in about else about


def _lines(design: Design, table: str, stand_ins: bool) -> Iterator[str]:
    rows = design.tables[table]
    if table == "parts":
        parts = (rows[identity] for identity in sorted(rows))
        yield from (dumps(with_later(plain(p))) for p in parts if stand_ins or not is_placeholder(p))
    else:
        yield from (dumps(plain(rows[identity])) for identity in sorted(rows))
    yield from (text for name, text in design.aside.lines if name == table)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def dumps(value: Any) -> str:
    """One line of JSON, as every record of the file and of the journal is written."""
    return _ENCODER.encode(value)


def _field(name: str, value: Any) -> str:
    return f"{dumps(name)}: {dumps(value)}"
