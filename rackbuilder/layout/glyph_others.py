"""Pictures of what is no device of its own: inner parts of a server, racks from above and from afar."""

from rackbuilder.layout.glyph_parts import Glyph, cells
from rackbuilder.layout.lod import Level
from rackbuilder.layout.looks import Look
from rackbuilder.layout.shapes import Place, Rect, Shape, Text

SMALL, NORMAL_TEXT = 10.0, 11.0


def gpu(look: Look, w: float, h: float, level: Level) -> Glyph:
    slots = {
        "name": Text(
            w / 2, h / 2 - (8 if h >= 40 else 0), "", "on_tint", 12.0, True, anchor="middle", room=w - 6
        ),
    }
    if h >= 40:
        slots["model"] = Text(w / 2, h / 2 + 9, "", "on_tint", NORMAL_TEXT, anchor="middle", room=w - 6)
    return Glyph((Rect(Place(0, 0, w, h), "in-server", "", 3.0),), slots)


def inner(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A chip, a processor, a port or a supply: a box with its name."""
    edge = {"chip": "domain", "cpu": "device_edge", "nic": look.band or "device_edge"}.get(look.kind, "line2")
    fill = "device" if look.kind == "nic" else "device_inner"
    if look.kind == "supply" and look.feeds in ("A", "B", "C"):
        edge = f"power-{look.feeds.lower()}"
    body_rect = Rect(Place(0, 0, w, h), fill, edge, 3.0 if h > 20 else 2.0, 1.5)
    name = Text(w / 2, h / 2, "", "text", NORMAL_TEXT, anchor="middle", room=w - 6, elide=look.kind == "cpu")
    return Glyph((body_rect,), {"name": name})


def floor_rack(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A rack from above: its front as a thick edge, filled in the colour of its load."""
    whole = Place(0, 0, w, h)
    shapes: list[Shape] = [Rect(whole, "rack", "domain" if look.domain else "rack_edge", 2.0, 1.5)]
    thick = max(2.0, min(w, h) * 0.07)
    fronts = {
        "south": Place(1, h - thick - 1, w - 2, thick),
        "north": Place(1, 1, w - 2, thick),
        "east": Place(w - thick - 1, 1, thick, h - 2),
        "west": Place(1, 1, thick, h - 2),
    }
    shapes.append(Rect(fronts.get(look.feeds, fronts["south"]), "rack_edge"))
    if look.band and min(w, h) >= 10:
        bar = Place(w * 0.14, h * 0.62, w * 0.72, max(3.0, h * 0.08))
        shapes.append(Rect(bar, look.band))
    slots = {
        "name": Text(w / 2, h * 0.24, "", "text", NORMAL_TEXT, True, anchor="middle", room=w - 4),
        "power": Text(w / 2, h * 0.45, "", "text2", SMALL, anchor="middle", room=w - 4),
        "share": Text(w / 2, h * 0.8, "", "text2", SMALL, anchor="middle", room=w - 4),
    }
    return Glyph(tuple(shapes), slots if h >= 26 else {})


def column(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A rack behind its servers in the fabric view; green where the rack is one NVLink domain."""
    edge, radius, width = ("domain", 5.0, 1.5) if look.domain else ("line", 3.0, 1.0)
    return Glyph((Rect(Place(0, 0, w, h), "rack", edge, radius, width),), {})


def vacant(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A position of a unit that nothing fills."""
    return Glyph((Rect(Place(0, 0, w, h), "rack", "line2", min(4.0, w * 0.14), 1.0, (3.0, 2.5)),), {})


def stack(look: Look, w: float, h: float, level: Level) -> Glyph:
    """A rack from afar: a square for each of its servers (`gpus` of the look counts them)."""
    shapes: list[Shape] = [Rect(Place(0, 0, w, h), "rack", "rack_edge", 1.0)]
    count = max(1, look.gpus)
    step = h / count
    for n in range(count):
        box = Place(1.5, n * step + 1, w - 3, step - 2)
        if step > 7:
            shapes.append(Rect(box, "device", "domain", 1.5))
            box = box.grown(-max(1.5, w * 0.12))
        shapes += cells(1, box, "gpu_cell", 0.0)
    return Glyph(tuple(shapes), {})
