"""Port names of a device type: “osfp3/2”, or “osfp3/2.1” when the cage is split."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from rackbuilder.catalog.parts import Cages, DeviceType


class Port(NamedTuple):
    """One logical port: its name, the cages row and the cage it belongs to, its place in the row, its rate."""

    name: str
    cages: Cages
    cage: str
    index: int  # type: ignore[assignment]  # over tuple.index, which nobody wants of a port
    """Zero-based among the ports of its cages row, in cage order; branches of a split share it."""
    rate_bps: float | None


def _row(cages: Cages, split: Mapping[str, int]) -> Iterator[Port]:
    for number in range(cages.count):
        cage = f"{cages.name}{number + 1}"
        ways = split.get(cage, 1)
        for lane in range(cages.ports):
            index = number * cages.ports + lane
            name = f"{cage}/{lane + 1}"
            if ways == 1:
                yield Port(name, cages, cage, index, cages.rate_bps)
                continue
            rate = None if cages.rate_bps is None else cages.rate_bps / ways
            for branch in range(ways):
                yield Port(f"{name}.{branch + 1}", cages, cage, index, rate)


def _named(rows: Iterable[Cages], split: Mapping[str, int]) -> dict[str, Port]:
    return {port.name: port for row in rows for port in _row(row, split)}


def ports_of(part: DeviceType, modes: Mapping[str, int] | None = None) -> Mapping[str, Port]:
    """Every port of a device of this type by name, in cage order; `modes` says how cages are split (cage -> ways)."""
    if modes:
        return _named(part.cages, modes)
    # A template asks for the same type a hundred thousand times: remembered on the frozen part itself.
    # With the cages it was made from: a copy with other cages carries the memory of the first along.
    known: tuple[tuple[Cages, ...], dict[str, Port]] | None = part.__dict__.get("_ports")
    if known is None or known[0] is not part.cages:
        known = part.__dict__["_ports"] = (part.cages, _named(part.cages, {}))
    return known[1]
