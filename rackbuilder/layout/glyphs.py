"""The picture of a device: shapes and text slots in pixels for a box of a given size and level of detail.

Sizes that people read (edges, bands, gaps) are pixels and stay the same at every zoom; the rest fills the box.
"""

from collections.abc import Callable

from rackbuilder.layout.glyph_others import column, floor_rack, gpu, inner, stack, vacant
from rackbuilder.layout.glyph_parts import (
    BAND,
    Glyph,
    body,
    cells,
    chips,
    drives,
    feeds,
    ports,
    symbolic_ports,
    wave,
)
from rackbuilder.layout.lod import Level
from rackbuilder.layout.looks import Look
from rackbuilder.layout.portgrid import strip_of
from rackbuilder.layout.shapes import Line, Place, Rect, Shape, Text

SMALL, NORMAL_TEXT = 10.0, 11.0
TINY = 8.0


def glyph(look: Look, w: float, h: float, level: Level) -> Glyph:
    """The picture of a look in a box of w x h pixels. Pure: equal arguments give equal pictures."""
    if w < TINY or h < TINY:
        return _tiny(look, w, h)
    found = _MAKERS.get(look.kind, _box)(look, w, h, level)
    return _dashed(found) if look.planned else found


def _dashed(found: Glyph) -> Glyph:
    """What is planned has a dashed edge, in the colour of planned links."""
    first, rest = found.shapes[0], found.shapes[1:]
    if not isinstance(first, Rect):
        return found
    return Glyph((first._replace(edge="line2", dash=(3.0, 2.5)), *rest), found.slots)


def _tiny(look: Look, w: float, h: float) -> Glyph:
    """A few pixels: a fill that says what it is, and an edge where there is room for one."""
    fill = (
        "track" if look.idle else "gpu_cell" if look.gpus else look.band if h >= w and look.band else "device"
    )
    edge = "device_edge" if min(w, h) >= 3 else ""
    return Glyph((Rect(Place(0, 0, w, h), fill if edge or fill != "device" else "line2", edge),), {})


def _detailed(level: Level, w: float, h: float) -> bool:
    return level >= Level.DEVICE and w >= 40 and h >= 12


# ---- servers and trays


def _server(look: Look, w: float, h: float, level: Level) -> Glyph:
    if look.style == "rear":
        return _rear(look, w, h, level)
    if look.style == "front":
        return _server_front(look, w, h)
    return _server_tile(look, w, h, level)


def _server_tile(look: Look, w: float, h: float, level: Level) -> Glyph:
    """In the fabric view: the domain outline is the box; from device level ports, name and supplies are inside."""
    edge = "domain" if look.domain else "device_edge"
    whole = Place(0, 0, w, h)
    ink = "track" if look.idle else "gpu_cell"
    if h < 18 or w < 12:
        return Glyph((body(whole, edge, 1.0), *cells(look.gpus, whole.grown(-2), ink, 0.5)), {})
    radius = min(4.0, w * 0.14)
    roomy = h >= 58 and w >= 46
    if not roomy:
        side, over = max(2.0, round(w * 0.115)), max(2.0, round(h * 0.13))
        inner = Place(side, over, w - 2 * side, h - 2 * over)
        return Glyph((body(whole, edge, radius), *cells(look.gpus, inner, ink, 1.0)), {})
    strip = strip_of(h) if level >= Level.DEVICE and look.ports else 0.0
    top, bottom = 19.0 + strip, 5.0 + strip
    inner = Place(7, top, w - 14, h - top - bottom)
    shapes: list[Shape] = [body(whole, "device_edge", 2.0)]
    if inner.h >= 16:
        shapes.append(Rect(inner, "", edge, min(5.0, inner.h * 0.14)))
        shapes += _inside(look, inner.grown(-4), ink, level)
    if level >= Level.DEVICE:
        shapes += ports(look, w, h, level)
    slots = {
        "name": Text(7, 10.0 + strip, "", "text", NORMAL_TEXT, True, room=w - 14),
        "power": Text(w - 7, 10.0 + strip, "", "text3", SMALL, anchor="end", room=w * 0.45),
    }
    return Glyph(tuple(shapes), slots)


