"""The medium of a link follows from its length, its cages and what is still sold; what is pinned wins."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from rackbuilder.analysis.cabling.models import Choice
from rackbuilder.analysis.engine import Engine
from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.parts import CableType, OpticType
from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import Disconnect
from rackbuilder.commands.devices import PlaceDevice, SetProperty
from rackbuilder.commands.racks import MoveRack
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.templates.superpod import Superpod
from rackbuilder.topology.graphs import build_graphs
from tests.analysis.cabling.samples import (
    lines_of,
    link,
    made,
    media_of,
    plug,
    policy,
    rack,
    switch,
)
from tests.analysis.facility.samples import FACILITY, report_of


def twins(length_m: float, **pins: str) -> Design:
    """Both links of a pair of cages between two QM9700, of a length that is set."""
    return made(
        rack(),
        switch("low", 1),
        switch("high", 2),
        *(link(f"low:osfp1/{n}", f"high:osfp1/{n}", length_m=length_m, **pins) for n in (1, 2)),
    )


def only(design: Design) -> Choice:
    (choice,) = set(media_of(design).cables.values())
    return choice


# LinkX: twin-port passive copper to 2 m, active to 5 m, multimode to 50 m, single-mode DR4 to 100 m, then 500 m.
@pytest.mark.parametrize(
    ("length_m", "part", "optic"),
    [
        (1.5, "mcp4y10-nxxx", ""),
        (2.0, "mcp4y10-nxxx", ""),
        (3.0, "mca4j80-nxxx", ""),
        (5.0, "mca4j80-nxxx", ""),
        (7.0, "mfp7e10-nxxx", "mma4z00-ns"),
        (50.0, "mfp7e10-nxxx", "mma4z00-ns"),
        (70.0, "mfp7e30-nxxx", "mms4x00-ns"),
        (150.0, "mfp7e30-nxxx", "mms4x00-nm"),
    ],
)
def test_the_ladder_of_media(length_m: float, part: str, optic: str) -> None:
    choice = only(twins(length_m))
    assert (choice.part, choice.optics, choice.origin) == (part, (optic, optic), "chosen")
    assert choice.length_m == length_m


def test_nothing_is_chosen_beyond_what_is_sold() -> None:
    choice = only(twins(900.0))
    assert (choice.part, choice.origin) == ("", "open")
    assert choice.reason == "No part on sale joins OSFP cages over 900 m."


def test_the_length_is_rounded_up_to_one_that_is_sold() -> None:
    """30 units apart: 1.33 m and 0.7 m to the side and back, 0.5 m of slack: 2.53 m; active copper begins at 3 m."""
    design = made(rack(), switch("low", 1), switch("high", 31), link("low:osfp1/1", "high:osfp1/1"))
    choice = only(design)
    assert (choice.part, choice.length_m) == ("mca4j80-nxxx", 3.0)
    assert choice.reason == (
        "Active copper (ACC): the first that fits both cages and reaches 2.534 m, ordered as 3 m."
    )
    assert [option.medium for option in choice.alternatives] == ["multimode", "single-mode"]


def test_moving_a_rack_changes_medium_and_bill() -> None:
    """Beside it: 0.7 m along the tray; two rows back: 6 m more. 2.5 units below the tray's 2.81 m."""
    pair = (
        rack("A01"), rack("A02", 0.7), switch("one", 52, "A01"), switch("two", 52, "A02"),
        link("one:osfp1/1", "two:osfp1/1"),
    )  # fmt: skip
    near = made(*pair)
    # 2 x (2.811 - 2.289) + 0.7 + 0.7 + 0.5 = 2.94 m
    assert only(near).part == "mca4j80-nxxx"
    far = made(MoveRack(racks=("A02",), x_m=0.7, y_m=6), base=near)
    assert (only(far).part, only(far).length_m) == ("mfp7e10-nxxx", 10.0)
    (line,) = lines_of(report_of(far), "cables")
    assert (line.part, line.unit, line.quantity) == ("mfp7e10-nxxx", "piece of 10 m", 1)
    assert line.note == "chosen by the tool"


def test_a_server_of_eight_rails_meets_its_leaf() -> None:
    """Flat-top twin cages of a DGX, finned ones of the switch: DAC has no such pair, active copper one of 3 m."""
    server = PlaceDevice(type="dgx-h100", name="srv", rack="A01", u=1)
    links = [link(f"srv:osfp1/{n}", f"leaf:osfp1/{n}", length_m=3) for n in (1, 2)]
    choice = only(made(rack(), server, switch("leaf", 20), *links))
    assert choice.part == "mca4j80-nxxx-ftf"
    links = [link(f"srv:osfp1/{n}", f"leaf:osfp1/{n}", length_m=10) for n in (1, 2)]
    choice = only(made(rack(), server, switch("leaf", 20), *links))
    assert (choice.part, choice.optics) == ("mfp7e10-nxxx", ("mma4z00-ns-flt", "mma4z00-ns"))


