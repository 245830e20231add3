"""Open, save, recover and export as a user does them: nothing is lost, and what goes wrong is said."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox

from rackbuilder.catalog.load import shipped
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.design.design import Design
from rackbuilder.errors import refusal
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.journal import find_recoveries
from rackbuilder.session.paths import recovery_dir
from rackbuilder.session.session import Session
from tests.ui.drive import Answer, press, settle

Ask = Callable[[str], None]


def place(window: Any, part: str = "dgx-h100") -> None:
    assert window.document.do(PlaceDevice(type=part))


# ---- bad files: the message says what, and the document stays


BAD = {
    "empty": b"",
    "binary": bytes(range(256)),
    "foreign": b'{"version": 3, "cells": []}',
    "newer": b'{"format": "rackbuilder", "version": 999}',
    "truncated": b'{\n"format": "rackbuilder",\n"version": 1,\n"devices": [\n{"id": "srv-0001", "ty',
}


@pytest.mark.parametrize("kind", BAD)
def test_a_file_that_cannot_be_read_leaves_the_document(kind: str, blank: Any, tmp_path: Path) -> None:
    place(blank)
    blank.document.session.save(tmp_path / "mine.rackbuilder")
    before = blank.document.design
    bad = tmp_path / f"{kind}.rackbuilder"
    bad.write_bytes(BAD[kind])
    opened = blank.files.open(bad)
    if opened:  # a torn file may be read in part: then it says which line it could not read
        assert kind == "truncated"
        assert blank.document.session.problems
    else:
        assert blank.document.design is before
    assert blank.centre.banner.isVisible()
    assert f"{kind}.rackbuilder" in blank.centre.banner.words() or "line" in blank.centre.banner.words()


def test_a_missing_file_is_said(blank: Any, tmp_path: Path) -> None:
    assert not blank.files.open(tmp_path / "gone.rackbuilder")
    assert "gone.rackbuilder" in blank.centre.banner.words()


def test_a_bad_record_is_set_aside_and_the_rest_opens(blank: Any, tmp_path: Path) -> None:
    place(blank)
    good = write_design(blank.document.design).decode()
    broken = (
        good.replace('"id":"srv-0001"', '"id":"srv-0001","u":"high"') if '"id":"srv-0001"' in good else ""
    )
    if not broken:
        broken = good.replace('"id": "srv-0001"', '"id": "srv-0001", "u": "high"')
    assert broken != good
    path = tmp_path / "broken.rackbuilder"
    path.write_text(broken)
    blank.document.session.save(tmp_path / "mine.rackbuilder")
    assert blank.files.open(path)
    assert blank.centre.banner.isVisible()
    assert any(row.problem.what for row in blank.problems.model.rows)


# ---- saving


def test_saving_asks_once_and_is_remembered(blank: Any, tmp_path: Path, file_dialog: Ask) -> None:
    place(blank)
    assert "edited" in blank.windowTitle()
    file_dialog(str(tmp_path / "a"))
    blank.actions_by_id["file.save"].trigger()
    path = tmp_path / "a.rackbuilder"
    assert path.exists()
    assert blank.windowTitle() == "a.rackbuilder — rackbuilder"
    assert not blank.document.session.dirty
    file_dialog("")  # a second save asks nothing
    place(blank)
    blank.actions_by_id["file.save"].trigger()
    assert not blank.document.session.dirty
    assert blank.files.settings.recent == (str(path),)
    blank.handlers.fill_recent()
    assert [a.text() for a in blank.actions_by_id.recent.actions()] == ["a.rackbuilder"]


def test_a_save_that_fails_keeps_both(
    blank: Any, tmp_path: Path, file_dialog: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.rackbuilder"
    place(blank)
    file_dialog(str(path))
    blank.actions_by_id["file.save"].trigger()
    old = path.read_bytes()
    place(blank)

    def full(*_args: object, **_rest: object) -> None:
        raise refusal("The disk is full", str(path), "Save elsewhere.")

    monkeypatch.setattr("rackbuilder.session.session.write_atomic", full)
    blank.actions_by_id["file.save"].trigger()
    assert "The disk is full" in blank.centre.banner.words()
    assert path.read_bytes() == old
    assert blank.document.session.dirty
    assert len(blank.document.design.devices) == 2


def test_a_file_changed_by_others_is_asked_about(blank: Any, tmp_path: Path, file_dialog: Ask) -> None:
    path = tmp_path / "a.rackbuilder"
    place(blank)
    file_dialog(str(path))
    blank.actions_by_id["file.save"].trigger()
    other = write_design(Design())
    path.write_bytes(other)
    os.utime(path, ns=(1, 1))
    place(blank)
    answer = Answer(QMessageBox, press("Cancel"))
    blank.actions_by_id["file.save"].trigger()
    assert "changed by another program" in answer.seen[0]
    assert path.read_bytes() == other
    answer = Answer(QMessageBox, press("Overwrite"))
    blank.actions_by_id["file.save"].trigger()
    assert answer.seen
    assert path.read_bytes() != other
    assert (tmp_path / "a.rackbuilder.bak").read_bytes() == other


def test_saving_goes_on_beside_the_work(open_window: Any, tmp_path: Path, qtbot: Any) -> None:
    """The file holds the design as it was when the save began; what came after is unsaved."""
    window = open_window(inline=False)
    window.files.blank()
    place(window)
    path = tmp_path / "a.rackbuilder"
    design = window.document.design
    window.files._save(path, wait=False)
    place(window)
    qtbot.waitUntil(lambda: window.document.session.path == path)
    assert Session.open(path, shipped()).design.same(design)
    assert window.document.session.dirty
    assert window.document.wait()


# ---- leaving with unsaved changes


def test_unsaved_changes_are_asked_about(blank: Any, tmp_path: Path, file_dialog: Ask) -> None:
    place(blank)
    answer = Answer(QMessageBox, press("Cancel"))
    assert not blank.files.blank()
    assert "unsaved changes" in answer.seen[0]
    assert blank.document.design.devices
    file_dialog(str(tmp_path / "kept.rackbuilder"))
    answer = Answer(QMessageBox, press("Save"))
    assert blank.files.blank()
    assert answer.seen
    assert len(Session.open(tmp_path / "kept.rackbuilder", shipped()).design.devices) == 1
    place(blank)
    answer = Answer(QMessageBox, press("Discard"))
    assert blank.files.blank()
    assert answer.seen
    assert not blank.document.design.devices


def test_closing_asks_and_can_be_called_off(blank: Any) -> None:
    place(blank)
    answer = Answer(QMessageBox, press("Cancel"))
    assert not blank.close()
    assert answer.seen
    assert blank.isVisible()
    answer = Answer(QMessageBox, press("Discard"))
    assert blank.close()
    assert answer.seen
    assert not find_recoveries(recovery_dir())
    blank.close()  # twice is as good as once


def test_closing_while_a_dialog_is_open(blank: Any) -> None:
    """The dialog's loop ends with the window, and nothing is asked of what is gone."""

    def close_window(dialog: QDialog) -> None:
        blank.close()
        dialog.reject()

    answer = Answer(QDialog, close_window)
    blank.actions_by_id["help.about"].trigger()
    assert answer.seen == ["About rackbuilder"]
    settle()
    assert not blank.isVisible()


