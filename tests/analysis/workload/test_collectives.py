"""Worked examples: two servers of eight GPUs, NVLink 450 GB/s, one NIC of 50 GB/s a GPU, 1e9 bytes; no latency."""

from __future__ import annotations

import pytest

from rackbuilder.analysis.workload import collectives as c

S, NV, NIC = 1e9, 450e9, 50e9


def ms(seconds: float) -> float:
    return round(seconds * 1e3, 6)


def test_ring_in_one_server() -> None:
    # X1: 2·7/8 of 1e9 bytes; with 2 us in each of 14 steps.
    sent = c.ring("all-reduce", S, 8)
    assert sent == 1.75e9
    time = sent / NV
    assert ms(time) == 3.888889
    assert round(c.bus_bandwidth("all-reduce", S, 8, time) / 1e9, 6) == 450
    assert round(c.algorithm_bandwidth(S, time) / 1e9, 6) == 257.142857
    steps = c.ring_steps("all-reduce", 8)
    assert steps == 14
    assert ms(c.with_latency(time, steps, 2e-6)) == 3.916889


def test_nvls_in_one_server() -> None:
    # X2
    sent = c.nvls_all_reduce(S, 8)
    assert sent == 1.125e9
    assert ms(sent / NV) == 2.5
    assert round(c.bus_bandwidth("all-reduce", S, 8, sent / NV) / 1e9, 6) == 700


def test_flat_ring_over_two_servers() -> None:
    # X3: the NIC binds.
    split = c.multi_rail_ring("all-reduce", S, 8, 2)
    assert (split.nic, split.inside) == (234.375e6, 1.640625e9)
    times = split.times(NV, NIC)
    assert (ms(times.nic), ms(times.inside)) == (4.6875, 3.645833)
    assert round(c.bus_bandwidth("all-reduce", S, 16, times.overlapped) / 1e9, 6) == 400


def test_two_levels_over_two_servers() -> None:
    # X4: reduce-scatter 1.944444, NIC 2.5, all-gather 1.944444; NVLink binds when both run at once.
    split = c.two_level("all-reduce", S, 8, 2)
    assert split.nic == 125e6
    times = split.times(NV, NIC)
    assert ms(c.two_level("reduce-scatter", S, 8, 2).times(NV, NIC).inside) == 1.944444
    assert ms(times.nic) == 2.5
    assert ms(times.serial) == 6.388889
    assert ms(times.overlapped) == 3.888889
    assert ms(times.pipelined(8)) == ms((3.888888888888889 + 2.5 / 8) / 1e3)


@pytest.mark.parametrize(("servers", "nic_ms"), [(4, 3.75), (5, 4.0), (16, 4.6875), (128, 4.960938)])
def test_two_levels_over_more_servers(servers: int, nic_ms: float) -> None:
    # X5: NVLink needs 3.888889 ms, so the NIC binds from five servers on.
    times = c.two_level("all-reduce", S, 8, servers).times(NV, NIC)
    assert ms(times.nic) == nic_ms
    assert (times.nic > times.inside) == (servers >= 5)


def test_all_to_all_over_two_servers() -> None:
    # X6: 62.5e6 bytes a peer, seven peers inside and eight outside.
    split = c.all_to_all_direct(S, 8, 2)
    assert (split.inside, split.nic) == (437.5e6, 500e6)
    times = split.times(NV, NIC)
    assert (ms(times.inside), ms(times.nic)) == (0.972222, 10.0)
    assert split.inside + split.nic == c.all_to_all(S, 16)


@pytest.mark.parametrize(("uplinks", "leaf_ms"), [(1, 17.5), (2, 8.75)])
def test_all_to_all_off_its_rail(uplinks: int, leaf_ms: float) -> None:
    # X7: a leaf has the NICs of two GPUs of one rail.
    out = 2 * c.off_rail(S, 8, 2)
    assert out == 875e6
    assert ms(out / (uplinks * NIC)) == leaf_ms
    assert (out / (uplinks * NIC) > c.all_to_all_direct(S, 8, 2).nic / NIC) == (uplinks == 1)


def test_all_to_all_on_its_rail() -> None:
    # X8: twice the NVLink bytes, the same at the NIC, nothing over the uplinks.
    split = c.all_to_all_aligned(S, 8, 2)
    assert split.inside == 875e6
    times = split.times(NV, NIC)
    assert (ms(times.inside), ms(times.overlapped)) == (1.944444, 10.0)


def test_halves_of_an_all_reduce() -> None:
    for split in (c.multi_rail_ring, c.two_level):
        whole, scatter, gather = (
            split(kind, S, 8, 2) for kind in ("all-reduce", "reduce-scatter", "all-gather")
        )
        assert whole.nic == scatter.nic + gather.nic
        assert whole.inside == scatter.inside + gather.inside


def test_trees_and_the_reducing_fabric() -> None:
    # A tree rank sends and receives 2·S at most, in 2·ceil(log2 n) steps; SHARP sends the buffer up once.
    assert c.tree_all_reduce(S) == 2e9
    assert [c.tree_steps(n) for n in (2, 8, 9, 16)] == [2, 6, 8, 8]
    assert c.sharp_all_reduce(S / 8) == 125e6
    assert c.two_level("all-reduce", S, 8, 1024).nic == pytest.approx(2 * c.sharp_all_reduce(S / 8), rel=1e-3)


def test_one_domain_has_no_nic_traffic() -> None:
    assert c.multi_rail_ring("all-reduce", S, 8, 1) == c.Split(1.75e9, 0.0)
    assert c.two_level("all-reduce", S, 8, 1) == c.Split(1.75e9, 0.0)
    assert c.all_to_all_aligned(S, 8, 1) == c.all_to_all_direct(S, 8, 1)
