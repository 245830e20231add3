"""Processes killed in mid-work: every finished edit comes back, once for each real crash, and again after a second."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rackbuilder.session.journal import find_recoveries
from rackbuilder.session.paths import recovery_dir
from rackbuilder.session.session import Session
from tests.conftest import ROOT
from tests.samples import CATALOG
from tests.session import documents
from tests.session.documents import print_of

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")


class Process:
    """A worker, and the marks it printed."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "tests.session.worker", *arguments]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)

    def marks(self, count: int) -> list[str]:
        assert self._process.stdout is not None
        return [self._process.stdout.readline().strip() for _ in range(count)]

    def kill(self) -> list[str]:
        """Ends it without a word; what it printed before the blow fell."""
        assert self._process.stdout is not None
        self._process.send_signal(signal.SIGKILL)
        rest = self._process.stdout.read().split()
        self._process.stdout.close()
        assert self._process.wait() == -signal.SIGKILL
        return rest


def undone_to(session: Session, marks: list[str]) -> None:
    """The journal may hold one edit that was done and not yet printed; else it ends where the print ended."""
    if print_of(session) != marks[-1]:
        session.undo()
    assert print_of(session) == marks[-1]


def test_killed_in_mid_work_and_again_while_recovering(tmp_path: Path) -> None:
    path = tmp_path / "a.rackbuilder"
    documents.session(path)
    saved = path.read_bytes()

    first = Process("open", str(path))
    marks = first.marks(12)
    assert find_recoveries(recovery_dir()) == []  # a second window gets no prompt while the first one lives
    marks += first.kill()

    (offered,) = find_recoveries(recovery_dir())
    assert offered.document == path
    assert len(marks) - 1 <= offered.edits <= len(marks)
    assert find_recoveries(recovery_dir()) == [offered]  # looking does not use it up

    second = Process("recover")
    more = second.marks(5)
    more += second.kill()
    assert more[0] not in marks[:-1]  # the state it was killed in, or that of one edit not yet printed

    (offered,) = find_recoveries(recovery_dir())
    session = Session.recover(offered, CATALOG)
    assert session.problems == ()
    undone_to(session, more)
    for mark in reversed(more[:-1]):
        session.undo()
        assert print_of(session) == mark
    undone_to(session, marks)
    for mark in reversed(marks[:-1]):
        session.undo()
        assert print_of(session) == mark
    assert session.undo() is None
    assert path.read_bytes() == saved  # nobody saved anything
    session.close()
    assert find_recoveries(recovery_dir()) == []
    assert not list(recovery_dir().iterdir())


def test_killed_without_an_edit_there_is_nothing_to_offer(tmp_path: Path) -> None:
    path = tmp_path / "a.rackbuilder"
    documents.session(path)
    process = Process("idle", str(path))
    assert process.marks(1) == ["ready"]
    assert find_recoveries(recovery_dir()) == []
    assert len(list(recovery_dir().iterdir())) == 1
    process.kill()
    assert find_recoveries(recovery_dir()) == []
    assert not list(recovery_dir().iterdir())
