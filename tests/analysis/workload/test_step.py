"""Traffic of a step on drawn servers, by hand. H100: 450 GB/s of NVLink, one 400 Gb/s NIC a GPU, one leaf a rail."""

from __future__ import annotations

import pytest

from rackbuilder.analysis.results import Figure
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.design.design import Design
from tests.analysis.workload.samples import answer, by_scope, job, rails, with_figures
from tests.topology.samples import Site, nvl72, superpod

TOTAL_SCOPES = ("in-server", "in-domain", "server-leaf", "leaf-spine", "spine-core")


def rack(gpus_trays: int = 18) -> Design:
    site = Site()
    nvl72(site, trays=gpus_trays)
    return site.done()


def test_tensor_groups_inside_their_servers() -> None:
    found = answer(rails(2), job(sizes={"tp": 8, "dp": 2}))
    step = found.step
    # Tensor: 128 all-reduces of 1,048,576 bytes, 2·7/8 of each sent by a GPU: 234,881,024 bytes, by sixteen GPUs.
    assert step.in_server_bytes == 16 * 234_881_024
    # Data: 6,548,608 parameters · 6 bytes, half of it sent in a group of two: 19,645,824 bytes a GPU.
    assert step.fabric_bytes == 16 * 19_645_824
    assert step.in_domain_bytes == 0
    assert step.boundary_time_s["nvlink"].value == pytest.approx(234_881_024 / 450e9, rel=1e-12)
    assert step.boundary_time_s["nic"].value == pytest.approx(19_645_824 / 50e9, rel=1e-12)
    assert step.boundary_time_s["leaf_up"] == Figure(0.0)
    assert step.missing == ()
    assert step.time_s.value is None
    assert step.time_s.missing


def test_every_link_of_that_job() -> None:
    loads = answer(rails(2), job(sizes={"tp": 8, "dp": 2})).loads
    assert len(loads.links) == 16
    for link in loads.links:
        assert link.load_bytes == 19_645_824
        assert link.by_dimension == (("dp", 19_645_824),)
        # 392.9 us of 522.0 us at NVLink, the longest.
        assert link.utilisation == pytest.approx((19_645_824 / 50e9) / (234_881_024 / 450e9), rel=1e-12)


def test_a_tensor_group_over_two_servers() -> None:
    # 256 all-reduces: a ring of 16 sends 2·15/16 of each, 503,316,480 bytes a GPU; one of eight rings leaves at a GPU.
    found = answer(rails(2), job(sizes={"tp": 16}))
    assert found.step.fabric_bytes == 16 * 62_914_560
    assert found.step.in_server_bytes == 16 * 440_401_920
    times = found.step.boundary_time_s
    assert times["nvlink"].value == pytest.approx(440_401_920 / 450e9, rel=1e-12)
    assert times["nic"].value == pytest.approx(62_914_560 / 50e9, rel=1e-12)
    assert [link.utilisation for link in found.loads.links] == pytest.approx([1.0] * 16)
    [group] = found.placement.groups
    assert (group.dimension, group.scope, group.straddling) == ("tp", "server-leaf", ("srv-1", "srv-2"))


def test_the_same_group_in_two_levels() -> None:
    # Inside 2·7/8, across 2·1/2 of an eighth, of 256 · 1,048,576 bytes.
    step = answer(rails(2), job(sizes={"tp": 16}, options={"across": "two-level"})).step
    assert step.in_server_bytes == 16 * 469_762_048
    assert step.fabric_bytes == 16 * 33_554_432


def test_the_same_group_in_one_large_domain() -> None:
    # S1-20: the tensor bytes leave the fabric when the domain holds the group.
    apart = answer(rails(2), job(sizes={"tp": 16, "dp": 1})).step
    together = answer(rack(), job(sizes={"tp": 16, "dp": 1})).step
    assert apart.fabric_bytes == 16 * 62_914_560
    assert together.fabric_bytes == 0
    assert together.in_server_bytes == 0
    assert together.in_domain_bytes == 16 * 503_316_480
    assert together.boundary_time_s["nvlink"].value == pytest.approx(503_316_480 / 900e9, rel=1e-12)


