"""The other mapping of a job: the right one for a wrong one, and a wrong one to show what it costs."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from rackbuilder.analysis.results import Loads, Placement, Remap, Step
from rackbuilder.analysis.workload.jobs import divisor_up_to
from rackbuilder.analysis.workload.placement import Ground, place
from rackbuilder.analysis.workload.ranks import WORDS
from rackbuilder.analysis.workload.step import binding, loaded, stepped
from rackbuilder.catalog.workloads import ModelShape
from rackbuilder.design.records import Job


class Outcome(NamedTuple):
    """A job worked out in full, but for single links."""

    placement: Placement
    loads: Loads
    step: Step


def work_out(ground: Ground, job: Job) -> Outcome:
    placement = place(ground, job)
    loads = loaded(ground, job, placement, each_link=False)
    return Outcome(placement, loads, stepped(ground, job, placement, loads))


def straddles(placement: Placement) -> tuple[str, ...]:
    """The servers whose tensor groups leave their NVLink domain: a wrong mapping has some."""
    return next((row.straddling for row in placement.groups if row.dimension == "tp"), ())


def usual_domain(ground: Ground, placement: Placement) -> int:
    """GPUs of the NVLink domain that most GPUs of a job are in; of two as common, the larger."""
    by_gpu = ground.graphs.domain_by_gpu
    sizes = Counter(by_gpu[ref].size for ref in placement.gpus)
    return max(sizes, key=lambda size: (sizes[size], size), default=0)


def right_sizes(sizes: Mapping[str, int], domain: int, layers: int) -> dict[str, int]:
    """The tensor group cut to what a domain holds, the rest given to the pipeline, as far as there are layers."""
    tp = divisor_up_to(sizes["tp"], domain)
    deep = sizes["pp"] * (sizes["tp"] // tp)
    return {**sizes, "tp": tp, "pp": divisor_up_to(deep, layers), "dp": 0}


def wrong_sizes(sizes: Mapping[str, int], domain: int, model: ModelShape) -> dict[str, int] | None:
    """The tensor group doubled until it leaves a domain, at the cost of the pipeline; None when heads forbid it."""
    tp = sizes["tp"]
    while tp <= domain:
        tp *= 2
    if model.heads % tp:
        return None
    whole = sizes["pp"] * sizes["tp"]
    return {**sizes, "tp": tp, "pp": whole // tp if whole % tp == 0 else 1, "dp": 0}


def tried(ground: Ground, job: Job, sizes: Mapping[str, int]) -> Remap | None:
    """A job with other sizes; None when it cannot be placed or its times are unknown."""
    outcome = work_out(ground, replace(job, sizes=dict(sizes)))
    boundary, time_s = binding(outcome.step.boundary_time_s)
    if outcome.step.missing or time_s.value is None:
        return None
    return Remap(dict(sizes), sizes_text(sizes), time_s, boundary, outcome.step)


def sizes_text(sizes: Mapping[str, int]) -> str:
    """“Tensor 8 × pipeline 4”: the sizes above one; data is what the GPUs allow."""
    parts = [f"{WORDS[name]} {sizes[name]}" for name in ("tp", "cp", "ep", "pp") if sizes.get(name, 1) > 1]
    text = " × ".join(parts) or "data only"
    return text[0].upper() + text[1:]
