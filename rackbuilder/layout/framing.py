"""Pictures of frames: outlines of units, racks with their ruler and power bar, blocks, what stands for many."""

from rackbuilder.layout.facts import RackFacts
from rackbuilder.layout.glyphs import glyph
from rackbuilder.layout.lod import Level
from rackbuilder.layout.looks import Look
from rackbuilder.layout.rack_frame import power_bar, rack_shapes
from rackbuilder.layout.scene import Frame
from rackbuilder.layout.shapes import Place, Rect, Shape, Text, shifted

NAMES_FROM = 0.5
"""Zoom from which names of racks have room above the caption of their unit."""


def frame_shapes(
    frame: Frame,
    place: Place,
    level: Level,
    zoom: float,
    facts: RackFacts | None = None,
    hidden: bool = False,
    body: bool = True,
) -> list[Shape]:
    """The picture of one frame at a place in pixels.

    hidden   its layer is switched off
    body     False: only what stands beside the body that `body_look` tells of
    """
    if frame.kind == "unit":
        return _unit(frame, place)
    look = body_look(frame)
    if look is not None:
        shapes = glyph(look, place.w, place.h, level).shapes if body else ()
        return [
            *(shifted(shape, place.x, place.y) for shape in shapes),
            *_beside_body(frame, place, zoom, facts),
        ]
    if frame.kind == "block":
        return _block(frame, place, hidden)
    if frame.kind == "coarse":
        return _coarse(frame, place)
    if frame.kind == "rack":
        return rack_shapes(frame, place, level, zoom, facts)
    if frame.kind == "space":
        return _space(frame, place)
    if frame.kind == "inner":
        top = place.y - frame.number * zoom
        return [
            Rect(place, "device", "device_edge", 6.0),
            Text(place.x, top - 28, frame.title, "text", 14.0, True, room=place.w),
            Text(place.x, top - 11, frame.lines[0], "text2", 11.0, room=place.w),
        ]
    if frame.kind == "cage":
        return _cage(frame, place)
    if frame.kind == "peer":
        return _peer(frame, place)
    if frame.kind == "domain":
        title = Text(
            place.cx, place.y, frame.title, "text", 11.0, anchor="middle", room=place.w - 20, elide=True
        )
        w = min(place.w - 12, 6.4 * len(frame.title) + 14)
        plate = Rect(Place(place.cx - w / 2, place.y - 9, w, 18), "panel", "line", 3.0)
        return [Rect(place, "", "domain", 8.0, 2.0), plate, title]
    if frame.kind == "shelf":
        return [
            Rect(place, "", "line2", 4.0, 1.0, (3.0, 2.5)),
            Text(place.x + 2, place.y - 10, frame.title, "text2", 11.0),
        ]
    return []


def _space(frame: Frame, place: Place) -> list[Shape]:
    """A hall, row, aisle, path or obstacle on the floor; nothing for one that has neither outline nor racks."""
    if place.w < 1 or place.h < 1:
        return []
    kind = frame.lines[0]
    fill = {"hall": "panel", "row": "", "aisle": "alt", "path": "grid", "obstacle": "rack_blank"}[kind]
    dash = (6.0, 4.0) if kind == "row" else ()
    shapes: list[Shape] = [
        Rect(place, fill, "line2" if kind in ("hall", "obstacle") else "line", 2.0, 1.0, dash)
    ]
    y = place.y + 14 if kind == "hall" else place.y - 9
    shapes.append(
        Text(
            place.x + (10 if kind == "hall" else 2),
            y,
            frame.title,
            "text2",
            11.0,
            kind == "hall",
            room=place.w,
        )
    )
    return shapes


def _cage(frame: Frame, place: Place) -> list[Shape]:
    """A cage of a switch: its number above, its plug below, both left of its ports."""
    shapes: list[Shape] = [Rect(place, "device_inner", "line2", 3.0)]
    room = place.w * 0.72
    plug = frame.lines[0] if place.h >= 28 else ""
    if place.h >= 14:
        y = place.y + 11 if plug else place.cy
        shapes.append(Text(place.x + 6, y, frame.title, "text2", 10.0, room=room - 10))
    if plug:
        shapes.append(
            Text(
                place.x + 6,
                place.bottom - 11,
                plug,
                "text2",
                10.0,
                room=room - 8,
                shorter=(plug.partition("-")[0],),
            )
        )
    return shapes


def _peer(frame: Frame, place: Place) -> list[Shape]:
    """Who is at the other end of a port, over which cable, and how busy it is."""
    cable, load, state = frame.lines
    if place.h < 11:
        return []
    if state == "free":
        return [Text(place.x, place.cy, frame.title, "text3", 11.0, room=place.w, italic=True)]
    lost = state in ("failed", "degraded")
    one_line = place.w >= 148.0
    two_lines = not one_line and place.h >= 27
    y = place.cy - (6 if two_lines else 0)
    right = 46.0
    room = place.w - right
    wide = room * 0.56 if one_line else room
    shapes: list[Shape] = [Text(place.x, y, frame.title, "text", 11.0, room=wide - 4)]
    if one_line:
        shapes.append(Text(place.x + wide, y, cable, "text3", 10.0, room=room - wide - 2))
    elif two_lines:
        shapes.append(Text(place.x, place.cy + 8, cable, "text3", 10.0, room=room))
    ink = "error" if lost else "text2"
    shapes.append(
        Text(place.right, y, load, ink, 11.0, lost, anchor="end", room=right, italic=load == "unknown")
    )
    return shapes


