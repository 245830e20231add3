"""Selects by click and rubber band; a drag that begins on a device moves what is selected."""

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from rackbuilder.layout.lod import shown
from rackbuilder.layout.shapes import Place
from rackbuilder.ui.canvas import hints
from rackbuilder.ui.canvas.marks import NONE, Marks
from rackbuilder.ui.canvas.tools.base import DRAG_FROM, Hit, Pointer, Tool
from rackbuilder.ui.canvas.tools.move import Mover
from rackbuilder.ui.canvas.tools.place import Dropper


class SelectTool(Tool):
    name: ClassVar[str] = "select"
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.ArrowCursor

    _pressed: Pointer | None = None
    _hit: Hit = Hit()
    _band: bool = False
    _mover: Mover | None = None
    _dropper: Dropper | None = None

    @property
    def busy(self) -> bool:
        return self._band or self._mover is not None or self._dropper is not None

    def cancel(self) -> None:
        if self._mover is not None:
            self._mover.drop()
        self._mover, self._band, self._pressed = None, False, None
        self.drop_left()
        for layer in ("gesture", "hover"):
            self.stage.canvas_view.overlay.show(layer, NONE)

    # ---- mouse

    def press(self, p: Pointer) -> None:
        self._pressed, self._hit = p, self.hit(p)
        self.stage.canvas_view.overlay.show("hover", NONE)
        if self._on_sign(p):
            self._pressed = None
            return
        refs = self._hit.refs
        plain = not (p.shift or p.control)
        # A press on something selected keeps the others until release: the whole selection may be dragged.
        if plain and refs and not all(ref in self.host.selection for ref in refs):
            self.host.selection.set(refs)

    def _on_sign(self, p: Pointer) -> bool:
        """The plus of a block opens it, in place."""
        frame = self._hit.frame
        if frame is None or frame.kind != "block":
            return False
        corner = Place(frame.place.right - 36, frame.place.y, 36, 36)
        if not corner.holds(p.x, p.y):
            return False
        self.stage.toggle_block(frame.ref.removeprefix("block:"))
        return True

    def drag(self, p: Pointer) -> None:
        start = self._pressed
        if start is None:
            return
        if self._mover is not None:
            self._mover.drag(p)
        elif self._band:
            self._show_band(p)
        elif (p.at - start.at).manhattanLength() >= DRAG_FROM:
            self._begin(start, p)

    def _begin(self, start: Pointer, p: Pointer) -> None:
        box = self._hit.box
        if box is not None and not (start.shift or start.control):
            self._mover = Mover.begin(self.stage, box, start)
            if self._mover is not None:
                self._mover.drag(p)
                return
        if box is None:
            self._band = True
            self._show_band(p)

    def _show_band(self, p: Pointer) -> None:
        self.stage.canvas_view.overlay.show("gesture", Marks(band=self._band_place(p)))

    def _band_place(self, p: Pointer) -> Place:
        start = self._pressed or p
        x, y = min(start.x, p.x), min(start.y, p.y)
        return Place(x, y, abs(p.x - start.x), abs(p.y - start.y))

    def release(self, p: Pointer) -> None:
        if self._mover is not None:
            self._mover.release(p)
        elif self._band:
            self._take_band(p)
        elif self._pressed is not None:
            self._click(p)
        self._mover, self._band, self._pressed = None, False, None
        self.stage.canvas_view.overlay.show("gesture", NONE)

    def _click(self, p: Pointer) -> None:
        refs, selection = self._hit.refs, self.host.selection
        if p.control:
            selection.toggle(refs)
        elif p.shift:
            selection.add(refs)
        else:
            selection.set(refs)

    def _take_band(self, p: Pointer) -> None:
        band, view = self._band_place(p), self.stage.canvas_view
        boxes = view.canvas.drawing.boxes.values()
        inside = [b.ref for b in boxes if shown(b.levels, view.level) and band.meets(b.place)]
        refs = tuple(dict.fromkeys(inside))
        selection = self.host.selection
        if p.control:
            selection.toggle(refs)
        elif p.shift:
            selection.add(refs)
        else:
            selection.set(refs)

    # ---- hover

    def hover(self, p: Pointer) -> None:
        view = self.stage.canvas_view
        view.overlay.show("hover", hints.hover_marks(self.stage, self.hit(p), p))

    def leave(self) -> None:
        self.stage.canvas_view.overlay.show("hover", NONE)

    def tip(self, p: Pointer) -> None:
        self.stage.canvas_view.overlay.show(
            "hover", hints.hover_marks(self.stage, self.hit(p), p, rested=True)
        )

    # ---- keys

    def key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            if self.busy:
                self.cancel()
            else:
                self.host.selection.clear()
            return True
        return Mover.by_key(self.stage, event)

    # ---- drops

    def drop_over(self, part: str, p: Pointer) -> None:
        if self._dropper is None or self._dropper.part_id != part:
            self._dropper = Dropper(self.stage, part)
        self._dropper.over(p)

    def drop_left(self) -> None:
        if self._dropper is not None:
            self._dropper.drop()
            self._dropper = None

    def dropped(self, part: str, p: Pointer) -> None:
        self.drop_over(part, p)
        assert self._dropper is not None
        self._dropper.release(p)
        self._dropper = None
