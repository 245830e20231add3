"""A template run again: growth, shrinkage and another fabric, with hand edits in between."""

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.commands import (
    ChangeType,
    Connect,
    DeleteItems,
    Disconnect,
    MoveDevice,
    PlaceDevice,
    Reconnect,
    Rename,
    SetProperty,
)
from rackbuilder.commands.base import Command
from rackbuilder.design.design import Design, build
from rackbuilder.design.patch import Change
from rackbuilder.design.records import TABLE_NAMES, Cable, Device
from rackbuilder.errors import ProblemError
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.session import Session
from rackbuilder.templates import Outcome, Regenerate
from rackbuilder.templates.nvlink_rack import NvlinkRack
from rackbuilder.templates.superpod import Superpod
from tests.templates.published import made, unfit


def again(design: Design, **fields: object) -> tuple[Design, Outcome]:
    outcome = Regenerate(fields=fields).outcome(design, shipped())
    return design.apply(outcome.patch), outcome


def edited(design: Design, *commands: Command) -> Design:
    """As in the window: every edit is one that a session accepts."""
    session = Session(shipped(), design)
    for command in commands:
        session.do(command)
    return session.design


def device(design: Design, key: str) -> Device:
    return next(d for d in design.devices.values() if d.made_by and d.made_by.key == key)


def shape(design: Design) -> tuple[list[object], ...]:
    """Everything but ids, and the numbers in the names of switches that follow them."""
    mark = {
        r.id: r.made_by.key if r.made_by else r.id
        for table in ("devices", "racks", "groups")
        for r in design.tables[table].values()
    }
    devices = [
        (mark[d.id], d.type, mark.get(d.rack), d.u, d.fabric, [mark[g] for g in d.groups], d.modes)
        for d in design.devices.values()
    ]
    cables = [
        (sorted((mark[e.device], e.port) for e in (c.a, c.b)), c.part, c.made_by and c.made_by.key)
        for c in design.cables.values()
    ]
    plugs = [
        (mark[p.id.partition(":")[0]], p.id.partition(":")[2], p.part)
        for p in design.tables["plugs"].values()
    ]
    racks = [(r.name, r.x_m, r.y_m, r.type) for r in design.racks.values()]
    return tuple(sorted(rows, key=repr) for rows in (devices, cables, plugs, racks))


CHANGES: list[dict[str, object]] = [
    {"units": 4},
    {"units": 3},
    {"units": 1},
    {"units": 9},
    {"fabric": "spectrum-x"},
    {"server": "dgx-b200"},
    {"server": "dgx-b300-psu"},
    {"fabric_manager": False},
]


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_untouched_it_is_what_the_template_makes(change: dict[str, object]) -> None:
    """And back again: nothing of the other size or fabric is left."""
    start = made(Superpod(units=2))
    now, outcome = again(start, **change)
    assert shape(now) == shape(made(Superpod.model_validate({"units": 2, **change})))
    assert outcome.problems == ()
    assert now.tables["originals"] == {}
    back, _ = again(now, units=2, server="dgx-h100", fabric="auto", fabric_manager=True)
    assert shape(back) == shape(start)


def test_same_fields_change_nothing() -> None:
    start = made(Superpod(units=1))
    assert Regenerate().plan(start, shipped()).empty


def test_one_step_that_undo_takes_back() -> None:
    session = Session(shipped(), made(Superpod(units=1)))
    before = write_design(session.design)
    session.do(Regenerate(fields={"units": 2}))
    session.undo()
    # Numbers once given stay used up: the marks of the next ids are all that differs.
    assert [line for line in write_design(session.design).splitlines() if b'"about"' not in line] == [
        line for line in before.splitlines() if b'"about"' not in line
    ]


def test_hand_edits_stay() -> None:
    """512 to 1,024 GPUs: a name, a moved server, a pinned length, a configuration."""
    start = made(Superpod(units=2))
    server = device(start, "su1.srv05")
    cable = next(c.id for c in start.cables.values() if c.a.device == device(start, "su1.srv01").id)
    start = edited(
        start,
        Rename(ref=server.id, name="login"),
        MoveDevice(devices=(device(start, "su2.srv31").id,), rack="rack-16", u=33),
        SetProperty(ref=cable, field="length_m", value=7),
        SetProperty(ref=server.id, field="config.driver", value="550"),
    )
    now, outcome = again(start, units=4)
    assert len([d for d in now.devices.values() if d.id.startswith("srv")]) == 127
    kept = device(now, "su1.srv05")
    assert (kept.id, kept.name, kept.config) == (server.id, "login", {"driver": "550"})
    moved = device(now, "su2.srv31")
    assert (moved.rack, moved.u) == ("rack-16", 33)
    assert now.cables[cable].length_m == 7
    assert unfit(now) == []
    assert outcome.problems == ()
    again_now, more = again(now, units=4)
    assert more.patch.empty
    assert again_now is now


def test_deleted_by_hand_stays_deleted() -> None:
    """A server with its eight links, and one uplink whose ends the larger pod would cable the same."""
    start = made(Superpod(units=2))
    gone = device(start, "su1.srv03").id
    leaf = device(start, "su1.leaf1").id
    first = next(c for c in start.cables.values() if c.a.device == leaf)
    start = edited(start, DeleteItems(refs=(gone,)), Disconnect(refs=(first.id,)))
    now, outcome = again(start, units=4)
    assert gone not in now.devices
    assert not any(d.made_by and d.made_by.key == "su1.srv03" for d in now.devices.values())
    assert not any({first.a, first.b} == {c.a, c.b} for c in now.cables.values())
    words = [p.what for p in outcome.problems]
    assert any("device deleted by hand stays deleted" in w for w in words)
    # Eight links of the server and the uplink: 9 (its new links need the server, so none was drawn anew).
    assert any(w.startswith("9 cables deleted by hand stay deleted") for w in words)
    larger, _ = again(now, units=8)
    assert gone not in larger.devices


