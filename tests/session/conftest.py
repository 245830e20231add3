"""A document with a recovery copy. Locks are let go at the end of a test, as at the end of a process."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from rackbuilder.session.lock import Lock
from rackbuilder.session.session import Session
from tests.session import documents


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


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Where recovery copies lie."""
    return tmp_path / "recovery"


@pytest.fixture
def kept(root: Path, tmp_path: Path) -> Session:
    """A saved document with a recovery copy."""
    made = documents.session(tmp_path / "a.rackbuilder")
    made.keep_journal(root)
    return made
