"""Both interconnects of a design side by side, and what of them is specified: from the model, nothing fixed."""

from collections.abc import Iterator
from typing import NamedTuple

from rackbuilder.analysis.report import Report
from rackbuilder.analysis.results import BoundaryRow, FabricCapacity
from rackbuilder.catalog.parts import LinkTechnology
from rackbuilder.design.design import Design
from rackbuilder.formats.words import NONE, UNKNOWN, counted, few, figure_text, ratio_text
from rackbuilder.topology.domains import NvlinkDomain
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.roles import LEVELS, roles_of
from rackbuilder.units import Figure, Mark, rate_text, time_text, unknown

_SCALE_UP = {
    "nvlink": "NVLink",
    "infinity-fabric": "Infinity Fabric",
    "ethernet": "Ethernet between accelerators",
    "none": "none: PCIe only",
    "unknown": UNKNOWN,
}
_MANY = {"leaf": "leaves", "spine": "spines", "core": "cores"}


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
    """The table of both interconnects."""
    rows = report.boundary.rows if report.boundary else ()
    up = _ScaleUp(graphs, report)
    out = _ScaleOut(design, graphs, report)
    return [
        GlanceRow("Technology", up.technology(), out.technology()),
        GlanceRow("Reach", up.reach(), out.reach()),
        GlanceRow(
            "A GPU, per direction",
            _each(rows, "nvlink_bps", lambda bps: f"{bps / 8e9:,.4g} GB/s"),
            _each(rows, "nic_bps", lambda bps: f"{rate_text(bps)} ({bps / 8e9:,.4g} GB/s)"),
        ),
        GlanceRow("Topology", up.topology(design), out.topology()),
        GlanceRow("Oversubscription, leaf", NONE, out.oversubscription()),
        GlanceRow("Bisection, per direction", NONE, out.bisection()),
        GlanceRow("Switches on a path", "0: no fabric switch", out.hops()),
        GlanceRow("Latency of a hop", UNKNOWN, out.latency_text()),
        GlanceRow("Links", up.links(), out.links()),
    ]


def completeness(design: Design, graphs: Graphs, report: Report) -> list[Item]:
    """What of both interconnects is specified, and what is missing."""
    rows = report.boundary.rows if report.boundary else ()
    out = _ScaleOut(design, graphs, report)
    unknown_domains = [d for d in graphs.domains if d.scale_up == "unknown"]
    return [
        _item("GPUs in each NVLink domain", _domain_sizes(graphs, unknown_domains)),
        _worst("NVLink rate of a GPU", [r.nvlink_bps for r in rows if not r.pcie_fallback], "GPUs with NVLink"),
        _worst("Fabric rate of a GPU", [r.nic_bps for r in rows], "servers with GPUs"),
        _item("Fabric latency of a hop", out.latency()),
        out.topology_item(),
    ]


def _item(label: str, figure: Figure, text: str = "") -> Item:
    said = figure_text(figure, time_text) if not text else text
    return Item(label, figure.mark, said if figure.missing or figure.value is not None else "nothing drawn")


def _worst(label: str, figures: list[Figure], nothing: str) -> Item:
    if not figures:
        return Item(label, "unknown", f"no {nothing} drawn")
    gaps = [figure for figure in figures if not figure.exact]
    if gaps:
        return Item(label, "unknown", figure_text(gaps[0], rate_text))
    least = min(figures, key=lambda figure: figure.value or 0.0)
    assumed = any(figure.mark == "assumed" for figure in figures)
    text = f"{rate_text(least.value or 0.0)} per direction" + (" at least one assumed" if assumed else "")
    return Item(label, "assumed" if assumed else "known", text)


def _domain_sizes(graphs: Graphs, unsure: list[NvlinkDomain]) -> Figure:
    if not graphs.domains:
        return Figure(None)
    if unsure:
        return unknown(f"scale-up of the GPUs in {few(sorted({d for x in unsure for d in x.devices}, key=natural_key))}")
    return Figure(float(max(domain.size for domain in graphs.domains)))


def _each(rows: tuple[BoundaryRow, ...], field: str, words: "Words") -> str:
    """The figure of each server type, in one cell."""
    texts = {row.server_type: figure_text(getattr(row, field), words) for row in rows}
    if not texts:
        return NONE
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return "; ".join(f"{type_}: {text}" for type_, text in texts.items())