# ---- recovery


def killed(name: Path | None = None, edits: int = 2) -> Design:
    """What a process leaves that was killed after so many edits."""
    session = Session(shipped())
    if name is not None:
        session.do(PlaceDevice(type="qm9700"))
        session.save(name)
    session.keep_journal(recovery_dir())
    for _ in range(edits):
        session.do(PlaceDevice(type="dgx-h100"))
    assert session.journal is not None
    session.journal.leave()
    return session.design


def test_a_killed_window_is_offered_and_brought_back(open_window: Any, tmp_path: Path) -> None:
    lost = killed(tmp_path / "pod-east.rackbuilder")
    window = open_window()
    window.offer_recovery()
    banner = _recovery_banner(window)
    assert "pod-east.rackbuilder was not closed. Its last 2 edits" in banner.words()
    banner.actionRequested.emit("recover")
    assert window.document.design.same(lost)
    assert window.document.session.dirty
    assert window.document.session.path == tmp_path / "pod-east.rackbuilder"
    window.document.undo()
    assert len(window.document.design.devices) == 2  # each edit can be undone
    window.document.save()
    assert not find_recoveries(recovery_dir())


def test_the_edits_of_a_recovery_can_be_looked_at(open_window: Any) -> None:
    killed()
    window = open_window()
    window.offer_recovery()
    texts: list[str] = []
    answer = Answer(QDialog, lambda d: (texts.append(d.browser.toPlainText()), d.reject()))
    _recovery_banner(window).actionRequested.emit("edits")
    assert answer.seen
    assert texts[0].count("Place NVIDIA DGX H100") == 2


