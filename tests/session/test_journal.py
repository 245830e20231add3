"""The recovery copy in one process: what it holds after each edit, and what happens when it cannot be written."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from rackbuilder.commands.devices import DeleteItems, MoveDevice, PlaceDevice, Rename
from rackbuilder.design.patch import Patch
from rackbuilder.errors import ProblemError
from rackbuilder.session import journal as module
from rackbuilder.session.journal import find_recoveries
from rackbuilder.session.lock import Lock
from rackbuilder.session.session import Session
from tests.helpers import files_at_most
from tests.samples import CATALOG
from tests.session import documents
from tests.session.documents import print_of
from tests.session.recovery import die, folder, only, rename


def lines(session: Session) -> list[Any]:
    (path,) = folder(session).glob("journal-*.jsonl")
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.fixture
def session(kept: Session) -> Session:
    return kept


# ---- what it holds


def test_each_edit_undo_and_redo_is_a_line_at_once(session: Session) -> None:
    rename(session, "Ω")
    session.undo()
    session.redo()
    assert [line["label"] for line in lines(session)] == ["Rename srv-0001"] * 3
    assert lines(session)[0]["changes"][0][:2] == ["devices", "srv-0001"]
    assert lines(session)[0]["changes"][0][2]["name"] == "Ω"


def test_replayed_it_is_the_same_and_can_be_undone(session: Session, root: Path) -> None:
    start = print_of(session)
    states = [start]
    for edit in (
        Rename(ref="srv-0001", name="α"),
        PlaceDevice(type="t-server", rack="rack-01"),
        DeleteItems(refs=("srv-0002",)),
        MoveDevice(devices=("srv-0001",), u=30),
        DeleteItems(refs=("rack-01",)),
    ):
        session.do(edit)
        states.append(print_of(session))
    session.undo()
    states.append(print_of(session))
    about = session.design.about
    die(session)

    recovery = only(root)
    assert (recovery.edits, recovery.document) == (6, session.path)
    assert recovery.last_label == "Delete A01"
    again = Session.recover(recovery, CATALOG)
    assert again.problems == ()
    assert print_of(again) == states[-1]
    assert again.design.about == about  # the numbers used up, too
    assert again.dirty
    assert again.path == session.path
    for state in reversed(states[:-1]):
        again.undo()
        assert print_of(again) == state


def test_a_gesture_is_a_line_for_each_of_its_edits(session: Session, root: Path) -> None:
    for u in (20, 21, 22):
        session.do(MoveDevice(devices=("srv-0001",), u=u), gesture="u")
    die(session)
    assert only(root).edits == 3
    assert Session.recover(only(root), CATALOG).design.devices["srv-0001"].u == 22


def test_previews_and_refused_edits_leave_no_line(session: Session) -> None:
    session.preview(Rename(ref="srv-0001", name="x"))
    with pytest.raises(ProblemError):
        rename(session, "a\nb")
    rename(session, "")  # changes nothing
    assert not list(folder(session).glob("journal-*"))


def test_what_is_in_no_record_is_kept_too(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.rackbuilder"
    documents.session(path)
    path.write_bytes(path.read_bytes().replace(b"\n]\n}\n", b'\n],\n"mine": [\n{"a":1}\n]\n}\n'))
    session = Session.open(path, CATALOG)
    session.keep_journal(root)
    session.retitle("Hall 7")
    session.discard_unread()
    rename(session, "a")
    die(session)
    again = Session.recover(only(root), CATALOG)
    assert again.design.about.title == "Hall 7"
    assert again.design.aside.tables == {}
    assert again.design.devices["srv-0001"].name == "a"


def test_a_stand_in_for_a_missing_part_can_still_be_used_after_a_crash(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.rackbuilder"
    documents.session(path)
    kept = [line for line in path.read_bytes().split(b"\n") if b'"id":"t-qm9700"' not in line]
    path.write_bytes(b"\n".join(kept).replace(b",\n]", b"\n]"))
    session = Session.open(path, CATALOG)
    assert len(session.problems) == 1
    session.keep_journal(root)
    session.do(DeleteItems(refs=("leaf-01", "leaf-02")))
    session.retitle("a new base, in which nothing uses the part")
    session.undo()
    die(session)
    again = Session.recover(only(root), CATALOG)
    assert sorted(again.design.devices) == ["leaf-01", "leaf-02", "srv-0001", "srv-0002"]
    again.save()
    assert b"t-qm9700" not in path.read_bytes().split(b'"devices"')[0]  # still no part of the file


def test_the_base_is_written_anew_when_the_journal_outgrows_it(
    session: Session, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_REBASE_BYTES", 1000)
    base = next(folder(session).glob("base-*")).stat().st_size
    sizes = []
    for n in range(200):
        rename(session, f"name {n}")
        (journal,) = [*folder(session).glob("journal-*"), None][:1]
        sizes.append(journal.stat().st_size if journal else 0)
        assert len(list(folder(session).glob("base-*"))) == 1
    assert max(sizes) <= base + 300  # the name has grown since
    assert sizes.count(0) >= 3  # several times anew
    die(session)
    again = Session.recover(only(root), CATALOG)
    assert print_of(again) == print_of(session)
    assert again.dirty


# ---- when it cannot be written


def test_a_full_disk_stops_no_edit_and_is_told(session: Session, root: Path) -> None:
    rename(session, "a")
    journal = session.journal
    assert journal is not None
    with files_at_most(60):
        rename(session, "b")
        assert journal.problem is not None
        assert "recovery copy cannot be written" in journal.problem.what
        rename(session, "c")
        assert session.design.devices["srv-0001"].name == "c"
    rename(session, "d")  # there is space again: all of it, not only this line
    assert journal.problem is None
    session.undo()
    die(session)
    assert Session.recover(only(root), CATALOG).design.devices["srv-0001"].name == "c"


def test_half_a_line_of_a_full_disk_is_no_line(session: Session, root: Path) -> None:
    rename(session, "a")
    (path,) = folder(session).glob("journal-*")
    with files_at_most(path.stat().st_size + 20):
        rename(session, "b")
    rename(session, "c")
    die(session)
    again = Session.recover(only(root), CATALOG)
    assert again.problems == ()
    assert again.design.devices["srv-0001"].name == "c"


def test_a_folder_that_cannot_be_made_stops_no_edit(tmp_path: Path) -> None:
    blocked = tmp_path / "data"
    blocked.write_bytes(b"a file in the way")
    session = documents.session()
    session.keep_journal(blocked / "recovery")
    assert session.journal is not None
    assert session.journal.problem is not None
    rename(session, "a")
    session.undo()
    assert session.journal.problem is not None
    blocked.unlink()
    rename(session, "b")
    assert session.journal.problem is None
    die(session)
    assert Session.recover(only(blocked / "recovery"), CATALOG).design.devices["srv-0001"].name == "b"


def test_a_folder_deleted_under_it_is_made_again(session: Session, root: Path) -> None:
    rename(session, "a")
    shutil.rmtree(root)
    rename(session, "b")
    rename(session, "c")
    journal = session.journal
    assert journal is not None
    assert journal.problem is None
    assert find_recoveries(root) == []  # and locked
    die(session)
    assert Session.recover(only(root), CATALOG).design.devices["srv-0001"].name == "c"


def test_a_look_by_another_process_at_that_very_moment_does_not_cost_the_lock(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It takes the lock to see whether the owner lives, and lets go of it."""
    monkeypatch.setattr(module.secrets, "token_hex", lambda _: "0123456789abcdef")
    made = root / "0123456789abcdef"
    made.mkdir(parents=True)
    other = Lock(made / "lock")
    assert other.take()
    monkeypatch.setattr(module.time, "sleep", lambda _: other.release())
    session = documents.session()
    session.keep_journal(root)
    assert session.journal is not None
    assert session.journal.problem is None
    rename(session, "a")
    assert find_recoveries(root) == []


def test_an_empty_patch_is_a_line_that_changes_nothing() -> None:
    made = module.patch_from_line(module.patch_line(Patch("x")), documents.design())
    assert made == Patch("x")
