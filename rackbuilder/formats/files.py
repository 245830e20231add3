"""Files, carefully: bounded reads, and writes that leave either the old file or the new one, never half of one."""

import contextlib
import os
import tempfile
from pathlib import Path

from rackbuilder.errors import InputError, Problem, refusal


def read_bounded(path: Path, limit_bytes: int) -> bytes:
    """A file's bytes. Raises InputError when it cannot be read or is larger than the limit."""
    try:
        with path.open("rb") as file:
            data = file.read(limit_bytes + 1)
    except OSError as error:
        what = f"The file cannot be read: {error.strerror}"
        raise InputError(Problem(what, str(path), "Check the name and its rights.")) from None
    if len(data) > limit_bytes:
        what = f"The file is larger than {limit_bytes:,} bytes"
        raise InputError(Problem(what, str(path), "Open a smaller file."))
    return data


def write_atomic(path: Path, data: bytes, backup: bool = False) -> None:
    """Writes beside the target, syncs, then replaces it; `backup` keeps the last version as NAME.bak.

    Raises ProblemError (disk full, read-only folder …) with the old file intact.
    """
    target = path.resolve()  # a link stays a link: what it points to is replaced
    temporary = ""
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:80]}.", suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        _keep_mode(target, temporary)
        if backup and target.exists():
            _back_up(target)
        Path(temporary).replace(target)
    except OSError as error:
        if temporary:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        fix = "Free space, or choose another folder. The file on disk is as it was."
        raise refusal(f"The file cannot be written: {error.strerror}", str(path), fix) from None


def _keep_mode(target: Path, temporary: str) -> None:
    try:
        mode = target.stat().st_mode & 0o777
    except FileNotFoundError:
        umask = os.umask(0)
        os.umask(umask)
        mode = 0o666 & ~umask
    Path(temporary).chmod(mode)


def _back_up(target: Path) -> None:
    bak = target.with_name(target.name + ".bak")
    spare = target.with_name(f".{target.name[:80]}.bak.tmp")
    with contextlib.suppress(FileNotFoundError):
        spare.unlink()
    try:
        os.link(target, spare)
    except OSError:  # a file system without hard links
        spare.write_bytes(target.read_bytes())
    spare.replace(bak)
