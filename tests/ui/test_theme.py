"""The design's own table of contrasts and lightnesses, computed again from the tokens.

Each row names the surfaces its pair may stand on. Figures are those printed in the table, light then dark.
"""

import dataclasses
import subprocess
import sys
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QFont, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QMainWindow

from rackbuilder.ui import theme
from rackbuilder.ui.theme import DARK, LIGHT, Theme, contrast, lightness

BOTH = pytest.mark.parametrize("look", [LIGHT, DARK], ids=["light", "dark"])

READ_ON = ("window", "panel", "base", "alt", "canvas", "raised", "selection_fill")
"""Where text stands."""
DRAWN_ON = ("panel", "base", "canvas", "device", "rack")
"""Where bars, links, outlines and marks stand."""
BANNERS = ("error_fill", "warning_fill", "note_fill")

AS_TEXT = [
    ("text", 13.3, 10.4),
    ("text2", 6.0, 6.5),
    ("text3", 4.8, 4.8),
    ("link", 5.4, 6.0),
    ("error", 4.9, 4.9),
    ("warning", 5.2, 6.0),
    ("note", 5.1, 5.5),
]
AS_SHAPE = [
    ("line2", 3.2, 3.5),
    ("selection", 4.9, 5.5),
    ("hover", 4.3, 6.5),
    ("target", 4.3, 5.9),
    ("refuse", 4.8, 4.7),
    ("device_edge", 3.4, 3.8),
    ("rack_edge", 3.9, 3.5),
    ("domain", 3.4, 3.7),
    ("gpu_cell", 3.7, 3.9),
    ("idle", 3.0, 3.2),
]


def worst(look: Theme, colour: str, surfaces: tuple[str, ...]) -> float:
    return min(contrast(colour, look.named(surface)) for surface in surfaces)


def as_printed(look: Theme, light: float, dark: float) -> float:
    return light if look is LIGHT else dark


def test_contrast_is_that_of_wcag() -> None:
    # Black on white is 21 by definition; #767676 is the well-known lightest grey with 4.5 on white (4.54).
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#ffffff", "#767676") == pytest.approx(4.54, abs=0.005)
    assert contrast("#ffffff", "#777777") < 4.5


def test_lightness_is_that_of_cielab() -> None:
    # 18 % grey card: L* of Y 0.184 is 50; #777777 has Y 0.1845.
    assert lightness("#ffffff") == pytest.approx(100)
    assert lightness("#000000") == 0
    assert lightness("#777777") == pytest.approx(50, abs=0.1)
    assert lightness(theme.grey(50)) == pytest.approx(50, abs=0.3)


@BOTH
@pytest.mark.parametrize(("token", "light", "dark"), AS_TEXT, ids=[row[0] for row in AS_TEXT])
def test_text_reads_on_every_surface(look: Theme, token: str, light: float, dark: float) -> None:
    ratio = worst(look, look.named(token), READ_ON)
    assert ratio >= 4.5
    assert ratio == pytest.approx(as_printed(look, light, dark), abs=0.1)


@BOTH
@pytest.mark.parametrize(("token", "light", "dark"), AS_SHAPE, ids=[row[0] for row in AS_SHAPE])
def test_shapes_are_seen_on_what_they_stand_on(look: Theme, token: str, light: float, dark: float) -> None:
    ratio = worst(look, look.named(token), DRAWN_ON)
    assert ratio >= 3
    assert ratio == pytest.approx(as_printed(look, light, dark), abs=0.1)


@BOTH
def test_lowest_scope(look: Theme) -> None:
    ratio = min(worst(look, colour, DRAWN_ON) for scope, colour in _scopes(look) if scope != "power-c")
    assert ratio >= 3
    assert ratio == pytest.approx(as_printed(look, 4.0, 3.6), abs=0.1)


