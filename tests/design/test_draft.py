"""Draft: ids, a view of its own changes, originals of generated records."""

from dataclasses import replace

from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import Device, MadeBy, Rack
from tests.samples import RACKS, SERVER, built

MADE = Device(id="srv-0001", type="t-server", made_by=MadeBy("run-01", "su1.srv01"))


def generated() -> Design:
    rows = (("parts", SERVER), ("devices", MADE))
    return Design().apply(Patch("template", tuple(Change(t, r.id, None, r) for t, r in rows)))


def test_ids_go_on_from_the_marks() -> None:
    draft = Draft(generated())
    assert [draft.new_id("srv"), draft.new_id("srv"), draft.new_id("rack")] == [
        "srv-0002",
        "srv-0003",
        "rack-01",
    ]


def test_an_id_given_by_hand_is_passed_over() -> None:
    draft = Draft(Design())
    draft.put("racks", Rack(id="rack-01", type="t-rack-42"))
    assert draft.new_id("rack") == "rack-02"


def test_a_draft_sees_its_own_changes_and_the_design_does_not() -> None:
    design = generated()
    draft = Draft(design)
    draft.use_parts([RACKS[42]])
    draft.put("racks", Rack(id="rack-01", type="t-rack-42"))
    draft.change("devices", "srv-0001", rack="rack-01", u=1)
    assert [d.id for d in draft.seated("rack-01")] == ["srv-0001"]
    assert design.devices["srv-0001"].rack == ""
    assert not design.racks


def test_what_ends_as_it_began_is_left_out() -> None:
    draft = Draft(built())
    draft.put("racks", Rack(id="rack-01", type="t"))
    draft.remove("racks", "rack-01")
    assert draft.patch("nothing").empty


def test_a_generated_record_is_filed_before_its_first_hand_edit_only() -> None:
    first = Draft(generated())
    first.change("devices", "srv-0001", name="mine")
    after = generated().apply(first.patch("rename"))
    original = after.tables["originals"]["devices/srv-0001"]
    assert original.record == {"id": "srv-0001", "type": "t-server", "made_by": ["run-01", "su1.srv01"]}
    second = Draft(after)
    second.change("devices", "srv-0001", name="mine again")
    final = after.apply(second.patch("rename"))
    assert final.tables["originals"]["devices/srv-0001"] == original


def test_a_template_files_no_originals() -> None:
    draft = Draft(generated(), generating=True)
    draft.put("devices", replace(MADE, name="as it would be now"))
    assert [c.table for c in draft.patch("again").changes] == ["devices"]


def test_a_draft_on_a_draft_inherits_that_it_generates() -> None:
    outer = Draft(generated(), generating=True)
    assert Draft(outer).generating


def test_absorbed_changes_raise_the_marks() -> None:
    outer = Draft(Design())
    inner = Draft(outer)
    inner.put("racks", Rack(id=inner.new_id("rack"), type="t"))
    outer.absorb(inner.patch("rack"))
    assert outer.new_id("rack") == "rack-02"
    assert "rack-01" in outer.racks


def test_a_part_of_the_design_wins_over_another_of_the_same_id() -> None:
    design = generated()
    draft = Draft(design)
    draft.use_parts([SERVER.model_copy(update={"name": "newer"})])
    assert draft.parts["t-server"].name == "DGX H100"