def _inside(look: Look, area: Place, ink: str, level: Level) -> list[Shape]:
    """GPU cells, and between their two rows the NVSwitch bar once there is room to read it."""
    if level < Level.DEVICE or not look.chips or area.h < 60 or area.w < 90:
        return cells(look.gpus, area, ink, 2.0)
    row = (area.h - 20 - 8) / 2
    half = look.gpus // 2
    bar = Place(area.x, area.y + row + 4, area.w, 20)
    below = Place(area.x, bar.bottom + 4, area.w, row)
    label = f"{look.chips} × NVSwitch"
    return [
        *cells(half, Place(area.x, area.y, area.w, row), ink, 3.0, lines=1, first=0),
        Rect(bar, "device_inner", "domain", 2.0),
        Text(bar.cx, bar.cy, label, "text", NORMAL_TEXT, anchor="middle", room=bar.w - 6),
        *cells(look.gpus - half, below, ink, 3.0, lines=1, first=half),
    ]


def _server_front(look: Look, w: float, h: float) -> Glyph:
    whole = Place(0, 0, w, h)
    if h < 40:
        return _low_server(look, w, h) if look.u_height < 4 else _small_server(look, w, h)
    edge = "domain" if look.domain else "device_edge"
    outline = Place(max(5.0, w * 0.05), 21, w - 2 * max(5.0, w * 0.05), h - 42)
    inner = outline.grown(-max(4.0, min(w, h) * 0.045))
    shapes: tuple[Shape, ...] = (body(whole, "device_edge", 2.0),)
    if outline.h > 14:
        shapes = (*shapes, Rect(outline, "", edge, 5.0), *cells(look.gpus, inner, "gpu_cell", 3.0))
    x = outline.x
    slots = {
        "name": Text(x, 11, "", "text", 12.0, True, room=w - 2 * x),
        "u": Text(w - x, 11, "", "text3", SMALL, anchor="end", room=w * 0.3),
        "model": Text(x, h - 11, "", "text2", NORMAL_TEXT, room=w * 0.56),
        "power": Text(w - x, h - 11, "", "text2", NORMAL_TEXT, anchor="end", room=w * 0.5),
    }
    return Glyph(shapes, slots)


def _small_server(look: Look, w: float, h: float) -> Glyph:
    """A large server from afar: its cells alone."""
    inner = Place(w * 0.16, h * 0.2, w * 0.68, h * 0.6)
    return Glyph((body(Place(0, 0, w, h), "device_edge", 1.0), *cells(look.gpus, inner, "gpu_cell", 1.0)), {})


def _low_server(look: Look, w: float, h: float) -> Glyph:
    """One or two units high: name left, cells in one line, power right."""
    x = w * 0.36 if w > 100 else w * 0.2
    area = Place(x, max(2.5, h * 0.2), w * 0.36, h - 2 * max(2.5, h * 0.2))
    shapes = (body(Place(0, 0, w, h), "device_edge", 1.0), *cells(look.gpus, area, "gpu_cell", 3.0, lines=1))
    slots = _line_slots(w, h, 6.0, x - 8.0)
    return Glyph(shapes, slots)


def _line_slots(w: float, h: float, left: float, room: float) -> dict[str, Text]:
    size = NORMAL_TEXT if h >= 15 else SMALL
    if h < 11:
        return {}
    return {
        "name": Text(left, h / 2, "", "text", size, room=room),
        "power": Text(w - 6, h / 2, "", "text2", SMALL, anchor="end", room=w * 0.2),
    }


