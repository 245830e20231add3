"""The live panel's words and bars from a Report: plain data for the widgets, one function a section."""

from collections.abc import Callable, Sequence

from rackbuilder.analysis import results as r
from rackbuilder.analysis.report import Report
from rackbuilder.design.design import Design
from rackbuilder.ui import numbers
from rackbuilder.ui.widgets import HeadFigure, RackBar, Row, Run, Segment
from rackbuilder.units import Figure

SCOPES: tuple[tuple[str, str], ...] = (
    ("in-server", "in server"),
    ("in-domain", "in domain"),
    ("server-leaf", "server–leaf"),
    ("leaf-spine", "leaf–spine"),
    ("spine-core", "spine–core"),
)
BOUNDARIES: tuple[tuple[str, str, str], ...] = (
    ("nvlink", "NVLink", "in-server"),
    ("nic", "node boundary", "server-leaf"),
    ("leaf_up", "leaf uplinks", "leaf-spine"),
)
MOST_RACKS = 40


def header(report: Report) -> list[HeadFigure]:
    """GPUs per NVLink domain, switch hops, step time: both scopes in sight (S1-23)."""
    counts, capacity, step = report.compiled.counts if report.compiled else None, report.capacity, report.step
    return [_domains(counts), _hops(capacity), _step(report, step)]


def _domains(counts: r.Counts | None) -> HeadFigure:
    sizes = sorted((counts.nvlink_domains if counts else {}).items())
    if not sizes:
        return HeadFigure("–", "GPUs", "per NVLink domain")
    if len(sizes) == 1:
        return HeadFigure(str(sizes[0][0]), "GPUs", "per NVLink domain", "NVLink domain")
    if len(sizes) > 2:
        return HeadFigure(f"{sizes[0][0]}–{sizes[-1][0]}", "GPUs", "per NVLink domain")
    (small, few), (large, many) = sizes
    more = ((str(large), f"× {many:,}"),)
    return HeadFigure(str(small), f"× {few:,} and", "GPUs per NVLink domain", more=more)


def _hops(capacity: r.Capacity | None) -> HeadFigure:
    if capacity is None or capacity.hops_median is None:
        return HeadFigure("–", "", "median switch hops", "median hops")
    return HeadFigure(
        str(capacity.hops_median), f"max {capacity.hops_max}", "median switch hops", "median hops"
    )


def _step(report: Report, step: r.Step | None) -> HeadFigure:
    """Seconds of a step; while they are not known, the longest of what is known to be needed: a lower bound."""
    if step is None or not step.workload:
        return HeadFigure("–", "", "step")
    if step.time_s.value is not None:
        return HeadFigure(numbers.time(step.time_s.value), "", "step")
    least = max((f.value or 0.0 for f in (step.compute_s, *step.boundary_time_s.values())), default=0.0)
    if not least or step.missing:
        return HeadFigure(None, "", "step")
    return HeadFigure(f"≥ {numbers.time(least)}", "", "step, at its ideal", "ideal step")


def sentence(verdict: r.Bottleneck) -> list[Run]:
    """The verdict with its linked nouns; a link carries its refs separated by blanks."""
    return [Run(run.text, " ".join(run.refs) or None) for run in verdict.sentence]


def traffic(step: r.Step) -> tuple[list[Segment], str]:
    """One bar of bytes by scope, and their total."""
    sums = dict.fromkeys((scope for scope, _ in SCOPES), 0.0)
    for part in step.traffic:
        sums[part.scope] = sums.get(part.scope, 0.0) + part.size_bytes
    total = sum(sums.values())
    shares = [(scope, name, sums[scope] / total if total else 0.0) for scope, name in SCOPES]
    shown = [s for s in shares if s[2] > 0 or s[0] != "spine-core"]
    segments = [
        Segment(name, share, scope, numbers.percent(share), f"{name} {numbers.percent(share)}")
        for scope, name, share in shown
    ]
    return segments, numbers.size(total)


def boundaries(step: r.Step) -> list[Row]:
    """Ideal time a step needs at each boundary, and compute at its peak: what can be said before the full engine."""
    rows = [("compute at peak", step.compute_s, "compute")]
    rows += [(name, step.boundary_time_s.get(key, Figure(None)), colour) for key, name, colour in BOUNDARIES]
    longest = max((figure.value or 0.0 for _, figure, _ in rows), default=0.0)
    return [
        Row(
            name,
            None if figure.value is None else figure.value / longest if longest else 0.0,
            numbers.time(figure.value),
            colour,
        )
        for name, figure, colour in rows
    ]


