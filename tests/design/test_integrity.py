"""Fit: what cannot physically be, on every path that leads to it."""

from dataclasses import replace

import pytest

from rackbuilder.commands.cabling import Connect
from rackbuilder.commands.devices import MoveDevice, PlaceDevice, SetProperty
from rackbuilder.commands.parts import CopyPart, SetPartField
from rackbuilder.commands.racks import AddRack, PlaceRackSystem
from rackbuilder.design.design import Design, build
from rackbuilder.design.geometry import Span
from rackbuilder.design.integrity import misfits, new_misfits
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import TABLE_NAMES, Cable, Device, End
from rackbuilder.errors import ProblemError
from tests.samples import built, edited


def rules(design: Design) -> list[str]:
    return [p.rule for p in misfits(design)]


def forced(design: Design, table: str, record: Device | Cable) -> Design:
    """A design that holds a misfit, as a file can: no check of an edit comes between."""
    before = design.tables[table].get(record.id)
    return design.apply(Patch("file", (Change(table, record.id, before, record),)))


# ---- a property edit takes the same check as a drop


def test_turning_a_device_onto_another_is_refused_with_the_blocker() -> None:
    design = built(
        AddRack(type="t-rack-42"),
        PlaceDevice(type="t-half-deep", rack="rack-01", u=10, face="front", name="front box"),
        PlaceDevice(type="t-half-deep", rack="rack-01", u=10, face="rear", name="rear box"),
    )
    assert not list(misfits(design))
    with pytest.raises(ProblemError, match=r"rear box.*front box|front box.*rear box"):
        edited(design, SetProperty(ref="dev-01", field="face", value="rear"))
    with pytest.raises(ProblemError, match="same place"):
        edited(design, MoveDevice(devices=("dev-01",), face="rear"))


def test_a_full_depth_device_blocks_both_faces() -> None:
    design = built(
        AddRack(type="t-rack-42"), PlaceDevice(type="t-half-deep", rack="rack-01", u=10, face="rear")
    )
    with pytest.raises(ProblemError, match="same place"):
        edited(design, PlaceDevice(type="t-one-u", rack="rack-01", u=10))


def test_a_height_that_grows_into_a_neighbour_is_refused() -> None:
    design = built(
        AddRack(type="t-rack-42"),
        CopyPart(base="t-one-u", id="t-own"),
        PlaceDevice(type="t-own", rack="rack-01", u=10),
        PlaceDevice(type="t-one-u", rack="rack-01", u=11),
    )
    with pytest.raises(ProblemError, match="same place"):
        edited(design, SetPartField(part="t-own", field="u_height", value=2))
    grown = edited(design, SetPartField(part="t-own", field="u_height", value=0.5))
    assert not list(misfits(grown))


def test_undo_is_never_refused_for_fit_and_the_misfit_is_a_finding() -> None:
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-one-u", rack="rack-01", u=10))
    bad = forced(design, "devices", Device(id="dev-09", type="t-one-u", rack="rack-01", u=10))
    assert rules(bad) == ["space.collision"]
    assert {ref for p in misfits(bad) for ref in p.refs} == {"dev-01", "dev-09"}


def test_a_misfit_that_stood_before_does_not_refuse_another_edit() -> None:
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-one-u", rack="rack-01", u=10))
    bad = forced(design, "devices", Device(id="dev-09", type="t-one-u", rack="rack-01", u=10))
    after = edited(bad, PlaceDevice(type="t-one-u", rack="rack-01", u=20))
    assert rules(after) == ["space.collision"]
    healed = edited(bad, MoveDevice(devices=("dev-09",), u=30))
    assert rules(healed) == []


# ---- half units


def test_two_half_unit_boxes_share_a_unit_and_a_third_does_not() -> None:
    box = {"type": "t-half-u", "rack": "rack-01"}
    design = built(AddRack(type="t-rack-1"), PlaceDevice(**box, u=1), PlaceDevice(**box, u=1.5))
    assert [d.u for d in design.devices.values()] == [1.0, 1.5]
    with pytest.raises(ProblemError, match="no free place"):
        edited(design, PlaceDevice(**box))
    with pytest.raises(ProblemError, match="same place"):
        edited(design, PlaceDevice(**box, u=1.5))


def test_half_unit_boxes_find_the_half_by_themselves() -> None:
    design = built(AddRack(type="t-rack-1"), PlaceDevice(type="t-half-u", rack="rack-01", count=2))
    assert sorted(d.u or 0 for d in design.devices.values()) == [1.0, 1.5]


def test_boxes_of_three_and_a_half_units_stack_without_a_gap() -> None:
    box = {"type": "t-odd-u", "rack": "rack-01"}
    design = built(AddRack(type="t-rack-42"), PlaceDevice(**box, u=10), PlaceDevice(**box, u=13.5))
    assert not list(misfits(design))
    with pytest.raises(ProblemError, match="same place"):
        edited(design, PlaceDevice(type="t-half-u", rack="rack-01", u=16.5))
    assert not list(misfits(edited(design, PlaceDevice(type="t-half-u", rack="rack-01", u=17))))


def test_a_third_of_a_unit_is_refused() -> None:
    design = built(AddRack(type="t-rack-42"))
    with pytest.raises(ProblemError, match="no whole or half unit"):
        edited(design, PlaceDevice(type="t-half-u", rack="rack-01", u=5.333))


def test_arrow_keys_step_by_half_a_unit() -> None:
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-half-u", rack="rack-01", u=5))
    assert edited(design, MoveDevice(devices=("dev-01",), by=0.5)).devices["dev-01"].u == 5.5


