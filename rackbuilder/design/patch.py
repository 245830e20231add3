"""Change and Patch: the one small value that is undo record, event, journal line and list of what to redo."""

from collections.abc import Iterable
from typing import NamedTuple

from rackbuilder.design.records import Record


class Change(NamedTuple):
    """One record of one table, before and after; None is absent."""

    table: str
    id: str
    before: Record | None
    after: Record | None


class Patch(NamedTuple):
    """A named step. `label` is what the undo list shows: “Cable 8 rails x 32 servers”."""

    label: str
    changes: tuple[Change, ...] = ()

    @property
    def empty(self) -> bool:
        return not self.changes

    @property
    def tables(self) -> frozenset[str]:
        return frozenset(change.table for change in self.changes)

    def inverted(self) -> "Patch":
        """The patch that takes this one back, in reverse order."""
        return Patch(
            self.label,
            tuple(Change(c.table, c.id, c.after, c.before) for c in reversed(self.changes)),
        )


def merged(label: str, patches: Iterable[Patch]) -> Patch:
    """Several patches in a row as one: each record keeps its first before and its last after."""
    first: dict[tuple[str, str], Record | None] = {}
    last: dict[tuple[str, str], Record | None] = {}
    for patch in patches:
        for change in patch.changes:
            key = (change.table, change.id)
            first.setdefault(key, change.before)
            last.pop(key, None)  # re-insert: the order of the last change holds
            last[key] = change.after
    return Patch(
        label,
        tuple(Change(t, i, first[t, i], after) for (t, i), after in last.items() if first[t, i] != after),
    )
