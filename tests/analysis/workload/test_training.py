"""Bytes of one step before anything is placed, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from rackbuilder.analysis.workload.compute import matrix_parameters, step_flops
from rackbuilder.analysis.workload.jobs import stage_layers
from rackbuilder.analysis.workload.ranks import Ranks
from rackbuilder.analysis.workload.training import Demand, demands, held_parameters, schedule
from rackbuilder.catalog.workloads import Workload, shipped_workloads
from tests.analysis.workload.samples import EXPERTS, TINY, WORKLOADS

SHIPPED = shipped_workloads()


def tiny(**options: object) -> Workload:
    found = WORKLOADS.need("tiny")
    return Workload(found.preset.model_copy(update=options), found.model)


def sizes(**given: int) -> dict[str, int]:
    return {"tp": 1, "cp": 1, "ep": 1, "dp": 1, "pp": 1, **given}


def of(workload: Workload, **given: int) -> dict[str, list[Demand]]:
    found: dict[str, list[Demand]] = {}
    for demand in demands(workload, Ranks(sizes(**given))):
        found.setdefault(demand.dimension, []).append(demand)
    return found


def test_tensor_traffic_of_the_trillion_parameter_model() -> None:
    # X15: two all-reduces forward of 2·2048·25600 = 104,857,600 bytes a layer; 367,001,600 bytes sent by a ring of 8.
    workload = SHIPPED.need("gpt-1t")
    tensor = of(workload, tp=8, pp=64)["tp"][0]
    layers, micro_batches, passes = 2, 3072, 2
    one_forward = tensor.size[0] / (layers * micro_batches * passes)
    assert one_forward == 2 * 104_857_600
    assert one_forward * tensor.passes * 7 / 8 == 367_001_600


def test_tensor_traffic_counts_layers_and_micro_batches() -> None:
    # 4 all-reduces · 4 layers · 8 micro-batches of 2·512·1024 bytes.
    assert of(tiny(), tp=8, dp=2)["tp"][0].size.tolist() == [128 * 1_048_576] * 16
    # Two stages halve the layers of a rank; sixteen micro-batches on one replica.
    assert of(tiny(), tp=8, pp=2)["tp"][0].size.tolist() == [128 * 1_048_576] * 16


def test_uneven_stages() -> None:
    # Six layers of tensor traffic do not divide by four: the first two stages have one more.
    assert stage_layers(TINY.model_copy(update={"layers": 6}), 4) == [(2, 0), (2, 0), (1, 0), (1, 0)]
    assert stage_layers(SHIPPED.models["deepseek-v3"], 2) == [(3, 28), (0, 30)]


def test_pipeline_sends_both_ways() -> None:
    # 16 micro-batches of 2·512·1024 bytes over one boundary, each way; a tensor rank passes on an eighth.
    whole = 16 * 1_048_576
    plain = of(tiny(scatter=False), tp=8, pp=2)["pp"][0]
    assert plain.size.tolist() == [whole] * 16
    assert of(tiny(), tp=8, pp=2)["pp"][0].size.tolist() == [whole / 8] * 16
    inner = of(tiny(), pp=4)["pp"][0]
    assert inner.size.tolist() == [whole, 2 * whole, 2 * whole, whole]


def test_virtual_stages_multiply_sends() -> None:
    # Two virtual stages on two ranks: boundaries 0-1, 1-0, 0-1, each way: three sends a micro-batch from either rank.
    twice = of(tiny(virtual=2), pp=2)["pp"][0]
    assert twice.size.tolist() == [3 * 16 * 1_048_576] * 2
    assert schedule(tiny(virtual=4), Ranks(sizes(pp=2))).virtual == 1  # eight stages, four layers


@pytest.mark.parametrize(
    ("zero", "bytes_each"),
    [(0, 8), (1, 6), (2, 6), (3, 8 * (4 + 4))],
    ids=["all-reduce of gradients", "scatter and gather", "as one", "both passes of each micro-batch"],
)
def test_data_traffic(zero: int, bytes_each: int) -> None:
    # 52,388,864 parameters over eight tensor ranks; eight micro-batches on each of two replicas.
    data = of(tiny(zero=zero), tp=8, dp=2)["dp"][0]
    assert data.size.tolist() == [52_388_864 / 8 * bytes_each] * 16
    assert data.passes == 1


def test_context_parallel_ring() -> None:
    # Keys and values of 256 tokens: 2·2·256·1024 bytes; one block forward and two backward, 4 layers, 16 micro-batches.
    context = of(tiny(), cp=2)["cp"][0]
    assert context.size.tolist() == [3 * 4 * 16 * 1_048_576] * 2
    # Gradients are reduced over context ranks too.
    assert of(tiny(), cp=2)["dp"][0].groups.tolist() == [[0, 1]]


def test_expert_traffic() -> None:
    # 512 tokens · 2 experts · 1024 elements · 2 bytes, there and back, in both passes, in two layers.
    workload = WORKLOADS.need("experts")
    mesh = of(workload, ep=16, dp=16)["ep"][0]
    assert mesh.size.tolist() == [512 * 2 * 1024 * 2 * 4 * 2] * 16
    # FP8 to the experts: three bytes an element in place of four.
    lean = Workload(workload.preset.model_copy(update={"dispatch_bytes": 1}), workload.model)
    assert of(lean, ep=16, dp=16)["ep"][0].size[0] == mesh.size[0] * 3 / 4


def test_expert_gradients_are_reduced_over_copies() -> None:
    # Sixteen experts of 2·1024·512 in two layers; over groups of eight, two of them on a rank, with two copies.
    data = of(WORKLOADS.need("experts"), ep=8, dp=16)["dp"]
    assert [demand.groups.shape for demand in data] == [(1, 16), (8, 2)]
    assert data[1].size[0] == 2 * 2 * (2 * 1024 * 512) * 6


@pytest.mark.parametrize("pp", [1, 2, 4])
@pytest.mark.parametrize("name", ["llama-3-70b", "deepseek-v3", "mixtral-8x7b"])
def test_held_parameters_sum_to_the_model(name: str, pp: int) -> None:
    workload = SHIPPED.need(name)
    ep = 8 if workload.model.moe else 1
    dense, experts = held_parameters(workload, Ranks(sizes(tp=2, ep=ep, dp=8, pp=pp)))
    assert sum(dense) * 2 + sum(experts) * ep == workload.model.parameters()


def test_without_expert_groups_a_tensor_rank_holds_a_part_of_every_expert() -> None:
    dense, experts = held_parameters(WORKLOADS.need("experts"), Ranks(sizes(tp=4)))
    assert sum(experts) == 0
    assert sum(dense) * 4 == EXPERTS.parameters()


def test_the_batch_is_rounded_up() -> None:
    # 256 sequences over 31 replicas: nine each, 279 in all.
    plan = schedule(SHIPPED.need("llama-3-70b"), Ranks(sizes(tp=4, pp=8, dp=31)))
    assert (plan.micro_batches, plan.sequences, plan.virtual) == (9, 279, 5)


def test_gradient_traffic_does_not_follow_micro_batches() -> None:
    few, many = (of(tiny(micro_batch=b), tp=8, dp=2)["dp"][0].size[0] for b in (8, 1))
    assert few == many


def test_flops_are_the_published_formula() -> None:
    # SC21 (arXiv 2104.04473): 96·B·s·L·h²·(1 + s/(6h) + V/(16·L·h)) with full recomputation, a fourth pass of three.
    # The head counts three passes there too; attention in full, ours half of it.
    workload = SHIPPED.need("gpt-3-175b")
    b, s, layers, h, v = 1536, 2048, 96, 12288, 51200
    paper = 96 * b * s * layers * h**2 * (1 + s / (6 * h) + v / (16 * layers * h))
    head, recompute = 6 * b * s * h * v, 3 / 4
    half_attention = b * s * 6 * layers * s * h
    expected = (paper - head) * recompute + head - half_attention
    assert step_flops(workload, b) == pytest.approx(expected, rel=2e-4)  # biases and norms


def test_looked_up_parameters_do_no_arithmetic() -> None:
    model = SHIPPED.models["llama-3-8b"]
    assert matrix_parameters(model) == model.parameters() - 128_256 * 4096
    assert matrix_parameters(SHIPPED.models["gpt-3-175b"]) == 174_615_846_912 - 2048 * 12288


def test_every_rank_is_in_one_group_of_each_demand() -> None:
    for name in SHIPPED.presets:
        workload = SHIPPED.need(name)
        ranks = Ranks(sizes(tp=2, ep=4 if workload.model.moe else 1, dp=8, pp=2))
        for demand in demands(workload, ranks):
            assert np.array_equal(np.sort(demand.groups.ravel()), np.arange(ranks.count))
