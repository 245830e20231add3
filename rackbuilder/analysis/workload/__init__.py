"""A job on the drawn network: where its ranks stand, what each link carries, which boundary binds."""

from rackbuilder.analysis.inputs import Analysis, Inputs, analysis
from rackbuilder.analysis.results import Bottleneck, Loads, Placement, Step
from rackbuilder.analysis.workload.bottleneck import judged
from rackbuilder.analysis.workload.jobs import active_job
from rackbuilder.analysis.workload.placement import Ground, place
from rackbuilder.analysis.workload.step import loaded, stepped
from rackbuilder.catalog.workloads import Workloads

READS = "parts devices racks cables fabrics groups jobs overrides faults"


def workload_analyses(workloads: Workloads) -> tuple[Analysis, ...]:
    """Placement, loads, step and bottleneck of the active job, each after the ones it needs.

    Analyses open no files, so the shapes are handed in. They come after COMPILED and CAPACITY.
    """

    def ground(inputs: Inputs) -> Ground:
        return Ground(inputs, inputs.graphs, inputs.result("compiled"), workloads)

    def placement(inputs: Inputs) -> Placement | None:
        job = active_job(inputs.jobs)
        return None if job is None else place(ground(inputs), job)

    def loads(inputs: Inputs) -> Loads:
        return loaded(ground(inputs), active_job(inputs.jobs), inputs.result("placement"))

    def step(inputs: Inputs) -> Step | None:
        job, placed = active_job(inputs.jobs), inputs.result("placement")
        if job is None or placed is None:
            return None
        return stepped(ground(inputs), job, placed, inputs.result("loads"))

    def bottleneck(inputs: Inputs) -> Bottleneck:
        results = (inputs.result(name) for name in ("placement", "loads", "step", "capacity"))
        return judged(ground(inputs), active_job(inputs.jobs), *results)

    return (
        analysis("placement", READS, "compiled", placement),
        analysis("loads", READS, "compiled placement", loads),
        analysis("step", READS, "compiled placement loads", step),
        analysis("bottleneck", READS, "compiled capacity placement loads step", bottleneck),
    )