def test_all_links_of_a_cage_share_its_one_plug() -> None:
    """One port of a cage goes 3 m, the other 70 m: the plug is single-mode, so both links are."""
    design = made(
        rack(), *(switch(name, u) for u, name in enumerate(("a", "b", "c"), 1)),
        link("a:osfp1/1", "b:osfp1/1", length_m=3), link("a:osfp1/2", "c:osfp1/1", length_m=70),
    )  # fmt: skip
    found = media_of(design)
    assert {choice.part for choice in found.cables.values()} == {"mfp7e30-nxxx"}
    assert {name: dict(cages) for name, cages in found.optics.items()} == {
        name: {"osfp1": "mms4x00-ns"} for name in ("sw-01", "sw-02", "sw-03")
    }


def cards(parts: int, **fields: float) -> tuple[Command, ...]:
    """A QM9700 and as many UFM appliances, each with a single-port flat OSFP card of 400 Gb/s."""
    places = [
        PlaceDevice(type="ufm-enterprise-ndr", name=f"ufm{n}", rack="A01", u=2 + 2 * n) for n in range(parts)
    ]
    ports = [f"leaf:osfp1/{n + 1}" for n in range(parts)]
    return (
        rack(), switch("leaf", 1), *places,
        *(link(port, f"ufm{n}:osfp1/1", **fields) for n, port in enumerate(ports)),
    )  # fmt: skip


def test_a_splitter_joins_two_cards_to_one_cage() -> None:
    design = made(*cards(2, length_m=2.5))
    choice = only(design)
    assert (choice.part, choice.optics, choice.length_m) == ("mcp7y00-nxxx", ("", ""), 2.5)
    (line,) = lines_of(report_of(design), "cables")
    assert (line.quantity, line.part_number) == (1, "980-9I92O-00N02A")


def test_a_part_that_is_no_longer_sold_is_never_chosen() -> None:
    """The splitter in active copper of 4 and 5 m (MCA7J60) is no longer for sale: at 4.5 m it is fibre."""
    choice = only(made(*cards(2, length_m=5)))
    assert choice.part == "mfp7e10-nxxx"
    assert set(choice.optics) == {"mma4z00-ns", "mma4z00-ns400"}


def test_a_branch_taken_away_leaves_the_other() -> None:
    before = made(*cards(2, length_m=2.5))
    after = made(Disconnect(refs=("cbl-0001",)), base=before)
    assert list(media_of(after).cables) == ["cbl-0002"]
    (line,) = lines_of(report_of(after), "cables")
    assert (line.part, line.quantity) == ("mcp7y00-nxxx", 1)


def test_split_ports_take_splitter_fibres_and_count_one_for_two_links() -> None:
    """QM9700: 32 cages, 64 ports of 400 Gb/s, 128 of 200 Gb/s; a 1:2 fibre carries two of those."""
    places = [
        PlaceDevice(type="ufm-enterprise-ndr", name=f"ufm{n}", rack="A01", u=2 + 2 * n) for n in range(4)
    ]
    design = made(
        rack(), switch("leaf", 1), *places, SetProperty(ref="leaf", field="modes.osfp1", value=2),
        *(link(f"leaf:osfp1/{n // 2 + 1}.{n % 2 + 1}", f"ufm{n}:osfp1/1", length_m=10) for n in range(4)),
    )  # fmt: skip
    choices = media_of(design).cables
    assert {choice.part for choice in choices.values()} == {"mfp7e20-nxxx"}
    report = report_of(design)
    assert [(line.part, line.quantity) for line in lines_of(report, "cables")] == [("mfp7e20-nxxx", 2)]
    optics = {line.part: line.quantity for line in lines_of(report, "optics")}
    assert optics == {"mma4z00-ns": 1, "mma4z00-ns400": 4}


def test_ethernet_and_infiniband_take_parts_made_for_them() -> None:
    """-T optics are for Ethernet only: never in an InfiniBand switch; active copper of that family only there."""
    chosen = {
        name
        for design in (twins(7.0), twins(70.0), twins(150.0))
        for choice in media_of(design).cables.values()
        for name in choice.optics
    }
    assert chosen
    for name in chosen:
        part = shipped().part(name)
        assert isinstance(part, OpticType)
        assert "infiniband" in part.protocols


