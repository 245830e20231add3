"""An empty design."""

from typing import ClassVar

from rackbuilder.catalog.load import Catalog
from rackbuilder.design.draft import Draft
from rackbuilder.templates.base import Template


class Blank(Template):
    verb: ClassVar[str] = "blank"
    title: ClassVar[str] = "Blank design"
    about: ClassVar[str] = "Nothing yet: place racks, servers and switches yourself."

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        return self.title

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        return None
