"""Do, undo, redo, preview: the document, its graphs, its history and its listeners always tell the same."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import ValidationError

from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import Connect, Disconnect
from rackbuilder.commands.devices import DeleteItems, MoveDevice, PlaceDevice, Rename, SetProperty
from rackbuilder.commands.edit import AddNote
from rackbuilder.commands.script import Script
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import End
from rackbuilder.errors import ProblemError
from rackbuilder.session.history import Focus
from rackbuilder.session.session import Event, Session
from rackbuilder.topology.graphs import Graphs, build_graphs
from tests.samples import CATALOG
from tests.session import documents
from tests.session.documents import print_of


@pytest.fixture
def session() -> Session:
    return documents.session()


def labels(session: Session) -> list[str]:
    return [step.patch.label for step in session.history.done]


def test_an_edit_is_one_step_and_one_event(session: Session) -> None:
    events: list[Event] = []
    session.changed.append(events.append)
    before = session.design
    patch = session.do(Rename(ref="srv-0001", name="alpha"))
    assert labels(session) == ["Rename srv-0001"]
    assert session.revision == 1
    assert [(e.patch, e.before, e.after) for e in events] == [(patch, before, session.design)]
    assert session.design.devices["srv-0001"].name == "alpha"
    assert before.devices["srv-0001"].name == ""  # the value before is as it was


def test_undo_and_redo_walk_the_same_states(session: Session) -> None:
    states = [print_of(session)]
    edits: list[Command] = [
        PlaceDevice(type="t-server", rack="rack-01"),
        MoveDevice(devices=("srv-0002",), u=30),
        Connect(a="srv-0002:osfp1/1", b="leaf-02:osfp1/1"),
        DeleteItems(refs=("rack-01",)),
        PlaceDevice(type="t-qm9700"),
    ]
    for edit in edits:
        session.do(edit)
        states.append(print_of(session))
    for state in reversed(states[:-1]):
        session.undo()
        assert print_of(session) == state
        assert same_graphs(session)
    assert session.undo() is None
    for state in states[1:]:
        session.redo()
        assert print_of(session) == state
        assert same_graphs(session)
    assert session.redo() is None


def same_graphs(session: Session) -> bool:
    """Patched graphs equal those built afresh."""
    return edges(session.graphs) == edges(build_graphs(session.design))


def edges(graphs: Graphs) -> dict[str, Any]:
    return {
        name: sorted(
            (*sorted((a, b)), sorted(data.items(), key=str)) for a, b, data in fabric.graph.edges(data=True)
        )
        for name, fabric in graphs.fabrics.items()
    }


def test_a_refused_edit_changes_nothing(session: Session) -> None:
    session.do(Rename(ref="srv-0001", name="alpha"))
    session.do(Rename(ref="srv-0001", name="beta"))
    session.undo()
    events: list[Event] = []
    session.changed.append(events.append)
    state = (session.design, session.graphs, session.revision, session.history.done, session.history.undone)
    refused: list[Command] = [
        MoveDevice(devices=("srv-0001",), u=9),  # where srv-0002 stands
        MoveDevice(devices=("srv-0001",), u=40),  # through the top of the rack
        SetProperty(ref="srv-0001", field="u", value=9),
        Connect(a="srv-0001:osfp1/1", b="leaf-02:osfp2/1"),  # a port in use
        Rename(ref="srv-0001", name="a\nb"),
        Rename(ref="srv-0001", name="a\0b"),
        Rename(ref="srv-0001", name="x" * 501),
        DeleteItems(refs=("srv-0001", "nothing")),
        PlaceDevice(type="t-sever"),
        Script(commands=(Rename(ref="srv-0001", name="gamma"), Rename(ref="nothing", name="x"))),
    ]
    for edit in refused:
        with pytest.raises(ProblemError):
            session.do(edit)
        assert (
            session.design,
            session.graphs,
            session.revision,
            session.history.done,
            session.history.undone,
        ) == state
    assert events == []


def test_an_edit_that_changes_nothing_is_no_step_and_keeps_redo(session: Session) -> None:
    session.do(Rename(ref="srv-0001", name="alpha"))
    session.do(Rename(ref="srv-0001", name="beta"))
    session.undo()
    events: list[Event] = []
    session.changed.append(events.append)
    for edit in (
        Rename(ref="srv-0001", name="alpha"),
        SetProperty(ref="srv-0001", field="state", value="planned"),
        MoveDevice(devices=("srv-0001",), u=session.design.devices["srv-0001"].u),
    ):
        assert session.do(edit).empty
    assert events == []
    assert labels(session) == ["Rename srv-0001"]
    session.redo()
    assert session.design.devices["srv-0001"].name == "beta"


def test_history_is_bound_to_ids_not_to_places(session: Session) -> None:
    """A, B, C made; A deleted; undone; another renamed; undone; redone twice."""
    for name in "ABC":
        session.do(PlaceDevice(type="t-one-u", name=name, id=f"dev-{name}"))
    session.do(DeleteItems(refs=("dev-A",)))
    session.undo()
    session.do(Rename(ref="dev-B", name="B2"))
    session.undo()
    session.redo()
    assert session.redo() is None  # the deletion was forgotten when B was renamed
    assert {d.id: d.name for d in session.design.devices.values() if d.id.startswith("dev-")} == {
        "dev-A": "A", "dev-B": "B2", "dev-C": "C"
    }  # fmt: skip


def test_go_to_jumps_both_ways_and_stops_at_the_ends(session: Session) -> None:
    states = [print_of(session)]
    for n in range(4):
        session.do(Rename(ref="srv-0001", name=f"n{n}"))
        states.append(print_of(session))
    for position in (1, 4, 0, 3, 3, 2):
        session.go_to(position)
        assert session.history.position == position
        assert print_of(session) == states[position]
    session.go_to(99)
    assert session.history.position == 4
    session.go_to(-5)
    assert session.history.position == 0


def test_a_new_edit_forgets_what_was_undone(session: Session) -> None:
    session.do(Rename(ref="srv-0001", name="a"))
    session.undo()
    session.do(Rename(ref="srv-0001", name="b"))
    assert session.redo() is None
    assert labels(session) == ["Rename srv-0001"]


def test_a_step_brings_back_what_was_selected(session: Session) -> None:
    focus = Focus(("srv-0001", "srv-0002"), "rack")
    session.do(Rename(ref="srv-0001", name="a"), focus=focus)
    undone = session.undo()
    redone = session.redo()
    assert undone is not None
    assert redone is not None
    assert undone.focus == redone.focus == focus


def test_the_history_is_there_when_listeners_are_told(session: Session) -> None:
    """A window that asks in the event what can be undone gets the answer of after the edit."""
    seen: list[tuple[int, int, bool]] = []
    session.changed.append(
        lambda _: seen.append((session.history.position, len(session.history.undone), session.dirty))
    )
    session.do(Rename(ref="srv-0001", name="a"))
    session.undo()
    session.redo()
    assert seen == [(1, 0, True), (0, 1, False), (1, 0, True)]


def test_a_listener_that_fails_does_not_cost_the_step(session: Session) -> None:
    def failing(_: Event) -> None:
        raise RuntimeError("a bug in a window")

    session.changed.append(failing)
    before = print_of(session)
    with pytest.raises(RuntimeError):
        session.do(Rename(ref="srv-0001", name="a"))
    session.changed.clear()
    assert labels(session) == ["Rename srv-0001"]
    session.undo()
    assert print_of(session) == before


def test_a_fault_in_the_graphs_leaves_document_and_history_as_they_were(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is a bug, and the window goes on after one: with a document that fits its graphs."""

    def broken(*_: object) -> Graphs:
        raise RuntimeError("a bug in a graph")

    session.do(Rename(ref="srv-0001", name="a"))
    state = (session.design, session.graphs, session.history.done, session.history.undone)
    monkeypatch.setattr(Graphs, "apply", broken)
    for act in (lambda: session.do(Rename(ref="srv-0001", name="b")), session.undo):
        with pytest.raises(RuntimeError):
            act()
        assert (session.design, session.graphs, session.history.done, session.history.undone) == state
    monkeypatch.undo()
    session.undo()
    assert session.design.devices["srv-0001"].name == ""


