"""Drawings of the design as SVG and PDF, from the same layout and pictures as the window, in print colours.

Both come from one reportlab drawing, so they cannot differ. Every device, rack, cable run and group of the design is
in them: blocks are opened, all layers are shown, racks are seen from both sides. Same design, same bytes.
"""

import math
from collections.abc import Callable, Iterable
from html import escape
from io import BytesIO
from typing import NamedTuple

from reportlab.graphics import renderPDF, renderSVG
from reportlab.graphics import shapes as rl
from reportlab.lib.colors import Color, HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from rackbuilder.analysis.report import Report
from rackbuilder.design.view import View
from rackbuilder.formats.base import Export
from rackbuilder.layout.bundles import pipe_width
from rackbuilder.layout.colours import PRINT
from rackbuilder.layout.fabric import fabric_scene, switch_roles
from rackbuilder.layout.facts import RackFacts, device_power, rack_facts
from rackbuilder.layout.floor import floor_scene
from rackbuilder.layout.framing import frame_shapes
from rackbuilder.layout.glyph_parts import Glyph
from rackbuilder.layout.glyphs import glyph
from rackbuilder.layout.lod import Level, shown
from rackbuilder.layout.names import short
from rackbuilder.layout.rack import rack_scene
from rackbuilder.layout.scene import Box, Pipe, Plate, Scene
from rackbuilder.layout.shapes import Line, Path, Place, Rect, Shape, Text, shifted
from rackbuilder.layout.tiers import BLOCK_TITLES
from rackbuilder.topology.graphs import Graphs

MARGIN, HEAD, LEGEND = 28.0, 34.0, 26.0
"""Points around the drawing, for its title, and for what the colours mean."""
SMALLEST = 7.0
LAYERS = Level.DEVICE
"""Runs and boxes of this level are drawn: all there are, without the blocks that stand for many from afar."""
SCOPE_WORDS = {
    "server-leaf": "server–leaf",
    "leaf-spine": "leaf–spine",
    "spine-core": "spine–core",
    "storage": "storage",
    "in-band": "in-band",
    "out-of-band": "out-of-band",
}


class _Page:
    """One reportlab drawing; y grows upwards on paper, downwards in a layout."""

    def __init__(self, scene: Scene, zoom: float, title: str, note: str) -> None:
        b = scene.bounds
        self.zoom = zoom
        # Whole points: an SVG written by reportlab is off by the fraction otherwise.
        self.w = float(math.ceil(max(b.w * zoom, 320.0) + 2 * MARGIN))
        self.h = float(math.ceil(b.h * zoom + 2 * MARGIN + HEAD + LEGEND))
        self.title = title
        self._dx, self._dy = MARGIN - b.x * zoom, MARGIN + HEAD - b.y * zoom
        self.drawing = rl.Drawing(self.w, self.h)
        self.shape(Rect(Place(0, 0, self.w, self.h), "canvas"))
        self.shape(Text(MARGIN, MARGIN + 4, title, "text", 14.0, True, room=self.w - 2 * MARGIN, elide=True))
        self.shape(Text(MARGIN, MARGIN + 20, note, "text2", 9.0, room=self.w - 2 * MARGIN, elide=True))

    def place(self, place: Place) -> Place:
        """A place of the layout in points of the page."""
        z = self.zoom
        return Place(place.x * z + self._dx, place.y * z + self._dy, place.w * z, place.h * z)

    def shapes(self, found: Iterable[Shape]) -> None:
        for shape in found:
            self.shape(shape)

    def shape(self, shape: Shape) -> None:
        if isinstance(shape, Rect):
            self._rect(shape)
        elif isinstance(shape, Line):
            self._line(shape)
        elif isinstance(shape, Path):
            self._path(shape)
        else:
            self._text(shape)

    def _rect(self, shape: Rect) -> None:
        p = shape.place
        node = rl.Rect(_n(p.x), _n(self.h - p.bottom), _n(p.w), _n(p.h), rx=shape.radius, ry=shape.radius)
        node.fillColor = _colour(shape.fill)
        node.strokeColor = _colour(shape.edge)
        node.strokeWidth = shape.width * 0.75 if shape.edge else 0.0
        if shape.dash:
            node.strokeDashArray = list(shape.dash)
        self.drawing.add(node)
        if shape.hatch:
            self._hatch(p, shape.hatch)

    def _hatch(self, place: Place, ink: str) -> None:
        """Slanted lines inside a rectangle: unknown, or over a limit."""
        step = 4.0
        count = int((place.w + place.h) / step)
        for n in range(1, count + 1):
            at = n * step
            x1, y1 = place.x + min(at, place.w), place.y + max(0.0, at - place.w)
            x2, y2 = place.x + max(0.0, at - place.h), place.y + min(at, place.h)
            self._line(Line(x1, y1, x2, y2, ink, 0.5))

    def _line(self, shape: Line) -> None:
        node = rl.Line(_n(shape.x1), _n(self.h - shape.y1), _n(shape.x2), _n(self.h - shape.y2))
        node.strokeColor = _colour(shape.ink)
        node.strokeWidth = shape.width * 0.75
        if shape.dash:
            node.strokeDashArray = list(shape.dash)
        self.drawing.add(node)

    def _path(self, shape: Path) -> None:
        flat = [_n(v) for x, y in shape.points for v in (x, self.h - y)]
        node: rl.Polygon | rl.PolyLine
        if shape.closed:
            node = rl.Polygon(flat)
            node.fillColor = _colour(shape.fill)
        else:
            node = rl.PolyLine(flat)
        node.strokeColor = _colour(shape.ink)
        node.strokeWidth = shape.width * 0.75
        self.drawing.add(node)

    def _text(self, shape: Text) -> None:
        fitted = _fitted(shape)
        if fitted is None:
            return
        text, size, font = fitted
        node = rl.String(_n(shape.x), _n(self.h - shape.y - size * 0.35), text)
        node.fontName, node.fontSize = font, _n(size)
        node.textAnchor = shape.anchor
        node.fillColor = _colour(shape.ink)
        self.drawing.add(node)


