"""Random edits of a small design: what is derived equals what is built afresh, and undoing all gives the same bytes."""

from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, note, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from pydantic import JsonValue

from rackbuilder.catalog.ports import ports_of
from rackbuilder.commands.base import Command
from rackbuilder.commands.bundles import PATTERNS
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

T = TypeVar("T")
MOST_DEVICES = 30
START = (
    AddRack(type="t-rack-42", count=2),
    PlaceRackSystem(type="t-mini"),
    PlaceDevice(type="t-server", rack="rack-01", count=2),
    PlaceDevice(type="t-qm9700", rack="rack-02", count=2, role="leaf"),
    PlaceDevice(type="t-small-switch", role="spine"),
    ConnectBundle(sources=("srv-0001", "srv-0002", "tray-01"), targets=("leaf-01", "leaf-02")),
)
SETTINGS: tuple[tuple[str, tuple[JsonValue, ...]], ...] = (
    ("face", ("front", "rear")),
    ("modes.osfp1", (1, 2)),
    ("state", ("planned", "existing", "spare")),
    ("role", ("", "leaf", "spine")),
    ("fabric", ("", "compute", "out-of-band")),
    ("config.driver", ("550", "")),
)
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
seeds = st.integers(0, 2**16 - 1)
"""What a rule draws: one number for all its choices, or a run of a thousand steps would need more than is given."""


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


