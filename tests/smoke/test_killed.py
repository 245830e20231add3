"""A process killed in mid-work loses at most the edit in hand: all it had finished comes back, and can be undone."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.journal import find_recoveries
from rackbuilder.session.paths import recovery_dir
from rackbuilder.session.session import Session

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no SIGKILL there")

# Edits without end; after each, the print of the document as it then is.
WORK = """
import hashlib, itertools, sys
from pathlib import Path
from rackbuilder.catalog.load import shipped
from rackbuilder.commands import DeleteItems, Rename
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.paths import recovery_dir
from rackbuilder.session.session import Session

session = Session.open(Path(sys.argv[1]), shipped())
session.keep_journal(recovery_dir())
for n in itertools.count():
    device = sorted(session.design.devices)[-1 - n % 7]
    if n % 5 == 4:
        session.do(DeleteItems(refs=(device,)))
    else:
        session.do(Rename(ref=device, name=f"edit {n}"))
    print(hashlib.sha256(write_design(session.design)).hexdigest(), flush=True)
"""


@pytest.mark.parametrize("edits", [1, 30])
def test_a_kill_loses_at_most_the_edit_in_hand(edits: int, sample: Callable[[str], Path]) -> None:
    file = sample("superpod-4su")
    command = [sys.executable, "-c", WORK, str(file)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        finished = [worker.stdout.readline().strip() for _ in range(edits)]
        worker.send_signal(signal.SIGKILL)
        finished += worker.stdout.read().split()  # what it printed before the blow fell
    assert worker.returncode == -signal.SIGKILL

    (recovery,) = find_recoveries(recovery_dir())
    assert recovery.document == file
    assert len(finished) <= recovery.edits <= len(finished) + 1
    session = Session.recover(recovery, shipped())
    assert not session.problems
    while session.history.position > len(finished):  # an edit that was in the journal and not yet in print
        session.undo()
    assert _print(session) == finished[-1]
    while session.undo():
        pass
    assert _print(session) == _print(Session.open(file, shipped()))
    session.close()
    assert find_recoveries(recovery_dir()) == []


def _print(session: Session) -> str:
    return hashlib.sha256(write_design(session.design)).hexdigest()
