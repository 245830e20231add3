"""Place, move, take out, delete, duplicate, rename, change type."""

from dataclasses import replace

import pytest

from rackbuilder.commands.cabling import Connect, ConnectBundle, Disconnect, SetPlug
from rackbuilder.commands.devices import (
    ChangeType,
    DeleteItems,
    DuplicateDevices,
    MoveDevice,
    PlaceDevice,
    Rename,
    UnplaceDevice,
)
from rackbuilder.commands.edit import AddNote, Waive
from rackbuilder.commands.fabrics import AddFabric
from rackbuilder.commands.groups import Group
from rackbuilder.commands.jobs import SetJob
from rackbuilder.commands.marks import AddFault, SetOverride
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import CableAssembly
from rackbuilder.errors import ProblemError
from tests.samples import CATALOG, built, edited, plan


def units(design: Design) -> dict[str, float | None]:
    return {d.id: d.u for d in design.devices.values()}


# ---- place


def test_a_server_goes_to_the_lowest_free_units() -> None:
    """8U each: U1, U9, U17, U25, U33 fill 40 of 42 units."""
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-server", rack="rack-01", count=5))
    assert list(units(design).values()) == [1, 9, 17, 25, 33]
    with pytest.raises(ProblemError, match="no free place for DGX H100"):
        edited(design, PlaceDevice(type="t-server", rack="rack-01"))


def test_ids_say_what_a_device_is() -> None:
    types = ["t-server", "t-tray", "t-nvswitch-tray", "t-qm9700", "t-storage", "t-pdu", "t-one-u"]
    design = built(*(PlaceDevice(type=t) for t in types), PlaceDevice(type="t-qm9700", role="leaf"))
    assert sorted(design.devices) == [
        "dev-01",
        "leaf-01",
        "nvsw-01",
        "pdu-01",
        "srv-0001",
        "stg-01",
        "sw-01",
        "tray-01",
    ]


def test_the_part_and_all_it_names_come_into_the_design() -> None:
    design = built(PlaceDevice(type="t-server"), PlaceDevice(type="t-qm9700"))
    assert set(design.parts) == {"t-server", "t-h100", "t-qm9700", "t-ndr"}


def test_a_type_of_the_design_wins_over_the_catalog() -> None:
    design = built(PlaceDevice(type="t-server"))
    newer = CATALOG.with_parts([CATALOG.device("t-server").model_copy(update={"u_height": 6.0})])
    after = edited(
        design,
        AddRack(type="t-rack-42"),
        PlaceDevice(type="t-server", rack="rack-01", count=2),
        catalog=newer,
    )
    assert after.devices["srv-0003"].u == 9


def test_an_unknown_type_is_refused_with_a_suggestion() -> None:
    with pytest.raises(ProblemError, match="Did you mean “t-server”"):
        built(PlaceDevice(type="t-sever"))
    with pytest.raises(ProblemError, match="is not a device"):
        built(PlaceDevice(type="t-rack-42"))


def test_the_first_switch_makes_its_fabric_and_later_ones_join() -> None:
    before = built()
    patch, design = plan(before, PlaceDevice(type="t-qm9700"))
    assert [c.table for c in patch.changes].count("fabrics") == 1
    assert design.fabrics["compute"].technology == "t-ndr"
    assert design.fabrics["compute"].roles == ("compute",)
    more = edited(design, PlaceDevice(type="t-qm9700", count=3), PlaceDevice(type="t-slow-switch"))
    assert {d.fabric for d in more.devices.values()} == {"compute"}
    assert list(more.fabrics) == ["compute"]


def test_switches_of_other_kinds_make_fabrics_of_their_own() -> None:
    design = built(
        PlaceDevice(type="t-sn2201"), PlaceDevice(type="t-qm9700"), PlaceDevice(type="t-roce-switch")
    )
    assert {f.id: f.technology for f in design.fabrics.values()} == {
        "out-of-band": "t-eth",
        "compute": "t-ndr",
        "storage": "t-roce",
    }


