"""Single cables: from port to port, square corners, apart from each other."""

from itertools import combinations, pairwise

from rackbuilder.layout.cables import CableLines
from rackbuilder.layout.fabric import fabric_scene
from rackbuilder.layout.portgrid import port_spots
from rackbuilder.topology.graphs import build_graphs
from tests.layout import samples


def lines(**options):  # type: ignore[no-untyped-def]
    design = samples.small(**options)
    scene = fabric_scene(design, build_graphs(design))
    return design, scene, list(CableLines(design, scene).of_pairs(range(len(scene.pairs))))


def test_each_cable_goes_from_its_port_to_its_port() -> None:
    design, scene, drawn = lines()
    assert sorted(line.cable for line in drawn) == sorted(design.cables)
    for line in drawn:
        cable = design.cables[line.cable]
        ends = {cable.a.device: cable.a.port, cable.b.device: cable.b.port}
        for device, point in (
            (scene.pairs[line.pair].a, line.points[0]),
            (scene.pairs[line.pair].b, line.points[-1]),
        ):
            place = scene.boxes[device].place
            spots = {
                s.name(scene.boxes[device].look): s.place
                for s in port_spots(scene.boxes[device].look, place.w, place.h)
            }
            spot = spots[ends[device]]
            assert abs(point[0] - (place.x + spot.cx)) < 1e-6
            assert point[1] in (place.y, place.bottom)


def test_corners_are_square() -> None:
    _, _, drawn = lines()
    for line in drawn:
        for a, b in pairwise(line.points):
            assert abs(a[0] - b[0]) < 1e-9 or abs(a[1] - b[1]) < 1e-9


def test_no_two_cables_lie_on_each_other_between_the_tiers() -> None:
    _, scene, drawn = lines()
    bottom = max(b.place.bottom for b in scene.boxes.values() if b.look.kind == "leaf") + 8
    top = min(b.place.y for b in scene.boxes.values() if b.look.kind == "server") - 8
    upright = [
        (a[0], min(a[1], b[1]), max(a[1], b[1]))
        for line in drawn
        for a, b in pairwise(line.points)
        if a[0] == b[0] and max(a[1], b[1]) > bottom and min(a[1], b[1]) < top
    ]
    for one, two in combinations(upright, 2):
        shared = min(one[2], two[2], top) - max(one[1], two[1], bottom)
        assert shared <= 0 or abs(one[0] - two[0]) > 0.2


def test_stubs_are_the_ends_of_the_line() -> None:
    _, _, drawn = lines()
    for line in drawn:
        first, last = line.stubs()
        assert first == line.points[: len(first)]
        assert last == line.points[-len(last) :]
        assert len(first) + len(last) < len(line.points)
