"""Where the ranks of a job stand: server, NVLink domain, and what joins the GPUs of one island.

An island is what a collective treats as one place: the NVLink domain, or, where GPUs have none, the server with PCIe
between them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.wires import FloatArray, IntArray
from rackbuilder.design.records import Group
from rackbuilder.design.view import View
from rackbuilder.topology.domains import NvlinkDomain, gpu_of
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.pcie import pcie_bytes_s
from rackbuilder.units import Figure, unknown

Medium = Literal["nvlink-server", "nvlink-rack", "pcie"]
MEDIA: tuple[Medium, ...] = ("nvlink-server", "nvlink-rack", "pcie")


class Place(NamedTuple):
    """One GPU that a job may use."""

    ref: str
    server: str
    domain: NvlinkDomain


@dataclass(frozen=True, eq=False)
class Seats:
    """By rank, as places in lists: its server, domain and island; what its island is joined by, and at what rate."""

    servers: tuple[str, ...]
    server: IntArray
    domain: IntArray
    island: IntArray
    medium: IntArray
    """Place in MEDIA."""
    rate_bytes_s: FloatArray
    """Inside the island, per direction; nan: unknown."""
    figure: IntArray
    """Place of that rate in `figures`."""
    pcie_bytes_s: FloatArray
    pcie_figure: IntArray
    figures: tuple[Figure, ...]
    """The distinct rates, with what is known of them."""
    scale_up: tuple[str, ...]
    """Kinds of interconnect that join islands: nvlink, infinity-fabric, ethernet."""

    def taken(self, rows: IntArray) -> "Seats":
        """Some of these seats, in the order of rows."""
        return replace(
            self,
            server=self.server[rows],
            domain=self.domain[rows],
            island=self.island[rows],
            medium=self.medium[rows],
            rate_bytes_s=self.rate_bytes_s[rows],
            figure=self.figure[rows],
            pcie_bytes_s=self.pcie_bytes_s[rows],
            pcie_figure=self.pcie_figure[rows],
        )


class Hall(NamedTuple):
    """Every GPU of a design that works, domain after domain in the natural order of their first servers."""

    places: tuple[Place, ...]
    rows: Mapping[str, int]
    seats: Seats


def hall_of(view: View, graphs: Graphs) -> Hall:
    """All GPUs with their seats; remembered while the graphs are the same."""
    return graphs.memo.get("hall", (graphs, view.parts), partial(_hall, view, graphs))


def _hall(view: View, graphs: Graphs) -> Hall:
    found = []
    for domain in sorted(graphs.domains, key=lambda d: (natural_key(d.devices[0]), natural_key(d.gpus[0]))):
        for ref in domain.gpus:
            server, _, inner = ref.rpartition(".")
            if not _lost(graphs, server, inner):
                found.append(Place(ref, server, domain))
    usher = _Usher(view, graphs)
    return Hall(tuple(found), {place.ref: n for n, place in enumerate(found)}, usher.seats(found))


def _lost(graphs: Graphs, server: str, inner: str) -> bool:
    losses = graphs.losses
    return bool(losses) and (
        losses.device(server).all or losses.gpu(server, int(inner.removeprefix("gpu"))).all
    )


def places(view: View, graphs: Graphs, where: Sequence[str] = ()) -> Sequence[Place]:
    """The GPUs a job may use, in the order of the hall. `where` names groups, devices and GPUs; empty: all."""
    found = hall_of(view, graphs).places
    if not where:
        return found
    allowed = dict.fromkeys(_named(view, where))
    return [place for place in found if place.ref in allowed or place.server in allowed]


def domain_size(taken: Sequence[Place]) -> int:
    """GPUs of the largest NVLink domain among some places; 0 for none."""
    counts: dict[str, int] = {}
    for place in taken:
        counts[place.domain.id] = counts.get(place.domain.id, 0) + 1
    return max(counts.values(), default=0)


def _named(view: View, where: Iterable[str]) -> Iterable[str]:
    """Devices and GPUs that some refs name; a group stands for its members, those of its racks and inner groups too."""
    for ref in where:
        if ref not in view.groups:
            yield ref
            continue
        groups = _below(view.groups.values(), ref)
        for device in view.devices.values():
            rack = view.racks.get(device.rack)
            if any(group in groups for group in (*device.groups, *(rack.groups if rack else ()))):
                yield device.id


def _below(groups: Iterable[Group], top: str) -> dict[str, None]:
    found, listed = {top: None}, list(groups)
    before = 0
    while before < len(found):
        before = len(found)
        found.update((group.id, None) for group in listed if group.parent in found)
    return found


def not_there(view: View, where: Sequence[str]) -> list[str]:
    """The refs of a job that name nothing."""
    return [ref for ref in where if ref not in view.groups and ref.partition(".")[0] not in view.devices]


def seat(view: View, graphs: Graphs, gpus: Sequence[str]) -> Seats:
    """Some GPUs in rank order as arrays."""
    hall = hall_of(view, graphs)
    rows = np.array([hall.rows[ref] for ref in gpus], dtype=np.int64)
    return hall.seats.taken(rows)


class _Usher:
    """Numbers what it meets, in the order it meets it."""

    def __init__(self, view: View, graphs: Graphs) -> None:
        self._view, self._graphs = view, graphs
        self._servers: dict[str, int] = {}
        self._figures: dict[Figure, int] = {}
        self._scale_up: dict[str, None] = {}
        self._domains: dict[str, int] = {}
        self._islands: dict[tuple[str, str], int] = {}
        self._pcie: dict[str, Figure] = {}
        self._rows: dict[tuple[str, str, str], tuple[int, int, int, int, int, int]] = {}

    def seats(self, found: Sequence[Place]) -> Seats:
        rows = np.array([self._row_of(place) for place in found], dtype=np.int64).reshape(-1, 6)
        server, domain, island, medium, figure, pcie = rows.T
        figures = tuple(self._figures)
        rates = np.array([np.nan if f.value is None else f.value for f in figures], dtype=np.float64)
        return Seats(
            tuple(self._servers), server, domain, island, medium, rates[figure], figure, rates[pcie], pcie, figures,
            tuple(sorted(self._scale_up)),
        )  # fmt: skip

    def _row_of(self, place: Place) -> tuple[int, int, int, int, int, int]:
        """As the columns of Seats; GPUs of one server and domain with equal rates have equal rows."""
        key = (place.server, place.domain.id, place.ref if place.ref in place.domain.rates else "")
        if key not in self._rows:
            self._rows[key] = self._row(place.server, place.domain, place.ref)
        return self._rows[key]

    def _row(self, server: str, domain: NvlinkDomain, ref: str) -> tuple[int, int, int, int, int, int]:
        medium, figure = self._inside(server, domain, ref)
        key = ("server", server) if medium == "pcie" else ("domain", domain.id)
        return (
            self._servers.setdefault(server, len(self._servers)),
            self._domains.setdefault(domain.id, len(self._domains)),
            self._islands.setdefault(key, len(self._islands)),
            MEDIA.index(medium),
            self._figures.setdefault(figure, len(self._figures)),
            self._figures.setdefault(self._slot(server), len(self._figures)),
        )

    def _inside(self, server: str, domain: NvlinkDomain, ref: str) -> tuple[Medium, Figure]:
        """What joins a GPU with the others of its island, bytes per second and direction."""
        if domain.scale_up == "unknown":
            rate = domain.gpu_bytes_s(ref)
            return "pcie", rate if rate.value is None else unknown(f"interconnect of the GPUs in {server}")
        if domain.size == 1:
            return "pcie", self._slot(server)
        self._scale_up[domain.scale_up] = None
        return "nvlink-server" if domain.kind == "in-server" else "nvlink-rack", domain.gpu_bytes_s(ref)

    def _slot(self, server: str) -> Figure:
        """What PCIe gives a GPU of a server, bytes per second and direction."""
        part = self._view.type_of(self._view.devices[server])
        if part.id not in self._pcie:
            gpu = gpu_of(self._view, part)
            rate = unknown(f"GPU of {part.id}") if gpu is None else pcie_bytes_s(gpu, self._graphs.figures)
            self._pcie[part.id] = rate
        return self._pcie[part.id]
