"""What a cable is, as bought, and which of its two ends sits in a cage."""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from rackbuilder.catalog.parts import CableType, Cages, DeviceType, Part, PlugEnd
from rackbuilder.design.records import Cable, CableAssembly

Side = Literal["a", "b"]

BARE = ("fibre", "splitter-fibre")
"""Forms without plugs of their own: they join two optics."""
TWISTED_PAIR = "copper"
"""The form whose ends are in no cage at all."""
PLUGLESS = ("RJ45", "MPO-12")
"""Connectors of a port that takes a cord as it is; co-packaged optics have fibre connectors."""


class Bought(NamedTuple):
    """What a cable record says of the thing to buy; its assembly speaks where the cable is silent."""

    part: str
    length_m: float | None


def bought(cable: Cable, assemblies: Mapping[str, CableAssembly]) -> Bought:
    whole = assemblies.get(cable.assembly) if cable.assembly else None
    if whole is None:
        return Bought(cable.part, cable.length_m)
    return Bought(cable.part or whole.part, whole.length_m if cable.length_m is None else cable.length_m)


def cage_of(port: str) -> str:
    """The cage of a port: “osfp3” of “osfp3/2.1”."""
    return port.partition("/")[0]


def rows_by_cage(part: DeviceType) -> Mapping[str, Cages]:
    """Cage -> the row of equal cages it is one of."""
    known: dict[str, Cages] | None = part.__dict__.get("_rows_by_cage")
    if known is None:
        known = {f"{row.name}{n + 1}": row for row in part.cages for n in range(row.count)}
        part.__dict__["_rows_by_cage"] = known
    return known


def own_plugs(part: Part | None) -> bool:
    """Whether a cable brings its plugs: direct attach and active optical cables do."""
    return isinstance(part, CableType) and part.form not in (*BARE, TWISTED_PAIR)


def _fit(end: PlugEnd, row: Cages) -> tuple[bool, bool, bool]:
    return end.connector == row.connector, end.top == row.top, end.links == row.ports


def side_in(part: CableType, row: Cages | None) -> Side | None:
    """The end of a cable that a cage takes: by connector, then heat sink, then links. None when both fit alike."""
    if part.a == part.b:
        return "a"
    if row is None:
        return None
    a, b = _fit(part.a, row), _fit(part.b, row)
    return None if a == b else "a" if a > b else "b"
