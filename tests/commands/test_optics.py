"""Media of links as edits: the whole of what shares a cage, in one step, refused in words."""

from __future__ import annotations

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.optics import ApplyMedia, SetMedium
from rackbuilder.design.design import Design
from rackbuilder.errors import ProblemError
from tests.analysis.cabling.samples import link, made, media_of, plug, rack, switch


def design(length_m: float = 3) -> Design:
    return made(
        rack(),
        switch("low", 1),
        switch("high", 2),
        *(link(f"low:osfp1/{n}", f"high:osfp1/{n}", length_m=length_m) for n in (1, 2)),
    )


def pins(found: Design) -> tuple[set[str], dict[str, str]]:
    return {c.part for c in found.cables.values()}, {k: p.part for k, p in found.tables["plugs"].items()}


def test_one_cable_takes_along_all_that_share_its_cages() -> None:
    after = made(SetMedium(cables=("cbl-0001",), medium="single-mode"), base=design())
    assert pins(after) == (
        {"mfp7e30-nxxx"},
        {"sw-01:osfp1": "mms4x00-ns", "sw-02:osfp1": "mms4x00-ns"},
    )
    assert {choice.origin for choice in media_of(after).cables.values()} == {"pinned"}


def test_back_to_copper_takes_the_optics_out() -> None:
    light = made(SetMedium(cables=("cbl-0001",), medium="multimode"), base=design())
    assert pins(made(SetMedium(cables=("cbl-0002",), medium="acc"), base=light)) == ({"mca4j80-nxxx"}, {})
    assert pins(made(SetMedium(cables=("cbl-0002",)), base=light)) == ({"mca4j80-nxxx"}, {})


def test_open_gives_the_choice_back_to_the_tool() -> None:
    pinned = made(SetMedium(cables=("cbl-0001",), medium="multimode"), base=design())
    after = made(SetMedium(cables=("low~high",), medium="open"), base=pinned)
    assert pins(after) == ({""}, {})
    assert {choice.origin for choice in media_of(after).cables.values()} == {"chosen"}


def test_a_medium_that_does_not_reach_is_refused_in_words() -> None:
    with pytest.raises(ProblemError) as refused:
        made(SetMedium(cables=("cbl-0001",), medium="dac"), base=design(7))
    problem = refused.value.problems[0]
    assert problem.what == "cbl-0001 cannot be made of dac"
    assert "over 7 m" in problem.fix


def test_apply_pins_what_was_chosen_and_nothing_else() -> None:
    start = made(plug("low:osfp2", "mma4z00-ns"), base=design(7))
    after = made(ApplyMedia(), base=start)
    assert pins(after) == (
        {"mfp7e10-nxxx"},
        {"sw-01:osfp1": "mma4z00-ns", "sw-02:osfp1": "mma4z00-ns", "sw-01:osfp2": "mma4z00-ns"},
    )
    before, now = media_of(start), media_of(after)
    assert {c.part for c in before.cables.values()} == {c.part for c in now.cables.values()}
    assert {c.origin for c in now.cables.values()} == {"pinned"}


def test_a_design_whose_lengths_are_unknown_has_nothing_to_pin() -> None:
    loose = made(
        *(PlaceDevice(type="qm9700", name=name) for name in ("a", "b")), link("a:osfp1/1", "b:osfp1/1")
    )
    assert ApplyMedia().plan(loose, shipped()).empty
    with pytest.raises(ProblemError, match="cannot be made of any part"):
        made(SetMedium(cables=("cbl-0001",)), base=loose)
