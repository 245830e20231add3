"""Where ranks go: order, whole groups, what straddles, what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rackbuilder.analysis.workload.jobs import (
    active_job,
    default_job,
    default_sizes,
    divisor_up_to,
    with_job,
    workload_of,
)
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.design.records import Fault, Group
from rackbuilder.errors import ProblemError
from tests.analysis.workload.samples import (
    WORKLOADS,
    answer,
    job,
    nvl72_racks,
    rails,
    results,
    with_figures,
    with_records,
)
from tests.topology.samples import Site, superpod

SHIPPED = shipped_workloads()


def test_ranks_follow_servers_in_natural_order() -> None:
    placement = answer(rails(12), job(sizes={"tp": 8})).placement
    assert placement.gpus[:9] == (*(f"srv-1.gpu{n}" for n in range(8)), "srv-2.gpu0")
    assert placement.gpus[72] == "srv-10.gpu0"
    assert placement.servers[1] == "srv-2"


def test_sizes_are_filled_and_what_is_left_is_idle() -> None:
    # 1,016 GPUs in replicas of 32: 31, and 24 GPUs idle: the last three servers.
    placement = answer(superpod(4, servers=127), job(sizes={"tp": 16, "pp": 2})).placement
    assert placement.sizes["dp"] == 31
    assert (placement.gpus_used, placement.gpus_idle) == (992, 24)
    idle = next(row for row in placement.assumptions if row.name == "job.idle")
    assert idle.refs == ("srv-0125", "srv-0126", "srv-0127")


def test_straddling_groups_are_named_by_servers() -> None:
    groups = {row.dimension: row for row in answer(rails(4), job(sizes={"tp": 16})).placement.groups}
    assert groups["tp"].straddling == ("srv-1", "srv-2", "srv-3", "srv-4")
    assert (groups["tp"].size, groups["tp"].groups) == (16, 2)
    # Gradients cross by nature: only tensor and expert groups are named.
    assert groups["dp"].straddling == ()


def test_each_dimension_has_its_widest_scope() -> None:
    # Two units of eight rail leaves: data crosses the spines, the pipeline of neighbours stays on its leaves.
    placement = answer(
        superpod(2, servers=64), job(sizes={"tp": 8, "pp": 2}, order=("tp", "cp", "ep", "pp", "dp"))
    ).placement
    assert {row.dimension: row.scope for row in placement.groups} == {
        "tp": "in-server",
        "pp": "server-leaf",
        "dp": "leaf-spine",
    }
    three = answer(superpod(16, servers=512), job(sizes={"tp": 8})).placement
    assert {row.dimension: row.scope for row in three.groups} == {"tp": "in-server", "dp": "spine-core"}


def test_a_large_domain_gives_whole_tensor_groups_only() -> None:
    # 72 GPUs are four groups of 16 and eight idle; on two racks no group straddles.
    placement = answer(nvl72_racks(2), job(sizes={"tp": 16})).placement
    assert placement.missing == ()
    assert (placement.gpus_used, placement.gpus_idle) == (128, 16)
    tensor = placement.groups[0]
    assert (tensor.scope, tensor.straddling) == ("in-domain", ())


def test_a_failed_gpu_leaves_its_server_without_a_whole_group() -> None:
    design = with_records(rails(4), faults=[Fault(id="fault-1", ref="srv-2.gpu5")])
    placement = answer(design, job(sizes={"tp": 8})).placement
    assert placement.servers == ("srv-1", "srv-3", "srv-4")
    assert placement.gpus_idle == 7
    assert all(not row.straddling for row in placement.groups)
    gone = with_records(rails(4), faults=[Fault(id="fault-1", ref="srv-3")])
    assert answer(gone, job(sizes={"tp": 8})).placement.servers == ("srv-1", "srv-2", "srv-4")


def test_a_job_may_name_its_place() -> None:
    design = rails(4)
    chosen = answer(design, job(sizes={"tp": 8}, where=("srv-4", "srv-2"))).placement
    assert chosen.servers == ("srv-2", "srv-4")
    some = answer(design, job(sizes={"tp": 2}, where=("srv-1.gpu6", "srv-1.gpu7"))).placement
    assert some.gpus == ("srv-1.gpu6", "srv-1.gpu7")
    grouped = with_records(
        with_records(design, groups=[Group(id="all"), Group(id="half", parent="all")]),
        devices=[replace(design.devices[f"srv-{n}"], groups=("half",)) for n in (3, 4)],
    )
    assert answer(grouped, job(sizes={"tp": 8}, where=("all",))).placement.servers == ("srv-3", "srv-4")
    nowhere = answer(design, job(sizes={"tp": 8}, where=("srv-9",))).placement
    assert nowhere.gpus == ()
    assert "srv-9" in nowhere.missing[0]


# ---- what is missing


def test_gpus_without_interconnects_are_unknown() -> None:
    # S0-16
    site = Site()
    for n in (1, 2):
        site.device(f"srv-{n}", "mystery-server")
    found = answer(site.done(), job(sizes={"tp": 8}))
    assert found.placement.missing == (
        "scale_up_bytes_s of mystery-gpu, srv-1, srv-2",
        "compute links of srv-1, srv-2",
    )
    step = found.step
    assert step.missing == found.placement.missing
    assert step.traffic == ()
    assert (step.in_server_bytes, step.in_domain_bytes, step.fabric_bytes) == (None, None, None)
    assert all(figure.value is None for figure in step.boundary_time_s.values())
    assert (step.time_s.value, step.compute_s.value) == (None, None)
    assert found.bottleneck.text == "The step time is unknown: 2 values are missing."
    assert found.bottleneck.boundary == ""
    assert all(link.load_bytes is None for link in found.loads.links)


def test_only_what_the_job_needs_is_missing() -> None:
    # One server: no fabric is needed. Two: it is, and by name.
    site = Site()
    for n in range(1, 7):
        site.device(f"srv-{n}", "dgx-h100")
    alone = answer(site.done(), job(sizes={"tp": 8, "dp": 1}))
    assert alone.placement.missing == ()
    assert alone.step.fabric_bytes == 0
    more = answer(site.done(), job(sizes={"tp": 8}))
    assert more.placement.missing == ("compute links of srv-1, srv-2, srv-3 and 3 more servers",)


def test_an_unknown_nvlink_rate_is_missing() -> None:
    design = with_figures(rails(2), "h100-sxm", scale_up_bytes_s=None)
    missing = answer(design, job(sizes={"tp": 8})).step.missing
    assert missing == ("scale_up_bytes_s of h100-sxm, srv-1, srv-2",)


def test_leaves_without_a_way_between_them() -> None:
    site = Site()
    for n in (1, 2):
        server, leaf = site.device(f"srv-{n}", "dgx-h100"), site.switch(f"leaf-{n}")
        for rail in range(8):
            site.rail(server, rail, leaf, rail)
    missing = answer(site.done(), job(sizes={"tp": 8})).placement.missing
    assert missing == ("path between leaf-1 and leaf-2",)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"sizes": {"tp": 32}}, "one replica takes 32 GPUs, and there are 16"),
        ({"sizes": {"tp": 8, "dp": 3}}, "3 replicas take 24 GPUs, and there are 16"),
        ({"sizes": {"tp": 1, "pp": 8}}, "8 pipeline stages are more than the 4 layers of Tiny"),
        ({"sizes": {"tp": 1, "ep": 3, "dp": 16}}, "expert groups of 3 do not divide the 16 GPUs"),
        ({"workload": "tinny"}, "there is no workload “tinny”"),
        ({"options": {"zero": 7}}, "zero"),
    ],
)
def test_a_job_that_cannot_be_placed_says_why(fields: dict[str, object], words: str) -> None:
    found = answer(rails(2), job(**fields))
    assert found.placement.gpus == ()
    assert any(words in reason for reason in found.placement.missing)
    assert found.bottleneck.text.startswith("This job cannot be placed: ")


def test_an_empty_design_has_no_gpus() -> None:
    found = answer(Site().done(), job())
    assert found.placement.missing == ("the design has no GPUs for it",)


# ---- which job, and the default mapping


def test_no_job_no_answer() -> None:
    found = results(rails(2))
    assert found["placement"] is None
    assert found["step"] is None
    assert len(found["loads"].links) == 16
    assert {link.load_bytes for link in found["loads"].links} == {None}


def test_the_first_active_job_counts() -> None:
    jobs = {row.id: row for row in (job(id="job-2"), job(id="job-10"), job(id="job-1", active=False))}
    found = active_job(jobs)
    assert found is not None
    assert found.id == "job-2"
    assert active_job({}) is None


def test_a_job_may_set_the_figures_of_its_preset() -> None:
    workload = workload_of(job(options={"global_batch": 64, "colour": "blue"}), WORKLOADS)
    assert workload.preset.global_batch == 64
    with pytest.raises(ProblemError, match="micro_batch"):
        workload_of(job(options={"micro_batch": "many"}), WORKLOADS)


def test_default_mapping_puts_tensor_in_the_domain_then_pipeline_then_data() -> None:
    # S1-17. GPT-3 wants tensor 8 × pipeline 12.
    workload = SHIPPED.need("gpt-3-175b")
    assert default_sizes(workload, 1016, 8) == {"tp": 8, "cp": 1, "ep": 1, "pp": 12, "dp": 0}
    # Domains of four: the rest of the tensor group goes to the pipeline.
    assert default_sizes(workload, 1016, 4) == {"tp": 4, "cp": 1, "ep": 1, "pp": 24, "dp": 0}
    # Sixteen GPUs: a pipeline of two is what they allow.
    assert default_sizes(workload, 16, 8) == {"tp": 8, "cp": 1, "ep": 1, "pp": 2, "dp": 0}
    assert default_job(workload, 16, 8).order == ("tp", "cp", "ep", "pp", "dp")


def test_default_mapping_keeps_the_pipeline_in_a_large_domain() -> None:
    # Tensor 8 × pipeline 4 are 32 GPUs: two replicas a rack of 72, and no stage of them leaves it.
    asked = default_job(SHIPPED.need("llama-2-70b"), 144, 72)
    whole = replace(asked, sizes={**asked.sizes, "dp": 2})
    scopes = {
        row.dimension: row.scope for row in answer(nvl72_racks(2), whole, workloads=SHIPPED).placement.groups
    }
    assert scopes == {"tp": "in-domain", "dp": "in-domain", "pp": "in-domain"}
    # All 144 GPUs: gradients cross to the other rack.
    more = answer(nvl72_racks(2), asked, workloads=SHIPPED).placement
    assert {row.dimension: row.scope for row in more.groups}["dp"] == "server-leaf"


def test_experts_without_room_in_a_stage_fit_the_domain() -> None:
    assert default_sizes(SHIPPED.need("deepseek-v3"), 2048, 8)["ep"] == 64
    assert default_sizes(SHIPPED.need("deepseek-v3"), 1016, 8)["ep"] == 8


def test_a_workload_by_name_becomes_the_active_job() -> None:
    design = with_records(rails(2), jobs=[job(id="job-01", name="mine"), job(id="job-02")])
    fresh = with_job(design, WORKLOADS, "tiny", 16, 8)
    assert [(row.id, row.active) for row in fresh.jobs.values()] == [
        ("job-01", False),
        ("job-02", False),
        ("job-03", True),
    ]
    assert fresh.jobs["job-03"].sizes == {"tp": 8, "cp": 1, "ep": 1, "pp": 2, "dp": 0}
    named = with_job(design, WORKLOADS, "mine", 16, 8)
    assert [row.id for row in named.jobs.values() if row.active] == ["job-01"]
    with pytest.raises(ProblemError, match="tiny"):
        with_job(design, WORKLOADS, "tinny", 16, 8)


def test_divisors() -> None:
    assert [divisor_up_to(n, 8) for n in (16, 12, 7, 1)] == [8, 6, 7, 1]
    assert divisor_up_to(8, 0) == 1


def test_an_edit_elsewhere_does_not_run_the_job_again() -> None:
    design = with_records(rails(2), jobs=[job(sizes={"tp": 8})])
    assert results(design)["placement"] == results(design)["placement"]
