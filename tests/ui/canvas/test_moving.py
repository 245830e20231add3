"""Moving devices: snapping in a rack, pinning on the fabric, by mouse and by keys; one undo step each."""

from PySide6.QtCore import Qt

from rackbuilder.design.design import Design
from rackbuilder.design.records import Device, Rack
from rackbuilder.layout.rack import U
from rackbuilder.ui.views.fabric import FabricView
from rackbuilder.ui.views.floor import FloorView
from rackbuilder.ui.views.rack import RackView
from tests.layout import samples
from tests.ui.canvas import mouse
from tests.ui.canvas.hosts import Opener


def two_racks() -> Design:
    scratch = samples.draft()
    for n in (1, 2):
        scratch.put("racks", Rack(id=f"A{n:02d}", type="rack-48u", x_m=0.7 * n, y_m=0.0))
    for n in range(1, 4):
        scratch.put("devices", Device(id=f"srv-{n}", type="dgx-h100", rack="A01", u=8 * n - 7))
    scratch.put("devices", Device(id="sw-1", type="qm9700", rack="A01", u=40))
    return samples.finished(scratch)


def test_a_drag_moves_to_the_unit_that_is_shown(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    start = mouse.middle(page, "sw-1")
    mouse.press(page, start)
    mouse.move(page, (start[0], start[1] + 2.2 * U))
    (ghost,) = page.canvas_view.overlay.marks("gesture").ghosts
    assert (ghost.ink, ghost.second) == ("target", "A01 U38")
    assert host.design.devices["sw-1"].u == 40  # nothing before release
    mouse.release(page, (start[0], start[1] + 2.2 * U))
    assert host.design.devices["sw-1"].u == 38
    assert page.canvas.drawing.boxes["sw-1"].place == ghost.place
    host.session.undo()
    assert host.design.devices["sw-1"].u == 40


def test_a_drag_to_another_rack(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    target = page.elevations()[1].unit_place(5, 1)
    mouse.drag(page, mouse.middle(page, "sw-1"), (target.cx, target.cy))
    device = host.design.devices["sw-1"]
    assert (device.rack, device.u) == ("A02", 5)


def test_a_refused_drop_says_why_and_where_it_fits(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    start, taken = mouse.middle(page, "sw-1"), page.elevations()[0].unit_place(10, 1)
    mouse.press(page, start)
    mouse.move(page, (taken.cx, taken.cy))
    marks = page.canvas_view.overlay.marks("gesture")
    assert [g.ink for g in marks.ghosts] == ["refuse", "target"]
    assert marks.ghosts[0].dash
    assert marks.signs[0].stop
    assert marks.signs[0].title == "U10 is taken by srv-2"
    assert marks.signs[0].lines[-1] == "Nearest free place: A02 U10."  # 244 units away; A01 U25 is 300
    mouse.release(page, (taken.cx, taken.cy))
    assert host.design.devices["sw-1"].u == 40
    assert not host.session.history.done


def test_escape_drops_a_move(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    start = mouse.middle(page, "sw-1")
    mouse.press(page, start)
    mouse.move(page, (start[0], start[1] + 3 * U))
    mouse.key(page, Qt.Key.Key_Escape)
    mouse.release(page, (start[0], start[1] + 3 * U))
    assert host.design.devices["sw-1"].u == 40
    assert not page.canvas_view.overlay.marks("gesture").ghosts


def test_a_selection_moves_together(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    host.selection.set(["srv-2", "srv-3"])
    start = mouse.middle(page, "srv-2")
    mouse.drag(page, start, (start[0], start[1] - 4 * U))
    assert [host.design.devices[f"srv-{n}"].u for n in (1, 2, 3)] == [1, 13, 21]
    assert len(host.session.history.done) == 1


def test_dropped_beside_the_racks_it_is_taken_out(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    place = page.elevations()[1].place
    mouse.drag(page, mouse.middle(page, "sw-1"), (place.right + 60, place.cy))
    assert host.design.devices["sw-1"].rack == ""
    assert [f.title for f in page.canvas.drawing.frames if f.kind == "shelf"] == ["Not in a rack: 1"]


def test_arrow_keys_move_by_a_unit_and_shift_by_ten(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    host.selection.set(["sw-1"])
    mouse.key(page, Qt.Key.Key_Down)
    assert host.design.devices["sw-1"].u == 39
    mouse.key(page, Qt.Key.Key_Down, mouse.SHIFT)
    assert host.design.devices["sw-1"].u == 29
    mouse.key(page, Qt.Key.Key_Up)
    assert host.design.devices["sw-1"].u == 30
    assert len(host.session.history.done) == 1  # keys in a row are one step
    mouse.key(page, Qt.Key.Key_Right)
    assert host.design.devices["sw-1"].rack == "A02"
    mouse.key(page, Qt.Key.Key_Left)
    assert host.design.devices["sw-1"].rack == "A01"


def test_an_arrow_key_into_a_taken_unit_is_refused(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    host.selection.set(["srv-1"])
    mouse.key(page, Qt.Key.Key_Up)
    assert host.design.devices["srv-1"].u == 1
    assert "stand in the same place" in host.refused[0].what


def test_on_the_fabric_a_drag_pins(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small())
    place = page.canvas.drawing.boxes["leaf-01"].place
    mouse.drag(page, mouse.middle(page, "leaf-01"), (place.cx + 83, place.cy - 41))
    pin = host.design.tables["drawing"]["fabric/leaf-01"]
    assert pin.pinned
    assert (pin.x, pin.y) == (round((place.x + 83) / 10) * 10, round((place.y - 41) / 10) * 10)
    assert page.canvas.drawing.boxes["leaf-01"].place[:2] == (pin.x, pin.y)
    assert host.design.devices == samples.small().devices


def test_keys_pin_by_the_grid(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small())
    place = page.canvas.drawing.boxes["srv-0002"].place
    host.selection.set(["srv-0002"])
    mouse.key(page, Qt.Key.Key_Right)
    mouse.key(page, Qt.Key.Key_Down, mouse.SHIFT)
    assert page.canvas.drawing.boxes["srv-0002"].place[:2] == (place.x + 10, place.y + 100)


def test_racks_move_on_the_floor(open_view: Opener) -> None:
    page, host = open_view(FloorView, two_racks())
    start = mouse.middle(page, "A01")
    mouse.drag(page, start, (start[0], start[1] + 90.0))  # 90 units are a metre
    assert (host.design.racks["A01"].x_m, host.design.racks["A01"].y_m) == (0.7, 1.0)
    mouse.key(page, Qt.Key.Key_Right)
    assert host.design.racks["A01"].x_m == 0.8
