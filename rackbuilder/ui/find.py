"""Everything of a design that can be found by name or id."""

from collections.abc import Sequence

from rackbuilder.design.design import Design
from rackbuilder.ui.dialogs.quick import Choice, matches

_TABLES = ("devices", "racks", "fabrics", "groups", "jobs", "cables")


def findable(design: Design) -> list[Choice]:
    """A choice a record: its name, with its id or kind as hint."""
    return [
        Choice(record.label, record.id if record.name else table[:-1], record.id)
        for table in _TABLES
        for record in design.tables[table].values()
    ]


def exact(rows: Sequence[Choice], words: str) -> Choice | None:
    """The one row meant: called exactly so, or the only one that matches."""
    wanted = words.strip().lower()
    same = [row for row in rows if wanted in (row.text.lower(), row.value.lower())]
    found = same or matches(rows, words, limit=2)
    return found[0] if len(found) == 1 else None
