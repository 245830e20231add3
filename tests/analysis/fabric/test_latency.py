"""Latency of a path, part by part."""

from __future__ import annotations

import pytest

from rackbuilder.analysis.fabric.latency import latency_between
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Override
from rackbuilder.units import Figure
from tests.analysis.fabric.clos_site import Shape, between, clos, failing, graph_of


def told(**latencies: float) -> Design:
    design = clos(Shape(leaves=2, spines=1, links=2, hosts=1))
    draft = Draft(design)
    draft.change("fabrics", "compute", **latencies)
    return design.apply(draft.patch("say"))


def test_every_part_of_a_path_counts() -> None:
    design = told(hop_latency_s=200e-9, nic_latency_s=600e-9)
    lengths = {cable: Figure(10.0) for cable in design.cables}
    found = latency_between(design, graph_of(design), "srv-1-1", "srv-2-1", lengths)
    assert found is not None
    assert found.path == ("srv-1-1", "leaf-1-1", "spine-1-1", "leaf-1-2", "srv-2-1")
    assert [part.what for part in found.parts] == ["nic", "cable", *["switch", "cable"] * 3, "nic"]
    # Two NICs, three switches, four cables of 10 m at 5 ns/m: 1,200 + 600 + 200 ns.
    assert found.total.value == pytest.approx(2000e-9)
    assert found.total.exact
    assert found.switches == 3


def test_what_is_unknown_stays_unknown() -> None:
    design = told(hop_latency_s=200e-9)
    found = latency_between(design, graph_of(design), "srv-1-1", "srv-2-1")
    assert found is not None
    assert found.total.value == pytest.approx(600e-9)
    assert found.total.at_least
    assert "nic_latency_s of compute" in found.total.missing
    nothing = latency_between(told(), graph_of(told()), "srv-1-1", "srv-2-1")
    assert nothing is not None
    assert nothing.total.value is None


def test_of_parallel_links_the_shortest_known_that_is_up() -> None:
    design = told()
    one, two = between(design, "leaf-1-1", "spine-1-1")
    lengths = {one: Figure(3.0), two: Figure(20.0)}
    found = latency_between(design, graph_of(design), "leaf-1-1", "spine-1-1", lengths)
    assert found is not None
    assert (found.parts[1].ref, found.parts[1].seconds.value) == (one, pytest.approx(15e-9))
    cut = failing(design, one)
    found = latency_between(cut, graph_of(cut), "leaf-1-1", "spine-1-1", lengths)
    assert found is not None
    assert (found.parts[1].ref, found.parts[1].seconds.value) == (two, pytest.approx(100e-9))


def test_a_switch_may_have_a_figure_of_its_own() -> None:
    design = told(hop_latency_s=200e-9)
    draft = Draft(design)
    draft.put("overrides", Override(id="ref/spine-1-1/hop_latency_s", value=500e-9))
    draft.put("overrides", Override(id="part/qm9700/hop_latency_s", value=300e-9))
    draft.change("fabrics", "compute", hop_latency_s=None)
    changed = design.apply(draft.patch("set"))
    found = latency_between(changed, graph_of(changed), "srv-1-1", "srv-2-1")
    assert found is not None
    switches = [part.seconds.value for part in found.parts if part.what == "switch"]
    assert switches == [300e-9, 500e-9, 300e-9]


def test_no_path_has_no_latency() -> None:
    design = failing(told(), "spine-1-1")
    assert latency_between(design, graph_of(design), "srv-1-1", "srv-2-1") is None