def test_a_switch_can_be_given_another_fabric_and_a_server_none() -> None:
    two = AddFabric(technology="t-ndr", roles=("compute",))
    design = built(PlaceDevice(type="t-qm9700"), two, PlaceDevice(type="t-qm9700", fabric="compute-2"))
    assert [d.fabric for d in design.devices.values()] == ["compute", "compute-2"]
    with pytest.raises(ProblemError, match="no switch"):
        edited(design, PlaceDevice(type="t-server", fabric="compute"))
    with pytest.raises(ProblemError, match="no fabric “compue”"):
        edited(design, PlaceDevice(type="t-qm9700", fabric="compue"))


def test_half_width_boxes_share_a_unit() -> None:
    design = built(AddRack(type="t-rack-1"), PlaceDevice(type="t-half-wide", rack="rack-01", count=2))
    assert [(d.u, d.slot) for d in design.devices.values()] == [(1, "left"), (1, "right")]
    typed = built(
        AddRack(type="t-rack-1"),
        PlaceDevice(type="t-half-wide", rack="rack-01", u=1),
        PlaceDevice(type="t-half-wide", rack="rack-01", u=1),
    )
    assert [d.slot for d in typed.devices.values()] == ["left", "right"]
    with pytest.raises(ProblemError, match="same place"):
        edited(typed, PlaceDevice(type="t-half-wide", rack="rack-01", u=1))


def test_pdus_stand_at_the_sides_in_turn() -> None:
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-pdu", rack="rack-01", count=2))
    assert [(d.u, d.slot) for d in design.devices.values()] == [(None, "side-left"), (None, "side-right")]


def test_names_are_numbered_and_an_id_can_be_given() -> None:
    design = built(
        PlaceDevice(type="t-server", count=3, name="gpu-##"), PlaceDevice(type="t-server", name="gpu-##")
    )
    assert [d.name for d in design.devices.values()] == ["gpu-01", "gpu-02", "gpu-03", "gpu-04"]
    named = built(PlaceDevice(type="t-server", id="first"), PlaceDevice(type="t-server"))
    assert list(named.devices) == ["first", "srv-0001"]
    for bad in ("first", "a b", "a:b"):
        with pytest.raises(ProblemError, match="cannot be the id"):
            edited(named, PlaceDevice(type="t-server", id=bad))


def test_an_id_given_in_a_script_is_never_given_again() -> None:
    design = built(PlaceDevice(type="t-server", id="srv-0001"), PlaceDevice(type="t-server"))
    assert list(design.devices) == ["srv-0001", "srv-0002"]


def test_a_drawn_place_is_pinned() -> None:
    pin = built(PlaceDevice(type="t-server", x=10, y=20.5)).tables["drawing"]["fabric/srv-0001"]
    assert (pin.x, pin.y, pin.pinned) == (10, 20.5, True)


# ---- move


def rack_of_four() -> Design:
    return built(
        AddRack(type="t-rack-42", count=2), PlaceDevice(type="t-one-u", rack="rack-01", u=1, count=4)
    )


def test_several_devices_keep_their_distance() -> None:
    design = edited(rack_of_four(), MoveDevice(devices=("dev-01", "dev-03"), rack="rack-02", u=20))
    assert (units(design)["dev-01"], units(design)["dev-03"]) == (20, 22)
    assert {d.rack for d in design.devices.values() if d.u in (20, 22)} == {"rack-02"}


def test_neighbours_move_by_one_without_standing_in_each_others_way() -> None:
    design = edited(rack_of_four(), MoveDevice(devices=tuple(f"dev-0{n}" for n in (1, 2, 3, 4)), by=1))
    assert list(units(design).values()) == [2, 3, 4, 5]


