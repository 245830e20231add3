"""A small model worked by hand, and the whole wave of analyses on a drawn design."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from rackbuilder.analysis import ANALYSES
from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.fabric.compiled import COMPILED
from rackbuilder.analysis.results import Bottleneck, Compiled, Loads, Placement, Step
from rackbuilder.analysis.workload import workload_analyses
from rackbuilder.analysis.workload.placement import Ground
from rackbuilder.catalog.workloads import Experts, ModelShape, Preset, Workloads
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Job
from rackbuilder.topology.graphs import Graphs, build_graphs
from tests.topology.samples import Site, nvl72, twin

# A layer: attention 4·1024² = 4,194,304; FFN 2·1024·4096 = 8,388,608; norms 2,048: 12,584,960. Four of them, embedding
# and head 1,024,000 each, last norm 1,024: 52,388,864.
TINY = ModelShape(
    id="tiny", name="Tiny", source="by hand", layers=4, hidden=1024, heads=16, kv_heads=16, head_dim=64, ffn=4096,
    vocab=1000, n_ff=2, published=52_388_864,
)  # fmt: skip
# Router 16·1024, experts 16·2·1024·512 in each of two layers.
EXPERTS = ModelShape(
    id="experts", name="Sixteen experts", source="by hand", layers=2, hidden=1024, heads=16, kv_heads=16, head_dim=64,
    ffn=0, vocab=1000, n_ff=2, moe=Experts(experts=16, top_k=2, expert_ffn=512), published=44_028_928,
)  # fmt: skip
WORKLOADS = Workloads(
    {"tiny": TINY, "experts": EXPERTS},
    {
        "tiny": Preset(
            id="tiny", name="Tiny", source="by hand", model="tiny", global_batch=16, sequence=512, tp=8, pp=2
        ),
        "experts": Preset(
            id="experts", name="Experts", source="by hand", model="experts", global_batch=16, sequence=512, ep=16
        ),
    },
)  # fmt: skip


class Answer(NamedTuple):
    placement: Placement
    loads: Loads
    step: Step
    bottleneck: Bottleneck


def with_records(design: Design, **tables: Any) -> Design:
    """A design with more records: jobs=[…], faults=[…], groups=[…]."""
    draft = Draft(design)
    for table, records in tables.items():
        for record in records:
            draft.put(table, record)
    return design.apply(draft.patch("more"))


def with_figures(design: Design, part: str, **figures: float | None) -> Design:
    """A design whose copy of a part has other figures."""
    draft = Draft(design)
    draft.put("parts", design.parts[part].model_copy(update=figures))
    return design.apply(draft.patch("figures"))


def job(workload: str = "tiny", **fields: Any) -> Job:
    return Job(id=fields.pop("id", "job-01"), workload=workload, **fields)


def results(design: Design, workloads: Workloads = WORKLOADS) -> dict[str, Any]:
    return Engine((*ANALYSES, *workload_analyses(workloads))).run(design, build_graphs(design))


def answer(design: Design, *jobs: Job, workloads: Workloads = WORKLOADS) -> Answer:
    found = results(with_records(design, jobs=jobs), workloads)
    return Answer(found["placement"], found["loads"], found["step"], found["bottleneck"])


def ground(design: Design, workloads: Workloads = WORKLOADS) -> Ground:
    graphs: Graphs = build_graphs(design)
    compiled: Compiled = Engine((COMPILED,)).run(design, graphs)["compiled"]
    return Ground(design, graphs, compiled, workloads)


def rails(servers: int, kind: str = "dgx-h100", uplinks: int = 0) -> Design:
    """Servers of eight GPUs on eight leaves, one a rail; with uplinks, each leaf has as many to one spine."""
    site = Site()
    leaves = [site.switch(f"leaf-{r + 1}") for r in range(8)]
    for n in range(servers):
        name = site.device(f"srv-{n + 1}", kind)
        for rail in range(8):
            site.rail(name, rail, leaves[rail], n)
    if uplinks:
        spine = site.switch("spine-1")
        for r, leaf in enumerate(leaves):
            for k in range(uplinks):
                site.cable(leaf, twin(32 + k), spine, twin(r * uplinks + k))
    return site.done()


def nvl72_racks(count: int) -> Design:
    """Full NVL72 racks, the four NICs of each tray on four leaves, one a rail."""
    site = Site()
    leaves = [site.switch(f"leaf-{r + 1}") for r in range(4)]
    for rack in range(count):
        for n, tray in enumerate(nvl72(site, f"rack-{rack + 1}")):
            for rail, leaf in enumerate(leaves):
                site.cable(tray, f"osfp{rail + 1}/1", leaf, twin(18 * rack + n))
    return site.done()


def by_scope(step: Step) -> Mapping[str, float]:
    found: dict[str, float] = {}
    for part in step.traffic:
        found[part.scope] = found.get(part.scope, 0.0) + part.size_bytes
    return found
