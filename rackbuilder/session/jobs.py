"""A job from a shipped preset: the default mapping on the GPUs that are drawn."""

from rackbuilder.analysis.workload.jobs import default_job, with_job
from rackbuilder.catalog.workloads import Workloads
from rackbuilder.design.design import Design
from rackbuilder.design.records import Job
from rackbuilder.errors import InputError, ProblemError
from rackbuilder.topology.graphs import Graphs

SUGGESTED = "llama-3.1-405b"


def gpus_of(graphs: Graphs) -> tuple[int, int]:
    """How many GPUs are drawn, and the size of the smallest NVLink domain among them."""
    sizes = [domain.size for domain in graphs.domains]
    return sum(sizes), min(sizes, default=1)


def suggested_job(graphs: Graphs, workloads: Workloads, preset: str) -> Job | None:
    """A preset mapped by default: tensor and expert inside a domain, then pipeline, then data."""
    workload = workloads.get(preset)
    return default_job(workload, *gpus_of(graphs)) if workload else None


def with_workload(design: Design, graphs: Graphs, workloads: Workloads, name: str) -> Design:
    """The design with one job active: the one of that id or name, else a new one of that preset.

    Raises InputError with a suggestion when nothing is called so.
    """
    try:
        return with_job(design, workloads, name, *gpus_of(graphs))
    except ProblemError as error:
        raise InputError(*error.problems) from None
