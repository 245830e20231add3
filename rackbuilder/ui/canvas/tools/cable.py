"""Cables a whole selection in one drag: the tool proposes the bundle, release or Enter accepts it."""

from collections.abc import Callable
from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from rackbuilder.commands.bundles import PATTERNS, BundlePlan, Pattern
from rackbuilder.commands.cabling import Connect, ConnectBundle
from rackbuilder.design.refs import parse
from rackbuilder.errors import ProblemError
from rackbuilder.layout.names import counted
from rackbuilder.layout.runs import united
from rackbuilder.layout.shapes import Place, around
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.canvas.marks import NONE, Marks, Ring, Run, Sign
from rackbuilder.ui.canvas.tools.base import DRAG_FROM, Hit, Pointer, Stage, Tool
from rackbuilder.ui.canvas.tools.move import devices_of
from rackbuilder.units import rate_text

MOST_LINES = 600
_DIGITS = {getattr(Qt.Key, f"Key_{n}"): n for n in range(10)}


class CableTool(Tool):
    """Press on a device, a port or the selection, drag to a device, rack or tier.

    Keys while it hovers a target: Tab next pattern, 1–9 cables a pair, 0 all free ports, Enter accept, Esc drop.
    Without a mouse: select sources, press C, then arrow keys walk through the targets.
    """

    name: ClassVar[str] = "cable"
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.CrossCursor

    def __init__(self, stage: Stage, other_tool: Callable[[str], None] | None = None) -> None:
        super().__init__(stage, other_tool)
        self._reset()

    def _reset(self) -> None:
        self._pressed: Pointer | None = None
        self._sources: tuple[str, ...] = ()
        self._from_port = ""
        self._targets: tuple[str, ...] = ()
        self._target_port = ""
        self._pattern: Pattern = ""
        self._per_pair = 0
        self._plan: BundlePlan | None = None
        self._runs: tuple[Run, ...] = ()
        self._at: tuple[float, float] = (0.0, 0.0)
        self._held = False

    @property
    def busy(self) -> bool:
        return bool(self._sources)

    @property
    def plan(self) -> BundlePlan | None:
        """What is proposed now."""
        return self._plan

    def start(self) -> None:
        """With devices selected the gesture can begin without a mouse: they are the sources."""
        self._reset()

    def cancel(self) -> None:
        self._reset()
        self.stage.canvas_view.overlay.show("gesture", NONE)
        self.host.end_preview()

    # ---- mouse

    def press(self, p: Pointer) -> None:
        if self._sources and not self._held:
            self._aim(p)
            self._accept()
            return
        hit = self.hit(p)
        refs = self._devices(hit)
        if not refs:
            self.cancel()
            return
        self._reset()
        chosen = devices_of(self.stage, self.selected())
        self._sources = tuple(chosen) if all(r in chosen for r in refs) else refs
        self._from_port = hit.port if len(self._sources) == 1 else ""
        self._pressed, self._held = p, True
        self._show(p)

    def drag(self, p: Pointer) -> None:
        if self._sources:
            self._aim(p)

    def hover(self, p: Pointer) -> None:
        if self._sources:
            self._aim(p)
            return
        refs = self._devices(self.hit(p))
        boxes = self.stage.canvas_view.canvas.drawing.boxes
        rings = tuple(Ring(boxes[r].place, "hover", 1.5) for r in refs if r in boxes)
        self.stage.canvas_view.overlay.show("gesture", Marks(rings=rings))

    def release(self, p: Pointer) -> None:
        if not self._held:
            return
        moved = self._pressed is not None and (p.at - self._pressed.at).manhattanLength() >= DRAG_FROM
        self._held = False
        if not moved:
            self._show(p)  # a click: the sources are in hand, the next click names the target
            return
        self._aim(p)
        if self._targets:
            self._accept()
        else:
            self.cancel()

    def _devices(self, hit: Hit) -> tuple[str, ...]:
        """What a gesture may begin or end at: a device, all of a rack, a tier or a unit's devices."""
        devices = self.host.design.devices
        if hit.box is not None:
            return (hit.box.ref,) if hit.box.ref in devices else ()
        if hit.frame is None:
            return ()
        members = tuple(d for d in hit.frame.members if d in devices)
        if hit.frame.kind != "unit":
            return members
        # A unit as a whole stands for its leaves: its servers are what is cabled to them.
        design = self.host.design
        return tuple(d for d in members if design.type_of(devices[d]).is_switch)

    def _aim(self, p: Pointer) -> None:
        hit = self.hit(p)
        targets = tuple(d for d in self._devices(hit) if d not in self._sources)
        if targets and hit.box is not None:
            targets = self._tier_at(hit.box.ref, p) if p.shift else targets
            chosen = devices_of(self.stage, self.selected())
            if hit.box.ref in chosen:  # the whole selection is the target
                targets = tuple(d for d in chosen if d not in self._sources)
        targets = targets or self._tier_under(p)
        self._at = (p.x, p.y)
        self._target(targets, hit.port if hit.box is not None else "")

    def _tier_under(self, p: Pointer) -> tuple[str, ...]:
        """Between the devices of a row: all of the row."""
        boxes = self.stage.canvas_view.canvas.drawing.boxes
        design = self.host.design
        row = [
            b.ref
            for b in boxes.values()
            if b.place.y <= p.y <= b.place.bottom and b.ref in design.devices and b.ref not in self._sources
        ]
        switches = [d for d in row if design.type_of(design.devices[d]).is_switch]
        inside = around(boxes[d].place for d in switches).grown(30.0) if switches else Place(0, 0, 0, 0)
        return tuple(switches) if switches and inside.holds(p.x, p.y) else ()

    def _tier_at(self, device: str, p: Pointer) -> tuple[str, ...]:
        """With Shift, a switch stands for its whole row."""
        return self._tier_under(p) or (device,)

    # ---- the proposal

    def _target(self, targets: tuple[str, ...], port: str = "") -> None:
        if (targets, port) != (self._targets, self._target_port):
            self._targets, self._target_port = targets, port
            self._propose()
        else:
            self._draw()

    def _command(self) -> ConnectBundle:
        return ConnectBundle(
            sources=self._sources, targets=self._targets, pattern=self._pattern, per_pair=self._per_pair
        )

    def _single(self) -> Connect | None:
        """From port to port: one cable."""
        if not self._from_port or len(self._targets) != 1 or not self._target_port:
            return None
        return Connect(a=f"{self._sources[0]}:{self._from_port}", b=f"{self._targets[0]}:{self._target_port}")

    def _propose(self) -> None:
        self._plan, self._runs = None, ()
        if not self._targets:
            self.host.end_preview()
            self._draw()
            return
        single = self._single()
        try:
            self._plan = None if single else self._command().proposal(self.host.design)
        except ProblemError:
            self._plan = None
        command = single or self._command()
        found = self.host.preview(command)
        self._problems = found.problems
        if found.design is not None and found.graphs is not None:
            self._runs = self._final_runs(found.design.cables, found.graphs, found.design)
        self._draw()

    _problems: tuple[object, ...] = ()

    def _final_runs(self, cables: object, graphs: Graphs, design: object) -> tuple[Run, ...]:
        """The new cables where the drawing would put them, as dashed target lines, equal ones once."""
        old = self.host.design.cables
        scene = self.stage.scene_of(design, graphs)  # type: ignore[arg-type]
        fresh = (
            route
            for pair, route in zip(scene.pairs, scene.routes, strict=True)
            if any(c not in old for c in pair.cables)
        )
        pieces = united(fresh)[:MOST_LINES]
        return tuple(Run(piece, "target", 1.5, (5.0, 4.0)) for piece in pieces)

    def _show(self, p: Pointer) -> None:
        self._at = (p.x, p.y)
        self._draw()

    def _draw(self) -> None:
        boxes = self.stage.canvas_view.canvas.drawing.boxes
        sources = tuple(Ring(boxes[d].place, "selection", 2.0) for d in self._sources if d in boxes)
        bad = bool(self._targets) and not self.acceptable
        ink = "refuse" if bad else "target"
        aims = tuple(Ring(boxes[d].place, ink, 2.0) for d in self._targets if d in boxes)
        runs = self._runs
        if not runs and self._sources and self._sources[0] in boxes and not self._targets:
            start = boxes[self._sources[0]].place
            runs = (Run(((start.cx, start.cy), self._at), "target", 1.5, (5.0, 4.0)),)
        sign = self._sign(ink, bad)
        self.stage.canvas_view.overlay.show(
            "gesture", Marks(rings=(*sources, *aims), runs=runs, signs=(sign,))
        )

    @property
    def acceptable(self) -> bool:
        """Enter and release are on."""
        return bool(self._targets) and not self._problems

    def _sign(self, ink: str, bad: bool) -> Sign:
        x, y = self._at
        if not self._targets:
            what = counted(len(self._sources), "device")
            return Sign(
                x, y, f"Cable {what}", ("Drag to a device, a rack or a tier · Esc cancels",), "target"
            )
        plan = self._plan
        if plan is None:
            text = (
                f"{self._sources[0]}:{self._from_port} to {self._targets[0]}:{self._target_port}"
                if self._from_port
                else ""
            )
            problem = self._problems[0].what if self._problems else ""  # type: ignore[attr-defined]
            return Sign(x, y, problem or f"1 cable, {text}", ("Enter accepts · Esc cancels",), ink, stop=bad)
        lines = [self._figures(plan)]
        if bad:
            problem = self._problems[0]
            lines += [problem.what] if problem.what != plan.text else []  # type: ignore[attr-defined]
            lines += [problem.fix] if problem.fix else []  # type: ignore[attr-defined]
        number = PATTERNS.index(plan.pattern) + 1
        keys = "" if bad else "Enter accepts · "
        lines.append(f"{keys}Tab pattern {number} of {len(PATTERNS)} · 0–9 cables a pair · Esc cancels")
        return Sign(x, y, plan.text, tuple(line for line in lines if line), ink, stop=bad)

    def _figures(self, plan: BundlePlan) -> str:
        """“400 Gb/s per direction · 8 ports left on each”."""
        words = (
            [f"{rate_text(plan.rate_bps)} per direction"] if plan.rate_bps is not None else ["rate unknown"]
        )
        if plan.free:
            low, high = min(plan.free.values()), max(plan.free.values())
            words.append(f"{low if low == high else f'{low} to {high}'} ports stay free on each")
        return " · ".join(words)

    def _accept(self) -> None:
        if not self.acceptable:
            return
        command = self._single() or self._command()
        self.cancel()
        self.host.do(command)

    # ---- keys

    def key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            if self.busy:
                self.cancel()
            else:
                self.stage.canvas_view.overlay.show("gesture", NONE)
                self._other_tool("select")
            return True
        if not self._sources:
            return self._begin_by_key(event)
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._accept()
        elif event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
            self._turn(-1 if event.key() == Qt.Key.Key_Backtab else 1)
        elif event.key() in _DIGITS:
            self._per_pair = _DIGITS[event.key()]
            self._propose()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._walk(1 if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Right) else -1)
        else:
            return False
        return True

    def _begin_by_key(self, event: QKeyEvent) -> bool:
        """An arrow key takes the selection as sources and the first row of switches as target."""
        if event.key() not in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            return False
        sources = tuple(devices_of(self.stage, self.selected()))
        if not sources:
            return False
        self._reset()
        self._sources = sources
        self._walk(0)
        return True

    def _turn(self, step: int) -> None:
        if self._plan is None:
            return
        at = (PATTERNS.index(self._plan.pattern) + step) % len(PATTERNS)
        self._pattern = PATTERNS[at]
        self._propose()

    def _walk(self, step: int) -> None:
        """The next of the possible targets: each row of switches as a whole, then each switch."""
        rows = self._candidates()
        if not rows:
            return
        at = rows.index(self._targets) if self._targets in rows else -1 if step > 0 else 0
        self._targets = rows[(at + step) % len(rows)] if step else rows[0]
        boxes = self.stage.canvas_view.canvas.drawing.boxes
        place = around(boxes[d].place for d in self._targets)
        self._at = (place.cx, place.bottom)
        self._propose()

    def _candidates(self) -> list[tuple[str, ...]]:
        design, boxes = self.host.design, self.stage.canvas_view.canvas.drawing.boxes
        rows: dict[tuple[float, ...], list[str]] = {}
        for box in boxes.values():
            ref = parse(box.ref).record
            if (
                ref in design.devices
                and ref not in self._sources
                and design.type_of(design.devices[ref]).is_switch
            ):
                rows.setdefault((round(box.place.y, 1),), []).append(ref)
        whole = [tuple(refs) for _, refs in sorted(rows.items(), reverse=True)]
        return [*whole, *((ref,) for refs in whole if len(refs) > 1 for ref in refs)]
