"""Rack elevations: units at their height, faces, the shelf of what is in no rack."""

from itertools import combinations

from rackbuilder.design.design import Design
from rackbuilder.design.records import Cord, Device, End, Rack
from rackbuilder.layout.rack import INSET, RACK_W, SIDE, U, elevations, feeds_of, free_spans, rack_scene
from tests.layout import samples


def one_rack(*devices: Device, **fields: object) -> Design:
    scratch = samples.draft()
    scratch.put("racks", Rack(id="A01", type="rack-48u", **fields))
    for device in devices:
        scratch.put("devices", device)
    return samples.finished(scratch)


def test_a_device_fills_its_units_from_the_bottom() -> None:
    design = one_rack(Device(id="srv", type="dgx-h100", rack="A01", u=9))
    (rack,) = elevations(design)
    place = rack_scene(design).boxes["srv"].place
    # U9–U16 of 48: eight units above the floor of the rack, eight units high.
    assert place.bottom == rack.place.bottom - 8 * U
    assert place.h == 8 * U
    assert place.w == RACK_W - 2 * INSET


def test_a_rack_numbered_from_the_top() -> None:
    design = one_rack(Device(id="srv", type="dgx-h100", rack="A01", u=9), numbered_from="top")
    (rack,) = elevations(design)
    assert rack_scene(design).boxes["srv"].place.y == rack.place.y + 8 * U


def test_a_unit_and_the_height_it_is_drawn_at_agree() -> None:
    (rack,) = elevations(one_rack())
    for u in (1.0, 9.5, 41.0):
        assert rack.u_at(rack.unit_place(u, 8).y, 8) == u


def test_half_width_devices_share_a_unit() -> None:
    design = one_rack(
        Device(id="a", type="half", rack="A01", u=5, slot="left"),
        Device(id="b", type="half", rack="A01", u=5, slot="right"),
    )
    boxes = rack_scene(design).boxes
    assert boxes["a"].place.right == boxes["b"].place.x
    rear = rack_scene(design, "rear").boxes
    assert rear["b"].place.right == rear["a"].place.x  # seen from behind


def test_strips_at_the_sides_are_seen_from_the_rear() -> None:
    design = one_rack(
        Device(id="pdu-a", type="pdu", rack="A01", slot="side-left"),
        Device(id="pdu-b", type="pdu", rack="A01", slot="side-right"),
    )
    assert not rack_scene(design, "front").boxes
    boxes = rack_scene(design, "rear").boxes
    (rack,) = elevations(design, "rear")
    assert boxes["pdu-a"].place.right <= rack.place.x + SIDE
    assert boxes["pdu-b"].place.x >= rack.place.right - SIDE


def test_both_faces_show_each_device_twice() -> None:
    design = one_rack(Device(id="srv", type="dgx-h100", rack="A01", u=1))
    boxes = rack_scene(design, "both").boxes
    assert sorted(boxes) == ["srv", "srv@rear"]
    assert boxes["srv@rear"].ref == "srv"
    assert boxes["srv@rear"].look.style == "rear"


def test_no_two_devices_overlap() -> None:
    for faces in ("front", "rear", "both"):
        places = [b.place for b in rack_scene(samples.mixed_row(), faces).boxes.values()]
        assert not [(a, b) for a, b in combinations(places, 2) if a.meets(b)]


def test_racks_do_not_overlap_and_follow_their_row() -> None:
    design = samples.superpod()
    lines = elevations(design)
    assert not [(a, b) for a, b in combinations([e.place for e in lines], 2) if a.meets(b)]
    first = [e.rack for e in lines if e.place.y == lines[0].place.y][:8]
    assert first == [f"A{n:02d}" for n in range(1, 9)]


def test_devices_in_no_rack_stand_on_a_shelf() -> None:
    design = one_rack(Device(id="srv", type="dgx-h100"), Device(id="sw", type="qm9700"))
    scene = rack_scene(design)
    (shelf,) = [f for f in scene.frames if f.kind == "shelf"]
    assert shelf.title == "Not in a rack: 2"
    (rack,) = elevations(design)
    assert all(scene.boxes[d].place.y > rack.place.bottom for d in ("srv", "sw"))


def test_free_runs_of_four_units_and_more() -> None:
    design = one_rack(
        Device(id="a", type="dgx-h100", rack="A01", u=1), Device(id="b", type="qm9700", rack="A01", u=12)
    )
    # U1–U8 and U12 are taken of 48: free are U9–U11 (three, too few) and U13–U48.
    assert free_spans(design, design.racks["A01"], "front") == [(13.0, 49.0)]


def test_feed_letters_follow_the_cords() -> None:
    scratch = samples.draft()
    scratch.put("racks", Rack(id="A01", type="rack-48u"))
    scratch.put("devices", Device(id="srv", type="dgx-h100", rack="A01", u=1))
    scratch.put("devices", Device(id="pdu-a", type="pdu", rack="A01", slot="side-left"))
    scratch.put("devices", Device(id="pdu-b", type="pdu", rack="A01", slot="side-right"))
    for n in range(6):
        pdu = "pdu-a" if n % 2 == 0 else "pdu-b"
        scratch.put("cords", Cord(id=f"cord-{n}", a=End("srv", f"psu{n + 1}"), b=End(pdu, f"c19-{n + 1}")))
    design = samples.finished(scratch)
    assert feeds_of(design, design.devices["srv"]) == "ABABAB"
    assert feeds_of(design, design.devices["pdu-a"]) == "A"


def test_without_cords_no_feed_is_claimed() -> None:
    design = one_rack(Device(id="srv", type="dgx-h100", rack="A01", u=1))
    assert feeds_of(design, design.devices["srv"]) == ""
