"""The node boundary: what one GPU has inside its server, over PCIe, through its NIC and above its leaf."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rackbuilder.analysis.fabric.capacity import tier_of
from rackbuilder.analysis.fabric.links import unknown_rates
from rackbuilder.analysis.inputs import Inputs, analysis
from rackbuilder.analysis.results import Boundary, BoundaryRow
from rackbuilder.catalog.parts import Cages, DeviceType
from rackbuilder.design.records import Device
from rackbuilder.topology.domains import NvlinkDomain, gpu_of
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.figures import lowest
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.pcie import pcie_bytes_s
from rackbuilder.topology.roles import roles_of
from rackbuilder.topology.wiring import carries_data
from rackbuilder.units import Figure, unknown

NONE_THERE = Figure(None)
"""There is no such boundary: no value, and nothing missing."""


class Edge(NamedTuple):
    """The figures of one server, the same for all servers that make one row."""

    nvlink: Figure
    pcie: Figure
    nic: Figure
    nics: int | None
    fallback: bool


class _Links(NamedTuple):
    """A server's links into one compute fabric: how many, and what it has to each leaf, bit/s."""

    links: int
    rates: tuple[tuple[str, float], ...]
    missing: tuple[str, ...]


def _links(fabric: FabricGraph, device: str) -> _Links:
    row = fabric.adjacency.get(device)
    return fabric.memo.get(("node boundary", device), (row,), lambda: _cabled(fabric, device))


def _cabled(fabric: FabricGraph, device: str) -> _Links:
    count, rates = 0, []
    missing: dict[str, None] = {}
    for switch, data in sorted(fabric.adjacency.get(device, {}).items()):
        up = [x for x in data["links"] if x.up and carries_data(x.at(device, switch))]
        if up and fabric.kind(switch) == "switch":
            count += len(up)
            rates.append((switch, sum(x.rate_bps or 0.0 for x in up)))
            missing.update(dict.fromkeys(unknown_rates(fabric, device, switch)))
    return _Links(count, tuple(rates), tuple(missing))


def _edge(inputs: Inputs, device: Device, part: DeviceType) -> Edge:
    """Remembered by what it is made of: most edits touch few servers."""
    graphs = inputs.graphs
    found = tuple(_links(fabric, device.id) for fabric in graphs.compute)
    domains = graphs.domains_of(device.id)
    made_of = (part, inputs.parts, graphs.figures, *found, *domains)
    return graphs.memo.get(
        ("node boundary", device.id), made_of, lambda: _worked_out(inputs, device.id, part, found, domains)
    )


def _worked_out(
    inputs: Inputs, device: str, part: DeviceType, found: Sequence[_Links], domains: Sequence[NvlinkDomain]
) -> Edge:
    nvlink = lowest(domain.device_bytes_s(device) for domain in domains).times(8)
    gpu = gpu_of(inputs, part)
    pcie = pcie_bytes_s(gpu, inputs.graphs.figures).times(8) if gpu else unknown(f"GPU of {part.id}")
    fallback = all(d.scale_up == "none" for d in domains)
    nic, nics = _nic(part, found)
    return Edge(nvlink, pcie, nic, nics, fallback)


def _nic(part: DeviceType, found: Sequence[_Links]) -> tuple[Figure, int | None]:
    """What the cabled NIC ports carry for each GPU, and how many they are."""
    links = sum(row.links for row in found)
    if not links:
        return _uncabled(part)
    missing = tuple(dict.fromkeys(name for row in found for name in row.missing))
    if missing:
        return Figure(None, missing=missing), links
    rate = sum(rate for row in found for _, rate in row.rates)
    return Figure(rate / part.gpu_count, grade=part.grade("cages")), links


def _uncabled(part: DeviceType) -> tuple[Figure, int | None]:
    """What the NIC ports of a server could carry, for each GPU, while none of them is cabled."""
    rows = list(_compute_cages(part))
    ports = sum(row.port_count for row in rows)
    if not ports:
        return unknown(f"compute NIC ports of {part.id}"), None
    if any(row.rate_bps is None for row in rows):
        return unknown(f"rate_bps of {rows[0].name} ports of {part.id}"), ports
    rate = sum((row.rate_bps or 0.0) * row.port_count for row in rows)
    return Figure(rate / part.gpu_count, grade=part.grade("cages")), ports


