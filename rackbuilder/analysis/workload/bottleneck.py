"""The verdict: the boundary at which the communication of a step takes longest, in a sentence, with the culprits.

The boundary is told from ideal times. Compute at peak is set beside it, so that nobody takes a boundary for the limit
of a job that computes for longer.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.results import (
    Bottleneck,
    Capacity,
    GroupPlacement,
    LinkLoad,
    Loads,
    Placement,
    Remap,
    Run,
    Step,
    TrafficPart,
)
from rackbuilder.analysis.workload.jobs import workload_of
from rackbuilder.analysis.workload.placement import Ground, mapped
from rackbuilder.analysis.workload.ranks import WORDS
from rackbuilder.analysis.workload.remap import right_sizes, straddles, tried, usual_domain, wrong_sizes
from rackbuilder.analysis.workload.step import binding
from rackbuilder.design.records import Job
from rackbuilder.units import time_text

MOST = 50
"""Ids a verdict names at most."""
NAMES = {
    "nvlink": "NVLink",
    "pcie": "PCIe",
    "nic": "node boundary",
    "leaf_up": "leaf uplinks",
    "spine_up": "spine uplinks",
}
_CARRIES = {"nic": "server-leaf", "leaf_up": "leaf-spine", "spine_up": "spine-core"}
_SCALE_UP = {"nvlink": "NVLink", "infinity-fabric": "Infinity Fabric", "ethernet": "scale-up Ethernet"}
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


class Case(NamedTuple):
    """A job worked out, and the boundary that binds it."""

    ground: Ground
    job: Job
    placement: Placement
    loads: Loads
    step: Step
    boundary: str


def judged(
    ground: Ground,
    job: Job | None,
    placement: Placement | None,
    loads: Loads,
    step: Step | None,
    capacity: Capacity | None = None,
) -> Bottleneck:
    """The verdict on a job; without one, or while something is missing, a sentence that says so."""
    if job is None or placement is None or step is None:
        return Bottleneck("", tuple(_no_job(ground, capacity)), (), None, None, (), "")
    if step.missing:
        return _unknown(placement, step)
    boundary, time = binding(step.boundary_time_s)
    case = Case(ground, job, placement, loads, step, boundary)
    if not time.value:
        return Bottleneck(
            "compute", tuple(_alone(case)), placement.servers[:MOST], None, None, (), "uncalibrated"
        )
    ids = culprits(case)
    remap, swap = _others(case)
    return Bottleneck(boundary, _sentence(case, ids, remap), ids, remap, swap, (), "uncalibrated")


# ---- nothing to judge


def _no_job(ground: Ground, capacity: Capacity | None) -> Iterator[Run]:
    yield Run("No workload chosen. ")
    worst = _worst_leaf(ground, capacity)
    if worst is None:
        yield Run("What this cluster does for a job needs a job.")
        return
    leaf, ratio = worst
    yield Run("The fabric is ")
    yield Run(f"{ratio:.3g}:1 at the leaves", (leaf,))
    yield Run("; what it does for a job needs a job.")


def _worst_leaf(ground: Ground, capacity: Capacity | None) -> tuple[str, float] | None:
    """The leaf of a compute fabric with the worst oversubscription, down over up."""
    if capacity is None:
        return None
    rows = (
        capacity.fabrics[graph.id].leaves for graph in ground.graphs.compute if graph.id in capacity.fabrics
    )
    ratios = [(leaf.ratio, leaf.leaf) for leaves in rows for leaf in leaves if leaf.ratio is not None]
    worst = max(ratios, key=lambda row: row[0], default=None)
    return None if worst is None else (worst[1], worst[0])


def _unknown(placement: Placement, step: Step) -> Bottleneck:
    ids = placement.servers[:MOST]
    if not placement.gpus:
        runs = (Run("This job cannot be placed: "), Run("; ".join(step.missing)), Run("."))
        return Bottleneck("", runs, (), None, None, step.missing, "")
    count = len(step.missing)
    what = "1 value is missing" if count == 1 else f"{count} values are missing"
    sentence = (Run("The step time is unknown: "), Run(what, ids), Run("."))
    return Bottleneck("", sentence, ids, None, None, step.missing, "")


def _alone(case: Case) -> Iterator[Run]:
    least = case.step.compute_s.value
    tail = "." if least is None else f", at least {time_text(least)} a step."
    yield Run("This job sends nothing between GPUs: compute alone limits it", case.placement.servers[:MOST])
    yield Run(tail)


# ---- who is to blame


def culprits(case: Case) -> tuple[str, ...]:
    """At most 50 ids: servers whose groups straddle, else the ends of the busiest links of the boundary that binds."""
    servers = case.placement.servers
    if case.boundary == "nvlink":
        return servers[:MOST]
    if case.boundary in ("nic", "pcie") and (outside := straddles(case.placement)):
        return outside[:MOST]
    if case.boundary == "pcie":
        return servers[:MOST]
    ends = (end for link in _busiest(case) for end in (link.a, link.b))
    return tuple(dict.fromkeys(ends))[:MOST]


def _busiest(case: Case) -> list[LinkLoad]:
    """The links of the boundary that are as busy as its busiest one."""
    scope = _CARRIES[case.boundary]
    links = [link for link in case.loads.links if link.scope == scope and link.utilisation]
    most = max((link.utilisation or 0.0 for link in links), default=0.0)
    return [link for link in links if (link.utilisation or 0.0) > most * (1 - 1e-9)]


# ---- the sentence


def _sentence(case: Case, ids: tuple[str, ...], remap: Remap | None) -> tuple[Run, ...]:
    least = case.step.compute_s.value
    longest = case.step.boundary_time_s[case.boundary].value or 0.0
    if least is not None and least >= longest:
        return (*_compute_first(case, ids, least, longest), *_offer(case, remap))
    return (*_boundary_first(case, ids), *_offer(case, remap))


def _boundary_first(case: Case, ids: tuple[str, ...]) -> Iterator[Run]:
    """“The node boundary limits this job. Each tensor group of 16 spans two servers: 14 % of …”"""
    article, name = _name(case)
    if article:
        yield Run(article.capitalize())
    yield Run(name, ids)
    job = "this job" if case.step.compute_s.value is not None else "this job's communication"
    yield Run(f" {'limit' if name.endswith('s') else 'limits'} {job}. ")
    yield from _culprit_group(case, "send the most there")
    times = case.step.boundary_time_s
    busy = (times[case.boundary].value or 0.0) / sum(figure.value or 0.0 for figure in times.values())
    yield Run(f": {_bytes_there(case)} and take {percent(busy)} of the step's communication.")


def _compute_first(case: Case, ids: tuple[str, ...], least: float, longest: float) -> Iterator[Run]:
    """“Compute comes first, at least 523 ms a step. Of the communication, NVLink takes the most, 376 ms: …”"""
    article, name = _name(case)
    yield Run(f"Compute comes first, at least {time_text(least)} a step. Of the communication, {article}")
    yield Run(name, ids)
    yield Run(f" {'take' if name.endswith('s') else 'takes'} the most, {time_text(longest)}: ")
    first, *rest = _culprit_group(case, "send most of it")
    yield Run(first.text[0].lower() + first.text[1:], first.refs)
    yield from rest
    yield Run(f", and {_bytes_there(case)}.")


def _name(case: Case) -> tuple[str, str]:
    """The boundary with its article."""
    if case.boundary == "nvlink":
        return "", scale_up_name(case)
    return "" if case.boundary == "pcie" else "the ", NAMES[case.boundary]


def scale_up_name(case: Case) -> str:
    """What joins the GPUs of a domain here, in the maker's word."""
    kinds = mapped(case.ground, case.job, case.placement).seats.scale_up
    return _SCALE_UP.get(kinds[0], NAMES["nvlink"]) if len(kinds) == 1 else NAMES["nvlink"]


