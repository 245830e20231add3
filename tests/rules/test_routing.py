"""Fat-tree routing and circles of waits: a design that breaks each rule, and one that is clean."""

from __future__ import annotations

from typing import Any

import pytest

from rackbuilder.analysis.fabric.loops import credit_loop
from rackbuilder.design.design import Design
from rackbuilder.design.records import Fault
from rackbuilder.rules.finding import Finding, RuleEngine
from rackbuilder.rules.routing import ROUTING
from rackbuilder.topology.graphs import build_graphs
from rackbuilder.topology.tree import tree_of
from tests.outside.designs import (
    host_on_spine,
    hosts,
    leaf_to_leaf,
    missing_uplink,
    ring,
    three_tiers,
    two_tiers,
    unreachable_leaf,
    without,
)
from tests.samples import edited
from tests.topology.samples import Site, superpod, twin


def found(design: Design) -> list[Finding]:
    return list(RuleEngine((ROUTING,)).run(design, build_graphs(design), {}))


def one(design: Design, rule: str) -> Finding:
    rows = found(design)
    assert [f.problem.rule for f in rows] == [f"routing.{rule}"], [f.problem.text() for f in rows]
    return rows[0]


def routed(design: Design, **fields: Any) -> Design:
    site = Site(design)
    site.draft.change("fabrics", "compute", **fields)
    return site.done()


@pytest.mark.parametrize(
    "make",
    [
        lambda: two_tiers([4] * 4, 2, 2).done(),
        lambda: two_tiers([32, 32, 32, 5], 4, 8).done(),
        lambda: three_tiers(2, 4, 8, 4, 2, 2, 4).done(),
        lambda: superpod(2, manager=True),
        lambda: superpod(1, servers=4, extra=True),
        lambda: superpod(16, servers=64),
        lambda: two_tiers([8, 8, 0, 0], 2, 4).done(),
        lambda: Site().done(),
    ],
)
def test_trees_are_clean(make: Any) -> None:
    """Leaves with fewer hosts among them, or none yet: their number may vary."""
    assert [f.problem.text() for f in found(make())] == []


# ---- symmetry


def test_a_missing_uplink_is_named_and_put_back() -> None:
    # F06: groups of 3 and 4 where the peers have 4 and 4; 7 of 8 links left.
    design = missing_uplink()
    item = one(design, "unequal-groups")
    assert (
        "leaf-003 has groups of 3 and 4 links up where its peers have 4 and 4: 7 of 8 links"
        in item.problem.what
    )
    assert item.problem.refs == ("leaf-003", "spine-001")
    assert "updn" in item.problem.fix
    assert item.fix is not None
    assert found(edited(design, item.fix)) == []


def test_a_failed_uplink_counts_as_missing() -> None:
    site = two_tiers([4] * 4, 2, 4)
    cable = next(c.id for c in site.draft.cables.values() if c.b.device == "spine-002")
    site.draft.put("faults", Fault(id="fault-1", ref=cable))
    assert one(site.done(), "unequal-groups").problem.refs == ("leaf-001", "spine-002")


def test_a_leaf_without_a_group_of_its_peers() -> None:
    item = one(without(two_tiers([4] * 4, 2, 2), "leaf-002", "spine-001", 2).done(), "unequal-groups")
    assert "leaf-002 has groups of 2 links up where its peers have 2 and 2: 2 of 4" in item.problem.what
    assert item.problem.refs == ("leaf-002", "spine-001")
    assert item.fix is None


def test_uplinks_that_do_not_divide() -> None:
    # F11 in small: 8 uplinks over 3 spines give 3, 3 and 2 from every leaf.
    site = Site()
    leaves = [site.switch(f"leaf-{n}") for n in range(1, 5)]
    hosts(site, [8] * 4, leaves)
    for s, count in enumerate((3, 3, 2)):
        spine = site.switch(f"spine-{s + 1}")
        for n, leaf in enumerate(leaves):
            for k in range(count):
                site.cable(leaf, twin(32 + 3 * s + k), spine, twin(4 * n + k))
    item = one(site.done(), "unequal-groups")
    assert "4 switches with 2, 3 and 3" in item.problem.what
    assert item.problem.refs == tuple(leaves)


def test_a_chosen_engine_that_takes_any_graph_is_not_warned_about_symmetry() -> None:
    assert found(routed(missing_uplink(), routing="updn")) == []


def test_ethernet_knows_no_fat_tree_engine() -> None:
    assert found(routed(missing_uplink(), technology="ethernet")) == []


# ---- hosts and leaves


def test_a_host_on_a_spine() -> None:
    item = one(host_on_spine(), "host-above-leaf")
    assert item.problem.refs == ("spine-001", "srv-0099")


