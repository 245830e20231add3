"""Run as a program: opens the real window and works in it with mouse and keyboard, results in their own thread.

    python -m tests.smoke.by_mouse FILE    builds a small cluster, undoes and repeats a step, and saves it to FILE

Prints what it found as one line of JSON.
"""

import json
import sys
import time
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.session.settings import load_settings
from rackbuilder.ui import theme
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.window import MainWindow
from tests.ui.canvas import mouse
from tests.ui.drive import CONTROL, SHIFT, key, settle, typed


def main(target: Path) -> None:
    app = QApplication([])
    theme.apply(app, "light")
    document = Document(shipped(), shipped_workloads())
    window = MainWindow(document, load_settings().settings)
    window.resize(1600, 1000)
    window.show()
    _wait(lambda: window.isActiveWindow() or window.isVisible())
    window.activateWindow()
    window.files.blank()
    palette = window.parts.search
    for text in ("4 x dgx h100", "2 x qm9700"):
        palette.setFocus()
        palette.selectAll()
        typed(palette, text)
        key(palette, Qt.Key.Key_Return)
    page = window.view
    boxes = list(page.canvas.drawing.boxes.values())
    servers = [box.place for box in boxes if box.ref.startswith("srv")]
    corner = (min(p.x for p in servers) - 20, min(p.y for p in servers) - 15)
    mouse.drag(page, corner, (max(p.right for p in servers) + 20, max(p.bottom for p in servers) + 15))
    window.actions_by_id["tool.cable"].trigger()
    leaves = [mouse.middle(page, box.ref) for box in boxes if box.ref.startswith("sw")]
    between = (sum(x for x, _ in leaves) / len(leaves), leaves[0][1])
    mouse.drag(page, mouse.middle(page, "srv-0001"), between)
    cabled = len(document.design.cables)
    key(page.canvas_view, Qt.Key.Key_Z, CONTROL)
    undone = len(document.design.cables)
    key(page.canvas_view, Qt.Key.Key_Z, CONTROL | SHIFT)
    _wait(lambda: not document.stale)
    window.files._save(target, wait=False)
    _wait(lambda: not document.session.dirty)
    report = document.report
    found = {
        "platform": QApplication.platformName(),
        "cabled": cabled,
        "undone": undone,
        "gpus": report.compiled.counts.gpus if report.compiled else None,
        "saved": document.session.title,
    }
    window.close()
    settle()
    sys.stdout.write(json.dumps(found) + "\n")


def _wait(until) -> None:  # type: ignore[no-untyped-def]
    """Up to ten seconds."""
    end = time.monotonic() + 10
    while not until():
        assert time.monotonic() < end, "waited in vain"
        QApplication.processEvents()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
