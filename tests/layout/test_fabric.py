"""The fabric view: tiers in order, nothing on anything, lanes clear of boxes, one picture a design."""

from dataclasses import replace
from itertools import combinations, pairwise

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import Connect, Disconnect
from rackbuilder.commands.devices import DeleteItems, MoveDevice, PlaceDevice, Rename
from rackbuilder.commands.drawing import Pin, Unpin
from rackbuilder.design.design import Design
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import Device, Drawing, End
from rackbuilder.layout.fabric import FabricLayout, fabric_scene
from rackbuilder.layout.lod import Level, shown
from rackbuilder.layout.scene import Scene
from rackbuilder.layout.shapes import Place
from rackbuilder.session.session import Session
from rackbuilder.topology.graphs import build_graphs
from tests.layout import samples

DESIGNS = {
    "superpod": samples.superpod,
    "large": lambda: samples.superpod(units=8, spare=0, spines=32),
    "small": samples.small,
    "uncabled": lambda: samples.small(cabled=False),
    "racked": lambda: samples.small(racked=True),
    "nvl72": samples.nvl72,
    "mixed": samples.mixed_row,
}


@pytest.fixture(params=sorted(DESIGNS))
def design(request: pytest.FixtureRequest) -> Design:
    return DESIGNS[request.param]()


def drawn(design: Design, **options: object) -> Scene:
    return fabric_scene(design, build_graphs(design), **options)  # type: ignore[arg-type]


def test_no_two_devices_overlap(design: Design) -> None:
    places = [box.place for box in drawn(design).boxes.values()]
    assert not [(a, b) for a, b in combinations(places, 2) if a.meets(b)]


def test_blocks_stand_clear_of_devices_and_of_each_other(design: Design) -> None:
    scene = drawn(design)
    blocks = [f.place for f in scene.frames if f.kind == "block"]
    assert not [(a, b) for a, b in combinations(blocks, 2) if a.meets(b)]
    assert not [(a, b.place) for a in blocks for b in scene.boxes.values() if a.meets(b.place)]


def test_runs_are_level_or_upright_and_cross_no_box(design: Design) -> None:
    scene = drawn(design)
    boxes = [box.place for box in scene.boxes.values()]
    for pipe in scene.pipes:
        assert pipe.x1 == pipe.x2 or pipe.y1 == pipe.y2
        if shown(pipe.levels, Level.RACK):
            line = pipe.place.grown(0.01)
            assert not [box for box in boxes if line.meets(box.grown(-1.0))], pipe


def test_routes_are_made_of_level_and_upright_pieces(design: Design) -> None:
    scene = drawn(design)
    for route in scene.routes:
        assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(route))


def test_every_pair_of_drawn_devices_has_a_route(design: Design) -> None:
    scene = drawn(design)
    inside = [f.members for f in scene.frames if f.kind == "block"]
    for pair, route in zip(scene.pairs, scene.routes, strict=True):
        together = any(pair.a in members and pair.b in members for members in inside)
        assert route or together, pair


def test_the_same_design_gives_the_same_picture(design: Design) -> None:
    changes = [Change(t, i, None, r) for t, rows in design.tables.items() for i, r in reversed(rows.items())]
    order = ("parts", "spaces", "fabrics", "groups", "racks", "devices", "cables", "drawing")
    turned = Design().apply(Patch("", tuple(sorted(changes, key=lambda c: order.index(c.table)))))
    assert drawn(turned) == drawn(design)


def test_tiers_stand_from_spines_down_to_servers() -> None:
    scene = drawn(samples.superpod())
    y = {
        kind: {b.place.y for b in scene.boxes.values() if b.look.kind == kind}
        for kind in ("spine", "leaf", "server")
    }
    assert max(y["spine"]) < min(y["leaf"]) <= max(y["leaf"]) < min(y["server"])


