"""Pictures of devices: inside their box, in inks the theme knows, simpler from afar."""

import pytest

from rackbuilder.layout.colours import PRINT
from rackbuilder.layout.glyphs import glyph
from rackbuilder.layout.lod import Level
from rackbuilder.layout.looks import Look, PortGroup
from rackbuilder.layout.shapes import Place, Rect, Text

KINDS = [
    "server", "tray", "nvswitch", "leaf", "spine", "core", "switch", "management", "storage", "pdu", "shelf", "cdu",
    "panel", "other", "gpu", "chip", "nic", "cpu", "supply", "rack",
]  # fmt: skip
PORTS = (PortGroup("osfp", 32, 2, "server-leaf"),)


def look(kind: str, style: str = "tile") -> Look:
    gpus = {"server": 8, "tray": 4}.get(kind, 0)
    return Look(kind, style, gpus, gpus == 8, "storage", PORTS, 6, "ABABAB", 4, 2, 8.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("style", ["tile", "front", "rear"])
@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize("size", [(3.0, 5.0), (26.0, 44.0), (128.0, 13.0), (128.0, 103.0), (500.0, 400.0)])
def test_pictures_stay_in_their_box(kind: str, style: str, level: Level, size: tuple[float, float]) -> None:
    found = glyph(look(kind, style), *size, level)
    box = Place(0, 0, *size).grown(0.6)
    for shape in found.shapes:
        if isinstance(shape, Rect) and shape.place.w <= size[0] and shape.place.h <= size[1]:
            assert box.holds(shape.place.x, shape.place.y)
            assert box.holds(shape.place.right, shape.place.bottom), shape
            assert {shape.fill, shape.edge} <= {"", *PRINT}
    assert all(slot.size >= 10 for slot in found.slots.values())


def cells(kind: str, size: tuple[float, float], level: Level = Level.RACK, style: str = "tile") -> int:
    shapes = glyph(look(kind, style), *size, level).shapes
    return sum(isinstance(s, Rect) and s.fill == "gpu_cell" for s in shapes)


def test_a_gpu_server_shows_a_cell_a_gpu() -> None:
    assert cells("server", (26, 44)) == 8
    assert cells("server", (128, 103), style="front") == 8
    assert cells("tray", (128, 13), style="front") == 4
    assert cells("nvswitch", (128, 13), style="front") == 0


def test_idle_cells_are_grey() -> None:
    shapes = glyph(Look("server", "tile", 8, True, idle=True), 26, 44, Level.RACK).shapes
    assert not [s for s in shapes if isinstance(s, Rect) and s.fill == "gpu_cell"]
    assert len([s for s in shapes if isinstance(s, Rect) and s.fill == "track"]) == 8


def test_a_leaf_has_its_band_below_and_a_spine_above() -> None:
    def band(kind: str) -> float:
        shapes = glyph(look(kind), 46, 56, Level.RACK).shapes
        return next(s.place.cy for s in shapes if isinstance(s, Rect) and s.fill == "storage")

    assert band("leaf") > 40
    assert band("spine") < 16


def test_cells_are_alike() -> None:
    """Whole pixels: no cell is wider than its neighbour."""
    shapes = glyph(look("server"), 26, 43, Level.RACK).shapes
    sizes = {(s.place.w, s.place.h) for s in shapes if isinstance(s, Rect) and s.fill == "gpu_cell"}
    assert len(sizes) == 1
    assert all(float(v).is_integer() for size in sizes for v in size)


def test_ports_are_told_one_by_one_at_port_level() -> None:
    far = [s for s in glyph(look("leaf"), 46, 56, Level.RACK).shapes if isinstance(s, Text)]
    near = glyph(look("leaf"), 900, 700, Level.PORT).shapes
    assert not far
    assert {s.text for s in near if isinstance(s, Text)} >= {str(n) for n in range(1, 65)}
