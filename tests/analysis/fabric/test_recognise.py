"""Fabrics as arrays, and which of them are a Clos."""

from __future__ import annotations

import random

import numpy as np
import pytest

from rackbuilder.analysis.fabric.arrays import arrays_of
from rackbuilder.analysis.fabric.recognise import Arbitrary, Clos, recognise
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable, End
from tests.analysis.fabric.clos_site import Shape, between, clos, failing, graph_of, read
from tests.topology.samples import Site, superpod, twin


def tree_of(design: Design) -> Clos:
    found = recognise(read(design))
    assert isinstance(found, Clos), found
    return found


def reason(design: Design) -> Arbitrary:
    found = recognise(read(design))
    assert isinstance(found, Arbitrary)
    return found


def with_cable(design: Design, a: str, a_port: int, b: str, b_port: int) -> Design:
    draft = Draft(design)
    draft.put("cables", Cable(id=draft.new_id("cbl"), a=End(a, twin(a_port)), b=End(b, twin(b_port))))
    return design.apply(draft.patch("cable"))


def without(design: Design, *cables: str) -> Design:
    draft = Draft(design)
    for cable in cables:
        draft.remove("cables", cable)
    return design.apply(draft.patch("remove"))


# ---- arrays ---------------------------------------------------------------------------------------------------


def test_every_cable_stands_where_its_record_says() -> None:
    design = clos(Shape(pods=2, leaves=2, spines=2, links=2, cores=2, hosts=3))
    arrays = read(design)
    for n, cable in enumerate(arrays.cables[: arrays.trunks]):
        ends = {arrays.switches[arrays.low[n]], arrays.switches[arrays.high[n]]}
        assert ends == {design.cables[cable].a.device, design.cables[cable].b.device}
        assert arrays.level[arrays.low[n]] + 1 == arrays.level[arrays.high[n]]
    for h, cable in enumerate(arrays.cables[arrays.trunks :]):
        record = design.cables[cable]
        assert arrays.host_names[h] == f"{record.a.device}:{record.a.port}"
        assert arrays.switches[arrays.host_switch[h]] == record.b.device
    assert set(arrays.rate_bps.tolist()) == {400e9}


def test_hosts_follow_the_ports_of_their_leaf_and_not_the_order_of_drawing() -> None:
    site = Site()
    leaf = site.switch("leaf-1")
    for rail, port in ((0, 30), (1, 4), (2, 12), (3, 5)):
        site.rail(site.device(f"srv-{rail}", "dgx-h100"), rail, leaf, port)
    names = read(site.done()).host_names
    assert names == ("srv-1:osfp1/2", "srv-3:osfp2/2", "srv-2:osfp2/1", "srv-0:osfp1/1")


def test_a_failed_link_is_there_and_not_up() -> None:
    whole = clos(Shape())
    (cable,) = between(whole, "leaf-1-2", "spine-1-3")
    arrays = read(failing(whole, cable))
    assert [arrays.cables[n] for n in np.flatnonzero(~arrays.up)] == [cable]
    assert len(arrays.cables) == len(whole.cables)


def test_gpus_know_their_ports() -> None:
    arrays = read(superpod(1))
    assert len(arrays.hosts_by_gpu) == 256
    (host,) = arrays.hosts_by_gpu["srv-0017.gpu3"]
    assert arrays.switches[arrays.host_switch[host]] == "leaf-004"


def test_arrays_are_made_once_for_a_graph_and_anew_after_an_edit() -> None:
    fabric = graph_of(clos(Shape()))
    assert arrays_of(fabric) is arrays_of(fabric)
    other = graph_of(without(clos(Shape()), "cbl-0001"))
    assert len(arrays_of(other).cables) == len(arrays_of(fabric).cables) - 1


# ---- recognition ----------------------------------------------------------------------------------------------


