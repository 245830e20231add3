"""Arithmetic of a training step at the dense peak of the GPUs: a lower bound, with nothing lost to anything."""

from collections import Counter

import numpy as np

from rackbuilder.analysis.workload.placement import Ground, Mapped
from rackbuilder.analysis.workload.training import schedule
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.catalog.workloads import ModelShape, Workload
from rackbuilder.topology.domains import gpu_of
from rackbuilder.units import Figure, total, unknown

CAUSAL = 0.5
"""A causal kernel computes half of the attention matrix."""
PEAK_FIELD = {"fp16": "bf16_flops", "bf16": "bf16_flops", "fp8": "fp8_flops", "fp4": "fp4_flops"}


def matrix_parameters(model: ModelShape) -> int:
    """Parameters that a token is multiplied with: without the look-up of its embedding and position."""
    looked_up = 0 if model.tied else model.vocab * model.hidden
    return model.active_parameters() - looked_up - model.positions * model.hidden


def step_flops(workload: Workload, sequences: int) -> float:
    """Floating-point operations of a step: 6 a parameter and token, and attention, without recomputation.

    Forward 2 a parameter and token and 2·s·a·(d_qk + d_v)·kappa for attention, backward twice that (Narayanan et al.,
    SC21, arXiv 2104.04473, appendix; kappa halves attention as the kernels are causal).
    """
    model, sequence = workload.model, workload.preset.sequence
    low = model.latent
    heads = low.nope_dim + low.rope_dim + low.value_dim if low else 2 * model.head_dim
    attention = 6 * model.layers * sequence * model.heads * heads * CAUSAL
    return sequences * sequence * (6 * matrix_parameters(model) + attention)


def compute_s(ground: Ground, what: Mapped) -> Figure:
    """At least this long: all arithmetic over the peak of all GPUs of the job."""
    view, field = ground.view, PEAK_FIELD[what.workload.preset.precision]
    counts: Counter[str] = Counter()
    for server, gpus in enumerate(np.bincount(what.seats.server).tolist()):
        counts[view.devices[what.seats.servers[server]].type] += gpus
    counts = +counts
    peaks = []
    for name in sorted(counts):
        part = view.parts[name]
        gpu = gpu_of(view, part) if isinstance(part, DeviceType) else None
        figure = unknown(f"GPU of {name}") if gpu is None else ground.graphs.figures.part(gpu, field)
        peaks.append(figure.times(counts[name]))
    peak = total(peaks)
    if peak.value is None or peak.at_least:
        return Figure(None, missing=peak.missing)
    flops = step_flops(what.workload, schedule(what.workload, what.ranks).sequences)
    return Figure(flops / peak.value, at_least=True, grade=peak.grade)
