"""A file that one process holds: gone when the process is, however it ended."""

import os
from pathlib import Path
from typing import IO

if os.name == "nt":
    import msvcrt

    def _grab(file: IO[bytes]) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
else:
    import fcntl

    def _grab(file: IO[bytes]) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


class Lock:
    """Held from `take` until `release` or the end of the process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: IO[bytes] | None = None

    @property
    def held(self) -> bool:
        """Ours, and still the file that others would ask for: not when somebody deleted it."""
        if self._file is None:
            return False
        try:
            return os.path.samestat(self._path.stat(), os.fstat(self._file.fileno()))
        except OSError:
            return False

    def take(self) -> bool:
        """True when the lock is ours now; False when another process (or another window) holds it.

        Raises OSError when the file cannot be made.
        """
        file = self._path.open("ab")
        try:
            _grab(file)
        except OSError:
            file.close()
            return False
        self.release()
        self._file = file
        return True

    def release(self) -> None:
        if self._file:
            self._file.close()
            self._file = None