def test_listeners_may_leave_while_they_are_told(session: Session) -> None:
    told: list[str] = []

    def once(_: Event) -> None:
        told.append("once")
        session.changed.remove(once)

    session.changed += [once, lambda _: told.append("always")]
    session.do(Rename(ref="srv-0001", name="a"))
    session.do(Rename(ref="srv-0001", name="b"))
    assert told == ["once", "always", "always"]


# ---- preview


def test_a_preview_has_no_side_effects(session: Session) -> None:
    events: list[Event] = []
    session.do(Rename(ref="srv-0001", name="a"))
    session.undo()
    session.changed.append(events.append)
    state = (session.design, session.graphs, session.revision, session.history.done, session.history.undone)
    shown = session.preview(Connect(a="srv-0002:osfp1/1", b="leaf-02:osfp1/1"))
    assert shown.problems == ()
    assert shown.design is not None
    assert shown.graphs is not None
    assert len(shown.design.cables) == 2
    assert edges(shown.graphs) == edges(build_graphs(shown.design))
    assert (
        session.design,
        session.graphs,
        session.revision,
        session.history.done,
        session.history.undone,
    ) == state
    assert events == []
    assert not session.dirty


def test_a_preview_says_why_an_edit_would_be_refused_and_the_edit_says_the_same(session: Session) -> None:
    edit = MoveDevice(devices=("srv-0001",), u=9)
    shown = session.preview(edit)
    assert (shown.patch, shown.design, shown.graphs) == (None, None, None)
    with pytest.raises(ProblemError) as caught:
        session.do(edit)
    assert caught.value.problems == shown.problems
    assert "srv-0002" in shown.problems[0].text()