def test_xdr_is_copper_or_single_mode() -> None:
    """Q3400: 800 Gb/s a port on 200G lanes; no passive copper, no multimode, no active optical cable."""
    pair = (rack(), switch("a", 1, type_="q3400-ra"), switch("b", 10, type_="q3400-ra"))
    near = only(made(*pair, link("a:osfp1/1", "b:osfp1/1", length_m=2)))
    far = only(made(*pair, link("a:osfp1/1", "b:osfp1/1", length_m=20)))
    assert (near.part, far.part) == ("mca4k50", "mfp7e30-nxxx")
    assert [option.medium for option in near.alternatives] == ["single-mode"]
    optic = shipped().part(far.optics[0])
    assert isinstance(optic, OpticType)
    assert (optic.rate_bps, optic.ports, optic.top) == (800e9, 2, "finned")


def test_ndr_meets_hdr_by_the_active_optical_splitter_only() -> None:
    """Optics with 100G lanes cannot step down to 50G lanes; MFA7U10 joins a twin cage and two QSFP56 cages."""
    design = made(
        rack(), switch("ndr", 1), switch("hdr", 2, type_="qm8700"),
        *(link(f"ndr:osfp1/{n}", f"hdr:qsfp{n}/1", length_m=10) for n in (1, 2)),
    )  # fmt: skip
    assert only(design).part == "mfa7u10-h00x"
    assert only(design).alternatives == ()


def test_an_unknown_length_chooses_nothing_and_says_what_is_missing() -> None:
    design = made(
        PlaceDevice(type="qm9700", name="a"),
        PlaceDevice(type="qm9700", name="b"),
        link("a:osfp1/1", "b:osfp1/1"),
    )
    choice = only(design)
    assert (choice.part, choice.origin) == ("", "open")
    assert choice.reason == "Its length must be known first: place of a, place of b."


def test_a_management_port_takes_twisted_pair() -> None:
    design = made(rack(), switch("a", 1), switch("b", 2), link("a:mgmt1/1", "b:mgmt1/1"))
    choice = only(design)
    # 0.04 m up, 0.7 m aside, 0.5 m of slack; cut to whole metres.
    assert (choice.part, choice.length_m) == ("cat6-utp", 2.0)


# ---- pins and policies


def test_a_pinned_part_wins_and_gets_its_length() -> None:
    design = made(rack(), switch("a", 1), switch("b", 2), link("a:osfp1/1", "b:osfp1/1", part="mfp7e30-nxxx"))
    choice = only(design)
    assert (choice.part, choice.origin) == ("mfp7e30-nxxx", "pinned")
    assert choice.optics == ("mms4x00-ns", "mms4x00-ns")
    assert choice.length_m == 2.0  # 0.04 + 0.7 + 0.5 m
    lines = lines_of(report_of(design), "cables")
    assert [(line.part, line.unit, line.note) for line in lines] == [("mfp7e30-nxxx", "piece of 2 m", "")]


def test_a_pinned_optic_draws_the_rest_after_it() -> None:
    design = made(plug("a:osfp1", "mms4x00-ns"), base=made(
        rack(), switch("a", 1), switch("b", 2), link("a:osfp1/1", "b:osfp1/1")))  # fmt: skip
    assert (only(design).part, only(design).optics) == ("mfp7e30-nxxx", ("mms4x00-ns", "mms4x00-ns"))


def test_the_choice_can_be_switched_off_or_kept_to_optics() -> None:
    base = twins(1.5)
    assert only(made(policy("choose_media", False), base=base)).origin == "open"
    assert only(made(policy("media", "optical"), base=base)).part == "mfp7e10-nxxx"


def test_direct_attach_brings_its_plugs() -> None:
    """Ten twin DACs, ten AOCs and ten fibre links: 0, 0 and 20 plugs, 10 fibres; the tool adds no plug to the first."""
    links: list[Command] = []
    for n in range(1, 11):
        links += [link(f"a:osfp{n}/{p}", f"b:osfp{n}/{p}", "mcp4y10-nxxx", 2) for p in (1, 2)]
        links.append(link(f"c:qsfp{n}/1", f"d:qsfp{n}/1", "mfs1s00-hxxxv", 5))
        links.append(link(f"a:osfp{n + 10}/1", f"b:osfp{n + 10}/1", "mfp7e10-nxxx", 5))
    hdr = [switch(name, u, type_="qm8700") for u, name in ((3, "c"), (4, "d"))]
    report = report_of(made(rack(), switch("a", 1), switch("b", 2), *hdr, *links))
    assert {line.part: line.quantity for line in lines_of(report, "optics")} == {"mma4z00-ns": 20}
    assert {line.part: line.quantity for line in lines_of(report, "cables")} == {
        "mcp4y10-nxxx": 10,
        "mfs1s00-hxxxv": 10,
        "mfp7e10-nxxx": 10,
    }


