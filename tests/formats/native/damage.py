"""A small file, and the same with a line of it changed or lost."""

from rackbuilder.commands.cabling import Connect
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.groups import Group
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design
from rackbuilder.formats.native.write import write_design
from tests.samples import built


def design() -> Design:
    return built(
        AddRack(type="t-rack-42", name="A01"),
        PlaceDevice(type="t-server", rack="rack-01", count=2),
        PlaceDevice(type="t-qm9700", rack="rack-01", count=2, role="leaf"),
        Connect(a="srv-0001:osfp1/1", b="leaf-01:osfp1/1", part="t-fibre"),
        Connect(a="srv-0002:osfp1/1", b="leaf-02:osfp1/1"),
        Group(refs=("srv-0001",), name="one"),
        Group(refs=("srv-0002",), parent="grp-01", name="two"),
    )


DATA = write_design(design())
LINES = DATA.decode().split("\n")


def line_of(start: str) -> int:
    """Index of the line that begins so."""
    return next(n for n, line in enumerate(LINES) if line.startswith(start))


def with_line(start: str, new: str) -> bytes:
    """The file with one record's line replaced, its comma kept."""
    index = line_of(start)
    comma = "," if LINES[index].endswith(",") else ""
    return "\n".join([*LINES[:index], new + comma, *LINES[index + 1 :]]).encode()


def without_line(start: str) -> bytes:
    index = line_of(start)
    last = LINES[index + 1].startswith("]")
    before = [*LINES[: index - 1], LINES[index - 1].removesuffix(",")] if last else LINES[:index]
    return "\n".join([*before, *LINES[index + 1 :]]).encode()


SERVER = '{"id":"srv-0001"'
