"""Which job counts, what it runs, and the default mapping of a preset."""

from collections.abc import Mapping
from dataclasses import replace

from pydantic import ValidationError

from rackbuilder.analysis.workload.ranks import experts_of_data
from rackbuilder.catalog.workloads import ModelShape, Preset, Workload, Workloads
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Job
from rackbuilder.errors import Problem, ProblemError, unknown_name
from rackbuilder.topology.natural import natural_key

OPTIONS = (
    "global_batch",
    "micro_batch",
    "sequence",
    "precision",
    "virtual",
    "scatter",
    "zero",
    "gradient_bytes",
    "dispatch_bytes",
    "combine_bytes",
)
"""Fields of a preset that a job may set otherwise, in its `options`."""


DEFAULT_ORDER = ("tp", "cp", "ep", "pp", "dp")
"""Of a job that the tool places: what talks most sits closest, so the pipeline fills a domain before data does."""


def active_job(jobs: Mapping[str, Job]) -> Job | None:
    """The job that results are about: of those switched on, the first by name order of the ids."""
    found = sorted((job.id for job in jobs.values() if job.active), key=natural_key)
    return jobs[found[0]] if found else None


def workload_of(job: Job, workloads: Workloads) -> Workload:
    """The preset a job names, with the job's own options. Raises ProblemError: none of that name, or a wrong option."""
    found = workloads.need(job.workload)
    own = {key: job.options[key] for key in OPTIONS if key in job.options}
    if not own:
        return found
    try:
        preset = Preset.model_validate({**found.preset.model_dump(), **own})
    except ValidationError as error:
        rows = (".".join(str(x) for x in row["loc"]) + f": {row['msg']}" for row in error.errors())
        raise ProblemError(
            *(Problem(text, f"job {job.label}", "Change the option.") for text in rows)
        ) from None
    return Workload(preset, found.model)


def sizes_of(job: Job, preset: Preset) -> dict[str, int]:
    """The sizes a job asks for: its own, else the preset's where it gives none at all; dp 0: what the GPUs allow."""
    if job.sizes:
        sizes = {name: max(1, job.sizes.get(name, 1)) for name in ("tp", "cp", "ep", "pp")}
    else:
        sizes = {"tp": preset.tp, "cp": preset.cp, "ep": preset.ep, "pp": preset.pp}
    return {**sizes, "dp": max(0, job.sizes.get("dp", 0))}


def divisor_up_to(number: int, limit: int) -> int:
    """The largest divisor of a number that is not above a limit; 1 at least."""
    return max((n for n in range(1, min(number, max(limit, 1)) + 1) if number % n == 0), default=1)


def default_sizes(workload: Workload, gpus: int, domain: int) -> dict[str, int]:
    """Tensor and expert first inside a domain, then pipeline, then data over what is left.

    The preset's sizes are the wish. A tensor group larger than a domain is cut to what a domain holds, and the rest
    goes to the pipeline; the pipeline is cut to what the GPUs allow. Experts that find no room in a stage are cut to a
    domain.
    """
    preset, model = workload.preset, workload.model
    tp = divisor_up_to(preset.tp, domain)
    room = max(1, gpus // (tp * preset.cp))
    pp = max(1, min(preset.pp * (preset.tp // tp), room, model.layers))
    block = max(1, gpus // pp)
    ep = preset.ep if preset.ep <= block else divisor_up_to(preset.ep, min(block, domain))
    return {"tp": tp, "cp": preset.cp, "ep": ep, "pp": pp, "dp": 0}


def default_job(workload: Workload, gpus: int, domain: int, identity: str = "job-01") -> Job:
    """A preset on so many GPUs in NVLink domains of a size, in the default order."""
    sizes = default_sizes(workload, gpus, domain)
    return Job(id=identity, workload=workload.id, sizes=sizes, order=DEFAULT_ORDER)


def with_job(design: Design, workloads: Workloads, name: str, gpus: int, domain: int) -> Design:
    """The design with one job active: the one of that id or name, else a new one of that preset on all its GPUs.

    Raises InputError when nothing is called so.
    """
    draft = Draft(design)
    chosen = next((job for job in design.jobs.values() if name in (job.id, job.name)), None)
    if chosen is None:
        workload = workloads.get(name)
        if workload is None:
            named = (job.name for job in design.jobs.values() if job.name)
            raise unknown_name("job or workload", name, [*design.jobs, *named, *workloads.presets])
        chosen = default_job(workload, gpus, domain, draft.new_id("job"))
    for job in design.jobs.values():
        if job.active and job.id != chosen.id:
            draft.put("jobs", replace(job, active=False))
    draft.put("jobs", replace(chosen, active=True))
    return design.apply(draft.patch(f"Run {name}"))


def replicas(sizes: Mapping[str, int], gpus: int) -> int:
    """How many data-parallel replicas some GPUs hold, such that the experts of a stage divide its ranks."""
    fitting = gpus // (sizes["tp"] * sizes["cp"] * sizes["pp"])
    step = experts_of_data(sizes)
    return fitting // step * step


def stage_layers(model: ModelShape, stages: int) -> list[tuple[int, int]]:
    """(dense, expert) layers of each pipeline stage: as even as can be, the first stages taking what is over."""
    each, over = divmod(model.layers, stages)
    found, first = [], 0
    for stage in range(stages):
        last = first + each + (stage < over)
        dense = max(0, min(last, model.dense_layers) - first)
        found.append((dense, last - first - dense))
        first = last
    return found
