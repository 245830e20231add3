"""Placing parts: dropped from the palette, clicked down, by keys; refused drops."""

from PySide6.QtCore import Qt

from rackbuilder.design.design import Design
from rackbuilder.layout.rack import U
from rackbuilder.ui.views.fabric import FabricView
from rackbuilder.ui.views.floor import FloorView
from rackbuilder.ui.views.rack import RackView
from tests.layout import samples
from tests.ui.canvas import mouse
from tests.ui.canvas.hosts import Opener
from tests.ui.canvas.test_moving import two_racks


def blank() -> Design:
    return samples.finished(samples.draft())


def test_a_drop_snaps_to_a_unit_and_shows_it_before(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    target = page.elevations()[1].unit_place(9, 8)
    drag = mouse.PartDrag(page, "dgx-h100")
    drag.over((target.cx, target.cy + 0.4 * U))
    (ghost,) = page.canvas_view.overlay.marks("gesture").ghosts
    assert (ghost.ink, ghost.second) == ("target", "A02 U9")
    assert len(host.design.devices) == 4
    drag.drop((target.cx, target.cy + 0.4 * U))
    (new,) = set(host.design.devices) - set(two_racks().devices)
    assert (host.design.devices[new].rack, host.design.devices[new].u) == ("A02", 9)
    assert not page.canvas_view.overlay.marks("gesture").ghosts


def test_a_drop_on_a_taken_unit_is_refused_with_the_nearest_place(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    taken = page.elevations()[0].unit_place(9, 8)
    drag = mouse.PartDrag(page, "dgx-h100")
    drag.over((taken.cx, taken.cy))
    marks = page.canvas_view.overlay.marks("gesture")
    assert marks.signs[0].title == "U9–U16 is taken by srv-2"
    assert [g.ink for g in marks.ghosts] == ["refuse", "target"]
    drag.drop((taken.cx, taken.cy))
    assert len(host.design.devices) == 4


def test_a_drag_that_leaves_shows_nothing(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    drag = mouse.PartDrag(page, "dgx-h100")
    drag.over((page.elevations()[1].place.cx, page.elevations()[1].place.cy))
    drag.leave()
    assert not page.canvas_view.overlay.marks("gesture").ghosts
    assert len(host.design.devices) == 4


def test_a_part_that_cannot_stand_alone_says_so(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    place = page.elevations()[0].place
    drag = mouse.PartDrag(page, "h100")
    drag.over((place.cx, place.cy))
    (sign,) = page.canvas_view.overlay.marks("gesture").signs
    assert sign.title == "H100 cannot stand alone"
    drag.drop((place.cx, place.cy))
    drag = mouse.PartDrag(page, "no-such-part")
    drag.drop((place.cx, place.cy))
    assert len(host.design.devices) == 4


def test_the_first_server_on_a_blank_fabric(open_view: Opener) -> None:
    page, host = open_view(FabricView, blank())
    mouse.PartDrag(page, "dgx-h100").drop((0.0, 0.0))
    (device,) = host.design.devices.values()
    assert device.type == "dgx-h100"
    assert device.id in page.canvas.drawing.boxes


def test_the_first_switch_makes_its_fabric_in_the_same_step(open_view: Opener) -> None:
    page, host = open_view(FabricView, blank())
    mouse.PartDrag(page, "qm9700").drop((0.0, 0.0))
    (device,) = host.design.devices.values()
    assert device.fabric in host.design.fabrics
    assert len(host.session.history.done) == 1
    host.session.undo()
    assert not host.design.fabrics


def test_over_the_fabric_the_final_place_is_ringed(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small())
    drag = mouse.PartDrag(page, "dgx-h100")
    drag.over((10.0, 10.0))
    (ring,) = page.canvas_view.overlay.marks("gesture").rings
    assert ring.ink == "target"
    drag.drop((10.0, 10.0))
    (new,) = set(host.design.devices) - set(samples.small().devices)
    assert page.canvas.drawing.boxes[new].place == ring.place


def test_a_drop_on_a_rack_of_the_fabric_goes_into_the_rack(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    vacant = next(f for f in page.canvas.drawing.frames if f.kind == "vacant")
    mouse.PartDrag(page, "dgx-h100").drop((vacant.place.cx, vacant.place.cy))
    (new,) = set(host.design.devices) - set(samples.superpod().devices)
    assert (host.design.devices[new].rack, host.design.devices[new].u) == ("D08", 25)


def test_the_place_tool_clicks_down_one_after_the_other(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    page.take_tool("place", "qm9700")
    for u in (20, 22):
        target = page.elevations()[1].unit_place(u, 1)
        mouse.click(page, (target.cx, target.cy))
    new = [d for d in host.design.devices.values() if d.rack == "A02"]
    assert sorted(d.u for d in new if d.u) == [20, 22]
    mouse.key(page, Qt.Key.Key_Escape)
    assert page.canvas_view.tool is page.tool("select")


def test_enter_places_in_the_selected_rack(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    page.take_tool("place", "qm9700")
    host.selection.set(["A02"])
    mouse.key(page, Qt.Key.Key_Return)
    (new,) = [d for d in host.design.devices.values() if d.rack == "A02"]
    assert new.u == 1


def test_a_rack_scale_system_comes_with_its_trays(open_view: Opener) -> None:
    page, host = open_view(RackView, two_racks())
    place = page.elevations()[1].place
    mouse.PartDrag(page, "nvl72").drop((place.right + 140, place.cy))
    types = [d.type for d in host.design.devices.values()]
    assert (types.count("gb200-tray"), types.count("nvswitch-tray")) == (18, 9)
    assert len(host.session.history.done) == 1


def test_a_rack_dropped_on_the_floor_stands_there(open_view: Opener) -> None:
    page, host = open_view(FloorView, two_racks())
    mouse.PartDrag(page, "rack-48u").drop((4 * 90.0, 2 * 90.0))
    (new,) = set(host.design.racks) - {"A01", "A02"}
    assert (host.design.racks[new].x_m, host.design.racks[new].y_m) == (4.0, 2.0)