def test_a_tray_spreads_its_nvlink_over_the_switch_trays() -> None:
    found = answer(rack(), job(sizes={"tp": 16, "dp": 1}))
    # Sixteen GPUs sit in four trays; each tray has nine bundles.
    loaded = [link for link in found.loads.links if link.load_bytes]
    assert len(loaded) == 4 * 9
    assert [link.load_bytes for link in loaded] == pytest.approx([4 * 503_316_480 / 9] * 36)
    assert sum(link.load_bytes or 0 for link in loaded) == pytest.approx(found.step.in_domain_bytes)
    # GB200: 18 links of 50 GB/s a GPU, so a bundle of 8 has 400 GB/s, 9 of them 3,600 GB/s for four GPUs of 900 GB/s.
    assert loaded[0].utilisation == pytest.approx(1.0)


def test_experts_over_two_servers() -> None:
    # 16,777,216 bytes a rank, 1,048,576 to each of sixteen. NVLink with the way to the rail: 7·2 parts; NIC: 8.
    found = answer(rails(2), job("experts", sizes={"ep": 16}))
    part = {row.scope: row for row in found.step.traffic if row.dimension == "ep"}
    assert part["in-server"].size_bytes == 16 * 14 * 1_048_576
    assert part["server-leaf"].size_bytes == 16 * 8 * 1_048_576
    assert set(part) == {"in-server", "server-leaf"}
    assert part["server-leaf"].time_s.value == pytest.approx(8 * 1_048_576 / 50e9)


def test_experts_without_nvlink_change_rails_on_the_fabric() -> None:
    # Direct: seven of eight remote parts of a GPU end on another leaf.
    found = answer(rails(2, "pcie8-l40s", uplinks=2), job("experts", sizes={"ep": 16}))
    part = {row.scope: row.size_bytes for row in found.step.traffic if row.dimension == "ep"}
    assert part["in-server"] == 16 * 7 * 1_048_576
    assert part["server-leaf"] == 16 * 1_048_576
    assert part["leaf-spine"] == 16 * 7 * 1_048_576
    uplinks = [link for link in found.loads.links if link.scope == "leaf-spine"]
    # A leaf sends 2 GPUs · 7 parts into its bundle of two links.
    assert len(uplinks) == 8
    assert [dict(link.by_dimension)["ep"] for link in uplinks] == pytest.approx([14 * 1_048_576] * 8)


def test_pcie_between_gpus_without_nvlink() -> None:
    # L40S: PCIe 4.0 x16, 31.5 GB/s per direction.
    found = answer(rails(1, "pcie8-l40s"), job(sizes={"tp": 8}))
    assert found.step.in_server_bytes == 8 * 2 * 234_881_024
    assert found.step.boundary_time_s["pcie"].value == pytest.approx(2 * 234_881_024 / 31.5e9)
    assert found.step.boundary_time_s["nvlink"] == Figure(0.0)
    assert all(part.crosses for part in found.step.traffic)