def hops(capacity: r.Capacity) -> list[Row]:
    """Share of GPU pairs by switches between them, over all compute fabrics."""
    found, lost = capacity.hops, capacity.unreachable
    total = sum(found.values()) + lost
    if not total:
        return []
    rows = [
        Row(_hop_name(n), pairs / total, numbers.percent(pairs / total), _HOP_COLOUR.get(n, "spine-core"))
        for n, pairs in sorted(found.items())
    ]
    if lost:
        rows.append(Row("unreachable", lost / total, numbers.percent(lost / total), "error", error=True))
    return rows


_HOP_COLOUR = {0: "in-server", 1: "server-leaf", 3: "leaf-spine", 5: "spine-core"}


def _hop_name(count: int) -> str:
    return "NVLink" if count == 0 else f"{count} switch{'' if count == 1 else 'es'}"


def busiest(loads: r.Loads, design: Design, most: int = 5) -> tuple[list[Row], str]:
    """The most loaded bundles, and how many more are above half."""
    rows = []
    for link in loads.links[:most]:
        a, b = (design.devices[d].label if d in design.devices else d for d in (link.a, link.b))
        share = link.utilisation
        rows.append(Row(f"{a} → {b}", share, numbers.percent(share), None, f"{link.a}~{link.b}"))
    more = sum((link.utilisation or 0) > 0.5 for link in loads.links[most:])
    return rows, f"{more:,} more above 50 %" if more else ""


def racks(power: r.Power, design: Design) -> tuple[list[RackBar], str, list[Run], str]:
    """Bars, the name of the limit, the foot about the highest rack, and the total."""
    found = [row for row in power.racks if row.rack in design.racks]
    limits = sorted({row.limit_w for row in found if row.limit_w is not None})
    known = [row.max_w.value for row in found if row.max_w.value is not None]
    # Racks without a limit are drawn against the highest of all, in grey, and have no percent: of what?
    scale = max((*known, *limits), default=0.0)
    bars = [_bar(row, design, scale) for row in found]
    bars.sort(key=lambda bar: (not bar.limited, -(bar.share or 0.0)))
    limit = f"limit {numbers.power(limits[0])}" if len(limits) == 1 else ""
    return bars[:MOST_RACKS], limit, _highest(found, design), shown(power.max_w, numbers.power)


def _bar(row: r.RackPower, design: Design, scale: float) -> RackBar:
    against = row.limit_w or scale
    share = row.max_w.value / against if row.max_w.value is not None and against else None
    text = numbers.power_of(row.max_w.value, row.limit_w)
    limited = row.limit_w is not None
    return RackBar(design.racks[row.rack].label, share, text, row.rack, row.max_w.at_least, limited)


def _highest(found: Sequence[r.RackPower], design: Design) -> list[Run]:
    unknown = sum(row.max_w.value is None or row.max_w.at_least for row in found)
    known = [row for row in found if row.max_w.value is not None]
    runs = []
    if unknown:
        runs.append(Run(f"{unknown:,} rack{'' if unknown == 1 else 's'} not known in full · "))
    if known:
        top = max(known, key=lambda row: row.max_w.value or 0.0)
        share = (
            f" ({numbers.percent(top.max_w.value / top.limit_w, 0)})"
            if top.limit_w and top.max_w.value
            else ""
        )
        runs += [Run("Highest "), Run(design.racks[top.rack].label, top.rack)]
        limit = "" if top.limit_w else ", no limit set"
        runs.append(Run(f" {numbers.power_of(top.max_w.value, top.limit_w)}{share}{limit}"))
    return runs


def cooling(result: r.Cooling) -> tuple[list[Segment], str] | None:
    """Liquid against air; None when all heat goes to air."""
    if result.liquid_w.value == 0 and result.liquid_w.exact:
        return None
    segments = [
        Segment("liquid", result.liquid_w.value, "liquid", shown(result.liquid_w, numbers.power)),
        Segment("air", result.air_w.value, "compute", shown(result.air_w, numbers.power)),
    ]
    if result.liquid_l_min.value is None:
        return segments, "flow unknown"
    return segments, shown(result.liquid_l_min, lambda v: numbers.quantity(v, "L/min"))


def shown(figure: Figure, words: Callable[[float], str]) -> str:
    """A figure as text: unknown stays a word, a lower bound says so."""
    if figure.value is None:
        return numbers.UNKNOWN
    return f"at least {words(figure.value)}" if figure.at_least else words(figure.value)
