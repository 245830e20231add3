"""How long each cable is: by the side of the rack, over or under the floor's racks, with slack; never by the drawing.

In one rack a cable runs to the cable manager at the side, along it, and back. Between racks it also goes up to the
tray (or down under the floor) and along it, in right angles, from rack to rack.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from rackbuilder.analysis.cabling.ends import bought, cage_of, rows_by_cage
from rackbuilder.analysis.cabling.models import Lengths
from rackbuilder.analysis.inputs import Assumption, Inputs, analysis
from rackbuilder.catalog.parts import RackType
from rackbuilder.design.geometry import U_M, port_height_m
from rackbuilder.design.records import Cable, CableAssembly, Device, End, Face, Rack
from rackbuilder.design.view import View
from rackbuilder.units import Figure, Grade, total, weakest

SLACK_M = 0.5
"""What a cable is longer than its path, for both ends together."""
ABOVE_RACK_M = 0.3
"""A tray hangs so far above the taller of two racks, unless the project says where."""
FLOOR_DEPTH_M = 0.4
FRAME_M = 0.2
"""Base and top of a rack whose height is not published."""
WIDTH_M, DEPTH_M = 0.6, 1.2
"""Of a rack whose size is not published."""


class Routing(NamedTuple):
    """What the project says of its cable paths; None: our default."""

    slack_m: float | None = None
    tray_height_m: float | None = None
    floor_depth_m: float | None = None
    under_floor: bool = False


def routing_of(view: View) -> Routing:
    """The policies `slack_m`, `tray_height_m`, `floor_depth_m` and `path` (overhead or under-floor)."""
    policies = view.tables["policies"]

    def metres(name: str) -> float | None:
        value: object = policies[name].value if name in policies else None
        good = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 1000
        return float(value) if good and isinstance(value, int | float) else None

    path = policies["path"].value if "path" in policies else ""
    return Routing(
        metres("slack_m"),
        metres("tray_height_m"),
        metres("floor_depth_m"),
        path in ("under-floor", "underfloor"),
    )


def find_lengths(inputs: Inputs) -> Lengths:
    """The length of every cable record, by the device of its first end."""
    memo = inputs.graphs.memo
    routing = memo.same("cable routing", routing_of(inputs))
    tables = inputs.tables
    seats = memo.same("cable seats", _seats(inputs))
    fixed = (seats, tables["racks"], tables["parts"], tables["spaces"], tables["assemblies"], routing)
    ruler = memo.get("cable ruler", fixed, lambda: Ruler(inputs, routing))
    found: dict[str, Figure] = {}
    by_device: dict[str, Mapping[str, Figure]] = {}
    sums: list[_Sum] = []
    for device in sorted(inputs.indexes.ends):
        ends = inputs.indexes.ends[device]
        mine = memo.get(("lengths", device), (ends, ruler), partial(_of_device, inputs, ruler, device))
        if mine.figures:
            by_device[device] = mine.figures
            found.update(mine.figures)
            sums.append(mine)
    return Lengths(
        cables=found,
        total_m=total(row.total_m for row in sums),
        unknown=sum(row.unknown for row in sums),
        short={name: figure for row in sums if row.short for name, figure in row.short.items()},
        by_device=by_device,
        assumptions=tuple(_assumptions(routing)) if found else (),
    )


def _seats(view: View) -> dict[str, tuple[object, ...]]:
    """All that a path knows of a device; its name only where a missing place is told by it."""
    return {
        d.id: (d.type, d.rack, d.u, d.face, d.label if not d.rack or d.u is None else "")
        for d in view.devices.values()
    }


class _Sum(NamedTuple):
    figures: Mapping[str, Figure]
    total_m: Figure
    unknown: int
    short: Mapping[str, Figure]


def _of_device(inputs: Inputs, ruler: "Ruler", device: str) -> _Sum:
    found: dict[str, Figure] = {}
    short: dict[str, Figure] = {}
    for ids in inputs.ports_used(device).values():
        for name in ids:
            cable = inputs.cables[name]
            if cable.a.device == device:
                found[name] = ruler.length(cable)
                needed = ruler.too_short(cable)
                if needed is not None:
                    short[name] = needed
    # Equal to the last: the same object, so that what was made of it stays valid.
    ordered = {name: found[name] for name in sorted(found)}
    same = inputs.graphs.memo.same(("lengths as they were", device), ordered)
    whole = total(same.values())
    return _Sum(same, whole, sum(1 for figure in same.values() if not figure.exact), short)


class _Stand(NamedTuple):
    """Where a cable leaves a device: its rack, the side of the rack that is, and how high; None: unknown."""

    rack: str
    side: Face
    height_m: float | None
    label: str


class Ruler:
    """Measures paths in one arrangement of racks; what lies between two racks is measured once."""

    def __init__(self, view: View, routing: Routing) -> None:
        self._view, self._routing = view, routing
        self._assemblies: Mapping[str, CableAssembly] = view.tables["assemblies"]
        self._between: dict[tuple[str, str, str, str], Figure] = {}
        self._stands: dict[tuple[str, str], _Stand] = {}
        self._figures: dict[tuple[object, ...], Figure] = {}
        given = (routing.slack_m, routing.floor_depth_m if routing.under_floor else routing.tray_height_m)
        self._grades: tuple[Grade, Grade] = tuple("U" if x is None else "user" for x in given)  # type: ignore[assignment]
        self._slack_m = SLACK_M if routing.slack_m is None else routing.slack_m

    def length(self, cable: Cable) -> Figure:
        """What the user set, else the path with slack."""
        pinned = bought(cable, self._assemblies).length_m
        if pinned is not None:
            return self._figure(pinned, False, "user", ())
        return self.path(cable.a, cable.b)

    def too_short(self, cable: Cable) -> Figure | None:
        """The bare path of a cable whose set length ends before it; None when it reaches, or too little is known."""
        pinned = bought(cable, self._assemblies).length_m
        if pinned is None:
            return None
        path = self.path(cable.a, cable.b)
        if path.value is None or path.value - self._slack_m <= pinned:
            return None
        bare = round(path.value - self._slack_m, 3)
        return self._figure(bare, path.at_least, path.grade, path.missing)

    def path(self, a: End, b: End) -> Figure:
        """From port to port, slack included."""
        one, two = self._stand(a), self._stand(b)
        lost = tuple(f"place of {stand.label}" for stand in (one, two) if not stand.rack)
        if lost:
            return self._figure(None, False, "A", tuple(dict.fromkeys(lost)))
        missing = [f"unit of {stand.label}" for stand in (one, two) if stand.height_m is None]
        base = self._same(one, two) if one.rack == two.rack else self._rack_to_rack(one, two)
        missing += base.missing
        grade = self._grades[0] if one.rack == two.rack else weakest(self._grades)
        value = (base.value or 0.0) + self._rise_m(one, two) + self._slack_m
        return self._figure(round(value, 3), bool(missing), grade, tuple(missing))

    def _rise_m(self, one: _Stand, two: _Stand) -> float:
        """What the heights of two ports add to a path measured from the floor; the least it can be when unknown."""
        heights = one.height_m, two.height_m
        if one.rack == two.rack:
            return 0.0 if heights[0] is None or heights[1] is None else abs(heights[0] - heights[1])
        if self._routing.under_floor:
            return sum(height or 0.0 for height in heights)
        tops = self._top_m(one.rack), self._top_m(two.rack)
        return -sum(top if height is None else height for height, top in zip(heights, tops, strict=True))

    def _figure(self, value: float | None, at_least: bool, grade: Grade, missing: tuple[str, ...]) -> Figure:
        """Ten thousand cables share a few hundred lengths."""
        key = (value, at_least, grade, missing)
        known = self._figures.get(key)
        if known is None:
            known = self._figures[key] = Figure(value, at_least, grade, missing)
        return known

    # ---- ends

    def _stand(self, end: End) -> _Stand:
        key = (end.device, cage_of(end.port))
        known = self._stands.get(key)
        if known is None:
            known = self._stands[key] = self._stand_of(self._view.devices[end.device], key[1])
        return known

    def _stand_of(self, device: Device, cage: str) -> _Stand:
        part = self._view.type_of(device)
        row = rows_by_cage(part).get(cage)
        face: Face = row.face if row else "rear"
        side: Face = face if device.face == "front" else "rear" if face == "front" else "front"
        rack = self._view.racks.get(device.rack)
        if rack is None:
            return _Stand("", side, None, device.label)
        height = port_height_m(device, part, rack, self._view.rack_type(rack))
        return _Stand(rack.id, side, height, device.label)

    # ---- racks

    def _same(self, one: _Stand, two: _Stand) -> Figure:
        """To the side and back; and through the depth of the rack when the ports look to different sides."""
        type_ = self._view.rack_type(self._view.racks[one.rack])
        return Figure(_width_m(type_) + (0 if one.side == two.side else _depth_m(type_)))

    def _rack_to_rack(self, one: _Stand, two: _Stand) -> Figure:
        """To the side in both racks, up from the floor of each to the tray, along it. Heights of ports come off."""
        key = (one.rack, one.side, two.rack, two.side)
        known = self._between.get(key)
        if known is None:
            known = self._between[key] = self._measured(one, two)
        return known

    def _measured(self, one: _Stand, two: _Stand) -> Figure:
        racks = self._view.racks[one.rack], self._view.racks[two.rack]
        types = tuple(self._view.rack_type(rack) for rack in racks)
        sides = sum(_width_m(type_) for type_ in types) / 2
        if self._routing.under_floor:
            depth = self._routing.floor_depth_m
            climb = 2 * (FLOOR_DEPTH_M if depth is None else depth)
        else:
            tall = max(_tall_m(type_) for type_ in types)
            tray = self._routing.tray_height_m
            # A tray that hangs below the top of a rack cannot be: the cable still leaves at the top.
            climb = 2 * (tall + ABOVE_RACK_M if tray is None else max(tray, tall))
        halls = [_hall(self._view, rack) for rack in racks]
        if halls[0] != halls[1] and all(halls):
            return Figure(sides + climb, True, "U", (f"path from {halls[0]} to {halls[1]}",))
        points = [
            _point(rack, type_, side)
            for rack, type_, side in zip(racks, types, (one.side, two.side), strict=True)
        ]
        lost = tuple(
            f"place of {r.label} on the floor" for r, p in zip(racks, points, strict=True) if p is None
        )
        if points[0] is None or points[1] is None:
            return Figure(sides + climb, True, "U", lost)
        along = sum(abs(x - y) for x, y in zip(points[0], points[1], strict=True))
        return Figure(sides + climb + along)

    def _top_m(self, rack: str) -> float:
        return self._view.rack_type(self._view.racks[rack]).u_height * U_M


def _width_m(type_: RackType) -> float:
    return WIDTH_M if type_.width_mm is None else type_.width_mm / 1000


def _depth_m(type_: RackType) -> float:
    return DEPTH_M if type_.depth_mm is None else type_.depth_mm / 1000


def _tall_m(type_: RackType) -> float:
    return type_.u_height * U_M + FRAME_M if type_.height_mm is None else type_.height_mm / 1000


def _point(rack: Rack, type_: RackType, side: Face) -> tuple[float, float] | None:
    """Middle of one side of a rack on the floor, from its front left corner; y grows to the south."""
    if rack.x_m is None or rack.y_m is None:
        return None
    half, depth = _width_m(type_) / 2, 0.0 if side == "front" else _depth_m(type_)
    across, back = {
        "south": ((1, 0), (0, -1)),
        "north": ((-1, 0), (0, 1)),
        "east": ((0, -1), (-1, 0)),
        "west": ((0, 1), (1, 0)),
    }[rack.facing]
    return (
        rack.x_m + half * across[0] + depth * back[0],
        rack.y_m + half * across[1] + depth * back[1],
    )


def _hall(view: View, rack: Rack) -> str:
    """The hall a rack stands in; empty: not said."""
    name, seen = rack.space, set[str]()
    while name and name not in seen:
        seen.add(name)
        space = view.tables["spaces"].get(name)
        if space is None or space.kind == "hall":
            return name
        name = space.parent
    return ""


def _assumptions(routing: Routing) -> Iterator[Assumption]:
    if routing.slack_m is None:
        yield Assumption(
            "cabling.slack_m", f"A cable is {SLACK_M:g} m longer than its path (policy slack_m)."
        )
    if routing.under_floor and routing.floor_depth_m is None:
        text = f"Cables between racks run {FLOOR_DEPTH_M:g} m under the floor (policy floor_depth_m)."
        yield Assumption("cabling.floor_depth_m", text)
    if not routing.under_floor and routing.tray_height_m is None:
        text = f"Cables between racks run {ABOVE_RACK_M:g} m above the racks (policy tray_height_m)."
        yield Assumption("cabling.tray_height_m", text)


LENGTHS = analysis("lengths", "parts devices racks spaces cables assemblies policies", "", find_lengths)
