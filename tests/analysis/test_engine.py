"""The engine: only what is stale runs again, what it gives is what a fresh one gives, nothing undeclared is read."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rackbuilder.analysis import ANALYSES
from rackbuilder.analysis import engine as module
from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.inputs import Analysis, Inputs, analysis
from rackbuilder.analysis.workload import workload_analyses
from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import Connect, ConnectBundle, Disconnect
from rackbuilder.commands.devices import ChangeType, DeleteItems, MoveDevice, PlaceDevice, Rename, SetProperty
from rackbuilder.commands.drawing import Pin
from rackbuilder.commands.edit import AddNote
from rackbuilder.commands.jobs import SetJob, SwapMapping
from rackbuilder.commands.marks import AddFault, RemoveFault, SetOverride
from rackbuilder.commands.racks import AddRack, PlaceRackSystem, RackLimits
from rackbuilder.design.design import Design
from rackbuilder.design.indexes import Indexes
from rackbuilder.design.records import TABLE_NAMES, About
from rackbuilder.errors import ProblemError
from rackbuilder.rules import RULES
from rackbuilder.rules import finding as rule_engine
from rackbuilder.rules.finding import GRAPH_TABLES, RuleEngine
from rackbuilder.session.session import Session
from rackbuilder.topology.graphs import Graphs, build_graphs

ALL = (*ANALYSES, *workload_analyses(shipped_workloads()))


def small() -> Session:
    """Two servers on two leaves and a spine, in two racks; a job on all of it."""
    session = Session(shipped())
    for edit in (
        AddRack(type="52u-700x1200", count=2, name="A##", x_m=0, y_m=0),
        PlaceDevice(type="dgx-h100", rack="A01", count=2),
        PlaceDevice(type="qm9700", rack="A02", count=2, role="leaf"),
        PlaceDevice(type="qm9700", rack="A02", role="spine"),
        ConnectBundle(sources=("srv-0001", "srv-0002"), targets=("leaf-01", "leaf-02"), role="compute"),
        ConnectBundle(sources=("leaf-01", "leaf-02"), targets=("spine-01",), count=4),
        SetJob(workload="llama-3.1-405b", sizes={"tp": 8, "pp": 2}),
    ):
        session.do(edit)
    return session


# ---- on analyses made up here


class Counting:
    """Three analyses in a chain, and how often each ran."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.parity = analysis("parity", "notes", "", self._parity)
        self.words = analysis("words", "", "parity", self._words)
        self.racks = analysis("racks", "racks", "", self._racks)
        self.engine = Engine([self.parity, self.words, self.racks])

    def _parity(self, inputs: Inputs) -> tuple[str, bool]:
        self.ran.append("parity")
        return "notes", len(inputs.tables["notes"]) % 2 == 0

    def _words(self, inputs: Inputs) -> str:
        self.ran.append("words")
        return "even" if inputs.result("parity")[1] else "odd"

    def _racks(self, inputs: Inputs) -> int:
        self.ran.append("racks")
        return len(inputs.racks)

    def after(self, design: Design) -> list[str]:
        self.ran.clear()
        self.engine.run(design, build_graphs(design))
        return self.ran


def noted(design: Design, count: int) -> Design:
    for _ in range(count):
        design = design.apply(AddNote(text="x").plan(design, shipped()))
    return design


def test_only_what_reads_a_changed_table_runs_again() -> None:
    made, design = Counting(), Design()
    assert made.after(design) == ["parity", "words", "racks"]
    assert made.after(design) == []
    one = noted(design, 1)
    assert made.after(one) == ["parity", "words"]
    racked = one.apply(AddRack(type="52u-700x1200").plan(one, shipped()))
    assert made.after(racked) == ["racks"]


def test_a_result_equal_to_the_last_stops_the_wave() -> None:
    made, design = Counting(), Design()
    made.after(design)
    first = made.engine.results["parity"]
    assert made.after(noted(design, 2)) == ["parity"]
    assert made.engine.results["parity"] is first


def test_stopping_between_two_analyses_loses_nothing() -> None:
    made = Counting()
    design = noted(Design(), 1)
    steps = made.engine.steps(design, build_graphs(design))
    assert next(steps) == "parity"
    steps.close()  # a newer edit came
    assert made.after(design) == ["words", "racks"]
    assert made.engine.results["words"] == "odd"


def test_an_analysis_that_fails_is_tried_again_and_those_before_it_stand() -> None:
    made = Counting()
    broken = True

    def fails(inputs: Inputs) -> int:
        if broken:
            raise RuntimeError("a bug")
        return 1

    engine = Engine([made.parity, analysis("broken", "notes", "parity", fails), made.racks])
    for _ in range(2):
        with pytest.raises(RuntimeError):
            engine.run(Design(), build_graphs(Design()))
    broken = False
    assert engine.run(Design(), build_graphs(Design()))["broken"] == 1
    assert made.ran == ["parity", "racks"]


def run_one(item: Analysis, design: Design) -> Any:
    return Engine([item]).run(design, build_graphs(design))[item.name]


def test_an_undeclared_table_or_result_is_a_fault() -> None:
    with pytest.raises(LookupError, match="sly reads the table racks but does not declare it"):
        run_one(analysis("sly", "notes", "", lambda inputs: len(inputs.racks)), Design())
    with pytest.raises(LookupError, match="sly uses the result parity but does not declare it"):
        run_one(analysis("sly", "notes", "", lambda inputs: inputs.result("parity")), Design())
    assert run_one(analysis("fair", "notes racks", "", lambda inputs: sorted(inputs.tables)), Design()) == [
        "notes",
        "racks",
    ]


