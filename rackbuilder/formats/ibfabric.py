"""The InfiniBand fabrics of a design as a subnet manager sees them: switches, adapters, numbered ports, links.

A switch port has the number of its place among the switch's ports; where some are split, each takes as many numbers
as the widest split (a QM9700 then shows 128). Each port of a server, store or manager is an adapter (HCA) of its own
with one port, described as “srv-001 mlx5_0”. What is drawn counts whatever its state; a failed link is not there.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rackbuilder.catalog.parts import LinkTechnology
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.design import Design
from rackbuilder.design.records import Device
from rackbuilder.formats.ibwords import (
    adapter_number,
    derived_guid,
    host_names,
    parse_guid,
    switch_description,
    switch_number,
    trained,
)
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.wiring import Link

Key = tuple[str, str]
"""A switch (device, “”) or an adapter (device, its port)."""


class Lane(NamedTuple):
    """One link seen from one end. `trained`: “4xNDR”, empty when unknown."""

    port: int
    peer: Key
    peer_port: int
    trained: str
    cable: str


@dataclass(frozen=True)
class IbNode:
    """A switch or an adapter. Its links stand in the order of their port numbers."""

    kind: Literal["Switch", "Ca"]
    key: Key
    guid: int
    port_guid: int
    """Of an adapter's port: one above its own where we made it up, its own where it is known, as adapters have it."""
    lid: int
    number: int
    ports: int
    description: str
    compute: bool
    """An adapter of a server with GPUs."""
    lanes: tuple[Lane, ...]


@dataclass(frozen=True)
class Subnet:
    """Switches first, each kind in natural order of ids. `absent`: what is not in it and why, in words."""

    nodes: Mapping[Key, IbNode]
    absent: tuple[str, ...]

    def of_kind(self, kind: Literal["Switch", "Ca"]) -> tuple[IbNode, ...]:
        return tuple(node for node in self.nodes.values() if node.kind == kind)


def infiniband_fabrics(design: Design, graphs: Graphs) -> tuple[FabricGraph, ...]:
    """The InfiniBand fabrics that join GPUs; where there is none, all InfiniBand fabrics."""
    found = [graph for graph in graphs.fabrics.values() if _speaks_infiniband(design, graph)]
    return tuple([graph for graph in found if graph.compute] or found)


def _speaks_infiniband(design: Design, graph: FabricGraph) -> bool:
    part = design.parts.get(graph.record.technology)
    if isinstance(part, LinkTechnology):
        return part.protocol == "infiniband"
    types = (design.type_of(design.devices[name]) for name in graph.of_kind("switch"))
    return any(part.fabric_protocol == "infiniband" for part in types)


def subnet_of(design: Design, graphs: Graphs) -> Subnet:
    """Several fabrics are parts of one listing that no link joins."""
    fabrics = infiniband_fabrics(design, graphs)
    loops = sorted((cable for cable, why in graphs.loose.items() if why == "loop"), key=natural_key)
    return _Reader(design, fabrics, loops).subnet()


