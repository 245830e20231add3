"""Pieces that pictures of devices are put together from."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rackbuilder.layout.lod import Level
from rackbuilder.layout.looks import Look
from rackbuilder.layout.portgrid import PortSpot, port_spots
from rackbuilder.layout.shapes import Ink, Path, Place, Rect, Shape, Text, around

BAND = 3.0


@dataclass(frozen=True, slots=True)
class Glyph:
    """Shapes at the origin, and slots: text shapes whose text is filled in by name for each device."""

    shapes: tuple[Shape, ...]
    slots: Mapping[str, Text]


def body(place: Place, edge: Ink, radius: float) -> Rect:
    return Rect(place, "device", edge, radius)


def cells(
    count: int, area: Place, ink: Ink, gap: float, lines: int = 0, first: int = -1, ratio: float = 0.0
) -> list[Shape]:
    """GPUs as equal blocks: two lines of four, or as asked. `first` writes their numbers where there is room.

    ratio   keeps a block no wider than so many times its height
    """
    if count < 1 or area.w < 2 or area.h < 2:
        return []
    rows = lines or (1 if count < 4 else 2 if count <= 8 else math.ceil(count / 8))
    across = math.ceil(count / rows)
    area = whole_cells(area, across, rows, gap)
    w, h = (area.w - gap * (across - 1)) / across, (area.h - gap * (rows - 1)) / rows
    if ratio and w > h * ratio:
        w = h * ratio
    if w < 0.8 or h < 0.8:
        return [Rect(area, ink)]
    result: list[Shape] = []
    for n in range(count):
        row, column = divmod(n, across)
        place = Place(area.x + column * (w + gap), area.y + row * (h + gap), w, h)
        result.append(Rect(place, ink, "", 1.0 if w > 12 else 0.0))
        if first >= 0 and w >= 14 and h >= 16:
            name = f"GPU {first + n}"
            result.append(
                Text(
                    place.cx,
                    place.cy,
                    name,
                    "on_tint",
                    11.0,
                    True,
                    "middle",
                    w - 4,
                    shorter=(str(first + n),),
                )
            )
    return result


def whole_cells(area: Place, across: int, rows: int, gap: float) -> Place:
    """An area in which cells and gaps are whole pixels, so that all of them look alike; centred in the old one."""
    w = max(1, int((area.w - gap * (across - 1)) / across)) * across + gap * (across - 1)
    h = max(1, int((area.h - gap * (rows - 1)) / rows)) * rows + gap * (rows - 1)
    if w > area.w or h > area.h:
        return area
    return Place(round(area.x + (area.w - w) / 2), round(area.y + (area.h - h) / 2), w, h)


def chips(count: int, area: Place, ink: Ink) -> list[Shape]:
    """Wide chips side by side."""
    gap = max(2.0, area.w * 0.12)
    w = (area.w - gap * (count - 1)) / count
    return (
        [Rect(Place(area.x + n * (w + gap), area.y, w, area.h), ink) for n in range(count)] if w > 0.5 else []
    )


def ports(look: Look, w: float, h: float, level: Level) -> list[Shape]:
    """Every port as a small block in the ink of its fabric; from port level an outline with its number."""
    result: list[Shape] = []
    spots = port_spots(look, w, h)
    if spots and min(min(s.place.w, s.place.h) for s in spots) < 2.4:
        return _strips(look, spots)
    for spot in spots:
        ink = look.ports[spot.group].ink
        p = spot.place
        if level >= Level.PORT and p.w >= 14 and p.h >= 12:
            result.append(Rect(p, "device", ink, 2.0, 1.5))
            number = spot.cage * look.ports[spot.group].ports + spot.port + 1
            result.append(Text(p.cx, p.cy, str(number), "text", 10.0, anchor="middle", room=p.w - 2))
        elif p.w >= 8 and p.h >= 6:
            result.append(Rect(p, "device", ink, 1.0))
        else:
            result.append(Rect(p, ink))
    return result


def _strips(look: Look, spots: Sequence[PortSpot]) -> list[Shape]:
    """Too small to tell apart: ticks across the strip of each row of cages, not one a port."""
    rows: dict[int, list[Place]] = {}
    for spot in spots:
        rows.setdefault(spot.group, []).append(spot.place)
    result: list[Shape] = []
    for group, places in rows.items():
        area = around(places)
        lines = 2 if area.h >= 9 else 1
        high = max(2, int(min(5.0, area.h / lines - 2)))
        top = round(area.cy - (high * lines + 2 * (lines - 1)) / 2)
        for n in range(int(area.w // 3)):
            for line in range(lines):
                tick = Place(round(area.x) + 3 * n, top + line * (high + 2), 2, high)
                result.append(Rect(tick, look.ports[group].ink))
    return result


def symbolic_ports(look: Look, w: float, h: float) -> list[Shape]:
    """A row of ticks that says: this has ports."""
    if not look.ports or w < 60 or h < 6:
        return []
    high = min(5.0, h * 0.4)
    count = 10
    pitch = min(5.0, w * 0.3 / count)
    x, y = w - 8 - pitch * count, (h - high) / 2
    return [Rect(Place(x + n * pitch, y, pitch * 0.5, high), "line2") for n in range(count)]


def drives(area: Place) -> list[Shape]:
    """Drive slots seen from the front."""
    count = max(3, min(6, int(area.w / 6)))
    pitch = area.w / count
    return [Rect(Place(area.x + n * pitch, area.y, 1.5, area.h), "device_edge") for n in range(count)]


def feeds(count: int, letters: str, area: Place) -> list[Shape]:
    """Supplies side by side, each with the letter of its feed; without one where it is not connected."""
    if count < 1 or area.h < 8:
        return []
    pitch = min(area.w / count, area.h * 0.7)
    result: list[Shape] = []
    for n in range(count):
        letter = letters[n : n + 1]
        place = Place(area.x + n * pitch, area.y, pitch - 3, area.h)
        ink = f"power-{letter.lower()}" if letter in ("A", "B", "C") else "line2"
        result.append(Rect(place, "device_inner", ink, 2.0, 1.2))
        if letter.strip() and place.w >= 9:
            result.append(Text(place.cx, place.cy, letter, "text2", 11.0, anchor="middle", room=place.w))
    return result


def wave(area: Place, ink: Ink) -> Path:
    points = 25
    xs = [area.x + area.w * n / (points - 1) for n in range(points)]
    ys = [
        area.cy + area.h / 2 * math.sin(n / (points - 1) * 3 * math.pi) * (0.5 + n / points / 2)
        for n in range(points)
    ]
    return Path(tuple(zip(xs, ys, strict=True)), ink, 1.8)
