"""Runs analyses in order, and only those whose tables or needed results changed."""

from collections.abc import Iterator, Sequence
from typing import Any

from rackbuilder.analysis.inputs import Analysis, Inputs
from rackbuilder.design.design import Design
from rackbuilder.topology.graphs import Graphs


class Engine:
    """Remembers, for each analysis, the tables and results it last saw and what came of them.

    A result equal to the last keeps the old object, so that what needs it does not run again. Stopping between
    two analyses is safe: each is judged by what it itself last saw.
    """

    def __init__(self, analyses: Sequence[Analysis]) -> None:
        self._analyses = analyses
        self._seen: dict[str, tuple[object, ...]] = {}
        self.results: dict[str, Any] = {}

    def run(self, design: Design, graphs: Graphs) -> dict[str, Any]:
        """All results for a design, in one go."""
        for _ in self.steps(design, graphs):
            pass
        return dict(self.results)

    def steps(self, design: Design, graphs: Graphs) -> Iterator[str]:
        """Runs what is stale, yielding the name of each analysis after it ran: a caller may stop between."""
        for item in self._analyses:
            seen = self._sees(item, design)
            last = self._seen.get(item.name)
            if last is not None and all(a is b for a, b in zip(last, seen, strict=True)):
                continue
            inputs = Inputs(design, graphs, self.results, item.name, item.reads, item.needs)
            result = item.run(inputs)
            if last is None or result != self.results[item.name]:
                self.results[item.name] = result
            self._seen[item.name] = seen
            yield item.name

    def _sees(self, item: Analysis, design: Design) -> tuple[object, ...]:
        tables = (design.tables[name] for name in sorted(item.reads))
        results = (self.results.get(name) for name in sorted(item.needs))
        return (*tables, *results)
