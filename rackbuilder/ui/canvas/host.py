"""What the canvas may use of the open document: a small face, so that tests can pass a plain object."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from rackbuilder.analysis.report import Report
from rackbuilder.catalog.load import Catalog
from rackbuilder.commands.base import Command
from rackbuilder.design.design import Design
from rackbuilder.errors import Problem
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.selection import Selection


class PreviewLike(Protocol):
    """What a command would do: the next design, or why it is refused."""

    @property
    def design(self) -> Design | None: ...
    @property
    def graphs(self) -> Graphs | None: ...
    @property
    def problems(self) -> tuple[Problem, ...]: ...


class CanvasHost(Protocol):
    """The document as gestures see it. `do` says whether the edit was made; a refusal is shown by the window."""

    @property
    def selection(self) -> Selection: ...
    @property
    def design(self) -> Design: ...
    @property
    def graphs(self) -> Graphs: ...
    @property
    def catalog(self) -> Catalog: ...
    @property
    def report(self) -> Report: ...
    def do(self, command: Command, gesture: str = "") -> bool: ...
    def preview(self, command: Command) -> PreviewLike: ...
    def end_preview(self) -> None: ...


@dataclass(frozen=True)
class Refusal:
    """Why a gesture cannot end here, and the nearest place where it could."""

    what: str
    lines: tuple[str, ...] = ()


def refusal_from(problems: Sequence[Problem]) -> Refusal:
    """The first problem as a plate: what fails, then how to fix it."""
    first = problems[0]
    more = (f"and {len(problems) - 1} more",) if len(problems) > 1 else ()
    return Refusal(first.what, (*((first.fix,) if first.fix else ()), *more))
