"""A design as a document to read: counts, both interconnects, boundary, verdict, power, findings, what is open."""

from collections.abc import Callable, Iterator
from itertools import groupby

from rackbuilder.analysis.report import Report
from rackbuilder.analysis.results import BoundaryRow, RackPower
from rackbuilder.design.design import Design
from rackbuilder.errors import Problem
from rackbuilder.formats.glance import byte_rate, completeness, glance
from rackbuilder.formats.words import (
    NONE,
    UNKNOWN,
    assumptions_of,
    counted,
    figure_text,
    markdown_table,
    plain,
)
from rackbuilder.topology.graphs import Graphs
from rackbuilder.units import Figure, bytes_text, power_text, time_text

_BOUNDARY = {"nvlink": "NVLink", "pcie": "PCIe", "nic": "NIC", "leaf_uplink": "leaf uplink", "": UNKNOWN}


def report_text(design: Design, graphs: Graphs, report: Report) -> str:
    """The whole report as Markdown."""
    title = plain(design.about.title) or "Design"
    lines = [f"# {title}", ""]
    for heading, body in _sections(design, graphs, report):
        rows = list(body)
        if rows:
            lines += [f"## {heading}", "", *rows, ""]
    return "\n".join(lines).rstrip() + "\n"


def _sections(design: Design, graphs: Graphs, report: Report) -> Iterator[tuple[str, Iterator[str]]]:
    yield "Counts", _counts(report)
    yield "Both interconnects", _glance(design, graphs, report)
    yield "What is specified", _complete(design, graphs, report)
    yield "Node boundary", _boundary(design, report)
    yield "Workload", _workload(report)
    yield "Power, heat and weight", _power(design, report)
    yield "Findings", _findings(report)
    yield "Open points before ordering", _open_points(report)
    yield "Assumptions", _assumptions(report)


def _counts(report: Report) -> Iterator[str]:
    if report.compiled is None:
        return
    counts = report.compiled.counts
    domains = ", ".join(
        f"{count:,} of {counted(size, 'GPU')}" for size, count in counts.nvlink_domains.items()
    )
    rows = [
        ("Servers", f"{counts.servers:,}"),
        ("GPUs", f"{counts.gpus:,}"),
        ("Racks", f"{counts.racks:,}"),
        ("NVLink domains", domains or NONE),
        ("NVLink links between trays", f"{counts.nvlink_links:,}"),
    ]
    for name, fabric in sorted(counts.fabrics.items()):
        switches = ", ".join(f"{role} {count:,}" for role, count in fabric.switches.items() if count)
        cables = ", ".join(f"{kind} {count:,}" for kind, count in fabric.cables.items() if count)
        rows += [(f"Switches, {name}", switches or NONE), (f"Links, {name}", cables or NONE)]
    yield from markdown_table(("What", "How many"), rows)


def _glance(design: Design, graphs: Graphs, report: Report) -> Iterator[str]:
    if graphs.domains or graphs.compute:
        head = ("", "Scale-up, inside a domain", "Scale-out, between domains")
        rows = (tuple(map(plain, row)) for row in glance(design, graphs, report))
        yield from markdown_table(head, rows)


def _complete(design: Design, graphs: Graphs, report: Report) -> Iterator[str]:
    for item in completeness(design, graphs, report):
        box = " " if item.mark == "unknown" else "x"
        yield f"- [{box}] {item.label}: {plain(item.text)}"


def _boundary(design: Design, report: Report) -> Iterator[str]:
    rows = report.boundary.rows if report.boundary else ()
    if not rows:
        return
    yield "A GPU's share at the edge of its server, per direction."
    yield ""
    head = (
        "Server",
        "How many",
        "NVLink",
        "PCIe",
        "NIC",
        "Leaf uplink",
        "Smallest",
        "NVLink to NIC",
        "NICs a GPU",
    )
    yield from markdown_table(head, [_boundary_row(design, row) for row in rows])


def _boundary_row(design: Design, row: BoundaryRow) -> tuple[str, ...]:
    figures = (row.nvlink_bps, row.pcie_bps, row.nic_bps, row.leaf_uplink_bps)
    ratio = NONE if row.ratio is None else f"{row.ratio:.3g}:1"
    name = plain(design.parts[row.server_type].name)
    shares = (_figure(figure, byte_rate) for figure in figures)
    nics = UNKNOWN if row.nics_per_gpu is None else f"{row.nics_per_gpu:g}"
    return (name, f"{len(row.servers):,}", *shares, _BOUNDARY.get(row.smallest, row.smallest), ratio, nics)


