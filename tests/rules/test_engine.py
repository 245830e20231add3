"""The rule engine: what it reruns, waivers, order; every module in the list."""

import importlib
import pkgutil
from collections.abc import Iterator

import pytest

import rackbuilder.rules
from rackbuilder.analysis.cabling.lengths import LENGTHS
from rackbuilder.analysis.cabling.media import MEDIA
from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.fabric.compiled import COMPILED
from rackbuilder.analysis.inputs import Inputs
from rackbuilder.commands.cabling import Connect
from rackbuilder.commands.devices import MoveDevice, PlaceDevice, Rename
from rackbuilder.commands.edit import Unwaive, Waive
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design
from rackbuilder.errors import Problem
from rackbuilder.rules import RULES
from rackbuilder.rules.finding import Finding, RuleEngine, Topic, topic
from rackbuilder.topology.graphs import build_graphs
from tests.samples import built, edited


def run(engine: RuleEngine, design: Design) -> tuple[Finding, ...]:
    return engine.run(design, build_graphs(design), {})


def test_only_what_reads_a_changed_table_runs_again() -> None:
    runs: list[str] = []

    def counted(name: str, reads: str) -> Topic:
        def rule(inputs: Inputs) -> Iterator[Finding]:
            runs.append(name)
            yield Finding(Problem(name, severity="note"))

        return topic(name, reads, "", rule)

    engine = RuleEngine((counted("racks", "racks"), counted("devices", "devices parts")))
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-one-u"))
    assert [f.problem.what for f in run(engine, design)] == ["racks", "devices"]
    moved = edited(design, MoveDevice(devices=("dev-01",), rack="rack-01", u=3))
    assert [f.problem.what for f in run(engine, moved)] == ["racks", "devices"]
    run(engine, moved)
    renamed = edited(moved, Rename(ref="rack-01", name="A01"))
    run(engine, renamed)
    assert runs == ["racks", "devices", "devices", "racks"]


def test_a_table_or_result_that_was_not_declared_is_a_bug() -> None:
    def nosy(inputs: Inputs) -> Iterator[Finding]:
        yield Finding(Problem(str(len(inputs.cables))))

    def greedy(inputs: Inputs) -> Iterator[Finding]:
        yield Finding(Problem(str(inputs.result("power"))))

    for rule in (nosy, greedy):
        with pytest.raises(LookupError, match="does not declare it"):
            run(RuleEngine((topic("x", "racks", "", rule),)), built())


def test_a_waived_finding_keeps_its_reason_and_stays() -> None:
    design = built(PlaceDevice(type="t-qm9700", count=2))
    engine = RuleEngine(RULES)
    (before,) = run(engine, design)
    problem = before.problem
    waived = edited(design, Waive(rule=problem.rule, refs=tuple(reversed(problem.refs)), reason="spares"))
    (after,) = run(engine, waived)
    assert (after.problem, after.waived) == (problem, "spares")
    (again,) = run(engine, edited(waived, Unwaive(rule=problem.rule, refs=problem.refs)))
    assert again.waived == ""
    # A waiver is for these two switches: a third one is another finding.
    (more,) = run(engine, edited(waived, PlaceDevice(type="t-qm9700")))
    assert more.waived == ""


def test_errors_come_first() -> None:
    design = built(
        PlaceDevice(type="t-qm9700"),
        PlaceDevice(type="t-roce-switch"),
        PlaceDevice(type="t-sn2201"),
        Connect(a="sw-01", b="sw-02"),
    )
    graphs = build_graphs(design)
    results = Engine((COMPILED, LENGTHS, MEDIA)).run(design, graphs)
    severities = [f.problem.severity for f in RuleEngine(RULES).run(design, graphs, results)]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)
    assert severities[0] == "error"
    assert severities[-1] == "note"


def test_every_topic_of_every_module_is_listed() -> None:
    found = set()
    for module in pkgutil.iter_modules(rackbuilder.rules.__path__):
        names = vars(importlib.import_module(f"rackbuilder.rules.{module.name}"))
        found |= {value.name for value in names.values() if isinstance(value, Topic)}
    assert sorted(found) == sorted(item.name for item in RULES)
    assert len({item.name for item in RULES}) == len(RULES)