# ---- the ends of the rack


@pytest.mark.parametrize("height", [1, 42, 48, 52, 100])
def test_the_top_unit_can_be_used_and_the_one_above_cannot(height: int) -> None:
    rack = AddRack(type=f"t-rack-{height}")
    top = built(rack, PlaceDevice(type="t-one-u", rack="rack-01", u=height))
    assert not list(misfits(top))
    with pytest.raises(ProblemError, match=f"U1–U{height}"):
        built(rack, PlaceDevice(type="t-one-u", rack="rack-01", u=height + 1))
    with pytest.raises(ProblemError, match="would fill"):
        built(rack, PlaceDevice(type="t-one-u", rack="rack-01", u=0))


def test_a_device_dropped_by_its_upper_edge_does_not_hang_below_the_rack() -> None:
    """4U held at the top and dropped at U2 would fill U-1 to U2."""
    design = built(AddRack(type="t-rack-42"))
    with pytest.raises(ProblemError, match="would fill U-1–U2; rack-01 has U1–U42"):
        edited(design, PlaceDevice(type="t-four-u", rack="rack-01", u=-1))


def test_a_lower_rack_is_refused_while_devices_would_fall_out() -> None:
    design = built(
        CopyPart(base="t-rack-42", id="t-own-rack"),
        AddRack(type="t-own-rack"),
        PlaceDevice(type="t-four-u", rack="rack-01", u=39, name="top box"),
        PlaceDevice(type="t-one-u", rack="rack-01", u=30, name="low box"),
    )
    with pytest.raises(ProblemError, match="top box") as caught:
        edited(design, SetPartField(part="t-own-rack", field="u_height", value=36))
    assert len(caught.value.problems) == 1
    after = edited(design, SetPartField(part="t-own-rack", field="u_height", value=42))
    assert after is design


# ---- trays


def test_a_tray_stands_in_its_own_rack_and_position_only() -> None:
    design = built(AddRack(type="t-rack-42"), PlaceRackSystem(type="t-nvl72"))
    assert not list(misfits(design))
    with pytest.raises(ProblemError, match="mounts in t-nvl72 only"):
        edited(design, MoveDevice(devices=("tray-01",), rack="rack-01", u=1))
    with pytest.raises(ProblemError, match="Its positions are U6–U15, U25–U32"):
        edited(design, MoveDevice(devices=("tray-01",), u=16), MoveDevice(devices=("nvsw-01",), u=40))
    with pytest.raises(ProblemError, match="own trays only"):
        edited(design, PlaceDevice(type="t-one-u", rack="rack-02", u=40))


# ---- cables


def cabled() -> Design:
    return built(PlaceDevice(type="t-server"), PlaceDevice(type="t-qm9700"))


def test_a_port_that_is_not_there_and_one_used_twice_are_misfits() -> None:
    design = edited(cabled(), Connect(a="srv-0001:osfp1/1", b="sw-01:osfp1/1"))
    ghost = Cable(id="cbl-0008", a=End("srv-0001", "osfp9/1"), b=End("sw-01", "osfp2/1"))
    twice = Cable(id="cbl-0009", a=End("srv-0001", "osfp1/1"), b=End("sw-01", "osfp2/2"))
    bad = forced(forced(design, "cables", ghost), "cables", twice)
    assert sorted(rules(bad)) == ["cabling.port", "cabling.port-twice"]
    # A broken cable is kept and listed; nothing else of the design is touched.
    assert set(bad.cables) == {"cbl-0001", "cbl-0008", "cbl-0009"}


def test_a_plug_that_does_not_go_into_the_cage_is_refused() -> None:
    with pytest.raises(ProblemError, match="does not fit"):
        edited(cabled(), Connect(a="srv-0001:osfp1/1", b="sw-01:osfp1/1", part="t-cat6"))


def test_a_cage_is_split_only_as_its_type_allows() -> None:
    design = edited(cabled(), SetProperty(ref="sw-01", field="modes.osfp1", value=2))
    split = edited(design, Connect(a="srv-0001:osfp1/1", b="sw-01:osfp1/2.1"))
    assert split.cables["cbl-0001"].b.port == "osfp1/2.1"
    with pytest.raises(ProblemError, match=r"has no port osfp1/2\.1"):
        edited(split, SetProperty(ref="sw-01", field="modes.osfp1", value=1))
    with pytest.raises(ProblemError, match="cannot be split 4 ways"):
        edited(design, SetProperty(ref="sw-01", field="modes.osfp2", value=4))


def test_a_look_at_what_changed_finds_what_a_look_at_all_finds() -> None:
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-one-u", rack="rack-01", count=3))
    moved = replace(design.devices["dev-03"], u=2.0)
    patch = Patch("x", (Change("devices", "dev-03", design.devices["dev-03"], moved),))
    after = design.apply(patch)
    assert new_misfits(design, after, patch) == tuple(misfits(after))


def test_a_design_of_thousands_is_built_with_the_same_indexes() -> None:
    design = edited(cabled(), Connect(a="srv-0001", b="sw-01"))
    rows = [Change(t, i, None, r) for t in TABLE_NAMES for i, r in design.tables[t].items()]
    assert build(rows).indexes == design.indexes


def test_spans_read_as_people_say_them() -> None:
    assert [Span(1, 9).text(), Span(5, 6).text(), Span(5.5, 6).text()] == ["U1–U8", "U5", "U5.5"]
    assert Span(1, 2).meets(Span(1.5, 2.5))
    assert not Span(1, 2).meets(Span(2, 3))
