"""Inside the servers and racks of a design: the scale-up scopes as sums, and the links that follow from seats."""

from collections import Counter
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from rackbuilder.analysis.results import LinkGroup
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.design.view import View
from rackbuilder.topology.backplane import Backplane
from rackbuilder.topology.domains import NvlinkDomain, gpu_of
from rackbuilder.topology.expand import link_rate_bps
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.pcie import pcie_bytes_s
from rackbuilder.topology.wiring import Wiring
from rackbuilder.units import Figure, total, unknown


class Inside(NamedTuple):
    """Bit/s per direction over all GPUs.

    in_server_bps   what GPUs have to each other in a server of its own: scale-up, or PCIe where that is the only way
    in_domain_bps   the NVLinks between trays, and cables between NVLink ports
    gpu_gpu_bps     scale-up of all GPUs, in servers and in racks
    """

    in_server_bps: Figure
    in_domain_bps: Figure
    gpu_gpu_bps: Figure
    gpu_cpu_bps: Figure
    pcie_bps: Figure


def inside_of(view: View, graphs: Graphs, servers: Mapping[str, int]) -> Inside:
    """`servers` counts the devices of each type that has GPUs."""
    counts = graphs.memo.same("gpu types", tuple(sorted(servers.items())))
    made_of = (graphs.domains, graphs.figures, view.parts, counts)
    return graphs.memo.get("inside", made_of, lambda: _inside(view, graphs, dict(counts)))


def _inside(view: View, graphs: Graphs, servers: Mapping[str, int]) -> Inside:
    in_server: Counter[Figure] = Counter()
    scale_up: Counter[Figure] = Counter()
    for domain in graphs.domains:
        rates = domain.figures()
        scale_up.update(rates)
        if domain.kind == "in-server":
            in_server.update(
                {_pcie(view, graphs, view.devices[domain.devices[0]].type): 1} if _by_pcie(domain) else rates
            )
    types = {name: part for name in servers if isinstance(part := view.parts[name], DeviceType)}
    gpus = {name: servers[name] * part.gpu_count for name, part in types.items()}
    pcie = Counter({_pcie(view, graphs, name): count for name, count in gpus.items()})
    cpu: Counter[Figure] = Counter()
    for name, part in types.items():
        gpu = gpu_of(view, part)
        if gpu is not None and gpu.cpu_link_bytes_s is not None:
            cpu[graphs.figures.part(gpu, "cpu_link_bytes_s")] += gpus[name]
    return Inside(_bps(in_server), _in_domain(view, graphs), _bps(scale_up), _bps(cpu), _bps(pcie))


def _in_domain(view: View, graphs: Graphs) -> Figure:
    links: Counter[str] = Counter()
    for backplane in graphs.backplanes:
        for tray in backplane.trays:
            links[view.devices[tray].type] += backplane.left(tray)
    found = [_links_bps(view, graphs, name, count) for name, count in sorted(links.items())]
    cables = (_cable_group(view, graphs, name) for name in graphs.nvlink_cables())
    found += (
        unknown(f"rate of {g.cables[0]}") if g.rate_bps is None else Figure(g.rate_bps)
        for g in cables
        if g.cables
    )
    return total(found)


def _links_bps(view: View, graphs: Graphs, type_: str, count: int) -> Figure:
    """So many NVLinks of the GPUs of a tray."""
    part = view.parts[type_]
    gpu = gpu_of(view, part) if isinstance(part, DeviceType) else None
    if gpu is None or not gpu.nvlink_links:
        return unknown(f"nvlink_links of {gpu.id}" if gpu else f"GPU of {type_}")
    return graphs.figures.part(gpu, "scale_up_bytes_s").times(8 * count / gpu.nvlink_links)


def _by_pcie(domain: NvlinkDomain) -> bool:
    return domain.size == 1 and domain.scale_up == "none"


def _bps(bytes_s: Mapping[Figure, int]) -> Figure:
    """The sum of so many figures each, in bits."""
    return total(figure.times(8 * count) for figure, count in bytes_s.items())


def _pcie(view: View, graphs: Graphs, type_: str) -> Figure:
    part = view.parts[type_]
    gpu = gpu_of(view, part) if isinstance(part, DeviceType) else None
    return pcie_bytes_s(gpu, graphs.figures) if gpu else unknown(f"GPU of {type_}")


def bundles(view: View, graphs: Graphs) -> tuple[LinkGroup, ...]:
    """NVLink between trays, by rack; then cables between NVLink ports. Each names its ref once for each link."""
    found: list[LinkGroup] = []
    for backplane in graphs.backplanes:
        made_of = (backplane, graphs.figures, view.parts)
        found += graphs.memo.get(
            ("bundles", backplane.rack), made_of, partial(_bundles, view, graphs, backplane)
        )
    found += (_cable_group(view, graphs, name) for name in graphs.nvlink_cables())
    return tuple(found)


def _cable_group(view: View, graphs: Graphs, name: str) -> LinkGroup:
    cable = view.cables[name]
    link = Wiring(view, graphs.losses, graphs.figures).read(cable)[2]
    up, failed = ((name,), ()) if link.up else ((), (name,))
    return LinkGroup(cable.a.device, cable.b.device, "", "in-domain", up, link.rate_bps, failed)


def _bundles(view: View, graphs: Graphs, backplane: Backplane) -> tuple[LinkGroup, ...]:
    rates = {t: link_rate_bps(gpu_of(view, view.type_of(view.devices[t])), graphs) for t in backplane.trays}
    return tuple(
        LinkGroup(
            link.tray, link.switch, "", "in-domain", (link.ref,) * (link.links - link.lost), rates[link.tray],
            (link.ref,) * link.lost,
        )
        for link in backplane.links
    )  # fmt: skip