class _Reader:
    def __init__(self, design: Design, fabrics: tuple[FabricGraph, ...], loops: Iterable[str]) -> None:
        self._design, self._fabrics = design, fabrics
        self._switches = {name for graph in fabrics for name in graph.of_kind("switch")}
        self._numbers: dict[str, dict[str, int]] = {}
        self._lanes: dict[Key, list[Lane]] = {(name, ""): [] for name in self._switches}
        self._absent = [
            f"joins a switch with itself: {cable}"
            for cable in loops
            if design.cables[cable].a.device in self._switches
        ]

    def subnet(self) -> Subnet:
        for graph in self._fabrics:
            for a, b, data in graph.edges():
                for link in data["links"]:
                    self._add(a, b, link)
        self._absent += self._without_link()
        order = sorted(self._lanes, key=lambda key: (key[1] != "", natural_key(key[0]), natural_key(key[1])))
        names = host_names(self._design.devices[d] for d in dict.fromkeys(key[0] for key in order))
        known, made_up = _guids(self._design, order)
        nodes = {}
        for lid, key in enumerate(order, start=1):
            guid = known.get(key) or made_up[key]
            port_guid = guid + 1 if key in made_up and key[1] else guid
            nodes[key] = self._node(key, guid, port_guid, lid, names[key[0]])
        return Subnet(nodes, tuple(self._absent))

    def _add(self, a: str, b: str, link: Link) -> None:
        here, there = self._end(a, link.a), self._end(b, link.b)
        if not link.up:
            self._absent.append(f"failed: {link.cable}, {a} to {b}")
            return
        if here is None or there is None:
            self._absent.append(f"no InfiniBand port at an end: {link.cable}, {a} to {b}")
            return
        (one, one_port), (two, two_port) = here, there
        shown = trained(link.rate_bps, min(self._width(a, link.a), self._width(b, link.b)))
        self._lanes.setdefault(one, []).append(Lane(one_port, two, two_port, shown, link.cable))
        self._lanes.setdefault(two, []).append(Lane(two_port, one, one_port, shown, link.cable))

    def _end(self, device: str, port: Port | None) -> tuple[Key, int] | None:
        number = self._numbered(device).get(port.name) if port is not None else None
        if port is None or number is None:
            return None
        return ((device, ""), number) if device in self._switches else ((device, port.name), 1)

    def _numbered(self, device: str) -> dict[str, int]:
        if device not in self._numbers:
            self._numbers[device] = port_numbers(self._design, self._design.devices[device])
        return self._numbers[device]

    def _width(self, device: str, port: Port | None) -> int:
        """Lanes of a port: four, shared by the branches of a split."""
        ways = self._design.devices[device].modes.get(port.cage, 1) if port else 1
        return max(1, 4 // ways)

    def _node(self, key: Key, guid: int, port_guid: int, lid: int, name: str) -> IbNode:
        device = self._design.devices[key[0]]
        part = self._design.type_of(device)
        lanes = tuple(sorted(self._lanes[key]))
        if not key[1]:
            # Numbers are taken for both halves of every port, also of one that is whole.
            ways = max(device.modes.values(), default=1)
            ports = -(-max(self._numbered(device.id).values(), default=0) // ways) * ways
            text = switch_description(name, part)
            return IbNode("Switch", key, guid, port_guid, lid, switch_number(part), ports, text, False, lanes)
        port = ports_of(part, device.modes).get(key[1])
        text = f"{name} mlx5_{self._numbered(device.id)[key[1]] - 1}"
        return IbNode(
            "Ca", key, guid, port_guid, lid, adapter_number(port), 1, text, part.gpu_count > 0, lanes
        )

    def _without_link(self) -> Iterator[str]:
        """Servers with a port for these fabrics and no link in any."""
        linked = {device for device, port in self._lanes if port}
        if not self._fabrics:
            yield "no InfiniBand fabric in this design"
            return
        for device in sorted(self._design.devices.values(), key=lambda d: natural_key(d.id)):
            part = self._design.type_of(device)
            if part.gpu_count and device.id not in linked and self._numbered(device.id):
                yield f"not cabled: {device.id}"


def port_numbers(design: Design, device: Device) -> dict[str, int]:
    """Port name -> number from 1: data ports in cage order, then other InfiniBand ports. Splits: see the module."""
    ports = ports_of(design.type_of(device), device.modes).values()
    able = [p for p in ports if not p.cages.protocols or "infiniband" in p.cages.protocols]
    rows = [p for p in able if p.cages.role == "data"]
    rows += [p for p in able if p.cages.role != "data" and p.cages.protocols]
    ways = max(device.modes.values(), default=1)
    found: dict[str, int] = {}
    place: dict[tuple[str, int], int] = {}
    for port in rows:
        whole = place.setdefault((port.cages.name, port.index), len(place))
        branch = int(port.name.rpartition(".")[2]) if port.name.count(".") else 1
        found[port.name] = whole * ways + branch
    return found


def _guids(design: Design, keys: Iterable[Key]) -> tuple[dict[Key, int], dict[Key, int]]:
    """Known ones: the tag `guid` of a switch or of a device with one adapter, `guid.<port>` of any adapter. The others
    follow from the id.
    """
    listed = list(keys)
    adapters = Counter(device for device, port in listed if port)
    known: dict[Key, int] = {}
    taken: set[int] = set()
    for device, port in listed:
        tags = design.devices[device].tags
        own = tags.get("guid", "") if not port or adapters[device] == 1 else ""
        guid = parse_guid(tags.get(f"guid.{port}", own) if port else own)
        if guid is not None and guid not in taken:
            known[device, port] = guid
            taken.add(guid)
    made_up: dict[Key, int] = {}
    for key in listed:
        if key not in known:
            made_up[key] = derived_guid(f"{key[0]}:{key[1]}", taken)
            taken |= {made_up[key], made_up[key] + 1}
    return known, made_up