def test_what_a_preview_shows_is_what_the_edit_makes(session: Session) -> None:
    edit = PlaceDevice(type="t-server", rack="rack-01")
    shown = session.preview(edit)
    session.do(edit)
    assert shown.design is not None
    assert session.design.same(shown.design)


# ---- misfits of a file


def with_misfits() -> Session:
    """As from a file: two servers at U1, one cable in a port that is not there."""
    made = documents.design()
    old, cable = made.devices["srv-0002"], made.cables["cbl-0001"]
    changes = (
        Change("devices", old.id, old, replace(old, u=1.0)),
        Change("cables", cable.id, cable, replace(cable, b=End("leaf-01", "osfp99/1"))),
    )
    return Session(CATALOG, made.apply(Patch("by hand", changes)))


def test_misfits_that_were_there_refuse_no_other_edit() -> None:
    session = with_misfits()
    start = session.design
    for edit in (
        Rename(ref="srv-0001", name="a"),
        Rename(ref="rack-01", name="B07"),
        Rename(ref="t-server", name="Another word for it"),
        SetProperty(ref="srv-0001", field="state", value="existing"),
        PlaceDevice(type="t-one-u", rack="rack-01"),
        Script(commands=(Rename(ref="srv-0002", name="b"), PlaceDevice(type="t-one-u", rack="rack-01"))),
        Disconnect(refs=("cbl-0001",)),
        MoveDevice(devices=("srv-0002",), u=25),  # mended
    ):
        session.do(edit)
    session.go_to(0)
    assert session.design.same(start)  # undo brings the misfits back, unasked


def test_another_misfit_in_place_of_an_old_one_is_refused() -> None:
    session = with_misfits()
    for u in (2, 4):
        with pytest.raises(ProblemError, match="stand in the same place"):
            session.do(MoveDevice(devices=("srv-0002",), u=u))


# ---- what is in no record


def test_a_title_is_no_step_and_survives_undo(session: Session) -> None:
    session.do(Rename(ref="srv-0001", name="a"))
    session.retitle("Hall 7", "Customer")
    session.undo()
    assert (session.design.about.title, session.design.about.customer) == ("Hall 7", "Customer")
    assert session.title == "Hall 7"
    assert len(session.history.undone) == 1


def test_values_that_no_file_could_hold_are_refused_before_they_are_in(session: Session) -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValidationError):
            SetProperty(ref="rack-01", field="x_m", value=value)
        with pytest.raises(ValidationError):
            MoveDevice(devices=("srv-0001",), u=value)
    assert session.do(AddNote(text="a\nb")).changes  # a note may have lines
