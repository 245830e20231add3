"""A process that works on a document until it is killed. After each edit it prints the mark of what it then has.

python -m tests.session.worker open FILE       opens a document and edits it without end
python -m tests.session.worker idle FILE       opens it and does nothing
python -m tests.session.worker recover         brings back what is offered and edits it without end
"""

import itertools
import sys
import time
from pathlib import Path

from rackbuilder.commands.devices import DeleteItems, DuplicateDevices, PlaceDevice, Rename
from rackbuilder.session.journal import find_recoveries
from rackbuilder.session.paths import recovery_dir
from rackbuilder.session.session import Session
from tests.samples import CATALOG
from tests.session.documents import print_of


def work(session: Session) -> None:
    print(print_of(session), flush=True)
    for n in itertools.count():
        last = max(session.design.devices)
        match n % 4:
            case 0:
                session.do(PlaceDevice(type="t-server", count=3))
            case 1:
                session.do(Rename(ref=last, name=f"Ω {n}"))
            case 2:
                session.do(DuplicateDevices(devices=(last,)))
            case _:
                session.do(DeleteItems(refs=(last,)))
        print(print_of(session), flush=True)


def main(mode: str, *files: str) -> None:
    if mode == "recover":
        (recovery,) = find_recoveries(recovery_dir())
        work(Session.recover(recovery, CATALOG))
        return
    session = Session.open(Path(files[0]), CATALOG)
    session.keep_journal(recovery_dir())
    if mode == "idle":
        print("ready", flush=True)
        time.sleep(60)
    work(session)


if __name__ == "__main__":
    main(*sys.argv[1:])