def _culprit_group(case: Case, does: str) -> Iterator[Run]:
    """Which groups it is: those that straddle, else those of the dimension that needs the boundary longest."""
    dimension = _heaviest(case)
    row = next(row for row in case.placement.groups if row.dimension == dimension)
    if dimension == "tp" and row.straddling and case.boundary in ("nic", "pcie"):
        yield from _straddling(case, row)
    else:
        yield Run(f"{WORDS[dimension].capitalize()} groups of {row.size:,}", case.placement.servers[:MOST])
        yield Run(f" {does}")


def _straddling(case: Case, row: GroupPlacement) -> Iterator[Run]:
    what = mapped(case.ground, case.job, case.placement)
    groups = next(demand.groups for demand in what.demands if demand.dimension == "tp")
    outside = np.flatnonzero((what.seats.domain[groups] != what.seats.domain[groups[:, :1]]).any(axis=1))
    every = len(outside) == len(groups)
    yield Run("Each " if every else f"{len(outside):,} of {len(groups):,} ")
    yield Run(f"tensor group{'' if every else 's'} of {row.size}", row.straddling[:MOST])
    if case.boundary == "pcie":
        yield Run(" has no NVLink between its GPUs" if every else " have no NVLink between their GPUs")
        return
    group = groups[outside[0]]
    servers, domains = (len(np.unique(at[group])) for at in (what.seats.server, what.seats.domain))
    count, unit = (servers, "servers") if servers == domains else (domains, "NVLink domains")
    yield Run(f" {'spans' if every else 'span'} {_COUNTS[count] if count < len(_COUNTS) else count} {unit}")


