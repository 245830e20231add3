"""Copy and paste: new ids, inner cables only, within a document and into another."""

from collections import Counter

import pytest

from rackbuilder.commands.cabling import Connect, ConnectBundle, SetPlug
from rackbuilder.commands.clipboard import Clip, Paste, copy
from rackbuilder.commands.devices import DeleteItems, PlaceDevice, SetProperty
from rackbuilder.commands.groups import Group
from rackbuilder.commands.parts import CopyPart, SetPartField
from rackbuilder.commands.racks import AddRack, PlaceRackSystem
from rackbuilder.design.design import Design
from rackbuilder.design.integrity import misfits
from rackbuilder.errors import ProblemError
from rackbuilder.topology.graphs import build_graphs
from tests.samples import CATALOG, built, edited, plan


def mixed() -> Design:
    """20 devices and 2 spines: 12 servers, 8 leaves, a cable each from 12 x 8 rails, and 16 to the spines."""
    return built(
        AddRack(type="t-rack-42", count=4, name="A##"),
        *(PlaceDevice(type="t-server", rack=f"rack-0{n}", count=4) for n in (1, 2, 3)),
        PlaceDevice(type="t-qm9700", rack="rack-04", count=8, role="leaf"),
        PlaceDevice(type="t-qm9700", rack="rack-04", count=2, role="spine"),
        ConnectBundle(
            sources=tuple(f"srv-{n:04d}" for n in range(1, 13)),
            targets=tuple(f"leaf-0{n}" for n in range(1, 9)),
        ),
        ConnectBundle(sources=tuple(f"leaf-0{n}" for n in range(1, 9)), targets=("spine-01", "spine-02")),
    )


TWENTY = (*(f"srv-{n:04d}" for n in range(1, 13)), *(f"leaf-0{n}" for n in range(1, 9)))


def ends_used_once(design: Design) -> bool:
    count = Counter(end for cable in design.cables.values() for end in (cable.a, cable.b))
    return max(count.values(), default=0) == 1


def test_twenty_devices_pasted_twice() -> None:
    before = mixed()
    clip = copy(before, TWENTY)
    assert (len(clip.devices), len(clip.cables), clip.outer) == (20, 96, 16)
    patch, once = plan(before, Paste(clip=clip))
    assert patch.label == "Paste 20 devices (16 cables to others left out)"
    twice = edited(once, Paste(clip=clip))
    assert len(twice.devices) == 22 + 40
    assert len(twice.cables) == 112 + 192
    assert ends_used_once(twice)
    assert not list(misfits(twice))
    # What was there is the very same; what came is all new and names only what came.
    assert all(twice.devices[d] == before.devices[d] for d in before.devices)
    assert all(twice.cables[c] == before.cables[c] for c in before.cables)
    new = set(once.devices) - set(before.devices)
    assert all({c.a.device, c.b.device} <= new for i, c in once.cables.items() if i not in before.cables)


def test_a_paste_into_another_document_brings_parts_and_fabric() -> None:
    clip = Clip.model_validate_json(copy(mixed(), TWENTY).model_dump_json())
    other = built(PlaceDevice(type="t-sn2201"))
    after = edited(other, Paste(clip=clip))
    assert len(after.devices) == 21
    assert len(after.cables) == 96
    assert after.fabrics["compute"].technology == "t-ndr"
    assert ends_used_once(after)
    assert {d.rack for d in after.devices.values()} == {""}
    assert build_graphs(after).fabrics["compute"].of_kind("server")


def test_cut_and_paste_gives_new_ids() -> None:
    before = mixed()
    clip = copy(before, TWENTY)
    after = edited(before, DeleteItems(refs=TWENTY), Paste(clip=clip))
    assert len(after.devices) == 22
    assert not set(TWENTY) & set(after.devices)
    assert len(after.cables) == 96


def test_a_clip_is_the_same_whatever_the_order_of_the_selection() -> None:
    design = mixed()
    assert copy(design, TWENTY) == copy(design, tuple(reversed(TWENTY)))


def test_a_paste_goes_to_a_rack_and_unit_and_repeats_by_a_step() -> None:
    design = built(
        AddRack(type="t-rack-42", count=2), PlaceDevice(type="t-one-u", rack="rack-01", u=5, count=2)
    )
    clip = copy(design, ("dev-01", "dev-02"))
    after = edited(design, Paste(clip=clip, rack="rack-02", u=10, count=3, step=4))
    assert [d.u for d in after.devices.values() if d.rack == "rack-02"] == [10, 11, 14, 15, 18, 19]
    free = edited(design, Paste(clip=clip, rack="rack-02", count=2))
    assert [d.u for d in free.devices.values() if d.rack == "rack-02"] == [1, 2, 3, 4]
    with pytest.raises(ProblemError, match="same place"):
        edited(design, Paste(clip=clip, rack="rack-01", u=6))


def test_a_full_rack_that_was_asked_for_refuses() -> None:
    design = built(AddRack(type="t-rack-1", count=2), PlaceDevice(type="t-one-u", rack="rack-01"))
    clip = copy(design, ("dev-01",))
    with pytest.raises(ProblemError, match="no free place"):
        edited(design, Paste(clip=clip, rack="rack-01"))


