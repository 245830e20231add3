"""What one training step moves: bytes by parallel dimension, before anything is said of where the GPUs stand.

All sizes are per rank and step. tau = micro-batch · sequence / cp tokens pass a rank at a time, in 16 bits.

- tensor: 4 all-reduces of 2·tau·h bytes a layer and micro-batch, two in each pass (Shoeybi et al., arXiv 1909.08053);
  2 in an expert layer whose experts are not themselves cut, as its FFN has none
- context: a ring of (C − 1) blocks of keys and values forward, twice that backward (Liu et al., arXiv 2310.01889)
- expert: dispatch and combine of tau·top_k·h elements, once in each pass (DeepSeek-V3, arXiv 2412.19437); the ranks
  of a tensor group share the tokens of one micro-batch (sequence parallel)
- pipeline: an activation of 2·tau·h bytes each way over each boundary of stages, a micro-batch and virtual stage, cut
  over the tensor group where its ranks pass on only their part (SC21, arXiv 2104.04473, section 4.1)
- data: gradients reduced and parameters gathered over D·C ranks as ZeRO does (Rajbhandari et al., arXiv 1910.02054)
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.loads import Flows, summed
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray
from rackbuilder.analysis.workload.jobs import stage_layers
from rackbuilder.analysis.workload.ranks import Ranks
from rackbuilder.catalog.workloads import Workload

ACTIVATION_BYTES = 2
PARAMETER_BYTES = 2
"""Weights and activations move in 16 bits, with FP8 matrices too."""


class Demand(NamedTuple):
    """Traffic of one kind of one dimension.

    ring    each group runs a ring `passes` times over a buffer of `size` bytes
    mesh    each rank of a group sends `size` bytes in all, an equal part to each rank of the group
    pairs   the given ranks send to each other
    """

    dimension: str
    pattern: Literal["ring", "mesh", "pairs"]
    groups: IntArray
    size: FloatArray
    passes: int = 1
    flows: Flows | None = None


@dataclass(frozen=True)
class Schedule:
    """How a batch runs: micro-batches of one replica, sequences in all, virtual stages."""

    micro_batches: int
    sequences: int
    virtual: int
    tau: float
    """Tokens that pass a rank at a time."""


def schedule(workload: Workload, ranks: Ranks) -> Schedule:
    """The batch rounded up to whole micro-batches; interleaving only where a rank has layers for it."""
    preset, sizes = workload.preset, ranks.sizes
    each = sizes["dp"] * preset.micro_batch
    micro_batches = -(-preset.global_batch // each)
    stages = sizes["pp"] * preset.virtual
    virtual = preset.virtual if sizes["pp"] > 1 and stages <= workload.model.layers else 1
    tau = preset.micro_batch * preset.sequence / sizes["cp"]
    return Schedule(micro_batches, micro_batches * each, virtual, tau)


def demands(workload: Workload, ranks: Ranks) -> list[Demand]:
    """The traffic of a step, in the order of the dimensions; those of size 1 have none."""
    plan = schedule(workload, ranks)
    makers = (_tensor, _context, _experts, _data, _pipeline)
    return [demand for make in makers for demand in make(workload, ranks, plan)]


def _by_stage(ranks: Ranks, values: list[float]) -> FloatArray:
    return np.array(values, dtype=np.float64)[ranks.stage]


def _layers(workload: Workload, ranks: Ranks) -> list[tuple[int, int]]:
    return stage_layers(workload.model, ranks.sizes["pp"])


def _tensor(workload: Workload, ranks: Ranks, plan: Schedule) -> Iterator[Demand]:
    if ranks.sizes["tp"] < 2:
        return
    buffer = ACTIVATION_BYTES * plan.tau * workload.model.hidden
    in_expert_layer = 2 if ranks.sizes["ep"] > 1 else 4
    counts = [4 * dense + in_expert_layer * moe for dense, moe in _layers(workload, ranks)]
    size = _by_stage(ranks, [plan.micro_batches * count * buffer for count in counts])
    yield Demand("tp", "ring", ranks.groups("tp"), size, passes=2)


def _context(workload: Workload, ranks: Ranks, plan: Schedule) -> Iterator[Demand]:
    cp, model = ranks.sizes["cp"], workload.model
    if cp < 2:
        return
    latent = model.latent
    # Latent attention passes on what it caches: the compressed keys and values, which no rank of a tensor group cuts.
    width = (
        latent.kv_rank + latent.rope_dim
        if latent
        else 2 * model.kv_heads * model.head_dim / ranks.sizes["tp"]
    )
    block = ACTIVATION_BYTES * plan.tau * width
    layers = [dense + moe for dense, moe in _layers(workload, ranks)]
    size = _by_stage(ranks, [3 * plan.micro_batches * count * (cp - 1) * block for count in layers])
    groups = ranks.groups("cp")
    flows = Flows(groups.ravel(), np.roll(groups, -1, axis=1).ravel(), size[groups.ravel()])
    yield Demand("cp", "pairs", groups, size, flows=flows)


def _experts(workload: Workload, ranks: Ranks, plan: Schedule) -> Iterator[Demand]:
    moe, preset = workload.model.moe, workload.preset
    if moe is None or ranks.sizes["ep"] < 2:
        return
    tokens = plan.tau / ranks.sizes["tp"] * moe.top_k
    both_passes = 2 * (preset.dispatch_bytes + preset.combine_bytes)
    one = tokens * workload.model.hidden * both_passes
    size = _by_stage(ranks, [plan.micro_batches * count * one for _, count in _layers(workload, ranks)])
    yield Demand("ep", "mesh", ranks.expert_groups(), size)


def _data(workload: Workload, ranks: Ranks, plan: Schedule) -> Iterator[Demand]:
    dense, experts = held_parameters(workload, ranks)
    per_parameter = _data_bytes(workload, plan)
    groups = ranks.groups("cp", "dp")
    if groups.shape[1] > 1:
        yield Demand("dp", "ring", groups, _by_stage(ranks, [x * per_parameter for x in dense]))
    if any(experts) and (copies := ranks.expert_copies()).shape[1] > 1:
        yield Demand("dp", "ring", copies, _by_stage(ranks, [x * per_parameter for x in experts]))


def _data_bytes(workload: Workload, plan: Schedule) -> float:
    """Bytes a parameter in single passes of a ring: a reduce-scatter, and all-gathers."""
    zero, gradient = workload.preset.zero, workload.preset.gradient_bytes
    if zero == 0:
        return 2 * gradient
    if zero < 3:
        return gradient + PARAMETER_BYTES
    # Parameters are gathered in both passes of every micro-batch, and its gradients scattered at once.
    return plan.micro_batches * (gradient + 2 * PARAMETER_BYTES)


def held_parameters(workload: Workload, ranks: Ranks) -> tuple[list[float], list[float]]:
    """By stage, on one rank: parameters that all data ranks hold, and those of its own experts.

    The embedding is on the first stage, the last norm and the head on the last. Without expert groups each tensor rank
    holds a part of every expert, and experts are reduced like all else.
    """
    model, sizes = workload.model, ranks.sizes
    dense, experts = [], []
    for stage, (plain, moe) in enumerate(_layers(workload, ranks)):
        first, last = stage == 0, stage == sizes["pp"] - 1
        own = plain * model.shared_layer_parameters(False) + moe * model.shared_layer_parameters(True)
        own += model.embedding_parameters() if first else 0
        own += model.norm_parameters() // 2 if last else 0
        own += model.head_parameters() if last and not (first and model.tied) else 0
        routed = moe * model.moe.experts * model.expert_parameters() if model.moe else 0
        apart = sizes["ep"] > 1
        dense.append((own if apart else own + routed) / sizes["tp"])
        experts.append(routed / sizes["ep"] if apart else 0.0)
    return dense, experts


def _pipeline(workload: Workload, ranks: Ranks, plan: Schedule) -> Iterator[Demand]:
    pp = ranks.sizes["pp"]
    if pp < 2:
        return
    groups = ranks.groups("pp")
    parts = ranks.sizes["tp"] if workload.preset.scatter else 1
    buffer = plan.micro_batches * ACTIVATION_BYTES * plan.tau * workload.model.hidden / parts
    hops = [(groups[:, :-1].ravel(), groups[:, 1:].ravel(), plan.virtual)]
    if plan.virtual > 1:
        hops.append((groups[:, -1], groups[:, 0], plan.virtual - 1))
    src = np.concatenate([x for a, b, _ in hops for x in (a, b)])
    dst = np.concatenate([x for a, b, _ in hops for x in (b, a)])
    size = np.concatenate([np.full(2 * len(a), count * buffer) for a, _, count in hops])
    sent = summed(src, size, ranks.count)
    yield Demand("pp", "pairs", groups, sent, flows=Flows(src, dst, size))