def _workload(report: Report) -> Iterator[str]:
    if report.bottleneck is not None:
        yield plain(report.bottleneck.text)
    placement, step = report.placement, report.step
    if placement is None or step is None:
        return
    sizes = ", ".join(f"{name} {size}" for name, size in placement.sizes.items())
    where = f"{counted(placement.gpus_used, 'GPU')} ({sizes}); idle: {placement.gpus_idle:,}"
    yield ""
    yield f"{plain(placement.workload)} on {where}."
    moved = (
        ("in the servers", step.in_server_bytes),
        ("in the domains", step.in_domain_bytes),
        ("on the fabric", step.fabric_bytes),
    )
    rows = [(f"Bytes a step {where}", UNKNOWN if size is None else bytes_text(size)) for where, size in moved]
    rows += [
        (f"Ideal time at {name}", _figure(time, time_text))
        for name, time in sorted(step.boundary_time_s.items())
    ]
    rows.append(("Compute at peak", _figure(step.compute_s, time_text)))
    yield ""
    yield from markdown_table(("What", "A step"), rows)
    if step.missing:
        yield ""
        yield f"Missing: {plain(', '.join(step.missing))}."


def _power(design: Design, report: Report) -> Iterator[str]:
    power, cooling = report.power, report.cooling
    if power is None or not power.racks:
        return
    rows = [
        ("Power, maximum", _figure(power.max_w, power_text)),
        ("Power, typical", _figure(power.typical_w, power_text)),
        ("Optics and cable ends, maximum", _figure(power.optics_w, power_text)),
    ]
    if cooling is not None:
        rows += [
            ("Heat to air", _figure(cooling.air_w, power_text)),
            ("Heat to liquid", _figure(cooling.liquid_w, power_text)),
            ("Air", _figure(cooling.air_m3_s, lambda v: f"{v:,.3g} m³/s")),
            ("Coolant", _figure(cooling.liquid_l_min, lambda v: f"{v:,.4g} l/min")),
            ("Weight", _figure(cooling.weight_kg, _kg)),
        ]
    yield from markdown_table(("What", "Whole design"), rows)
    yield ""
    yield from markdown_table(
        ("Racks", "Maximum", "Typical", "Optics", "Limit", "Weight"), _racks(design, report)
    )


def _kg(value: float) -> str:
    return f"{value:,.0f} kg"


def _racks(design: Design, report: Report) -> Iterator[tuple[str, ...]]:
    """A row for each rack; neighbours with the same figures share one."""
    assert report.power is not None
    weights = {row.rack: row.weight_kg for row in report.cooling.racks} if report.cooling else {}
    rows = [(_rack(row, weights.get(row.rack, Figure(None))), row.rack) for row in report.power.racks]
    for texts, group in groupby(rows, key=lambda row: row[0]):
        names = [plain(design.racks[rack].label) if rack else "(no rack)" for _, rack in group]
        several = f"each of {len(names):,}, {names[0]} to {names[-1]}"
        yield (names[0] if len(names) == 1 else several, *texts)


def _rack(row: RackPower, weight: Figure) -> tuple[str, ...]:
    limit = NONE if row.limit_w is None else power_text(row.limit_w)
    power = (_figure(figure, power_text) for figure in (row.max_w, row.typical_w, row.optics_w))
    return (*power, limit, _figure(weight, _kg))


def _figure(figure: Figure, words: Callable[[float], str]) -> str:
    return plain(figure_text(figure, words))


def _findings(report: Report) -> Iterator[str]:
    if not report.problems:
        yield "None."
        return
    for place, problem in enumerate(report.problems):
        waived = report.waived.get(place)
        mark = f"waived ({plain(waived)})" if waived else problem.severity
        yield f"- {mark}: {_problem(problem)}"


def _problem(problem: Problem) -> str:
    where = f"{plain(problem.where)}: " if problem.where else ""
    fix = f" Fix: {plain(problem.fix)}" if problem.fix else ""
    return f"{where}{plain(problem.what)}.{fix}"


def _open_points(report: Report) -> Iterator[str]:
    for point in report.bom.open_points if report.bom else ():
        yield f"- {plain(point)}"


def _assumptions(report: Report) -> Iterator[str]:
    for note in assumptions_of(report):
        yield f"- {plain(note.text)}"
