"""Tabs, pickers, links and charts: the small controls of the window, by mouse and by keyboard."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from rackbuilder.ui.charts.power import RackPowerChart
from rackbuilder.ui.charts.traffic import TrafficChart
from rackbuilder.ui.charts.utilisation import UtilisationChart
from rackbuilder.ui.start import when_text
from rackbuilder.ui.widgets.counts import counts_text
from rackbuilder.ui.widgets.label import Elided, LinkLabel
from rackbuilder.ui.widgets.picker import Picker, SearchField, ToolButton
from rackbuilder.ui.widgets.tabs import PanelTabs
from tests.ui import reports
from tests.ui.drive import click, key

pytestmark = pytest.mark.usefixtures("lit")


@pytest.fixture
def tabs(qtbot: QtBot) -> PanelTabs:
    shelf = QWidget()
    qtbot.addWidget(shelf)
    return PanelTabs(shelf, ("One", QLabel("1")), ("Two", QLabel("2")))


def test_tabs_bring_panels_to_the_front(tabs: PanelTabs) -> None:
    chosen: list[QWidget] = []
    tabs.chosen.connect(chosen.append)
    tabs.title.strip.setCurrentIndex(1)
    assert tabs.current.text() == "2"  # type: ignore[union-attr]
    assert chosen == [tabs.current]


def test_a_panel_is_taken_out_unhurt_and_put_back(tabs: PanelTabs) -> None:
    first = tabs.stack.widget(0)
    tabs.remove(first)
    assert first not in tabs
    assert tabs.title.strip.alone
    tabs.remove(first)  # once is enough
    tabs.add("One", first)
    tabs.add("One", first)
    assert tabs.title.strip.count() == 2
    tabs.bring(first)
    assert tabs.current is first


def test_counts_stand_in_a_tab_and_widen_it(tabs: PanelTabs) -> None:
    strip = tabs.title.strip
    before = strip.tabSizeHint(0).width()
    strip.set_counts(0, {"error": 1, "warning": 0, "note": 12})
    assert strip.tabToolTip(0) == "One: 1 error, 12 notes"
    assert strip.tabSizeHint(0).width() > before + 40
    assert counts_text({}) == "no problems"


def test_a_title_shortens_its_state_where_there_is_no_room(
    tabs: PanelTabs, qtbot: QtBot, monkeypatch: Any
) -> None:
    from tests.ui.widget_samples import recorded

    drawn = recorded(monkeypatch)
    title = tabs.title
    title.set_status("Llama 3.1 405B · T16 P2 D31", short="T16 P2 D31")
    for width, said in ((420, "Llama 3.1 405B · T16 P2 D31"), (240, "T16 P2 D31")):
        drawn.clear()
        title.resize(width, 28)
        title.grab()
        assert said in drawn


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_picker_shows_what_is_chosen_and_sends_what_is_picked(qtbot: QtBot) -> None:
    picker = Picker("Workload")
    qtbot.addWidget(picker)
    picker.show_choices(
        [("", "No workload"), ("job-01", "Llama · T8"), ("", ""), ("+", "New workload …")], "job-01"
    )
    assert (picker.text(), picker.accessibleName()) == ("Llama · T8", "Workload: Llama · T8")
    picker._open()
    texts = [a.text() for a in picker.menu.actions()]
    assert texts == ["No workload", "Llama · T8", "", "New workload …"]
    assert [a.isChecked() for a in picker.menu.actions()] == [False, True, False, False]
    with qtbot.waitSignal(picker.picked) as caught:
        picker.menu.actions()[3].trigger()
    assert caught.args == ["+"]
    picker.menu.close()


def test_a_tool_is_its_action(qtbot: QtBot) -> None:
    from rackbuilder.ui.icons import icon

    action = QAction(icon("cable"), "Cable")
    action.setCheckable(True)
    button = ToolButton(action, "Cable")
    qtbot.addWidget(button)
    click(button)
    assert action.isChecked()
    plain = button.grab().toImage()
    action.setChecked(False)
    assert button.grab().toImage() != plain


def test_escape_leaves_the_search(qtbot: QtBot) -> None:
    field = SearchField("Find or go to", "/")
    qtbot.addWidget(field)
    field.setText("leaf")
    with qtbot.waitSignal(field.left):
        key(field, Qt.Key.Key_Escape)
    assert field.text() == ""


@pytest.mark.parametrize("which", [Qt.Key.Key_Return, Qt.Key.Key_Space])
def test_links_work_by_key_and_click(which: Qt.Key, qtbot: QtBot) -> None:
    link = LinkLabel("Shortcuts")
    qtbot.addWidget(link)
    link.show()
    followed: list[int] = []
    link.activated.connect(lambda: followed.append(1))
    key(link, which)
    click(link)
    assert len(followed) == 2


def test_a_long_line_keeps_its_words_in_the_tip(qtbot: QtBot) -> None:
    line = Elided("x" * 200)
    qtbot.addWidget(line)
    assert line.toolTip() == "x" * 200
    assert line.accessibleName() == "x" * 200


def test_when_a_file_was_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds since the epoch, UTC: 18 April 2025, 14:05 and before."""
    import time

    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    now = 1_744_985_100.0  # 2025-04-18 14:05
    assert when_text(now, now) == "today 14:05"
    assert when_text(now - 86_400, now) == "yesterday"
    assert when_text(now - 37 * 86_400, now) == "12 March"
    assert when_text(now - 365 * 86_400, now) == "18 April 2024"


