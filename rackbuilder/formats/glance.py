"""Both interconnects of a design side by side, and what of them is specified: from the model, nothing fixed."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple

from rackbuilder.analysis.report import Report
from rackbuilder.analysis.results import BoundaryRow
from rackbuilder.catalog.parts import DeviceType, LinkTechnology
from rackbuilder.design.design import Design
from rackbuilder.formats.words import NONE, UNKNOWN, counted, few, figure_text, ratio_text
from rackbuilder.topology.domains import NvlinkDomain
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.roles import LEVELS, roles_of
from rackbuilder.units import Figure, Mark, rate_text, time_text

_SCALE_UP = {
    "nvlink": "NVLink",
    "infinity-fabric": "Infinity Fabric",
    "ethernet": "Ethernet between accelerators",
    "none": "none: PCIe only",
    "unknown": UNKNOWN,
}
_MANY = {"leaf": "leaves", "spine": "spines", "core": "cores"}
Words = Callable[[float], str]


class GlanceRow(NamedTuple):
    label: str
    scale_up: str
    scale_out: str


class Item(NamedTuple):
    """One thing that must be specified before the two interconnects can be judged."""

    label: str
    mark: Mark
    text: str


def glance(design: Design, graphs: Graphs, report: Report) -> list[GlanceRow]:
    """The table of both interconnects. Scale-out is what joins GPUs between domains: the compute fabrics."""
    rows = report.boundary.rows if report.boundary else ()
    fabrics = [graph for graph in graphs.compute if graph.nodes]
    hops = report.capacity.hops if report.capacity else {}
    return [
        GlanceRow(
            "Technology",
            _distinct(_SCALE_UP[d.scale_up] for d in graphs.domains),
            _technologies(design, fabrics),
        ),
        GlanceRow("Reach", _reach(graphs.domains), _servers(fabrics)),
        GlanceRow(
            "A GPU, per direction",
            _each(rows, lambda row: row.nvlink_bps, byte_rate),
            _each(rows, lambda row: row.nic_bps, lambda bps: f"{rate_text(bps)} ({byte_rate(bps)})"),
        ),
        GlanceRow("Topology", _inner_topology(design, graphs), _distinct(map(tiers, fabrics))),
        GlanceRow("Oversubscription at the leaves", NONE, _ratios(report, fabrics)),
        GlanceRow("Bisection, per direction", NONE, _bisections(report, fabrics)),
        GlanceRow("Fabric switches on a path", "0", _hops(hops)),
        GlanceRow("Latency of a hop", UNKNOWN, figure_text(hop_latency(design, fabrics), time_text)),
        GlanceRow("Links", _inner_links(report), _links(fabrics)),
    ]


def completeness(design: Design, graphs: Graphs, report: Report) -> list[Item]:
    """What of both interconnects is specified, and what is missing."""
    rows = report.boundary.rows if report.boundary else ()
    fabrics = [graph for graph in graphs.compute if graph.nodes]
    return [
        _domain_item(graphs.domains),
        _least(
            "Scale-up rate of a GPU, per direction",
            [r.nvlink_bps for r in rows if not r.pcie_fallback],
            byte_rate,
        ),
        _least("Fabric rate of a GPU, per direction", [r.nic_bps for r in rows], rate_text),
        _of("Fabric latency of a hop", hop_latency(design, fabrics), time_text),
        _topology_item(report, fabrics),
    ]


def byte_rate(rate_bps: float) -> str:
    """“450 GB/s”, as scale-up rates are given."""
    return f"{rate_bps / 8e9:,.4g} GB/s"


# ---- scale-up


def _reach(domains: Iterable[NvlinkDomain]) -> str:
    sizes = Counter((domain.size, domain.kind) for domain in domains)
    where = {"in-server": "in a server", "in-rack": "in a rack"}
    texts = [
        f"{counted(count, 'domain')} of {counted(size, 'GPU')} {where[kind]}"
        for (size, kind), count in sorted(sizes.items())
    ]
    return "; ".join(texts) or NONE


def _inner_topology(design: Design, graphs: Graphs) -> str:
    found: dict[str, None] = {}
    for domain in graphs.domains:
        part = design.type_of(design.devices[domain.devices[0]])
        found[_joined_by(domain, part)] = None
    return "; ".join(sorted(found)) or NONE


def _joined_by(domain: NvlinkDomain, part: DeviceType) -> str:
    if domain.kind == "in-rack":
        return "through the NVLink switch trays of the rack"
    if domain.scale_up == "nvlink":
        return (
            "bridges between cards"
            if part.nvswitch_chips == 0
            else "through NVSwitch, every GPU to every other"
        )
    return {"infinity-fabric": "mesh", "ethernet": "mesh", "none": NONE}.get(domain.scale_up, UNKNOWN)


def _inner_links(report: Report) -> str:
    links = report.compiled.counts.nvlink_links if report.compiled else 0
    return f"{links:,} between trays" if links else "inside the servers"


def _domain_item(domains: tuple[NvlinkDomain, ...]) -> Item:
    label = "GPUs that share one scale-up domain"
    if not domains:
        return Item(label, "unknown", "no GPU is drawn")
    unsure = sorted({name for d in domains if d.scale_up == "unknown" for name in d.devices}, key=natural_key)
    if unsure:
        return Item(label, "unknown", f"{UNKNOWN} for {few(unsure)}")
    return Item(label, "known", ", ".join(f"{size}" for size in sorted({d.size for d in domains})))


# ---- scale-out


def _technologies(design: Design, fabrics: Iterable[FabricGraph]) -> str:
    texts = []
    for graph in fabrics:
        part = design.parts[graph.record.technology]
        assert isinstance(part, LinkTechnology)
        lossless = part.lossless if graph.record.lossless is None else graph.record.lossless
        texts.append(
            f"{part.name}, {'lossless' if lossless else 'lossy'}, {'RDMA' if graph.record.rdma else 'no RDMA'}"
        )
    return _distinct(texts)


def _servers(fabrics: Iterable[FabricGraph]) -> str:
    names = {name for graph in fabrics for name in graph.of_kind("server")}
    return f"{counted(len(names), 'server')} joined" if names else NONE


def tiers(fabric: FabricGraph) -> str:
    """“32 leaves, 16 spines”."""
    roles = Counter(roles_of(fabric).values())
    return ", ".join(counted(roles[role], role, _MANY[role]) for role in LEVELS if roles[role]) or NONE


def _ratios(report: Report, fabrics: Iterable[FabricGraph]) -> str:
    found = report.capacity.fabrics if report.capacity else {}
    return _distinct(ratio_text(found[graph.id].leaf_ratio) for graph in fabrics if graph.id in found)


def _bisections(report: Report, fabrics: Iterable[FabricGraph]) -> str:
    found = report.capacity.fabrics if report.capacity else {}
    return _distinct(figure_text(found[g.id].bisection_bps, rate_text) for g in fabrics if g.id in found)


def _hops(hops: dict[int, int]) -> str:
    """Between GPUs of different domains."""
    found = sorted(number for number in hops if number)
    return " or ".join(str(number) for number in found) or NONE


def _links(fabrics: Iterable[FabricGraph]) -> str:
    count = sum(len(data["cables"]) for graph in fabrics for _, _, data in graph.edges())
    return f"{count:,}" if count else NONE


def hop_latency(design: Design, fabrics: Iterable[FabricGraph]) -> Figure:
    """The longest hop of the compute fabrics, s: as set for a fabric, else of its switches, else of its technology."""
    found: list[Figure] = []
    for graph in fabrics:
        if graph.record.hop_latency_s is not None:
            found.append(Figure(graph.record.hop_latency_s, grade="user"))
            continue
        technology = design.parts[graph.record.technology]
        assert isinstance(technology, LinkTechnology)
        for name in sorted({graph.nodes[switch]["type"] for switch in graph.of_kind("switch")}):
            part = design.parts[name]
            own = part.figure("hop_latency_s")
            found.append(
                own
                if own.value is not None or technology.hop_latency_s is None
                else technology.figure("hop_latency_s")
            )
    gaps = tuple(name for figure in found for name in figure.missing)
    if gaps or not found:
        return Figure(None, missing=tuple(dict.fromkeys(gaps)))
    return max(found, key=lambda figure: figure.value or 0.0)


def _topology_item(report: Report, fabrics: list[FabricGraph]) -> Item:
    label = "Fabric topology"
    switches = [graph for graph in fabrics if graph.of_kind("switch")]
    if not switches or report.capacity is None:
        return Item(label, "unknown", "no compute fabric is drawn")
    if report.capacity.unattached:
        return Item(label, "unknown", f"no link joins {few(report.capacity.unattached)} to it")
    if report.capacity.unreachable:
        return Item(
            label,
            "unknown",
            f"{counted(report.capacity.unreachable, 'pair')} of GPUs cannot reach each other",
        )
    return Item(label, "known", _distinct(map(tiers, switches)))


# ---- words


def _distinct(texts: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(texts)) or NONE


def _each(rows: Iterable[BoundaryRow], figure: Callable[[BoundaryRow], Figure], words: Words) -> str:
    """The figure of each server type, once where all are the same."""
    texts = [(row.server_type, figure_text(figure(row), words)) for row in rows]
    if len({text for _, text in texts}) <= 1:
        return texts[0][1] if texts else NONE
    return "; ".join(dict.fromkeys(f"{type_}: {text}" for type_, text in texts))


def _of(label: str, figure: Figure, words: Words) -> Item:
    nothing = figure.value is None and not figure.missing
    return Item(label, figure.mark, "nothing is drawn" if nothing else figure_text(figure, words))


def _least(label: str, figures: list[Figure], words: Words) -> Item:
    """The least of several figures; unknown when one is."""
    gaps = [figure for figure in figures if not figure.exact]
    return _of(
        label, gaps[0] if gaps else min(figures, key=lambda f: f.value or 0.0, default=Figure(None)), words
    )
