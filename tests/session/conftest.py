"""Locks are let go at the end of a test, as at the end of a process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rackbuilder.session.lock import Lock


@pytest.fixture(autouse=True)
def locks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    made: list[Lock] = []
    real = Lock.__init__

    def kept(lock: Lock, path: Path) -> None:
        real(lock, path)
        made.append(lock)

    monkeypatch.setattr(Lock, "__init__", kept)
    yield
    for lock in made:
        lock.release()
