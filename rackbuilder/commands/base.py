"""Command: an edit as a value. Dialogs, gestures, CLI flags and scripts all make the same ones."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from rackbuilder.catalog.load import Catalog
from rackbuilder.design.draft import Draft
from rackbuilder.design.patch import Patch
from rackbuilder.design.view import View
from rackbuilder.errors import InputError, Problem, did_you_mean, unknown_name


class Command(BaseModel):
    """A frozen set of arguments and a pure plan. `verb` is its name in scripts.

    `plan` raises ProblemError when the edit cannot be, and changes nothing itself.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
    verb: ClassVar[str]

    def plan(self, view: View, catalog: Catalog) -> Patch:
        """The patch this edit makes of a design. Subclasses mostly fill `draw` instead."""
        draft = Draft(view)
        label = self.draw(draft, catalog)
        return draft.patch(label)

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        """Makes the edit on a draft and returns the label of the step."""
        raise NotImplementedError

    def line(self) -> dict[str, Any]:
        """The command as one entry of an edit script: {verb: {field: value}}."""
        return {self.verb: self.model_dump(mode="json", exclude_defaults=True)}


def run(draft: Draft, command: Command, catalog: Catalog) -> None:
    """Plans a command on a draft and keeps its changes: how templates and compound edits use other commands."""
    draft.absorb(command.plan(draft, catalog))


def command_from(table: dict[str, type[Command]], line: object, where: str = "") -> Command:
    """A command from one entry of a script. Raises InputError that names the field and suggests a spelling."""
    if not isinstance(line, dict) or len(line) != 1:
        raise InputError(
            Problem("An edit is one verb with its fields", where, "Write “verb: {field: value}”.")
        )
    verb, fields = next(iter(line.items()))
    kind = table.get(verb)
    if kind is None:
        raise unknown_name("edit", str(verb), table, where)
    return checked(kind, fields or {}, where)


def checked(kind: type[Command], fields: object, where: str = "") -> Command:
    """A command with its fields validated; every fault becomes a Problem in plain words."""
    if not isinstance(fields, dict):
        raise InputError(Problem(f"“{kind.verb}” needs named fields", where, _fields_text(kind)))
    try:
        return kind(**fields)
    except ValidationError as error:
        raise InputError(*(_fault(kind, row, where) for row in error.errors())) from None


def _fault(kind: type[Command], row: Mapping[str, Any], where: str) -> Problem:
    name = ".".join(str(x) for x in row["loc"]) or "fields"
    at = f"{where} {kind.verb}".strip()
    if row["type"] == "extra_forbidden":
        return Problem(f"“{name}” is no field of {kind.verb}", at, did_you_mean(name, kind.model_fields))
    if row["type"] == "missing":
        return Problem(f"{kind.verb} needs “{name}”", at, _fields_text(kind))
    return Problem(f"“{name}”: {row['msg']}", at, f"It was given {row['input']!r}.")


def _fields_text(kind: type[Command]) -> str:
    return "Its fields are " + ", ".join(kind.model_fields) + "."
