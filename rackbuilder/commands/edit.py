"""Remarks and decisions: findings waived with a reason, notes; and settings of the project."""

from typing import ClassVar

from pydantic import Field, JsonValue

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands import targets
from rackbuilder.commands.base import Command
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Note, Policy, Waiver
from rackbuilder.errors import refusal


class Waive(Command):
    """Accepts a finding for a reason. It stays in the report, and counts no more."""

    verb: ClassVar[str] = "waive"

    rule: str = Field(min_length=1)
    refs: tuple[str, ...] = ()
    reason: str

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        if not self.reason.strip():
            raise refusal("A finding is waived with a reason", "waive", "Say why it is accepted.")
        refs = tuple(sorted(set(self.refs)))
        same = [w.id for w in draft.tables["waivers"].values() if (w.rule, w.refs) == (self.rule, refs)]
        identity = same[0] if same else draft.new_id("wvr")
        draft.put("waivers", Waiver(id=identity, rule=self.rule, refs=refs, reason=self.reason.strip()))
        return f"Waive {self.rule}"


class Unwaive(Command):
    """Takes a waiver back: by its id, or by the finding's rule and refs."""

    verb: ClassVar[str] = "unwaive"

    waiver: str = ""
    rule: str = ""
    refs: tuple[str, ...] = ()

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        rows = draft.tables["waivers"]
        refs = tuple(sorted(set(self.refs)))
        found = [
            w
            for w in rows.values()
            if w.id == self.waiver or (self.rule and (w.rule, w.refs) == (self.rule, refs))
        ]
        if not found:
            raise refusal("No such finding is waived", f"unwaive {self.waiver or self.rule}")
        for waiver in found:
            draft.remove("waivers", waiver.id)
        return f"Take back the waiver of {found[0].rule}"


class AddNote(Command):
    """A remark about something, or about the whole design when `ref` is empty."""

    verb: ClassVar[str] = "note"

    text: str = Field(min_length=1)
    ref: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        if self.ref and not targets.exists(draft, self.ref):
            targets.target(draft, self.ref)  # says what is there
        note = Note(id=draft.new_id("note"), ref=self.ref, text=self.text)
        draft.put("notes", note)
        return f"Note on {self.ref}" if self.ref else "Note"


class SetPolicy(Command):
    """A setting of the project: spares, slack, derating, energy price, currency. No value: the default again."""

    verb: ClassVar[str] = "policy"

    key: str = Field(min_length=1)
    value: JsonValue = None

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        if self.value is None:
            draft.remove("policies", self.key)
        else:
            draft.put("policies", Policy(id=self.key, value=self.value))
        return f"Set {self.key}"
