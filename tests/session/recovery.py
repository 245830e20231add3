"""What tests of the recovery copy do with it."""

from pathlib import Path

from rackbuilder.commands.devices import Rename
from rackbuilder.session.journal import Recovery, find_recoveries
from rackbuilder.session.session import Session


def rename(session: Session, name: str) -> None:
    session.do(Rename(ref="srv-0001", name=name))


def die(session: Session) -> None:
    """What the end of a process does to its lock; the folder stays."""
    assert session.journal is not None
    session.journal.leave()


def only(root: Path) -> Recovery:
    (recovery,) = find_recoveries(root)
    return recovery


def folder(session: Session) -> Path:
    assert session.journal is not None
    return session.journal.folder
