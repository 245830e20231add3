"""Power by device, rack and room: totals that stand for trays, and optics counted once."""

import pytest

from rackbuilder.analysis.results import Power, RackPower
from rackbuilder.design.records import Space
from tests.analysis.facility.samples import FINNED, Room, report_of


def power_of(room: Room) -> Power:
    found = room.report().power
    assert found is not None
    return found


def rack_of(room: Room, name: str = "rack-01") -> RackPower:
    return next(row for row in power_of(room).racks if row.rack == name)


def test_four_dgx_h100_against_the_rack_limit() -> None:
    """4 x 10.2 = 40.8 kW under the 44 kW of the rack; its own limit wins over that of the type."""
    room = Room()
    room.rack("rack-01")
    for n in range(4):
        room.device(f"srv-{n + 1:04d}", "dgx-h100", rack="rack-01", u=1 + 8 * n)
    row = rack_of(room)
    assert (row.max_w.value, row.max_w.exact, row.limit_w) == (40_800, True, 44_000)
    room.rack("rack-01", power_limit_w=34_500)
    assert rack_of(room).limit_w == 34_500


def filled(kind: str, part: str, count: int = 12) -> Room:
    """Switches with a plug in each of their 32 cages: 8 leaves and 4 spines of one unit, all in one rack."""
    room = Room()
    room.rack("rack-01")
    for n in range(count):
        name = room.switch(f"sw-{n + 1:02d}", kind, rack="rack-01", u=1 + n)
        if part == "mma4z00-ns":
            for cage in range(FINNED.count):
                room.plug(f"{name}:osfp{cage + 1}")
    if part != "mma4z00-ns":
        names = [f"sw-{n + 1:02d}" for n in range(count)]
        for a, b in zip(names[::2], names[1::2], strict=True):
            for cage in range(FINNED.count):
                for port in (1, 2):
                    room.cable(f"{a}:osfp{cage + 1}/{port}", f"{b}:osfp{cage + 1}/{port}", part=part)
    return room


@pytest.mark.parametrize(
    ("part", "optics_w"),
    [
        ("mma4z00-ns", 12 * 32 * 17.0),  # 544 W a switch, 6.5 kW in all
        ("mcp4y10", 12 * 32 * 0.1),
        ("mca4j80", 12 * 32 * 1.5),
    ],
)
def test_optics_are_a_line_of_their_own(part: str, optics_w: float) -> None:
    row = rack_of(filled("qm9700", part))
    assert row.optics_w.value == pytest.approx(optics_w)
    # The published maximum of 1,720 W has them in: shown, not added.
    assert row.max_w.value == 12 * 1720
    assert row.optics_added_w.value == 0


def test_a_typical_figure_with_passive_cables_takes_the_optics_on_top() -> None:
    """747 W plus 32 x 15 W."""
    row = rack_of(filled("qm9700", "mma4z00-ns", count=1))
    assert row.typical_w.value == 747 + 32 * 15


def test_a_maximum_without_optics_takes_them_on_top() -> None:
    """A switch whose vendor does not say counts without: 500 W plus 32 x 17 W. The assumption is named."""
    room = filled("bare-switch", "mma4z00-ns", count=1)
    power = power_of(room)
    assert power.max_w.value == 500 + 544
    assert power.racks[0].optics_added_w.value == 544
    names = [note.name for note in power.assumptions]
    assert "optics.in.power_max_w.bare-switch" in names


def test_a_server_whose_vendor_does_not_say_is_read_with_its_optics() -> None:
    room = Room()
    room.device("srv-0001", "dgx-h100")
    assert power_of(room).assumptions == ()  # nothing is plugged: nothing to assume
    for cage in range(4):
        room.plug(f"srv-0001:osfp{cage + 1}", "mma4z00-ns-flt")
    power = power_of(room)
    assert (power.max_w.value, power.optics_w.value) == (10_200, 4 * 17)
    (note,) = [note for note in power.assumptions if note.name == "optics.in.power_max_w.dgx-h100"]
    assert "with plugged optics" in note.text


def test_unknown_stays_unknown_and_is_named() -> None:
    room = Room()
    room.rack("rack-01")
    room.device("srv-0001", "hca-server", rack="rack-01", u=1)
    assert rack_of(room).max_w.value is None
    room.switch("leaf-01", rack="rack-01", u=3)
    row = rack_of(room)
    assert (row.max_w.value, row.max_w.at_least, row.max_w.missing) == (
        1720,
        True,
        ("power_max_w of hca-server",),
    )
    assert power_of(room).max_w.at_least


def test_a_planning_value_stands_in_as_assumed() -> None:
    room = Room()
    room.switch("leaf-01", "qm8700")
    power = power_of(room)
    assert (power.max_w.value, power.max_w.mark) == (493, "assumed")
    assert [note.name for note in power.assumptions] == ["power.planning.qm8700"]


