"""What is offered after a crash and when it goes; and what becomes of a recovery copy that is torn or damaged."""

import os
from pathlib import Path

import pytest

from rackbuilder.commands.devices import PlaceDevice, Rename
from rackbuilder.errors import ProblemError
from rackbuilder.session.journal import discard, find_recoveries, replay
from rackbuilder.session.session import Session
from tests.samples import CATALOG
from tests.session import documents
from tests.session.recovery import die, folder, only, rename


@pytest.fixture
def session(kept: Session) -> Session:
    return kept


# ---- when it is offered, and when it goes


def test_nothing_unsaved_is_nothing_to_offer(session: Session, root: Path) -> None:
    die(session)
    assert find_recoveries(root) == []
    assert not list(root.iterdir())


def test_saved_is_nothing_to_offer(session: Session, root: Path) -> None:
    rename(session, "a")
    session.save()
    die(session)
    assert find_recoveries(root) == []


def test_edits_made_while_a_save_ran_are_offered(session: Session, root: Path) -> None:
    rename(session, "a")
    job = session.begin_save()
    rename(session, "b")
    job.run()
    session.finish_save(job)
    die(session)
    assert Session.recover(only(root), CATALOG).design.devices["srv-0001"].name == "b"


def test_a_new_design_from_a_template_is_offered_though_nothing_was_edited_since(root: Path) -> None:
    """It is in no file: its first edit came before its recovery copy."""
    session = Session(CATALOG)
    session.do(PlaceDevice(type="t-server", count=3))
    session.keep_journal(root)
    die(session)
    recovery = only(root)
    assert (recovery.edits, recovery.document, recovery.name) == (0, None, "Untitled design")
    assert len(Session.recover(recovery, CATALOG).design.devices) == 3


def test_closing_leaves_nothing(session: Session, root: Path) -> None:
    rename(session, "a")
    session.close()
    assert not list(root.iterdir())
    session.close()  # twice is once
    session.do(Rename(ref="srv-0001", name="b"))
    assert not list(root.iterdir())


def test_an_open_document_is_offered_to_nobody(session: Session, root: Path) -> None:
    rename(session, "a")
    assert find_recoveries(root) == []
    rename(session, "b")  # and looking did it no harm
    assert session.journal is not None
    assert session.journal.problem is None
    die(session)
    assert only(root).edits == 2


def test_it_is_offered_until_it_is_saved_or_discarded(session: Session, root: Path, tmp_path: Path) -> None:
    rename(session, "a")
    die(session)
    first = Session.recover(only(root), CATALOG)
    assert find_recoveries(root) == []  # open now
    die(first)
    second = Session.recover(only(root), CATALOG)
    assert second.design.devices["srv-0001"].name == "a"
    second.save()
    assert find_recoveries(root) == []
    die(second)
    assert find_recoveries(root) == []


def test_discarded_it_is_gone(session: Session, root: Path) -> None:
    rename(session, "a")
    die(session)
    discard(only(root))
    assert find_recoveries(root) == []


def test_taken_or_discarded_by_another_window_it_is_a_refusal(session: Session, root: Path) -> None:
    rename(session, "a")
    die(session)
    offered = only(root)
    taken = Session.recover(offered, CATALOG)
    with pytest.raises(ProblemError, match="in use, or gone"):
        Session.recover(offered, CATALOG)
    taken.close()
    with pytest.raises(ProblemError, match="in use, or gone"):
        Session.recover(offered, CATALOG)


def test_the_newest_is_offered_first(root: Path) -> None:
    for n, name in enumerate(("old", "new", "middle")):
        session = documents.session()
        session.retitle(name)
        session.keep_journal(root)
        rename(session, "a")
        die(session)
        (path,) = folder(session).glob("journal-*")
        os.utime(path, (1e9 + [1, 3, 2][n], 1e9 + [1, 3, 2][n]))
    assert [r.name for r in find_recoveries(root)] == ["new", "middle", "old"]


def test_a_file_saved_by_others_since_the_crash_is_not_overwritten_unasked(
    session: Session, root: Path
) -> None:
    rename(session, "a")
    die(session)
    assert session.path is not None
    other = Session.open(session.path, CATALOG)
    other.do(Rename(ref="srv-0002", name="theirs"))
    other.save()
    again = Session.recover(only(root), CATALOG)
    with pytest.raises(ProblemError, match="changed by another program"):
        again.save()


def test_a_file_nobody_touched_since_the_crash_is_saved_without_asking(session: Session, root: Path) -> None:
    rename(session, "a")
    session.save()
    rename(session, "b")
    die(session)
    Session.recover(only(root), CATALOG).save()


