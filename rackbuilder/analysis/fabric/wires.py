"""The compute fabric as arrays, for whatever counts bytes on it: links, switches, and the NICs of each GPU.

A NIC is a link from a GPU's server to its access switch. Only switches forward.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rackbuilder.analysis.results import Compiled, LinkGroup, Scope
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.refs import gpu_ref
from rackbuilder.design.view import View
from rackbuilder.topology.wiring import gpus_behind

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]

FABRIC_SCOPES: tuple[Scope, Scope, Scope] = ("server-leaf", "leaf-spine", "spine-core")
"""Where links of the compute fabric stand; also how far a byte goes: through one switch, over a spine, over a core."""

UNREACHABLE = len(FABRIC_SCOPES)
_FAR = np.int64(1 << 30)
_BLOCK = 128


_Nic = tuple[int, int, int]
"""A link group, the access switch at its far end, and its cable, as places."""


@dataclass(frozen=True, eq=False)
class Wires:
    """The compute fabric as drawn, as arrays; the same for every job on it.

    links                    every link group of the design; loads are by its place in this list
    capacity_bps             of each, per direction; nan: unknown
    switches, access         their ids; the first `access` of them have NICs
    edge_from, edge_to       a directed link between two switches: their places in `switches`
    edge_link, edge_forward  its link group, and whether it runs from end a to end b
    nic_forward              whether end a of a link group is a server
    gpus                     the GPUs with NICs (“srv-0007.gpu3”): their row in the next two
    gpu_link, gpu_switch     (row, lane): the link group and the access switch of a NIC
    gpu_cable                (row, lane): its cable, as a place in `nic_cables`
    """

    links: tuple[LinkGroup, ...]
    capacity_bps: FloatArray
    switches: tuple[str, ...]
    access: int
    edge_from: IntArray
    edge_to: IntArray
    edge_link: IntArray
    edge_forward: npt.NDArray[np.bool_]
    nic_forward: npt.NDArray[np.bool_]
    gpus: Mapping[str, int]
    gpu_link: IntArray
    gpu_switch: IntArray
    nic_cables: tuple[str, ...]
    gpu_cable: IntArray

    @cached_property
    def edge_weight(self) -> FloatArray:
        """What even means between unequal bundles: by capacity, or by links where a rate is unknown."""
        capacity: FloatArray = self.capacity_bps[self.edge_link]
        if np.isnan(capacity).any():
            return np.array([float(self.links[i].count) for i in self.edge_link], dtype=np.float64)
        return capacity

    @cached_property
    def distance(self) -> IntArray:
        """(switch, access switch): hops between them; _FAR when there is no way."""
        count = len(self.switches)
        joined = np.zeros((count, count), dtype=np.float32)
        live = self.edge_weight > 0
        joined[self.edge_from[live], self.edge_to[live]] = 1.0
        found = np.full((count, self.access), _FAR, dtype=np.int64)
        at = np.eye(count, self.access, dtype=np.float32)
        hops = 0
        while at.any():
            found[at > 0] = hops
            hops += 1
            at = ((joined @ at > 0) & (found == _FAR)).astype(np.float32)
        return found

    @cached_property
    def ways(self) -> tuple["Block", ...]:
        """How traffic for each access switch moves, in blocks of destinations, which bound the memory."""
        firsts = range(0, self.access, _BLOCK)
        return tuple(self._block(first, min(first + _BLOCK, self.access)) for first in firsts)

    def _block(self, first: int, last: int) -> "Block":
        distance = self.distance[:, first:last]
        start, end = distance[self.edge_from], distance[self.edge_to]
        far = distance[distance < _FAR].max(initial=0)
        return Block(first, last, tuple(self._step(start, end, hops) for hops in range(int(far), 0, -1)))

    def _step(self, start: IntArray, end: IntArray, hops: int) -> "Step":
        edge, column = np.nonzero((start == hops) & (end == hops - 1))
        width, count = start.shape[1], len(self.switches)
        here, there = self.edge_from[edge] * width + column, self.edge_to[edge] * width + column
        weight = self.edge_weight[edge]
        # Shares first: even ones are exact numbers, and so is what they give.
        share = weight / np.bincount(here, weight, count * width)[here]
        keep = weight > 0
        return Step(edge[keep], here[keep], there[keep], share[keep])

    @cached_property
    def reach(self) -> IntArray:
        """(access switch, access switch): place in FABRIC_SCOPES of traffic between them, or UNREACHABLE."""
        hops = self.distance[: self.access]
        return np.select([hops == 0, hops <= 2, hops < _FAR], [0, 1, 2], UNREACHABLE).astype(np.int64)


class Step(NamedTuple):
    """One hop nearer, for all destinations of a block: a row for each edge and destination it leads nearer to.

    start, end   where it leads from and to, as switch · width + destination
    share        the part of what is held there that takes this edge
    """

    edge: IntArray
    start: IntArray
    end: IntArray
    share: FloatArray


class Block(NamedTuple):
    """Destinations from `first` to before `last`, and the hops toward them, the farthest first."""

    first: int
    last: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class Ports:
    """NICs of the ranks of a job, (rank, lane): link group and access switch; -1: none."""

    link: IntArray
    switch: IntArray

    @property
    def lanes(self) -> int:
        return int(self.link.shape[1])

    def unplugged(self) -> IntArray:
        """Ranks without a NIC on the fabric."""
        return np.flatnonzero(self.link[:, 0] < 0) if self.lanes else np.arange(len(self.link))


# ---- the fabric as arrays -------------------------------------------------------------------------------------

SWITCH_ROLES = ("leaf", "spine", "core")


def read_wires(view: View, compiled: Compiled) -> Wires:
    """The compute fabric of a design."""
    links, roles = compiled.links, compiled.roles
    nic = [i for i, x in enumerate(links) if x.scope == "server-leaf" and _joins_server(x, roles)]
    access = dict.fromkeys(links[i].b if roles[links[i].a] == "server" else links[i].a for i in nic)
    between = [
        i
        for i, x in enumerate(links)
        if x.scope in FABRIC_SCOPES and roles[x.a] in SWITCH_ROLES and roles[x.b] in SWITCH_ROLES
    ]
    ends = (end for i in between for end in (links[i].a, links[i].b))
    place = {name: n for n, name in enumerate(dict.fromkeys([*access, *ends]))}
    cables = tuple(cable for i in nic for cable in links[i].cables)
    gpus, nics = _nic_table(_nics(view, links, nic, roles, place))
    ab = np.array([(place[links[i].a], place[links[i].b]) for i in between], dtype=np.int64).reshape(-1, 2)
    return Wires(
        links,
        np.array([np.nan if (c := x.capacity_bps) is None else c for x in links], dtype=np.float64),
        tuple(place),
        len(access),
        ab.ravel(),
        ab[:, ::-1].ravel(),
        np.repeat(np.array(between, dtype=np.int64), 2),
        np.tile(np.array([True, False]), len(between)),
        np.array([roles[x.a] == "server" for x in links], dtype=np.bool_),
        gpus,
        nics[:, :, 0],
        nics[:, :, 1],
        cables,
        nics[:, :, 2],
    )


def _joins_server(link: LinkGroup, roles: Mapping[str, str]) -> bool:
    ends = (roles[link.a], roles[link.b])
    return "server" in ends and any(role in SWITCH_ROLES for role in ends)


_Row = tuple[str, int, _Nic]
"""A NIC with the name of its cages and its place among them, to sort by."""


def _nics(
    view: View,
    links: tuple[LinkGroup, ...],
    nic: Iterable[int],
    roles: Mapping[str, str],
    place: Mapping[str, int],
) -> dict[tuple[str, int], list[_Nic]]:
    """The NICs of each GPU. A port that its part ties to no GPU is shared out: see _share_out."""
    tied: dict[tuple[str, int], list[_Row]] = {}
    loose: dict[str, list[_Row]] = {}
    ports: dict[str, Mapping[str, Port]] = {}
    count = 0
    for number in nic:
        link = links[number]
        server, switch = (link.a, link.b) if roles[link.a] == "server" else (link.b, link.a)
        if server not in ports:
            device = view.devices[server]
            ports[server] = ports_of(view.type_of(device), device.modes)
        for cable in link.cables:
            record = view.cables[cable]
            port = ports[server].get(record.a.port if record.a.device == server else record.b.port)
            row = (port.cages.name if port else "", port.index if port else 0, (number, place[switch], count))
            count += 1
            behind = gpus_behind(port)
            for gpu in behind:
                tied.setdefault((server, gpu), []).append(row)
            if not behind:
                loose.setdefault(server, []).append(row)
    for server, rows in loose.items():
        _share_out(server, view.type_of(view.devices[server]).gpu_count, sorted(rows), tied)
    return {key: [row[2] for row in sorted(rows)] for key, rows in tied.items()}


def _share_out(server: str, gpus: int, rows: list[_Row], tied: dict[tuple[str, int], list[_Row]]) -> None:
    """Gives ports to GPUs in order where the counts divide, else all to each."""
    each, shared = len(rows) // gpus, gpus // len(rows)
    for gpu in range(gpus):
        if each * gpus == len(rows):
            own = rows[gpu * each : (gpu + 1) * each]
        elif shared * len(rows) == gpus:
            own = [rows[gpu // shared]]
        else:
            own = rows
        tied.setdefault((server, gpu), []).extend(own)


def _nic_table(nics: Mapping[tuple[str, int], Sequence[_Nic]]) -> tuple[dict[str, int], IntArray]:
    """GPU -> row, and (row, lane, the parts of a NIC). One with fewer NICs than lanes has them repeated."""
    lanes = lcm(*dict.fromkeys(len(row) for row in nics.values()))
    table = [[row[lane % len(row)] for lane in range(lanes)] for row in nics.values()]
    rows = {gpu_ref(server, index): n for n, (server, index) in enumerate(nics)}
    return rows, np.array(table, dtype=np.int64).reshape(len(rows), lanes, 3)


def ports_of_ranks(wires: Wires, gpus: Sequence[str]) -> Ports:
    """The NICs of some GPUs, named in rank order."""
    rows = np.array([wires.gpus.get(ref, -1) for ref in gpus], dtype=np.int64)
    if not len(wires.gpus):
        none = np.full((len(rows), 0), -1, dtype=np.int64)
        return Ports(none, none)
    there = (rows >= 0)[:, None]
    return Ports(np.where(there, wires.gpu_link[rows], -1), np.where(there, wires.gpu_switch[rows], -1))
