"""Gestures: many edits, one step; and when the next edit stands alone."""

import pytest

from rackbuilder.commands.cabling import Disconnect
from rackbuilder.commands.devices import MoveDevice, PlaceDevice, Rename
from rackbuilder.session.session import Session
from tests.session import documents
from tests.session.documents import print_of


@pytest.fixture
def session() -> Session:
    return documents.session()


def labels(session: Session) -> list[str]:
    return [step.patch.label for step in session.history.done]


def test_the_edits_of_one_gesture_are_one_step(session: Session) -> None:
    for u in (20, 21, 22):
        session.do(MoveDevice(devices=("srv-0001",), u=u), gesture="u of srv-0001")
    assert len(session.history.done) == 1
    assert session.revision == 3  # yet each was an event
    session.undo()
    assert session.design.devices["srv-0001"].u == 1
    session.redo()
    assert session.design.devices["srv-0001"].u == 22


def test_a_gesture_that_comes_back_to_its_start_is_no_step(session: Session) -> None:
    session.do(Rename(ref="srv-0002", name="before"))
    for u in (20, 21, 1):
        session.do(MoveDevice(devices=("srv-0001",), u=u), gesture="u")
    assert labels(session) == ["Rename srv-0002"]
    assert session.design.devices["srv-0001"].u == 1


@pytest.mark.parametrize("between", ["close", "undo and redo", "another gesture", "no gesture"])
def test_a_gesture_ends(session: Session, between: str) -> None:
    session.do(MoveDevice(devices=("srv-0001",), u=20), gesture="u")
    if between == "close":
        session.history.close_gesture()
    elif between == "undo and redo":
        session.undo()
        session.redo()
    else:
        gesture = "other" if between == "another gesture" else ""
        session.do(Rename(ref="srv-0002", name="x"), gesture=gesture)
    session.do(MoveDevice(devices=("srv-0001",), u=21), gesture="u")
    assert len(session.history.done) == (3 if "gesture" in between else 2)
    session.undo()
    assert session.design.devices["srv-0001"].u == 20


def test_a_gesture_gone_to_nothing_does_not_open_an_old_one(session: Session) -> None:
    session.do(MoveDevice(devices=("srv-0001",), u=20), gesture="u")
    session.history.close_gesture()
    for u in (21, 20):
        session.do(MoveDevice(devices=("srv-0001",), u=u), gesture="u")
    session.do(MoveDevice(devices=("srv-0001",), u=25), gesture="u")
    session.undo()
    assert session.design.devices["srv-0001"].u == 20


def test_a_gesture_over_several_records_is_undone_whole(session: Session) -> None:
    start = print_of(session)
    session.do(PlaceDevice(type="t-one-u", id="dev-a", rack="rack-01", u=40), gesture="g")
    session.do(Rename(ref="dev-a", name="x"), gesture="g")
    session.do(Disconnect(refs=("cbl-0001",)), gesture="g")
    end = print_of(session)
    assert len(session.history.done) == 1
    session.undo()
    assert print_of(session) == start
    session.redo()
    assert print_of(session) == end