def _heaviest(case: Case) -> str:
    """The dimension that needs the boundary longest."""
    times: dict[str, float] = {}
    for part in _there(case):
        times[part.dimension] = times.get(part.dimension, 0.0) + (part.time_s.value or 0.0)
    return max(times, key=lambda name: times[name])


def _there(case: Case) -> list[TrafficPart]:
    """The traffic that passes the boundary."""
    fabric = ("server-leaf", "leaf-spine", "spine-core")
    passes = {"nic": fabric, "leaf_up": fabric[1:], "spine_up": fabric[2:]}
    scopes = passes.get(case.boundary, ("in-server", "in-domain"))
    crosses = case.boundary != "nvlink"
    return [part for part in case.step.traffic if part.scope in scopes and part.crosses == crosses]


def _bytes_there(case: Case) -> str:
    """“14 % of the bytes leave NVLink”."""
    whole = sum(part.size_bytes for part in case.step.traffic)
    share = sum(part.size_bytes for part in _there(case)) / whole
    verb = {
        "nvlink": f"stay on {scale_up_name(case)}",
        "pcie": "go over PCIe",
        "nic": f"leave {scale_up_name(case)}",
        "leaf_up": "leave their leaf",
        "spine_up": "pass a core",
    }[case.boundary]
    return f"{percent(share)} of the bytes {verb}"


def percent(share: float) -> str:
    """Two digits, as a sentence needs them; one decimal below ten."""
    return f"{100 * share:.0f} %" if share >= 0.095 else f"{100 * share:.1f} %"


def _offer(case: Case, remap: Remap | None) -> Iterator[Run]:
    now = case.step.boundary_time_s[case.boundary].value
    if remap is None or remap.time_s.value is None or now is None:
        return
    yield Run(" ")
    yield Run(remap.text, straddles(case.placement)[:MOST])
    verb = "cut" if remap.time_s.value < now else "change"
    yield Run(f" would {verb} the longest boundary from {time_text(now)} to {time_text(remap.time_s.value)}.")


# ---- other mappings


def _others(case: Case) -> tuple[Remap | None, Remap | None]:
    """(the right mapping for a wrong one, the opposite mapping)."""
    model = workload_of(case.job, case.ground.workloads).model
    domain = usual_domain(case.ground, case.placement)
    sizes = case.placement.sizes
    if straddles(case.placement):
        right = right_sizes(sizes, domain, model.layers)
        remap = tried(case.ground, case.job, right) if right["tp"] != sizes["tp"] else None
        return remap, remap
    wrong = wrong_sizes(sizes, domain, model)
    return None, tried(case.ground, case.job, wrong) if wrong else None
