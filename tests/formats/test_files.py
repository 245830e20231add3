"""Writing leaves either the old file or the new one, whatever goes wrong; reading is bounded."""

import errno
import os
import stat
import threading
from pathlib import Path

import pytest

from rackbuilder.errors import InputError, ProblemError
from rackbuilder.formats.files import read_bounded, write_atomic
from tests.helpers import files_at_most

POSIX = pytest.mark.skipif(os.name == "nt", reason="modes, links and pipes of POSIX")


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_written_and_nothing_beside_it(tmp_path: Path) -> None:
    write_atomic(tmp_path / "a.txt", b"new", backup=True)
    assert (tmp_path / "a.txt").read_bytes() == b"new"
    assert names(tmp_path) == ["a.txt"]


def test_the_last_version_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for content in (b"1", b"2", b"3"):
        write_atomic(path, content, backup=True)
    assert path.read_bytes() == b"3"
    assert (tmp_path / "a.txt.bak").read_bytes() == b"2"
    assert names(tmp_path) == ["a.txt", "a.txt.bak"]


def test_without_a_wish_for_it_there_is_no_last_version(tmp_path: Path) -> None:
    for content in (b"1", b"2"):
        write_atomic(tmp_path / "a.txt", content)
    assert names(tmp_path) == ["a.txt"]


def test_the_last_version_is_kept_where_there_are_no_hard_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", refused)
    path = tmp_path / "a.txt"
    for content in (b"1", b"2"):
        write_atomic(path, content, backup=True)
    assert (tmp_path / "a.txt.bak").read_bytes() == b"1"
    assert names(tmp_path) == ["a.txt", "a.txt.bak"]


@POSIX
def test_a_last_version_that_is_the_file_itself_is_no_trap(tmp_path: Path) -> None:
    """As a process killed between the two steps of a save leaves it."""
    path = tmp_path / "a.txt"
    path.write_bytes(b"1")
    os.link(path, tmp_path / "a.txt.bak")
    write_atomic(path, b"2", backup=True)
    assert path.read_bytes() == b"2"
    assert (tmp_path / "a.txt.bak").read_bytes() == b"1"
    assert names(tmp_path) == ["a.txt", "a.txt.bak"]


@POSIX
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o777])
def test_the_mode_is_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"1")
    path.chmod(mode)
    write_atomic(path, b"2", backup=True)
    assert stat.S_IMODE(path.stat().st_mode) == mode


@POSIX
def test_a_new_file_has_the_mode_that_every_new_file_has(tmp_path: Path) -> None:
    (tmp_path / "plain").write_bytes(b"")
    write_atomic(tmp_path / "ours", b"")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


@POSIX
def test_a_link_stays_a_link(tmp_path: Path) -> None:
    far = tmp_path / "far"
    far.mkdir()
    (far / "real.txt").write_bytes(b"1")
    (tmp_path / "link.txt").symlink_to(far / "real.txt")
    write_atomic(tmp_path / "link.txt", b"2", backup=True)
    assert (tmp_path / "link.txt").is_symlink()
    assert (far / "real.txt").read_bytes() == b"2"
    assert (far / "real.txt.bak").read_bytes() == b"1"
    assert names(tmp_path) == ["far", "link.txt"]


@POSIX
def test_a_link_to_nothing_yet_makes_what_it_points_to(tmp_path: Path) -> None:
    (tmp_path / "link.txt").symlink_to(tmp_path / "real.txt")
    write_atomic(tmp_path / "link.txt", b"1")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"1"


@POSIX
def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    """`-o /dev/null`, as root too, must not put a file in the place of the device."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    write_atomic(pipe, b"through", backup=True)
    reader.join(10)
    assert got == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert names(tmp_path) == ["pipe"]
    write_atomic(Path(os.devnull), b"gone")
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


@pytest.mark.parametrize("backup", [False, True])
def test_a_full_disk_leaves_the_old_file(tmp_path: Path, backup: bool) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    before = path.stat()
    with files_at_most(1000), pytest.raises(ProblemError) as caught:
        write_atomic(path, b"x" * 100_000, backup=backup)
    assert path.read_bytes() == b"old"
    assert path.stat() == before
    assert names(tmp_path) == ["a.txt"]
    (problem,) = caught.value.problems
    assert problem.where == str(path)
    assert "as it was" in problem.fix
    assert not isinstance(caught.value, InputError)  # what could not be written was no bad input


def test_a_full_disk_while_the_last_version_is_copied_leaves_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"x" * 100_000)

    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "no hard links here")

    monkeypatch.setattr(os, "link", no_links)
    with files_at_most(1000), pytest.raises(ProblemError):
        write_atomic(path, b"new", backup=True)
    assert path.read_bytes() == b"x" * 100_000
    assert names(tmp_path) == ["a.txt"]


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_atomic(path, b"new", backup=True)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a.txt"]


def test_what_is_no_place_for_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1")
    (tmp_path / "folder").mkdir()
    places = [tmp_path / "file" / "under.txt", tmp_path / "none" / "a.txt", tmp_path / "folder", Path("a\0b")]
    if os.name != "nt":
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        places.append(tmp_path / "loop")
    before = names(tmp_path)
    for place in places:
        with pytest.raises(ProblemError, match="cannot be written") as caught:
            write_atomic(place, b"2", backup=True)
        assert "None" not in str(caught.value)
    assert names(tmp_path) == before


@POSIX
@pytest.mark.skipif(os.name != "nt" and os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"old")
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(ProblemError):
            write_atomic(path, b"new", backup=True)
    finally:
        tmp_path.chmod(0o700)
    assert path.read_bytes() == b"old"


@POSIX
@pytest.mark.parametrize(
    "name", ["机" * 80 + ".txt", "a" * 250], ids=["84 characters of 3 bytes", "250 bytes"]
)
def test_a_name_as_long_as_the_system_allows_can_be_written(tmp_path: Path, name: str) -> None:
    assert len(os.fsencode(name)) <= 250
    write_atomic(tmp_path / name, b"1")
    write_atomic(tmp_path / name, b"2")
    assert (tmp_path / name).read_bytes() == b"2"


def test_it_returns_what_is_on_disk(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for content in (b"1", b"22"):
        told, seen = write_atomic(path, content, backup=True), path.stat()
        assert (told.st_size, told.st_mtime_ns, told.st_ino) == (seen.st_size, seen.st_mtime_ns, seen.st_ino)


def test_two_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    contents = [bytes([65 + n]) * 200_000 for n in range(6)]
    path.write_bytes(contents[0])
    writers = [threading.Thread(target=write_atomic, args=(path, content, True)) for content in contents]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert path.read_bytes() in contents
    assert (tmp_path / "a.txt.bak").read_bytes() in contents
    assert names(tmp_path) == ["a.txt", "a.txt.bak"]


# ---- reading


def test_reading_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"12345")
    assert read_bounded(tmp_path / "a", 5) == b"12345"
    with pytest.raises(InputError, match="larger than 4 bytes"):
        read_bounded(tmp_path / "a", 4)


@POSIX
def test_an_endless_file_is_not_read_to_its_end() -> None:
    with pytest.raises(InputError, match="larger than 1,000 bytes"):
        read_bounded(Path("/dev/zero"), 1000)


def test_what_cannot_be_read_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"1")
    for place in (tmp_path / "none", tmp_path, tmp_path / "file" / "under", Path("a\0b")):
        with pytest.raises(InputError, match="cannot be read") as caught:
            read_bounded(place, 10)
        assert "None" not in str(caught.value)