def _compute_cages(part: DeviceType) -> Iterator[Cages]:
    """The cages meant for the compute fabric; where none is said to be, those tied to GPUs."""
    data = [row for row in part.cages if row.role == "data"]
    meant = [row for row in data if row.fabric == "compute"]
    yield from meant or (row for row in data if row.gpu_first is not None)


# ---- above the leaf


class _Above(NamedTuple):
    """What a leaf has above it for each bit/s below; 0 without uplinks."""

    share: float
    missing: tuple[str, ...]


def _above(fabric: FabricGraph) -> Mapping[str, _Above]:
    """Every switch that servers may be on; one that is no leaf has nothing to say of."""
    found = {}
    for switch, role in roles_of(fabric).items():
        row, missing = tier_of(fabric, switch) if role == "leaf" else (None, ())
        found[switch] = _Above(row.up_bps / row.down_bps if row and row.down_bps else 0.0, missing)
    return found


def _uplink(
    inputs: Inputs, above: Mapping[str, Mapping[str, _Above]], servers: Sequence[str], part: DeviceType
) -> Figure:
    """The least uplink share of a GPU over some servers, by the links each has to its leaves."""
    shares: list[float] = []
    missing: dict[str, None] = {}
    cabled = False
    for server in servers:
        share = 0.0
        for fabric in inputs.graphs.compute:
            leaves = above[fabric.id]
            for leaf, rate in _links(fabric, server).rates:
                cabled = True
                share += rate * leaves[leaf].share
                if leaves[leaf].missing:
                    missing.update(dict.fromkeys(leaves[leaf].missing))
        shares.append(share)
    if missing or not cabled:
        return Figure(None, missing=tuple(missing) or (f"compute links of {part.id}",))
    least = min(shares) / part.gpu_count
    return Figure(least, grade=part.grade("cages")) if max(shares) else NONE_THERE


# ---- the table


def _row(type_: str, edge: Edge, uplink: Figure, servers: Sequence[str], gpus: int) -> BoundaryRow:
    ways = {"nvlink": edge.nvlink, "pcie": edge.pcie, "nic": edge.nic, "leaf_uplink": uplink}
    if edge.fallback:
        del ways["nvlink"]
    if uplink == NONE_THERE:
        del ways["leaf_uplink"]
    known = {name: figure.value for name, figure in ways.items() if figure.value is not None}
    nvlink, nic = edge.nvlink.value, edge.nic.value
    return BoundaryRow(
        server_type=type_,
        servers=tuple(servers),
        nvlink_bps=edge.nvlink,
        pcie_bps=edge.pcie,
        nic_bps=edge.nic,
        leaf_uplink_bps=uplink,
        smallest=min(known, key=lambda name: known[name]) if len(known) == len(ways) else "",
        ratio=nvlink / nic if nvlink and nic else None,
        nics_per_gpu=None if edge.nics is None else edge.nics / gpus,
        pcie_fallback=edge.fallback,
    )


def find_boundary(inputs: Inputs) -> Boundary:
    """A row for each server type; servers of one type that differ (a cable less, a tray out) have rows of their own.

    The uplink is that of the server worst off in a row. Types in alphabetical order, the row of most servers first.
    """
    rows: dict[tuple[str, Edge], list[str]] = {}
    for name in servers_in_order(inputs):
        device = inputs.devices[name]
        part = inputs.type_of(device)
        rows.setdefault((part.id, _edge(inputs, device, part)), []).append(name)
    above = {fabric.id: _above(fabric) for fabric in inputs.graphs.compute}
    found = []
    for (type_, edge), servers in rows.items():
        part = inputs.type_of(inputs.devices[servers[0]])
        found.append(_row(type_, edge, _uplink(inputs, above, servers, part), servers, part.gpu_count))
    found.sort(key=lambda row: (row.server_type, -len(row.servers), natural_key(row.servers[0])))
    figures = (f for r in found for f in (r.nvlink_bps, r.pcie_bps, r.nic_bps, r.leaf_uplink_bps))
    missing = sorted({name for figure in figures for name in figure.missing})
    return Boundary(tuple(found), tuple(missing))


def servers_in_order(inputs: Inputs) -> tuple[str, ...]:
    """The devices with GPUs, in natural order."""
    names = tuple(d.id for d in inputs.devices.values() if inputs.type_of(d).gpu_count)
    memo = inputs.graphs.memo
    names = memo.same("server names", names)
    return memo.get("servers", (names,), lambda: tuple(sorted(names, key=natural_key)))


BOUNDARY = analysis(
    "boundary", "parts devices racks cables fabrics faults overrides", "compiled", find_boundary
)
