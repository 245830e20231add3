"""A Report: every result of one revision, with the findings as plain Problems."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rackbuilder.analysis import results as r
from rackbuilder.errors import Problem


@dataclass(frozen=True)
class Report:
    """What is known of a design at one revision. A result is None while it has not been computed."""

    revision: int = -1
    results: Mapping[str, Any] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    fixable: frozenset[int] = frozenset()
    """Indexes of problems that have a fix."""
    waived: Mapping[int, str] = field(default_factory=dict)
    """Index of a problem -> the reason it was waived for."""

    def get(self, name: str) -> object:
        return self.results.get(name)

    @property
    def compiled(self) -> r.Compiled | None:
        return self.results.get("compiled")

    @property
    def capacity(self) -> r.Capacity | None:
        return self.results.get("capacity")

    @property
    def boundary(self) -> r.Boundary | None:
        return self.results.get("boundary")

    @property
    def power(self) -> r.Power | None:
        return self.results.get("power")

    @property
    def cooling(self) -> r.Cooling | None:
        return self.results.get("cooling")

    @property
    def bom(self) -> r.Bom | None:
        return self.results.get("bom")

    @property
    def placement(self) -> r.Placement | None:
        return self.results.get("placement")

    @property
    def step(self) -> r.Step | None:
        return self.results.get("step")

    @property
    def loads(self) -> r.Loads | None:
        return self.results.get("loads")

    @property
    def bottleneck(self) -> r.Bottleneck | None:
        return self.results.get("bottleneck")