def _colour(ink: str) -> Color | None:
    """A print colour on whole percents, which is all that an SVG of reportlab can say (it cuts, so: a hair above)."""
    if not ink:
        return None
    exact = HexColor(PRINT[ink])
    return Color(*(min(1.0, round(part * 100) / 100 + 1e-6) for part in (exact.red, exact.green, exact.blue)))


def _n(value: float) -> float:
    """Hundredths of a point: what a printer can tell, and no noise of binary fractions in the file."""
    return round(value, 2)


def _fitted(shape: Text) -> tuple[str, float, str] | None:
    """What is written and how large; None when it does not fit at the smallest size that can be read."""
    font = "Helvetica-Bold" if shape.bold else "Helvetica-Oblique" if shape.italic else "Helvetica"
    size = shape.size * 0.92
    if not shape.text:
        return None
    if not shape.room:
        return shape.text, size, font
    for text in dict.fromkeys((shape.text, *shape.shorter, short(shape.text))):
        natural = stringWidth(text, font, 1.0)
        fits = shape.room / natural if natural else size
        if fits >= SMALLEST:
            return text, min(size, fits), font
    return (_cut(shape.text, font, shape.room), SMALLEST, font) if shape.elide and shape.room > 20 else None


def _cut(text: str, font: str, room: float) -> str:
    """As much of a text as fits, with an ellipsis."""
    while text and stringWidth(text + "…", font, SMALLEST) > room:
        text = text[:-1]
    return text + "…"


# ---- a scene on a page


def draw(
    scene: Scene, zoom: float, title: str, note: str, facts: dict[str, RackFacts] | None = None
) -> rl.Drawing:
    """A layout scene as a reportlab drawing at so many points a unit."""
    page = _Page(scene, zoom, title, note)
    known = facts or {}
    for frame in scene.frames:
        if shown(frame.levels, LAYERS):
            page.shapes(frame_shapes(frame, page.place(frame.place), Level.RACK, zoom, known.get(frame.ref)))
    for pipe in scene.pipes:
        if shown(pipe.levels, LAYERS):
            page.shape(_run(page, pipe))
    for box in scene.boxes.values():
        _box(page, box)
    for plate in scene.plates:
        if shown(plate.levels, LAYERS):
            _plate(page, scene, plate)
    _legend(page, scene)
    return page.drawing


def _run(page: _Page, pipe: Pipe) -> Rect:
    """A run as a filled bar: its width says how many cables, its colour which scope."""
    place = page.place(pipe.place)
    width = max(0.75, pipe_width(pipe.cables) * 0.6)
    if pipe.x1 == pipe.x2:
        return Rect(Place(place.x - width / 2, place.y, width, place.h), pipe.scope)
    return Rect(Place(place.x - width / 2, place.y - width / 2, place.w + width, width), pipe.scope)


def _box(page: _Page, box: Box) -> None:
    place = page.place(box.place)
    found: Glyph = glyph(box.look, place.w, place.h, Level.RACK)
    for shape in found.shapes:
        page.shape(shifted(shape, place.x, place.y))
    for name, slot in found.slots.items():
        text = box.texts.get(name, "")
        if text:
            again = (box.texts[f"{name}_short"],) if f"{name}_short" in box.texts else ()
            page.shape(slot._replace(x=slot.x + place.x, y=slot.y + place.y, text=text, shorter=again))


