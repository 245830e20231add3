"""Leaf, spine and core told from the graph; rails and planes of leaves."""

from collections import Counter

from rackbuilder.catalog.parts import Cages, DeviceType, GpuGroup
from rackbuilder.topology.graphs import build_graphs
from rackbuilder.topology.roles import planes_of, rails_of, roles_of
from tests.topology.samples import Site, superpod, twin


def test_two_tiers_and_their_rails() -> None:
    graph = build_graphs(superpod(2)).fabric("compute")
    roles = roles_of(graph)
    assert Counter(roles.values()) == {"leaf": 16, "spine": 8}
    assert all(role == name.split("-")[0] for name, role in roles.items())
    # Leaf r of a unit takes NIC r of each server: eight leaves, eight rails.
    assert rails_of(graph) == {f"leaf-{n + 1:03d}": n % 8 for n in range(16)}
    assert planes_of(graph) == {}


def test_three_tiers() -> None:
    # Published for 16 units of 32 servers: 128 leaves, 128 spines, 64 cores.
    roles = roles_of(build_graphs(superpod(16)).fabric("compute"))
    assert Counter(roles.values()) == {"leaf": 128, "spine": 128, "core": 64}
    assert all(role == name.split("-")[0] for name, role in roles.items())


def test_a_leaf_that_carries_only_storage_or_a_fabric_manager_is_a_leaf() -> None:
    site = Site()
    for n, kind in ((1, "store"), (2, "ufm")):
        site.switch(f"leaf-{n:02d}")
        site.device(f"end-{n:02d}", kind)
        site.cable(f"end-{n:02d}", "qsfp1/1" if kind == "store" else "osfp1/1", f"leaf-{n:02d}", twin(0))
    site.switch("sp-01")
    for n in (1, 2):
        site.cable(f"leaf-{n:02d}", twin(40), "sp-01", twin(n))
    graph = build_graphs(site.done()).fabric("compute")
    assert roles_of(graph) == {"leaf-01": "leaf", "leaf-02": "leaf", "sp-01": "spine"}
    assert rails_of(graph) == {}


def test_pinned_roles_win_and_carry_upwards() -> None:
    site = Site()
    site.switch("a", role="spine")
    site.switch("b")
    site.switch("c")
    site.device("srv-0001", "dgx-h100")
    site.rail("srv-0001", 0, "a", 0)
    site.cable("a", twin(40), "b", twin(0))
    site.cable("b", twin(40), "c", twin(0))
    assert roles_of(build_graphs(site.done()).fabric("compute")) == {"a": "spine", "b": "core", "c": "core"}


def test_switches_that_no_leaf_is_joined_to_are_leaves() -> None:
    site = Site()
    site.switch("a")
    site.switch("b")
    site.cable("a", twin(40), "b", twin(0))
    assert roles_of(build_graphs(site.done()).fabric("compute")) == {"a": "leaf", "b": "leaf"}


def test_a_leaf_of_many_rails_has_none_unless_pinned() -> None:
    site = Site()
    site.switch("leaf-01")
    site.switch("leaf-02", rail=5)
    site.device("srv-0001", "dgx-h100")
    for rail in range(4):
        site.rail("srv-0001", rail, "leaf-01", rail)
        site.rail("srv-0001", rail + 4, "leaf-02", rail)
    assert rails_of(build_graphs(site.done()).fabric("compute")) == {"leaf-02": 5}


def test_planes_of_a_server_whose_gpus_have_two_ports() -> None:
    """Each 800 Gb/s port split into two of 400: the first into one plane, the second into the other."""
    site = Site()
    cages = (Cages(name="osfp", count=8, connector="OSFP", rate_bps=800e9, gpu_first=0, splits=(2,)),)
    gpus = GpuGroup(part="b200-sxm", count=8)
    kind = DeviceType(id="b300", name="B300", category="gpu-server", u_height=8, cages=cages, gpus=gpus)
    site.draft.use_parts([kind])
    for plane in (0, 1):
        for rail in range(8):
            site.switch(f"p{plane}-leaf-{rail}")
    for n in range(3):
        name = site.device(f"srv-{n + 1:04d}", "b300", modes={f"osfp{k + 1}": 2 for k in range(8)})
        for rail in range(8):
            for plane in (0, 1):
                site.cable(name, f"osfp{rail + 1}/1.{plane + 1}", f"p{plane}-leaf-{rail}", twin(n))
    graph = build_graphs(site.done()).fabric("compute")
    assert planes_of(graph) == {f"p{plane}-leaf-{rail}": plane for plane in (0, 1) for rail in range(8)}
    assert rails_of(graph) == {f"p{plane}-leaf-{rail}": rail for plane in (0, 1) for rail in range(8)}
