"""Waivers, notes, settings, drawn places."""

import pytest

from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.drawing import Collapse, Pin, Unpin
from rackbuilder.commands.edit import AddNote, SetPolicy, Unwaive, Waive
from rackbuilder.errors import ProblemError
from tests.samples import CATALOG, built, edited


def test_a_finding_is_waived_with_a_reason_and_taken_back() -> None:
    start = built(PlaceDevice(type="t-server"))
    waived = edited(start, Waive(rule="fabric.one-leaf", refs=("srv-0001", "leaf-01"), reason=" lab only "))
    assert [(w.rule, w.refs, w.reason) for w in waived.tables["waivers"].values()] == [
        ("fabric.one-leaf", ("leaf-01", "srv-0001"), "lab only")
    ]
    again = edited(waived, Waive(rule="fabric.one-leaf", refs=("leaf-01", "srv-0001"), reason="still"))
    assert [w.reason for w in again.tables["waivers"].values()] == ["still"]
    assert edited(again, Unwaive(rule="fabric.one-leaf", refs=("srv-0001", "leaf-01"))).same(start)
    assert edited(again, Unwaive(waiver="wvr-01")).same(start)
    with pytest.raises(ProblemError, match="waived with a reason"):
        edited(start, Waive(rule="fabric.one-leaf", reason="  "))
    with pytest.raises(ProblemError, match="No such finding"):
        edited(start, Unwaive(rule="fabric.one-leaf"))


def test_notes_are_about_something_or_everything() -> None:
    design = edited(
        built(PlaceDevice(type="t-server")), AddNote(text="loan", ref="srv-0001"), AddNote(text="phase 1")
    )
    assert [(n.ref, n.text) for n in design.tables["notes"].values()] == [
        ("srv-0001", "loan"),
        ("", "phase 1"),
    ]
    with pytest.raises(ProblemError, match="no record “srv-0009”"):
        edited(design, AddNote(text="?", ref="srv-0009"))


def test_settings_go_back_to_their_default() -> None:
    design = built(SetPolicy(key="slack", value=0.1))
    assert design.tables["policies"]["slack"].value == 0.1
    assert not edited(design, SetPolicy(key="slack")).tables["policies"]
    assert SetPolicy(key="never-set").plan(design, CATALOG).empty


def test_drawn_places_are_pinned_and_forgotten_by_view() -> None:
    design = built(
        PlaceDevice(type="t-server", count=2),
        Pin(places={"srv-0002": (1.5, 2), "block:storage": (3, 4)}),
        Pin(view="floor", places={"srv-0001": (0, 0)}),
    )
    drawing = design.tables["drawing"]
    assert (drawing["fabric/srv-0002"].x, drawing["fabric/srv-0002"].pinned) == (1.5, True)
    assert list(edited(design, Unpin(refs=("srv-0002",))).tables["drawing"]) == [
        "fabric/block:storage",
        "floor/srv-0001",
    ]
    assert list(edited(design, Unpin()).tables["drawing"]) == ["floor/srv-0001"]
    assert Unpin(view="racks").plan(design, CATALOG).empty


def test_a_block_is_collapsed_and_opened_without_a_trace() -> None:
    start = built(PlaceDevice(type="t-server"))
    folded = edited(start, Collapse(ref="srv-0001"))
    assert folded.tables["drawing"]["fabric/srv-0001"].collapsed
    assert edited(folded, Collapse(ref="srv-0001", on=False)).same(start)
