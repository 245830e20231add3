"""Snapping: to the nearest unit that is inside, and a reason where it cannot stand."""

import pytest

from rackbuilder.design.design import Design
from rackbuilder.design.records import Device, Rack
from rackbuilder.layout.portgrid import port_spots
from rackbuilder.layout.rack import U, elevations
from rackbuilder.layout.scene import Box
from rackbuilder.layout.shapes import Place
from rackbuilder.layout.snap import Target, nearest_fit, snap_to_grid, snap_to_port, snap_to_rack
from tests.layout import samples


def racks(*devices: Device) -> Design:
    scratch = samples.draft()
    scratch.put("racks", Rack(id="A01", type="rack-48u", x_m=0.0, y_m=0.0))
    scratch.put("racks", Rack(id="A02", type="rack-48u", x_m=0.7, y_m=0.0))
    scratch.put("racks", Rack(id="A03", type="nvl72", x_m=1.4, y_m=0.0))
    for device in devices:
        scratch.put("devices", device)
    return samples.finished(scratch)


def held(design: Design, kind: str, rack: int, u: float, dx: float = 0.0, dy: float = 0.0) -> Target | None:
    """A part held so that its box covers a unit of a rack, moved by a little."""
    part = design.parts[kind]
    elevation = elevations(design)[rack]
    place = elevation.unit_place(u, part.u_height)  # type: ignore[union-attr]
    return snap_to_rack(design, elevations(design), part, place.cx + dx, place.cy + dy)  # type: ignore[arg-type]


@pytest.mark.parametrize(("dy", "u"), [(0, 9), (0.4 * U, 9), (-0.4 * U, 9), (0.6 * U, 8), (-0.6 * U, 10)])
def test_the_nearest_unit(dy: float, u: float) -> None:
    target = held(racks(), "dgx-h100", 0, 9, dy=dy)
    assert target is not None
    assert (target.rack, target.u, target.fits) == ("A01", u, True)


def test_the_ends_of_the_rack() -> None:
    design = racks()
    top, bottom = held(design, "dgx-h100", 0, 44), held(design, "dgx-h100", 0, -2)
    assert top is not None
    assert bottom is not None
    assert top.u == 41  # U41–U48 of 48
    assert bottom.u == 1


def test_half_units_for_parts_of_half_units_only() -> None:
    half = samples.SWITCH.model_copy(update={"id": "shelf-half", "u_height": 0.5})
    design = racks()
    part = held(design, "qm9700", 0, 9, dy=-0.4 * U)
    assert part is not None
    assert part.u == 9
    elevation = elevations(design)[0]
    place = elevation.unit_place(9.5, 0.5)
    target = snap_to_rack(design, elevations(design), half, place.cx, place.cy)
    assert target is not None
    assert target.u == 9.5


def test_a_half_width_part_takes_the_half_under_the_cursor() -> None:
    left, right = (held(racks(), "half", 0, 5, dx=dx) for dx in (-40, 40))
    assert left is not None
    assert right is not None
    assert (left.slot, right.slot) == ("left", "right")


def test_a_taken_unit_says_by_whom() -> None:
    design = racks(Device(id="srv-1", type="dgx-h100", rack="A01", u=9))
    target = held(design, "dgx-h100", 0, 12)
    assert target is not None
    assert target.what == "U12–U19 is taken by srv-1"
    near = nearest_fit(design, elevations(design), samples.SERVER, target.place.cx, target.place.cy)
    assert near is not None
    assert (near.rack, near.u) == ("A01", 17)


def test_a_device_that_moves_is_not_in_its_own_way() -> None:
    design = racks(Device(id="srv-1", type="dgx-h100", rack="A01", u=9))
    elevation = elevations(design)[0]
    place = elevation.unit_place(10, 8)
    target = snap_to_rack(design, elevations(design), samples.SERVER, place.cx, place.cy, ["srv-1"])
    assert target is not None
    assert target.fits


def test_an_assembly_takes_its_own_trays() -> None:
    design = racks()
    server = held(design, "dgx-h100", 2, 38)
    assert server is not None
    assert server.what == "A GB200 NVL72 takes its own trays only"
    assert server.fix == "DGX H100 needs a 19-inch rack."
    tray = held(design, "gb200-tray", 2, 20)  # between: compute trays stand at U6–U15 and U25–U32
    assert tray is not None
    assert (tray.u, tray.fits) == (15, True) or (tray.u, tray.fits) == (25, True)
    elsewhere = held(design, "gb200-tray", 0, 5)
    assert elsewhere is not None
    assert elsewhere.what == "GB200 compute tray mounts in nvl72 only"


def test_the_nearest_place_may_be_in_the_next_rack() -> None:
    full = [Device(id=f"s{n}", type="dgx-h100", rack="A01", u=1 + 8 * n) for n in range(6)]
    design = racks(*full)
    elevation = elevations(design)[0]
    near = nearest_fit(
        design, elevations(design), samples.SERVER, elevation.place.cx, elevation.place.y + 100
    )
    assert near is not None
    assert near.rack == "A02"


def test_nothing_fits_a_part_that_is_too_high() -> None:
    design = racks()
    tall = samples.SERVER.model_copy(update={"id": "tall", "u_height": 60})
    target = snap_to_rack(design, elevations(design), tall, 100, 300)
    assert target is not None
    assert target.what == "DGX H100 is 60U high; the rack has 48U"
    assert nearest_fit(design, elevations(design), tall, 100, 300) is None


def test_over_no_rack_there_is_no_target() -> None:
    assert snap_to_rack(racks(), elevations(racks()), samples.SERVER, -500, 0) is None


def test_a_strip_goes_to_the_nearer_side() -> None:
    design = racks()
    place = elevations(design)[0].place
    left = snap_to_rack(design, elevations(design), samples.PDU, place.x + 10, place.cy)
    right = snap_to_rack(design, elevations(design), samples.PDU, place.right - 10, place.cy)
    assert left is not None
    assert right is not None
    assert (left.slot, left.u, right.slot) == ("side-left", None, "side-right")


def test_the_grid() -> None:
    assert snap_to_grid(14.9, -6.0) == (10.0, -10.0)


def test_the_nearest_port() -> None:
    from rackbuilder.layout.looks import look_of

    design = racks(Device(id="sw", type="qm9700", fabric=""))
    look = look_of(design, design.devices["sw"], "leaf", "tile")
    box = Box("sw", Place(100, 50, 110, 52), look)
    spot = next(s for s in port_spots(look, 110, 52) if s.name(look) == "osfp9/1")
    assert snap_to_port(box, 100 + spot.place.cx, 50 + spot.place.cy) == "osfp9/1"
    assert snap_to_port(box, 100 - 40, 50) is None