def test_hand_made_cable_keeps_its_ports() -> None:
    """Where the last server position is free for the manager's sake, a hand-drawn cable stands in the template's way
    once it fills the unit: the new link is left out and listed.
    """
    start = made(Superpod(units=1))
    leaf = device(start, "su1.leaf8").id
    assert "osfp16/2" not in start.ports_used(leaf)
    start = edited(
        start,
        PlaceDevice(type="dgx-h100", name="guest", id="srv-0900"),
        Connect(a="srv-0900:osfp1/1", b=f"{leaf}:osfp16/2"),
    )
    hand = next(c for c in start.cables.values() if c.made_by is None)
    now, outcome = again(start, units=2)
    assert now.cables[hand.id] == hand
    assert now.ports_used(leaf)["osfp16/2"] == (hand.id,)
    assert unfit(now) == []
    (problem,) = outcome.problems
    assert problem.what.startswith("1 new cable left out beside hand work")


def test_what_hand_work_uses_stays() -> None:
    """Shrinking takes the second unit away, but not the leaf and the rack that a hand-made server hangs on."""
    start = made(Superpod(units=2))
    leaf = device(start, "su2.leaf8")
    start = edited(start, PlaceDevice(type="dgx-h100", name="guest", id="srv-0900"))
    start = edited(start, Connect(a="srv-0900:osfp1/1", b=f"{leaf.id}:osfp16/2"))
    now, outcome = again(start, units=1)
    assert now.devices[leaf.id].made_by is None
    assert now.devices[leaf.id].rack in now.racks
    assert any(leaf.name in p.what and "still in use" in p.what for p in outcome.problems)
    assert unfit(now) == []


def test_both_changed_the_same() -> None:
    """The hand chose another switch for a leaf, then the fabric is swapped: the hand wins, and it is said."""
    start = edited(made(Superpod(units=1)), ChangeType(devices=("leaf-01",), type="qm9790"))
    now, outcome = again(start, fabric="spectrum-x")
    assert now.devices["leaf-01"].type == "qm9790"
    assert now.devices["leaf-02"].type == "sn5400"
    assert any("leaf" in p.where.lower() or "L01" in p.where for p in outcome.problems)
    assert any("keeps its type" in p.what for p in outcome.problems)
    assert unfit(now) == []


def test_moved_into_the_way() -> None:
    """A server moved to where the template puts a new switch: the switch is left out with its links, and listed."""
    start = made(Superpod(units=2))
    start = edited(
        start,
        PlaceDevice(type="sn2201", rack=device(start, "spine8").rack, u=9, name="mgmt"),
    )
    now, outcome = again(start, units=3)
    mgmt = next(d for d in now.devices.values() if d.name == "mgmt")
    assert (mgmt.rack, mgmt.u) == (device(start, "spine8").rack, 9)
    assert unfit(now) == []
    assert outcome.problems


def test_order_of_records_does_not_matter() -> None:
    start = edited(made(Superpod(units=2)), DeleteItems(refs=("srv-0007",)))
    rows = [
        Change(table, record.id, None, record)
        for table in TABLE_NAMES
        for record in reversed(list(start.tables[table].values()))
    ]
    shuffled = build(rows, start.about)
    assert shuffled.same(start)
    one, _ = again(start, units=4)
    other, _ = again(shuffled, units=4)
    assert write_design(one) == write_design(other)


def test_second_run_is_left_alone() -> None:
    """Two templates in one design: running one again touches nothing of the other."""
    both = made(NvlinkRack(racks=2), on=made(Superpod(units=1)))
    with pytest.raises(ProblemError, match="2 templates were run"):
        Regenerate().plan(both, shipped())
    outcome = Regenerate(run="run-01", fields={"units": 2}).outcome(both, shipped())
    now = both.apply(outcome.patch)
    of_second = [d for d in both.devices.values() if d.made_by and d.made_by.run == "run-02"]
    assert of_second
    assert all(now.devices[d.id] == d for d in of_second)
    assert outcome.problems == ()


def test_refused_fields_change_nothing() -> None:
    start = made(Superpod(units=1))
    with pytest.raises(ProblemError, match="no field of superpod"):
        Regenerate(fields={"unit": 2}).plan(start, shipped())
    with pytest.raises(ProblemError, match="not published"):
        Regenerate(fields={"server": "dgx-a100", "units": 8}).plan(start, shipped())


def test_rewired_cable_stays_rewired() -> None:
    """A cable moved by hand to a free port keeps it; the template's own link to the old port does not come back."""
    start = made(Superpod(units=1))
    cable = next(c for c in start.cables.values() if c.a.device == "srv-0001" and c.a.port == "osfp4/2")
    start = edited(start, Reconnect(cable=cable.id, b="leaf-08:osfp16/2"))
    now, _ = again(start, fabric_manager=True, rack_limit_w=50_000.0)
    kept = now.cables[cable.id]
    assert isinstance(kept, Cable)
    assert kept.b == ("leaf-08", "osfp16/2")
    assert cable.b.port not in now.ports_used("leaf-08")