def test_storage_on_the_spines() -> None:
    # F08: two leaves with compute, three spines with storage each.
    site = Site()
    leaves = [site.switch(f"leaf-{n}") for n in (1, 2)]
    hosts(site, [8, 8], leaves)
    for s in range(3):
        spine = site.switch(f"spine-{s + 1}")
        for n, leaf in enumerate(leaves):
            site.cable(leaf, twin(32 + s), spine, twin(n))
        site.cable(site.device(f"store-{s + 1}", "store"), "qsfp1/1", spine, twin(40))
    rows = found(site.done())
    assert [f.problem.rule for f in rows] == ["routing.host-above-leaf"] * 3
    assert [f.problem.refs for f in rows] == [(f"spine-{n}", f"store-{n}") for n in (1, 2, 3)]


def test_storage_on_a_leaf_of_its_own_is_fine() -> None:
    site = two_tiers([8] * 2, 2, 2)
    leaf = site.switch("leaf-009")
    site.cable(site.device("store-1", "store"), "qsfp1/1", leaf, twin(0))
    for s in (1, 2):
        for k in range(2):
            site.cable(leaf, twin(32 + 2 * s + k), f"spine-00{s}", twin(50 + k))
    assert found(site.done()) == []


def test_a_role_that_was_pinned_decides() -> None:
    site = two_tiers([4] * 4, 2, 2)
    site.draft.change("devices", "leaf-004", role="spine")
    assert [f.problem.refs[0] for f in found(site.done()) if f.problem.rule == "routing.host-above-leaf"] == [
        "leaf-004"
    ]


def test_a_cable_between_leaves_and_its_removal() -> None:
    design = leaf_to_leaf()
    item = one(design, "leaf-to-leaf")
    assert set(item.problem.refs[-2:]) == {"leaf-001", "leaf-002"}
    assert item.fix is not None
    assert found(edited(design, item.fix)) == []


def test_two_switches_back_to_back_are_fine() -> None:
    site = Site()
    leaves = [site.switch(f"leaf-{n}") for n in (1, 2)]
    hosts(site, [8, 8], leaves)
    site.cable("leaf-1", twin(40), "leaf-2", twin(40))
    design = site.done()
    assert found(design) == []
    # opensm refuses them under ftree (AB2B), which matters to one who asks for it.
    assert one(routed(design, routing="ftree"), "no-tree").problem.refs == ("leaf-1", "leaf-2")


def test_a_leaf_nobody_cabled_up() -> None:
    item = one(unreachable_leaf(), "unreachable-leaf")
    assert item.problem.refs == ("leaf-004",)
    assert "4 host ports" in item.problem.what


def test_rails_without_spines_are_fine() -> None:
    site = Site()
    for rail in range(8):
        site.switch(f"leaf-{rail + 1}")
    for n in range(4):
        server = site.device(f"srv-{n + 1}", "dgx-h100")
        for rail in range(8):
            site.rail(server, rail, f"leaf-{rail + 1}", n)
    assert found(site.done()) == []


# ---- circles


def test_a_ring_of_four_can_stop() -> None:
    item = one(ring(), "credit-loop")
    assert set(item.problem.refs) == {f"leaf-00{n}" for n in range(1, 5)}
    order = [int(name[-1]) for name in item.problem.refs]
    # Each beside the next: the circle is named as it runs.
    assert {(b - a) % 4 for a, b in zip(order, order[1:] + order[:1], strict=True)} in ({1}, {3})


def test_a_ring_under_up_down_routing_takes_detours() -> None:
    item = one(routed(ring(), routing="updn"), "detour")
    assert item.problem.severity == "note"


def test_a_ring_that_may_drop_packets_does_not_stop() -> None:
    assert found(routed(ring(), lossless=False)) == []


def test_a_ring_of_three_has_no_way_of_two_hops() -> None:
    site = Site()
    leaves = [site.switch(f"leaf-{n + 1}") for n in range(3)]
    hosts(site, [4] * 3, leaves)
    for n, leaf in enumerate(leaves):
        site.cable(leaf, twin(40), leaves[(n + 1) % 3], twin(41))
    assert found(site.done()) == []


def test_leaves_that_share_no_spine_can_close_a_circle() -> None:
    """Four leaves, four spines, each spine on two neighbours: a ring of eight switches."""
    site = Site()
    leaves = [site.switch(f"leaf-{n + 1}") for n in range(4)]
    hosts(site, [4] * 4, leaves)
    for n in range(4):
        spine = site.switch(f"spine-{n + 1}")
        site.cable(leaves[n], twin(40), spine, twin(0))
        site.cable(leaves[(n + 1) % 4], twin(41), spine, twin(1))
    fabric = build_graphs(site.done()).fabric("compute")
    assert len(credit_loop(fabric)) == 8
    assert tree_of(fabric).height == 2


def test_three_tiers_have_no_circle() -> None:
    fabric = build_graphs(three_tiers(2, 4, 8, 4, 2, 2, 4).done()).fabric("compute")
    assert credit_loop(fabric) == ()
    assert tree_of(fabric).height == 3
