"""Random edits of a small design: what is derived equals what is built afresh, and undoing all gives the same bytes."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from rackbuilder.catalog.ports import ports_of
from rackbuilder.commands.base import Command
from rackbuilder.commands.bundles import PATTERNS, Pattern
from rackbuilder.commands.cabling import Connect, ConnectBundle, Disconnect, Reconnect
from rackbuilder.commands.clipboard import Paste, copy
from rackbuilder.commands.devices import (
    ChangeType,
    DeleteItems,
    DuplicateDevices,
    MoveDevice,
    PlaceDevice,
    Rename,
    SetProperty,
    UnplaceDevice,
)
from rackbuilder.commands.groups import Group
from rackbuilder.commands.marks import AddFault
from rackbuilder.commands.racks import AddRack, PlaceRackSystem
from rackbuilder.design.design import Design
from rackbuilder.design.indexes import Indexes, reindexed
from rackbuilder.design.integrity import misfits
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import TABLE_NAMES, About
from rackbuilder.errors import ProblemError
from rackbuilder.formats.native.read import read_design
from rackbuilder.formats.native.write import write_design
from rackbuilder.topology.graphs import Graphs, build_graphs
from tests.samples import plan

MOST_DEVICES = 30
DEVICES = (
    "t-server",
    "t-pcie-server",
    "t-qm9700",
    "t-small-switch",
    "t-roce-switch",
    "t-sn2201",
    "t-storage",
    "t-half-u",
    "t-half-wide",
    "t-pdu",
)
picks = st.integers(0, 10_000)
several = st.lists(picks, min_size=1, max_size=4)


def content(design: Design) -> bytes:
    """The file without its header: undo leaves the number marks as they are."""
    return write_design(design.with_about(About()))


def rebuilt(design: Design) -> Indexes:
    rows = (Change(t, i, None, r) for t in TABLE_NAMES for i, r in design.tables[t].items())
    return reindexed(Indexes(), rows)


def same_graphs(one: Graphs, two: Graphs) -> bool:
    fabrics = one.fabrics.keys() == two.fabrics.keys() and all(
        one.fabrics[f].same(two.fabrics[f]) for f in one.fabrics
    )
    return (
        fabrics
        and dict(one.loose) == dict(two.loose)
        and one.domains == two.domains
        and one.backplanes == two.backplanes
    )


class Editing(RuleBasedStateMachine):
    """An open document in small: a design, its graphs, and the patches done and undone."""

    def __init__(self) -> None:
        super().__init__()
        self.design = Design()
        self.graphs = build_graphs(self.design)
        self.done: list[Patch] = []
        self.undone: list[Patch] = []
        self.refused = 0
        self.checked = (self.design, content(self.design))

    # ---- what the rules draw from

    def pick(self, table: str, number: int) -> str:
        rows = sorted(self.design.tables[table])
        return rows[number % len(rows)]

    def some(self, table: str, numbers: list[int]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.pick(table, n) for n in numbers))

    def port(self, device: str, number: int) -> str:
        names = sorted(ports_of(self.design.type_of(self.design.devices[device])))
        return f"{device}:{names[number % len(names)]}" if names else device

    def do(self, command: Command) -> None:
        """As a document does: refused edits leave no trace."""
        try:
            patch, after = plan(self.design, command)
        except ProblemError:
            self.refused += 1
            return
        if not patch.empty:
            self.take(patch, after)
            self.done.append(patch)
            self.undone.clear()

    def take(self, patch: Patch, after: Design) -> None:
        self.graphs = self.graphs.apply(patch, after)
        self.design = after

    def has(self, table: str, count: int = 1) -> bool:
        return len(self.design.tables[table]) >= count

    # ---- edits

    @rule(kind=st.sampled_from(("t-rack-42", "t-rack-1")))
    def add_rack(self, kind: str) -> None:
        if len(self.design.racks) < 6:
            self.do(AddRack(type=kind))

    @precondition(lambda self: len(self.design.devices) <= MOST_DEVICES - 3)
    @rule()
    def place_system(self) -> None:
        if len(self.design.racks) < 6:
            self.do(PlaceRackSystem(type="t-mini"))

    @precondition(lambda self: len(self.design.devices) <= MOST_DEVICES - 3)
    @rule(kind=st.sampled_from(DEVICES), count=st.integers(1, 3), rack=picks, placed=st.booleans())
    def place(self, kind: str, count: int, rack: int, placed: bool) -> None:
        where = self.pick("racks", rack) if placed and self.has("racks") else ""
        self.do(PlaceDevice(type=kind, count=count, rack=where))

    @precondition(lambda self: self.has("devices") and self.has("racks"))
    @rule(devices=several, rack=picks, u=st.integers(-1, 90))
    def move(self, devices: list[int], rack: int, u: int) -> None:
        self.do(MoveDevice(devices=self.some("devices", devices), rack=self.pick("racks", rack), u=u / 2))

    @precondition(lambda self: self.has("devices"))
    @rule(devices=several)
    def unplace(self, devices: list[int]) -> None:
        self.do(UnplaceDevice(devices=self.some("devices", devices)))

    @precondition(lambda self: self.has("devices", 2))
    @rule(a=picks, b=picks, ports=st.tuples(picks, picks))
    def connect(self, a: int, b: int, ports: tuple[int, int]) -> None:
        ends = [self.port(self.pick("devices", d), p) for d, p in zip((a, b), ports, strict=True)]
        self.do(Connect(a=ends[0], b=ends[1]))

    @precondition(lambda self: self.has("devices", 2))
    @rule(a=several, b=several, pattern=st.sampled_from(PATTERNS), per_pair=st.integers(0, 2))
    def bundle(self, a: list[int], b: list[int], pattern: Pattern, per_pair: int) -> None:
        bundle = ConnectBundle(
            sources=self.some("devices", a),
            targets=self.some("devices", b),
            pattern=pattern,
            per_pair=per_pair,
        )
        fits = bundle.proposal(self.design).fits
        self.do(bundle.model_copy(update={"count": min(fits, 40)}) if fits else bundle)

    @precondition(lambda self: self.has("cables"))
    @rule(cables=several)
    def disconnect(self, cables: list[int]) -> None:
        self.do(Disconnect(refs=self.some("cables", cables)))

    @precondition(lambda self: self.has("cables"))
    @rule(cable=picks, device=picks, port=picks)
    def reconnect(self, cable: int, device: int, port: int) -> None:
        end = self.port(self.pick("devices", device), port)
        self.do(Reconnect(cable=self.pick("cables", cable), b=end))

    @precondition(lambda self: self.has("devices", 8))
    @rule(devices=several)
    def delete_devices(self, devices: list[int]) -> None:
        self.do(DeleteItems(refs=self.some("devices", devices)))

    @rule(table=st.sampled_from(("racks", "fabrics", "groups", "faults")), number=picks, keep=st.booleans())
    def delete_other(self, table: str, number: int, keep: bool) -> None:
        if self.has(table):
            self.do(DeleteItems(refs=(f"{table}/{self.pick(table, number)}",), keep_devices=keep))

    @precondition(lambda self: 0 < len(self.design.devices) <= MOST_DEVICES - 4)
    @rule(devices=several)
    def duplicate(self, devices: list[int]) -> None:
        chosen = self.some("devices", devices)
        if len(self.design.devices) + len(chosen) <= MOST_DEVICES:
            self.do(DuplicateDevices(devices=chosen))

    @precondition(lambda self: 0 < len(self.design.devices) <= MOST_DEVICES - 4)
    @rule(devices=several, rack=picks)
    def copy_and_paste(self, devices: list[int], rack: int) -> None:
        clip = copy(self.design, self.some("devices", devices))
        if len(self.design.devices) + clip.size <= MOST_DEVICES:
            self.do(Paste(clip=clip, rack=self.pick("racks", rack) if self.has("racks") and rack % 2 else ""))

    @precondition(lambda self: self.has("devices"))
    @rule(device=picks, name=st.text(max_size=8))
    def rename(self, device: int, name: str) -> None:
        self.do(Rename(ref=self.pick("devices", device), name=name))

    @precondition(lambda self: self.has("devices"))
    @rule(device=picks, face=st.sampled_from(("front", "rear")))
    def turn(self, device: int, face: str) -> None:
        self.do(SetProperty(ref=self.pick("devices", device), field="face", value=face))

    @precondition(lambda self: self.has("devices"))
    @rule(device=picks, cage=st.sampled_from(("osfp1", "osfp2")), ways=st.integers(1, 2))
    def split(self, device: int, cage: str, ways: int) -> None:
        self.do(SetProperty(ref=self.pick("devices", device), field=f"modes.{cage}", value=ways))

    @precondition(lambda self: self.has("devices"))
    @rule(devices=several, kind=st.sampled_from(DEVICES), drop=st.booleans())
    def change_type(self, devices: list[int], kind: str, drop: bool) -> None:
        self.do(ChangeType(devices=self.some("devices", devices), type=kind, drop_cables=drop))

    @precondition(lambda self: self.has("devices"))
    @rule(devices=several)
    def group(self, devices: list[int]) -> None:
        if len(self.design.groups) < 4:
            self.do(Group(refs=self.some("devices", devices)))

    @rule(table=st.sampled_from(("devices", "cables")), number=picks)
    def fail(self, table: str, number: int) -> None:
        if self.has(table):
            self.do(AddFault(ref=self.pick(table, number)))

    # ---- undo and redo

    @precondition(lambda self: self.done)
    @rule(count=st.integers(1, 5))
    def undo(self, count: int) -> None:
        for _ in range(min(count, len(self.done))):
            patch = self.done.pop()
            self.undone.append(patch)
            self.take(patch.inverted(), self.design.apply(patch.inverted()))

    @precondition(lambda self: self.undone)
    @rule(count=st.integers(1, 5))
    def redo(self, count: int) -> None:
        for _ in range(min(count, len(self.undone))):
            patch = self.undone.pop()
            self.done.append(patch)
            self.take(patch, self.design.apply(patch))

    # ---- what must always hold

    @invariant()
    def derived_equals_rebuilt(self) -> None:
        assert self.design.indexes == rebuilt(self.design)
        assert same_graphs(self.graphs, build_graphs(self.design))

    @invariant()
    def nothing_misfits(self) -> None:
        """No edit of these may bring in a misfit, so there is none at all."""
        assert list(misfits(self.design)) == []

    @invariant()
    def the_value_before_is_as_it_was(self) -> None:
        before, bytes_before = self.checked
        assert content(before) == bytes_before
        self.checked = (self.design, content(self.design))

    @invariant()
    def a_saved_file_gives_the_same_design(self) -> None:
        loaded = read_design(write_design(self.design), "test")
        assert loaded.problems == ()
        assert loaded.design.same(self.design)
        assert loaded.design.about == self.design.about

    def teardown(self) -> None:
        """Undoing all gives the bytes of the blank design; doing all again gives those of the last."""
        last = content(self.design)
        design = self.design
        for patch in reversed(self.done):
            design = design.apply(patch.inverted())
        assert content(design) == content(Design())
        for patch in self.done:
            design = design.apply(patch)
        assert content(design) == last


def run(steps: int, examples: int) -> None:
    run_state_machine_as_test(
        Editing,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


@pytest.mark.slow
def test_twenty_runs_of_fifty_edits() -> None:
    run(50, 20)


@pytest.mark.slow
def test_one_run_of_a_thousand_edits() -> None:
    run(1000, 1)
