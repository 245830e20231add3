"""Parts of a design: own ones made from a copy, their fields, and newer figures from the catalog."""

from typing import Any, ClassVar

from pydantic import Field, JsonValue, ValidationError

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import Part, needs, part_from
from rackbuilder.commands.base import Command
from rackbuilder.commands.names import checked_name, counted
from rackbuilder.design import refs
from rackbuilder.design.draft import Draft
from rackbuilder.design.view import View
from rackbuilder.errors import Problem, ProblemError, did_you_mean, refusal

_FIXED = ("kind", "id", "based_on", "evidence", "grades", "unverified", "revision")


class CopyPart(Command):
    """A part of one's own: a copy of another with other fields, each of them of grade “user”.

    The rest keeps the source and grade it has in the base.
    """

    verb: ClassVar[str] = "copy-part"

    base: str
    id: str = ""
    name: str = ""
    fields: dict[str, JsonValue] = Field(default_factory=dict)

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        base = draft.parts.get(self.base) or catalog.part(self.base)
        identity = self.id or _free_id(draft, catalog, base.id)
        if not refs.valid_id(identity) or identity in draft.parts or identity in catalog.parts:
            raise refusal(
                f"“{identity}” cannot be the id of a new part", "copy-part", "Choose one that is free."
            )
        data = base.model_dump()
        data |= {"id": identity, "name": checked_name(self.name) or f"{base.name}, own", "based_on": base.id}
        data |= {"part_number": "", "confirmed_by_vendor": False}
        part = _with_fields(data, base, self.fields)
        draft.use_parts(catalog.closure(*(i for i in needs(part) if i not in draft.parts)))
        draft.put("parts", part)
        return f"Copy {base.name} as {part.name}"


class SetPartField(Command):
    """One field of a part of one's own. Shipped parts stay as published: copy them, or set a figure by hand."""

    verb: ClassVar[str] = "set-part"

    part: str
    field: str
    value: JsonValue

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        part: Part = draft.need("parts", self.part)
        if not part.based_on:
            fix = f"Make a copy of it first, or override the figure for this design (part/{part.id}/{self.field})."
            raise refusal(f"{part.name} is a published part", "set-part", fix, (part.id,))
        changed = _with_fields(part.model_dump(), part, {self.field: self.value})
        draft.use_parts(catalog.closure(*(i for i in needs(changed) if i not in draft.parts)))
        draft.put("parts", changed)
        return f"Set {self.field} of {part.name}"


class UpdatePart(Command):
    """Takes the catalog's present figures for parts of the design; all that differ when none is named."""

    verb: ClassVar[str] = "update-part"

    parts: tuple[str, ...] = ()

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        wanted = [draft.need("parts", identity).id for identity in self.parts] or outdated(draft, catalog)
        for identity in wanted:
            part = catalog.part(identity)
            draft.use_parts(catalog.closure(*needs(part)))
            draft.put("parts", part)
        return f"Update {counted(len(wanted), 'part')} from the catalog"


def outdated(view: View, catalog: Catalog) -> list[str]:
    """Parts of a design that the catalog holds with other figures, by id."""
    return sorted(i for i, part in view.parts.items() if i in catalog.parts and catalog.parts[i] != part)


def _free_id(draft: Draft, catalog: Catalog, base: str) -> str:
    number = 2
    while f"{base}-{number}" in draft.parts or f"{base}-{number}" in catalog.parts:
        number += 1
    return f"{base}-{number}"


def _with_fields(data: dict[str, Any], part: Part, fields: dict[str, JsonValue]) -> Part:
    """A part from plain data with some fields set by the user and marked so. Raises ProblemError."""
    for name in fields:
        if name not in type(part).model_fields or name in _FIXED:
            known = [field for field in type(part).model_fields if field not in _FIXED]
            raise refusal(
                f"“{name}” is no field of {part.name} that can be set", part.id, did_you_mean(name, known)
            )
    changed = {n: v for n, v in fields.items() if data[n] != v and n not in ("name", "notes")}
    data |= fields
    data["grades"] = {**data["grades"], **dict.fromkeys(changed, "user")}
    data["unverified"] = tuple(n for n in data["unverified"] if n.partition(".")[0] not in changed)
    data["published"] = {n: v for n, v in data["published"].items() if n.partition(".")[0] not in changed}
    data["conflicts"] = tuple(c for c in data["conflicts"] if c["key"].partition(".")[0] not in changed)
    try:
        return part_from(data)
    except ValidationError as error:
        raise ProblemError(*(_refused(part, row) for row in error.errors())) from None


def _refused(part: Part, row: Any) -> Problem:  # noqa: ANN401 a row of pydantic's list
    name = ".".join(str(x) for x in row["loc"][1:]) or "value"
    return Problem(f"{name} cannot be {row['input']!r}: {row['msg']}", part.id, "Give another value.")