def test_a_move_onto_another_names_the_blocker_and_changes_nothing() -> None:
    design = rack_of_four()
    with pytest.raises(ProblemError, match="dev-02"):
        edited(design, MoveDevice(devices=("dev-01",), u=2))
    assert units(design)["dev-01"] == 1


def test_to_another_rack_without_a_unit_means_the_same_or_the_lowest_free() -> None:
    design = edited(rack_of_four(), MoveDevice(devices=("dev-03",), rack="rack-02"))
    assert units(design)["dev-03"] == 3
    again = edited(
        design,
        PlaceDevice(type="t-one-u", rack="rack-01", u=3),
        MoveDevice(devices=("dev-03",), rack="rack-01"),
    )
    assert units(again)["dev-03"] == 5


def test_a_move_that_changes_nothing_makes_no_patch() -> None:
    design = rack_of_four()
    assert MoveDevice(devices=("dev-02",), u=2).plan(design, CATALOG).empty
    assert MoveDevice(devices=("dev-02",), rack="rack-01", u=2, face="front").plan(design, CATALOG).empty


def test_one_step_holds_unit_and_side_and_undo_brings_both_back() -> None:
    design = built(
        AddRack(type="t-rack-42"), PlaceDevice(type="t-half-wide", rack="rack-01", u=10, slot="left")
    )
    patch, moved = plan(design, MoveDevice(devices=("dev-01",), u=12, slot="right"))
    assert (moved.devices["dev-01"].u, moved.devices["dev-01"].slot) == (12, "right")
    back = moved.apply(patch.inverted())
    assert (back.devices["dev-01"].u, back.devices["dev-01"].slot) == (10, "left")
    again = back.apply(patch)
    assert again.same(moved)


def test_an_unplaced_device_needs_a_rack() -> None:
    with pytest.raises(ProblemError, match="stands in no rack"):
        edited(built(PlaceDevice(type="t-one-u")), MoveDevice(devices=("dev-01",), u=3))


def test_a_device_out_of_its_rack_keeps_its_cables() -> None:
    design = edited(
        small(), AddRack(type="t-rack-42"), MoveDevice(devices=("srv-0001",), rack="rack-01", u=1)
    )
    out = edited(design, UnplaceDevice(devices=("srv-0001",)))
    assert (out.devices["srv-0001"].rack, out.devices["srv-0001"].u) == ("", None)
    assert len(out.cables) == len(design.cables) == 16


# ---- delete


def small() -> Design:
    """Two servers on two leaves, eight rails each: 16 cables."""
    return built(
        PlaceDevice(type="t-server", count=2),
        PlaceDevice(type="t-qm9700", count=2, role="leaf"),
        ConnectBundle(sources=("srv-0001", "srv-0002"), targets=("leaf-01", "leaf-02")),
    )


def test_a_device_goes_with_its_cables_and_every_mark_that_names_it() -> None:
    design = edited(
        small(),
        AddFault(ref="srv-0001.gpu3"),
        AddNote(ref="srv-0001", text="loan"),
        Waive(rule="fabric.one-leaf", refs=("srv-0001", "leaf-01"), reason="lab"),
        SetOverride(key="ref/srv-0001/power_max_w", value=9000),
        SetPlug(cage="srv-0001:osfp1", part="t-optic"),
        PlaceDevice(type="t-server", x=1, y=1),
        SetJob(workload="gpt", where=("srv-0001", "srv-0002")),
    )
    gone = edited(design, DeleteItems(refs=("srv-0001",)))
    assert "srv-0001" not in gone.devices
    assert len(gone.cables) == 8
    assert [gone.tables[t] for t in ("faults", "notes", "waivers", "overrides", "plugs")] == [{}] * 5
    assert gone.jobs["job-01"].where == ("srv-0002",)
    assert "fabric/srv-0003" in gone.tables["drawing"]


def test_a_job_is_not_spread_over_everything_when_its_last_place_goes() -> None:
    design = edited(small(), SetJob(workload="gpt", where=("srv-0001",)), DeleteItems(refs=("srv-0001",)))
    assert design.jobs["job-01"].where == ("srv-0001",)