def test_counts_on_the_drawing_are_those_of_the_published_pod() -> None:
    """Four units as published: 127 servers, 32 leaves, 16 spines, 1,016 + 4 and 1,024 cables."""
    scene = drawn(samples.superpod())
    kinds = [box.look.kind for box in scene.boxes.values()]
    assert (kinds.count("server"), kinds.count("leaf"), kinds.count("spine")) == (127, 32, 16)
    bus = [p for p in scene.pipes if p.kind == "bus"]
    assert [p.cables for p in bus] == [1024]
    assert "1,024 cables · 32 leaf × 16 spine × 2 · 409.6 Tb/s per direction" in [
        p.text for p in scene.plates
    ]
    trunks = sorted(
        (p.x1, p.cables) for p in scene.pipes if p.kind == "trunk" and shown(p.levels, Level.RACK)
    )
    assert [count for _, count in trunks] == [256, 256, 256, 256]
    lanes = [p for p in scene.pipes if p.kind == "lane"]
    assert sum(p.cables for p in lanes) == 1016
    captions = [f.lines[0] for f in scene.frames if f.kind == "unit"]
    assert captions[0] == "32 servers · 256 GPUs · 32 domains of 8"
    assert captions[3] == "31 servers · 248 GPUs · 31 domains of 8"


def test_each_leaf_has_a_lane_of_its_rail() -> None:
    scene = drawn(samples.superpod(units=1, spines=4))
    lanes = sorted((p.y1, p.rail) for p in scene.pipes if p.kind == "lane")
    assert [rail for _, rail in lanes] == list(range(8))
    assert len({y for y, _ in lanes}) == 8


def test_a_free_position_of_a_unit_is_drawn() -> None:
    scene = drawn(samples.superpod())
    assert len([f for f in scene.frames if f.kind == "vacant"]) == 1


def test_a_blank_design_is_an_empty_scene() -> None:
    scene = drawn(Design())
    assert not scene.boxes
    assert not scene.pipes


def test_a_switch_without_cables_stands_with_the_leaves() -> None:
    scene = drawn(samples.small(cabled=False))
    assert {b.look.kind for b in scene.boxes.values()} == {"leaf", "server"}


def test_a_pinned_position_wins() -> None:
    design = samples.small()
    before = drawn(design)
    pin = Drawing(id="fabric/leaf-01", x=-300.0, y=40.0, pinned=True)
    after = drawn(design.apply(Patch("", (Change("drawing", pin.id, None, pin),))))
    assert after.boxes["leaf-01"].place[:2] == (-300.0, 40.0)
    assert after.boxes["leaf-01"].pinned
    others = [ref for ref in before.boxes if ref != "leaf-01"]
    assert all(after.boxes[ref] == before.boxes[ref] for ref in others)
    # Its cables follow it: some run ends at its edge.
    place = after.boxes["leaf-01"].place
    ends = [(x, y) for route in after.routes for x, y in (route[:1] + route[-1:] if route else ())]
    assert any(place.x <= x <= place.right and y in (place.y, place.bottom) for x, y in ends)


def test_a_position_that_is_not_pinned_changes_nothing() -> None:
    design = samples.small()
    pin = Drawing(id="fabric/leaf-01", x=-300.0, y=40.0, collapsed=True)
    assert drawn(design.apply(Patch("", (Change("drawing", pin.id, None, pin),)))) == drawn(design)


def test_units_are_wrapped_into_lines_for_a_screen() -> None:
    scene = drawn(samples.superpod(units=8, spare=0, spines=32))
    tops = {f.place.y for f in scene.frames if f.kind == "unit"}
    assert len(tops) == 2
    assert 0.8 < scene.bounds.w / scene.bounds.h < 4.0


def test_an_opened_block_shows_its_devices() -> None:
    design = samples.superpod(units=1, spines=4)
    closed, opened = drawn(design), drawn(design, opened=frozenset(["storage"]))
    assert "stg-01" not in closed.boxes
    assert {"T01", "stg-01"} <= set(opened.boxes)
    block = next(f for f in opened.frames if f.ref == "block:storage")
    for ref in block.members:
        place = opened.boxes[ref].place
        assert block.place.holds(place.x, place.y)
        assert block.place.holds(place.right, place.bottom)


def test_other_fabrics_are_blocks_with_their_counts() -> None:
    scene = drawn(samples.superpod())
    blocks = {f.ref: f for f in scene.frames if f.kind == "block"}
    assert blocks["block:storage"].lines[:2] == ("8 × QM9700", "6 × Storage appliance")
    assert blocks["block:storage"].lines[2] == "254 cables"  # 127 servers x 2
    assert blocks["block:fabric-manager"].lines == ("4 × UFM 3.5", "4 cables · L01–L04")


def test_every_device_is_drawn_or_counted_in_a_block(design: Design) -> None:
    scene = drawn(design)
    counted = {m for f in scene.frames if f.kind == "block" for m in f.members}
    assert set(scene.boxes) | counted == set(design.devices)


