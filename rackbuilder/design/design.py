"""The document as a value: tables of frozen records and the indexes that follow from them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice
from types import MappingProxyType
from typing import Any

from rackbuilder.design import refs, structure
from rackbuilder.design.indexes import Indexes, reindexed
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import TABLE_NAMES, About
from rackbuilder.design.view import View
from rackbuilder.errors import Problem, ProblemError

_KEYED = frozenset({"parts", "originals", "drawing", "plugs", "overrides", "policies", "prices"})
"""Tables whose ids are keys made of other names: they use up no number."""

_EMPTY: Mapping[str, Mapping[str, Any]] = MappingProxyType({name: {} for name in TABLE_NAMES})


@dataclass(frozen=True, slots=True, eq=False)
class Aside:
    """What a file held and this version could not read: written back on each save until the user drops it.

    lines    (table, text) of records set aside
    tables   unknown tables, as text by name
    header   unknown fields beside the tables, as text by name
    """

    lines: tuple[tuple[str, str], ...] = ()
    tables: Mapping[str, str] = field(default_factory=dict)
    header: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Design(View):
    """A whole cluster. Equal content is compared by `same`; identity tells revisions apart."""

    _tables: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: _EMPTY)
    _indexes: Indexes = field(default_factory=Indexes)
    _about: About = field(default_factory=About)
    aside: Aside = field(default_factory=Aside)

    @property
    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        return self._tables

    @property
    def indexes(self) -> Indexes:
        return self._indexes

    @property
    def about(self) -> About:
        return self._about

    def apply(self, patch: Patch) -> "Design":
        """The next design; tables the patch leaves alone are shared with this one.

        Raises ProblemError when the patch is stale (a record is not as it was when the patch was planned) or
        breaks structure (a record names one that is not there, or one still in use is removed).
        """
        if patch.empty:
            return self
        tables = _changed(self._tables, patch.changes)
        indexes = reindexed(self._indexes, patch.changes)
        problems = tuple(islice(_faults(tables, indexes, patch.changes), 20))
        if problems:
            raise ProblemError(*problems)
        added = (c.id for c in patch.changes if c.before is None and c.table not in _KEYED)
        marks = refs.raised(self._about.next, added)
        about = self._about if marks == self._about.next else replace(self._about, next=marks)
        return Design(tables, indexes, about, self.aside)

    def with_about(self, about: About) -> "Design":
        return Design(self._tables, self._indexes, about, self.aside)

    def without_aside(self) -> "Design":
        """The design once the user has dropped what could not be read."""
        return Design(self._tables, self._indexes, self._about)

    def same(self, other: "Design") -> bool:
        """Equal records in every table; high-water marks do not count."""
        return all(self._tables[name] == other._tables[name] for name in TABLE_NAMES)


def _changed(
    tables: Mapping[str, Mapping[str, Any]], changes: Iterable[Change]
) -> dict[str, Mapping[str, Any]]:
    result = dict(tables)
    work: dict[str, dict[str, Any]] = {}
    for table, identity, before, after in changes:
        rows = work.get(table)
        if rows is None:
            rows = work[table] = dict(tables[table])
        there = rows.get(identity)
        if there is not before and there != before:
            state = "was changed meanwhile" if there is not None else "is gone"
            raise ProblemError(Problem(f"{identity} {state}", f"{table} {identity}", "Repeat the edit."))
        if after is None:
            rows.pop(identity, None)
        else:
            rows[identity] = after
    result.update(work)
    return result


def _faults(
    tables: Mapping[str, Mapping[str, Any]], indexes: Indexes, changes: Iterable[Change]
) -> Iterable[Problem]:
    for change in changes:
        after = tables[change.table].get(change.id)
        if after is not None:
            yield from structure.missing(tables, change.table, after)
        elif change.before is not None:
            yield from structure.dangling(
                tables, indexes, Change(change.table, change.id, change.before, None)
            )


def build(changes: Iterable[Change], about: About | None = None, aside: Aside | None = None) -> Design:
    """A design from records known to be sound in structure (a file just checked), in one pass."""
    listed = tuple(changes)
    tables = _changed(_EMPTY, listed)
    return Design(tables, reindexed(Indexes(), listed), about or About(), aside or Aside())