# ---- whole designs


def stripped(design: Design) -> Design:
    """The design as drawn by hand: no part and no optic is pinned."""
    draft = Draft(design)
    for name in design.cables:
        draft.change("cables", name, part="")
    for name in design.tables["plugs"]:
        draft.remove("plugs", name)
    return design.apply(draft.patch("no pins"))


def test_one_unit_of_optics_by_the_tool_is_the_published_arithmetic() -> None:
    """31 DGX H100 and the manager on 8 leaves and 4 spines, all optical: 128 twin plugs at the leaves down (not 126),
    128 up, 128 in spines, 124 in servers: 508; 4 single ones in the managers; 504 + 4 fibres.
    """
    design = stripped(made(Superpod(units=1)))
    report = report_of(made(policy("media", "optical"), base=design))
    optics = {line.part: line.quantity for line in lines_of(report, "optics")}
    assert optics == {"mma4z00-ns": 128 + 128 + 128, "mma4z00-ns-flt": 124, "mma4z00-ns400": 4}
    fibres = Counter[str]()
    for line in lines_of(report, "cables"):
        fibres[line.part] += line.quantity
    assert fibres == {"mfp7e10-nxxx": 252 + 256}
    assert report.bom is not None
    assert report.bom.links_without_part == 0


def test_every_choice_of_the_tool_keeps_the_rules() -> None:
    """No fault in a design of its own choices, and nothing in it that is no longer sold."""
    found = media_of(stripped(made(Superpod(units=2))))
    assert found.faults == ()
    for choice in found.cables.values():
        cable = shipped().part(choice.part)
        assert isinstance(cable, CableType)
        assert cable.orderable


def test_kept_choices_equal_fresh_ones() -> None:
    """A hundred random edits: what is decided again by parts equals the whole decided at once."""
    dice = random.Random(3)
    design = made(
        rack(), rack("A02", 0.7), *(switch(f"s{n}", 1 + n, f"A{1 + n % 2:02d}") for n in range(6)),
        *(PlaceDevice(type="dgx-h100", name=f"g{n}", rack="A02", u=10 + 8 * n) for n in range(3)),
    )  # fmt: skip
    graphs, engine = build_graphs(design), Engine(FACILITY)
    engine.run(design, graphs)
    for _ in range(100):
        draft = Draft(design)
        _edit(draft, dice)
        patch = draft.patch("edit")
        design = design.apply(patch)
        graphs = graphs.apply(patch, design)
        kept = engine.run(design, graphs)
        fresh = Engine(FACILITY).run(design, build_graphs(design))
        for name in ("lengths", "media", "plugs", "bom"):
            assert kept[name] == fresh[name], name


def _edit(draft: Draft, dice: random.Random) -> None:
    from rackbuilder.design.records import Cable, End, Plug

    devices = sorted(draft.devices)
    cables = sorted(draft.cables)
    kind = dice.choice(
        ("cable", "cable", "cable", "part", "cut", "plug", "unplug", "move", "rename", "rack", "gone")
    )
    if kind == "cable":
        a, b = (End(d, f"osfp{dice.randint(1, 3)}/{dice.randint(1, 2)}") for d in dice.sample(devices, 2))
        draft.put("cables", Cable(id=draft.new_id("cbl"), a=a, b=b, length_m=dice.choice((None, 60.0))))
    elif kind == "part" and cables:
        part = dice.choice(("", "mfp7e10-nxxx", "mcp4y10-nxxx"))
        draft.use_parts(shipped().closure(*([part] if part else [])))
        draft.change("cables", dice.choice(cables), part=part)
    elif kind == "cut" and cables:
        draft.remove("cables", dice.choice(cables))
    elif kind == "plug":
        draft.use_parts(shipped().closure("mms4x00-ns"))
        draft.put("plugs", Plug(id=f"{dice.choice(devices)}:osfp{dice.randint(1, 3)}", part="mms4x00-ns"))
    elif kind == "unplug" and draft.tables["plugs"]:
        draft.remove("plugs", dice.choice(sorted(draft.tables["plugs"])))
    elif kind == "move":
        draft.change("devices", dice.choice(devices), u=float(dice.randint(1, 40)))
    elif kind == "gone" and len(devices) > 5:
        name = dice.choice(devices)
        for cable in list(draft.cables_of(name)):
            draft.remove("cables", cable.id)
        draft.remove("devices", name)
    elif kind == "rename":
        draft.change("devices", dice.choice(devices), name=f"n{dice.randint(1, 9)}")
    else:
        draft.change("racks", "rack-02", x_m=dice.choice((None, 0.7, 30.0, 90.0)))
