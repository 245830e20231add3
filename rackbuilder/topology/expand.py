"""The inside of chosen servers on demand: GPUs, NVSwitch chips, CPUs, PCIe and NIC ports, a scope on each edge.

Nodes have `device` and `kind` (gpu, nvswitch, nvswitch-tray, cpu, pcie, port); one whose layout is not published is
`unknown`. Edges have `kind`, `scope`, `links` and `rate_bps`, what they carry per direction; None is unknown.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

import networkx as nx

from rackbuilder.catalog.parts import DeviceType, GpuType, NicType
from rackbuilder.catalog.ports import ports_of
from rackbuilder.design.records import Device
from rackbuilder.design.refs import gpu_ref, port_ref
from rackbuilder.design.view import View
from rackbuilder.topology.domains import BRIDGE, gpu_of, reach
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.pcie import pcie_bytes_s
from rackbuilder.units import Figure, total, unknown

InnerKind = Literal["nvlink", "nvlink-c2c", "infinity-fabric", "ethernet", "pcie"]
InnerScope = Literal["in-server", "in-domain"]


def expand(view: View, graphs: Graphs, devices: Iterable[str]) -> "nx.Graph[str]":
    """A small graph of what is inside some servers, and of the backplane of their racks where they sit in one."""
    graph: nx.Graph[str] = nx.Graph()
    chosen = dict.fromkeys(devices)
    for name in chosen:
        device = view.devices[name]
        part = view.type_of(device)
        if part.gpu_count:
            _Inside(graph, view, graphs, device, part).add()
    for backplane in graphs.backplanes:
        for link in backplane.links if any(tray in chosen for tray in backplane.trays) else ():
            if link.tray in chosen:
                _seat(graph, view, graphs, link.tray, link.switch, link.links - link.lost)
    return graph


def _seat(graph: "nx.Graph[str]", view: View, graphs: Graphs, tray: str, switch: str, links: int) -> None:
    """The links of a compute tray to one NVLink switch tray, evenly over its GPUs."""
    part = view.type_of(view.devices[tray])
    gpu = gpu_of(view, part)
    graph.add_node(switch, device=switch, kind="nvswitch-tray")
    each = links / part.gpu_count
    rate = link_rate_bps(gpu, graphs)
    for index in range(part.gpu_count):
        _join(graph, gpu_ref(tray, index), switch, "nvlink", "in-domain", each, rate)


def link_rate_bps(gpu: GpuType | None, graphs: Graphs) -> float | None:
    """One NVLink of a GPU, bit/s per direction: what the GPU has over its links."""
    if gpu is None or not gpu.nvlink_links:
        return None
    whole = graphs.figures.part(gpu, "scale_up_bytes_s").value
    return None if whole is None else whole * 8 / gpu.nvlink_links


def _join(
    graph: "nx.Graph[str]",
    a: str,
    b: str,
    kind: InnerKind,
    scope: InnerScope,
    links: float | None,
    rate_bps: float | None,
) -> None:
    """An edge of `links` links of `rate_bps` each; the edge carries their product."""
    whole = None if links is None or rate_bps is None else links * rate_bps
    graph.add_edge(a, b, kind=kind, scope=scope, links=links, rate_bps=whole)


class _Inside:
    """One server, piece by piece."""

    def __init__(
        self, graph: "nx.Graph[str]", view: View, graphs: Graphs, device: Device, part: DeviceType
    ) -> None:
        self._graph, self._view, self._graphs = graph, view, graphs
        self._device, self._part = device, part
        self._gpu = gpu_of(view, part)
        self._gpus = [gpu_ref(device.id, n) for n in range(part.gpu_count)]

    def add(self) -> None:
        self._nodes("gpu", self._gpus)
        self._scale_up()
        cpus = self._cpus()
        self._pcie(cpus)

    def _nodes(self, kind: str, names: Iterable[str], unknown: bool = False) -> None:
        for name in names:
            self._graph.add_node(name, device=self._device.id, kind=kind, unknown=unknown)

    def _named(self, kind: str, count: int) -> list[str]:
        return [f"{self._device.id}.{kind}{n}" for n in range(count)]

    def _scale_up(self) -> None:
        size, kind = reach(self._device, self._part, self._gpu)
        if size < 2 or self._gpu is None:
            return
        if kind in ("infinity-fabric", "ethernet"):
            self._mesh(kind, size)
        elif kind == "nvlink" and not self._device.config.get(BRIDGE):
            self._switched(self._gpu)
        elif kind == "nvlink":
            self._mesh("nvlink", size)

    def _switched(self, gpu: GpuType) -> None:
        """Each GPU to each chip. Where its links do not divide evenly, the split is not published: unknown."""
        chips = self._part.nvswitch_chips
        names = self._named("nvswitch", chips or 1)
        self._nodes("nvswitch", names, unknown=not chips)
        even = gpu.nvlink_links is not None and gpu.nvlink_links % len(names) == 0
        links = gpu.nvlink_links / len(names) if even and gpu.nvlink_links is not None else None
        for ref in self._gpus:
            for chip in names:
                _join(self._graph, ref, chip, "nvlink", "in-server", links, link_rate_bps(gpu, self._graphs))

    def _mesh(self, kind: InnerKind, size: int) -> None:
        """Every GPU with every other of its group, at the rate to one peer."""
        gpu = self._gpu
        field = "scale_up_bytes_s" if size == 2 else "scale_up_peer_bytes_s"
        peer = self._graphs.figures.part(gpu, field).value if gpu else None
        for first in range(0, len(self._gpus), size):
            group = self._gpus[first : first + size]
            for n, a in enumerate(group):
                for b in group[n + 1 :]:
                    _join(self._graph, a, b, kind, "in-server", 1, None if peer is None else peer * 8)

    def _cpus(self) -> list[str]:
        """CPUs, and coherent NVLink between them and the GPUs where the part has it."""
        cpus = self._named("cpu", self._part.cpu_count or 1)
        self._nodes("cpu", cpus, unknown=not self._part.cpu_count)
        rate = self._graphs.figures.part(self._gpu, "cpu_link_bytes_s").value if self._gpu else None
        if rate is not None:
            for n, ref in enumerate(self._gpus):
                cpu = cpus[n * len(cpus) // len(self._gpus)]
                _join(self._graph, ref, cpu, "nvlink-c2c", "in-server", 1, rate * 8)
        return cpus

    def _pcie(self, cpus: list[str]) -> None:
        """PCIe as one node: which switch joins what is not published."""
        pcie = f"{self._device.id}.pcie"
        self._nodes("pcie", [pcie], unknown=True)
        for cpu in cpus:
            _join(self._graph, cpu, pcie, "pcie", "in-server", None, None)
        gpu = pcie_bytes_s(self._gpu, self._graphs.figures).value if self._gpu else None
        for ref in self._gpus:
            _join(self._graph, ref, pcie, "pcie", "in-server", 1, None if gpu is None else gpu * 8)
        for name, port in ports_of(self._part, self._device.modes).items():
            if port.cages.role == "data":
                nic = self._view.parts.get(port.cages.nic)
                rate = pcie_bytes_s(nic, self._graphs.figures).value if isinstance(nic, NicType) else None
                ref = port_ref(self._device.id, name)
                self._nodes("port", [ref])
                _join(self._graph, ref, pcie, "pcie", "in-server", 1, None if rate is None else rate * 8)


class InnerRow(NamedTuple):
    """All edges of one kind and scope: how many, and what they carry together, bit/s per direction."""

    kind: InnerKind
    scope: InnerScope
    ends: str
    """gpu–gpu or gpu–cpu for NVLink; empty for PCIe."""
    edges: int
    rate_bps: Figure


def scope_table(inside: "nx.Graph[str]") -> tuple[InnerRow, ...]:
    """The links of an expanded graph by kind and scope, NVLink between GPUs and between GPU and CPU apart."""
    rows: dict[tuple[InnerKind, InnerScope], list[Figure]] = {}
    for _, _, data in inside.edges(data=True):
        rate = data["rate_bps"]
        figure = unknown(f"rate of a {data['kind']} link") if rate is None else Figure(rate)
        rows.setdefault((data["kind"], data["scope"]), []).append(figure)
    return tuple(
        InnerRow(kind, scope, _ends(kind), len(found), total(found))
        for (kind, scope), found in sorted(rows.items())
    )


def _ends(kind: InnerKind) -> str:
    return {"pcie": "", "nvlink-c2c": "gpu–cpu"}.get(kind, "gpu–gpu")
