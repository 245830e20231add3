"""The floor in metres, and the inside of a server."""

from itertools import combinations

from rackbuilder.design.records import Rack
from rackbuilder.layout.facts import RackFacts
from rackbuilder.layout.floor import METRE, floor_scene, rack_place
from rackbuilder.layout.server import server_scene
from rackbuilder.topology.graphs import build_graphs
from rackbuilder.units import Figure
from tests.layout import samples


def test_racks_stand_at_their_metres() -> None:
    scene = floor_scene(samples.superpod())
    assert scene.boxes["A02"].place.x - scene.boxes["A01"].place.x == 0.7 * METRE
    assert scene.boxes["B01"].place.y - scene.boxes["A01"].place.y == 3.0 * METRE


def test_a_rack_turned_by_its_facing() -> None:
    """Its front left corner stays: 0.6 m wide, 1.2 m deep, at x 2 m, y 3 m."""
    design = samples.mixed_row()
    corner = {"south": (2.0, 1.8), "north": (1.4, 3.0), "east": (0.8, 2.4), "west": (2.0, 3.0)}
    for facing, (x, y) in corner.items():
        rack = Rack(id="r", type="rack-48u", x_m=2.0, y_m=3.0, facing=facing)  # type: ignore[arg-type]
        place = rack_place(design, rack)
        assert abs(place.x - x * METRE) < 1e-9, facing
        assert abs(place.y - y * METRE) < 1e-9, facing


def test_racks_without_a_place_are_shown_and_said() -> None:
    scene = floor_scene(samples.small(racked=True))
    (shelf,) = [f for f in scene.frames if f.kind == "shelf"]
    assert shelf.title == "No place on the floor yet: 1"
    assert "rack-01" in scene.boxes


def test_racks_carry_their_share_of_the_limit() -> None:
    scene = floor_scene(samples.mixed_row(), {"A01": RackFacts(Figure(40_800.0), 44_000.0)})
    box = scene.boxes["A01"]
    assert box.look.band == "load:6"
    assert box.texts["share"] == "93 %"
    assert scene.boxes["A02"].look.band == ""


def test_the_inside_of_a_server() -> None:
    design = samples.superpod()
    scene = server_scene(design, build_graphs(design), "srv-023")
    kinds = [box.look.kind for box in scene.boxes.values()]
    assert (kinds.count("gpu"), kinds.count("nic"), kinds.count("cpu"), kinds.count("supply")) == (
        8,
        13,
        2,
        6,
    )
    assert "srv-023.gpu3" in scene.boxes
    assert "srv-023:osfp2/1" in scene.boxes
    (domain,) = [f for f in scene.frames if f.kind == "domain"]
    assert domain.title == "NVLink domain · 8 GPUs · 450 GB/s per direction each"
    assert [p.text for p in scene.plates][:8] == [f"L{n:02d}" for n in range(1, 9)]


def test_a_tray_tells_of_its_whole_domain() -> None:
    design = samples.nvl72(racks=1)
    scene = server_scene(design, build_graphs(design), "A01-C05")
    (domain,) = [f for f in scene.frames if f.kind == "domain"]
    assert domain.title.startswith("NVLink domain · 72 GPUs over 18 trays")
    # 9 switch trays x 8 links a pair.
    assert scene.boxes["A01-C05.backplane"].texts["name"] == "9 NVLink switch trays of the rack · 72 links"


def test_nothing_inside_overlaps() -> None:
    design = samples.superpod()
    places = [b.place for b in server_scene(design, build_graphs(design), "srv-001").boxes.values()]
    assert not [(a, b) for a, b in combinations(places, 2) if a.meets(b)]


def test_no_server_is_an_empty_scene() -> None:
    design = samples.small()
    assert not server_scene(design, build_graphs(design), "gone").boxes
