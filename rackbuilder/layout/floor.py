"""The floor as a scene: halls, rows, aisles and obstacles by their outlines, racks where they stand.

North is up; metres become drawing units only here, and never turn back into cable lengths.
"""

from collections.abc import Mapping

from rackbuilder.design.records import Rack, Space
from rackbuilder.design.view import View
from rackbuilder.layout.facts import RackFacts, load_band
from rackbuilder.layout.lod import ALWAYS
from rackbuilder.layout.looks import Look
from rackbuilder.layout.names import natural
from rackbuilder.layout.scene import Box, Frame, Scene
from rackbuilder.layout.shapes import Place, around
from rackbuilder.units import power_text

METRE = 90.0
"""Drawing units of a metre of floor."""
WIDTH_M, DEPTH_M = 0.6, 1.2
"""A rack of a type that does not say its size (EIA-310 cabinet)."""
PER_LINE = 24


def floor_scene(view: View, facts: Mapping[str, RackFacts] | None = None) -> Scene:
    """The floor view. Racks without a place stand in lines below, and say so."""
    known = facts or {}
    boxes = {rack.id: _box(view, rack, place, known.get(rack.id)) for rack, place in _placed(view)}
    frames = [_space(view, space) for space in _ordered_spaces(view)]
    reach = [*(box.place for box in boxes.values()), *(f.place for f in frames if f.place.w)]
    foot = max((p.bottom for p in reach), default=0.0)
    loose = _loose(view, foot + 90.0, known)
    boxes.update(loose)
    if loose:
        place = around(box.place for box in loose.values()).grown(14)
        title = f"No place on the floor yet: {len(loose)}"
        frames.append(Frame("shelf", place, "", title, members=tuple(loose)))
    everything = [
        *(box.place.grown(20) for box in boxes.values()),
        *(f.place.grown(24) for f in frames if f.place.w),
    ]
    return Scene("floor", around(everything).grown(20), tuple(frames), boxes)


def _placed(view: View) -> list[tuple[Rack, Place]]:
    racks = sorted(view.racks.values(), key=lambda r: (natural(r.label), r.id))
    return [(rack, rack_place(view, rack)) for rack in racks if rack.x_m is not None and rack.y_m is not None]


def rack_place(view: View, rack: Rack) -> Place:
    """The footprint of a rack, from its front left corner and the way it faces; y grows to the south."""
    part = view.rack_type(rack)
    w = (part.width_mm or WIDTH_M * 1000) / 1000 * METRE
    d = (part.depth_mm or DEPTH_M * 1000) / 1000 * METRE
    x, y = (rack.x_m or 0.0) * METRE, (rack.y_m or 0.0) * METRE
    if rack.facing == "south":
        return Place(x, y - d, w, d)
    if rack.facing == "north":
        return Place(x - w, y, w, d)
    return Place(x - d, y - w, d, w) if rack.facing == "east" else Place(x, y, d, w)


def _box(view: View, rack: Rack, place: Place, facts: RackFacts | None) -> Box:
    assembly = view.rack_type(rack).assembly is not None
    share = facts.share if facts else None
    band = f"load:{load_band(share)}" if share is not None else ""
    power = "" if facts is None or facts.power_w.value is None else power_text(facts.power_w.value)
    brief = "" if facts is None or facts.power_w.value is None else f"{facts.power_w.value / 1e3:.0f} kW"
    if facts is not None and facts.power_w.at_least and power:
        power, brief = f"at least {power}", f"≥ {brief}"
    look = Look("rack", feeds=rack.facing, domain=assembly, band=band)
    percent = f"{share * 100:.0f} %" if share is not None else ""
    texts = {"name": rack.label, "power": power, "power_short": brief, "share": percent}
    return Box(rack.id, place, look, texts, ALWAYS)


def _ordered_spaces(view: View) -> list[Space]:
    order = {"hall": 0, "path": 1, "aisle": 2, "row": 3, "obstacle": 4}
    spaces: list[Space] = list(view.tables["spaces"].values())
    return sorted(spaces, key=lambda s: (order[s.kind], natural(s.label), s.id))


def _space(view: View, space: Space) -> Frame:
    """By its outline; a row or hall without one is what its racks cover."""
    points = [(x * METRE, y * METRE) for x, y in space.outline_m]
    if not points:
        inside = _racks_in(view, space.id)
        covered = [rack_place(view, rack) for rack in inside if rack.x_m is not None and rack.y_m is not None]
        place = _around_racks(covered, space.kind == "hall")
    else:
        place = around(Place(x, y, 0.0, 0.0) for x, y in points)
    return Frame("space", place, space.id, space.label, (space.kind,))


def _around_racks(covered: list[Place], hall: bool) -> Place:
    """Room around some racks: little for a row, more for a hall, which has its name at the top."""
    if not covered:
        return Place(0.0, 0.0, 0.0, 0.0)
    place = around(covered).grown(60.0 if hall else 12.0)
    return Place(place.x, place.y - 40.0, place.w, place.h + 40.0) if hall else place


def _racks_in(view: View, space: str) -> list[Rack]:
    """Racks of a space and of the spaces inside it."""
    inside = {space: None}
    spaces = view.tables["spaces"]
    for _ in range(4):  # hall, row, aisle: no deeper
        inside.update({s.id: None for s in spaces.values() if s.parent in inside})
    return [rack for rack in view.racks.values() if rack.space in inside]


def _loose(view: View, top: float, facts: Mapping[str, RackFacts]) -> dict[str, Box]:
    racks = [r for r in view.racks.values() if r.x_m is None or r.y_m is None]
    boxes = {}
    for n, rack in enumerate(sorted(racks, key=lambda r: (natural(r.label), r.id))):
        line, column = divmod(n, PER_LINE)
        place = Place(
            column * WIDTH_M * METRE * 1.25,
            top + line * (DEPTH_M * METRE + 24),
            WIDTH_M * METRE,
            DEPTH_M * METRE,
        )
        boxes[rack.id] = _box(view, rack, place, facts.get(rack.id))
    return boxes
