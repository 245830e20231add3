"""Findings: problems of a design, some with the edit that mends them; and the engine that keeps them fresh."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.commands.base import Command
from rackbuilder.design.design import Design
from rackbuilder.errors import Problem, Severity
from rackbuilder.topology.graphs import Graphs

_RANK: Mapping[Severity, int] = {"error": 0, "warning": 1, "note": 2}
NO_REASON = "waived without a reason"


@dataclass(frozen=True)
class Finding:
    """A problem of the design.

    fix       the edit that mends it, where there is one
    waived    the reason it was accepted for; empty: it stands
    waivable  off for what cannot physically be
    """

    problem: Problem
    fix: Command | None = None
    waived: str = ""
    waivable: bool = True


Rule = Callable[[Inputs], Iterator[Finding]]


class Topic(NamedTuple):
    """Rules that read the same tables and results. `graphs` follow from parts, devices, racks, cables, fabrics, faults
    and overrides: a topic that uses them reads those.
    """

    name: str
    reads: frozenset[str]
    needs: frozenset[str]
    rules: tuple[Rule, ...]


GRAPH_TABLES = "parts devices racks cables fabrics faults overrides"


def topic(name: str, reads: str, needs: str, *rules: Rule) -> Topic:
    """A Topic from blank-separated names of tables and results."""
    return Topic(name, frozenset(reads.split()), frozenset(needs.split()), rules)


def finding(
    severity: Severity,
    rule: str,
    what: str,
    where: str = "",
    fix: str = "",
    refs: Sequence[str] = (),
    command: Command | None = None,
) -> Finding:
    return Finding(Problem(what, where, fix, severity, tuple(refs), rule), command)


class RuleEngine:
    """Runs topics, and only those whose tables or needed results changed. Not shared between threads."""

    def __init__(self, topics: Sequence[Topic]) -> None:
        self._topics = topics
        self._seen: dict[str, tuple[object, ...]] = {}
        self._found: dict[str, tuple[Finding, ...]] = {}

    def run(self, design: Design, graphs: Graphs, results: Mapping[str, Any]) -> tuple[Finding, ...]:
        """All findings: errors first, then as the topics are listed. A topic whose results are not there yet is left
        out.
        """
        found: list[Finding] = []
        for item in self._topics:
            if all(name in results for name in item.needs):
                found += self._topic(item, design, graphs, results)
        waived = _with_waivers(found, design)
        return tuple(sorted(waived, key=lambda f: _RANK[f.problem.severity]))

    def _topic(
        self, item: Topic, design: Design, graphs: Graphs, results: Mapping[str, Any]
    ) -> tuple[Finding, ...]:
        seen = (
            *(design.tables[name] for name in sorted(item.reads)),
            *(results[name] for name in sorted(item.needs)),
        )
        last = self._seen.get(item.name)
        if last is None or any(a is not b for a, b in zip(last, seen, strict=True)):
            inputs = Inputs(design, graphs, results, f"rules.{item.name}", item.reads, item.needs)
            self._found[item.name] = tuple(f for rule in item.rules for f in rule(inputs))
            self._seen[item.name] = seen
        return self._found[item.name]


def _with_waivers(findings: Sequence[Finding], design: Design) -> Iterator[Finding]:
    """Findings with the reason of the waiver for the same rule and the same refs, in whatever order."""
    reasons = {
        (w.rule, tuple(sorted(w.refs))): w.reason or NO_REASON for w in design.tables["waivers"].values()
    }
    for item in findings:
        reason = reasons.get((item.problem.rule, tuple(sorted(set(item.problem.refs)))), "")
        yield replace(item, waived=reason) if reason and item.waivable else item
