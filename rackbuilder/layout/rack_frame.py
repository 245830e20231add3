"""The picture of a rack without its devices: frame, U ruler, blanking panels, power bar and figures below."""

from rackbuilder.layout.facts import RackFacts, load_band
from rackbuilder.layout.lod import Level
from rackbuilder.layout.scene import Frame
from rackbuilder.layout.shapes import Line, Place, Rect, Shape, Text
from rackbuilder.units import Figure, power_text

LINES_FROM = 0.45
"""Zoom from which heat and weight have room above the next line of racks."""
BAR_ROOM = 0.86
"""Share of the power bar up to the limit; the rest shows what is over it."""


def rack_shapes(
    frame: Frame, place: Place, level: Level, zoom: float, facts: RackFacts | None
) -> list[Shape]:
    """`frame.lines` holds the face, where numbering starts, and the free spans as “low high”."""
    shapes: list[Shape] = []
    if frame.ink:
        shapes.append(Rect(place.grown(3), "rack", frame.ink, 7.0, 1.5))
    shapes.append(Rect(place, "rack", "rack_edge", 2.0, 2.0 if level >= Level.RACK else 1.0))
    unit = place.h / frame.number
    inset = 4.0 if level >= Level.RACK else 1.5
    for free in frame.lines[2:]:
        low, high = (float(word) for word in free.split())
        shapes.append(Rect(_between(frame, place, low, high, unit, inset), "rack_blank"))
    if level >= Level.RACK:
        shapes += _ruler(frame, place, level, unit)
    shapes += _head(frame, place, level)
    return [*shapes, *_foot(place, level, facts, zoom)]


def _between(frame: Frame, place: Place, low: float, high: float, unit: float, inset: float) -> Place:
    top = (low - 1) * unit if frame.lines[1] == "top" else place.h - (high - 1) * unit
    return Place(place.x + inset, place.y + top + 1, place.w - 2 * inset, (high - low) * unit - 2)


def _ruler(frame: Frame, place: Place, level: Level, unit: float) -> list[Shape]:
    """Numbers at the left, every four units; each unit where there is room."""
    shapes: list[Shape] = []
    step = 1 if unit >= 14 and level >= Level.DEVICE else 4
    for u in range(1, int(frame.number) + 1):
        middle = (u - 0.5) * unit
        y = place.y + middle if frame.lines[1] == "top" else place.bottom - middle
        if u == 1 or u % step == 0:
            shapes.append(Text(place.x - 4, y, str(u), "text3", 10.0, anchor="end"))
        if u % 2 == 0 or step == 1:
            edge = y - unit / 2
            shapes.append(Line(place.x + 2, edge, place.x + 5, edge, "line2"))
    return shapes


def _head(frame: Frame, place: Place, level: Level) -> list[Shape]:
    if level < Level.RACK:
        return [
            Text(place.cx, place.y - 10, frame.title, "text", 11.0, True, anchor="middle", room=place.w + 8)
        ]
    return [
        Text(
            place.cx,
            place.y - 28,
            frame.title,
            "text",
            13.0,
            True,
            anchor="middle",
            room=place.w + 30,
            elide=True,
        ),
        Text(place.cx, place.y - 13, frame.lines[0], "text2", 11.0, anchor="middle", room=place.w),
    ]


def _foot(place: Place, level: Level, facts: RackFacts | None, zoom: float) -> list[Shape]:
    """Power against the limit, where the heat goes, weight."""
    if facts is None:
        return []
    if level < Level.RACK:
        return power_bar(Place(place.x, place.bottom + 5, place.w, 4.0), facts)
    y = place.bottom + 17
    shapes = power_bar(Place(place.x, y, place.w, 13.0), facts)
    over = facts.share is not None and facts.share > 1.0
    bold, plain = ("error", "error") if over else ("text", "text2")
    y += 24
    kw = _figure(facts.power_w, power_text, "kW unknown")
    limit = _limit(facts)
    shapes.append(
        Text(place.x, y, kw, bold, 12.0, True, room=place.w * 0.62, italic=facts.power_w.value is None)
    )
    shapes.append(Text(place.right, y, limit, plain, 11.0, anchor="end", room=place.w - 8.0 * len(kw)))
    lines = [line for line in (_heat(facts), _weight(facts)) if line]
    for n, line in enumerate(lines if zoom >= LINES_FROM else ()):
        shapes.append(Text(place.x, y + 16 + 15 * n, line, "text2", 11.0, room=place.w + 8, elide=True))
    return shapes


def _figure(figure: Figure, show: object, unknown: str) -> str:
    if figure.value is None:
        return unknown
    assert callable(show)
    return f"at least {show(figure.value)}" if figure.at_least else str(show(figure.value))


def _limit(facts: RackFacts) -> str:
    """“93 % of 44”, in kW."""
    if facts.limit_w is None:
        return "no limit set"
    if facts.share is None:
        return f"of {facts.limit_w / 1e3:g} kW"
    return f"{facts.share:.0%} of {facts.limit_w / 1e3:g}".replace("%", " %")


def _heat(facts: RackFacts) -> str:
    """“115 liquid, 17 air” in kW, or “40.8 kW to air”."""
    air, liquid = facts.air_w, facts.liquid_w
    if air.value is None:
        return "" if liquid.value is None else f"{power_text(liquid.value)} to liquid"
    words = "at least " if air.at_least or liquid.at_least else ""
    if liquid.value:
        return f"{words}{liquid.value / 1e3:.0f} liquid, {air.value / 1e3:.0f} air"
    return f"{words}{power_text(air.value)} to air"


def _weight(facts: RackFacts) -> str:
    if facts.weight_kg.value is None:
        return "weight unknown"
    limit = f", limit {facts.weight_limit_kg:,.0f}" if facts.weight_limit_kg else ""
    return _figure(facts.weight_kg, lambda kg: f"{kg:,.0f} kg", "") + limit


def power_bar(place: Place, facts: RackFacts) -> list[Shape]:
    """Power against the limit in a load colour, a tick at the limit; what is over it, and unknown, is hatched."""
    share = facts.share
    if share is None:
        hatch = "line2" if facts.power_w.value is None else ""
        return [Rect(place, "track", hatch=hatch)]
    shapes: list[Shape] = [Rect(place, "track")]
    tick = place.x + place.w * BAR_ROOM
    filled = min(share, 1.0) * place.w * BAR_ROOM
    shapes.append(Rect(Place(place.x, place.y, filled, place.h), f"load:{load_band(share)}"))
    if share > 1.0:
        over = Place(tick, place.y, min((share - 1.0) * place.w * BAR_ROOM, place.right - tick), place.h)
        shapes.append(Rect(over, "error_fill", "error", hatch="error"))
    low = max(1.0, place.h * 0.25)
    shapes.append(Rect(Place(tick - 1, place.y - low, 2.0, place.h + 2 * low), "text"))
    return shapes
