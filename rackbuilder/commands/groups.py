"""Groups: named sets of devices, racks and cables."""

from dataclasses import replace
from typing import ClassVar, Literal

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands import cascade, targets
from rackbuilder.commands.base import Command
from rackbuilder.commands.names import checked_name, counted
from rackbuilder.design import records
from rackbuilder.design.draft import Draft
from rackbuilder.errors import refusal

_MEMBERS = ("devices", "racks", "cables")


class Group(Command):
    """Makes a group of some records."""

    verb: ClassVar[str] = "group"

    refs: tuple[str, ...] = Field(min_length=1)
    name: str = ""
    kind: Literal["unit", "pod", "plane", "phase", "user"] = "user"
    parent: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        parent = targets.target(draft, self.parent, ("groups",)).id if self.parent else ""
        record = records.Group(
            id=draft.new_id("grp"), name=checked_name(self.name), kind=self.kind, parent=parent
        )
        draft.put("groups", record)
        count = join(draft, self.refs, record.id)
        return f"Group {count:,} as {record.label}"


class AddToGroup(Command):
    """More members for a group."""

    verb: ClassVar[str] = "add-to-group"

    group: str
    refs: tuple[str, ...] = Field(min_length=1)

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        group = draft.groups[targets.target(draft, self.group, ("groups",)).id]
        count = join(draft, self.refs, group.id)
        return f"Add {count:,} to {group.label}"


class Ungroup(Command):
    """Dissolves groups, or takes `refs` out of the one group named; the members stay."""

    verb: ClassVar[str] = "ungroup"

    groups: tuple[str, ...] = Field(min_length=1)
    refs: tuple[str, ...] = ()

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        found = [targets.target(draft, text, ("groups",)) for text in self.groups]
        label = draft.groups[found[0].id].label
        if not self.refs:
            cascade.remove(draft, found)
            return f"Ungroup {label if len(found) == 1 else counted(len(found), 'group')}"
        ids = {t.id for t in found}
        for text in self.refs:
            table, identity = targets.target(draft, text, _MEMBERS)
            record = draft.tables[table][identity]
            draft.put(table, replace(record, groups=tuple(g for g in record.groups if g not in ids)))
        return f"Take {counted(len(self.refs), 'member')} out of {label}"


def join(draft: Draft, names: tuple[str, ...], group: str) -> int:
    """Adds a group to some records; how many they are. Raises ProblemError for what cannot be a member."""
    found = {targets.target(draft, text) for text in names}
    for table, identity in sorted(found):
        if table not in _MEMBERS:
            raise refusal(
                f"{identity} cannot be in a group", "group", "Devices, racks and cables can.", (identity,)
            )
        record = draft.tables[table][identity]
        if group not in record.groups:
            draft.put(table, replace(record, groups=(*record.groups, group)))
    return len(found)
