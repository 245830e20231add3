"""One canvas with its header strip and corners, kept in step with the document: the base of four views."""

from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from rackbuilder.design.design import Design
from rackbuilder.design.patch import Patch
from rackbuilder.errors import Problem
from rackbuilder.layout.cables import CableLines
from rackbuilder.layout.facts import RackFacts, pair_loads, rack_facts
from rackbuilder.layout.rack import Elevation
from rackbuilder.layout.scene import Scene
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.paths import path
from rackbuilder.ui.canvas.colouring import MODES, Colouring, Mode
from rackbuilder.ui.canvas.corner import Legend, Minimap, ZoomLabel, corners, legend_rows
from rackbuilder.ui.canvas.hints import spoken
from rackbuilder.ui.canvas.host import CanvasHost
from rackbuilder.ui.canvas.marks import NONE, Badge, Marks
from rackbuilder.ui.canvas.navigation import Look
from rackbuilder.ui.canvas.paths import Lighter, culprit_marks, selection_marks
from rackbuilder.ui.canvas.scene import CanvasScene
from rackbuilder.ui.canvas.tools.base import Tool
from rackbuilder.ui.canvas.tools.cable import CableTool
from rackbuilder.ui.canvas.tools.pan import PanTool
from rackbuilder.ui.canvas.tools.place import PlaceTool
from rackbuilder.ui.canvas.tools.select import SelectTool
from rackbuilder.ui.canvas.view import CanvasView
from rackbuilder.ui.views.base import View
from rackbuilder.ui.views.header import Header

DRAWN_TABLES = frozenset(
    ("parts", "spaces", "racks", "devices", "cables", "cords", "fabrics", "groups", "drawing", "faults")
)
"""Changes in any other table leave every drawing as it is."""
MOST_BADGES = 64
"""A finding about more things than this is told in the list alone: marks everywhere mark nothing."""
MOST_CULPRITS = 16
_ORDER = ("note", "warning", "error")