def _plate(page: _Page, scene: Scene, plate: Plate) -> None:
    at = page.place(Place(plate.x, plate.y, 0.0, 0.0))
    for text in (plate.text, plate.short):
        w = stringWidth(text, "Helvetica", 8.0) + 8
        if text and not (plate.room and w > plate.room * page.zoom):
            left = at.x if plate.anchor == "start" else at.x - w / 2
            place = Place(left, at.y - 6.5, w, 13.0)
            page.shape(Rect(place, "panel", "line", 2.0))
            page.shape(Text(place.cx, place.cy, text, "text", 8.7, anchor="middle"))
            return


def _legend(page: _Page, scene: Scene) -> None:
    """What the colours of the runs mean."""
    x, y = MARGIN, page.h - MARGIN * 0.7
    for scope in dict.fromkeys(p.scope for p in scene.pipes if shown(p.levels, LAYERS)):
        word = SCOPE_WORDS.get(scope, scope)
        page.shape(Rect(Place(x, y - 2, 14, 4), scope))
        page.shape(Text(x + 18, y, word, "text2", 9.0))
        x += 32 + stringWidth(word, "Helvetica", 8.3)


# ---- the three views


def _title(view: View, what: str) -> str:
    return f"{view.about.title} — {what}" if view.about.title else what


def _count(view: View) -> str:
    words = [f"{len(view.racks):,} racks", f"{len(view.devices):,} devices", f"{len(view.cables):,} cables"]
    if view.about.revision:
        words.append(f"revision {view.about.revision}")
    return " · ".join(words)


class Page(NamedTuple):
    """A finished drawing and its title."""

    title: str
    drawing: rl.Drawing


def fabric_page(view: View, graphs: Graphs, report: Report) -> Page:
    """The fabric with every network's devices one by one, power strips counted (racks show each)."""
    keys = (*(key for key in BLOCK_TITLES if key != "power"), *(f"fabric:{f}" for f in view.fabrics))
    scene = fabric_scene(view, graphs, opened=frozenset(keys))
    title = _title(view, "Fabric")
    return Page(title, draw(scene, 1.0 if len(scene.boxes) <= 60 else 0.7, title, _count(view)))


def racks_page(view: View, graphs: Graphs, report: Report) -> Page:
    """Every rack from both sides, with power, heat and weight below."""
    scene = rack_scene(view, "both", switch_roles(graphs), device_power(report.power))
    title = _title(view, "Racks")
    facts = rack_facts(view, report.power, report.cooling)
    return Page(title, draw(scene, 0.6, title, _count(view), facts))


def floor_page(view: View, graphs: Graphs, report: Report) -> Page:
    title = _title(view, "Floor")
    facts = rack_facts(view, report.power, report.cooling)
    return Page(title, draw(floor_scene(view, facts), 0.6, title, _count(view), facts))


Maker = Callable[[View, Graphs, Report], Page]


def _svg(make: Maker) -> Callable[[View, Graphs, Report], bytes]:
    def write(view: View, graphs: Graphs, report: Report) -> bytes:
        page = make(view, graphs, report)
        text = renderSVG.drawToString(page.drawing)
        # reportlab leaves both as three dots; they are what a screen reader says.
        text = text.replace("<title>...</title>", f"<title>{escape(page.title)}</title>", 1)
        return text.replace("<desc>...</desc>", f"<desc>{escape(_count(view))}</desc>", 1).encode("utf-8")

    return write


def _pdf(make: Maker) -> Callable[[View, Graphs, Report], bytes]:
    def write(view: View, graphs: Graphs, report: Report) -> bytes:
        page = make(view, graphs, report)
        for node in page.drawing.contents:
            if isinstance(node, rl.String):
                # The built-in fonts hold the characters of cp1252; another would be a black box.
                node.text = node.text.encode("cp1252", errors="replace").decode("cp1252")
        stream = BytesIO()
        # Invariant: no clock and no random id in the file, so the same design is the same bytes.
        canvas = Canvas(
            stream, pagesize=(page.drawing.width, page.drawing.height), invariant=1, pageCompression=1
        )
        canvas.setTitle(page.title)
        canvas.setCreator("rackbuilder")
        renderPDF.draw(page.drawing, canvas, 0, 0)
        canvas.showPage()
        canvas.save()
        return stream.getvalue()

    return write


DRAWINGS: tuple[Export, ...] = (
    Export("fabric-svg", ".svg", "Drawing of the fabric, SVG", _svg(fabric_page)),
    Export("fabric-pdf", ".pdf", "Drawing of the fabric, PDF", _pdf(fabric_page)),
    Export("racks-svg", ".svg", "Rack elevations, SVG", _svg(racks_page)),
    Export("racks-pdf", ".pdf", "Rack elevations, PDF", _pdf(racks_page)),
    Export("floor-svg", ".svg", "Floor plan, SVG", _svg(floor_page)),
    Export("floor-pdf", ".pdf", "Floor plan, PDF", _pdf(floor_page)),
)
