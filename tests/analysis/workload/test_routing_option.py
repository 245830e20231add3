"""A job under a chosen routing, from its options to the times at its boundaries."""

from __future__ import annotations

import pytest

from rackbuilder.design.draft import Draft
from tests.analysis.workload.samples import answer, job
from tests.topology.samples import superpod


def test_a_ring_over_two_units_fills_one_uplink_of_each_leaf() -> None:
    # 64 servers, a data-parallel ring on each rail. It leaves each leaf once, with all that a NIC sends: over 32
    # uplinks when spread, over one of them when each destination has one way.
    design = superpod(2)
    even = answer(design, job(sizes={"tp": 8, "dp": 64})).loads
    fixed = answer(design, job(sizes={"tp": 8, "dp": 64}, options={"routing": "dmodk"})).loads
    nic = even.boundary_time_s["nic"].value
    assert nic
    assert even.boundary_time_s["leaf_up"].value == pytest.approx(nic / 32)
    assert fixed.boundary_time_s["leaf_up"].value == pytest.approx(nic)
    assert fixed.boundary_time_s["nic"].value == nic


def test_the_fabric_may_say_it_and_the_assumption_does() -> None:
    design = superpod(2)
    draft = Draft(design)
    draft.change("fabrics", "compute", routing="ecmp")
    hashed = answer(design.apply(draft.patch("route")), job(sizes={"tp": 8, "dp": 64})).loads
    (text,) = [row.text for row in hashed.assumptions if row.name == "routing"]
    assert "ECMP" in text
    # One flow leaves a leaf: hashed onto 32 uplinks it is all on one, 32 times the mean.
    nic = hashed.boundary_time_s["nic"].value
    assert nic
    assert hashed.boundary_time_s["leaf_up"].value == pytest.approx(nic)
    spread = answer(design, job(sizes={"tp": 8, "dp": 64}, options={"routing": "adaptive"})).loads
    (text,) = [row.text for row in spread.assumptions if row.name == "routing"]
    assert "adaptive" in text
