"""Files, carefully: bounded reads, and writes that leave either the old file or the new one, never half of one."""

import contextlib
import errno
import os
import secrets
import stat
from pathlib import Path

from rackbuilder.errors import InputError, Problem, refusal


def read_bounded(path: Path, limit_bytes: int) -> bytes:
    """A file's bytes. Raises InputError when it cannot be read or is larger than the limit."""
    try:
        with path.open("rb") as file:
            data = file.read(limit_bytes + 1)
    except (OSError, ValueError) as error:  # a name with a NUL is a ValueError
        what = f"The file cannot be read: {_reason(error)}"
        raise InputError(Problem(what, str(path), "Check the name and its rights.")) from None
    if len(data) > limit_bytes:
        what = f"The file is larger than {limit_bytes:,} bytes"
        raise InputError(Problem(what, str(path), "Open a smaller file."))
    return data


def write_atomic(path: Path, data: bytes, backup: bool = False) -> os.stat_result:
    """Writes beside the target, syncs, then replaces it; `backup` keeps the last version as NAME.bak.

    A pipe or device has no old version to keep and is written to as it is. Returns what the file is on disk, as seen
    before anybody else could touch it. Raises ProblemError (disk full, read-only folder …) with the old file intact.
    """
    try:
        if path.exists() and not stat.S_ISREG(path.stat().st_mode):
            path.write_bytes(data)  # a folder is refused here
            return path.stat()
        return _replace(_meant(path), data, backup)
    except (OSError, ValueError, RuntimeError) as error:  # a link that leads to itself is a RuntimeError
        fix = "Free space, or choose another folder. The file on disk is as it was."
        raise refusal(f"The file cannot be written: {_reason(error)}", str(path), fix) from None


def _meant(path: Path) -> Path:
    """The file itself: a link stays a link, and what it points to is replaced. Raises OSError or RuntimeError."""
    target = path.resolve()
    if target.is_symlink():  # from Python 3.13 on, a link that leads to itself resolves to itself
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return target


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _replace(target: Path, data: bytes, backup: bool) -> os.stat_result:
    temporary = _beside(target)
    try:
        with temporary.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
            if backup:
                _back_up(target)
        written = temporary.stat()
        temporary.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    return written


def _beside(target: Path) -> Path:
    """A new name in the same folder, short: the target's own may fill all that the file system allows."""
    return target.with_name(f".rackbuilder-{secrets.token_hex(8)}.tmp")


def _back_up(target: Path) -> None:
    spare = _beside(target)
    try:
        try:
            os.link(target, spare)
        except OSError:  # a file system without hard links
            spare.write_bytes(target.read_bytes())
        spare.replace(target.with_name(target.name + ".bak"))
    finally:  # left when the copy failed, or was the .bak already: then the rename is none
        with contextlib.suppress(OSError):
            spare.unlink()
