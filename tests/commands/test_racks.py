"""Racks, rack-scale systems, limits, filling."""

import pytest

from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.racks import AddRack, FillRack, MoveRack, PlaceRackSystem, RackLimits
from rackbuilder.design.integrity import misfits
from rackbuilder.errors import ProblemError
from rackbuilder.topology.graphs import build_graphs
from tests.samples import CATALOG, built, edited, plan


def test_racks_stand_side_by_side_by_their_width() -> None:
    """600 mm each."""
    design = built(AddRack(type="t-rack-42", count=3, name="A##", x_m=1, y_m=3))
    assert [(r.name, r.x_m, r.y_m) for r in design.racks.values()] == [
        ("A01", 1, 3),
        ("A02", 1.6, 3),
        ("A03", 2.2, 3),
    ]
    more = edited(design, AddRack(type="t-rack-42", name="A##"))
    assert more.racks["rack-04"].name == "A04"
    assert more.racks["rack-04"].x_m is None


def test_a_rack_scale_system_comes_with_all_its_trays_in_one_step() -> None:
    """72 GPUs in one domain, 18 compute trays, 9 NVLink switch trays (DGX GB200 user guide)."""
    patch, design = plan(built(), PlaceRackSystem(type="t-nvl72", name="N##"))
    assert patch.label == "Place GB200 NVL72"
    assert sum(d.type == "t-tray" for d in design.devices.values()) == 18
    assert sum(d.type == "t-nvswitch-tray" for d in design.devices.values()) == 9
    assert not list(misfits(design))
    assert [domain.size for domain in build_graphs(design).domains] == [72]
    assert design.devices["tray-01"].name == "N01 C01"
    assert not design.apply(patch.inverted()).devices


def test_a_plain_rack_is_no_system() -> None:
    with pytest.raises(ProblemError, match="has no trays of its own"):
        built(PlaceRackSystem(type="t-rack-42"))
    with pytest.raises(ProblemError, match="is not a rack"):
        built(AddRack(type="t-server"))


def test_racks_keep_their_distance_when_moved() -> None:
    design = built(AddRack(type="t-rack-42", count=2, x_m=0, y_m=0))
    moved = edited(design, MoveRack(racks=("rack-02", "rack-01"), x_m=10, y_m=5, facing="north"))
    assert (moved.racks["rack-02"].x_m, moved.racks["rack-01"].x_m) == (10, 9.4)
    assert {(r.y_m, r.facing) for r in moved.racks.values()} == {(5, "north")}


def test_limits_are_set_left_and_taken_away() -> None:
    design = built(AddRack(type="t-rack-42", power_limit_w=40_000))
    both = edited(design, RackLimits(racks=("rack-01",), weight_limit_kg=1000))
    assert (both.racks["rack-01"].power_limit_w, both.racks["rack-01"].weight_limit_kg) == (40_000, 1000)
    bare = edited(both, RackLimits(racks=("rack-01",), power_limit_w=0, weight_limit_kg=0))
    assert (bare.racks["rack-01"].power_limit_w, bare.racks["rack-01"].weight_limit_kg) == (None, None)
    assert RackLimits(racks=("rack-01",)).plan(design, CATALOG).empty


def test_a_rack_is_filled_with_what_fits() -> None:
    """42U less a switch at U42 hold five servers of 8U."""
    start = built(AddRack(type="t-rack-42", name="A01"), PlaceDevice(type="t-one-u", rack="A01", u=42))
    patch, design = plan(start, FillRack(rack="A01", type="t-server"))
    assert patch.label == "Fill A01 with 5 DGX H100"
    assert [d.u for d in design.devices.values() if d.type == "t-server"] == [1, 9, 17, 25, 33]
    with pytest.raises(ProblemError, match="5 of 6 DGX H100 fit in A01"):
        edited(start, FillRack(rack="A01", type="t-server", count=6))
    with pytest.raises(ProblemError, match="no free place"):
        edited(design, FillRack(rack="A01", type="t-server"))


def test_half_units_and_half_widths_fill_every_half() -> None:
    assert len(built(AddRack(type="t-rack-1"), FillRack(rack="rack-01", type="t-half-u")).devices) == 2
    assert len(built(AddRack(type="t-rack-1"), FillRack(rack="rack-01", type="t-half-wide")).devices) == 2


def test_a_system_rack_takes_only_its_trays() -> None:
    design = built(AddRack(type="t-nvl72"))
    filled = edited(design, FillRack(rack="rack-01", type="t-tray"))
    assert [d.u for d in filled.devices.values()] == [*range(6, 16), *range(25, 33)]
    with pytest.raises(ProblemError, match="no free place"):
        edited(design, FillRack(rack="rack-01", type="t-server"))
