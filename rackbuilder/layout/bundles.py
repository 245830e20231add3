"""Cables grouped for drawing: parallel cables between two devices are one pair, whatever carries them."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rackbuilder.catalog.ports import ports_of
from rackbuilder.design.records import Cable, End
from rackbuilder.design.view import View
from rackbuilder.topology.fabric import EdgeData
from rackbuilder.topology.graphs import Graphs

WIDTHS = ((1, 1), (4, 2), (8, 3), (16, 4), (32, 5), (64, 6), (256, 8))
"""Pipe width in screen pixels up to a number of cables; more are 10."""


class Pair(NamedTuple):
    """All parallel cables between two devices of one fabric; `a` sorts before `b`."""

    a: str
    b: str
    fabric: str
    cables: tuple[str, ...]
    rate_bps: float | None
    """Sum per direction; None when the rate of a port is not known."""

    @property
    def size(self) -> int:
        """How many cables."""
        return len(self.cables)


def pipe_width(cables: int) -> int:
    """Screen pixels of a pipe that carries so many cables."""
    return next((width for most, width in WIDTHS if cables <= most), 10)


def pairs_of(view: View, graphs: Graphs | None = None) -> tuple[Pair, ...]:
    """Every pair of devices that cables join, in the order of their names; from the graphs where there are any."""
    return PairList().of(view, graphs) if graphs is not None else _cable_pairs(view, view.cables.values())


class PairList:
    """The pairs of one revision after the other: only devices whose links changed are looked at again."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str], tuple[object, list[Pair]]] = {}
        self._last: tuple[Pair, ...] = ()

    def of(self, view: View, graphs: Graphs) -> tuple[Pair, ...]:
        """The pairs of a design; the same object as long as they are equal."""
        rows: dict[tuple[str, str], tuple[object, list[Pair]]] = {}
        same = True
        for graph in graphs.fabrics.values():
            for device, near in graph.adjacency.items():
                known = self._rows.get((graph.id, device))
                if known is None or known[0] is not near:
                    known, same = (near, self._of_device(graph.id, device, near)), False
                rows[graph.id, device] = known
        if (
            same
            and len(rows) == len(self._rows)
            and not graphs.loose
            and not any(p.fabric == "" for p in self._last)
        ):
            return self._last
        self._rows = rows
        loose = _cable_pairs(view, (view.cables[c] for c in graphs.loose if c in view.cables))
        found = tuple(sorted([*(p for _, own in rows.values() for p in own), *loose], key=_pair_key))
        if found != self._last:
            self._last = found
        return self._last

    def _of_device(self, fabric: str, device: str, near: Mapping[str, EdgeData]) -> list[Pair]:
        return [
            Pair(device, other, fabric, data["cables"], data["capacity_bps"])
            for other, data in near.items()
            if device < other
        ]


def _pair_key(pair: Pair) -> tuple[str, str, str]:
    return pair[:3]


def _cable_pairs(view: View, cables: Iterable[Cable]) -> tuple[Pair, ...]:
    found: dict[tuple[str, str, str], list[Cable]] = {}
    for cable in cables:
        a, b = cable.a.device, cable.b.device
        first, second = (a, b) if a <= b else (b, a)
        found.setdefault((first, second, fabric_of(view, cable)), []).append(cable)
    return tuple(
        Pair(a, b, fabric, tuple(c.id for c in rows), _rate(view, rows))
        for (a, b, fabric), rows in sorted(found.items(), key=lambda row: row[0])
    )


def fabric_of(view: View, cable: Cable) -> str:
    """The fabric a cable belongs to: pinned, or lent by a switch to its data ports; empty when none is."""
    if cable.fabric:
        return cable.fabric
    devices = view.devices
    ends = [(cable.a, devices[cable.a.device]), (cable.b, devices[cable.b.device])]
    lent = [(end, device) for end, device in ends if device.fabric]
    for end, device in lent:
        port = ports_of(view.type_of(device), device.modes).get(end.port)
        if port is None or port.cages.role == "data":
            return device.fabric
    return lent[0][1].fabric if lent else ""


def _rate(view: View, cables: Iterable[Cable]) -> float | None:
    total = 0.0
    for cable in cables:
        a, b = _port_rate(view, cable.a), _port_rate(view, cable.b)
        if a is None or b is None:
            return None
        total += min(a, b)
    return total


def _port_rate(view: View, end: End) -> float | None:
    device = view.devices[end.device]
    port = ports_of(view.type_of(device), device.modes).get(end.port)
    return port.rate_bps if port else None


def summed(pairs: Iterable[Pair]) -> tuple[int, float | None]:
    """Cables and rate per direction of some pairs; None when a rate is unknown."""
    rows = list(pairs)
    rates = [pair.rate_bps for pair in rows]
    known = [rate for rate in rates if rate is not None]
    return sum(pair.size for pair in rows), sum(known) if len(known) == len(rows) else None


def by_device(pairs: Iterable[Pair]) -> Mapping[str, tuple[int, ...]]:
    """Device -> indexes of its pairs."""
    found: dict[str, list[int]] = {}
    for index, pair in enumerate(pairs):
        found.setdefault(pair.a, []).append(index)
        if pair.b != pair.a:
            found.setdefault(pair.b, []).append(index)
    return {device: tuple(rows) for device, rows in found.items()}
