"""Every colour, size and font of the window, for light and dark, and how they reach Qt.

Colours are "#rrggbb", so that contrast can be computed without a window; `colour`, `pen` and `brush` turn them into
Qt's objects, each made once. Which theme is on is told from the application's palette: no second place can disagree.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast, get_args

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFont, QGuiApplication, QPalette, QPen
from PySide6.QtWidgets import QApplication

from rackbuilder.errors import Severity
from rackbuilder.ui.shades import contrast as contrast
from rackbuilder.ui.shades import grey as grey
from rackbuilder.ui.shades import lightness as lightness
from rackbuilder.ui.shades import luminance as luminance
from rackbuilder.ui.shades import mix as mix

Mode = Literal["system", "light", "dark"]
FabricScope = Literal["in-server", "in-domain", "server-leaf", "leaf-spine", "spine-core"]
OtherScope = Literal["storage", "in-band", "out-of-band", "power-a", "power-b", "power-c", "liquid"]
Scope = Literal[FabricScope, OtherScope]
SCOPES: tuple[Scope, ...] = get_args(Scope)

LOAD_EDGES = (0.10, 0.25, 0.50, 0.75, 0.90)  # an edge belongs to the band above it


@dataclass(frozen=True, eq=False)
class Theme:
    """The tokens of one theme. Compared by identity: there are two."""

    name: Literal["light", "dark"]
    window: str
    panel: str
    base: str
    alt: str
    canvas: str
    grid: str
    raised: str
    line: str
    line2: str
    text: str
    text2: str
    text3: str
    link: str
    on_tint: str
    accent: str
    selection: str
    selection_fill: str
    hover: str
    target: str
    refuse: str
    device: str
    device_edge: str
    device_inner: str
    rack: str
    rack_edge: str
    rack_blank: str
    gpu_cell: str
    domain: str
    scopes: tuple[str, ...]
    """In the order of SCOPES."""
    compute: str
    bubble: str
    track: str
    idle: str
    load: tuple[str, ...]
    """Six bands, least first."""
    error: str
    warning: str
    note: str
    error_fill: str
    warning_fill: str
    note_fill: str

    def scope(self, name: str) -> str:
        """Raises ValueError for a name that is no scope."""
        return self.scopes[SCOPES.index(name)]

    def load_colour(self, share: float | None) -> str | None:
        """The colour of a load; None where the load is unknown, which is hatched and never coloured."""
        band = load_band(share)
        if band is None:
            return None
        return self.load[band - 1] if band else self.idle

    def severity(self, severity: Severity) -> str:
        return {"error": self.error, "warning": self.warning, "note": self.note}[severity]

    def severity_fill(self, severity: Severity) -> str:
        return {"error": self.error_fill, "warning": self.warning_fill, "note": self.note_fill}[severity]

    def named(self, token: str) -> str:
        """A colour by its token: a scope ("server-leaf"), a field ("compute"), or "#rrggbb" as it is.

        What is drawn keeps tokens, so that a new theme needs a repaint only. Raises ValueError for others.
        """
        if token in SCOPES:
            return self.scope(token)
        found = token if token.startswith("#") else getattr(self, token, None)
        if not isinstance(found, str) or not found.startswith("#"):
            raise ValueError(f"no colour is called {token!r}")
        return found

    def stale(self, colour: str) -> str:
        """The grey of a bar whose number is being computed again."""
        return grey(56.0 + lightness(colour) / 16.0)

    def on_fill(self, colour: str) -> str:
        """The ink that reads best on a filled colour: `on_tint`, or `text` on a stale grey."""
        return max(self.on_tint, self.text, key=lambda ink: contrast(ink, colour))


_PAIRS = {
    "window": ("#eceef1", "#1e2126"),
    "panel": ("#f8f9fa", "#23272d"),
    "base": ("#ffffff", "#191c20"),
    "alt": ("#f3f5f7", "#20242a"),
    "canvas": ("#f6f7f9", "#15181c"),
    "grid": ("#e6e9ed", "#22262c"),
    "raised": ("#ffffff", "#2b3037"),
    "line": ("#d3d8de", "#363c44"),
    "line2": ("#7f8893", "#78828e"),
    "text": ("#1b2026", "#e7eaee"),
    "text2": ("#4d5762", "#b3bbc4"),
    "text3": ("#5b6570", "#98a2ad"),
    "link": ("#0b5cad", "#7db8f5"),
    "on_tint": ("#ffffff", "#0e1114"),
    "accent": ("#1668c4", "#4f9cf0"),
    "selection": ("#1668c4", "#63aaf7"),
    "selection_fill": ("#dbe9f9", "#1d3550"),
    "hover": ("#0f7c8f", "#4cc3d6"),
    "target": ("#12805c", "#3fc08d"),
    "refuse": ("#c62f2f", "#f2706a"),
    "device": ("#ffffff", "#2a2f36"),
    "device_edge": ("#78828d", "#7f8994"),
    "device_inner": ("#e4e8ec", "#363c45"),
    "rack": ("#eef1f4", "#1c2025"),
    "rack_edge": ("#6f7984", "#7a848f"),
    "rack_blank": ("#dde2e7", "#2a2f35"),
    "gpu_cell": ("#3f8a6b", "#46997a"),
    "domain": ("#6b8c3e", "#75903f"),
    "compute": ("#5b6672", "#8a95a1"),
    "bubble": ("#838c96", "#737d88"),
    "track": ("#d5dae0", "#30363e"),
    "idle": ("#838c96", "#737d88"),
    "error": ("#bd2828", "#f57f79"),
    "warning": ("#8a5200", "#e6a93f"),
    "note": ("#22639f", "#6db1f2"),
    "error_fill": ("#fbe9e8", "#3a2224"),
    "warning_fill": ("#fbf1dd", "#37301f"),
    "note_fill": ("#e6f0fa", "#1f2f40"),
}
_SCOPE_PAIRS: dict[Scope, tuple[str, str]] = {
    "in-server": ("#09704f", "#5fc596"),
    "in-domain": ("#5b7f2b", "#bbe45c"),
    "server-leaf": ("#3378bf", "#8ccbfb"),
    "leaf-spine": ("#2c55b0", "#6f9bf5"),
    "spine-core": ("#35259b", "#8a70f2"),
    "storage": ("#94590a", "#db8f4e"),
    "in-band": ("#8a1f7d", "#d468c0"),
    "out-of-band": ("#6b6f76", "#8b919a"),
    "power-a": ("#b8443a", "#ec8278"),
    "power-b": ("#2f6aa8", "#7ba9e0"),
    "power-c": _PAIRS["line2"],
    "liquid": ("#0d7f90", "#6fe3ea"),
}
_LOAD_PAIRS = (
    ("#3f78c0", "#4d7dd6"),
    ("#685dc4", "#927cee"),
    ("#8f37a8", "#e080e8"),
    ("#a30f68", "#fb8cb4"),
    ("#86002a", "#ffba86"),
    ("#4c1508", "#ffe47f"),
)


def _theme(name: Literal["light", "dark"]) -> Theme:
    side = 0 if name == "light" else 1
    scopes = tuple(_SCOPE_PAIRS[scope][side] for scope in SCOPES)
    load = tuple(pair[side] for pair in _LOAD_PAIRS)
    return Theme(name=name, scopes=scopes, load=load, **{token: pair[side] for token, pair in _PAIRS.items()})


LIGHT = _theme("light")
DARK = _theme("dark")


def load_band(share: float | None) -> int | None:
    """0 idle, 1 to 6 the bands of `Theme.load`; None for an unknown load. Above 100 % stays in band 6."""
    if share is None:
        return None
    return 1 + sum(share >= edge for edge in LOAD_EDGES) if share > 0 else 0


# ---- spacing and sizes, logical pixels ----------------------------------------------------------------------------

GRID, PADDING, SECTION_GAP = 4, 12, 8
ROW, ROW_PROPERTIES, ROW_CANVAS, FIELD, DOCK_TITLE = 24, 21, 18, 26, 28
MENU, TOOL_BAR, STATUS_BAR = 26, 40, 26
ICON, MARK, LANE_PITCH = 16, 10, 9
RADIUS, RADIUS_DEVICE = 4, 2
DASH_PLANNED, DASH_PLANNED_DEVICE, DASH_FAILED = (7.0, 4.0), (3.0, 2.5), (2.0, 4.0)

BODY, SECONDARY, CAPTION, CANVAS_MIN, SENTENCE, FIGURE = 13, 12, 11, 10, 14, 20
SENTENCE_LINE = 20

_PIPES = ((1, 1), (4, 2), (8, 3), (16, 4), (32, 5), (64, 6), (256, 8))


def pipe_width(cables: int) -> int:
    """Width in px of a trunk of so many cables."""
    return next((width for most, width in _PIPES if cables <= most), 10)


def cable_width(share: float | None) -> int:
    """Width in px of a single cable by its load: the third channel beside colour and the figure."""
    return 1 if share is None or share < 0.25 else 2 if share <= 0.75 else 3


# ---- Qt's objects, each made once and shared: whoever needs another width asks for another -------------------------


@lru_cache(maxsize=1024)
def colour(value: str) -> QColor:
    return QColor(value)


@lru_cache(maxsize=1024)
def brush(value: str) -> QBrush:
    return QBrush(QColor(value))


@lru_cache(maxsize=2048)
def pen(
    value: str,
    width: float = 1.0,
    dash: tuple[float, ...] = (),
    round_cap: bool = False,
    ratio: float | None = None,
) -> QPen:
    """A pen; `dash` is in pixels, where Qt counts in widths of the pen.

    `ratio`, the device's pixel ratio, makes it cosmetic, of one width at every zoom; Qt counts that in device pixels.
    """
    made = QPen(QColor(value), width * (ratio or 1.0))
    made.setCosmetic(ratio is not None)
    made.setCapStyle(Qt.PenCapStyle.RoundCap if round_cap else Qt.PenCapStyle.FlatCap)
    made.setJoinStyle(Qt.PenJoinStyle.RoundJoin if round_cap else Qt.PenJoinStyle.MiterJoin)
    if dash:
        made.setDashPattern([length / width for length in dash])
    return made


@lru_cache(maxsize=64)
def font(size: int = BODY, semibold: bool = False, italic: bool = False) -> QFont:
    """The system's font at a pixel size, with figures of equal width so that changing numbers stand still."""
    made = QFont()
    made.setPixelSize(size)
    made.setWeight(QFont.Weight.DemiBold if semibold else QFont.Weight.Normal)
    made.setItalic(italic)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


