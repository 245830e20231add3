"""Problems, properties, parts, bill of materials, tree, history and layers: what they show and what they send."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from rackbuilder.commands.devices import SetProperty
from rackbuilder.commands.edit import Waive
from rackbuilder.session.settings import settings_path
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.panels.bom import BomPanel, summary
from rackbuilder.ui.panels.parts import PartsPanel
from rackbuilder.ui.panels.parts_model import counted_search, figures
from rackbuilder.ui.panels.problems import ProblemsPanel, counts, problem_rows
from rackbuilder.ui.panels.properties import RESET
from tests.ui import reports
from tests.ui.drive import Answer, click, key, settle, typed

PanelMaker = Callable[[type], Any]


@pytest.fixture
def make(qtbot: QtBot, document: Document) -> PanelMaker:
    """`panel = make(ProblemsPanel)`, shown."""

    def one(kind: type) -> Any:
        panel = kind(document)
        qtbot.addWidget(panel)
        panel.resize(1290, 200)
        panel.show()
        return panel

    return one


# ---- problems


def test_problems_are_sorted_worst_first_then_widest(document: Document, make: PanelMaker) -> None:
    panel = make(ProblemsPanel)
    reports.show(document, reports.PROBLEMS)
    assert [row.problem.severity for row in panel.model.rows] == ["error", "warning", "note"]
    assert counts(problem_rows(document)) == {"error": 1, "warning": 1, "note": 1}
    assert [panel.model.index(0, c).data() for c in range(1, 5)] == [
        "A rack is over its limit", "A01", "Move a server", "Show",
    ]  # fmt: skip


def test_f8_walks_the_problems_and_wraps_round(document: Document, make: PanelMaker) -> None:
    panel = make(ProblemsPanel)
    reports.show(document, reports.PROBLEMS)
    seen: list[tuple[str, ...]] = []
    panel.shown.connect(seen.append)
    for _ in range(4):
        panel.next()
    assert seen == [("rack-01",), ("cbl-0001", "cbl-0002"), ("leaf-01",), ("rack-01",)]


def test_waived_problems_fold_and_do_not_count(document: Document, make: PanelMaker) -> None:
    panel = make(ProblemsPanel)
    reports.show(document, reports.PROBLEMS, waived={0: "agreed with the site"})
    assert len(panel.model.rows) == 2
    assert panel.fold.text() == "1 waived"
    assert counts(problem_rows(document))["error"] == 0
    panel.fold.setChecked(True)
    assert panel.model.rows[-1].problem.what == "A rack is over its limit"
    assert panel.model.index(2, 3).data() == "waived: agreed with the site"


def over_the_limit(window: Any) -> None:
    """Rack A01 draws 40.8 kW; its limit is set to 30."""
    window.document.do(SetProperty(ref="rack-01", field="power_limit_w", value="30 kW"))


def test_a_finding_is_waived_with_a_reason_and_taken_back(pod: Any) -> None:
    over_the_limit(pod)
    row = next(r for r in pod.problems.model.rows if "rack-01" in r.problem.refs)
    with_reason = Answer(QDialog, lambda d: (d.edit.setText("agreed with the site"), d.accept()))
    pod.problems.waive(row)
    assert with_reason.seen == ["Waive"]
    waiver = next(iter(pod.document.design.tables["waivers"].values()))
    assert (waiver.rule, waiver.refs, waiver.reason) == (
        row.problem.rule, tuple(sorted(row.problem.refs)), "agreed with the site",
    )  # fmt: skip
    pod.problems.fold.setChecked(True)
    waived = next(r for r in pod.problems.model.rows if r.waived)
    pod.problems.unwaive(waived)
    assert not pod.document.design.tables["waivers"]


def test_no_reason_no_waiver(pod: Any) -> None:
    over_the_limit(pod)
    row = next(r for r in pod.problems.model.rows if "rack-01" in r.problem.refs)
    buttons: list[bool] = []
    answer = Answer(QDialog, lambda d: (buttons.append(d.button.isEnabled()), d.reject()))
    pod.problems.waive(row)
    assert answer.seen
    assert buttons == [False]
    assert not pod.document.design.tables["waivers"]


def test_the_menu_of_a_problem_says_what_can_be_done(pod: Any) -> None:
    over_the_limit(pod)
    number = next(n for n, r in enumerate(pod.problems.model.rows) if "rack-01" in r.problem.refs)
    texts = [a.text() for a in pod.problems.menu_for(number).actions()]
    assert texts[-2:] == ["Show", "Waive …"]
    row = pod.problems.model.rows[number]
    pod.document.do(Waive(rule=row.problem.rule, refs=row.problem.refs, reason="known"))
    pod.problems.fold.setChecked(True)
    number = next(n for n, r in enumerate(pod.problems.model.rows) if r.waived)
    assert pod.problems.menu_for(number).actions()[-1].text() == "Take the waiver back"


def test_a_row_selects_its_culprits_and_the_fix_is_one_step(pod: Any) -> None:
    """The finding that tensor groups of 16 span two domains comes with the remap as its fix."""
    panel = pod.problems
    number = next(n for n, r in enumerate(panel.model.rows) if r.fixable)
    panel.table.selectRow(number)
    assert set(panel.model.rows[number].problem.refs) <= set(pod.document.selection.refs)
    steps = len(pod.document.session.history.done)
    pod.actions_by_id["analyse.apply_fix"].trigger()
    assert len(pod.document.session.history.done) == steps + 1
    assert pod.document.design.jobs["job-01"].sizes["tp"] == 8


def test_counts_stand_in_tab_status_bar_and_worst_line(pod: Any) -> None:
    over_the_limit(pod)
    found = counts(problem_rows(pod.document))
    strip = pod.docks.tabs["bottom"].title.strip
    said = f"{found['error']} error"
    assert said in strip.tabToolTip(0)
    assert said in pod.status.accessibleName()
    assert said in pod.centre.worst.accessibleName()


# ---- properties


def rows(window: Any) -> dict[str, Any]:
    window.properties.refresh()
    return {row.label: row for row in window.properties.model.rows}


def edit(window: Any, label: str, text: str) -> bool:
    model = window.properties.model
    at = next(n for n, row in enumerate(model.rows) if row.label == label)
    return model.setData(model.index(at, 1), text)


def test_a_server_shows_figures_with_grade_and_source(pod: Any) -> None:
    """DGX H100: 8U, 10.2 kW at most (NVIDIA's guide), eight GPUs in one domain."""
    pod.document.selection.set(["srv-0001"])
    found = rows(pod)
    assert found["Power, maximum"].value == "10.2 kW"
    assert found["Power, maximum"].mark == "known"
    assert found["Position"].value == "U1–U8"
    assert found["GPUs per NVLink domain"].value == "8"
    assert pod.properties.title.text() == "srv-001"


def test_a_figure_is_typed_over_with_its_unit_and_reset(pod: Any) -> None:
    pod.document.selection.set(["srv-0001"])
    rows(pod)
    before = _rack_w(pod, "rack-01")
    assert edit(pod, "Power, maximum", "11 kW")
    found = rows(pod)["Power, maximum"]
    assert (found.value, found.bold, found.mark) == ("11.0 kW", True, "assumed")
    assert _rack_w(pod, "rack-01") == pytest.approx(before + 800)  # 10.2 -> 11.0 kW
    model = pod.properties.model
    at = next(n for n, row in enumerate(model.rows) if row.label == "Power, maximum")
    assert model.index(at, 3).data() == RESET
    pod.properties._clicked(model.index(at, 3))
    assert not pod.document.design.tables["overrides"]
    assert rows(pod)["Power, maximum"].value == "10.2 kW"


def _rack_w(window: Any, rack: str) -> float:
    return next(r.max_w.value for r in window.document.report.power.racks if r.rack == rack)


def test_a_wrong_value_is_refused_in_words(pod: Any) -> None:
    pod.document.selection.set(["srv-0001"])
    rows(pod)
    assert not edit(pod, "Power, maximum", "plenty")
    assert pod.centre.banner.isVisible()
    assert "plenty" in pod.centre.banner.words()
    assert not edit(pod, "Position", "60")  # beyond the 52 units of the rack
    assert "52" in pod.centre.banner.words()
    assert pod.document.design.devices["srv-0001"].u == 1


def test_several_of_a_kind_are_edited_in_one_step(pod: Any) -> None:
    pod.document.selection.set(["srv-0001", "srv-0002", "leaf-01"])
    assert rows(pod)["Power, maximum"].value == "2 values"
    pod.document.selection.set(["srv-0001", "srv-0002"])
    assert rows(pod)["Position"].value == "2 values"
    steps = len(pod.document.session.history.done)
    assert edit(pod, "Power, maximum", "9 kW")
    assert len(pod.document.session.history.done) == steps + 1
    assert set(pod.document.design.tables["overrides"]) == {f"ref/srv-000{n}/power_max_w" for n in (1, 2)}
    pod.document.undo()
    assert not pod.document.design.tables["overrides"]


def test_a_field_with_few_values_is_a_choice(pod: Any) -> None:
    pod.document.selection.set(["srv-0001"])
    assert rows(pod)["State"].choices == ("existing", "planned", "spare")
    assert edit(pod, "State", "existing")
    assert pod.document.design.devices["srv-0001"].state == "existing"


def test_a_number_explains_itself(pod: Any) -> None:
    pod.document.selection.set(["srv-0001"])
    rows(pod)
    pod.actions_by_id["analyse.why"].trigger()
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    assert dialog.windowTitle() == "What is this number"
    dialog.reject()  # type: ignore[attr-defined]


def test_with_nothing_selected_it_tells_of_the_design(pod: Any) -> None:
    """31 servers of 8 GPUs, 8 leaves and 4 spines: RA-11333-001, one unit with a fabric manager."""
    pod.document.selection.clear()
    found = rows(pod)
    assert pod.properties.title.text() == "This design"
    assert (found["GPUs"].value, found["Servers"].value) == ("248", "31")
    assert found["Compute switches"].value == "8 leaf, 4 spine"


# ---- parts


def names(panel: PartsPanel) -> list[str]:
    return [panel.model.index(row).data() for row in range(panel.model.rowCount())]


def test_the_palette_searches_every_word(document: Document, make: PanelMaker) -> None:
    panel = make(PartsPanel)
    panel.search.setText("nvidia 8 gpu h100")
    assert names(panel)[:2] == ["Servers", "NVIDIA DGX H100"]
    panel.search.setText("no such part")
    assert panel.none.isVisible()
    assert not names(panel)


def test_a_count_before_a_name_places_so_many(document: Document, make: PanelMaker) -> None:
    assert counted_search("4 x dgx h100") == (4, "dgx h100")
    assert counted_search("12× qm9700") == (12, "qm9700")
    assert counted_search("dgx h100") == (1, "dgx h100")
    panel = make(PartsPanel)
    placed: list[tuple[str, int]] = []
    panel.placed.connect(lambda part, count: placed.append((part, count)))
    typed(panel.search, "4 x dgx h100")
    key(panel.search, Qt.Key.Key_Return)
    assert placed == [("dgx-h100", 4)]


def test_what_the_design_uses_comes_first_and_once(pod: Any) -> None:
    shown = names(pod.parts)
    assert shown[0] == "Used in this design"
    assert "NVIDIA DGX H100" in shown[:6]
    assert shown.count("NVIDIA DGX H100") == 1


def test_a_star_makes_a_favourite_that_is_remembered(pod: Any) -> None:
    panel = pod.parts
    panel.list.starred.emit("dgx-b200")
    assert "Favourites" in names(panel)
    assert json.loads(settings_path().read_text())["favourites"] == ["dgx-b200"]
    panel.list.starred.emit("dgx-b200")
    assert "Favourites" not in names(panel)


def test_a_click_on_the_star_stars(pod: Any) -> None:
    panel = pod.parts
    index = panel.model.row_of("dgx-b200")
    panel.list.scrollTo(index)
    box = panel.list.visualRect(index)
    click(panel.list.viewport(), QPoint(box.right() - 12, box.top() + 12))
    assert pod.files.settings.favourites == ("dgx-b200",)


def test_parts_that_cannot_stand_alone_say_where_they_belong(document: Document) -> None:
    tray = (
        document.catalog.device("gb200-compute-tray")
        if "gb200-compute-tray" in document.catalog.parts
        else None
    )
    trays = [tray] if tray else [p for p in document.catalog.parts.values() if getattr(p, "mounts_in", ())]
    assert trays
    assert all("only" in figures(part) for part in trays)


def test_figures_say_what_is_known(document: Document) -> None:
    assert figures(document.catalog.device("dgx-h100")) == "8U · 8 GPU · 8 × 400G · 10.2 kW"
    assert figures(document.catalog.device("qm9700")).startswith("1U · 64 × 400G")


def test_a_part_is_dragged_by_its_id(document: Document, make: PanelMaker) -> None:
    from rackbuilder.ui.canvas.view import PART_MIME

    panel = make(PartsPanel)
    data = panel.model.mimeData([panel.model.row_of("dgx-h100")])
    assert bytes(data.data(PART_MIME).data()) == b"dgx-h100"


# ---- bill of materials


def test_the_bill_counts_servers_switches_and_links(pod: Any) -> None:
    """One unit: 31 servers, 12 switches, 252 links to servers and managers, 256 between leaf and spine."""
    lines = {line.name: line.quantity for line in pod.bom.model.rows}
    assert lines["NVIDIA DGX H100"] == 31
    assert sum(n for name, n in lines.items() if "QM9700" in name) == 12
    assert "508 links" in pod.bom.summary.text()


def test_the_bill_of_nothing(document: Document, make: PanelMaker) -> None:
    panel = make(BomPanel)
    assert summary(None) == "No result yet"
    document.analyse()
    assert not panel.model.rows


def test_part_names_are_not_cut_in_a_normal_window(pod: Any) -> None:
    pod.show_panel(pod.bom)
    settle()
    table = pod.bom.table
    assert table.columnWidth(2) >= 160


# ---- tree, history, layers


def test_the_tree_follows_the_design_and_selects(pod: Any) -> None:
    tree = pod.tree.tree
    top = [tree.topLevelItem(n).text(0) for n in range(tree.topLevelItemCount())]
    assert top[:2] == ["Racks", "Compute fabric"]
    tree.topLevelItem(0).setExpanded(True)
    rack = tree.topLevelItem(0).child(0)
    rack.setExpanded(True)
    assert [rack.child(n).text(0) for n in range(rack.childCount())] == [
        "srv-004",
        "srv-003",
        "srv-002",
        "srv-001",
    ]
    rack.child(0).setSelected(True)
    assert pod.document.selection.refs == ("srv-0004",)
    pod.document.selection.set(["srv-0002"])
    assert [i.text(0) for i in tree.selectedItems()] == ["srv-002"]


def test_the_history_lists_steps_and_jumps(blank: Any) -> None:
    for part in ("52u-700x1200", "dgx-h100", "qm9700"):
        blank.handlers.place_part(part)
    blank.show_panel(blank.history)
    panel = blank.history.list
    assert [panel.item(n).text() for n in range(panel.count())][:2] == ["Opened", "Add rack rack-01"]
    panel.itemClicked.emit(panel.item(1))
    assert list(blank.document.design.racks) == ["rack-01"]
    assert not blank.document.design.devices
    panel.itemClicked.emit(panel.item(3))
    assert len(blank.document.design.devices) == 2


def test_layers_and_chips_are_one(pod: Any) -> None:
    from rackbuilder.ui.widgets import Chip

    chips = {chip.text(): chip for chip in pod.view.findChildren(Chip)}
    boxes = pod.layers.boxes
    assert boxes["compute"].isChecked()
    assert not boxes["in-band"].isChecked()
    boxes["compute"].setChecked(False)
    assert not chips["Compute"].isChecked()
    chips["In-band"].setChecked(True)
    assert boxes["in-band"].isChecked()