# ---- charts


def heights(chart: Any) -> list[float]:
    return [bar.height for bar in chart._bars]


def test_traffic_by_scope(qtbot: QtBot) -> None:
    chart = TrafficChart()
    qtbot.addWidget(chart)
    chart.show_result(None)
    assert chart.reason.text() == "Needs a workload."
    chart.show_result(reports.step())
    assert heights(chart) == pytest.approx([559.4, 0, 90.6, 2.0, 0])
    assert [bar.text for bar in chart._bars] == ["559 TB", "none", "90.6 TB", "2.00 TB", "none"]
    assert chart.note.text() == "652 TB"
    chart.show_result(reports.step(traffic=(), missing=("NVLink rate of gpu-x",)))
    assert chart.reason.text() == "Unknown: needs NVLink rate of gpu-x."


def test_links_by_load(qtbot: QtBot) -> None:
    """992 links from 50 to 75 %, one at 20 %."""
    chart = UtilisationChart()
    qtbot.addWidget(chart)
    chart.show_result(reports.loads())
    assert heights(chart) == [0, 0, 1, 0, 992, 0, 0]
    assert chart.note.text() == "993 links"


def test_rack_power_against_its_limit(pod: Any, qtbot: QtBot) -> None:
    chart = RackPowerChart()
    qtbot.addWidget(chart)
    design = pod.document.design
    chart.show_result(reports.power({"rack-01": (40_800.0, 44_000.0), "rack-02": (None, 44_000.0)}), design)
    assert heights(chart) == [40.8]
    assert chart.note.text() == "at least 40.8 kW · limit 44.0 kW · 1 unknown"
    chart.show_result(reports.power({"rack-01": (None, None)}), design)
    assert chart.reason.text() == "No rack with a known power."


def test_names_under_bars_give_way_to_one_another(qtbot: QtBot, pod: Any) -> None:
    chart = RackPowerChart()
    qtbot.addWidget(chart)
    racks = dict.fromkeys(pod.document.design.racks, (10000.0, None))
    chart.show()
    for width, at_least in ((1200, len(racks)), (160, 1)):
        chart.resize(width, 200)
        chart.show_result(reports.power(racks), pod.document.design)
        ticks = chart.plot.getAxis("bottom")._tickLevels[0]
        assert at_least <= len(ticks) <= max(at_least, 4)
