"""Traffic of a job under a routing that a user chose."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest

from rackbuilder.analysis.fabric.adaptive import carry_adaptive
from rackbuilder.analysis.fabric.arrays import arrays_of
from rackbuilder.analysis.fabric.chosen import Routing, Way, carry_chosen, routing_of, ways_of
from rackbuilder.analysis.fabric.dmodk import finish
from rackbuilder.analysis.fabric.loads import Carried, Exchange, Flows, carry
from rackbuilder.analysis.fabric.recognise import Clos, recognise
from rackbuilder.analysis.fabric.wires import Wires, ports_of_ranks, read_wires
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Job
from tests.analysis.fabric.clos_site import Shape, clos, failing, graph_of
from tests.analysis.fabric.helpers import compiled
from tests.topology.samples import superpod


def gpus_of(design: Design) -> list[str]:
    servers = [d.id for d in design.devices.values() if design.type_of(d).gpu_count]
    return [f"{server}.gpu{n}" for server in servers for n in range(8)]


def chosen(
    design: Design, routing: Routing, gpus: list[str], *traffic: Flows | Exchange
) -> tuple[Wires, Carried, Carried]:
    """The wires, the even spread, and the traffic as routed."""
    wires = read_wires(design, compiled(design))
    ports = ports_of_ranks(wires, gpus)
    flows = [row for row in traffic if isinstance(row, Flows)]
    groups = [row for row in traffic if isinstance(row, Exchange)]
    even = carry(wires, ports, flows, groups)
    ways = (Way(graph_of(design), routing),)
    return wires, even, carry_chosen(wires, ways, gpus, even, flows, groups)


def to_others(leaves: int) -> tuple[list[str], Flows]:
    """GPU 0, 1, 2 … of the first leaf to GPU 0 of each other leaf, one byte each."""
    gpus = [f"srv-1-1.gpu{n}" for n in range(leaves - 1)] + [f"srv-{n + 2}-1.gpu0" for n in range(leaves - 1)]
    places = np.arange(leaves - 1)
    return gpus, Flows(places, places + leaves - 1, np.ones(leaves - 1))


def test_flows_of_one_digit_meet_on_one_uplink() -> None:
    # X10 through the loads of a job: 3 flows on one uplink by D-mod-K, 0.75 on each of four when spread.
    gpus, flows = to_others(4)
    design = clos(Shape())
    wires, even, routed = chosen(design, "dmodk", gpus, flows)
    ups = [n for n, link in enumerate(wires.links) if link.a == "leaf-1-1"]
    assert even.forward[ups].tolist() == [0.75] * 4
    assert routed.forward[ups].tolist() == [3.0, 0.0, 0.0, 0.0]
    assert routed.between[ups].tolist() == [3.0, 0.0, 0.0, 0.0]
    assert routed.leaving.tolist() == even.leaving.tolist()


def test_the_busiest_of_parallel_links_counts_for_the_time() -> None:
    # Two links to each of two spines: the three flows share one link of a bundle of two. Bytes stay 3; for the time the
    # bundle counts as 2 · 3.
    gpus, flows = to_others(4)
    wires, _, routed = chosen(clos(Shape(spines=2, links=2)), "dmodk", gpus, flows)
    ups = [n for n, link in enumerate(wires.links) if link.a == "leaf-1-1"]
    assert routed.forward[ups].tolist() == [3.0, 0.0]
    assert routed.between[ups].tolist() == [6.0, 0.0]


def test_hashed_flows_count_as_the_busiest_is_expected() -> None:
    # 8 flows on 8 uplinks: 2.6 times the mean is expected (published), while the bytes are those of an even spread.
    gpus = [f"srv-{leaf}-1.gpu{n}" for leaf in (1, 2) for n in range(8)]
    flows = Flows(np.arange(8), np.arange(8) + 8, np.ones(8))
    wires, even, routed = chosen(clos(Shape(leaves=2, spines=8, hosts=8)), "ecmp", gpus, flows)
    ups = [n for n, link in enumerate(wires.links) if link.a == "leaf-1-1"]
    assert routed.forward[ups] == pytest.approx(even.forward[ups])
    assert routed.between[ups] == pytest.approx(np.full(8, 2.6), rel=0.025)


def test_bytes_are_kept_whatever_the_routing() -> None:
    for seed in range(10):
        rng = random.Random(seed)
        design = superpod(1) if seed == 0 else clos(Shape(2, 3, 2, 2, 2, 2, 5))
        dead = [name for name in sorted(design.cables) if rng.random() < 0.04]
        design = failing(design, *dead) if seed > 1 else design
        gpus = [ref for ref in gpus_of(design) if ref in read_wires(design, compiled(design)).gpus]
        rank = np.arange(len(gpus))
        group = Exchange(rank % 3, rank // 8, rank, np.full(len(gpus), 2.0))
        for routing in ("dmodk", "ecmp"):
            wires, even, routed = chosen(design, routing, gpus, group)  # type: ignore[arg-type]
            assert balance(wires, routed) == pytest.approx(balance(wires, even), abs=1e-6)


def balance(wires: Wires, carried: Carried) -> list[float]:
    """Bytes between switches that leave each switch, less those that come in."""
    net = np.zeros(len(wires.switches))
    for edge, (link, ahead) in enumerate(
        zip(wires.edge_link.tolist(), wires.edge_forward.tolist(), strict=True)
    ):
        size = carried.forward[link] if ahead else carried.backward[link]
        net[wires.edge_from[edge]] += size
        net[wires.edge_to[edge]] -= size
    return net.tolist()


def test_the_job_is_asked_first_and_then_the_fabric() -> None:
    design = clos(Shape())
    draft = Draft(design)
    draft.change("fabrics", "compute", routing="ecmp")
    hashed = graph_of(design.apply(draft.patch("route")))
    job = Job(id="job-1", workload="x")
    assert routing_of(job, graph_of(design)) == "adaptive"
    assert routing_of(job, hashed) == "ecmp"
    assert routing_of(replace(job, options={"routing": "dmodk"}), hashed) == "dmodk"
    # The name of an engine that is none of the three says nothing of spreading.
    assert routing_of(replace(job, options={"routing": "updn"}), graph_of(design)) == "adaptive"
    assert [way.routing for way in ways_of(job, (graph_of(design), hashed))] == ["adaptive", "ecmp"]


def test_on_a_whole_tree_both_ways_of_spreading_agree() -> None:
    for shape in (Shape(), Shape(3, 3, 2, 2, 2, 2, 5), Shape(leaves=3, spines=3, links=2, hosts=6)):
        design = clos(shape)
        arrays = arrays_of(graph_of(design))
        found = recognise(arrays)
        assert isinstance(found, Clos)
        gpus = list(arrays.hosts_by_gpu)
        rank = np.arange(len(gpus))
        order = np.random.default_rng(1).permutation(len(gpus))
        group = Exchange(rank % 2, rank // 2, rank, np.full(len(gpus), 3.0))
        wires, even, _ = chosen(design, "adaptive", gpus, Flows(rank, order, np.ones(len(gpus))), group)
        hosts = np.array([arrays.hosts_by_gpu[ref][0] for ref in gpus])
        own = finish(
            carry_adaptive(
                arrays,
                found,
                [Flows(hosts[rank], hosts[order], np.ones(len(gpus)))],
                [group._replace(rank=hosts[rank])],
            )
        )
        up = dict.fromkeys(range(len(wires.links)), 0.0)
        place = {cable: n for n, link in enumerate(wires.links) for cable in link.cables}
        for n, cable in enumerate(arrays.cables[: arrays.trunks]):
            up[place[cable]] += own.up[n]
        between = sorted(set(wires.edge_link.tolist()))
        assert [up[n] for n in between] == pytest.approx(even.forward[between].tolist())
