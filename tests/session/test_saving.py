"""Saving: what is unsaved, what others did to the file meanwhile, and edits while a save runs."""

import os
import shutil
from pathlib import Path

import pytest

from rackbuilder.commands.devices import PlaceDevice, Rename
from rackbuilder.errors import InputError, ProblemError
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.session import Session
from tests.helpers import files_at_most
from tests.samples import CATALOG
from tests.session import documents
from tests.session.documents import print_of


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.rackbuilder"


@pytest.fixture
def session(path: Path) -> Session:
    return documents.session(path)


def rename(session: Session, name: str) -> None:
    session.do(Rename(ref="srv-0001", name=name))


def touch(path: Path) -> None:
    """As another program writes it: other content, other time."""
    path.write_bytes(path.read_bytes() + b"\n")
    os.utime(path, ns=(1, 1))


# ---- what is unsaved


def test_a_new_design_is_saved_only_when_it_is(path: Path) -> None:
    session = Session(CATALOG)
    assert not session.dirty
    session.do(PlaceDevice(type="t-server"))
    assert session.dirty
    session.save(path)
    assert not session.dirty
    assert print_of(Session.open(path, CATALOG)) == print_of(session)


def test_undone_to_the_saved_state_nothing_is_unsaved(session: Session) -> None:
    """Though a number for a server was used up."""
    session.do(PlaceDevice(type="t-server"))
    assert session.dirty
    session.undo()
    assert not session.dirty
    session.redo()
    assert session.dirty


def test_undone_past_the_saved_state_something_is_unsaved(session: Session) -> None:
    rename(session, "a")
    session.save()
    assert not session.dirty
    session.undo()
    assert session.dirty
    session.redo()
    assert not session.dirty


def test_the_same_content_by_another_way_is_saved(session: Session) -> None:
    rename(session, "a")
    rename(session, "")
    assert not session.dirty


def test_a_title_is_unsaved_until_it_is_saved(session: Session, path: Path) -> None:
    session.retitle("Hall 7")
    assert session.dirty
    session.save()
    assert not session.dirty
    assert Session.open(path, CATALOG).design.about.title == "Hall 7"


def test_dropping_what_was_not_read_is_a_change_of_the_file(path: Path) -> None:
    good = write_design(documents.design())
    path.write_bytes(good.replace(b"\n]\n}\n", b'\n],\n"mine": [\n{"a":1}\n]\n}\n'))
    session = Session.open(path, CATALOG)
    assert not session.dirty
    session.discard_unread()
    assert session.dirty
    assert session.problems == ()
    session.save()
    assert b"mine" not in path.read_bytes()
    assert b"mine" in path.with_name("a.rackbuilder.bak").read_bytes()


def test_opening_and_saving_changes_no_byte(session: Session, path: Path) -> None:
    before = path.read_bytes()
    Session.open(path, CATALOG).save()
    assert path.read_bytes() == before


# ---- edits while a save runs


def test_edits_made_while_a_save_runs_stay_unsaved(session: Session, path: Path) -> None:
    rename(session, "a")
    job = session.begin_save()
    rename(session, "b")
    job.run()
    session.finish_save(job)
    assert session.dirty
    assert Session.open(path, CATALOG).design.devices["srv-0001"].name == "a"
    session.undo()
    assert not session.dirty


def test_an_edit_undone_while_a_save_runs(session: Session, path: Path) -> None:
    rename(session, "a")
    job = session.begin_save()
    session.undo()
    job.run()
    session.finish_save(job)
    assert session.dirty
    session.redo()
    assert not session.dirty


def test_a_save_that_did_not_run_cannot_be_finished(session: Session) -> None:
    with pytest.raises(ValueError, match="has not run"):
        session.finish_save(session.begin_save())


def test_a_save_that_failed_leaves_document_and_file(session: Session, path: Path) -> None:
    before = path.read_bytes()
    rename(session, "a")
    state = print_of(session)
    with files_at_most(100), pytest.raises(ProblemError, match="cannot be written"):
        session.save()
    assert path.read_bytes() == before
    assert print_of(session) == state
    assert session.dirty
    assert session.path == path
    session.save()  # there is space again
    assert not session.dirty


