"""Every action of the window: that it has a handler, a menu and a working key, and that it runs on any design."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication, QDialog

from rackbuilder.ui.actions import ACTIONS, MENUS, action
from tests.ui.conftest import Opener
from tests.ui.drive import CONTROL, SHIFT, Answer, key, settle

ENDS = ("file.quit",)


@pytest.fixture
def closed_dialogs(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every dialog that runs its own loop is left at once; their titles."""
    seen: list[str] = []

    def leave(dialog: QDialog) -> int:
        seen.append(dialog.windowTitle())
        dialog.done(0)
        return 0

    monkeypatch.setattr(QDialog, "exec", leave)
    return seen


def test_ids_and_shortcuts_are_unique() -> None:
    ids = [item.id for item in ACTIONS]
    keys = [item.shortcut for item in ACTIONS if item.shortcut]
    assert len(ids) == len(set(ids))
    assert len(keys) == len(set(keys))
    assert all(item.menu in MENUS for item in ACTIONS)
    assert all(QKeySequence(k).toString() for k in keys)


def test_a_wrong_id_is_a_bug_with_a_suggestion() -> None:
    with pytest.raises(KeyError, match=r"file\.save"):
        action("file.safe")


def start(window: Any) -> None:
    window.show_start()


def work(window: Any) -> None:
    window.show_view("fabric")
    window.document.selection.clear()


def chosen(window: Any) -> None:
    work(window)
    window.document.selection.set(["srv-0001", "rack-01", "cbl-0001"])


@pytest.mark.parametrize("sample", [False, True], ids=["blank", "pod"])
@pytest.mark.parametrize("state", [start, work, chosen])
def test_every_action_runs(
    state: Callable[[object], None],
    sample: bool,
    open_window: Opener,
    small_pod: Path,
    closed_dialogs: list[str],
    file_dialog: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On the start page, at work, and with a server, its rack and a cable selected. None is refused, none fails."""
    file_dialog("")
    window = open_window(small_pod if sample else None)
    if not sample:
        window.files.blank()
    told: list[object] = []
    window.document.refused.connect(told.append)
    monkeypatch.setattr(window.files, "may_leave", lambda: True)
    for item in ACTIONS:
        if item.id in ENDS:
            continue
        state(window)
        window.actions_by_id[item.id].trigger()
        settle()
        for dialog in QApplication.topLevelWidgets():
            if isinstance(dialog, QDialog) and dialog.isVisible():
                dialog.reject()
        assert not told, f"{item.id} was refused: {told}"
        window.document.go_to(0)
        if sample and not window.document.design.devices:
            window.files.open(small_pod)


def test_single_letters_are_text_in_a_field_and_actions_on_the_canvas(pod: Any) -> None:
    window = pod
    window.parts.search.setFocus()
    key(window.parts.search, Qt.Key.Key_2)
    assert window.document.view_name == "fabric"
    assert window.parts.search.text() == "2"
    window.focus_view()
    key(QApplication.focusWidget(), Qt.Key.Key_2)
    assert window.document.view_name == "racks"


def test_slash_goes_to_the_search_field_and_escape_back(pod: Any) -> None:
    window = pod
    key(QApplication.focusWidget(), Qt.Key.Key_Slash)
    assert QApplication.focusWidget() is window.toolbar.search
    key(window.toolbar.search, Qt.Key.Key_Escape)
    assert window.view.isAncestorOf(QApplication.focusWidget())


def test_find_goes_to_the_one_match_and_lists_several(pod: Any) -> None:
    window = pod
    window.handlers.find_text("L03")
    assert window.document.selection.refs == ("leaf-03",)
    window.handlers.find_text("L0")
    dialog = QApplication.activeModalWidget()
    assert dialog is not None
    assert dialog.list.count() > 1
    key(dialog.edit, Qt.Key.Key_Return)
    assert len(window.document.selection.refs) == 1


def test_undo_and_redo_say_what_they_do_and_are_grey_without_a_step(blank: Any) -> None:
    undo, redo = blank.actions_by_id["edit.undo"], blank.actions_by_id["edit.redo"]
    assert not undo.isEnabled()
    assert not redo.isEnabled()
    blank.handlers.place_part("dgx-h100")
    assert undo.isEnabled()
    assert undo.text() == "Undo Place NVIDIA DGX H100"
    key(QApplication.focusWidget(), Qt.Key.Key_Z, CONTROL)
    assert not blank.document.design.devices
    assert redo.text() == "Redo Place NVIDIA DGX H100"
    key(QApplication.focusWidget(), Qt.Key.Key_Z, CONTROL | SHIFT)
    assert list(blank.document.design.devices) == ["srv-0001"]


def test_what_needs_a_selection_is_grey_without_one(pod: Any) -> None:
    ids = ("edit.copy", "edit.duplicate", "edit.delete", "edit.rename", "arrange.group", "arrange.ungroup")
    assert not any(pod.actions_by_id[i].isEnabled() for i in ids)
    pod.document.selection.set(["srv-0001"])
    assert all(pod.actions_by_id[i].isEnabled() for i in ids)


def test_all_commands_lists_and_runs_them(pod: Any) -> None:
    pod.actions_by_id["edit.commands"].trigger()
    dialog = QApplication.activeModalWidget()
    dialog.edit.setText("floor")
    key(dialog.edit, Qt.Key.Key_Return)
    assert pod.document.view_name == "floor"


def test_copy_and_paste_carry_inner_links(pod: Any) -> None:
    """A leaf and a server with the one cable between them: two devices and one cable more."""
    before = len(pod.document.design.devices), len(pod.document.design.cables)
    pod.document.selection.set(["srv-0001", "leaf-01"])
    pod.actions_by_id["edit.copy"].trigger()
    pod.document.selection.clear()
    pod.actions_by_id["edit.paste"].trigger()
    after = len(pod.document.design.devices), len(pod.document.design.cables)
    assert (after[0] - before[0], after[1] - before[1]) == (2, 1)


def test_rename_asks_for_the_name(pod: Any) -> None:
    pod.document.selection.set(["leaf-01"])

    def say(dialog: Any) -> None:
        dialog.edit.setText("Leaf one")
        dialog.accept()

    answer = Answer(QDialog, say)
    pod.actions_by_id["edit.rename"].trigger()
    assert answer.seen == ["Rename"]
    assert pod.document.design.devices["leaf-01"].name == "Leaf one"