class Draw:
    """The choices of one rule, all from its number."""

    def __init__(self, design: Design, seed: int) -> None:
        self.design, self._random = design, Random(seed)

    def of(self, choices: Sequence[T]) -> T:
        return choices[self._random.randrange(len(choices))]

    def maybe(self) -> bool:
        return self._random.random() < 0.5

    def one(self, table: str) -> str:
        return self.of(sorted(self.design.tables[table]))

    def some(self, table: str, most: int = 4) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.one(table) for _ in range(self._random.randint(1, most))))

    def between(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def port(self) -> str:
        """Any port of any device; mostly one that is there."""
        device = self.one("devices")
        names = sorted(ports_of(self.design.type_of(self.design.devices[device])))
        return f"{device}:{self.of(names)}" if names else device


def has(table: str, count: int = 1) -> Callable[["Editing"], bool]:
    return lambda machine: len(machine.design.tables[table]) >= count


def room_for(count: int) -> Callable[["Editing"], bool]:
    return lambda machine: 0 < len(machine.design.devices) <= MOST_DEVICES - count


class Editing(RuleBasedStateMachine):
    """An open document in small: a design, its graphs, and the patches done and undone."""

    def __init__(self) -> None:
        super().__init__()
        self.design = Design()
        self.graphs = build_graphs(self.design)
        self.done: list[Patch] = []
        self.undone: list[Patch] = []
        self.tried: Counter[str] = Counter()
        self.made: Counter[str] = Counter()
        self.checked = (self.design, content(self.design))

    def do(self, command: Command) -> None:
        """As a document does: refused edits leave no trace."""
        self.tried[command.verb] += 1
        try:
            patch, after = plan(self.design, command)
        except ProblemError:
            return
        if not patch.empty:
            self.made[command.verb] += 1
            self.take(patch, after)
            self.done.append(patch)
            self.undone.clear()

    def take(self, patch: Patch, after: Design) -> None:
        self.graphs = self.graphs.apply(patch, after)
        self.design = after

    # ---- edits

    @rule(seed=seeds)
    def edit(self, seed: int) -> None:
        """One rule for all: a machine of many leaves most of them out of a run, and long runs then stand still."""
        draw = Draw(self.design, seed)
        kind = draw.of([kind for kind, needs in EDITS if needs(self)])
        note(f"{kind} {seed}")
        getattr(self, kind)(draw)

    @initialize()
    def begin(self) -> None:
        """Something of everything, so that every edit has something to be made on."""
        for command in START:
            self.do(command)

    def add_rack(self, draw: Draw) -> None:
        self.do(AddRack(type=draw.of(("t-rack-42", "t-rack-1"))))

    def place_system(self, draw: Draw) -> None:
        self.do(PlaceRackSystem(type="t-mini"))

    def place(self, draw: Draw) -> None:
        rack = draw.one("racks") if self.design.racks and draw.maybe() else ""
        self.do(PlaceDevice(type=draw.of(DEVICES), count=draw.between(1, 3), rack=rack))

    def move(self, draw: Draw) -> None:
        u = draw.between(-1, 84) / 2 if draw.maybe() else None
        self.do(MoveDevice(devices=draw.some("devices"), rack=draw.one("racks"), u=u))

    def step_up_or_down(self, draw: Draw) -> None:
        self.do(MoveDevice(devices=draw.some("devices", 2), by=draw.of((-1.0, -0.5, 0.5, 1.0, 8.0))))

    def unplace(self, draw: Draw) -> None:
        self.do(UnplaceDevice(devices=draw.some("devices", 2)))

    def connect(self, draw: Draw) -> None:
        ends = [draw.port(), draw.port()] if draw.maybe() else [draw.one("devices"), draw.one("devices")]
        self.do(Connect(a=ends[0], b=ends[1]))

    def bundle(self, draw: Draw) -> None:
        bundle = ConnectBundle(
            sources=draw.some("devices"),
            targets=draw.some("devices"),
            pattern=draw.of(PATTERNS),
            per_pair=draw.between(0, 2),
        )
        fits = bundle.proposal(self.design).fits
        self.do(bundle.model_copy(update={"count": min(fits, 30)}) if fits else bundle)

    def disconnect(self, draw: Draw) -> None:
        self.do(Disconnect(refs=draw.some("cables")))

    def reconnect(self, draw: Draw) -> None:
        self.do(Reconnect(cable=draw.one("cables"), b=draw.port()))

    def delete_devices(self, draw: Draw) -> None:
        self.do(DeleteItems(refs=draw.some("devices", 3)))

    def delete_other(self, draw: Draw) -> None:
        table = draw.of(("racks", "fabrics", "groups", "faults"))
        if self.design.tables[table]:
            self.do(DeleteItems(refs=(f"{table}/{draw.one(table)}",), keep_devices=draw.maybe()))

    def duplicate(self, draw: Draw) -> None:
        chosen = draw.some("devices")
        if len(self.design.devices) + copy(self.design, chosen).size <= MOST_DEVICES:
            self.do(DuplicateDevices(devices=chosen))

    def copy_and_paste(self, draw: Draw) -> None:
        clip = copy(self.design, draw.some("devices"))
        if len(self.design.devices) + clip.size <= MOST_DEVICES:
            rack = draw.one("racks") if self.design.racks and draw.maybe() else ""
            self.do(Paste(clip=clip, rack=rack))

    def rename(self, draw: Draw) -> None:
        self.do(
            Rename(ref=draw.one("devices"), name=draw.of(("Σ 01", "机柜", "", "a\nb", "leaf-01", "x" * 500)))
        )

    def set_something(self, draw: Draw) -> None:
        field, values = draw.of(SETTINGS)
        self.do(SetProperty(refs=draw.some("devices", 2), field=field, value=draw.of(values)))

    def change_type(self, draw: Draw) -> None:
        kind, drop = draw.of(DEVICES), draw.maybe()
        self.do(ChangeType(devices=draw.some("devices", 2), type=kind, drop_cables=drop))

    def group(self, draw: Draw) -> None:
        self.do(Group(refs=draw.some("devices")))

    def fail(self, draw: Draw) -> None:
        table = draw.of(("devices", "cables"))
        if self.design.tables[table]:
            self.do(AddFault(ref=draw.one(table)))

    # ---- undo and redo

    def undo(self, draw: Draw) -> None:
        for _ in range(min(draw.between(1, 4), len(self.done))):
            self.undo_one()
        self.made["undo"] += 1

    def undo_one(self) -> None:
        patch = self.done.pop()
        self.undone.append(patch)
        self.take(patch.inverted(), self.design.apply(patch.inverted()))

    def redo(self, draw: Draw) -> None:
        for _ in range(min(draw.between(1, 4), len(self.undone))):
            self.redo_one()
        self.made["redo"] += 1

    def redo_one(self) -> None:
        patch = self.undone.pop()
        self.done.append(patch)
        self.take(patch, self.design.apply(patch))

    def back_and_forth(self, draw: Draw) -> None:
        before, count = content(self.design), min(draw.between(1, 20), len(self.done))
        undone = self.undone
        self.undone = []
        for _ in range(count):
            self.undo_one()
        for _ in range(count):
            self.redo_one()
        self.undone = undone
        assert content(self.design) == before
        self.made["back and forth"] += 1

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


def always(machine: Editing) -> bool:
    return True


EDITS: tuple[tuple[str, Callable[[Editing], bool]], ...] = (
    ("add_rack", lambda m: len(m.design.racks) < 6),
    ("place_system", lambda m: len(m.design.racks) < 6 and len(m.design.devices) <= MOST_DEVICES - 3),
    ("place", lambda m: len(m.design.devices) <= MOST_DEVICES - 3),
    ("move", lambda m: bool(m.design.devices and m.design.racks)),
    ("step_up_or_down", has("devices")),
    ("unplace", has("devices")),
    ("connect", has("devices", 2)),
    ("bundle", has("devices", 2)),
    ("disconnect", has("cables")),
    ("reconnect", has("cables")),
    ("delete_devices", has("devices", 14)),
    ("delete_other", always),
    ("duplicate", room_for(4)),
    ("copy_and_paste", room_for(4)),
    ("rename", has("devices")),
    ("set_something", has("devices")),
    ("change_type", has("devices")),
    ("group", lambda m: bool(m.design.devices) and len(m.design.groups) < 4),
    ("fail", has("devices")),
    ("undo", lambda m: bool(m.done)),
    ("redo", lambda m: bool(m.undone)),
    ("back_and_forth", lambda m: bool(m.done)),
)
"""Every kind of edit, with what it needs to be there."""


def run(steps: int, examples: int) -> list[Editing]:
    """Runs the machine; every machine that was made, to see what was done."""
    machines: list[Editing] = []

    class Kept(Editing):
        def __init__(self) -> None:
            super().__init__()
            machines.append(self)

    run_state_machine_as_test(
        Kept,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
    return machines


@pytest.mark.slow
def test_twenty_runs_of_fifty_edits() -> None:
    made = sum((machine.made for machine in run(50, 20)), Counter[str]())
    assert not VERBS - set(made)


@pytest.mark.slow
def test_one_run_of_a_thousand_edits() -> None:
    """The first example is the simplest, one edit over and over, and the second cuts it short; the third is the run."""
    longest = max(run(1000, 3), key=lambda machine: machine.made.total())
    assert longest.made.total() > 500
    assert not VERBS - set(longest.made)


VERBS = {
    *("place", "move", "unplace", "delete", "duplicate", "rename", "set", "change-type", "add-fault"),
    *("add-rack", "place-system", "connect", "connect-bundle", "reconnect", "disconnect", "group", "paste"),
    *("undo", "redo", "back and forth"),
}
"""What every run of some length must have made at least once, or it proves nothing."""
