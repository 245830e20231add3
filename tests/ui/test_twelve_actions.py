"""Four servers and two leaves, fully cabled, from a blank window by mouse and keyboard, in at most twelve actions."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLineEdit

from rackbuilder.formats.native.write import write_design
from rackbuilder.session.session import Session
from tests.ui.canvas import mouse
from tests.ui.drive import CONTROL, SHIFT, Answer, key, settle, typed

SERVERS, LEAVES = 4, 2
PORTS = 8
"""Compute ports of a DGX H100 (NVIDIA's data sheet: eight ConnectX-7, 400 Gb/s)."""


class Counted:
    """Counts what the user does; typing a text counts as one action, as pressing a key or a drag does."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def __call__(self, what: str, act: Callable[[], object]) -> None:
        self.done.append(what)
        act()
        settle()


def save_to(path: Path) -> Callable[[Any], None]:
    """Types a path into the file dialog and presses Enter, as one action."""

    def act(dialog: Any) -> None:
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        line.setText(str(path))
        QTest.keyClick(line, Qt.Key.Key_Return)

    return act


def build(window: Any, user: Counted) -> None:
    """From the start page to a cabled design."""
    palette = window.parts.search
    user("new blank design", lambda: key(window, Qt.Key.Key_N, CONTROL | SHIFT))
    user("search servers", lambda: (palette.setFocus(), typed(palette, "4 x dgx h100")))
    user("place them", lambda: key(palette, Qt.Key.Key_Return))
    user("search leaves", lambda: (palette.selectAll(), typed(palette, "2 x qm9700")))
    user("place them", lambda: key(palette, Qt.Key.Key_Return))
    page = window.view
    boxes = page.canvas.drawing.boxes.values()
    servers = [box.place for box in boxes if box.ref.startswith("srv")]
    corner = (min(p.x for p in servers) - 20, min(p.y for p in servers) - 15)
    end = (max(p.right for p in servers) + 20, max(p.bottom for p in servers) + 15)
    user("select the servers", lambda: mouse.drag(page, corner, end))
    user("cable tool", lambda: key(page.canvas_view, Qt.Key.Key_C))
    leaves = [mouse.middle(page, box.ref) for box in boxes if box.ref.startswith("sw")]
    between = (sum(x for x, _ in leaves) / len(leaves), leaves[0][1])
    user("drag to the leaves", lambda: mouse.drag(page, mouse.middle(page, "srv-0001"), between))


def test_a_small_cluster_in_twelve_actions(open_window: Any, tmp_path: Path, monkeypatch: Any) -> None:
    window, user = open_window(), Counted()
    monkeypatch.setattr(QApplication, "activeWindow", staticmethod(lambda: window))
    build(window, user)
    design = window.document.design

    servers = [d for d in design.devices.values() if design.type_of(d).gpus]
    leaves = [d for d in design.devices.values() if design.type_of(d).is_switch]
    assert (len(servers), len(leaves)) == (SERVERS, LEAVES)
    for server in servers:  # every compute port is cabled
        used = design.ports_used(server.id)
        assert len(used) == PORTS
    for leaf in leaves:  # and the rails are split between the leaves
        assert len(design.ports_used(leaf.id)) == SERVERS * PORTS // LEAVES
    for rail in range(PORTS):
        port = sorted(design.ports_used(servers[0].id))[rail]
        ends = {_other(design, server.id, port) for server in servers}
        assert len(ends) == 1, f"rail {rail} ends on {ends}"

    bom = tmp_path / "bom.csv"
    user("all commands", lambda: key(page_of(window), Qt.Key.Key_P, CONTROL | SHIFT))
    commands = QApplication.activeModalWidget().edit
    user("search", lambda: typed(commands, "bill of materials, csv with commas"))
    answer = Answer(QFileDialog, save_to(bom))
    user("export it", lambda: key(commands, Qt.Key.Key_Return))
    user("name the file", settle)  # the answer above typed it while the dialog ran
    assert answer.seen
    rows = list(csv.DictReader(bom.read_text(encoding="utf-8-sig").splitlines()))
    assert _quantity(rows, "DGX H100") == SERVERS
    assert _quantity(rows, "QM9700") == LEAVES
    assert len(user.done) <= 12, user.done


def page_of(window: Any) -> Any:
    return window.view.canvas_view


def _other(design: Any, device: str, port: str) -> str:
    cable = design.cables[design.indexes.ends[device][port][0]]
    return cable.b.device if cable.a.device == device else cable.a.device


def _quantity(rows: list[dict[str, str]], part: str) -> int:
    return sum(int(row["Quantity"]) for row in rows if row["Quantity"] and part in row["Name"])


def test_undoing_all_of_it_gives_the_empty_design(open_window: Any) -> None:
    window = open_window()
    build(window, Counted())
    while window.document.session.history.done:
        key(window.view.canvas_view, Qt.Key.Key_Z, CONTROL)
    design = window.document.design
    assert not any(design.tables[table] for table in ("devices", "cables", "fabrics", "racks"))
    assert not design.parts


def test_what_is_saved_opens_as_it_was(open_window: Any, tmp_path: Path) -> None:
    window = open_window()
    build(window, Counted())
    path = tmp_path / "small.rackbuilder"
    answer = Answer(QFileDialog, save_to(path))
    key(window.view.canvas_view, Qt.Key.Key_S, CONTROL)
    assert answer.seen == ["Save the design"]
    assert not window.document.session.dirty
    again = Session.open(path, window.document.catalog)
    assert again.design.same(window.document.design)
    assert write_design(again.design) == path.read_bytes()


def test_the_same_by_keyboard_alone(open_window: Any) -> None:
    """Everything a mouse did can be done without one: servers are chosen in the tree of all, leaves by arrow keys."""
    window = open_window()
    key(window, Qt.Key.Key_N, CONTROL | SHIFT)
    palette = window.parts.search
    for text in ("2 x qm9700", "4 x dgx h100"):
        palette.setFocus()
        palette.selectAll()
        typed(palette, text)
        key(palette, Qt.Key.Key_Return)
    assert len(window.document.selection) == SERVERS  # what was placed last is selected
    canvas = window.view.canvas_view
    canvas.setFocus()
    key(canvas, Qt.Key.Key_C)
    key(canvas, Qt.Key.Key_Down)
    key(canvas, Qt.Key.Key_Return)
    assert len(window.document.design.cables) == SERVERS * PORTS
