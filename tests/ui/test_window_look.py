"""Light and dark on every panel, names and keys for those who see or point less, and the canvas within its window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage, QPalette
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabBar,
    QWidget,
)

from rackbuilder.ui import theme
from rackbuilder.ui.dialogs.template import TemplateDialog
from rackbuilder.ui.theme import DARK, LIGHT, contrast
from rackbuilder.ui.widgets import Painted
from tests.ui.canvas import mouse
from tests.ui.drive import key, settle


def lightness(widget: QWidget) -> float:
    """Mean of the picture of a widget, 0 black to 1 white."""
    image = widget.grab().toImage().convertToFormat(QImage.Format.Format_Grayscale8)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return float(rows[:, : image.width()].mean()) / 255


def bodies(window: Any) -> list[QWidget]:
    return [window.parts, window.tree, window.live, window.properties, window.problems, window.toolbar, window.status,
            window.menuBar(), window.view, *(tabs.title for tabs in window.docks.tabs.values())]  # fmt: skip


def test_every_panel_follows_the_theme_at_once(pod: Any) -> None:
    shown = [body for body in bodies(pod) if body.isVisible()]
    assert all(lightness(body) > 0.6 for body in shown)
    pod.actions_by_id["view.dark"].trigger()
    settle()
    assert {type(b).__name__: round(lightness(b), 2) for b in shown if lightness(b) > 0.42} == {}
    for panel in (pod.bom, pod.charts, pod.history):
        pod.show_panel(panel)
        settle()
        assert lightness(panel) < 0.42, type(panel).__name__
    pod.actions_by_id["view.light"].trigger()
    settle()
    assert {
        type(b).__name__: round(lightness(b), 2) for b in shown if b.isVisible() and lightness(b) < 0.6
    } == {}


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_no_words_are_unreadable(mode: str, pod: Any) -> None:
    """WCAG 2: 4.5 to 1 for text, on whatever its palette says is behind it."""
    pod.actions_by_id[f"view.{mode}"].trigger()
    settle()
    role = QPalette.ColorRole
    pairs = ((role.WindowText, role.Window), (role.Text, role.Base), (role.ButtonText, role.Button))
    weak = []
    for widget in pod.findChildren(QWidget):
        palette = widget.palette()
        for ink, ground in pairs:
            ratio = contrast(palette.color(ink).name(), palette.color(ground).name())
            if widget.isVisible() and ratio < 4.5:
                weak.append((type(widget).__name__, ink.name, round(ratio, 1)))
    assert weak == []


def test_the_choice_of_theme_is_remembered(open_window: Any) -> None:
    window = open_window()
    window.actions_by_id["view.dark"].trigger()
    assert theme.current() is DARK
    assert open_window().files.settings.theme == "dark"
    window.actions_by_id["view.light"].trigger()
    assert theme.current() is LIGHT


def test_the_template_sheet_is_dark_in_the_dark(pod: Any, qtbot: Any) -> None:
    pod.actions_by_id["view.dark"].trigger()
    dialog = TemplateDialog(pod, pod.document.catalog, inline=True)
    dialog.show()
    settle()
    assert lightness(dialog) < 0.42
    dialog.reject()
    dialog.deleteLater()


# ---- names and keys


def test_whatever_takes_the_keyboard_has_a_name(pod: Any) -> None:
    """A screen reader says what a field, list, tab or button is."""
    for panel in (pod.problems, pod.bom, pod.charts, pod.history):
        pod.show_panel(panel)
    nameless = [
        f"{type(w).__name__} in {type(w.parentWidget()).__name__}"
        for w in pod.findChildren(QWidget)
        if w.isVisible() and w.focusPolicy() & Qt.FocusPolicy.TabFocus and not _named(w)
    ]
    assert nameless == []


def _named(widget: QWidget) -> bool:
    texts = [widget.accessibleName()]
    if isinstance(widget, QAbstractButton | QLabel):
        texts.append(widget.text())
    if isinstance(widget, QLineEdit):
        texts.append(widget.placeholderText())
    if isinstance(widget, QTabBar):
        texts.append(widget.tabText(0))
    holder = widget.parentWidget()
    inside = isinstance(holder, QAbstractScrollArea | QComboBox) or "Scroll" in type(widget).__name__
    return inside or any(texts)


def test_tab_reaches_every_part_of_the_window(pod: Any) -> None:
    """Tool bar, search, palette, tree, canvas, live panel, properties and the list of problems, without a mouse."""
    pod.activateWindow()
    pod.toolbar.search.setFocus(Qt.FocusReason.TabFocusReason)
    wanted = {"toolbar": pod.toolbar, "parts": pod.parts, "tree": pod.tree, "view": pod.view, "live": pod.live,
              "properties": pod.properties, "problems": pod.problems}  # fmt: skip
    reached: set[str] = set()
    for _ in range(150):
        focus = QApplication.focusWidget()
        reached |= {name for name, part in wanted.items() if focus is not None and part.isAncestorOf(focus)}
        if reached == set(wanted):
            break
        key(focus or pod, Qt.Key.Key_Tab)
    assert reached == set(wanted)


def test_painted_panels_say_what_they_show(pod: Any) -> None:
    silent = [
        type(w).__name__
        for w in pod.findChildren(Painted)
        if w.isVisible() and w.height() and not w.accessibleName()
    ]
    assert silent == []


def test_tools_say_their_name_and_key(pod: Any) -> None:
    from rackbuilder.ui.widgets.picker import ToolButton

    tips = [button.toolTip() for button in pod.toolbar.findChildren(ToolButton)]
    assert tips == [
        "Open a design  Ctrl+O", "Save the design  Ctrl+S", "Take back the last step  Ctrl+Z",
        "Repeat the step taken back  Ctrl+Shift+Z", "Select and move  V",
        "Place the chosen part  P", "Cable from a selection to devices  C",
        "Move the view; Space does so in every tool  H",
    ]  # fmt: skip


# ---- the canvas within its window


def test_the_tool_in_hand_is_marked_and_escape_puts_it_down(pod: Any) -> None:
    key(pod.view.canvas_view, Qt.Key.Key_C)
    assert pod.actions_by_id["tool.cable"].isChecked()
    key(pod.view.canvas_view, Qt.Key.Key_Escape)
    assert pod.actions_by_id["tool.select"].isChecked()
    key(pod.view.canvas_view, Qt.Key.Key_C)
    pod.show_view("racks")  # a tool stays in hand from view to view
    assert pod.view.canvas_view.tool.name == "cable"


def test_a_part_is_dragged_from_the_palette_into_a_rack(blank: Any) -> None:
    blank.handlers.place_part("52u-700x1200")
    blank.show_view("racks")
    settle()
    rack = blank.view.elevations()[0].place
    drag = mouse.PartDrag(blank.view, "dgx-h100")
    drag.drop((rack.cx, rack.bottom - 20))
    device = blank.document.design.devices["srv-0001"]
    assert device.rack == "rack-01"


def test_a_refused_drop_says_why_before_release(blank: Any) -> None:
    """A tray of an NVL72 rack has no place in a 19-inch rack."""
    blank.handlers.place_part("52u-700x1200")
    blank.show_view("racks")
    settle()
    trays = [p for p in blank.document.catalog.parts.values() if getattr(p, "category", "") == "compute-tray"]
    rack = blank.view.elevations()[0].place
    drag = mouse.PartDrag(blank.view, trays[0].id)
    drag.over((rack.cx, rack.cy))
    marks = blank.view.canvas_view.overlay.marks("gesture")
    assert marks.signs
    assert marks.signs[0].stop
    assert "NVL72" in " ".join((marks.signs[0].title, *marks.signs[0].lines))
    drag.drop((rack.cx, rack.cy))
    assert not blank.document.design.devices


def test_place_by_enter_goes_into_the_selected_rack_with_room(blank: Any) -> None:
    """52U take six servers of 8U; the seventh goes to the next rack."""
    for _ in range(2):
        blank.handlers.place_part("52u-700x1200")
    blank.document.selection.set(["rack-01"])
    blank.handlers.place_part("dgx-h100", 6)
    racks = [d.rack for d in blank.document.design.devices.values()]
    assert racks == ["rack-01"] * 6
    blank.handlers.place_part("dgx-h100")
    assert blank.document.design.devices["srv-0007"].rack == "rack-02"


def test_what_cannot_stand_alone_is_refused_in_words(blank: Any) -> None:
    cable = next(p for p in blank.document.catalog.parts.values() if p.kind == "cable")
    blank.handlers.place_part(cable.id)
    assert "cannot stand alone" in blank.centre.banner.words()


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_context_menu_selects_what_it_is_about(pod: Any) -> None:
    pod.handlers.context_menu(QPoint(10, 10), "leaf-02")
    assert pod.document.selection.refs == ("leaf-02",)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    texts = [a.text() for a in menu.actions() if not a.isSeparator()]
    assert texts[:4] == ["Copy", "Paste", "Duplicate", "Delete"]
    menu.close()


def test_a_double_click_on_a_server_opens_its_inside(pod: Any) -> None:
    pod.handlers.open_ref("srv-0003")
    assert pod.document.view_name == "server"
    assert pod.view.device == "srv-0003"


def test_views_are_made_when_first_seen(open_window: Any, small_pod: Path) -> None:
    window = open_window(small_pod)
    assert set(window.centre.views) == {"fabric"}
    for name in ("racks", "floor", "server", "table"):
        window.show_view(name)
        settle()
    assert set(window.centre.views) == {"fabric", "racks", "floor", "server", "table"}
    window.handlers.place_part("dgx-h100")
    window.show_view("fabric")
    assert "srv-0032" in window.view.canvas.drawing.boxes


def test_undo_goes_back_to_the_view_a_step_was_made_in(pod: Any) -> None:
    pod.show_view("racks")
    pod.document.selection.set(["srv-0001"])
    pod.actions_by_id["edit.delete"].trigger()
    pod.show_view("fabric")
    pod.actions_by_id["edit.undo"].trigger()
    assert pod.document.view_name == "racks"
    assert pod.document.selection.refs == ("srv-0001",)


def test_a_fault_is_logged_and_the_window_goes_on(blank: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from rackbuilder.ui import app

    monkeypatch.setattr("sys.stderr", None)  # as on Windows without a console
    app._log_fault(ValueError, ValueError("a slip"), None)
    assert "a slip" in blank.centre.banner.words()
    assert blank.handlers.edit_undo() is None
