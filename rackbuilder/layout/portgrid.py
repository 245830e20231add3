"""Where ports are inside the picture of a device: arithmetic that picture, hit test and cables share."""

from typing import NamedTuple

from rackbuilder.layout.looks import Look, PortGroup
from rackbuilder.layout.shapes import Place


class PortSpot(NamedTuple):
    """One port: its row of cages, its cage and number (from 0), and its place in the device's box."""

    group: int
    cage: int
    port: int
    place: Place

    def name(self, look: Look) -> str:
        """“osfp3/2”."""
        return f"{look.ports[self.group].name}{self.cage + 1}/{self.port + 1}"


def port_spots(look: Look, w: float, h: float) -> tuple[PortSpot, ...]:
    """Every port of a device drawn w x h, in the unit of w and h; none for looks that show no ports."""
    spots: list[PortSpot] = []
    for index, area in _areas(look, w, h):
        spots += _fill(index, look.ports[index], area)
    return tuple(spots)


def port_at(look: Look, w: float, h: float, x: float, y: float) -> PortSpot | None:
    """The port under a point, or None."""
    return next((spot for spot in port_spots(look, w, h) if spot.place.holds(x, y)), None)


def _areas(look: Look, w: float, h: float) -> list[tuple[int, Place]]:
    """The strip of each row of cages."""
    data = [n for n, group in enumerate(look.ports) if group.data]
    other = [n for n, group in enumerate(look.ports) if not group.data]
    if look.kind in ("leaf", "spine", "core", "switch") or look.kind in (
        "management",
        "storage",
        "panel",
        "other",
    ):
        return _switch(look, w, h, data, other)
    if look.kind in ("server", "tray"):
        return _server(look, w, h, data, other)
    return []


def _switch(look: Look, w: float, h: float, data: list[int], other: list[int]) -> list[tuple[int, Place]]:
    if look.style == "tile":
        top, deep = (0.46, 0.38) if look.kind == "leaf" else (0.56, 0.36)
        return _shares([*data, *other], look, Place(w * 0.06, h * top, w * 0.88, h * deep))
    if h >= w:
        return _shares([*data, *other], look, Place(w * 0.15, h * 0.1, w * 0.7, h * 0.8))
    return _shares([*data, *other], look, Place(w * 0.34, h * 0.14, w * 0.63, h * 0.72))


def _server(look: Look, w: float, h: float, data: list[int], other: list[int]) -> list[tuple[int, Place]]:
    if look.style == "front":
        return []
    if look.style == "rear":
        if h < w * 0.3:
            return _shares([*data, *other], look, Place(w * 0.34, h * 0.14, w * 0.63, h * 0.72))
        first, rest = data[:1], [*data[1:], *other]
        return [
            *_shares(first, look, Place(w * 0.08, h * 0.24, w * 0.84, h * 0.13)),
            *_shares(rest, look, Place(w * 0.08, h * 0.42, w * 0.84, h * 0.1)),
        ]
    first, rest = data[:1], [*data[1:], *other]
    return [
        *_shares(first, look, Place(w * 0.04, 0.0, w * 0.92, strip_of(h))),
        *_shares(rest, look, Place(w * 0.04, h - strip_of(h), w * 0.92, strip_of(h))),
    ]


def strip_of(h: float) -> float:
    """Height of the strip of ports at the top and the bottom edge of a server in the fabric view."""
    return h * 0.075


def _shares(groups: list[int], look: Look, area: Place) -> list[tuple[int, Place]]:
    """An area cut across between some rows of cages, by their number of cages and at least a tenth each."""
    weights = [max(look.ports[n].cages, sum(look.ports[m].cages for m in groups) / 10) for n in groups]
    total = sum(weights)
    result, x = [], area.x
    for n, weight in zip(groups, weights, strict=True):
        w = area.w * weight / total
        result.append((n, Place(x, area.y, w, area.h)))
        x += w
    return result


def _fill(index: int, group: PortGroup, area: Place) -> list[PortSpot]:
    lines, side = _lines(group, area)
    across = -(-group.cages // lines)
    wide_cage = across * (group.ports if side else 1)
    cell_w, cell_h = area.w / wide_cage, area.h / (lines * (1 if side else group.ports))
    wide, high = min(cell_w, cell_h * 3.0), min(cell_h, cell_w * 3.0)
    spots = []
    for cage in range(group.cages):
        line, column = divmod(cage, across)
        for port in range(group.ports):
            at = column * group.ports + port if side else column
            down = line if side else line * group.ports + port
            x = area.x + at * cell_w + (cell_w - wide) / 2
            y = area.y + down * cell_h + (cell_h - high) / 2
            spots.append(
                PortSpot(index, cage, port, Place(x + wide * 0.08, y + high * 0.08, wide * 0.84, high * 0.84))
            )
    return spots


def _lines(group: PortGroup, area: Place) -> tuple[int, bool]:
    """In how many lines the cages stand, and whether the ports of a cage stand side by side: the largest ports win."""

    def size(way: tuple[int, bool]) -> float:
        lines, side = way
        across = -(-group.cages // lines)
        w, h = (
            area.w / (across * (group.ports if side else 1)),
            area.h / (lines * (1 if side else group.ports)),
        )
        return min(w, h * 1.5)

    ways = [(lines, side) for side in (False, True) for lines in (1, 2, 4, 8)]
    return max(ways, key=lambda way: (size(way), -way[0], not way[1]))
