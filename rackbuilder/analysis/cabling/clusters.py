"""Cages that must be decided together: a cage holds one plug, so all links of a cage, and their other cages, agree.

A cluster is what a set of cages and the links between them look like to the choice of parts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from rackbuilder.analysis.cabling.ends import Bought, bought, cage_of, rows_by_cage
from rackbuilder.catalog.parts import Cages, Protocol
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.records import Cable, End, Plug
from rackbuilder.design.view import View
from rackbuilder.units import Figure

CageKey = tuple[str, str]
"""Device and cage."""
CageLinks = Mapping[str, tuple[str, ...]]
"""Cage -> ids of the cables in it, of one device."""


class Spot(NamedTuple):
    """One cage of a cluster.

    ways    into how many its ports are split
    optic   pinned there; empty: none
    speaks  protocols it may carry; empty: not known
    """

    device: str
    cage: str
    row: Cages
    ways: int
    optic: str
    speaks: tuple[Protocol, ...]

    @property
    def branches(self) -> int:
        """Links the cage can carry as it is split."""
        return self.row.ports * self.ways

    @property
    def place(self) -> str:
        return f"{self.device}:{self.cage}"


class Line(NamedTuple):
    """One link of a cluster: a cable record between two spots (by index), what is pinned of it, how long it is."""

    cable: str
    a: int
    b: int
    a_port: Port
    b_port: Port
    part: str
    pinned_m: float | None
    length: Figure

    @property
    def rate_bps(self) -> float | None:
        rates = self.a_port.rate_bps, self.b_port.rate_bps
        return None if rates[0] is None or rates[1] is None else min(rates[0], rates[1])


class Cluster(NamedTuple):
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]

    @property
    def longest_m(self) -> float | None:
        """The longest link; None while the length of one is unknown or a lower bound."""
        if not all(line.length.exact for line in self.lines):
            return None
        return max(line.length.value or 0.0 for line in self.lines)

    def lines_at(self, spot: int) -> list[Line]:
        return [line for line in self.lines if spot in (line.a, line.b)]


def cage_links(view: View, device: str) -> CageLinks:
    found: dict[str, list[str]] = {}
    for port, ids in view.ports_used(device).items():
        found.setdefault(cage_of(port), []).extend(ids)
    return {cage: tuple(ids) for cage, ids in found.items()}


def reached(view: View, start: CageKey, links: Callable[[str], CageLinks]) -> tuple[list[CageKey], list[str]]:
    """All cages that must agree with one, and the links between them, both sorted."""
    cages, cables, todo = {start: None}, dict[str, None](), [start]
    while todo:
        device, cage = todo.pop()
        for name in links(device).get(cage, ()):
            if name in cables:
                continue
            cables[name] = None
            cable = view.cables[name]
            for end in (cable.a, cable.b):
                key = (end.device, cage_of(end.port))
                if key not in cages:
                    cages[key] = None
                    todo.append(key)
    return sorted(cages), sorted(cables)


class Builder:
    """Makes clusters of a view; what each device says of its ports is asked once."""

    def __init__(self, view: View, length: Callable[[Cable], Figure]) -> None:
        self._view, self._length = view, length
        self._plugs: Mapping[str, Plug] = view.tables["plugs"]
        self._ports: dict[str, Mapping[str, Port]] = {}

    def cluster(self, cages: Iterable[CageKey], cables: Iterable[str]) -> Cluster | None:
        """None for links whose ports are not there, and for NVLink: neither is bought as a network cable."""
        keys = list(cages)
        spots = [self._spot(*key) for key in keys]
        if any(spot is None or spot.row.protocols == ("nvlink",) for spot in spots):
            return None
        index = {key: n for n, key in enumerate(keys)}
        lines = [self._line(self._view.cables[name], index) for name in cables]
        if any(line is None for line in lines):
            return None
        return Cluster(tuple(s for s in spots if s), tuple(line for line in lines if line))

    def _spot(self, device: str, cage: str) -> Spot | None:
        record = self._view.devices[device]
        part = self._view.type_of(record)
        row = rows_by_cage(part).get(cage)
        if row is None:
            return None
        pin = self._plugs.get(f"{device}:{cage}")
        speaks = (part.fabric_protocol,) if part.is_switch and part.fabric_protocol else row.protocols
        if row.role != "data":
            speaks = row.protocols
        return Spot(device, cage, row, record.modes.get(cage, 1), pin.part if pin else "", speaks)

    def _line(self, cable: Cable, index: Mapping[CageKey, int]) -> Line | None:
        a, b = self._port(cable.a), self._port(cable.b)
        if a is None or b is None:
            return None
        thing: Bought = bought(cable, self._view.tables["assemblies"])
        keys = [(end.device, cage_of(end.port)) for end in (cable.a, cable.b)]
        return Line(
            cable.id, index[keys[0]], index[keys[1]], a, b, thing.part, thing.length_m, self._length(cable)
        )

    def _port(self, end: End) -> Port | None:
        known = self._ports.get(end.device)
        if known is None:
            device = self._view.devices[end.device]
            known = self._ports[end.device] = ports_of(self._view.type_of(device), device.modes)
        return known.get(end.port)


def all_clusters(view: View, length: Callable[[Cable], Figure], devices: Iterable[str]) -> Iterator[Cluster]:
    """Every cluster that touches some devices, each once."""
    known: dict[str, CageLinks] = {}

    def links(device: str) -> CageLinks:
        if device not in known:
            known[device] = cage_links(view, device)
        return known[device]

    builder, seen = Builder(view, length), set[CageKey]()
    for device in devices:
        for cage in links(device):
            if (device, cage) not in seen:
                cages, cables = reached(view, (device, cage), links)
                seen.update(cages)
                made = builder.cluster(cages, cables)
                if made is not None:
                    yield made


def sockets(spot: Spot, ports: int) -> int:
    """Links on each of the fibre sockets of an optic with `ports` sockets; 0 when they do not come out even."""
    return 0 if spot.branches % ports else spot.branches // ports


def socket_of(spot: Spot, port: Port, ports: int) -> int:
    """The socket, from 0, that a port of a cage comes out of."""
    _, _, name = port.name.partition("/")
    number, _, branch = name.partition(".")
    place = (int(number) - 1) * spot.ways + (int(branch) - 1 if branch else 0)
    return place // max(1, sockets(spot, ports))