@BOTH
def test_lowest_load_band(look: Theme) -> None:
    ratio = min(worst(look, colour, DRAWN_ON) for colour in look.load)
    assert ratio >= 3
    assert ratio == pytest.approx(as_printed(look, 4.0, 3.3), abs=0.1)
    assert min(contrast(colour, look.track) for colour in look.load) >= 3, "on its grey track"


@BOTH
def test_text_on_tint(look: Theme) -> None:
    tints = [look.accent, *look.load, *(colour for scope, colour in _scopes(look) if scope != "power-c")]
    ratio = min(contrast(look.on_tint, tint) for tint in tints)
    assert ratio >= 4.5
    assert ratio == pytest.approx(as_printed(look, 4.5, 4.7), abs=0.1)


@BOTH
def test_load_lightness_runs_one_way(look: Theme) -> None:
    printed = [50, 45, 40, 36, 27, 16] if look is LIGHT else [53, 59, 67, 71, 81, 91]
    levels = [lightness(colour) for colour in look.load]
    assert [round(level) for level in levels] == printed
    assert levels == sorted(levels, reverse=look is LIGHT)
    assert len(set(levels)) == 6


@BOTH
def test_banners_and_stale_bars_read(look: Theme) -> None:
    """Not in the table, but text stands there too."""
    for token in ("text", "text2", "link"):
        assert worst(look, look.named(token), BANNERS) >= 4.5
    for severity, fill in zip(("error", "warning", "note"), BANNERS, strict=True):
        assert contrast(look.named(severity), look.named(fill)) >= 3
    for colour in (*look.scopes, *look.load, look.compute, look.bubble):
        grey = look.stale(colour)
        assert grey[1:3] == grey[3:5] == grey[5:7]
        assert contrast(look.on_fill(grey), grey) >= 4.5
        assert contrast(grey, look.panel) >= 3
    for fill in (look.compute, look.bubble):
        assert contrast(look.on_fill(fill), fill) >= 4.5


def _scopes(look: Theme) -> Iterator[tuple[str, str]]:
    yield from zip(theme.SCOPES, look.scopes, strict=True)


# ---- helpers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("share", "band"),
    [
        (None, None),
        (0.0, 0),
        (0.001, 1),
        (0.0999, 1),
        (0.10, 2),
        (0.25, 3),
        (0.4999, 3),
        (0.50, 4),
        (0.75, 5),
        (0.8999, 5),
        (0.90, 6),
        (1.0, 6),
        (1.4, 6),
    ],
)
def test_load_bands(share: float | None, band: int | None) -> None:
    assert theme.load_band(share) == band


def test_unknown_load_has_no_colour() -> None:
    assert LIGHT.load_colour(None) is None
    assert LIGHT.load_colour(0.0) == LIGHT.idle
    assert [DARK.load_colour(s) for s in (0.01, 0.1, 0.3, 0.6, 0.8, 1.3)] == list(DARK.load)


@pytest.mark.parametrize(
    ("cables", "width"),
    [
        (1, 1),
        (2, 2),
        (4, 2),
        (5, 3),
        (8, 3),
        (9, 4),
        (16, 4),
        (17, 5),
        (32, 5),
        (33, 6),
        (64, 6),
        (65, 8),
        (256, 8),
        (257, 10),
        (1024, 10),
    ],
)
def test_pipe_widths(cables: int, width: int) -> None:
    assert theme.pipe_width(cables) == width


@pytest.mark.parametrize(("share", "width"), [(None, 1), (0.24, 1), (0.25, 2), (0.75, 2), (0.76, 3)])
def test_cable_widths(share: float | None, width: int) -> None:
    assert theme.cable_width(share) == width


@BOTH
def test_names_of_colours(look: Theme) -> None:
    assert look.named("server-leaf") == look.scope("server-leaf")
    assert look.named("compute") == look.compute
    assert look.named("#123456") == "#123456"
    for wrong in ("blue", "load", "name", "scope", "named"):
        with pytest.raises(ValueError, match="no colour"):
            look.named(wrong)
    with pytest.raises(ValueError, match="tuple"):
        look.scope("blue")


