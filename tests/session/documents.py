"""A small document to work on, and what the tests compare."""

import hashlib
from pathlib import Path

from rackbuilder.commands.cabling import Connect
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.session import Session
from tests.samples import CATALOG, built


def design() -> Design:
    """A rack with two servers and two leaves, one cable."""
    return built(
        AddRack(type="t-rack-42", name="A01"),
        PlaceDevice(type="t-server", rack="rack-01", count=2),
        PlaceDevice(type="t-qm9700", rack="rack-01", count=2, role="leaf"),
        Connect(a="srv-0001:osfp1/1", b="leaf-01:osfp1/1", part="t-fibre"),
    )


def session(path: Path | None = None) -> Session:
    """An open document; saved at `path` when one is given."""
    made = Session(CATALOG, design())
    if path:
        made.save(path)
    return made


def print_of(design_or_session: Design | Session) -> str:
    """Of the content alone: the marks of ids used up stay when edits are undone."""
    made = design_or_session if isinstance(design_or_session, Design) else design_or_session.design
    lines = [line for line in write_design(made).split(b"\n") if not line.startswith(b'"about"')]
    return hashlib.sha256(b"\n".join(lines)).hexdigest()
