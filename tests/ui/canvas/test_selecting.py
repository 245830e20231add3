"""Click, Shift, Ctrl, rubber band, Esc; one selection for all views."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from rackbuilder.design.patch import Change, Patch
from rackbuilder.ui.views.fabric import FabricView
from rackbuilder.ui.views.rack import RackView
from tests.layout import samples
from tests.ui.canvas import mouse
from tests.ui.canvas.hosts import Opener


def test_a_click_selects_and_a_click_beside_clears(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    mouse.click(page, mouse.middle(page, "L11"))
    assert host.selection.refs == ("L11",)
    assert page.canvas_view.overlay.marks("selection").rings
    mouse.click(page, (-60.0, 980.0))
    assert host.selection.refs == ()


def test_shift_adds_and_control_toggles(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    mouse.click(page, mouse.middle(page, "L11"))
    mouse.click(page, mouse.middle(page, "srv-001"), mouse.SHIFT)
    assert host.selection.refs == ("L11", "srv-001")
    mouse.click(page, mouse.middle(page, "L11"), mouse.CONTROL)
    assert host.selection.refs == ("srv-001",)


def test_a_rubber_band_takes_what_it_touches(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    boxes = page.canvas.drawing.boxes
    start = (boxes["S01"].place.x - 10, boxes["S01"].place.y - 10)
    end = (boxes["S03"].place.cx, boxes["S03"].place.cy)
    mouse.press(page, start)
    mouse.move(page, end)
    assert page.canvas_view.overlay.marks("gesture").band is not None
    mouse.release(page, end)
    assert sorted(host.selection.refs) == ["S01", "S02", "S03"]
    assert page.canvas_view.overlay.marks("gesture").band is None


def test_escape_drops_a_rubber_band_and_then_clears(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    mouse.click(page, mouse.middle(page, "L11"))
    mouse.press(page, (-20.0, 980.0))
    mouse.move(page, mouse.middle(page, "srv-001"))
    mouse.key(page, Qt.Key.Key_Escape)
    mouse.release(page, mouse.middle(page, "srv-001"))
    assert host.selection.refs == ("L11",)
    mouse.key(page, Qt.Key.Key_Escape)
    assert host.selection.refs == ()


def test_a_run_selects_its_cables(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    trunk = next(p for p in page.canvas.drawing.pipes if p.kind == "trunk" and p.cables == 256)
    mouse.click(page, (trunk.x1, trunk.place.cy + 20))
    assert len(host.selection.refs) == 256
    assert all(ref in host.design.cables for ref in host.selection.refs)


def test_hovering_a_run_says_what_it_carries(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.superpod())
    trunk = next(p for p in page.canvas.drawing.pipes if p.kind == "trunk" and p.cables == 256)
    mouse.move(page, (trunk.x1, trunk.place.cy + 20))
    (sign,) = page.canvas_view.overlay.marks("hover").signs
    assert sign.title == "SU 1, 8 switches → 16 switches"
    assert sign.lines[0] == "256 cables · 102.4 Tb/s per direction"


def test_a_selected_leaf_lights_its_paths(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    host.selection.set(["L11"])
    texts = [chip.text for chip in page.canvas_view.overlay.marks("path").chips]
    # 32 uplinks over 16 spines, 2 each, of 400 Gb/s.
    assert "L11 → 16 spines · 32 cables, 2 each · 12.8 Tb/s per direction" in texts
    assert texts.count("2") == 16
    assert page.canvas_view.under.marks("lit").runs


def test_a_port_is_hit_by_arithmetic_at_device_level(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small())
    box = page.canvas.drawing.boxes["leaf-01"]
    place = page.canvas.port_places(box)["osfp9/1"]
    mouse.click(page, (place.cx, place.cy))
    assert host.selection.refs == ("leaf-01:osfp9/1",)


def test_one_selection_for_two_views(open_view: Opener) -> None:
    design = samples.mixed_row()
    fabric, host = open_view(FabricView, design)
    racks = RackView(host)
    try:
        racks.resize(1290, 787)
        racks.fit_all()
        host.selection.set(["srv-003"])
        for page in (fabric, racks):
            (ring,) = page.canvas_view.overlay.marks("selection").rings
            assert ring.place == page.canvas.drawing.boxes["srv-003"].place
    finally:
        racks.deleteLater()


def test_a_block_opens_in_place(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    block = next(f for f in page.canvas.drawing.frames if f.ref == "block:storage")
    mouse.click(page, (block.place.right - 14, block.place.y + 16))
    assert "stg-01" in page.canvas.drawing.boxes
    assert host.selection.refs == ()
    mouse.click(page, (block.place.cx, block.place.y + 12))
    assert set(host.selection.refs) == set(block.members)


def test_double_click_asks_for_the_inside(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.small())
    asked: list[str] = []
    page.opened.connect(asked.append)
    spot = mouse.middle(page, "srv-0002")
    QTest.mouseDClick(page.canvas_view.viewport(), mouse.LEFT, mouse.NONE, mouse.pixel(page, spot))
    assert asked == ["srv-0002"]


def test_a_split_port_is_hit_at_its_first_branch(open_view: Opener) -> None:
    design = samples.small(cabled=False)
    leaf = design.devices["leaf-01"]
    split = Change("devices", leaf.id, leaf, replace(leaf, modes={"osfp9": 2}))
    page, host = open_view(FabricView, design.apply(Patch("", (split,))))
    place = page.canvas.port_places(page.canvas.drawing.boxes["leaf-01"])["osfp9/1"]
    mouse.click(page, (place.cx, place.cy))
    assert host.selection.refs == ("leaf-01:osfp9/1.1",)