def test_a_rack_is_copied_with_all_in_it_and_stands_beside() -> None:
    design = built(PlaceRackSystem(type="t-nvl72", name="N01", x_m=0, y_m=0))
    after = edited(design, Paste(clip=copy(design, ("rack-01",)), count=2))
    assert [(r.name, r.x_m) for r in after.racks.values()] == [("N01", 0), ("N02", 0.6), ("N03", 1.2)]
    assert [d.size for d in build_graphs(after).domains] == [72, 72, 72]
    assert not list(misfits(after))


def test_a_copy_does_not_claim_to_be_the_same_thing() -> None:
    design = edited(
        built(PlaceDevice(type="t-server", name="gpu-07")),
        SetProperty(ref="srv-0001", field="tags.serial", value="42"),
        SetProperty(ref="srv-0001", field="tags.owner", value="lab"),
        SetProperty(ref="srv-0001", field="state", value="existing"),
        SetProperty(ref="srv-0001", field="config.driver", value="550"),
        Group(refs=("srv-0001",), name="pool"),
    )
    copied = edited(design, Paste(clip=copy(design, ("srv-0001",)))).devices["srv-0002"]
    assert (copied.name, copied.tags, copied.state) == ("gpu-08", {"owner": "lab"}, "planned")
    assert copied.config == {"driver": "550"}
    assert copied.groups == ("grp-01",)
    # In another document the group is not there, or is another one.
    assert edited(built(), Paste(clip=copy(design, ("srv-0001",)))).devices["srv-0001"].groups == ()


def test_optics_of_inner_links_come_along() -> None:
    design = edited(
        built(PlaceDevice(type="t-qm9700", count=2)),
        Connect(a="sw-01:osfp1/1", b="sw-02:osfp1/1", part="t-fibre"),
        SetPlug(cage="sw-01:osfp1", part="t-optic"),
        SetPlug(cage="sw-01:osfp9", part="t-optic"),
    )
    after = edited(design, Paste(clip=copy(design, ("sw-01", "sw-02"))))
    assert sorted(after.tables["plugs"]) == ["sw-01:osfp1", "sw-01:osfp9", "sw-03:osfp1"]


# ---- parts of another document


def own_box(height: float) -> Design:
    return built(
        CopyPart(base="t-one-u", id="t-own"),
        SetPartField(part="t-own", field="u_height", value=height),
        PlaceDevice(type="t-own"),
    )


def test_an_equal_part_is_shared_and_another_is_kept_apart() -> None:
    ours = own_box(1)
    assert set(edited(ours, Paste(clip=copy(own_box(1), ("dev-01",)))).parts) == {"t-own"}
    patch, after = plan(ours, Paste(clip=copy(own_box(2), ("dev-01",))))
    assert set(after.parts) == {"t-own", "t-own@other"}
    assert after.type_of(after.devices["dev-02"]).u_height == 2
    assert after.type_of(after.devices["dev-01"]).u_height == 1
    assert "kept apart: t-own@other" in patch.label
    again = edited(after, Paste(clip=copy(own_box(2), ("dev-01",))))
    assert set(again.parts) == {"t-own", "t-own@other"}
    third = edited(again, Paste(clip=copy(own_box(3), ("dev-01",))))
    assert set(third.parts) == {"t-own", "t-own@other", "t-own@other-2"}


def test_a_server_whose_gpu_differs_is_another_server() -> None:
    """The server entries are equal, but the same name stands for another GPU."""
    faster = CATALOG.gpu("t-h100").model_copy(update={"revision": "2027-01-01", "scale_up_bytes_s": 900e9})
    theirs = built(PlaceDevice(type="t-server"), catalog=CATALOG.with_parts([faster]))
    after = edited(built(PlaceDevice(type="t-server")), Paste(clip=copy(theirs, ("srv-0001",))))
    assert set(after.parts) == {"t-server", "t-h100", "t-server@other", "t-h100@2027-01-01"}
    gpus = {d.id: after.type_of(d).gpus for d in after.devices.values()}
    assert [g.part for g in gpus.values() if g] == ["t-h100", "t-h100@2027-01-01"]


def test_a_rack_system_of_other_figures_still_takes_its_trays() -> None:
    wider = CATALOG.rack("t-nvl72").model_copy(update={"width_mm": 700.0, "revision": "2027-01-01"})
    theirs = built(PlaceRackSystem(type="t-nvl72"), catalog=CATALOG.with_parts([wider]))
    after = edited(built(PlaceRackSystem(type="t-nvl72")), Paste(clip=copy(theirs, ("rack-01",))))
    assert not list(misfits(after))
    assert [d.size for d in build_graphs(after).domains] == [72, 72]


def test_nothing_to_copy_or_paste_is_said() -> None:
    with pytest.raises(ProblemError, match="Nothing that can be copied"):
        copy(mixed(), ("cbl-0001",))
    with pytest.raises(ProblemError, match="nothing to paste"):
        edited(mixed(), Paste(clip=Clip()))