def _unit(frame: Frame, place: Place) -> list[Shape]:
    """A scalable unit: pale outline, its name and counts at the foot."""
    shapes: list[Shape] = [Rect(place, "panel", "line", 6.0)]
    y = place.bottom - 13
    room = place.w - 20
    shapes.append(Text(place.x + 10, y, frame.title, "text", 12.0, True, room=room))
    forms = _shorter(frame.lines[0] if frame.lines else "")
    if forms:
        # Bold letters of the title are some 8 px wide in any font.
        left = place.w - 30 - len(frame.title) * 8.0
        shapes.append(
            Text(place.right - 10, y, forms[0], "text2", 11.0, anchor="end", room=left, shorter=forms[1:])
        )
    return shapes


def _shorter(text: str) -> tuple[str, ...]:
    """A caption, then with its last pieces dropped one by one."""
    pieces = text.split(" · ")
    return tuple(" · ".join(pieces[:n]) for n in range(len(pieces), 0, -1)) if text else ()


def body_look(frame: Frame) -> Look | None:
    """Frames that are all alike have a look, so that a window paints the picture of one for all; None for others."""
    if frame.kind == "column":
        return Look("column", domain=bool(frame.ink))
    if frame.kind == "vacant":
        return Look("vacant")
    return Look("stack", gpus=int(frame.number)) if frame.kind == "coarse" and frame.ink == "cells" else None


def _beside_body(frame: Frame, place: Place, zoom: float, facts: RackFacts | None) -> list[Shape]:
    """The name of a rack, where the caption of its unit leaves room, and from afar its power."""
    if frame.kind == "column":
        if zoom < NAMES_FROM:
            return []
        return [
            Text(place.cx, place.bottom + 11, frame.title, "text2", 11.0, anchor="middle", room=place.w + 4)
        ]
    if frame.kind == "vacant":
        return []
    y = place.bottom + 4
    shapes: list[Shape] = []
    if facts is not None and facts.share is not None:
        shapes += power_bar(Place(place.x, y, place.w, 4.0), facts)
        y += 6
    return [*shapes, Text(place.cx, y + 8, frame.title, "text2", 10.0, anchor="middle", room=place.w + 3)]


def _block(frame: Frame, place: Place, hidden: bool) -> list[Shape]:
    """Things of another fabric, collapsed: name, counts, and a plus that opens it."""
    shapes: list[Shape] = [Rect(place, "device", "device_edge", 3.0)]
    shapes.append(Rect(Place(place.x, place.y, 4.0, place.h), frame.ink or "line2"))
    x, room = place.x + 13, place.w - 36
    lines = [*frame.lines[:-1], "not shown"] if hidden else list(frame.lines)
    if place.h < 30:
        name = Text(place.x + 8, place.cy, frame.title, "text", 10.0, True, room=place.w - 12, elide=True)
        return [*shapes, name] if place.h >= 14 else shapes
    y = place.y + 14
    shapes.append(Text(x, y, frame.title, "text", 12.0, True, room=room, elide=True))
    if place.w > 60:
        shapes.append(Text(place.right - 11, y, "–" if frame.number else "+", "text2", 14.0, anchor="middle"))
    for line in lines:
        y += 15.5
        if y + 7 <= place.bottom:
            shapes.append(Text(x, y, line, "text2", 11.0, room=place.w - 20, elide=True))
    return shapes


def _coarse(frame: Frame, place: Place) -> list[Shape]:
    if frame.ink == "gpu":
        return _coarse_unit(frame, place)
    shapes: list[Shape] = [Rect(place, "device", frame.ink or "device_edge", 3.0, 1.5)]
    two = place.h >= 34 and frame.lines
    y = place.cy - (8 if two else 0)
    if place.h >= 15:
        shapes.append(Text(place.cx, y, frame.title, "text", 12.0, True, anchor="middle", room=place.w - 8))
    if two:
        shapes.append(
            Text(place.cx, y + 16, frame.lines[0], "text2", 11.0, anchor="middle", room=place.w - 8)
        )
    return shapes


def _coarse_unit(frame: Frame, place: Place) -> list[Shape]:
    """A unit from afar: a block of GPU green, one column a rack where they can be told apart, its sums below."""
    lines = [line for line in frame.lines if line != frame.title]
    shapes: list[Shape] = [Rect(place, "device", "device_edge", 3.0)]
    shown = min(len(lines), max(0, int((place.h * 0.4 - 20) // 15)))
    text_h = 0.0 if place.h <= 50 else 20.0 + 15.0 * shown
    pad = max(2.0, min(8.0, place.w * 0.06))
    band = max(2.0, min(6.0, place.h * 0.05)) if frame.banded else 0.0
    if band:
        shapes.append(Rect(Place(place.x + pad, place.y + pad, place.w - 2 * pad, band), "server-leaf"))
    top = place.y + pad + (band + pad if band else 0.0)
    green = Place(place.x + pad, top, place.w - 2 * pad, max(1.0, place.bottom - text_h - pad - top))
    shapes += _rack_cells(green, int(frame.number))
    if text_h:
        y = place.bottom - text_h + 9
        shapes.append(Text(place.cx, y, frame.title, "text", 12.0, True, anchor="middle", room=place.w - 4))
        for n, line in enumerate(lines[:shown]):
            shapes.append(
                Text(place.cx, y + 15 * (n + 1), line, "text2", 11.0, anchor="middle", room=place.w - 4)
            )
    return shapes


def _rack_cells(area: Place, racks: int) -> list[Shape]:
    """One cell a rack, in as many lines as keep the cells near to square; one block where they would be too thin."""
    if racks < 2 or area.w / racks < 5:
        return [Rect(area, "gpu_cell")]
    gap = 2.0 if area.w / racks < 12 else 3.0
    w = (area.w - gap * (racks - 1)) / racks
    return [Rect(Place(area.x + n * (w + gap), area.y, w, area.h), "gpu_cell") for n in range(racks)]
