"""Ports inside a picture: each once, inside the box, apart, and found again by arithmetic."""

from itertools import combinations

import pytest

from rackbuilder.catalog.ports import ports_of
from rackbuilder.design.records import Device
from rackbuilder.layout.looks import Style, look_of
from rackbuilder.layout.portgrid import port_at, port_spots
from rackbuilder.layout.shapes import Place
from tests.layout import samples


@pytest.mark.parametrize("kind", ["dgx-h100", "qm9700", "sn4600c", "gb200-tray", "stg"])
@pytest.mark.parametrize("style", ["tile", "rear"])
@pytest.mark.parametrize("size", [(46.0, 56.0), (120.0, 92.0), (190.0, 20.0), (190.0, 160.0)])
def test_every_port_has_its_place(kind: str, style: Style, size: tuple[float, float]) -> None:
    scratch = samples.draft()
    scratch.put("devices", Device(id="d", type=kind))
    design = samples.finished(scratch)
    look = look_of(design, design.devices["d"], "leaf", style)
    spots = port_spots(look, *size)
    names = [spot.name(look) for spot in spots]
    assert sorted(names) == sorted(ports_of(design.type_of(design.devices["d"])))
    whole = Place(0, 0, *size).grown(0.01)
    assert all(
        whole.holds(s.place.x, s.place.y) and whole.holds(s.place.right, s.place.bottom) for s in spots
    )
    assert not [1 for a, b in combinations(spots, 2) if a.place.meets(b.place)]
    for spot in spots:
        assert port_at(look, *size, spot.place.cx, spot.place.cy) == spot