# ---- the application ----------------------------------------------------------------------------------------------


def current() -> Theme:
    """The theme that is on; light before there is an application."""
    app = QGuiApplication.instance()
    if not isinstance(app, QGuiApplication):
        return LIGHT
    return DARK if app.palette().color(QPalette.ColorRole.Window) == colour(DARK.panel) else LIGHT


def scope_colour(name: str) -> QColor:
    return colour(current().scope(name))


def palette(theme: Theme, frame: bool = False) -> QPalette:
    """The surface and text tokens where Fusion looks for them; `frame` for menu bar and status bar."""
    role = QPalette.ColorRole
    made = QPalette()
    for place, value in _roles(theme).items():
        made.setColor(place, colour(value))
    made.setColor(role.Window, colour(theme.window if frame else theme.panel))
    for written in (role.WindowText, role.Text, role.ButtonText, role.HighlightedText, role.Link):
        made.setColor(QPalette.ColorGroup.Disabled, written, colour(theme.text3))
    made.setColor(QPalette.ColorGroup.Disabled, role.Highlight, colour(theme.selection_fill))
    return made


def _roles(theme: Theme) -> dict[QPalette.ColorRole, str]:
    role = QPalette.ColorRole
    return {
        role.WindowText: theme.text,
        role.Base: theme.base,
        role.AlternateBase: theme.alt,
        role.Text: theme.text,
        role.PlaceholderText: theme.text3,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.on_tint,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.Accent: theme.accent,
        role.HighlightedText: theme.on_tint,
        role.Link: theme.link,
        role.LinkVisited: theme.link,
        role.Light: theme.raised,
        role.Midlight: theme.alt,
        role.Mid: theme.line,
        role.Dark: theme.line2,
        role.Shadow: theme.line2,
    }


