"""A template: a whole design from a few numbers, as a Command that plans one big patch."""

import gc
from typing import ClassVar, NamedTuple

from pydantic import JsonValue

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands.base import Command
from rackbuilder.design.draft import Draft
from rackbuilder.design.patch import Patch
from rackbuilder.design.records import MadeBy, Run
from rackbuilder.design.view import View


class FieldInfo(NamedTuple):
    """What a dialog or `rackbuilder templates` shows of one field."""

    name: str
    default: JsonValue
    text: str
    required: bool


class Template(Command):
    """Fields are few and named as people say them; `build` draws on a draft whose records name the run."""

    title: ClassVar[str]
    about: ClassVar[str]
    added: ClassVar[frozenset[str]] = frozenset()
    """Fields that came later: left out of the run's record while they stand at their default, as in older files."""

    def plan(self, view: View, catalog: Catalog) -> Patch:
        draft = Draft(view, generating=True)
        collecting = gc.isenabled()
        gc.disable()  # a collection in the middle of a hundred thousand new records costs more than it frees
        try:
            label = self.draw(draft, catalog)
            return draft.patch(label)
        finally:
            if collecting:
                gc.enable()

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        run = draft.new_id("run")
        self.build(draft, catalog, run)
        draft.put("runs", Run(id=run, template=self.verb, fields=self.run_fields()))
        return self.label()

    def run_fields(self) -> dict[str, JsonValue]:
        """What the record of a run keeps of the fields."""
        kinds = type(self).model_fields
        plain = self.model_dump(mode="json")
        return {k: v for k, v in plain.items() if k not in self.added or v != kinds[k].default}

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        """Makes the records. Raises ProblemError when the fields ask for what cannot be."""
        raise NotImplementedError

    def label(self) -> str:
        """The undo step: “SuperPOD, 4 units of DGX H100”."""
        return self.title

    @classmethod
    def fields_info(cls) -> tuple[FieldInfo, ...]:
        return tuple(
            FieldInfo(name, None if f.is_required() else f.default, f.description or "", f.is_required())
            for name, f in cls.model_fields.items()
        )


def key(run: str, *parts: str) -> MadeBy:
    """The mark of a generated record: its run and a key that is the same each time the template runs."""
    return MadeBy(run, ".".join(parts))
