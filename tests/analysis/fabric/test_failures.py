"""What a fabric is worth without some of its parts."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from rackbuilder.analysis.fabric.adaptive import carry_adaptive
from rackbuilder.analysis.fabric.arrays import Arrays, arrays_of
from rackbuilder.analysis.fabric.cuts import capacity_between, halves
from rackbuilder.analysis.fabric.dmodk import LinkLoads, Steps, carry_dmodk, finish
from rackbuilder.analysis.fabric.failures import (
    Impact,
    Progress,
    busiest_s,
    elements,
    failure_pass,
    removed,
)
from rackbuilder.analysis.fabric.loads import Flows
from rackbuilder.analysis.fabric.patterns import gpus_on, random_permutation, shift
from rackbuilder.analysis.fabric.recognise import Clos, recognise
from rackbuilder.catalog.parts import Cages, DeviceType, GpuGroup
from rackbuilder.design.design import Design
from rackbuilder.errors import ProblemError
from rackbuilder.topology.fabric import FabricGraph
from tests.analysis.fabric.clos_site import Shape, between, clos, failing, graph_of
from tests.topology.samples import Site, superpod, twin


def by_ref(impacts: Sequence[Impact]) -> dict[str, Impact]:
    return {ref: impact for impact in impacts for ref in impact.alike}


def bisection(arrays: Arrays) -> float:
    sides = halves(arrays)
    assert sides is not None
    value = capacity_between(arrays, *sides).value
    assert value is not None
    return value


def test_elements_are_named_and_know_their_links() -> None:
    fabric = graph_of(superpod(1))
    arrays = arrays_of(fabric)
    found = {element.ref: element for element in elements(fabric)}
    # One unit: 256 NIC links and 8 leaves of 32 uplinks: 512 cables; four spines.
    kinds = [element.kind for element in found.values()]
    assert {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)} == {
        "cable": 512,
        # 256 twin-port cages on leaves, 128 on spines; servers: their 256 ports are in 128 twin-port cages.
        "plug": 256 + 128 + 128,
        "switch": 12,
        "rail": 8,
    }
    leaf = {arrays.cables[n] for n in found["leaf-003"].links}
    assert {arrays.cables[n] for n in found["rail 2"].links} == leaf
    assert len(leaf) == 64
    assert len(found["leaf-003:osfp1"].links) == 2


def two_planes() -> Design:
    """Three servers whose 800 Gb/s ports are split in two: the first half to leaves of plane 0, the other of plane 1.

    A leaf for rails 0–3 and one for 4–7 in each plane, and a spine with two links to each of its two leaves.
    """
    site = Site()
    cages = (Cages(name="osfp", count=8, connector="OSFP", rate_bps=800e9, gpu_first=0, splits=(2,)),)
    gpus = GpuGroup(part="b200-sxm", count=8)
    kind = DeviceType(id="b300", name="B300", category="gpu-server", u_height=8, cages=cages, gpus=gpus)
    site.draft.use_parts([kind])
    for plane in (0, 1):
        spine = site.switch(f"p{plane}-spine", role="spine")
        for half in (0, 1):
            leaf = site.switch(f"p{plane}-leaf-{half}", role="leaf")
            for k in range(2):
                site.cable(leaf, twin(40 + k), spine, twin(2 * half + k))
    for n in range(3):
        server = site.device(f"srv-{n}", "b300", modes={f"osfp{rail + 1}": 2 for rail in range(8)})
        for rail in range(8):
            for plane in (0, 1):
                port = f"osfp{rail + 1}/1.{plane + 1}"
                site.cable(server, port, f"p{plane}-leaf-{rail // 4}", twin(8 * n + rail % 4))
    return site.done()


def test_a_plane_takes_its_spines_with_it() -> None:
    fabric = graph_of(two_planes())
    arrays = arrays_of(fabric)
    planes = {element.ref: element.links for element in elements(fabric, ("plane",))}
    assert list(planes) == ["plane 0", "plane 1"]
    for number, links in enumerate(planes.values()):
        switches = {
            arrays.switches[arrays.host_switch[n - arrays.trunks]] for n in links if n >= arrays.trunks
        }
        assert switches == {f"p{number}-leaf-0", f"p{number}-leaf-1"}
        # 24 NIC halves and the four links of the spine.
        assert len(links) == 24 + 4
    impacts = by_ref(finish(failure_pass(fabric, ("plane",))))
    assert {ref: impact.lost for ref, impact in impacts.items()} == {"plane 0": 0.5, "plane 1": 0.5}


@pytest.mark.parametrize("shape", [Shape(hosts=4), Shape(pods=2, leaves=2, spines=2, cores=2, hosts=2)])
def test_each_impact_is_the_fabric_drawn_without_it(shape: Shape) -> None:
    design = clos(shape)
    fabric = graph_of(design)
    impacts = by_ref(finish(failure_pass(fabric)))
    whole = bisection(arrays_of(fabric))
    for element in elements(fabric, ("cable", "plug", "switch")):
        # The same element lost by a fault record, and the flow over all that is left.
        drawn = bisection(arrays_of(graph_of(failing(design, element.ref))))
        assert impacts[element.ref].bisection_bps.value == drawn
        assert impacts[element.ref].lost == pytest.approx(1 - drawn / whole)


def test_the_worst_comes_first_and_equals_are_judged_once() -> None:
    impacts = finish(failure_pass(graph_of(superpod(4))))
    assert impacts[0].element.kind == "rail"
    # A rail of eight takes an eighth of the bisection with it.
    assert impacts[0].lost == 1 / 8
    assert [x.lost for x in impacts] == sorted((x.lost for x in impacts), key=lambda lost: -(lost or 0))
    # 1,024 NIC links and 1,024 uplinks, each 1/512 of the half.
    cables = [x for x in impacts if x.element.kind == "cable"]
    assert sum(len(x.alike) for x in cables) == 2048
    assert {x.lost for x in cables} == {1 / 512}
    assert len(impacts) < 30


def carry(flows: list[Flows], routing: str):  # type: ignore[no-untyped-def]
    def run(arrays: Arrays, tree: Clos | None) -> Steps[LinkLoads]:
        make = carry_dmodk if routing == "dmodk" else carry_adaptive
        return make(arrays, tree, flows)

    return run


def test_a_dead_spine_slows_traffic_by_the_share_it_carried() -> None:
    # Four uplinks a leaf, each full under a shift by a leaf: three carry 4/3 when spread evenly; by D-mod-K one of
    # the three left carries two.
    fabric = graph_of(clos(Shape(leaves=4, spines=4, hosts=4)))
    flows = shift(gpus_on(arrays_of(fabric)), 4, 1e9)
    for routing, slowdown in (("adaptive", 4 / 3), ("dmodk", 2.0)):
        impacts = by_ref(finish(failure_pass(fabric, ("switch",), carry(flows, routing))))
        assert [impacts[f"spine-1-{n}"].slowdown for n in range(1, 5)] == pytest.approx([slowdown] * 4)
        # A leaf takes its four senders and four receivers away, and slows nobody else.
        assert impacts["leaf-1-1"].slowdown == pytest.approx(1.0)
        assert impacts["leaf-1-1"].lost_bytes == 8e9


def test_elements_with_other_bytes_on_them_are_judged_apart() -> None:
    fabric = graph_of(clos(Shape(leaves=3, spines=3, hosts=3)))
    flows = random_permutation(gpus_on(arrays_of(fabric)), 1e9, 2)
    run = carry(flows, "dmodk")
    impacts = by_ref(finish(failure_pass(fabric, ("cable",), run)))
    arrays = arrays_of(fabric)
    whole = busiest_s(arrays, finish(run(arrays, _tree(arrays))))
    assert whole
    for n, cable in enumerate(arrays.cables):
        left = arrays.without([n])
        after = busiest_s(left, finish(run(left, _tree(left))))
        assert after is not None
        assert impacts[cable].slowdown == pytest.approx(after / whole), cable


def _tree(arrays: Arrays) -> Clos:
    found = recognise(arrays)
    assert isinstance(found, Clos)
    return found


def test_any_set_of_parts_can_be_taken_away() -> None:
    design = clos(Shape())
    fabric = graph_of(design)
    (cable,) = between(design, "leaf-1-1", "spine-1-4")
    left = removed(fabric, ["spine-1-2", cable, "srv-1-1:osfp1"])
    assert bisection(left) == bisection(
        arrays_of(graph_of(failing(design, "spine-1-2", cable, "srv-1-1:osfp1")))
    )
    assert int((~left.up).sum()) == 4 + 1 + 2
    with pytest.raises(ProblemError, match="no cable, cage, switch"):
        removed(fabric, ["spine-9"])


def test_the_pass_says_how_far_it_is_and_can_be_left() -> None:
    steps = failure_pass(graph_of(clos(Shape(hosts=2))))
    seen = list(itertools.islice(steps, 3))
    assert [row.done for row in seen] == [0, 1, 2]
    assert all(isinstance(row, Progress) and row.of > 3 for row in seen)
    steps.close()


def test_unknown_rates_leave_the_loss_unknown() -> None:
    site = Site()
    leaf = site.switch("leaf-1", type_="blind-switch")
    for n in range(2):
        site.cable(site.device(f"srv-{n}", "dgx-h100"), "osfp1/1", leaf, f"port{n + 1}/1")
    impacts = finish(failure_pass(graph_of(site.done())))
    assert impacts
    cables = [x for x in impacts if x.element.kind == "cable"]
    # With one cable gone the other is still unknown; with the switch gone nothing is, and nothing is left.
    assert all(x.lost is None for x in impacts)
    assert all(x.bisection_bps.value is None for x in cables)


def test_a_pass_asks_of_what_is_left_after_faults() -> None:
    design = failing(clos(Shape()), "spine-1-1")
    impacts = by_ref(finish(failure_pass(graph_of(design), ("switch",))))
    # Three spines are left of four; the dead one takes nothing more, another a third.
    assert impacts["spine-1-1"].lost == 0.0
    assert impacts["spine-1-2"].lost == pytest.approx(1 / 3)


def test_rates_weigh_in_what_is_busiest() -> None:
    fabric: FabricGraph = graph_of(clos(Shape(leaves=2, spines=1, hosts=1)))
    arrays = arrays_of(fabric)
    loads = LinkLoads(np.array([50e9, 0.0, 0.0, 0.0]), np.array([0.0, 100e9, 0.0, 0.0]))
    assert busiest_s(arrays, loads) == 2.0
