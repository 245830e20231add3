"""What the user knows better than the drawing: faults, and figures set by hand."""

from typing import ClassVar, Literal

from pydantic import Field, JsonValue

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands import fields, targets
from rackbuilder.commands.base import Command
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Fault, Override
from rackbuilder.errors import did_you_mean, refusal


class AddFault(Command):
    """Marks something as failed, degraded, seen otherwise than drawn, or under maintenance."""

    verb: ClassVar[str] = "add-fault"

    ref: str
    kind: Literal["failed", "degraded", "observed", "maintenance"] = "failed"
    links: int | None = Field(None, ge=0)
    rate_bps: float | None = Field(None, ge=0)
    origin: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        if not targets.exists(draft, self.ref):
            targets.target(draft, refs.parse(self.ref).record)  # says what is there
            raise refusal(
                f"There is nothing called “{self.ref}”", "add-fault", "Name a device, port, cable or link."
            )
        same = [f.id for f in draft.tables["faults"].values() if (f.ref, f.kind) == (self.ref, self.kind)]
        identity = same[0] if same else draft.new_id("fault")
        fault = Fault(
            id=identity,
            ref=self.ref,
            kind=self.kind,
            links=self.links,
            rate_bps=self.rate_bps,
            origin=self.origin,
        )
        draft.put("faults", fault)
        return f"Mark {self.ref} as {self.kind}"


class RemoveFault(Command):
    """Takes a fault back, by its id or by what it is about."""

    verb: ClassVar[str] = "remove-fault"

    fault: str

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        rows = draft.tables["faults"]
        found = (
            [self.fault] if self.fault in rows else sorted(f.id for f in rows.values() if f.ref == self.fault)
        )
        if not found:
            raise refusal(f"No fault is noted on “{self.fault}”", "remove-fault")
        for identity in found:
            draft.remove("faults", identity)
        return f"Remove the fault of {self.fault}"


class SetOverride(Command):
    """A figure set by hand: key `part/<id>/<field>` for a part, `ref/<ref>/<field>` for one device or cable."""

    verb: ClassVar[str] = "override"

    key: str
    value: JsonValue
    reason: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        kind, _, rest = self.key.partition("/")
        owner, _, field = rest.rpartition("/")
        if kind not in ("part", "ref") or not owner or not field:
            raise refusal(
                f"“{self.key}” is no key of a figure", "override", "Write part/ID/FIELD or ref/REF/FIELD."
            )
        if kind == "part":
            _known_field(draft, owner, field)
        elif not targets.exists(draft, owner):
            targets.target(draft, refs.parse(owner).record)  # says what is there
        value = fields.value_from(field, self.value, self.key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise refusal(
                f"{self.value!r} is no number", f"override {self.key}", "Give a number, with its unit."
            )
        draft.put("overrides", Override(id=self.key, value=value, reason=self.reason))
        return f"Set {field} of {owner}"


def _known_field(draft: Draft, part: str, field: str) -> None:
    known = type(draft.need("parts", part)).model_fields
    if field.partition(".")[0] not in known:
        raise refusal(f"{part} has no figure “{field}”", "override", did_you_mean(field, known))


class ClearOverride(Command):
    """Goes back to the figure of the part."""

    verb: ClassVar[str] = "clear-override"

    key: str

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        draft.need("overrides", self.key)
        draft.remove("overrides", self.key)
        return f"Reset {self.key.rpartition('/')[2]} of {self.key.split('/')[1]}"