@pytest.mark.parametrize(
    "sizes",
    [
        {"tp": 8, "pp": 4},
        {"tp": 16, "pp": 2},
        {"tp": 4, "pp": 4},
        {"tp": 2, "cp": 2, "pp": 4},
        {},
        {"tp": 8, "ep": 1},
    ],
)
def test_scopes_sum_to_the_whole(sizes: dict[str, int]) -> None:
    # Whole, counted without any placement: what each GPU sends in rings and pairs.
    design = superpod(2, servers=40)
    found = answer(design, job(sizes=sizes))
    s = found.placement.sizes
    micro = -(-16 // s["dp"])
    buffer = 2 * 512 / s["cp"] * 1024
    gpus = found.placement.gpus_used
    layers = 4 / s["pp"]
    whole = gpus * 4 * layers * micro * buffer * 2 * (s["tp"] - 1) / s["tp"]
    whole += gpus / s["pp"] * 2 * (s["pp"] - 1) * micro * buffer / s["tp"]
    whole += gpus * 3 * layers * micro * (s["cp"] - 1) * 2 * buffer / s["tp"]
    over = s["dp"] * s["cp"]
    whole += 6 * 52_388_864 / s["tp"] * s["tp"] * (over - 1) / over * over
    parts = by_scope(found.step)
    assert set(parts) <= set(TOTAL_SCOPES)
    assert sum(parts.values()) == pytest.approx(whole, rel=1e-12)
    step = found.step
    assert (step.in_server_bytes or 0) + (step.in_domain_bytes or 0) + (
        step.fabric_bytes or 0
    ) == pytest.approx(whole)
    # What enters the fabric is what its first links carry, and what leaves a leaf is what the uplinks carry.
    into = sum(link.load_bytes or 0 for link in found.loads.links if link.scope == "server-leaf")
    up = sum(link.load_bytes or 0 for link in found.loads.links if link.scope == "leaf-spine")
    assert into == pytest.approx(step.fabric_bytes)
    assert up == pytest.approx(parts.get("leaf-spine", 0.0), rel=0.05)  # the busier direction of each bundle


def test_utilisation_is_a_share() -> None:
    for sizes in ({"tp": 8, "pp": 4}, {"tp": 16, "pp": 2}, {"tp": 4, "pp": 4}):
        loads = answer(superpod(2, servers=40), job(sizes=sizes)).loads
        shares = [link.utilisation for link in loads.links]
        assert all(share is not None and 0 <= share <= 1 + 1e-9 for share in shares)
        assert shares == sorted(shares, key=lambda x: -round(x or 0, 9))


def test_compute_is_a_lower_bound() -> None:
    # One DGX H100: 8 · 989 TFLOP/s. FLOP: 16·512 tokens · (6·(52,388,864 − 1,024,000) + 6·4·512·16·128/2).
    design = with_figures(rails(1), "h100-sxm", bf16_flops=989e12)
    figure = answer(design, job(sizes={"tp": 8})).step.compute_s
    flops = 16 * 512 * (6 * 51_364_864 + 6 * 4 * 512 * 16 * 128 / 2)
    assert figure.value == pytest.approx(flops / (8 * 989e12))
    assert figure.at_least
    assert answer(rails(1), job(sizes={"tp": 8})).step.compute_s.missing == ("bf16_flops of h100-sxm",)


def test_more_bandwidth_is_never_slower() -> None:
    slow = answer(rails(2), job(sizes={"tp": 16})).step.boundary_time_s
    fast = answer(with_figures(rails(2), "h100-sxm", scale_up_bytes_s=900e9), job(sizes={"tp": 16})).step
    assert (fast.boundary_time_s["nvlink"].value or 0) == pytest.approx((slow["nvlink"].value or 0) / 2)
    assert fast.boundary_time_s["nic"] == slow["nic"]


def test_rate_unknown_leaves_bytes_known_and_times_unknown() -> None:
    site = Site()
    for n in (1, 2):
        site.device(f"srv-{n}", "dgx-h100")
    blind = site.switch("leaf-1", type_="blind-switch")
    for n in (1, 2):
        for rail in range(8):
            site.cable(f"srv-{n}", f"osfp{rail // 2 + 1}/{rail % 2 + 1}", blind, f"port{8 * n + rail - 7}/1")
    found = answer(site.done(), job(sizes={"tp": 8, "dp": 2}))
    assert found.step.fabric_bytes == 16 * 19_645_824
    assert found.step.boundary_time_s["nic"].value is None
    assert any("leaf-1" in name for name in found.step.missing)
    assert all(link.load_bytes == 8 * 19_645_824 and link.utilisation is None for link in found.loads.links)


def test_shipped_presets_on_a_whole_superpod() -> None:
    workloads = shipped_workloads()
    design = superpod(4, servers=127)
    for name in workloads.presets:
        found = answer(design, job(name), workloads=workloads)
        if found.placement.gpus:
            assert found.step.missing == ()
            assert found.placement.gpus_used + found.placement.gpus_idle == 1016