def test_what_the_user_sets_wins_the_device_over_its_part() -> None:
    room = Room()
    room.device("srv-0001", "dgx-h100")
    room.device("srv-0002", "dgx-h100")
    room.set("part/dgx-h100/power_max_w", 9_000)
    room.set("ref/srv-0002/power_max_w", 8_000)
    power = power_of(room)
    assert (power.max_w.value, power.max_w.grade) == (17_000, "user")
    assert power.racks[0].devices["srv-0002"].value == 8_000


def test_a_pdu_and_a_power_shelf_pass_power_on() -> None:
    room = Room()
    room.rack("rack-01")
    room.device("pdu-01", "pdu", rack="rack-01", slot="side-left")
    room.switch("leaf-01", rack="rack-01", u=1)
    row = rack_of(room)
    assert (row.max_w.value, row.max_w.exact, "pdu-01" in row.devices) == (1720, True, False)


# ---- rack assemblies


def test_the_published_total_of_a_rack_stands_for_its_trays() -> None:
    room = Room()
    room.nvl72()
    row = rack_of(room)
    assert (row.max_w.value, row.max_w.grade, row.published_total) == (132_000, "B", True)
    # No typical total is published: the trays' own, as far as they are known.
    assert (row.typical_w.value, row.typical_w.at_least) == (18 * 5800, True)


def test_a_rack_with_11_of_18_trays_takes_the_total_less_the_missing() -> None:
    """132 - 7 x 6.3 = 87.9 kW."""
    room = Room()
    room.nvl72(trays=11)
    power = power_of(room)
    assert power.max_w.value == pytest.approx(87_900)
    assert power.max_w.mark == "assumed"
    (note,) = [note for note in power.assumptions if note.name.startswith("assembly.")]
    assert (note.refs, "24 of the 31 trays" in note.text) == (("rack-01",), True)


def test_devices_outside_the_slots_of_an_assembly_are_added() -> None:
    room = Room()
    room.nvl72()
    room.switch("leaf-01", rack="rack-01", u=44)
    assert rack_of(room).max_w.value == 132_000 + 1_720


def test_an_empty_assembly_draws_nothing_and_one_without_a_total_counts_its_trays() -> None:
    room = Room()
    room.nvl72(trays=0, switches=0, shelves=4)
    row = rack_of(room)
    assert (row.max_w.value, row.published_total) == (0, False)


def test_optics_of_trays_are_shown_not_added() -> None:
    room = Room()
    room.nvl72()
    room.plug("rack-01-tray-01:osfp1", "mma4z00-ns-flt")
    power = power_of(room)
    assert (power.optics_w.value, power.max_w.value) == (17, 132_000)
    assert "optics.in.assembly.nvl72" in [note.name for note in power.assumptions]


def test_what_the_user_sets_for_a_rack_stands_for_all_in_it() -> None:
    room = Room()
    room.nvl72()
    room.switch("leaf-01", rack="rack-01", u=44)
    room.set("ref/rack-01/power_max_w", 125_000)
    row = rack_of(room)
    assert (row.max_w.value, row.max_w.grade, row.set_by_user) == (125_000, "user", True)
    room = Room()
    room.nvl72()
    room.set("part/nvl72/power_max_w", 120_000)
    assert rack_of(room).max_w.value == 120_000


# ---- rooms


def test_rooms_are_the_halls_that_racks_lie_in() -> None:
    room = Room()
    room.draft.put("spaces", Space(id="hall-1", kind="hall", power_limit_w=1e6))
    room.draft.put("spaces", Space(id="row-a", kind="row", parent="hall-1"))
    room.rack("rack-01", space="row-a")
    room.rack("rack-02", space="hall-1")
    room.rack("rack-03")
    for n in (1, 2, 3):
        room.device(f"srv-{n:04d}", "dgx-h100", rack=f"rack-0{n}", u=1)
    room.device("srv-0004", "dgx-h100")
    rooms = {row.room: row for row in power_of(room).rooms}
    assert rooms["hall-1"].max_w.value == 2 * 10_200
    assert rooms["hall-1"].limit_w == 1e6
    assert rooms[""].max_w.value == 2 * 10_200  # a rack in no hall, and a server in no rack


def test_a_sled_counts_in_the_rack_of_its_carrier() -> None:
    room = Room()
    room.rack("rack-01")
    room.switch("leaf-01", rack="rack-01", u=1)
    room.device("sled-01", "dgx-h100", parent="leaf-01")
    assert rack_of(room).max_w.value == 1_720 + 10_200
    assert power_of(room).max_w.value == 1_720 + 10_200


def test_every_device_counts_once_whatever_rack_it_is_in() -> None:
    room = filled("qm9700", "mcp4y10")
    room.rack("rack-02")
    room.device("srv-0001", "dgx-h100", rack="rack-02", u=1)
    design = room.done()
    power = report_of(design).power
    assert power is not None
    assert power.max_w.value == 12 * 1720 + 10_200 == sum(row.max_w.value or 0 for row in power.racks)
