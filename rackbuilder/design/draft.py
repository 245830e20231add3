"""A scratch layer over a design: gives ids and ports, sees its own changes, ends as one Patch."""

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Any

from rackbuilder.catalog.parts import Part
from rackbuilder.design import refs
from rackbuilder.design.indexes import Indexes, Reindexer
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import About, Base, Original, Record, json_values
from rackbuilder.design.view import View


class Draft(View):
    """Mutable while a command plans; the design below is never touched.

    A record made by a template is filed in `originals` before its first hand edit or deletion, unless the draft
    is `generating` (a template runs in it).
    """

    def __init__(self, base: View, generating: bool = False) -> None:
        self._base = base
        self._tables: dict[str, Mapping[str, Any]] = dict(base.tables)
        self._owned: set[str] = set()
        self._reindexer: Reindexer | None = None
        self._before: dict[tuple[str, str], Record | None] = {}
        self._next = dict(base.about.next)
        self.generating = generating or getattr(base, "generating", False)

    # ---- reading

    @property
    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        return self._tables

    @property
    def indexes(self) -> Indexes:
        return self._reindexer.indexes if self._reindexer else self._base.indexes

    @property
    def about(self) -> About:
        return self._base.about

    # ---- writing

    def new_id(self, prefix: str) -> str:
        """The next free numbered id of a prefix (“srv-0008”); never one that was used before, even if deleted."""
        number = self._next.get(prefix, 1)
        identity = refs.numbered(prefix, number)
        # A file written by hand may hold ids above its marks, and a script may give ids of its own.
        while any(identity in rows for rows in self._tables.values()):
            number += 1
            identity = refs.numbered(prefix, number)
        self._next[prefix] = number + 1
        return identity

    def put(self, table: str, record: Record) -> None:
        """Adds or replaces a record."""
        before = self._tables[table].get(record.id)
        if before is record or before == record:
            return
        self._keep_original(table, before)
        self._change(table, record.id, before, record)

    def remove(self, table: str, identity: str) -> None:
        """Deletes a record; absent is fine."""
        before = self._tables[table].get(identity)
        if before is not None:
            self._keep_original(table, before)
            self._change(table, identity, before, None)

    def change(self, table: str, identity: str, **fields: object) -> None:
        """Replaces fields of a record; each is validated. Raises pydantic.ValidationError."""
        record = self.need(table, identity)
        self.put(table, dataclasses.replace(record, **fields))

    def use_parts(self, parts: Iterable[Part]) -> None:
        """Copies parts into the design; one that is there already stays as it is."""
        for part in parts:
            if part.id not in self._tables["parts"]:
                self.put("parts", part)

    def absorb(self, patch: Patch) -> None:
        """Takes over the changes that another command planned on this draft."""
        for change in patch.changes:
            self._change(change.table, change.id, change.before, change.after)
            self._next = refs.raised(self._next, (change.id,))

    def patch(self, label: str) -> Patch:
        """Everything so far as one patch: removals first, records that ended as they began left out."""
        changes = [
            Change(table, identity, before, self._tables[table].get(identity))
            for (table, identity), before in self._before.items()
        ]
        real = [c for c in changes if c.before != c.after]
        return Patch(label, tuple(sorted(real, key=lambda c: c.after is not None)))

    def _change(self, table: str, identity: str, before: Record | None, after: Record | None) -> None:
        if table not in self._owned:
            self._owned.add(table)
            self._tables[table] = dict(self._tables[table])
        rows: dict[str, Any] = self._tables[table]  # type: ignore[assignment]
        self._before.setdefault((table, identity), before)
        if after is None:
            del rows[identity]
        else:
            rows[identity] = after
        if self._reindexer is None:
            self._reindexer = Reindexer(self._base.indexes)
        self._reindexer.change(Change(table, identity, before, after))

    def _keep_original(self, table: str, before: Record | None) -> None:
        if self.generating or not isinstance(before, Base) or before.made_by is None:
            return
        key = f"{table}/{before.id}"
        if key not in self._tables["originals"]:
            self._change("originals", key, None, Original(id=key, record=json_values(before)))
