"""Results kept from edit to edit equal those worked out afresh, and the order of edits leaves no trace."""

from __future__ import annotations

import random

from rackbuilder.analysis.engine import Engine
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import Space
from rackbuilder.topology.graphs import build_graphs
from tests.analysis.facility.samples import FACILITY, Room, report_of

DEVICES = ("dgx-h100", "qm9700", "qm8700", "hca-server", "bare-switch", "pdu")
CABLES = ("", "mfp7e10", "mcp4y10", "mca7j60", "mca4j80", "cat6")


def start() -> Room:
    room = Room()
    room.draft.put("spaces", Space(id="hall-1"))
    room.rack("rack-02", space="hall-1")
    room.nvl72("rack-01", trays=3, switches=2, shelves=1)
    for n in range(3):
        room.switch(f"sw-{n}", rack="rack-02", u=1 + n)
        room.device(f"srv-{n}", "dgx-h100", rack="rack-02", u=10 + 8 * n)
    return room


def edit(room: Room, dice: random.Random) -> None:
    """One edit of a kind that changes something of these results."""
    devices = sorted(room.draft.devices)
    cables = sorted(room.draft.cables)
    kind = dice.choice(
        ("cable", "cable", "part", "cut", "plug", "unplug", "place", "move", "retype", "set", "policy")
    )
    if kind == "cable":
        a, b = dice.sample([d for d in devices if d.startswith(("sw", "srv"))], 2)
        ends = (f"{x}:osfp{dice.randint(1, 4)}/{dice.randint(1, 2)}" for x in (a, b))
        room.cable(*ends, part=dice.choice(CABLES), state=dice.choice(("planned", "existing", "spare")))
    elif kind == "part" and cables:
        room.draft.change(
            "cables", dice.choice(cables), part=dice.choice(CABLES), length_m=dice.choice((None, 1.5, 30))
        )
    elif kind == "cut" and cables:
        room.draft.remove("cables", dice.choice(cables))
    elif kind == "plug":
        room.plug(
            f"{dice.choice(devices)}:osfp{dice.randint(1, 4)}", dice.choice(("mma4z00-ns", "mma4z00-ns-flt"))
        )
    elif kind == "unplug" and room.draft.tables["plugs"]:
        room.draft.remove("plugs", dice.choice(sorted(room.draft.tables["plugs"])))
    elif kind == "place":
        room.device(room.draft.new_id("dev"), dice.choice(DEVICES), rack=dice.choice(("", "rack-02")), u=45)
    elif kind == "move":
        room.draft.change("devices", dice.choice(devices), rack=dice.choice(("", "rack-01", "rack-02")))
    elif kind == "retype":
        room.draft.change(
            "devices",
            dice.choice([d for d in devices if d.startswith("sw")]),
            type=dice.choice(("qm9700", "bare-switch")),
        )
    elif kind == "set":
        room.set(
            dice.choice(("part/qm9700/power_max_w", "ref/srv-1/power_max_w", "ref/rack-01/power_max_w")),
            dice.randint(1, 9000),
        )
    else:
        room.policy("coolant_rise_k", dice.choice((8, 10, 12)))


def test_kept_results_equal_fresh_ones() -> None:
    dice = random.Random(7)
    design = start().done()
    graphs, engine = build_graphs(design), Engine(FACILITY)
    for step in range(60):
        room = Room(design)
        edit(room, dice)
        patch = room.draft.patch("edit")
        design = design.apply(patch)
        graphs = graphs.apply(patch, design)
        kept = engine.run(design, graphs)
        fresh = report_of(design).results
        assert {name for name in fresh if fresh[name] != kept[name]} == set(), step


def test_what_was_undone_leaves_no_trace() -> None:
    """Removing everything and bringing it back in reverse order gives equal results, to the last bit."""
    room = start()
    dice = random.Random(3)
    for _ in range(60):
        edit(room, dice)
    design = room.done()
    first = report_of(design).results
    for table in ("cables", "plugs"):
        rows = list(design.tables[table].values())
        gone = design.apply(Patch("out", tuple(Change(table, r.id, r, None) for r in rows)))
        design = gone.apply(Patch("back", tuple(Change(table, r.id, None, r) for r in reversed(rows))))
    assert report_of(design).results == first
