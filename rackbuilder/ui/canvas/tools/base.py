"""What every gesture shares: where the pointer is, what lies under it, and the calls a view makes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from rackbuilder.catalog.ports import ports_of
from rackbuilder.design.design import Design
from rackbuilder.design.refs import port_ref
from rackbuilder.layout.lod import Level
from rackbuilder.layout.rack import Elevation
from rackbuilder.layout.scene import Box, Frame, Scene
from rackbuilder.layout.snap import snap_to_port
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.canvas.host import CanvasHost

if TYPE_CHECKING:
    from rackbuilder.ui.canvas.view import CanvasView

DRAG_FROM = 5.0
"""Pixels the pointer must move before a press becomes a drag."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """A point of the drawing, the pixel of the window it is shown at, and the keys held."""

    x: float
    y: float
    at: QPointF
    keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier

    @property
    def shift(self) -> bool:
        return bool(self.keys & Qt.KeyboardModifier.ShiftModifier)

    @property
    def control(self) -> bool:
        return bool(self.keys & Qt.KeyboardModifier.ControlModifier)

    @property
    def alt(self) -> bool:
        return bool(self.keys & Qt.KeyboardModifier.AltModifier)


@dataclass(frozen=True, slots=True)
class Hit:
    """What lies under the pointer: a device and perhaps its port, cables of a run, or a frame."""

    box: Box | None = None
    port: str = ""
    cables: tuple[str, ...] = ()
    pipe: int = -1
    frame: Frame | None = None

    @property
    def refs(self) -> tuple[str, ...]:
        """What a click selects."""
        if self.box is not None:
            return (port_ref(self.box.ref, self.port),) if self.port else (self.box.ref,)
        if self.cables:
            return self.cables
        if self.frame is not None:
            plain = self.frame.ref and not self.frame.ref.startswith("block:")
            return (self.frame.ref,) if plain else self.frame.members
        return ()


class Stage(Protocol):
    """The view of a tool: its canvas, its document, and what it knows of the drawing."""

    @property
    def host(self) -> CanvasHost: ...
    @property
    def canvas_view(self) -> "CanvasView": ...
    @property
    def kind(self) -> str: ...
    def elevations(self) -> Sequence[Elevation]: ...
    def scene_of(self, design: Design, graphs: Graphs) -> Scene: ...
    def toggle_block(self, key: str) -> None: ...


class Tool:
    """One gesture. A view calls these; a subclass overrides what it needs.

    `busy` while a gesture is in hand: Esc drops it, and its keys win over every shortcut.
    """

    name: ClassVar[str] = ""
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.ArrowCursor
    pans: ClassVar[bool] = False

    def __init__(self, stage: Stage, other_tool: Callable[[str], None] | None = None) -> None:
        self.stage = stage
        self._other_tool = other_tool or (lambda name: None)

    @property
    def busy(self) -> bool:
        return False

    # ---- called by the view

    def start(self) -> None:
        """The tool was taken in hand."""

    def cancel(self) -> None:
        """Esc, another tool, another document: nothing of the gesture stays."""

    def press(self, p: Pointer) -> None: ...
    def drag(self, p: Pointer) -> None: ...
    def release(self, p: Pointer) -> None: ...
    def hover(self, p: Pointer) -> None: ...
    def leave(self) -> None: ...
    def tip(self, p: Pointer) -> None: ...

    def double_click(self, p: Pointer) -> None:
        hit = self.hit(p)
        if hit.box is not None:
            self.stage.canvas_view.opened.emit(hit.box.ref)

    def key(self, event: QKeyEvent) -> bool:
        """Takes a key; False leaves it to the view and the window."""
        return False

    def drop_over(self, part: str, p: Pointer) -> None: ...
    def drop_left(self) -> None: ...
    def dropped(self, part: str, p: Pointer) -> None: ...

    # ---- what tools ask

    @property
    def host(self) -> CanvasHost:
        return self.stage.host

    def selected(self) -> tuple[str, ...]:
        return self.host.selection.refs

    def hit(self, p: Pointer) -> Hit:
        """What lies under a point: a port, a device, a cable, a frame; the nearest to the eye first."""
        view = self.stage.canvas_view
        item = view.canvas.device_at(p.x, p.y, view.level)
        if item is not None:
            return Hit(item.box, self._port(item.box, p))
        cables, pipe = view.canvas.cables.at(p.x, p.y, view.zoom)
        if cables:
            return Hit(cables=cables, pipe=pipe)
        return Hit(frame=view.canvas.backdrop.frame_at(p.x, p.y, view.zoom))

    def _port(self, box: Box, p: Pointer) -> str:
        """The name of the port under a point, where ports are drawn at all."""
        view = self.stage.canvas_view
        if view.level < Level.DEVICE or box.ref not in self.host.design.devices:
            return ""
        design = self.host.design
        name = snap_to_port(box, p.x, p.y, reach=2.0 / view.zoom)
        place = view.canvas.port_places(box).get(name) if name else None
        if name is None or place is None or min(place.w, place.h) * view.zoom < 3.0:
            return ""
        record = design.devices[box.ref]
        # A split port stands where the whole one would: its first branch is meant.
        every = ports_of(design.type_of(record), record.modes)
        return next((port for port in every if port == name or port.startswith(f"{name}.")), "")

    def ref_at(self, p: Pointer) -> str:
        """The one ref under a point, for the context menu; empty when there is none."""
        refs = self.hit(p).refs
        return refs[0] if len(refs) == 1 else ""