def test_a_save_under_another_name_that_failed_keeps_the_old_name(session: Session, path: Path) -> None:
    rename(session, "a")
    with pytest.raises(ProblemError):
        session.save(path / "under a file")
    assert session.path == path
    assert session.dirty


def test_the_last_version_is_kept_beside_it(session: Session, path: Path) -> None:
    before = path.read_bytes()
    rename(session, "a")
    session.save()
    assert path.with_name("a.rackbuilder.bak").read_bytes() == before


def test_saving_under_another_name_goes_on_there(session: Session, path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    rename(session, "a")
    session.save(tmp_path / "b.rackbuilder")
    assert session.path == tmp_path / "b.rackbuilder"
    assert session.title == "b.rackbuilder"
    assert not session.dirty
    assert path.read_bytes() == before


def test_without_a_name_it_asks_for_one() -> None:
    session = Session(CATALOG)
    with pytest.raises(ProblemError, match="no file yet"):
        session.save()


# ---- others


def test_a_file_that_others_changed_is_not_overwritten_unasked(session: Session, path: Path) -> None:
    rename(session, "a")
    assert not session.changed_on_disk()
    touch(path)
    theirs = path.read_bytes()
    assert session.changed_on_disk()
    with pytest.raises(ProblemError, match="changed by another program"):
        session.save()
    assert path.read_bytes() == theirs
    session.save(overwrite=True)
    assert path.with_name("a.rackbuilder.bak").read_bytes() == theirs
    assert not session.changed_on_disk()
    session.save()


def test_nor_under_another_spelling_of_its_name(session: Session, path: Path, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    touch(path)
    spellings = [tmp_path / "sub" / ".." / path.name]
    if os.name != "nt":
        (tmp_path / "link").symlink_to(path)
        spellings.append(tmp_path / "link")
    for spelling in spellings:
        with pytest.raises(ProblemError, match="changed by another program"):
            session.save(spelling)


def test_a_change_of_equal_length_is_seen(session: Session, path: Path) -> None:
    """A file put in its place by others has another inode, if nothing else."""
    stat = path.stat()
    other = path.with_name("other")
    other.write_bytes(path.read_bytes().replace(b"DGX", b"XGD"))
    os.utime(other, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    other.replace(path)
    assert session.changed_on_disk()


def test_our_own_saves_are_no_change_of_others(session: Session) -> None:
    for name in "abc":
        rename(session, name)
        session.save()
        assert not session.changed_on_disk()


def test_a_change_between_our_write_and_its_end_is_seen(session: Session, path: Path) -> None:
    job = session.begin_save()
    job.run()
    touch(path)  # before the window heard that the save is done
    session.finish_save(job)
    assert session.changed_on_disk()


def test_a_change_while_the_file_was_being_read_is_seen(
    session: Session, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rackbuilder.session import session as module

    real = module.read_bounded

    def slow(place: Path, limit: int) -> bytes:
        data = real(place, limit)
        touch(place)
        return data

    monkeypatch.setattr(module, "read_bounded", slow)
    assert Session.open(path, CATALOG).changed_on_disk()


def test_a_file_that_is_gone_is_written_again(session: Session, path: Path) -> None:
    path.unlink()
    assert not session.changed_on_disk()
    rename(session, "a")
    session.save()
    assert path.exists()


def test_a_folder_that_is_gone_is_a_refusal(session: Session, path: Path) -> None:
    shutil.rmtree(path.parent)
    with pytest.raises(ProblemError, match="cannot be written"):
        session.save()


def test_an_unreadable_file_is_a_refusal_and_stays(tmp_path: Path) -> None:
    bad = tmp_path / "bad.rackbuilder"
    bad.write_bytes(b"{\n")
    for place in (bad, tmp_path / "none", tmp_path):
        with pytest.raises(InputError):
            Session.open(place, CATALOG)
    assert bad.read_bytes() == b"{\n"
