"""Dialogs: what they ask, how they check it while it is typed, and the one command each sends."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from rackbuilder.catalog.load import Catalog, shipped
from rackbuilder.design.records import Job
from rackbuilder.session.session import Session
from rackbuilder.templates.nvlink_rack import NvlinkRack
from rackbuilder.templates.superpod import Superpod
from rackbuilder.ui.dialogs.ask import AskDialog
from rackbuilder.ui.dialogs.form import label_of
from rackbuilder.ui.dialogs.job import JobDialog
from rackbuilder.ui.dialogs.own_part import OwnPartDialog
from rackbuilder.ui.dialogs.planning import plan, sizes_to_show, tiers_of
from rackbuilder.ui.dialogs.quick import Choice, QuickDialog, matches
from rackbuilder.ui.dialogs.sheet import choices_for, consequences, growth_cells, odd_results
from rackbuilder.ui.dialogs.template import TemplateDialog
from tests.ui.drive import Answer, key, settle, typed


@pytest.fixture
def catalog() -> Catalog:
    return shipped()


@pytest.fixture
def sheet(qtbot: QtBot, lit: None, catalog: Catalog) -> TemplateDialog:
    made = TemplateDialog(None, catalog, inline=True)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.show()
    return made


# ---- the template sheet. Counts: RA-11333-001, table 4 (127 servers, 32 leaves, 16 spines, 1,020 and 1,024 cables)


def test_the_sheet_counts_what_the_template_would_make(sheet: TemplateDialog) -> None:
    rows = dict(sheet.counts.rows)
    assert rows["Servers"] == "127"
    assert rows["GPUs"] == "1,016"
    assert rows["NVLink domains"] == "127 of 8"
    assert (rows["Leaves"], rows["Spines"]) == ("32", "16")
    assert (rows["Server–leaf cables"], rows["Leaf–spine cables"]) == ("1,020", "1,024")
    assert rows["Highest rack"] == "40.8 kW"  # four of 10.2 kW


def test_each_field_says_what_follows_from_it(sheet: TemplateDialog) -> None:
    hints = sheet.form.consequences
    assert hints["units"].text() == "127 servers, 1,016 GPUs"
    assert hints["server"].text() == "10.2 kW, 8U"
    assert hints["rack_limit_w"].text() == "highest rack 40.8 kW"


def test_an_odd_count_is_explained(sheet: TemplateDialog, catalog: Catalog) -> None:
    """Three units: 24 x 32 uplinks fill 12 spines of 64 ports, but 32 does not divide by 12: 16."""
    sheet.form.fields["units"].setValue(3)  # type: ignore[attr-defined]
    sheet.refresh()
    note = sheet.notes[0]
    assert note.isVisible()
    assert "16 spines, not 12" in note.words()
    assert odd_results(plan(Superpod, {"units": 4}, catalog), catalog) == []


def test_the_growth_table_plans_other_sizes(sheet: TemplateDialog) -> None:
    """Units 1 to 4 as the reference prints them."""
    cells = {row.size: growth_cells(row) for row in sheet.growth.rows}
    assert cells[1] == ["31", "8", "4", "252 + 256", "two"]
    assert cells[2] == ["63", "16", "8", "508 + 512", "two"]
    assert cells[3] == ["95", "24", "16", "764 + 768", "two"]
    assert cells[4] == ["127", "32", "16", "1,020 + 1,024", "two"]


def test_create_sends_what_is_shown(sheet: TemplateDialog) -> None:
    sheet.form.fields["units"].setValue(2)  # type: ignore[attr-defined]
    sheet.create_button.click()  # at once, before the typing has been worked out
    assert sheet.result() == QDialog.DialogCode.Accepted
    assert sheet.command == Superpod(units=2)


def test_enter_creates_and_escape_does_not(sheet: TemplateDialog) -> None:
    key(sheet.form.fields["units"], Qt.Key.Key_Return)
    assert sheet.result() == QDialog.DialogCode.Accepted


def test_a_wrong_field_is_said_and_nothing_can_be_made(sheet: TemplateDialog) -> None:
    sheet.form.fields["rack_limit_w"].setText("-5")  # type: ignore[attr-defined]
    sheet.refresh()
    assert sheet.notes[2].isVisible()
    assert not sheet.create_button.isEnabled()
    sheet.create_button.click()
    assert sheet.isVisible()


def test_every_template_has_a_sheet_with_a_plan(sheet: TemplateDialog) -> None:
    for verb in sheet._kinds:
        sheet.choose(verb)
        assert sheet.command is not None, verb
        assert sheet.counts.rows, verb


def test_another_template_keeps_the_fields_of_the_last(sheet: TemplateDialog) -> None:
    sheet.form.fields["units"].setValue(2)  # type: ignore[attr-defined]
    sheet.choose("nvlink_rack")
    assert isinstance(sheet.command, NvlinkRack)
    sheet.choose("superpod")
    assert sheet.command == Superpod(units=2)


def test_the_sheet_works_in_a_thread_and_ends_it(qtbot: QtBot, lit: None, catalog: Catalog) -> None:
    made = TemplateDialog(None, catalog)  # type: ignore[arg-type]
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: made.command is not None and bool(made.growth.rows), timeout=20_000)
    made.form.fields["units"].setValue(1)  # type: ignore[attr-defined]
    made.accept()  # waits for the plan of what was typed last
    qtbot.waitUntil(lambda: not made.isVisible(), timeout=20_000)
    assert made.command == Superpod(units=1)


def test_servers_offered_are_those_of_a_superpod(catalog: Catalog) -> None:
    offered = dict(choices_for(Superpod, catalog)["server"])
    assert offered["dgx-h100"] == "DGX H100"
    assert all(catalog.device(i).gpu_count == 8 for i in offered)


def test_words_of_fields() -> None:
    assert label_of("rack_limit_w") == "Rack limit (W)"
    assert label_of("fabric_manager") == "Fabric manager"
    assert sizes_to_show(Superpod, 5) == [1, 2, 3, 4, 5, 8]


def test_consequences_of_a_refused_plan_are_those_of_the_parts(catalog: Catalog) -> None:
    found = plan(Superpod, {"units": 500}, catalog)
    assert found.command is None
    words = consequences(Superpod, {"units": 500, "server": "dgx-h100"}, found, catalog)
    assert words == {"server": "10.2 kW, 8U"}


def test_tiers_are_counted_from_the_design(catalog: Catalog) -> None:
    session = Session(catalog)
    session.do(Superpod(units=1))
    tiers = tiers_of(session.design, session.graphs)
    assert (tiers.leaves, tiers.spines, tiers.cores) == (8, 4, 0)
    assert (tiers.down, tiers.up) == (32, 32)
    assert (tiers.server_leaf, tiers.leaf_spine) == (252, 256)


def test_new_from_template_makes_the_design_in_one_step(open_window: Any) -> None:
    window = open_window()

    def choose(dialog: TemplateDialog) -> None:
        dialog.form.fields["units"].setValue(1)  # type: ignore[attr-defined]
        dialog.accept()

    answer = Answer(TemplateDialog, choose)
    window.actions_by_id["file.new"].trigger()
    assert answer.seen == ["New from template"]
    assert len(window.document.session.history.done) == 1
    assert window.document.report.compiled.counts.servers == 31
    assert window.view is not None


# ---- workload


def test_a_workload_is_checked_while_it_is_typed(pod: Any, qtbot: QtBot) -> None:
    """248 GPUs in domains of 8; one replica of 8 x 16 takes 128."""
    dialog = JobDialog(pod, pod.document)
    qtbot.addWidget(dialog)
    dialog.sizes["tp"].setValue(8)
    dialog.sizes["pp"].setValue(16)
    dialog.sizes["dp"].setValue(0)
    assert "One replica takes 128 GPUs; 1 of them take 128 of 248. 120 stay idle." in dialog.note.words()
    assert dialog.ok.isEnabled()
    dialog.sizes["dp"].setValue(2)
    assert dialog.note.severity == "error"
    assert not dialog.ok.isEnabled()
    dialog.sizes["dp"].setValue(1)
    dialog.sizes["tp"].setValue(16)
    dialog.sizes["pp"].setValue(4)
    assert dialog.note.severity == "warning"
    assert "leaves its NVLink domain of 8" in dialog.note.words()
    assert dialog.ok.isEnabled()


def test_the_dialog_changes_the_job_and_keeps_what_it_does_not_show(pod: Any, qtbot: QtBot) -> None:
    job = Job(
        id="job-01", workload="llama-3.1-405b", sizes={"tp": 16}, options={"global_batch": 64}, active=True
    )
    dialog = JobDialog(pod, pod.document, job)
    qtbot.addWidget(dialog)
    dialog.sizes["tp"].setValue(8)
    command = dialog.command
    assert command.id == "job-01"
    assert command.sizes["tp"] == 8
    assert command.options == {"global_batch": 64}


def test_w_asks_for_the_workload(pod: Any) -> None:
    def choose(dialog: JobDialog) -> None:
        dialog.sizes["tp"].setValue(4)
        dialog.ok.click()

    answer = Answer(JobDialog, choose)
    key(QApplication.focusWidget(), Qt.Key.Key_W)
    assert answer.seen == ["Workload"]
    assert pod.document.design.jobs["job-01"].sizes["tp"] == 4


def test_the_workload_is_named_in_the_tool_bar(pod: Any) -> None:
    assert pod.toolbar.jobs.text().startswith("Llama 3.1 405B")
    assert "T16 P2" in pod.toolbar.jobs.text()
    pod.toolbar.jobs.picked.emit("")
    assert not any(job.active for job in pod.document.design.jobs.values())
    assert pod.toolbar.jobs.text() == "No workload"


# ---- own parts


def test_an_own_part_is_a_copy_with_typed_figures(pod: Any, qtbot: QtBot) -> None:
    dialog = OwnPartDialog(pod, pod.document.catalog.device("dgx-h100"), pod.document)
    qtbot.addWidget(dialog)
    dialog.identity.setText("my-server")
    dialog.units.setValue(9)
    dialog.power.setText("11 kW")
    dialog.accept()
    part = pod.document.design.parts["my-server"]
    assert (part.u_height, part.max_power().value) == (9, 11_000)
    assert part.grade("power_max_w") == "user"
    assert part.based_on == "dgx-h100"
    assert "my-server" in [e.part.id for e in pod.parts.model._entries if e.part]


@pytest.mark.parametrize(
    ("identity", "power", "said"),
    [("dgx-h100", "1 kW", "dgx-h100"), ("mine", "plenty", "plenty"), ("a b", "1 kW", "a b")],
)
def test_a_refused_part_keeps_the_dialog_open(
    identity: str, power: str, said: str, pod: Any, qtbot: QtBot
) -> None:
    dialog = OwnPartDialog(pod, pod.document.catalog.device("dgx-h100"), pod.document)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.identity.setText(identity)
    dialog.power.setText(power)
    dialog.accept()
    assert dialog.isVisible()
    assert said in dialog.trouble.words()
    assert not [p for p in pod.document.design.parts.values() if p.based_on]


def test_an_own_part_begins_from_the_selection(pod: Any) -> None:
    pod.document.selection.set(["leaf-01"])
    texts: list[str] = []
    answer = Answer(OwnPartDialog, lambda d: (texts.append(d.identity.text()), d.reject()))
    pod.actions_by_id["insert.part"].trigger()
    assert answer.seen
    assert texts == ["qm9700-own"]


# ---- small ones


def test_quick_matches_every_word_and_begins_first() -> None:
    rows = [
        Choice("Leaf one", "leaf-01", "a"),
        Choice("Server on leaf", "srv", "b"),
        Choice("Leaf", "x", "c"),
    ]
    assert [c.value for c in matches(rows, "leaf")] == ["a", "c", "b"]
    assert [c.value for c in matches(rows, "leaf srv")] == ["b"]


def test_quick_is_driven_by_keys_alone(qtbot: QtBot, lit: None) -> None:
    taken: list[str] = []
    rows = [Choice(f"Row {n}", "", str(n)) for n in range(5)]
    dialog = QuickDialog(None, "Choose", rows, taken.append)  # type: ignore[arg-type]
    dialog.show()
    typed(dialog.edit, "row")
    key(dialog.edit, Qt.Key.Key_Down)
    key(dialog.edit, Qt.Key.Key_Down)
    key(dialog.edit, Qt.Key.Key_Return)
    settle()
    assert taken == ["2"]


def test_a_required_text_is_required(qtbot: QtBot, lit: None) -> None:
    dialog = AskDialog(None, "Waive", "Why?", required=True)  # type: ignore[arg-type]
    qtbot.addWidget(dialog)
    assert not dialog.button.isEnabled()
    dialog.edit.setText("  ")
    assert not dialog.button.isEnabled()
    dialog.edit.setText("agreed")
    assert dialog.button.isEnabled()


@pytest.mark.parametrize("name", ["first_steps", "shortcuts", "glossary", "changelog", "about"])
def test_help_pages_have_words(name: str, open_window: Any) -> None:
    window = open_window()
    texts: list[str] = []
    answer = Answer(QDialog, lambda d: (texts.append(d.browser.toPlainText()), d.reject()))
    window.actions_by_id[f"help.{name}"].trigger()
    assert answer.seen
    assert len(texts[0]) > 40