def _tray(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A compute tray: four cells left of the middle, its backplane edge in domain green."""
    if look.style == "rear":
        return _rear(look, w, h, level)
    x = w * 0.24 if w >= 140 else w * 0.3 if w >= 60 else w * 0.12
    pad = max(1.5, h * 0.22)
    area = Place(x, pad, w * (0.44 if w >= 60 else 0.76), h - 2 * pad)
    shapes: list[Shape] = [body(Place(0, 0, w, h), "device_edge", 1.0)]
    ink = "track" if look.idle else "gpu_cell"
    shapes += cells(look.gpus, area, ink, 4.0 if w >= 60 else 1.0, lines=1, ratio=1.9)
    if _detailed(level, w, h):
        shapes.append(Line(w - 1.5, 1, w - 1.5, h - 1, "domain", 2.0))
    return Glyph(tuple(shapes), {"name": Text(7, h / 2, "", "text2", SMALL, room=x - 9)} if h >= 10.5 else {})


def _nvswitch(look: Look, w: float, h: float, level: Level) -> Glyph:
    """An NVLink switch tray: green edge, two wide chips, no cells."""
    x = w * 0.3 if w >= 60 else w * 0.2
    pad = max(1.5, h * 0.24)
    area = Place(x, pad, w * (0.38 if w >= 60 else 0.6), h - 2 * pad)
    shapes: list[Shape] = [Rect(Place(0, 0, w, h), "device_inner", "domain", 1.0)]
    shapes += chips(max(1, look.chips), area, "in-domain")
    slots = {"name": Text(7, h / 2, "", "text2", SMALL, room=x - 9)} if h >= 10.5 else {}
    if _detailed(level, w, h):
        slots["links"] = Text(w - 7, h / 2, "", "text2", SMALL, anchor="end", room=w * 0.3)
    return Glyph(tuple(shapes), slots)


def _rear(look: Look, w: float, h: float, level: Level) -> Glyph:
    """The back of any device: ports in the ink of their fabric, supplies with the letter of their feed."""
    shapes: list[Shape] = [body(Place(0, 0, w, h), "device_edge", 2.0 if h > 30 else 1.0)]
    if h < 60:
        shapes += ports(look, w, h, Level.RACK)
        return Glyph(tuple(shapes), _line_slots(w, h, 6.0, w * 0.34 - 8))
    shapes += ports(look, w, h, Level.RACK)
    shapes += feeds(look.supplies, look.feeds, Place(w * 0.08, h * 0.64, w * 0.84, h * 0.28))
    return Glyph(tuple(shapes), {"name": Text(w * 0.08, 11, "", "text", NORMAL_TEXT, True, room=w * 0.84)})


# ---- switches


def _switch_tile(look: Look, w: float, h: float, level: Level) -> Glyph:
    """Band below for a leaf (toward servers), above for a spine, two above for a core, at the left for the rest."""
    shapes: list[Shape] = [body(Place(0, 0, w, h), "device_edge", 2.0)]
    thick = BAND if h > 16 else 2.0
    if look.kind == "leaf":
        shapes.append(Rect(Place(3, h - thick - 3, w - 6, thick), look.band))
    elif look.kind in ("spine", "core"):
        shapes.append(Rect(Place(3, 3, w - 6, thick), look.band))
        if look.kind == "core":
            shapes.append(Rect(Place(3, 5 + thick, w - 6, thick), look.band))
    else:
        shapes.append(Rect(Place(0, 0, 4, h), look.band or "line2"))
    middle = h / 2 + (2.0 if look.kind in ("spine", "core") else -3.0 if look.kind == "leaf" else 0.0)
    if level >= Level.DEVICE and h >= 30:
        shapes += ports(look, w, h, level)
        middle = h * 0.34 if look.kind != "leaf" else h * 0.22
    if h < 14:
        return Glyph(tuple(shapes), {})
    left = 0.0 if look.kind in ("leaf", "spine", "core") else 5.0
    name = Text((w + left) / 2, middle, "", "text", NORMAL_TEXT, anchor="middle", room=w - 2 - left)
    return Glyph(tuple(shapes), {"name": name})


def _switch(look: Look, w: float, h: float, level: Level) -> Glyph:
    if look.style == "tile":
        return _switch_tile(look, w, h, level)
    return _banded(look, w, h, level)


def _banded(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A flat device in a rack: band at the left, name, ports at the right."""
    shapes: list[Shape] = [body(Place(0, 0, w, h), "device_edge", 1.0)]
    if look.band:
        shapes.append(Rect(Place(0, 0, BAND + 1 if w > 60 else 2.0, h), look.band))
    if _detailed(level, w, h) or look.style == "rear":
        shapes += ports(look, w, h, level)
    else:
        shapes += symbolic_ports(look, w, h)
    tight = bool(look.ports) and (level >= Level.DEVICE or look.style == "rear")
    return Glyph(tuple(shapes), _line_slots(w, h, 10.0, w * 0.34 - 12 if tight else w * 0.5))


# ---- the rest


def _storage(look: Look, w: float, h: float, level: Level) -> Glyph:
    if look.style == "tile":
        return _switch_tile(look, w, h, level)
    if look.style == "rear":
        return _rear(look, w, h, level)
    shapes: list[Shape] = [
        body(Place(0, 0, w, h), "device_edge", 1.0),
        Rect(Place(0, 0, BAND + 1, h), look.band),
    ]
    shapes += drives(Place(w * 0.66, h * 0.12, w * 0.24, h * 0.76))
    size = 12.0 if h > 24 else NORMAL_TEXT
    slots = {"name": Text(14, h / 2, "", "text", size, room=w * 0.5)} if h >= 11 else {}
    if h > 60:
        slots = {
            "name": Text(14, h / 2 - 7, "", "text", size, room=w * 0.5),
            "model": Text(14, h / 2 + 8, "", "text3", SMALL, room=w * 0.5),
        }
    return Glyph(tuple(shapes), slots)


def _pdu(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A strip with outlets in the colour of its feed; its letter at the foot."""
    feed = look.feeds[:1] or "c"
    ink = f"power-{feed.lower()}"
    shapes: list[Shape] = [Rect(Place(0, 0, w, h), "device", ink, 2.0, 1.5)]
    count = max(2, min(24, int(h / 28)))
    for n in range(count if h >= 44 else 0):
        y = 14 + (h - 44) * n / max(1, count - 1)
        shapes.append(Rect(Place(w / 2 - 2, y - 2, 4, 4), ink, "", 2.0))
    slots = (
        {"feed": Text(w / 2, h - 11, "", "text", NORMAL_TEXT, True, anchor="middle", room=w)}
        if h > 50
        else {}
    )
    return Glyph(tuple(shapes), slots)


def _shelf(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A power shelf: its supplies as small blocks in the colour of their feed."""
    if look.style == "tile":
        return _switch_tile(look, w, h, level)
    ink = f"power-{(look.feeds[:1] or 'c').lower()}"
    shapes: list[Shape] = [body(Place(0, 0, w, h), "device_edge", 1.0)]
    pad = max(2.0, h * 0.22)
    count = max(1, look.supplies or 6)
    area = Place(w * 0.58, pad, w * 0.38, h - 2 * pad)
    shapes += [Rect(c.place, ink) for c in cells(count, area, ink, 2.5, lines=1) if isinstance(c, Rect)]
    return Glyph(
        tuple(shapes), {"name": Text(7, h / 2, "", "text2", SMALL, room=w * 0.5)} if h >= 10.5 else {}
    )


def _cdu(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A coolant unit: liquid edge and a wave."""
    shapes: list[Shape] = [Rect(Place(0, 0, w, h), "device", "liquid", 2.0, 1.5)]
    if h >= 40:
        shapes.append(wave(Place(w * 0.08, h - 26, w * 0.52, 16), "liquid"))
        slots = {
            "name": Text(w * 0.07, 12, "", "text", 12.0, True, room=w * 0.86),
            "model": Text(w * 0.07, 28, "", "text2", NORMAL_TEXT, room=w * 0.86),
        }
        return Glyph(tuple(shapes), slots)
    return Glyph(
        tuple(shapes), {"name": Text(w * 0.05, h / 2, "", "text2", SMALL, room=w * 0.9)} if h >= 10.5 else {}
    )


def _box(look: Look, w: float, h: float, level: Level) -> Glyph:
    if look.style == "tile":
        return _switch_tile(look, w, h, level)
    return _banded(look, w, h, level)


_MAKERS: dict[str, Callable[[Look, float, float, Level], Glyph]] = {
    "server": _server,
    "tray": _tray,
    "nvswitch": _nvswitch,
    "leaf": _switch,
    "spine": _switch,
    "core": _switch,
    "switch": _switch,
    "management": _box,
    "storage": _storage,
    "pdu": _pdu,
    "shelf": _shelf,
    "cdu": _cdu,
    "gpu": gpu,
    "chip": inner,
    "cpu": inner,
    "nic": inner,
    "supply": inner,
    "rack": floor_rack,
    "column": column,
    "stack": stack,
    "vacant": vacant,
}