def test_two_tiers_with_every_leaf_on_every_spine() -> None:
    # Four units: 32 leaves, 16 spines, two links a pair; 32 hosts a leaf.
    tree = tree_of(superpod(4))
    assert (tree.tiers, tree.networks, tree.pods) == (2, 1, 1)
    assert tree.u1.tolist() == [32]
    assert tree.spine[0].tolist() == [n // 2 for n in range(32)]
    assert tree.host_index.tolist() == 32 * list(range(32))


def test_three_tiers_with_a_pod_a_rail() -> None:
    # 16 units: four times four units; the four leaves of a rail share four spines, and each spine has half the cores.
    design = superpod(16)
    tree = tree_of(design)
    assert (tree.tiers, tree.networks, tree.pods) == (3, 1, 32)
    assert tree.u2.tolist() == [[32, 32, 32, 32]]
    assert np.bincount(tree.pod).tolist() == [4] * 32


def test_rails_without_spines_are_networks_of_one_switch() -> None:
    site = Site()
    leaves = [site.switch(f"leaf-{rail}") for rail in range(8)]
    for n in range(3):
        server = site.device(f"srv-{n}", "dgx-h100")
        for rail in range(8):
            site.rail(server, rail, leaves[rail], n)
    tree = tree_of(site.done())
    assert (tree.tiers, tree.networks, tree.pods) == (1, 8, 8)


def test_planes_side_by_side_may_differ() -> None:
    site = Site()
    for plane, spines in enumerate((2, 4)):
        leaves = [site.switch(f"p{plane}-leaf-{n}", role="leaf") for n in range(2)]
        for s in range(spines):
            spine = site.switch(f"p{plane}-spine-{s}", role="spine")
            for n, leaf in enumerate(leaves):
                site.cable(leaf, twin(32 + s), spine, twin(n))
        for n, leaf in enumerate(leaves):
            site.rail(site.device(f"p{plane}-srv-{n}", "dgx-h100"), 0, leaf, 0)
    tree = tree_of(site.done())
    assert (tree.tiers, tree.networks, tree.u1.tolist()) == (2, 2, [2, 4])


def test_one_missing_uplink_is_told_and_the_tree_recognised() -> None:
    # Case: 4 leaves, 2 spines, 4 parallel links a pair; one of leaf 3 to spine 1 deleted. 7 of 8 uplinks are left.
    whole = clos(Shape(leaves=4, spines=2, links=4, hosts=2))
    tree = tree_of(without(whole, between(whole, "leaf-1-3", "spine-1-1")[0]))
    assert tree.lacking == (("leaf-1-3", "spine-1-1", 1),)
    assert (tree.up1 >= 0).sum(axis=1).tolist() == [8, 8, 7, 8]


def test_leaves_with_fewer_hosts_lack_nothing() -> None:
    tree = tree_of(clos(Shape(), hosts=[4, 1, 0, 2]))
    assert tree.lacking == ()
    assert np.bincount(tree.host_leaf, minlength=4).tolist() == [4, 1, 0, 2]


def test_a_spine_short_of_a_core_is_told() -> None:
    whole = clos(Shape(pods=2, leaves=3, spines=2, cores=3, hosts=1))
    tree = tree_of(without(whole, between(whole, "spine-2-1", "core-1-2")[0]))
    assert tree.lacking == (("spine-2-1", "core-1-2", 1),)


def test_crossed_ports_of_a_pair_change_no_number() -> None:
    rng = random.Random(3)
    whole = clos(Shape(leaves=3, spines=3, links=2, hosts=2))
    draft = Draft(whole)
    ups = [c for c in whole.cables.values() if c.a.device == "leaf-1-2"]
    ports = [c.a.port for c in ups]
    rng.shuffle(ports)
    for cable, port in zip(ups, ports, strict=True):
        draft.change("cables", cable.id, a=End("leaf-1-2", port))
    crossed = whole.apply(draft.patch("cross"))
    one, two = read(whole), read(crossed)
    for arrays in (one, two):
        tree = recognise(arrays)
        assert isinstance(tree, Clos)
        tops = [arrays.switches[arrays.high[n]] for n in tree.up1[1]]
        assert tops == ["spine-1-1", "spine-1-1", "spine-1-2", "spine-1-2", "spine-1-3", "spine-1-3"]


def test_switches_of_one_tier_joined_are_no_clos() -> None:
    found = reason(with_cable(clos(Shape()), "leaf-1-1", 60, "leaf-1-2", 60))
    assert found.reason == "two switches of one tier are cabled to each other"
    assert set(found.refs) == {"leaf-1-1", "leaf-1-2"}


def test_an_end_device_above_the_leaves_is_no_clos() -> None:
    design = clos(Shape(hosts=4))
    found = reason(with_cable(design, "srv-1-1", 6, "spine-1-2", 60))
    assert (found.reason, found.refs) == (
        "an end device is cabled to a switch above the leaves",
        ("spine-1-2",),
    )


@pytest.mark.parametrize("shape", [Shape(leaves=4, spines=4), Shape(pods=2, leaves=4, spines=4, hosts=1)])
def test_leaves_on_spines_of_their_own_choice_are_no_clos(shape: Shape) -> None:
    whole = clos(shape)
    odd = [
        cable.id
        for cable in whole.cables.values()
        if cable.a.device.startswith("leaf") and (int(cable.a.device[-1]) + int(cable.b.device[-1])) % 2
    ]
    # Half of the pairs are gone, in two interlocking sets.
    draft = Draft(whole)
    for cable in odd:
        draft.remove("cables", cable)
    mixed = whole.apply(draft.patch("half"))
    mixed = with_cable(mixed, "leaf-1-1", 50, "spine-1-2", 50)
    assert "different links" in reason(mixed).reason


def test_nothing_drawn_is_a_clos_of_nothing() -> None:
    site = Site()
    site.switch("leaf-1")
    tree = tree_of(site.done())
    assert (tree.tiers, len(tree.host_leaf)) == (1, 0)
