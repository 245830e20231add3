"""Drawn places: pinned by hand, forgotten, collapsed. Never metres, and no figure goes stale by them."""

from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands.base import Command
from rackbuilder.commands.names import counted
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Drawing


class Pin(Command):
    """Pins drawn places in a view: ref (or the key of a block) -> x, y in drawing units."""

    verb: ClassVar[str] = "pin"

    view: str = "fabric"
    places: dict[str, tuple[float, float]] = Field(min_length=1)

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        for ref in sorted(self.places):
            x, y = self.places[ref]
            draft.put("drawing", replace(_drawn(draft, self.view, ref), x=x, y=y, pinned=True))
        names = list(self.places)
        return f"Move {names[0] if len(names) == 1 else counted(len(names), 'item')} on the drawing"


class Unpin(Command):
    """Forgets drawn places, of some refs or of a whole view: the layout decides again."""

    verb: ClassVar[str] = "unpin"

    view: str = "fabric"
    refs: tuple[str, ...] = ()

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        mine = [k for k in draft.tables["drawing"] if k.partition("/")[0] == self.view]
        for key in mine:
            if not self.refs or key.partition("/")[2] in self.refs:
                draft.remove("drawing", key)
        return "Forget drawn positions"


class Collapse(Command):
    """Shows a group or rack as one block, or opens it again."""

    verb: ClassVar[str] = "collapse"

    ref: str
    view: str = "fabric"
    on: bool = True

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        drawn = replace(_drawn(draft, self.view, self.ref), collapsed=self.on)
        if drawn.pinned or drawn.collapsed:
            draft.put("drawing", drawn)
        else:
            draft.remove("drawing", drawn.id)
        return f"{'Collapse' if self.on else 'Expand'} {self.ref}"


def _drawn(draft: Draft, view: str, ref: str) -> Drawing:
    key = f"{view}/{ref}"
    return draft.tables["drawing"].get(key) or Drawing(id=key)
