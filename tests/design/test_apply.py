"""Design.apply: the next value, shared where nothing changed; stale and broken patches refused."""

from dataclasses import replace

import pytest

from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design, build
from rackbuilder.design.indexes import Indexes, reindexed
from rackbuilder.design.patch import Change, Patch, merged
from rackbuilder.design.records import TABLE_NAMES, Cable, Device, End, Rack
from rackbuilder.errors import ProblemError
from tests.samples import RACKS, SERVER, built, edited

RACK = Rack(id="rack-01", type="t-rack-42")
ONE = Device(id="srv-0001", type="t-server", rack="rack-01", u=1)


def start() -> Design:
    changes = [("parts", SERVER), ("parts", RACKS[42]), ("racks", RACK), ("devices", ONE)]
    return Design().apply(Patch("start", tuple(Change(t, r.id, None, r) for t, r in changes)))


def rebuilt(design: Design) -> Indexes:
    rows = (Change(t, i, None, r) for t in TABLE_NAMES for i, r in design.tables[t].items())
    return reindexed(Indexes(), rows)


def test_the_value_before_stays_as_it_was() -> None:
    before = start()
    moved = replace(ONE, u=9.0)
    after = before.apply(Patch("move", (Change("devices", ONE.id, ONE, moved),)))
    assert before.devices["srv-0001"].u == 1
    assert after.devices["srv-0001"].u == 9
    assert list(before.indexes.seats["rack-01"]) == ["srv-0001"]


def test_tables_left_alone_are_shared() -> None:
    before = start()
    after = before.apply(Patch("move", (Change("devices", ONE.id, ONE, replace(ONE, u=9.0)),)))
    assert after.tables["racks"] is before.tables["racks"]
    assert after.tables["devices"] is not before.tables["devices"]


def test_an_empty_patch_gives_the_same_value() -> None:
    design = start()
    assert design.apply(Patch("nothing")) is design


def test_a_stale_patch_is_refused_and_changes_nothing() -> None:
    design = start()
    other = replace(ONE, name="other")
    with pytest.raises(ProblemError, match="was changed meanwhile"):
        design.apply(Patch("move", (Change("devices", ONE.id, other, replace(ONE, u=3.0)),)))
    with pytest.raises(ProblemError, match="is gone"):
        design.apply(Patch("move", (Change("devices", "srv-0009", replace(ONE, id="srv-0009"), None),)))
    assert design.devices["srv-0001"] is ONE


def test_undoing_a_patch_gives_equal_tables() -> None:
    before = start()
    patch = Patch("move", (Change("devices", ONE.id, ONE, replace(ONE, u=9.0, face="rear")),))
    after = before.apply(patch)
    assert after.apply(patch.inverted()).same(before)
    assert not after.same(before)


@pytest.mark.parametrize(
    ("table", "record", "says"),
    [
        ("devices", Device(id="d", type="nothing"), "names nothing"),
        ("devices", Device(id="d", type="t-server", rack="rack-99"), "names rack-99"),
        ("devices", Device(id="d", type="t-rack-42"), "is not a device"),
        ("racks", Rack(id="r", type="t-server"), "is not a rack"),
        ("cables", Cable(id="c", a=End("srv-0001", "osfp1/1"), b=End("gone", "p")), "names gone"),
    ],
)
def test_a_record_that_names_what_is_not_there_is_refused(table: str, record: Device, says: str) -> None:
    with pytest.raises(ProblemError, match=says):
        start().apply(Patch("add", (Change(table, record.id, None, record),)))


def test_what_is_in_use_cannot_be_removed() -> None:
    design = start()
    with pytest.raises(ProblemError, match="srv-0001 still uses rack-01"):
        design.apply(Patch("remove", (Change("racks", "rack-01", RACK, None),)))
    with pytest.raises(ProblemError, match="still uses t-server"):
        design.apply(Patch("remove", (Change("parts", "t-server", SERVER, None),)))


def test_marks_rise_and_undo_leaves_them() -> None:
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-server", count=3))
    assert design.about.next == {"rack": 2, "srv": 4}
    patch = Patch("del", (Change("devices", "srv-0003", design.devices["srv-0003"], None),))
    assert design.apply(patch).about.next["srv"] == 4


def test_keys_made_of_other_names_use_up_no_number() -> None:
    """A rack type “t-rack-42” is a part, and no reason to call the next one t-rack-43."""
    assert "t-rack" not in built(AddRack(type="t-rack-42")).about.next


def test_a_deleted_number_is_never_given_again() -> None:
    design = built(PlaceDevice(type="t-server", count=2))
    last = design.devices["srv-0002"]
    design = design.apply(Patch("del", (Change("devices", last.id, last, None),)))
    assert "srv-0003" in edited(design, PlaceDevice(type="t-server")).devices


def test_a_file_without_marks_gives_no_id_twice() -> None:
    """Written by hand, without `next`: the next server must not replace the first."""
    design = build(
        Change(t, r.id, None, r)
        for t, r in (("parts", SERVER), ("parts", RACKS[42]), ("racks", RACK), ("devices", ONE))
    )
    after = edited(design, PlaceDevice(type="t-server"))
    assert sorted(after.devices) == ["srv-0001", "srv-0002"]


def test_indexes_equal_those_built_afresh() -> None:
    design = edited(start(), PlaceDevice(type="t-qm9700"))
    cable = Cable(id="cbl-0001", a=End("srv-0001", "osfp1/1"), b=End("sw-01", "osfp1/1"))
    design = design.apply(Patch("cable", (Change("cables", cable.id, None, cable),)))
    assert design.indexes == rebuilt(design)
    assert design.indexes.ends["srv-0001"] == {"osfp1/1": ("cbl-0001",)}
    bare = design.apply(Patch("cut", (Change("cables", cable.id, cable, None),)))
    assert bare.indexes == rebuilt(bare)
    assert "srv-0001" not in bare.indexes.ends


def test_merged_patches_keep_the_first_before_and_the_last_after() -> None:
    two, three = replace(ONE, u=2.0), replace(ONE, u=3.0)
    a = Patch("a", (Change("devices", ONE.id, ONE, two),))
    b = Patch("b", (Change("devices", ONE.id, two, three),))
    assert merged("both", (a, b)).changes == (Change("devices", ONE.id, ONE, three),)
    back = Patch("back", (Change("devices", ONE.id, two, ONE),))
    assert merged("none", (a, back)).empty