class CanvasPage(View):
    """A view of the document on a canvas. A subclass says what the drawing is.

    The window calls `apply_patch` after each edit, `report_changed` when results arrive, `reload` for another
    document; selection is shared by `host.selection`.
    """

    tool_changed = Signal(str)

    kind = ""
    title = ""

    def __init__(self, host: CanvasHost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.host = host
        self._room_for_map = True
        self.canvas = CanvasScene(self)
        self.canvas_view = CanvasView(self.canvas, self)
        self._colouring = Colouring()
        self._mode: Mode | None = None
        self._lighter: Lighter | None = None
        self._hidden: frozenset[str] = frozenset()
        self._tools: dict[str, Tool] = {}
        self._lay_out()
        self._make_tools()
        self._connect()

    # ---- what a subclass says

    def scene_of(self, design: Design, graphs: Graphs) -> Scene:
        """The drawing of a design in this view."""
        raise NotImplementedError

    def elevations(self) -> Sequence[Elevation]:
        return ()

    def toggle_block(self, key: str) -> None:
        """Opens or closes a block of devices; nothing where there are none."""

    def header_widgets(self) -> tuple[list[QWidget], list[QWidget]]:
        """What stands left and right in the header strip."""
        return [], []

    def subtitle(self) -> str:
        return ""

    # ---- building

    def _lay_out(self) -> None:
        self.header = Header(*self.header_widgets(), self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.canvas_view, 1)
        # Children of the view, not of its viewport: what is in the viewport is scrolled along with the drawing.
        above = self.canvas_view
        self.legend, self.zoom_label, self.minimap = Legend(above), ZoomLabel(above), Minimap(above)
        self.setFocusProxy(self.canvas_view)

    def _make_tools(self) -> None:
        for kind in (SelectTool, PlaceTool, CableTool, PanTool):
            tool = kind(self, self.set_tool)
            self._tools[tool.name] = tool
        self.canvas_view.set_tool(self._tools["select"])
        self.canvas_view.foot = 76
        self.canvas_view.setAccessibleName(f"{self.title} drawing")

    def _connect(self) -> None:
        view = self.canvas_view
        view.zoomed.connect(self._zoomed)
        view.opened.connect(self.opened)
        view.menu_wanted.connect(self.menu_wanted)
        view.tool_changed.connect(self.tool_changed)
        view.viewport().installEventFilter(self)
        for bar in (view.horizontalScrollBar(), view.verticalScrollBar()):
            bar.valueChanged.connect(lambda _: self.minimap.show_window(view.window_place()))
        self.minimap.moved.connect(self._go_to)
        self.host.selection.changed.connect(self.show_selection)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self.canvas_view.viewport():
            self._place_corners()
        return False

    def _place_corners(self) -> None:
        size = self.canvas_view.viewport().size()
        corners(size, self.legend, self.zoom_label, self.minimap, self._room_for_map)
        self.minimap.show_window(self.canvas_view.window_place())

    def _zoomed(self, zoom: float) -> None:
        self.zoom_label.show_zoom(zoom)
        self.minimap.show_window(self.canvas_view.window_place())

    def _go_to(self, x: float, y: float) -> None:
        self.canvas_view.keep_look(Look(x, y, self.canvas_view.zoom))

    # ---- in step with the document

    def reload(self) -> None:
        """Another document: everything anew, and all of it in sight."""
        for tool in self._tools.values():
            tool.cancel()
        self.refresh()
        self.canvas_view.fit_all()

    def apply_patch(self, patch: Patch) -> list[str]:
        """Brings the drawing in step after an edit; returns the boxes that were touched, none for other tables."""
        if not patch.tables & DRAWN_TABLES:
            return []
        empty = not self.canvas.drawing.boxes
        touched = self.refresh()
        if empty and self.canvas.drawing.boxes:
            self.canvas_view.fit_all()
        self.canvas_view.fit_grown()
        return touched

    def refresh(self) -> list[str]:
        """Draws the document as it is; only what differs is touched."""
        drawing = self.scene_of(self.host.design, self.host.graphs)
        self._colouring = self._colouring_now()
        lines = CableLines(self.host.design, drawing) if drawing.view == "fabric" and drawing.pipes else None
        touched = self.canvas.show_scene(drawing, self._colouring, self.facts(), lines)
        self._lighter = Lighter(drawing, self.host.design)
        self.canvas_view.overlay.show("faults", self._lighter.fault_marks(self.canvas))
        self._show_texts()
        self.show_selection()
        self.show_problems()
        return touched

    def report_changed(self) -> None:
        """New results: colours and figures, no places."""
        self._colouring = self._colouring_now()
        self.canvas.cables.set_colouring(self._colouring)
        self.canvas.backdrop.show_facts(self.facts())
        self._show_texts()
        self.show_selection()
        self.show_problems()

    def facts(self) -> Mapping[str, RackFacts]:
        report = self.host.report
        return rack_facts(self.host.design, report.power, report.cooling)

    def _show_texts(self) -> None:
        self.header.show_text(self.title, self.subtitle())
        drawing = self.canvas.drawing
        scopes = tuple(dict.fromkeys(p.scope for p in drawing.pipes))
        rails = 1 + max((p.rail for p in drawing.pipes if p.rail is not None), default=-1)
        title, rows = legend_rows(self._colouring, scopes, rails)
        self.legend.show_colouring(title, rows if drawing.pipes else (), self._colouring.mode == "load")
        self.minimap.show_scene(drawing)
        self._place_corners()

    # ---- colours

    def _colouring_now(self) -> Colouring:
        return Colouring("scope")

    def set_mode(self, mode: str) -> None:
        """What the colour of runs says from now on: load, scope, rail, medium. Another word is a bug."""
        self._mode = MODES[MODES.index(mode)]
        self.report_changed()

    @property
    def mode(self) -> Mode:
        """What colours say now."""
        return self._colouring.mode

    def loads(self) -> Mapping[tuple[str, str, str], float | None]:
        return pair_loads(self.host.report.loads)

    # ---- marks

    def show_selection(self) -> None:
        overlay, refs = self.canvas_view.overlay, self.host.selection.refs
        overlay.show("selection", selection_marks(self.canvas, refs))
        lit = self._lit(refs)
        self.canvas_view.setAccessibleDescription(spoken(self.host.design, refs))
        self.canvas_view.under.show("lit", Marks(runs=lit.runs) if lit.runs else NONE)
        overlay.show("path", Marks(chips=lit.chips) if lit.chips else NONE)

    def _lit(self, refs: Sequence[str]) -> Marks:
        """The path between two servers or switches, else the runs of all that is selected."""
        if self._lighter is None or not refs:
            return NONE
        devices = self.host.design.devices
        if len(refs) == 2 and all(ref in devices for ref in refs):
            for graph in self.host.graphs.compute:
                if all(ref in graph.nodes for ref in refs):
                    names = path(graph, refs[0], refs[1])
                    return self._lighter.path_marks(names) if names else NONE
        return self._lighter.marks(refs, self._colouring, self._hidden)

    def show_culprits(self, refs: Iterable[str]) -> None:
        """A dashed ring around what the sentence or a problem names; none for no refs."""
        self.canvas_view.overlay.show("culprits", culprit_marks(self.canvas, refs))

    def show_problems(self) -> None:
        """The shape of its worst finding at the corner of each device; a ring around the culprits of the sentence."""
        report = self.host.report
        worst: dict[str, str] = {}
        for n, problem in enumerate(report.problems):
            if n not in report.waived and len(problem.refs) <= MOST_BADGES:
                _worse(worst, problem)
        badges = [
            Badge(box.place, worst[box.ref])  # type: ignore[arg-type]
            for box in self.canvas.drawing.boxes.values()
            if box.ref in worst
        ]
        self.canvas_view.overlay.show("problems", Marks(badges=tuple(badges)) if badges else NONE)
        verdict = report.bottleneck
        few = verdict is not None and len(verdict.ids) <= MOST_CULPRITS
        self.show_culprits(verdict.ids if few and verdict is not None else ())

    # ---- what the window calls

    def set_tool(self, name: str) -> None:
        """select, place, cable or pan. Raises KeyError for another name."""
        self.canvas_view.set_tool(self._tools[name])

    def tool(self, name: str) -> Tool:
        return self._tools[name]

    def set_part(self, part: str) -> None:
        """What the place tool places."""
        tool = self._tools["place"]
        assert isinstance(tool, PlaceTool)
        tool.set_part(part)

    def take_tool(self, name: str, part: str = "") -> None:
        if part:
            self.set_part(part)
        if self.canvas_view.tool is not self._tools[name]:
            self.set_tool(name)

    def fit_all(self) -> None:
        self.canvas_view.fit_all()

    def fit(self, refs: Iterable[str]) -> None:
        self.canvas_view.fit(refs)

    def frame(self, refs: Iterable[str]) -> None:
        """Brings things into sight (a jump from a list)."""
        self.canvas_view.frame(refs)

    def zoom_by(self, steps: float) -> None:
        self.canvas_view.zoom_by(steps)

    def set_minimap(self, on: bool) -> None:
        self._room_for_map = on
        self._place_corners()

    def select_all(self) -> None:
        self.host.selection.set(dict.fromkeys(box.ref for box in self.canvas.drawing.boxes.values()))

    def state(self) -> dict[str, float | str | list[str]]:
        """What a view remembers from one start to the next; kept by the window's settings, not by the document."""
        look = self.canvas_view.look
        return {
            "x": look.x,
            "y": look.y,
            "zoom": look.zoom,
            "mode": self._mode or "",
            "hidden": sorted(self._hidden),
        }

    def restore(self, state: Mapping[str, float | str | list[str]]) -> None:
        """Takes back what `state` gave; anything that does not fit is left as it is."""
        x, y, zoom = (state.get(key) for key in ("x", "y", "zoom"))
        if (
            isinstance(x, int | float)
            and isinstance(y, int | float)
            and isinstance(zoom, int | float)
            and zoom > 0
        ):
            self.canvas_view.keep_look(Look(float(x), float(y), float(zoom)))
        hidden = state.get("hidden")
        if isinstance(hidden, list):
            self.hide_layers(frozenset(hidden))
        mode = state.get("mode")
        if mode in ("load", "scope", "rail", "medium"):
            self.set_mode(str(mode))

    def hide_layers(self, layers: frozenset[str]) -> None:
        self._hidden = layers
        self.canvas.hide_layers(layers)
        self.show_selection()


def _worse(worst: dict[str, str], problem: Problem) -> None:
    for ref in problem.refs:
        record = ref.split(":", 1)[0].split(".", 1)[0]
        if _ORDER.index(problem.severity) >= _ORDER.index(worst.get(record, "note")):
            worst[record] = problem.severity