def test_a_relative_name_is_the_same_file_in_another_folder(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    session = documents.session(Path("a.rackbuilder"))
    session.keep_journal(root)
    rename(session, "a")
    die(session)
    monkeypatch.chdir(tmp_path.parent)
    assert only(root).document == tmp_path / "a.rackbuilder"


@pytest.mark.skipif(os.name == "nt", reason="bytes in names of files")
def test_a_file_whose_name_is_no_text_has_a_recovery_copy_too(root: Path, tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/gr\xf6\xdfe.rackbuilder"))
    session = documents.session(path)
    session.keep_journal(root)
    rename(session, "a")
    assert session.journal is not None
    assert session.journal.problem is None
    die(session)
    assert only(root).document == path


# ---- torn, damaged, foreign


def test_a_torn_last_line_is_dropped_and_the_next_edit_is_not_lost_with_it(
    session: Session, root: Path
) -> None:
    rename(session, "Ω")
    rename(session, "Ψ")
    die(session)
    (path,) = folder(session).glob("journal-*")
    whole = path.read_bytes()
    cut = whole.rindex("Ψ".encode()) + 1  # in the middle of a letter
    path.write_bytes(whole[:cut])
    again = Session.recover(only(root), CATALOG)
    assert again.problems == ()
    assert again.design.devices["srv-0001"].name == "Ω"
    rename(again, "Φ")
    die(again)
    third = Session.recover(only(root), CATALOG)
    assert third.problems == ()
    assert third.design.devices["srv-0001"].name == "Φ"
    assert [step.patch.label for step in third.history.done] == ["Rename srv-0001", "Rename Ω"]


def test_wherever_the_last_line_is_torn_the_edits_before_it_come_back(session: Session, root: Path) -> None:
    rename(session, "a")
    rename(session, "b")
    die(session)
    (path,) = folder(session).glob("journal-*")
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for length in range(first, len(whole)):
        path.write_bytes(whole[:length])
        assert only(root).edits == 1
        made = replay(only(root))
        assert made.complete
        assert made.design.devices["srv-0001"].name == "a"


BAD_LINES = [
    b"",
    b"{}",
    b"[]",
    b"null",
    b"\x00" * 50,
    b'{"label":"x"}',
    b'{"label":"x","changes":5}',
    b'{"label":"x","changes":[5]}',
    b'{"label":"x","changes":[["devices","srv-0001"]]}',
    b'{"label":"x","changes":[["no table","a",null]]}',
    b'{"label":"x","changes":[["devices","srv-0001",{"id":"srv-0001"}]]}',
    b'{"label":"x","changes":[["devices","srv-0001",[]]]}',
    b'{"label":"x","changes":[["devices",["srv-0001"],null]]}',
    b'{"label":"x","changes":[["racks","rack-01",null]]}',
    b'{"label":"x","changes":[["devices","srv-0001",{"id":"srv-0001","type":"nothing"}]]}',
    b'{"changes":[]}',
    b"[" * 100_000,
    b"\xff\xfe",
]


@pytest.mark.parametrize("bad", BAD_LINES, ids=range(len(BAD_LINES)))
def test_an_edit_that_cannot_be_repeated_is_told_and_those_before_it_come_back(
    session: Session, root: Path, bad: bytes
) -> None:
    for name in "abc":
        rename(session, name)
    die(session)
    (path,) = folder(session).glob("journal-*")
    rows = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([rows[0], bad, *rows[2:]]))
    again = Session.recover(only(root), CATALOG)
    assert again.design.devices["srv-0001"].name == "a"
    assert "Edit 2 of 3 cannot be repeated" in again.problems[0].what
    rename(again, "d")  # goes on from there, and is not lost behind the bad line
    die(again)
    third = Session.recover(only(root), CATALOG)
    assert third.problems == ()
    assert third.design.devices["srv-0001"].name == "d"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"5", b"null", b'{"generation":"x"}', b'{"generation":7}', b"\xff"]
)
def test_a_damaged_description_loses_no_work(session: Session, root: Path, content: bytes) -> None:
    rename(session, "a")
    die(session)
    (folder(session) / "document.json").write_bytes(content)
    assert Session.recover(only(root), CATALOG).design.devices["srv-0001"].name == "a"


def test_a_base_that_cannot_be_read_is_a_refusal_and_stays(session: Session, root: Path) -> None:
    rename(session, "a")
    die(session)
    next(folder(session).glob("base-*")).write_bytes(b"{")
    for _ in range(2):  # and it is not left locked
        with pytest.raises(ProblemError):
            Session.recover(only(root), CATALOG)
    assert folder(session).exists()


def test_what_is_not_ours_is_left_alone(session: Session, root: Path) -> None:
    rename(session, "a")
    die(session)
    (root / "notes.txt").write_text("mine")
    (root / "pictures").mkdir()
    (root / "pictures" / "cat.png").write_bytes(b"")
    assert len(find_recoveries(root)) == 1
    assert (root / "notes.txt").exists()
    assert sorted(path.name for path in (root / "pictures").iterdir()) == ["cat.png"]


def test_a_folder_that_is_just_being_made_is_left_alone(root: Path) -> None:
    """By another process: it has its lock and no base yet. One that is long so was left by a process killed then."""
    young, old = root / "0123456789abcdef", root / "fedcba9876543210"
    for made in (young, old):
        made.mkdir(parents=True)
        (made / "lock").touch()
    os.utime(old, (1e9, 1e9))
    assert find_recoveries(root) == []
    assert [path.name for path in root.iterdir()] == [young.name]


def test_no_folder_at_all_is_nothing_to_offer(root: Path, tmp_path: Path) -> None:
    assert find_recoveries(root) == []
    (tmp_path / "file").touch()
    assert find_recoveries(tmp_path / "file") == []
