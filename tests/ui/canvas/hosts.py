"""A plain document for tests of the canvas: the session's own calls, and nothing of the window."""

from collections.abc import Callable
from typing import TypeVar

from rackbuilder.analysis.report import Report
from rackbuilder.catalog.load import Catalog, shipped
from rackbuilder.commands.base import Command
from rackbuilder.design.design import Design
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.session.session import Event, Preview, Session
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.selection import Selection
from rackbuilder.ui.views.base import View
from rackbuilder.ui.views.page import CanvasPage

Page = TypeVar("Page", bound=CanvasPage)


class PlainHost:
    """Holds a session; views that are `watched` follow it as in the window."""

    def __init__(self, design: Design) -> None:
        self.session = Session(shipped(), design)
        self.selection = Selection()
        self.report = Report()
        self.refused: list[Problem] = []
        self.previews = 0
        self.views: list[View] = []
        self.session.changed.append(self._told)

    def _told(self, event: Event) -> None:
        for view in self.views:
            view.apply_patch(event.patch)

    @property
    def design(self) -> Design:
        return self.session.design

    @property
    def graphs(self) -> Graphs:
        return self.session.graphs

    @property
    def catalog(self) -> Catalog:
        return self.session.catalog

    def do(self, command: Command, gesture: str = "") -> bool:
        try:
            self.session.do(command, gesture)
        except ProblemError as error:
            self.refused += error.problems
            return False
        return True

    def preview(self, command: Command) -> Preview:
        self.previews += 1
        return self.session.preview(command)

    def end_preview(self) -> None:
        """Nothing runs beside a plain host."""


Opener = Callable[[type[Page], Design], tuple[Page, PlainHost]]
