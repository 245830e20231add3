"""FabricGraph: the devices and links of one fabric as a frozen networkx graph, kept equal to the design.

It is a value. A patched one copies the adjacency of the touched devices and shares the rest with the one before,
which networkx has no call for: this is the only file that touches `_adj` and `_node`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NotRequired, Protocol, TypedDict, cast

import networkx as nx

from rackbuilder.design.records import Fabric
from rackbuilder.topology.memo import Memo
from rackbuilder.topology.wiring import Link, Station, carries_data

Kind = Literal["switch", "server", "end"]
"""What a device is in one fabric: a switch that forwards; a server with GPUs; any other end (storage, fabric manager,
a switch of another fabric on its management port)."""

Pair = tuple[str, str]
"""Two devices in alphabetical order."""


class NodeData(TypedDict):
    kind: Kind
    type: str
    role: NotRequired[str]
    """As pinned."""
    rail: NotRequired[int]


class EdgeData(TypedDict):
    """The parallel links of two devices.

    rate_bps       of one link per direction, the slowest; None: unknown
    capacity_bps   of all links that are up, per direction; None: a rate is unknown
    """

    links: tuple[Link, ...]
    cables: tuple[str, ...]
    rate_bps: float | None
    capacity_bps: float | None


Adjacency = dict[str, dict[str, EdgeData]]


class _Inner(Protocol):
    """What networkx keeps inside a graph."""

    _adj: Adjacency
    _node: dict[str, NodeData]


def edge_data(links: tuple[Link, ...]) -> EdgeData:
    if len(links) == 1:
        link = links[0]
        capacity = link.rate_bps if link.up else 0.0
        return {"links": links, "cables": (link.cable,), "rate_bps": link.rate_bps, "capacity_bps": capacity}
    rates = [link.rate_bps for link in links]
    known = [rate for rate in rates if rate is not None]
    up = [link.rate_bps for link in links if link.up]
    return {
        "links": links,
        "cables": tuple(link.cable for link in links),
        "rate_bps": min(known) if len(known) == len(rates) else None,
        "capacity_bps": None if None in up else float(sum(x for x in up if x is not None)),
    }


def pair_of(a: str, b: str) -> Pair:
    return (a, b) if a < b else (b, a)


@dataclass(frozen=True, eq=False)
class FabricGraph:
    """One fabric. Read it through networkx (`graph`) or by the methods; nothing may change it."""

    record: Fabric
    graph: "nx.Graph[str]"
    memo: Memo = field(default_factory=Memo, repr=False)
    """What readers worked out from parts of this graph; handed on to the next revision."""

    @property
    def id(self) -> str:
        return self.record.id

    @property
    def compute(self) -> bool:
        """Carries traffic between GPUs: said so, or said nothing."""
        return not self.record.roles or "compute" in self.record.roles

    @cached_property
    def adjacency(self) -> Mapping[str, Mapping[str, EdgeData]]:
        return cast(_Inner, self.graph)._adj

    @cached_property
    def nodes(self) -> Mapping[str, NodeData]:
        return cast(_Inner, self.graph)._node

    def kind(self, device: str) -> Kind:
        return self.nodes[device]["kind"]

    def of_kind(self, *kinds: Kind) -> tuple[str, ...]:
        """The devices of some kinds, in alphabetical order."""
        return tuple(sorted(name for name, data in self.nodes.items() if data["kind"] in kinds))

    def edge(self, a: str, b: str) -> EdgeData | None:
        return self.adjacency.get(a, {}).get(b)

    def edges(self) -> Iterator[tuple[str, str, EdgeData]]:
        """Every joined pair once, in alphabetical order."""
        for a in sorted(self.adjacency):
            for b in sorted(b for b in self.adjacency[a] if a < b):
                yield a, b, self.adjacency[a][b]

    def same(self, other: "FabricGraph") -> bool:
        """Equal devices and links."""
        return self.record == other.record and self.nodes == other.nodes and self.adjacency == other.adjacency

    def patched(
        self,
        record: Fabric,
        edges: Mapping[Pair, EdgeData | None],
        devices: Iterable[str],
        station: Callable[[str], Station | None],
    ) -> "FabricGraph":
        """The graph with some pairs joined anew (None: no longer) and some devices looked at again.

        `station` tells of a device of the new design, or None when it is gone. Returns this graph when nothing in
        it changes.
        """
        edges = {p: e for p, e in edges.items() if e is not None or self.edge(*p) is not None}
        devices = [d for d in devices if d in self.nodes or _lends(station(d), record.id)]
        if not edges and not devices:
            return self if record == self.record else FabricGraph(record, self.graph, self.memo)
        inner = cast(_Inner, self.graph)
        work = _Work(record.id, inner._adj, inner._node)
        for (a, b), data in edges.items():
            work.join(a, b, data)
        for device in dict.fromkeys([*devices, *(d for pair in edges for d in pair)]):
            work.look_at(device, station(device))
        memo = self.memo if len(self.memo) < 20 * len(work.node) + 1000 else Memo()
        return FabricGraph(record, _frozen(work.adj, work.node), memo)


def _lends(station: Station | None, fabric: str) -> bool:
    return station is not None and station.lends == fabric


class _Work:
    """Copies of what one patch touches."""

    def __init__(self, fabric: str, adj: Adjacency, node: dict[str, NodeData]) -> None:
        self._fabric = fabric
        self._shared, self.adj, self.node = adj, adj.copy(), node
        self._node_owned = False

    def _own(self, device: str) -> dict[str, EdgeData]:
        row = self.adj.get(device)
        if row is None:
            row = self.adj[device] = {}
        elif row is self._shared.get(device):
            row = self.adj[device] = row.copy()
        return row

    def join(self, a: str, b: str, data: EdgeData | None) -> None:
        for one, other in ((a, b), (b, a)):
            row = self._own(one)
            if data is None:
                row.pop(other, None)
            else:
                row[other] = data

    def look_at(self, device: str, station: Station | None) -> None:
        """Keeps a device that has links or is a switch of this fabric, and its node data up to date."""
        row = self.adj.get(device, {})
        there = station is not None and (bool(row) or station.lends == self._fabric)
        data = node_data(device, self._fabric, station, row) if station is not None and there else None
        if data is None:
            self.adj.pop(device, None)
        if data == self.node.get(device):
            return
        if not self._node_owned:
            self._node_owned, self.node = True, self.node.copy()
        if data is None:
            self.node.pop(device, None)
            return
        self.node[device] = data
        self._own(device)
        for other in row:
            # What was remembered of a neighbour also rests on what this device is.
            self._own(other)


def node_data(device: str, fabric: str, station: Station, row: Mapping[str, EdgeData]) -> NodeData:
    """What a device is in a fabric. A switch forwards in the fabric it lends, or where a data port of it is cabled."""
    kind: Kind = "server" if station.gpus else "end"
    if station.switch and (
        station.lends == fabric
        or any(carries_data(x.at(device, other)) for other, data in row.items() for x in data["links"])
    ):
        kind = "switch"
    found: NodeData = {"kind": kind, "type": station.type}
    if station.role:
        found["role"] = station.role
    if station.rail is not None:
        found["rail"] = station.rail
    return found


def _frozen(adj: Adjacency, node: dict[str, NodeData]) -> "nx.Graph[str]":
    graph: nx.Graph[str] = nx.Graph()
    inner = cast(_Inner, graph)
    inner._adj, inner._node = adj, node
    frozen: nx.Graph[str] = nx.freeze(graph)
    return frozen


def build_fabric(
    record: Fabric, edges: Mapping[Pair, EdgeData], switches: Iterable[str], station: Callable[[str], Station]
) -> FabricGraph:
    """A fabric from all its joined pairs and the switches that lend it."""
    adj: Adjacency = {device: {} for device in switches}
    for (a, b), data in edges.items():
        adj.setdefault(a, {})[b] = data
        adj.setdefault(b, {})[a] = data
    node = {device: node_data(device, record.id, station(device), row) for device, row in adj.items()}
    return FabricGraph(record, _frozen(adj, node))
