"""Fields of a part that a later version knows: kept aside on reading, and written back at their old place.

A part is a catalog model and has no room for them, unlike the other records. They wait in `facts`, so that copying,
pasting and undoing a part carries them along.
"""

from typing import Any

from pydantic import ValidationError

_KEY = "of a later version"
"""In `facts`: a list of [path, value], the path being that of the field from the part down."""


def without_later(data: dict[str, Any], error: ValidationError) -> dict[str, Any] | None:
    """A part's plain form with unknown fields moved aside, or None when something else is wrong with it too."""
    rows = error.errors(include_url=False, include_context=False, include_input=False)
    if any(row["type"] != "extra_forbidden" for row in rows):
        return None
    later = []
    for row in rows:
        path = list(row["loc"][1:])  # the first is the kind of part
        holder: Any = data
        for step in path[:-1]:
            holder = holder[step]
        later.append([path, holder.pop(path[-1])])
    facts = data.get("facts") or {}
    return {**data, "facts": {**facts, _KEY: later}}


def with_later(data: dict[str, Any]) -> dict[str, Any]:
    """The plain form to be written; a field whose place is gone stays in `facts`."""
    facts = dict(data.get("facts", {}))
    rows = facts.pop(_KEY, None)
    if not _sound(rows):
        return data
    left = [[path, value] for path, value in rows if not _put_back(data, path, value)]
    if left:
        facts[_KEY] = left
    data = {**data, "facts": facts}
    if not facts:
        del data["facts"]
    return data


def _sound(rows: Any) -> bool:
    return isinstance(rows, list) and all(
        isinstance(row, list) and len(row) == 2 and isinstance(row[0], list) and row[0] for row in rows
    )


def _put_back(data: dict[str, Any], path: list[Any], value: object) -> bool:
    holder: Any = data
    try:
        for step in path[:-1]:
            holder = holder[step]
    except (KeyError, IndexError, TypeError):
        return False
    if not isinstance(holder, dict) or not isinstance(path[-1], str):
        return False
    holder[path[-1]] = value
    return True
