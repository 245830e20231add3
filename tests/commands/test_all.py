"""What holds for every command there is: listed, pure, undone to the same bytes, readable from a script."""

import importlib
import pkgutil

import pytest

import rackbuilder.commands
from rackbuilder.commands import COMMAND_TABLE, COMMANDS
from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import Connect, ConnectBundle, Disconnect, Reconnect, SetPlug
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
from rackbuilder.commands.drawing import Collapse, Pin, Unpin
from rackbuilder.commands.edit import AddNote, SetPolicy, Unwaive, Waive
from rackbuilder.commands.fabrics import AddFabric
from rackbuilder.commands.groups import AddToGroup, Group, Ungroup
from rackbuilder.commands.jobs import ActivateJob, RemoveJob, SetJob, SwapMapping
from rackbuilder.commands.marks import AddFault, ClearOverride, RemoveFault, SetOverride
from rackbuilder.commands.optics import ApplyMedia, SetMedium
from rackbuilder.commands.parts import CopyPart, SetPartField, UpdatePart
from rackbuilder.commands.racks import AddRack, FillRack, MoveRack, PlaceRackSystem, RackLimits
from rackbuilder.commands.script import Script, read_script, write_script
from rackbuilder.design.design import Design
from rackbuilder.design.records import TABLE_NAMES
from rackbuilder.formats.native.write import write_design
from tests.samples import CATALOG, SERVER, built, plan

START = built(
    AddRack(type="t-rack-52", count=2, x_m=0, y_m=0, name="A##"),
    PlaceDevice(type="t-server", rack="rack-01", count=4, name="gpu-##"),
    PlaceDevice(type="t-qm9700", rack="rack-02", count=2, role="leaf"),
    CopyPart(base="t-one-u", id="t-own"),
    PlaceDevice(type="t-own", rack="rack-02", u=10),
    ConnectBundle(sources=("srv-0001", "srv-0002"), targets=("leaf-01", "leaf-02")),
    Group(refs=("srv-0001", "srv-0002"), name="pool"),
    SetJob(workload="gpt", sizes={"tp": 8}),
    AddFault(ref="srv-0002.gpu1"),
    Waive(rule="power.rack-limit", refs=("rack-01",), reason="agreed"),
    SetOverride(key="part/t-server/power_max_w", value=9000),
    Pin(places={"srv-0001": (1, 2)}),
    SetPlug(cage="leaf-01:osfp1", part="t-optic"),
)
NEWER = CATALOG.with_parts([SERVER.model_copy(update={"power_max_w": 11_000.0})])
EXAMPLES: tuple[Command, ...] = (
    PlaceDevice(type="t-server", rack="rack-01", u=33),
    MoveDevice(devices=("srv-0001",), rack="rack-02", u=20),
    UnplaceDevice(devices=("srv-0001",)),
    DeleteItems(refs=("srv-0001", "rack-02", "compute", "grp-01")),
    DuplicateDevices(devices=("srv-0001", "leaf-01")),
    Rename(ref="rack-01", name="Ω"),
    SetProperty(ref="srv-0001", field="config.driver", value="550"),
    ChangeType(devices=("leaf-02",), type="t-roce-switch"),
    AddFault(ref="leaf-01~srv-0001", kind="degraded", links=2),
    RemoveFault(fault="fault-01"),
    SetOverride(key="ref/cbl-0001/rate_bps", value=200e9, reason="measured"),
    ClearOverride(key="part/t-server/power_max_w"),
    AddRack(type="t-rack-42", count=2, name="B##", x_m=0, y_m=3),
    PlaceRackSystem(type="t-nvl72", name="N01"),
    MoveRack(racks=("rack-01", "rack-02"), x_m=5, y_m=5),
    RackLimits(racks=("rack-01",), power_limit_w=44_000),
    FillRack(rack="rack-02", type="t-one-u", count=3),
    AddFabric(technology="t-eth", roles=("in-band",)),
    Connect(a="srv-0003", b="leaf-01", part="t-fibre", length_m=5),
    ConnectBundle(sources=("srv-0003", "srv-0004"), targets=("leaf-01", "leaf-02"), pattern="round-robin"),
    Reconnect(cable="cbl-0001", b="leaf-02:osfp30/1"),
    Disconnect(refs=("srv-0001~leaf-01",)),
    SetPlug(cage="leaf-02:osfp1", part="t-optic"),
    SetMedium(cables=("cbl-0001",), medium="single-mode"),
    ApplyMedia(),
    Group(refs=("rack-01",), name="row"),
    AddToGroup(group="pool", refs=("srv-0003",)),
    Ungroup(groups=("grp-01",)),
    SetJob(workload="llama", where=("grp-01",)),
    RemoveJob(job="job-01"),
    ActivateJob(),
    SwapMapping(job="job-01", sizes={"tp": 16}),
    CopyPart(base="t-server", fields={"power_max_w": 12_000}),
    SetPartField(part="t-own", field="u_height", value=2),
    UpdatePart(),
    Paste(clip=copy(START, ("srv-0001", "leaf-01")), rack="rack-02"),
    Waive(rule="fabric.one-leaf", refs=("srv-0001", "leaf-01"), reason="lab"),
    Unwaive(rule="power.rack-limit", refs=("rack-01",)),
    AddNote(text="later", ref="srv-0001"),
    SetPolicy(key="slack", value=0.1),
    Pin(places={"leaf-01": (5, 6)}),
    Unpin(),
    Collapse(ref="grp-01"),
)  # fmt: skip


def content(design: Design) -> bytes:
    """The file without the header, whose number marks undo leaves."""
    return write_design(design.with_about(START.about))


def snapshot(design: Design) -> dict[str, dict[str, object]]:
    return {name: dict(design.tables[name]) for name in TABLE_NAMES}


def test_there_is_an_example_of_every_command() -> None:
    assert {type(example) for example in EXAMPLES} == set(COMMANDS)


def test_every_command_of_every_module_is_listed() -> None:
    found = set()
    for module in pkgutil.iter_modules(rackbuilder.commands.__path__):
        names = vars(importlib.import_module(f"rackbuilder.commands.{module.name}"))
        found |= {kind for kind in names.values() if isinstance(kind, type) and issubclass(kind, Command)}
    assert found == {Command, Script, *COMMANDS}


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda c: c.verb)
def test_planning_changes_nothing_and_undo_gives_the_same_bytes(command: Command) -> None:
    before, bytes_before = snapshot(START), content(START)
    patch, after = plan(START, command, NEWER)
    assert snapshot(START) == before
    assert patch.label
    assert not patch.empty
    assert content(after) != bytes_before
    undone = after.apply(patch.inverted())
    assert content(undone) == bytes_before
    assert undone.indexes == START.indexes
    assert content(undone.apply(patch)) == content(after)


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda c: c.verb)
def test_a_command_reads_back_from_a_script(command: Command) -> None:
    assert read_script(write_script([command]), COMMAND_TABLE) == (command,)


@pytest.mark.parametrize("command", EXAMPLES, ids=lambda c: c.verb)
def test_a_plan_is_the_same_each_time(command: Command) -> None:
    assert command.plan(START, NEWER) == command.plan(START, NEWER)


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda c: c.verb)
def test_a_command_says_what_it_does(kind: type[Command]) -> None:
    assert kind.__doc__
    assert kind.__doc__ != Command.__doc__
    assert kind.verb == kind.verb.lower()