class Follower(QObject):
    """Belongs to the application: holds the chosen mode, and follows the system where that is chosen."""

    changed = Signal(object)  # the Theme that is on from now; widgets see their palette change as well

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self.mode: Mode = "system"
        app.styleHints().colorSchemeChanged.connect(self._system_changed)

    def set_mode(self, mode: Mode) -> None:
        self.mode = mode
        scheme = Qt.ColorScheme
        asked = {"system": scheme.Unknown, "light": scheme.Light, "dark": scheme.Dark}[mode]
        self._app.styleHints().setColorScheme(asked)  # so that title bars and the system's dialogs go along
        self._dress()

    def _system_changed(self) -> None:
        if self.mode == "system":
            self._dress()

    def _dress(self) -> None:
        system: Mode = "dark" if self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"
        theme = DARK if (system if self.mode == "system" else self.mode) == "dark" else LIGHT
        self._app.setPalette(palette(theme))
        for frame in ("QMainWindow", "QMenuBar", "QStatusBar"):
            QApplication.setPalette(palette(theme, frame=True), frame)  # type: ignore[arg-type]  # bytes fail
        self.changed.emit(theme)


def follower() -> Follower:
    """The application's follower. Raises LookupError before `apply`."""
    app = QApplication.instance()
    found = cast("Follower | None", app.findChild(Follower)) if app else None
    if found is None:
        raise LookupError("no theme was applied to the application")
    return found


def apply(app: QApplication, mode: Mode = "system") -> Follower:
    """Fusion, the font and a theme's palette on the whole application; again at will, for another mode."""
    if app.style().objectName().lower() != "fusion":
        app.setStyle("Fusion")
    app.setFont(font(BODY))
    # Icons of menus would stand in text colour on the accent; tools carry them instead.
    app.setAttribute(Qt.ApplicationAttribute.AA_DontShowIconsInMenus)
    # The stubs promise a child that need not be there.
    follower = cast("Follower | None", app.findChild(Follower)) or Follower(app)
    follower.set_mode(mode)
    return follower
