"""One holder at a time, in this process or another; let go with the process or by hand."""

from pathlib import Path

import pytest

from rackbuilder.session.lock import Lock


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    one, other = Lock(tmp_path / "lock"), Lock(tmp_path / "lock")
    assert one.take()
    assert one.held
    assert not other.take()
    assert not other.held
    one.release()
    assert not one.held
    assert other.take()


def test_letting_go_of_nothing_is_fine(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "lock")
    lock.release()
    assert not lock.held


def test_a_lock_whose_file_was_deleted_is_no_longer_held(tmp_path: Path) -> None:
    lock = Lock(tmp_path / "lock")
    assert lock.take()
    (tmp_path / "lock").unlink()
    assert not lock.held
    (tmp_path / "lock").touch()  # another file: nobody who asks would meet ours
    assert not lock.held
    assert lock.take()
    assert lock.held


def test_no_folder_is_an_error_and_not_a_no(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        Lock(tmp_path / "none" / "lock").take()
