"""Metres follow from racks and floor, never from a drawing; what is unknown stays so."""

from __future__ import annotations

import pytest

from rackbuilder.commands.devices import PlaceDevice, SetProperty
from rackbuilder.commands.drawing import Pin
from rackbuilder.commands.racks import MoveRack
from tests.analysis.cabling.samples import U_M, lengths_of, link, made, policy, rack, switch

WIDTH_M, DEPTH_M = 0.7, 1.2
"""Of the rack 52u-700x1200, as its name says."""
HEIGHT_M = 52 * U_M + 0.2
"""No height of it is published: 52 units and 0.2 m of frame."""


def pair(u: float = 31.0) -> tuple[object, ...]:
    return rack(), switch("low", 1), switch("high", u), link("low:osfp1/1", "high:osfp1/1")


def test_in_one_rack_a_cable_runs_to_the_side_and_back() -> None:
    """30 units apart: 1.3335 m up, 0.7 m to the cable manager and back, 0.5 m of slack."""
    figure = lengths_of(made(*pair())).cables["cbl-0001"]
    assert figure.value == pytest.approx(30 * U_M + WIDTH_M + 0.5, abs=1e-3)
    assert figure.exact
    assert figure.mark == "assumed"  # nobody set the slack


def test_ports_at_other_sides_of_a_rack_add_its_depth() -> None:
    """A server has its ports at the rear, the switch looks to the front: through 1.2 m of rack."""
    server = PlaceDevice(type="dgx-h100", name="srv", rack="A01", u=1)
    front = made(rack(), server, switch("leaf", 20), link("srv:osfp1/1", "leaf:osfp1/1"))
    turned = made(SetProperty(ref="leaf", field="face", value="rear"), base=front)
    # Middle of an 8U server at 4 units, of the switch at 19.5.
    near = 15.5 * U_M + WIDTH_M + 0.5
    assert lengths_of(turned).cables["cbl-0001"].value == pytest.approx(near, abs=1e-3)
    assert lengths_of(front).cables["cbl-0001"].value == pytest.approx(near + DEPTH_M, abs=1e-3)


def two_racks(x_m: float | None, y_m: float | None = 0.0) -> tuple[object, ...]:
    return (
        rack("A01"),
        rack("A02", x_m, y_m),
        switch("one", 52, "A01"),
        switch("two", 52, "A02"),
        link("one:osfp1/1", "two:osfp1/1"),
    )


TOP_M = 51.5 * U_M
"""Middle of the 52nd unit."""


def overhead(along_m: float, slack_m: float = 0.5, tray_m: float = HEIGHT_M + 0.3) -> float:
    return 2 * (tray_m - TOP_M) + WIDTH_M + along_m + slack_m


def test_between_racks_over_the_tray() -> None:
    """Three positions of 0.7 m; a row further back it is 3 m more, in right angles and not through the air."""
    near = lengths_of(made(*two_racks(2.1))).cables["cbl-0001"]
    assert near.value == pytest.approx(overhead(2.1), abs=1e-3)
    far = made(MoveRack(racks=("A02",), x_m=2.1, y_m=3.0), base=made(*two_racks(2.1)))
    assert lengths_of(far).cables["cbl-0001"].value == pytest.approx(overhead(2.1 + 3.0), abs=1e-3)


def test_policies_set_slack_tray_and_floor() -> None:
    design = made(*two_racks(2.1), policy("slack_m", 1.0), policy("tray_height_m", 3.2))
    found = lengths_of(design)
    assert found.cables["cbl-0001"].value == pytest.approx(overhead(2.1, 1.0, 3.2), abs=1e-3)
    assert found.cables["cbl-0001"].grade == "user"
    assert found.assumptions == ()
    under = lengths_of(made(policy("path", "under-floor"), policy("floor_depth_m", 0.6), base=design))
    below = 2 * (0.6 + TOP_M) + WIDTH_M + 2.1 + 1.0
    assert under.cables["cbl-0001"].value == pytest.approx(below, abs=1e-3)


def test_facing_racks_are_measured_from_the_side_the_ports_are_at() -> None:
    """Two racks front to front over a 1.2 m aisle: both corners are the front left ones, seen from the front."""
    design = made(*two_racks(0.7, 1.2), SetProperty(ref="A02", field="facing", value="north"))
    assert lengths_of(design).cables["cbl-0001"].value == pytest.approx(overhead(1.2), abs=1e-3)


def test_a_pinned_length_wins() -> None:
    figure = lengths_of(made(*pair()[:3], link("low:osfp1/1", "high:osfp1/1", length_m=7))).cables["cbl-0001"]
    assert (figure.value, figure.grade) == (7, "user")


def test_a_rack_without_a_place_gives_at_least_what_is_sure() -> None:
    found = lengths_of(made(*two_racks(None, None)))
    figure = found.cables["cbl-0001"]
    assert figure.value == pytest.approx(overhead(0.0), abs=1e-3)
    assert figure.at_least
    assert figure.missing == ("place of A02 on the floor",)
    assert (found.unknown, found.total_m.at_least) == (1, True)


def test_a_device_in_no_rack_has_no_length_and_the_total_says_so() -> None:
    """One known, one unknown: the sum is a lower bound, never a zero for what is missing."""
    loose = PlaceDevice(type="qm9700", name="loose")
    found = lengths_of(made(*pair(), loose, link("low:osfp2/1", "loose:osfp1/1")))
    assert found.cables["cbl-0002"].value is None
    assert found.cables["cbl-0002"].missing == ("place of loose",)
    assert found.total_m.at_least
    assert found.total_m.value == found.cables["cbl-0001"].value
    assert found.unknown == 1


def test_halls_are_apart_until_the_path_is_known() -> None:
    from rackbuilder.design.draft import Draft
    from rackbuilder.design.records import Space

    design = made(*two_racks(2.1))
    draft = Draft(design)
    for n, name in enumerate(("hall-1", "hall-2")):
        draft.put("spaces", Space(id=name))
        draft.change("racks", f"rack-{n + 1:02d}", space=name)
    figure = lengths_of(design.apply(draft.patch("halls"))).cables["cbl-0001"]
    assert figure.at_least
    assert figure.missing == ("path from hall-1 to hall-2",)


def test_the_drawing_is_no_map() -> None:
    """Moved by a kilometre on the canvas, a cable is as long as before."""
    design = made(*pair())
    moved = made(Pin(places={"low": (0, 0), "high": (90_000, 0)}), base=design)
    assert lengths_of(moved) == lengths_of(design)
