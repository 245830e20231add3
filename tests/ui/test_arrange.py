"""The panels hold their places in each size of window, and places and views are found again at the next start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from rackbuilder.session.settings import load_settings
from rackbuilder.ui.arrange import arrangement
from rackbuilder.ui.places import MOST_FILES, Places
from tests.ui.drive import key, settle

# The table of the visual design: logical size, left, right, bottom, least canvas.
SIZES = {
    (1920, 1080): (252, 376, 200, (1270, 770)),
    (2560, 1440): (280, 400, 240, (1530, 1090)),
    (3840, 2160): (320, 420, 320, (2600, 1700)),
}


def at_work(open_window: Any, pod: Path, size: tuple[int, int]) -> Any:
    window = open_window(pod, size=size)
    settle()
    return window


@pytest.mark.parametrize("size", SIZES)
def test_docks_of_a_size(size: tuple[int, int], open_window: Any, small_pod: Path) -> None:
    left, right, bottom, (width, height) = SIZES[size]
    window = at_work(open_window, small_pod, size)
    docks = window.docks.docks
    assert docks["parts"].width() == pytest.approx(left, abs=4)
    assert docks["tree"].y() > docks["parts"].y()
    assert docks["live"].width() == pytest.approx(right, abs=4)
    assert docks["bottom"].height() == pytest.approx(bottom, abs=8)
    assert window.centre.width() >= width
    assert window.centre.height() >= height
    assert not window.rail.isVisible()
    assert not window.centre.worst.isVisible()


def test_properties_stand_below_live_and_beside_it_in_a_large_window(
    open_window: Any, small_pod: Path
) -> None:
    window = at_work(open_window, small_pod, (1920, 1080))
    live, properties = window.docks.docks["live"], window.docks.docks["properties"]
    assert (properties.x(), properties.width()) == (live.x(), live.width())
    assert properties.y() > live.y()
    assert properties.height() >= 150
    window.resize(2560, 1440)
    settle()
    assert properties.y() == live.y()
    assert properties.x() > live.x()
    assert properties.width() == pytest.approx(320, abs=4)


def test_a_huge_window_has_two_views_and_charts_beside_problems(open_window: Any, small_pod: Path) -> None:
    window = at_work(open_window, small_pod, (3840, 2160))
    assert window.centre.beside.isVisible()
    assert window.centre.beside.currentWidget().kind == "racks"
    assert window.centre.beside.width() == pytest.approx(window.centre.stack.width(), abs=20)
    charts, bottom = window.docks.docks["charts"], window.docks.docks["bottom"]
    assert charts.isVisible()
    assert charts.y() == bottom.y()
    assert charts.x() > bottom.x()
    window.show_view("racks")
    assert window.centre.beside.currentWidget().kind == "fabric"
    window.resize(1920, 1080)
    settle()
    assert not window.centre.beside.isVisible()
    assert not charts.isVisible()
    assert window.charts in window.docks.tabs["bottom"]


@pytest.mark.parametrize(("size", "canvas"), [((1366, 768), (1000, 600)), ((1024, 640), (640, 480))])
def test_a_small_window_has_rail_tabs_and_line(
    size: tuple[int, int], canvas: tuple[int, int], open_window: Any, small_pod: Path
) -> None:
    window = at_work(open_window, small_pod, size)
    assert window.rail.isVisible()
    assert window.rail.width() == 44
    assert window.centre.worst.isVisible()
    assert window.centre.worst.height() == 29
    strip = window.docks.tabs["live"].title.strip
    assert [strip.tabText(n) for n in range(strip.count())] == ["Live", "Properties", "Parts"]
    assert window.docks.docks["live"].width() == pytest.approx(316, abs=4)
    assert window.view.width() >= canvas[0]
    assert window.view.height() >= canvas[1]
    names = ("parts", "tree", "properties", "bottom")
    assert not any(window.docks.docks[name].isVisible() for name in names)
    assert window.toolbar.search.geometry().right() < window.toolbar.width()


def test_the_window_gets_no_smaller_than_it_can_be_used(open_window: Any, small_pod: Path) -> None:
    window = at_work(open_window, small_pod, (1024, 640))
    window.resize(300, 200)
    assert (window.width(), window.height()) == (1024, 640)


def test_a_fly_out_opens_over_the_canvas_and_escape_closes_it(open_window: Any, small_pod: Path) -> None:
    window = at_work(open_window, small_pod, (1366, 768))
    window.rail.buttons["parts"].click()
    settle()
    assert window.parts.isVisible()
    assert window.parts.mapTo(window, window.parts.rect().topLeft()).x() >= 44
    key(window.rail.flyout, Qt.Key.Key_Escape)
    assert not window.rail.flyout.isVisible()
    assert not window.rail.buttons["parts"].defaultAction().isChecked()
    window.actions_by_id["analyse.next_problem"].trigger()  # F8 brings the problems out
    assert window.problems.isVisible()


def test_a_panel_goes_to_the_rail_and_back_unhurt(open_window: Any, small_pod: Path) -> None:
    window = at_work(open_window, small_pod, (1920, 1080))
    for size in ((1366, 768), (1920, 1080), (1366, 768), (3840, 2160), (1920, 1080)):
        window.resize(*size)
        settle()
    for name in ("parts", "tree", "live", "properties", "bottom"):
        assert window.docks.docks[name].isVisible(), name
    panels = (window.parts, window.tree, window.live, window.properties, window.problems)
    assert all(panel.isVisible() for panel in panels)
    strip = window.docks.tabs["bottom"].title.strip
    assert [strip.tabText(n) for n in range(4)] == ["Problems", "Bill of materials", "Charts", "History"]


def test_arrangements_by_size() -> None:
    assert arrangement(1599, 900).name == "small"
    assert arrangement(1600, 860).name == "normal"
    assert arrangement(1920, 1080).name == "normal"
    assert arrangement(2560, 1440).name == "large"
    assert arrangement(3840, 2160).name == "huge"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_dock_detaches_and_comes_back(pod: Any) -> None:
    dock = pod.docks.docks["live"]
    pod.docks.tabs["live"].title.floated.emit()
    assert dock.isFloating()
    assert pod.live.isVisible()
    pod.resize(2560, 1440)
    settle()
    assert dock.isFloating()  # another size of window leaves it where the user put it
    pod.docks.tabs["live"].title.floated.emit()
    assert not dock.isFloating()


def test_panels_are_shown_and_hidden_from_the_menu(pod: Any) -> None:
    action = pod.docks.docks["tree"].toggleViewAction()
    assert action in pod.actions_by_id.menus["Window"].actions()
    action.trigger()
    assert not pod.tree.isVisible()
    action.trigger()
    assert pod.tree.isVisible()


def test_the_start_page_has_the_window_to_itself(open_window: Any, small_pod: Path) -> None:
    window = open_window()
    assert window.centre.start.isVisible()
    assert not any(dock.isVisible() for dock in window.docks.docks.values())
    assert not window.toolbar.isVisible()
    assert not window.rail.isVisible()
    window.files.open(small_pod)
    settle()
    assert window.toolbar.isVisible()
    assert window.docks.docks["live"].isVisible()
    window.actions_by_id["file.start"].trigger()
    assert not window.docks.docks["live"].isVisible()


# ---- found again (what is saved and reopened is as it was, to the pixel)


def closed(window: Any) -> None:
    window.close()
    QApplication.processEvents()


def test_view_zoom_place_and_layers_of_a_file_are_found_again(open_window: Any, small_pod: Path) -> None:
    first = open_window(small_pod)
    settle()
    first.view.canvas_view.zoom_by(3)
    first.layers.boxes["in-band"].setChecked(True)
    first.layers.boxes["compute"].setChecked(False)
    seen = first.view.canvas_view.window_place()
    leaf = first.view.canvas.drawing.boxes["leaf-03"].place
    pixel = first.view.canvas_view.to_window(leaf.x, leaf.y)
    first.show_view("racks")
    closed(first)
    second = open_window(small_pod)
    assert second.document.view_name == "racks"
    second.show_view("fabric")
    settle()
    assert second.view.canvas_view.window_place() == seen
    leaf = second.view.canvas.drawing.boxes["leaf-03"].place
    assert second.view.canvas_view.to_window(leaf.x, leaf.y) == pixel
    assert second.layers.boxes["in-band"].isChecked()
    assert not second.layers.boxes["compute"].isChecked()


def test_docks_are_found_again_at_the_size_they_were_left(open_window: Any, small_pod: Path) -> None:
    first = open_window(small_pod)
    first.docks.docks["tree"].hide()
    first.resizeDocks([first.docks.docks["bottom"]], [320], Qt.Orientation.Vertical)
    settle()
    height = first.docks.docks["bottom"].height()
    assert height > 250
    closed(first)
    second = open_window(small_pod)
    settle()
    assert not second.docks.docks["tree"].isVisible()
    assert second.docks.docks["bottom"].height() == height
    second.resize(1366, 768)  # another size has places of its own
    settle()
    assert second.rail.isVisible()
    second.resize(1920, 1080)
    settle()
    assert second.docks.docks["bottom"].height() == height


def test_two_files_keep_a_view_each(open_window: Any, small_pod: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.rackbuilder"
    other.write_bytes(small_pod.read_bytes())
    window = open_window(small_pod)
    window.show_view("table")
    window.files.open(other)
    window.show_view("floor")
    window.files.open(small_pod)
    assert window.document.view_name == "table"
    window.files.open(other)
    assert window.document.view_name == "floor"


def test_damaged_settings_are_never_fatal(open_window: Any, small_pod: Path) -> None:
    for windows in ({"docks": 7, "geometry": 3, "files": []}, {"docks": {"normal": 5}, "geometry": "!"}):
        places = Places(windows)  # type: ignore[arg-type]
        assert places.of_file(small_pod) == ("", {})
        places.keep_file(small_pod, "fabric", {}, "")
        assert places.of_file(small_pod)[0] == "fabric"
    window = open_window(small_pod)
    window.docks.restore({"normal": "not a state", "large": 5})
    window.docks.arrange(window.docks.plan, anew=True)
    assert window.docks.docks["live"].isVisible()


def test_only_so_many_files_are_remembered() -> None:
    places = Places({})
    for n in range(MOST_FILES + 5):
        places.keep_file(Path(f"/d/{n}"), "fabric", {}, "")
    assert places.of_file(Path("/d/0"))[0] == ""
    assert places.of_file(Path(f"/d/{MOST_FILES + 4}"))[0] == "fabric"


def test_recent_files_say_what_was_in_them(open_window: Any, small_pod: Path) -> None:
    window = open_window(small_pod)
    closed(window)
    assert load_settings().settings.recent == (str(small_pod),)
    again = open_window()
    path, summary = again.centre.start._recent[0]
    assert path == small_pod
    assert summary.startswith("31 servers · ")
