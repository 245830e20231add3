"""A job against the drawn domains: groups that leave them, GPUs left idle, values that are missing."""

from collections.abc import Iterator

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.analysis.results import Bottleneck, GroupPlacement, Placement, Step
from rackbuilder.commands.jobs import SwapMapping
from rackbuilder.rules.finding import Finding, finding, topic

_WORDS = {"tp": "tensor", "ep": "expert", "cp": "context"}


def straddling(inputs: Inputs) -> Iterator[Finding]:
    """Tensor groups must stay inside one NVLink domain: they talk on every layer. Experts only should."""
    placement: Placement | None = inputs.result("placement")
    verdict: Bottleneck | None = inputs.result("bottleneck")
    for group in placement.groups if placement else ():
        if placement is not None and group.straddling and group.dimension in _WORDS:
            yield _straddle(placement, group, verdict)


def _straddle(placement: Placement, group: GroupPlacement, verdict: Bottleneck | None) -> Finding:
    word = _WORDS[group.dimension]
    servers = group.straddling
    what = f"{word.capitalize()} groups of {group.size} span more than one NVLink domain"
    where = f"{servers[0]} … {servers[-1]}" if len(servers) > 1 else servers[0]
    if group.dimension != "tp":
        fix = "Their exchange crosses the node boundary; keep it inside a domain where the sizes allow."
        return finding("note", f"workload.{group.dimension}-domain", what, where, fix, servers[:50])
    remap = verdict.remap if verdict else None
    command = SwapMapping(job=placement.job, sizes=remap.sizes) if remap else None
    fix = f"Use {remap.text}." if remap else "Make the tensor size fit the domain."
    return finding("error", "workload.tp-domain", what, where, fix, servers[:50], command)


def idle(inputs: Inputs) -> Iterator[Finding]:
    """GPUs that the job leaves out: sizes multiply to less than what is drawn."""
    placement: Placement | None = inputs.result("placement")
    if placement is None or not placement.gpus_idle or not placement.gpus_used:
        return
    count, all_gpus = placement.gpus_idle, placement.gpus_idle + placement.gpus_used
    what = f"{count:,} GPUs idle: the job uses {placement.gpus_used:,} of {all_gpus:,}"
    fix = "Choose sizes whose product is closer to the GPUs drawn."
    yield finding("note", "workload.idle", what, f"job {placement.workload}", fix, (placement.job,))


def missing(inputs: Inputs) -> Iterator[Finding]:
    """What must be given before anything can be said of the job: never a number in its place."""
    step: Step | None = inputs.result("step")
    if step is None:
        return
    fix = "Give the value, choose parts whose figures are published, or change the job."
    for name in step.missing[:20]:
        what = f"Nothing can be predicted of the job: {name}"
        yield finding("warning", "workload.missing", what, f"job {step.workload}", fix)


WORKLOAD = topic("workload", "jobs", "placement step bottleneck", straddling, idle, missing)
