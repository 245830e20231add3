"""The document as the window sees it: edits, results from the worker's thread, and what a refusal leaves behind."""

from __future__ import annotations

from typing import Any

from pytestqt.qtbot import QtBot

from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.commands.devices import DeleteItems, PlaceDevice
from rackbuilder.commands.racks import AddRack
from rackbuilder.ui import bridge
from rackbuilder.ui.bridge import Document


def threaded() -> Document:
    return Document(shipped(), shipped_workloads())


def test_results_arrive_from_the_worker(qtbot: QtBot, lit: None) -> None:
    document = threaded()
    document.do(PlaceDevice(type="dgx-h100"))
    qtbot.waitUntil(lambda: not document.stale, timeout=10_000)
    assert document.report.compiled is not None
    assert document.report.compiled.counts.gpus == 8
    document.shut()


def test_quick_results_come_with_the_edit(qtbot: QtBot, lit: None, monkeypatch: Any) -> None:
    """An edit waits a moment for its results, so that both are painted at once."""
    monkeypatch.setattr(bridge, "PATIENCE_S", 10.0)
    document = threaded()
    seen: list[bool] = []
    document.reported.connect(lambda: seen.append(document.stale))
    document.do(PlaceDevice(type="dgx-h100"))
    assert seen == [False]
    document.shut()


def test_slow_results_are_not_waited_for_again_and_again(qtbot: QtBot, lit: None, monkeypatch: Any) -> None:
    document = threaded()
    asked: list[float] = []
    monkeypatch.setattr(document._worker, "idle", lambda patience: bool(asked.append(patience)))
    for _ in range(10):
        document.do(PlaceDevice(type="dgx-h100"))
    assert len(asked) == 3  # twice in a row, and once more at the eighth edit
    monkeypatch.undo()
    document.shut()


def test_a_refused_edit_changes_nothing_and_says_why(document: Document) -> None:
    told: list[Any] = []
    document.refused.connect(told.append)
    document.do(AddRack(type="52u-700x1200"))
    document.do(PlaceDevice(type="dgx-h100", rack="rack-01", u=1))
    before = document.design
    assert not document.do(PlaceDevice(type="dgx-h100", rack="rack-01", u=4))
    assert document.design is before
    assert "U" in told[0][0].what
    assert len(document.session.history.done) == 2


def test_undo_brings_the_selection_back(document: Document) -> None:
    document.do(PlaceDevice(type="dgx-h100"))
    document.do(PlaceDevice(type="dgx-h100"))
    document.selection.set(["srv-0002", "srv-0001"])
    document.do(DeleteItems(refs=("srv-0001", "srv-0002")))
    assert document.selection.refs == ()
    document.undo()
    assert document.selection.refs == ("srv-0002", "srv-0001")


def test_another_document_drops_the_results_of_the_last(document: Document) -> None:
    from rackbuilder.session.session import Session

    document.do(PlaceDevice(type="dgx-h100"))
    assert document.report.compiled is not None
    assert document.report.compiled.counts.servers == 1
    seen: list[int] = []
    document.replaced.connect(lambda: seen.append(document.report.revision))
    document.session.close()
    document.take(Session(shipped()))
    assert seen == [-1]
    assert document.report.compiled.counts.servers == 0


def test_shutting_twice_is_as_good_as_once(qtbot: QtBot, lit: None) -> None:
    document = threaded()
    document.shut()
    document.shut()
    document.analyse()  # nothing happens any more
    assert document.report.compiled is None