def test_idle_servers_have_grey_cells() -> None:
    design = samples.small()
    scene = drawn(design, idle=frozenset(["srv-0002"]))
    assert [ref for ref, box in scene.boxes.items() if box.look.idle] == ["srv-0002"]


def test_a_link_between_tiers_that_are_no_neighbours_is_drawn() -> None:
    """A server on a spine is wrong, and must be seen all the same."""
    design = samples.superpod(units=1, spines=4)
    cable = next(c for c in design.cables.values() if c.a.device == "srv-001")
    wrong = replace(cable, b=End("S01", "osfp32/2"))
    scene = drawn(design.apply(Patch("", (Change("cables", cable.id, cable, wrong),))))
    index = next(n for n, p in enumerate(scene.pairs) if {p.a, p.b} == {"srv-001", "S01"})
    assert scene.routes[index]
    assert any(index in p.pairs for p in scene.pipes)


def test_bounds_hold_everything(design: Design) -> None:
    scene = drawn(design)
    b = scene.bounds
    for place in [
        *(x.place for x in scene.boxes.values()),
        *(x.place for x in scene.frames),
        *(x.place for x in scene.pipes),
    ]:
        assert Place(b.x, b.y, b.w, b.h).holds(place.x, place.y)
        assert Place(b.x, b.y, b.w, b.h).holds(place.right, place.bottom)


def test_a_layout_that_remembers_gives_the_same_as_a_fresh_one() -> None:
    """Edits of every kind: names, cables, units, pins, devices; after each, equal to a layout from nothing."""
    session = Session(shipped(), samples.superpod(units=2, spines=8))
    layout = FabricLayout()
    edits: list[Command] = [
        Rename(ref="srv-003", name="alpha"),
        Disconnect(refs=("srv-003~L03",)),
        Rename(ref="L01", name="zz"),
        MoveDevice(devices=("srv-001",), rack="A02", u=40),
        Pin(places={"L02": (30.0, 40.0)}),
        PlaceDevice(type="dgx-h100"),
        DeleteItems(refs=("srv-010",)),
        Unpin(),
        PlaceDevice(type="qm9700"),
        Connect(a="srv-003", b="L03"),
    ]
    for edit in edits:
        session.do(edit)
        kept = layout.scene(session.design, session.graphs)
        assert kept == fabric_scene(session.design, session.graphs), edit
    while session.undo():
        assert layout.scene(session.design, session.graphs) == fabric_scene(session.design, session.graphs)


def test_an_edit_of_no_place_keeps_the_runs() -> None:
    session = Session(shipped(), samples.superpod(units=1, spines=4))
    layout = FabricLayout()
    before = layout.scene(session.design, session.graphs)
    session.do(Rename(ref="srv-003", name="alpha"))
    after = layout.scene(session.design, session.graphs)
    assert after.pipes is before.pipes
    assert after.pairs is before.pairs
    changed = [ref for ref in after.boxes if after.boxes[ref] != before.boxes[ref]]
    assert changed == ["srv-003"]


def test_what_is_planned_is_told_apart_where_something_stands() -> None:
    design = samples.small()
    assert not any(box.look.planned for box in drawn(design).boxes.values())
    server = design.devices["srv-0001"]
    cables = [design.cables[c] for c in list(design.cables)[:8]]
    rows = [Change("devices", server.id, server, replace(server, state="existing"))]
    rows += [Change("cables", c.id, c, replace(c, state="existing")) for c in cables]
    scene = drawn(design.apply(Patch("", tuple(rows))))
    assert [ref for ref, box in scene.boxes.items() if not box.look.planned] == ["srv-0001"]
    laid = {n for n, pair in enumerate(scene.pairs) if "srv-0001" in (pair.a, pair.b)}
    assert scene.planned == frozenset(range(len(scene.pairs))) - laid


def test_a_management_network_is_no_tier_of_gpus() -> None:
    design = samples.nvl72(racks=1, leaves=0)
    fabric = design.fabrics["compute"]
    switch = Device(id="oob-1", type="sn2201", fabric="compute")
    rows = (
        Change("fabrics", fabric.id, fabric, replace(fabric, roles=("out-of-band",))),
        Change("devices", switch.id, None, switch),
    )
    scene = drawn(design.apply(Patch("", rows)))
    assert "oob-1" not in scene.boxes
    assert "oob-1" in next(f for f in scene.frames if f.ref == "block:out-of-band").members