def test_tokens_are_whole() -> None:
    for look in (LIGHT, DARK):
        values = [getattr(look, field.name) for field in dataclasses.fields(look) if field.name != "name"]
        colours = [c for value in values for c in (value if isinstance(value, tuple) else (value,))]
        assert all(len(c) == 7 and c == theme.colour(c).name() for c in colours)


def test_pens_are_made_once_and_dashes_are_pixels() -> None:
    made = theme.pen(LIGHT.line2, 2.0, theme.DASH_PLANNED)
    assert made is theme.pen(LIGHT.line2, 2.0, theme.DASH_PLANNED)
    assert [length * made.widthF() for length in made.dashPattern()] == [7.0, 4.0]
    assert not made.isCosmetic()
    wide = theme.pen(LIGHT.line2, 3.0, ratio=2.0)
    assert wide.isCosmetic()
    assert wide.widthF() == 6.0


def test_tokens_need_no_application() -> None:
    code = (
        "from rackbuilder.ui.theme import LIGHT, DARK, contrast, current; from PySide6.QtGui import QGuiApplication\n"
        "assert contrast(DARK.text, DARK.panel) > 4.5 and current() is LIGHT and not QGuiApplication.instance()"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


# ---- the application ----------------------------------------------------------------------------------------------


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    yield qapp
    theme.apply(qapp, "light")


def test_apply_turns_everything(app: QApplication, qtbot: object) -> None:
    window = QMainWindow()
    bar = window.menuBar()
    told: list[Theme] = []
    follower = theme.apply(app, "light")
    follower.changed.connect(told.append)
    for mode, look in (("dark", DARK), ("light", LIGHT)):
        assert theme.apply(app, mode) is follower  # type: ignore[arg-type]
        assert theme.current() is look
        assert app.palette().color(QPalette.ColorRole.Base).name() == look.base
        bar.ensurePolished()
        assert bar.palette().color(QPalette.ColorRole.Window).name() == look.window
        assert theme.scope_colour("liquid").name() == look.scope("liquid")
    assert told == [DARK, LIGHT]
    assert app.style().objectName() == "fusion"
    follower.changed.disconnect(told.append)
    window.deleteLater()


class DarkHints(QObject):
    """A system that is dark: the offscreen platform names no scheme at all."""

    def colorScheme(self) -> Qt.ColorScheme:
        return Qt.ColorScheme.Dark

    def setColorScheme(self, scheme: Qt.ColorScheme) -> None:
        assert scheme in Qt.ColorScheme


def test_system_mode_follows(app: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    follower = theme.apply(app, "system")
    assert theme.current() is LIGHT, "without a scheme it is light"
    announce, hints = app.styleHints().colorSchemeChanged, DarkHints()
    monkeypatch.setattr(QGuiApplication, "styleHints", lambda *_: hints)
    announce.emit(Qt.ColorScheme.Dark)
    assert theme.current() is DARK, "the system turned dark"
    follower.set_mode("light")
    announce.emit(Qt.ColorScheme.Dark)
    assert theme.current() is LIGHT, "a chosen mode does not follow"
    follower.set_mode("system")
    assert theme.current() is DARK


def test_disabled_text_is_still_readable() -> None:
    for look in (LIGHT, DARK):
        made = theme.palette(look)
        off = made.color(QPalette.ColorGroup.Disabled, QPalette.ColorRole.Text).name()
        assert contrast(off, look.base) >= 4.5


def test_fonts(app: QApplication) -> None:
    made = theme.font(theme.FIGURE, semibold=True)
    assert made.pixelSize() == 20
    assert made.weight() == QFont.Weight.DemiBold
    assert made.featureValue(QFont.Tag("tnum")) == 1
    assert made is theme.font(theme.FIGURE, semibold=True)