def test_a_rack_goes_with_what_is_in_it_or_leaves_it() -> None:
    design = rack_of_four()
    assert not edited(design, DeleteItems(refs=("rack-01",))).devices
    kept = edited(design, DeleteItems(refs=("rack-01",), keep_devices=True))
    assert list(units(kept).values()) == [None] * 4
    assert list(kept.racks) == ["rack-02"]


def test_a_rack_and_a_device_in_it_can_be_deleted_together() -> None:
    patch, after = plan(rack_of_four(), DeleteItems(refs=("dev-01", "rack-01", "dev-01")))
    assert not after.devices
    assert patch.label == "Delete 3 items"


def test_switches_and_members_stay_when_their_fabric_or_group_goes() -> None:
    design = edited(small(), Group(refs=("srv-0001", "leaf-01"), name="pair"))
    after = edited(design, DeleteItems(refs=("compute", "grp-01")))
    assert not after.fabrics
    assert not after.groups
    assert {d.fabric for d in after.devices.values()} == {""}
    assert after.devices["srv-0001"].groups == ()
    assert len(after.cables) == 16


def test_the_optic_of_a_cage_goes_with_its_last_cable() -> None:
    """A twin-port cage keeps its optic while one of its two links is left."""
    design = edited(small(), SetPlug(cage="leaf-01:osfp1", part="t-optic"))
    first, second = (design.indexes.ends["leaf-01"][f"osfp1/{n}"][0] for n in (1, 2))
    one_left = edited(design, DeleteItems(refs=(first,)))
    assert "leaf-01:osfp1" in one_left.tables["plugs"]
    assert not edited(one_left, DeleteItems(refs=(second,))).tables["plugs"]


def test_an_assembly_goes_with_its_last_cable() -> None:
    """A splitter is one bought thing with two links."""
    design = edited(small(), Disconnect(refs=("srv-0002",)))
    bought = CableAssembly(id="asm-01")
    links = [replace(design.cables[c], assembly="asm-01") for c in list(design.cables)[:2]]
    changes = [Change("assemblies", "asm-01", None, bought)]
    changes += [Change("cables", link.id, design.cables[link.id], link) for link in links]
    design = design.apply(Patch("splitter", tuple(changes)))
    one = edited(design, DeleteItems(refs=(links[0].id,)))
    assert "asm-01" in one.tables["assemblies"]
    assert not edited(one, DeleteItems(refs=(links[1].id,))).tables["assemblies"]


def test_what_is_no_record_is_refused_with_a_reason() -> None:
    with pytest.raises(ProblemError, match="is a part of srv-0001"):
        edited(small(), DeleteItems(refs=("srv-0001:osfp1/1",)))
    with pytest.raises(ProblemError, match="Did you mean “srv-0001”"):
        edited(small(), DeleteItems(refs=("srv-001",)))


# ---- duplicate


def test_a_copy_stands_in_the_same_rack_and_carries_inner_cables_only() -> None:
    design = built(
        AddRack(type="t-rack-42"),
        PlaceDevice(type="t-server", rack="rack-01"),
        PlaceDevice(type="t-qm9700", rack="rack-01", u=9, count=2),
        Connect(a="srv-0001:osfp1/1", b="sw-01:osfp1/1"),
        Connect(a="srv-0001:osfp1/2", b="sw-02:osfp1/1"),
    )
    after = edited(design, DuplicateDevices(devices=("srv-0001", "sw-01")))
    assert (after.devices["srv-0002"].u, after.devices["sw-03"].u) == (11, 19)
    assert len(after.cables) == 3
    assert after.cables["cbl-0003"].a.device == "srv-0002"
    assert after.cables["cbl-0003"].b.device == "sw-03"


