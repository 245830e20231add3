"""Results and findings of a design, remembered between edits: what the worker runs, and the CLI inline."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rackbuilder.analysis import ANALYSES
from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.report import Report
from rackbuilder.analysis.workload import workload_analyses
from rackbuilder.catalog.workloads import Workloads
from rackbuilder.commands.base import Command
from rackbuilder.design.design import Design
from rackbuilder.rules import RULES
from rackbuilder.rules.finding import Finding, RuleEngine
from rackbuilder.topology.graphs import Graphs


@dataclass(frozen=True)
class Outcome:
    """A report, and the findings with the commands that fix them, index for index."""

    report: Report = field(default_factory=Report)
    findings: tuple[Finding, ...] = ()

    def fix(self, index: int) -> Command | None:
        return self.findings[index].fix


class Analyst:
    """Keeps one engine; not shared between threads."""

    def __init__(self, workloads: Workloads) -> None:
        self._engine = Engine((*ANALYSES, *workload_analyses(workloads)))
        self._rules = RuleEngine(RULES)

    def run(self, design: Design, graphs: Graphs, revision: int) -> Outcome:
        """Everything at once."""
        for _ in self.steps(design, graphs):
            pass
        return self.outcome(design, graphs, revision)

    def steps(self, design: Design, graphs: Graphs) -> Iterator[str]:
        """Stale analyses one by one, so that a newer edit may come between."""
        return self._engine.steps(design, graphs)

    def outcome(self, design: Design, graphs: Graphs, revision: int) -> Outcome:
        """The report of the last complete run, with the findings on it."""
        results: Mapping[str, Any] = dict(self._engine.results)
        findings = self._rules.run(design, graphs, results)
        return Outcome(_report(revision, results, findings), findings)


def _report(revision: int, results: Mapping[str, Any], findings: tuple[Finding, ...]) -> Report:
    return Report(
        revision,
        results,
        tuple(f.problem for f in findings),
        frozenset(i for i, f in enumerate(findings) if f.fix is not None),
        {i: f.waived for i, f in enumerate(findings) if f.waived},
    )
