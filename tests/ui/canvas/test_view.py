"""The view: exact zoom, pan, fit, levels, ports hit at any scale, only what a patch names is touched."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from rackbuilder.analysis.report import Report
from rackbuilder.analysis.results import LinkLoad, Loads
from rackbuilder.commands.devices import MoveDevice, Rename
from rackbuilder.commands.marks import AddFault
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import Policy
from rackbuilder.errors import Problem
from rackbuilder.layout.lod import Level
from rackbuilder.ui import theme
from rackbuilder.ui.views.fabric import FabricView
from rackbuilder.ui.views.page import CanvasPage
from rackbuilder.ui.views.rack import RackView
from rackbuilder.ui.views.server import ServerView
from tests.layout import samples
from tests.ui.canvas import mouse
from tests.ui.canvas.hosts import Opener


def wheel(page: CanvasPage, at: QPoint, steps: int) -> None:
    port = page.canvas_view.viewport()
    no, buttons = Qt.KeyboardModifier.NoModifier, Qt.MouseButton.NoButton
    spot = QPointF(at)
    event = QWheelEvent(
        spot,
        port.mapToGlobal(spot),
        QPoint(),
        QPoint(0, 120 * steps),
        buttons,
        no,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(port, event)


def test_zooming_in_and_out_fifty_times_ends_where_it_began(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.superpod())
    before, shown = page.canvas_view.look, page.canvas_view.to_window(400.0, 300.0)
    at = QPoint(317, 211)
    for _ in range(50):
        wheel(page, at, 1)
        wheel(page, at, -1)
    for steps in (7, -3, -4):
        wheel(page, at, steps)
    after = page.canvas_view.look
    assert abs(after.zoom - before.zoom) < 1e-12
    assert abs(after.x - before.x) < 1e-9
    assert abs(after.y - before.y) < 1e-9
    assert page.canvas_view.to_window(400.0, 300.0) == shown


def test_the_point_under_the_cursor_stays(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.superpod())
    at = QPoint(317, 211)
    spot = page.canvas_view.to_scene(QPointF(at))
    wheel(page, at, 5)
    assert (page.canvas_view.to_window(*spot) - QPointF(at)).manhattanLength() <= 2


def test_pan_by_middle_drag_and_by_space(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.superpod())
    port = page.canvas_view.viewport()
    before = page.canvas_view.look
    QTest.mousePress(port, Qt.MouseButton.MiddleButton, mouse.NONE, QPoint(300, 300))
    QTest.mouseMove(port, QPoint(380, 260))
    QTest.mouseRelease(port, Qt.MouseButton.MiddleButton, mouse.NONE, QPoint(380, 260))
    moved = page.canvas_view.look
    assert abs((before.x - moved.x) * before.zoom - 80) < 1e-6
    assert abs((moved.y - before.y) * before.zoom - 40) < 1e-6
    QTest.keyPress(page.canvas_view, Qt.Key.Key_Space)
    QTest.mousePress(port, mouse.LEFT, mouse.NONE, QPoint(380, 260))
    QTest.mouseMove(port, QPoint(300, 300))
    QTest.mouseRelease(port, mouse.LEFT, mouse.NONE, QPoint(300, 300))
    QTest.keyRelease(page.canvas_view, Qt.Key.Key_Space)
    assert abs(page.canvas_view.look.x - before.x) < 1e-9


def test_fit_shows_everything_and_fit_selection_what_is_selected(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    page.canvas_view.zoom_by(9)
    mouse.key(page, Qt.Key.Key_F, mouse.SHIFT)
    seen, bounds = page.canvas_view.window_place(), page.canvas.drawing.bounds
    assert seen.x <= bounds.x
    assert seen.right >= bounds.right
    assert seen.y <= bounds.y
    assert seen.bottom >= bounds.bottom
    host.selection.set(["srv-001"])
    mouse.key(page, Qt.Key.Key_F)
    seen, place = page.canvas_view.window_place(), page.canvas.drawing.boxes["srv-001"].place
    assert seen.w < 1200
    assert seen.holds(place.x, place.y)
    assert seen.holds(place.right, place.bottom)


def test_framing_moves_only_when_needed(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.superpod())
    look = page.canvas_view.look
    page.frame(["srv-001"])
    assert page.canvas_view.look == look
    page.canvas_view.zoom_by(12)
    page.frame(["srv-001", "srv-002"])
    place = page.canvas.drawing.boxes["srv-001"].place
    assert page.canvas_view.window_place().holds(place.cx, place.cy)


def test_a_view_that_is_enlarged_keeps_its_middle(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.superpod())
    page.canvas_view.zoom_by(3)
    look = page.canvas_view.look
    page.resize(1500, 900)
    QApplication.processEvents()
    assert page.canvas_view.look == look


def test_state_comes_back_to_the_pixel(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.superpod())
    page.canvas_view.zoom_by(2.5)
    page.hide_layers(frozenset(["storage", "in-band"]))
    page.set_mode("rail")
    state = page.state()
    other, _ = open_view(FabricView, samples.superpod())
    other.restore(state)
    assert other.state() == state
    for spot in ((0.0, 0.0), (700.0, 300.0)):
        assert other.canvas_view.to_window(*spot) == page.canvas_view.to_window(*spot)
    other.restore({"zoom": "wrong", "hidden": 7, "mode": "no such"})  # type: ignore[dict-item]
    assert other.state() == state


def test_levels_hide_what_they_should(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.superpod())
    view = page.canvas_view
    assert view.level is Level.RACK
    spot = mouse.middle(page, "srv-001")
    assert page.canvas.device_at(*spot, Level.RACK) is not None
    assert page.canvas.device_at(*spot, Level.ROW) is None
    assert page.canvas.device_at(*spot, Level.HALL) is None


def test_only_what_a_patch_names_is_touched(open_view: Opener) -> None:
    page, host = open_view(RackView, samples.mixed_row())
    items = dict(page.canvas.devices)
    patch = host.session.do(MoveDevice(devices=("eth-1",), rack="A03", u=44))
    assert page.apply_patch(patch) == []  # done already, by following the session
    assert page.canvas.devices == items
    assert page.canvas.devices["eth-1"].box == page.canvas.drawing.boxes["eth-1"]


def test_a_rename_touches_one_item(open_view: Opener) -> None:
    page, host = open_view(RackView, samples.mixed_row())
    host.views.clear()
    assert page.apply_patch(host.session.do(Rename(ref="srv-003", name="alpha"))) == ["srv-003"]


def test_a_change_of_no_drawing_touches_nothing(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.small())
    drawing = page.canvas.drawing
    policy = Policy(id="currency", value="EUR")
    assert page.apply_patch(Patch("", (Change("policies", policy.id, None, policy),))) == []
    assert page.canvas.drawing is drawing


def loads_of(host: object, share: float) -> Report:
    rows = [
        LinkLoad(a, b, graph.id, "server-leaf", len(edge["cables"]), edge["capacity_bps"], 1.0, share)
        for graph in host.graphs.fabrics.values()  # type: ignore[attr-defined]
        for a, b, edge in graph.edges()
    ]
    return Report(results={"loads": Loads(tuple(rows))})


def test_colours_follow_the_loads_and_the_choice(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod(units=1, spines=4))
    assert page.mode == "scope"  # no step has been computed
    host.report = loads_of(host, 0.52)
    page.report_changed()
    assert page.mode == "load"
    tint = page.canvas.cables.colouring.tint((0,), page.canvas.drawing.pairs, "server-leaf", None)
    assert (tint.ink, tint.share) == ("load:4", 0.52)
    page.set_mode("rail")
    assert page.mode == "rail"
    assert "rail 8" in page.legend.text


def test_an_unknown_load_is_hatched(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.small())
    page.set_mode("load")
    tint = page.canvas.cables.colouring.tint((0,), page.canvas.drawing.pairs, "server-leaf", None)
    assert tint.share is None


def test_problems_stand_at_the_corner_of_their_device(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small())
    found = (
        Problem("a", severity="warning", refs=("leaf-01",)),
        Problem("b", severity="error", refs=("leaf-01:osfp1/1",)),
        Problem("c", severity="error", refs=("srv-0001",)),
    )
    host.report = Report(problems=found, waived={2: "known"})
    page.report_changed()
    (badge,) = page.canvas_view.overlay.marks("problems").badges
    assert badge.severity == "error"
    assert badge.place == page.canvas.drawing.boxes["leaf-01"].place


def test_culprits_have_a_dashed_ring(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.superpod())
    page.show_culprits(["srv-023", "srv-024"])
    rings = page.canvas_view.overlay.marks("culprits").rings
    assert len(rings) == 2
    assert all(ring.ink == "error" and ring.dash for ring in rings)


def test_a_change_of_theme_repaints_in_its_colours(open_view: Opener, qapp: QApplication) -> None:
    page, _ = open_view(FabricView, samples.small())
    light = page.grab().toImage()
    theme.apply(qapp, "dark")
    QApplication.processEvents()
    dark = page.grab().toImage()
    corner = QPoint(20, 300)
    assert light.pixelColor(corner) == theme.colour(theme.LIGHT.canvas)
    assert dark.pixelColor(corner) == theme.colour(theme.DARK.canvas)
    assert page.canvas.brushes.theme is theme.DARK


def test_a_run_is_painted_in_the_colour_of_its_load(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    host.report = loads_of(host, 0.8)
    page.report_changed()
    trunk = next(p for p in page.canvas.drawing.pipes if p.kind == "trunk" and p.cables == 256)
    at = mouse.pixel(page, (trunk.x1, trunk.place.cy + 30)) + QPoint(0, page.canvas_view.y())
    image = page.grab().toImage()
    colours = {image.pixelColor(at + QPoint(dx, 0)).name() for dx in range(-6, 7)}
    assert theme.LIGHT.load[4] in colours  # 75 to 90 %
    assert theme.LIGHT.track in colours


def test_the_server_view_follows_the_selection(open_view: Opener) -> None:
    page, host = open_view(ServerView, samples.superpod())
    host.selection.set(["srv-023"])
    assert page.device == "srv-023"
    assert "srv-023.gpu7" in page.canvas.drawing.boxes


def test_a_view_out_of_sight_catches_up_when_shown(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small())
    host.views.clear()
    page.hide()
    seen: list[object] = []
    host.session.changed.append(lambda event: (page.follow_event(event), seen.append(event)))
    host.session.do(Rename(ref="srv-0001", name="alpha"))
    assert seen
    assert page.canvas.drawing.boxes["srv-0001"].texts["name"] == "srv-0001"
    page.show()
    assert page.canvas.drawing.boxes["srv-0001"].texts["name"] == "alpha"


def test_the_corners_stay_where_they_are(open_view: Opener) -> None:
    """Zooming and panning scroll the drawing, and nothing else."""
    page, _ = open_view(FabricView, samples.superpod())
    before = [w.geometry() for w in (page.legend, page.zoom_label, page.minimap)]
    page.canvas_view.zoom_by(3)
    page.canvas_view.set_look(page.canvas_view.look.panned(150.0, -90.0))
    assert [w.geometry() for w in (page.legend, page.zoom_label, page.minimap)] == before
    for widget in (page.legend, page.zoom_label, page.minimap):
        assert page.canvas_view.rect().contains(widget.geometry())
    assert page.zoom_label.text == f"{page.canvas_view.zoom * 100:.0f} %"


def test_loads_that_are_all_unknown_do_not_hatch_everything(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.small())
    rows = tuple(replace(row, utilisation=None) for row in loads_of(host, 0.5).loads.links)  # type: ignore[union-attr]
    host.report = Report(results={"loads": Loads(rows)})
    page.report_changed()
    assert page.mode == "scope"
    assert page._modes.current() == "scope"


def test_a_badge_is_painted_at_its_device(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    host.report = Report(problems=(Problem("a", refs=("L20",)),))
    page.report_changed()
    place = page.canvas.drawing.boxes["L20"].place
    corner = mouse.pixel(page, (place.right, place.y)) + QPoint(0, page.canvas_view.y())
    image = page.grab().toImage()
    near = {image.pixelColor(corner + QPoint(dx, dy)).name() for dx in range(-6, 7) for dy in range(-6, 7)}
    assert theme.LIGHT.error in near


def test_a_failed_link_has_a_cross_and_says_how_many(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    host.do(AddFault(ref="L01~S01", links=1))
    host.do(AddFault(ref="srv-005"))
    marks = page.canvas_view.overlay.marks("faults")
    assert [chip.text for chip in marks.chips] == ["1 of 2"]
    assert len(marks.crosses) == 2
    assert all(run.ink == "error" and run.dash == (2.0, 4.0) for run in marks.runs)


def test_two_devices_selected_show_the_path_between_them(open_view: Opener) -> None:
    page, host = open_view(FabricView, samples.superpod())
    host.selection.set(["srv-001", "srv-100"])  # of two units: up to a spine and down
    (chip,) = page.canvas_view.overlay.marks("path").chips
    assert chip.text == "3 switches · 400 Gb/s per direction each"
    lit = {point for run in page.canvas_view.under.marks("lit").runs for point in run.points}
    assert any(point[1] < page.canvas.drawing.boxes["L01"].place.y for point in lit)
    host.selection.set(["srv-001", "srv-002"])
    (chip,) = page.canvas_view.overlay.marks("path").chips
    assert chip.text == "1 switch · 400 Gb/s per direction each"


def test_what_is_selected_is_spoken(open_view: Opener) -> None:
    page, host = open_view(RackView, samples.mixed_row())
    assert page.canvas_view.accessibleName() == "Racks drawing"
    host.selection.set(["srv-003"])
    assert page.canvas_view.accessibleDescription() == "srv-003, rack A01, U17–U24"
    host.selection.set(["srv-003", "L01"])
    assert page.canvas_view.accessibleDescription() == "2 items selected, L01 last"


def test_a_narrow_header_drops_words_before_switches(open_view: Opener) -> None:
    page, _ = open_view(FabricView, samples.small())
    page.resize(640, 500)
    QApplication.processEvents()
    assert page.width() == 640
    assert not page.header.note.isVisible()
    assert page._modes.isVisible()
    assert page._chips["compute"].isVisible()
    page.resize(1290, 700)
    QApplication.processEvents()
    assert page.header.note.isVisible()
    assert all(chip.isVisible() for chip in page._chips.values())


_SCALED = """
import sys
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
app = QApplication([])
from rackbuilder.ui import theme
from rackbuilder.ui.views.fabric import FabricView
from rackbuilder.ui.views.rack import RackView
from tests.layout import samples
from tests.ui.canvas import mouse
from tests.ui.canvas.hosts import PlainHost
theme.apply(app, "light")
host = PlainHost(samples.small())
page = FabricView(host)
page.resize(1290, 787); page.show(); app.processEvents(); page.fit(["leaf-01"])
place = page.canvas.port_places(page.canvas.drawing.boxes["leaf-01"])["osfp9/1"]
for steps in (0, 1.3, 2.7, -0.9):
    page.canvas_view.zoom_by(steps)
    mouse.click(page, (place.cx, place.cy))
    assert host.selection.refs == ("leaf-01:osfp9/1",), (steps, host.selection.refs)
print(app.devicePixelRatio(), page.grab().devicePixelRatio())
"""


@pytest.mark.slow
@pytest.mark.parametrize("factor", ["1", "1.25", "1.5", "2"])
def test_a_click_hits_port_17_at_every_screen_scale(factor: str) -> None:
    """osfp9/1 is port 17 of a switch whose cages hold two ports each."""
    environment = {**os.environ, "QT_SCALE_FACTOR": factor, "QT_QPA_PLATFORM": "offscreen"}
    ran = subprocess.run(
        [sys.executable, "-c", _SCALED], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split()[1] == str(float(factor))