def test_a_recovery_is_discarded_only_after_asking(open_window: Any) -> None:
    killed()
    window = open_window()
    window.offer_recovery()
    answer = Answer(QMessageBox, press("Cancel"))
    _recovery_banner(window).actionRequested.emit("forget")
    assert answer.seen
    assert len(find_recoveries(recovery_dir())) == 1
    answer = Answer(QMessageBox, press("Discard"))
    _recovery_banner(window).actionRequested.emit("forget")
    assert answer.seen
    assert not find_recoveries(recovery_dir())


def test_a_document_that_is_open_in_another_window_is_not_offered(open_window: Any) -> None:
    first = open_window()
    first.files.blank()
    place(first)
    second = open_window()
    second.offer_recovery()
    assert not second.centre.start._recoveries
    assert first.document.session.journal.folder.exists()


def test_a_recovery_copy_that_fails_is_said_until_it_works(
    blank: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not blank.status.in_trouble
    journal = blank.document.session.journal

    def full(*_args: object) -> None:
        raise OSError("No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(journal, "_append", full)
        place(blank)
        assert blank.status.in_trouble
        assert "recovery copy cannot be written" in blank.status.state
    place(blank)
    assert not blank.status.in_trouble
    assert "recovery copy kept" in blank.status.state


def test_the_design_a_window_begins_with_is_safe_too(open_window: Any) -> None:
    """Edited without New or Open: it has a recovery copy from the first edit on."""
    window = open_window()
    window.show_view("fabric")
    assert window.document.session.journal is None
    place(window)
    assert window.document.session.journal is not None
    assert window.document.session.journal.folder.exists()


def test_a_file_that_was_not_closed_is_offered_where_it_is_opened(open_window: Any, tmp_path: Path) -> None:
    file = tmp_path / "pod-east.rackbuilder"
    lost = killed(file)
    killed()
    window = open_window(file)
    window.offer_recovery()
    banner = window.centre.banner
    assert banner.isVisible()
    assert "pod-east.rackbuilder was not closed. 2 unsaved edits" in banner.words()
    assert "1 more" in banner.words()
    banner.actionRequested.emit("recover")
    assert window.document.design.same(lost)
    assert len(find_recoveries(recovery_dir())) == 1  # the other one waits on the start page


def _recovery_banner(window: Any) -> Any:
    from rackbuilder.ui.widgets import Banner

    return next(b for b in window.centre.start.widget().findChildren(Banner))


# ---- samples, templates, exports


def test_examples_open_as_new_designs(open_window: Any) -> None:
    window = open_window()
    window.centre.start.asked.emit("sample", "one-server")
    assert window.document.session.path is None
    assert len(window.document.design.devices) >= 1
    assert window.view is not None


def test_every_document_is_exported(pod: Any, tmp_path: Path, file_dialog: Ask) -> None:
    from rackbuilder.formats import EXPORTS

    file_dialog(str(tmp_path / "out"))
    pod.actions_by_id["export.all"].trigger()
    written = sorted((tmp_path / "out").iterdir())
    assert len(written) == len(EXPORTS)
    assert all(path.stat().st_size for path in written)
    assert "documents written" in pod.centre.banner.words()
    data = json.loads((tmp_path / "out" / "pod-json.json").read_text())
    assert data["counts"]["servers"] == 31


def test_an_export_of_a_design_just_edited_is_of_that_design(
    open_window: Any, small_pod: Path, tmp_path: Path
) -> None:
    """The analysis runs in its own thread: an export waits for it rather than writing older numbers."""
    window = open_window(small_pod, inline=False)
    place(window)
    path = tmp_path / "now.json"
    assert window.files.export_one("json", path) == path
    assert json.loads(path.read_text())["counts"]["servers"] == 32
    assert window.document.wait()
    QApplication.processEvents()