def test_copies_follow_each_other_by_a_step() -> None:
    design = edited(rack_of_four(), DuplicateDevices(devices=("dev-01",), count=3, step=10))
    assert [units(design)[f"dev-0{n}"] for n in (5, 6, 7)] == [11, 21, 31]


def test_a_copy_finds_no_room_and_stands_in_no_rack() -> None:
    design = built(AddRack(type="t-rack-1"), PlaceDevice(type="t-one-u", rack="rack-01"))
    copy = edited(design, DuplicateDevices(devices=("dev-01",))).devices["dev-02"]
    assert (copy.rack, copy.u) == ("", None)


def test_names_of_copies_count_on() -> None:
    design = built(PlaceDevice(type="t-server", count=2, name="srv-00#"))
    names = [d.name for d in edited(design, DuplicateDevices(devices=("srv-0001",))).devices.values()]
    assert names == ["srv-001", "srv-002", "srv-003"]


# ---- rename


@pytest.mark.parametrize("name", ["Σ", "机柜", "🖥️", "مركز", "e\u0301", "x" * 500, 'say "no"', "a\\b", ""])
def test_names_of_every_script_are_kept(name: str) -> None:
    assert edited(small(), Rename(ref="srv-0001", name=name)).devices["srv-0001"].name == name


@pytest.mark.parametrize("name", ["a\nb", "a\x00b", "a\tb", "a\x7fb", "a\u2028b", "\ud800", "x" * 501])
def test_control_characters_and_endless_names_are_refused(name: str) -> None:
    with pytest.raises(ProblemError, match=r"control character|limit is 500"):
        edited(small(), Rename(ref="srv-0001", name=name))


def test_parts_racks_and_fabrics_can_be_renamed_too() -> None:
    design = edited(small(), AddRack(type="t-rack-42"), Rename(ref="compute", name="Fabric A"))
    design = edited(design, Rename(ref="rack-01", name="A01"), Rename(ref="t-server", name="Our server"))
    assert design.fabrics["compute"].name == "Fabric A"
    assert design.racks["rack-01"].label == "A01"
    assert design.parts["t-server"].name == "Our server"
    assert edited(design, PlaceDevice(type="t-one-u", rack="A01")).devices["dev-01"].rack == "rack-01"


def test_a_name_of_two_records_does_not_stand_for_one() -> None:
    design = edited(small(), Rename(ref="srv-0001", name="twin"), Rename(ref="srv-0002", name="twin"))
    with pytest.raises(ProblemError, match=r"name of 2 records[\s\S]*srv-0001, srv-0002"):
        edited(design, DeleteItems(refs=("twin",)))


# ---- change type


def test_cables_stay_port_for_port() -> None:
    design = edited(small(), ChangeType(devices=("leaf-01", "leaf-02"), type="t-roce-switch"))
    assert len(design.cables) == 16
    assert {d.type for d in design.devices.values()} == {"t-server", "t-roce-switch"}
    # All switches of the fabric changed, so the fabric speaks the new technology.
    assert design.fabrics["compute"].technology == "t-roce"


def test_one_switch_of_several_leaves_its_fabric() -> None:
    design = edited(small(), ChangeType(devices=("leaf-02",), type="t-roce-switch"))
    assert design.fabrics["compute"].technology == "t-ndr"
    assert design.devices["leaf-02"].fabric != "compute"


def test_a_lost_port_refuses_and_lists_the_cables() -> None:
    """Two servers with eight rails on two leaves use eight ports of each: osfp1/1 to osfp4/2."""
    design = small()
    with pytest.raises(ProblemError) as caught:
        edited(design, ChangeType(devices=("leaf-01",), type="t-small-switch"))
    # The small switch has osfp1/1 to osfp4/1: the four links in osfpN/2 would be lost.
    assert len(caught.value.problems) == 4
    assert all("has no port osfp" in p.what for p in caught.value.problems)
    after = edited(design, ChangeType(devices=("leaf-01",), type="t-small-switch", drop_cables=True))
    assert len(after.cables) == 12