# ---- on those there are


def test_every_analysis_and_topic_declares_tables_that_there_are() -> None:
    for item in (*ALL, *RULES):
        assert item.reads <= set(TABLE_NAMES), item.name


EDITS: tuple[Command, ...] = (
    Rename(ref="srv-0001", name="a"),
    Rename(ref="rack-01", name="B01"),
    MoveDevice(devices=("srv-0002",), u=30),
    MoveDevice(devices=("spine-01",), rack="A01"),
    PlaceDevice(type="dgx-h100", rack="A02"),
    PlaceDevice(type="sn2201"),
    PlaceRackSystem(type="gb200-nvl72"),
    DeleteItems(refs=("leaf-02",)),
    DeleteItems(refs=("rack-01",)),
    DeleteItems(refs=("cbl-0003",)),
    DeleteItems(refs=("nvsw-01",)),
    Disconnect(refs=("srv-0002",)),
    Connect(a="srv-0001:osfp1/1", b="leaf-02:osfp9/1"),
    Connect(a="srv-0002:osfp2/1", b="leaf-01:osfp20/2", part="mfp7e10-nxxx", length_m=30),
    ConnectBundle(sources=("leaf-01",), targets=("leaf-02",), count=2),
    ChangeType(devices=("srv-0001",), type="dgx-b200"),
    ChangeType(devices=("leaf-01",), type="qm9790"),
    SetProperty(ref="compute", field="rate_cap_bps", value="200 Gb/s"),
    SetProperty(ref="cbl-0001", field="state", value="spare"),
    SetProperty(ref="leaf-01", field="role", value="spine"),
    SetProperty(ref="srv-0001", field="config.driver", value="550"),
    SetOverride(key="part/dgx-h100/power_max_w", value=9000, reason="measured"),
    AddFault(ref="cbl-0002"),
    AddFault(ref="leaf-01"),
    RemoveFault(fault="cbl-0002"),
    RackLimits(racks=("rack-01",), power_limit_w=15_000),
    SetJob(workload="gpt-3-175b", sizes={"tp": 8}),
    SetJob(id="job-01", workload="llama-3.1-405b", sizes={"tp": 4, "pp": 4}),
    SwapMapping(job="job-01", sizes={"tp": 2, "pp": 8}),
    AddNote(text="x"),
    Pin(places={"srv-0001": (1, 2)}),
)


def fresh(design: Design) -> tuple[dict[str, Any], Any]:
    graphs = build_graphs(design)
    results = Engine(ALL).run(design, graphs)
    return results, RuleEngine(RULES).run(design, graphs, results)


@settings(max_examples=15)
@given(st.lists(st.sampled_from((*EDITS, "undo", "redo")), min_size=4, max_size=12))
def test_what_is_remembered_is_what_a_fresh_run_gives(edits: list[Command | str]) -> None:
    """After each edit of any run of them, results and findings of the engine that saw them all equal those of one that
    sees the last design only.
    """
    session, kept, rules = small(), Engine(ALL), RuleEngine(RULES)
    for edit in edits:
        if isinstance(edit, str):
            getattr(session, edit)()
        else:
            try:
                session.do(edit)
            except ProblemError:
                continue
        results = kept.run(session.design, session.graphs)
        findings = rules.run(session.design, session.graphs, results)
        wanted, told = fresh(session.design)
        for name in wanted:
            assert results[name] == wanted[name], (name, edit)
        assert findings == told, edit


class Seen:
    """Graphs that note which of their parts are looked at."""

    def __init__(self, graphs: Graphs, note: Callable[[str], None]) -> None:
        self._graphs, self._note = graphs, note

    def __getattr__(self, name: str) -> Any:
        self._note(name)
        return getattr(self._graphs, name)


class Watched(Inputs):
    """Inputs that note what is looked at beside the tables."""

    used: ClassVar[set[tuple[str, str]]] = set()

    @property
    def graphs(self) -> Any:
        return Seen(super().graphs, lambda name: self.used.add((self._user, name)))

    @property
    def indexes(self) -> Indexes:
        self.used.add((self._user, "indexes"))
        return super().indexes

    @property
    def about(self) -> About:
        self.used.add((self._user, "about"))
        return super().about


FOLLOW = {
    "memo": "",
    "figures": "parts overrides",
    "indexes": "",
}
"""What these follow from, everything else from `GRAPH_TABLES`. Who looks into an index reads the records it names from
their table anyway."""


def declared() -> dict[str, frozenset[str]]:
    found = {item.name: item.reads for item in ALL}
    return found | {f"rules.{item.name}": item.reads for item in RULES}


def test_who_uses_the_graphs_declares_the_tables_they_follow_from(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or its result would go stale unnoticed. The title of a design is in no table: nothing may rest on it."""
    monkeypatch.setattr(module, "Inputs", Watched)
    monkeypatch.setattr(rule_engine, "Inputs", Watched)
    Watched.used.clear()
    session = small()
    session.do(PlaceRackSystem(type="gb200-nvl72"))
    session.do(AddFault(ref="cbl-0002"))
    fresh(session.design)
    assert {what for _, what in Watched.used} > {*FOLLOW, "fabrics", "domains", "backplanes"}
    for user, what in sorted(Watched.used):
        missing = set(FOLLOW.get(what, GRAPH_TABLES).split()) - declared()[user]
        assert not missing, f"{user} uses {what} and does not declare {sorted(missing)}"
