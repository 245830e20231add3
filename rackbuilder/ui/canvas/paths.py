"""Marks of what is selected: rings, and the runs that its cables take with their counts."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from rackbuilder.design.refs import parse
from rackbuilder.design.view import View
from rackbuilder.layout.bundles import by_device, summed
from rackbuilder.layout.names import counted, short
from rackbuilder.layout.runs import Piece, Point, united
from rackbuilder.layout.scene import Scene
from rackbuilder.layout.shapes import Place
from rackbuilder.ui.canvas.colouring import Colouring
from rackbuilder.ui.canvas.marks import NONE, Chip, Marks, Ring, Run
from rackbuilder.ui.canvas.scene import CanvasScene
from rackbuilder.units import rate_text

MOST_PAIRS = 1_500
"""Paths of more pairs than this are not lit: everything would be."""


class Lighter:
    """Finds the runs of devices and cables in one scene."""

    def __init__(self, scene: Scene, view: View) -> None:
        self._scene, self._view = scene, view

    @cached_property
    def _near(self) -> Mapping[str, tuple[int, ...]]:
        return by_device(self._scene.pairs)

    @cached_property
    def _cables(self) -> Mapping[str, int]:
        return {cable: n for n, pair in enumerate(self._scene.pairs) for cable in pair.cables}

    def pairs_of(self, refs: Iterable[str]) -> list[int]:
        """The pairs that some refs are about: all of a device, those of a port, of a cable, of “a~b”."""
        found: dict[int, None] = {}
        for ref in refs:
            if ref in self._cables:
                found[self._cables[ref]] = None
                continue
            parsed = parse(ref)
            own = self._near.get(parsed.record, ())
            if parsed.other:
                own = tuple(
                    n for n in own if parsed.other in (self._scene.pairs[n].a, self._scene.pairs[n].b)
                )
            elif parsed.port:
                used = self._view.ports_used(parsed.record).get(parsed.port, ())
                own = tuple(self._cables[c] for c in used if c in self._cables)
            found.update(dict.fromkeys(own))
        return list(found)

    def marks(self, refs: Sequence[str], colouring: Colouring, hidden: frozenset[str]) -> Marks:
        """Lit runs of what is selected; nothing when that would light everything."""
        numbers = self.pairs_of(refs)
        layers = self._layers()
        numbers = [n for n in numbers if layers.get(n, "") not in hidden]
        if not numbers or len(numbers) > MOST_PAIRS:
            return NONE
        runs = tuple(Run(piece, "selection", 2.0) for piece in self._pieces(numbers))
        chips: tuple[Chip, ...] = ()
        if len(refs) == 1 and refs[0] in self._view.devices:
            chips = self._chips(refs[0], numbers, colouring)
        return Marks(runs=runs, chips=chips)

    def _layers(self) -> dict[int, str]:
        return {n: pipe.layer for pipe in self._scene.pipes for n in pipe.pairs}

    def _pieces(self, numbers: Iterable[int]) -> list[Piece]:
        return united(self._scene.routes[n] for n in numbers)

    # ---- faults and paths

    def fault_marks(self, canvas: CanvasScene) -> Marks:
        """What is lost: dots and a cross, on a link with how many of its cables, around a device as a ring."""
        runs: list[Run] = []
        rings: list[Ring] = []
        crosses: list[Point] = []
        chips: list[Chip] = []
        for fault in self._view.tables["faults"].values():
            if not fault.on or fault.kind not in ("failed", "maintenance"):
                continue
            if fault.ref in self._view.devices:
                places = canvas.places_of(fault.ref)
                rings += [Ring(place, "error", 2.0, (2.0, 4.0)) for place in places]
                crosses += [(place.cx, place.cy) for place in places]
                continue
            for n in self.pairs_of((fault.ref,)):
                route = self._scene.routes[n]
                if route:
                    lost = fault.links or (1 if fault.ref in self._cables else self._scene.pairs[n].size)
                    at = _middle(route)
                    runs.append(Run(route, "error", 2.0, (2.0, 4.0)))
                    crosses.append(at)
                    if self._scene.pairs[n].size > 1:
                        chips.append(
                            Chip(
                                at[0] + 14, at[1], f"{lost} of {self._scene.pairs[n].size}", "start", "error"
                            )
                        )
        return Marks(tuple(rings), tuple(runs), (), tuple(chips), crosses=tuple(crosses))

    def path_marks(self, names: Sequence[str]) -> Marks:
        """A path through some devices, with how many switches it passes and what one cable of it carries."""
        numbers = [n for a, b in pairwise(names) for n in self._near.get(a, ()) if self._far(a, n) == b]
        routes = [self._scene.routes[n] for n in numbers if self._scene.routes[n]]
        if not routes:
            return NONE
        runs = tuple(Run(piece, "selection", 3.0) for piece in united(routes))
        switches = sum(self._view.type_of(self._view.devices[d]).is_switch for d in names)
        words = [counted(switches, "switch")]
        rates = [(pair.rate_bps, pair.size) for pair in (self._scene.pairs[n] for n in numbers)]
        if all(rate is not None for rate, _ in rates):
            words.append(f"{rate_text(min((rate or 0.0) / size for rate, size in rates))} per direction each")
        top = min((point for route in routes for point in route), key=lambda p: (p[1], p[0]))
        return Marks(runs=runs, chips=(Chip(top[0] + 20, top[1] + 30, " · ".join(words), "start"),))

    # ---- counts

    def _chips(self, device: str, numbers: Sequence[int], colouring: Colouring) -> tuple[Chip, ...]:
        """How many cables go up from a switch, to whom, and how busy they are."""
        up = [n for n in numbers if self._is_up(device, n)]
        if not up:
            return ()
        pairs = self._scene.pairs
        own = self._scene.boxes.get(device)
        chips = (
            []
            if own is None
            else [Chip(own.place.cx + 16, own.place.y - 24, str(summed(pairs[n] for n in up)[0]), "start")]
        )
        if len(up) <= 40:
            chips += self._far_chips(device, up)
        return (*chips, self._sentence(device, up, colouring))

    def _is_up(self, device: str, n: int) -> bool:
        far = self._far(device, n)
        boxes = self._scene.boxes
        return far in boxes and device in boxes and boxes[far].place.bottom < boxes[device].place.y

    def _far(self, device: str, n: int) -> str:
        pair = self._scene.pairs[n]
        return pair.b if pair.a == device else pair.a

    def _far_chips(self, device: str, up: Sequence[int]) -> list[Chip]:
        chips = []
        for n in up:
            place = self._scene.boxes[self._far(device, n)].place
            route = self._scene.routes[n]
            end = route[-1] if self._scene.pairs[n].a == device else route[0]
            chips.append(Chip(end[0], place.bottom + 40, str(self._scene.pairs[n].size)))
        return chips

    def _sentence(self, device: str, up: Sequence[int], colouring: Colouring) -> Chip:
        """“L11 → 16 spines · 32 cables, 2 each · 12.8 Tb/s per direction · busy 0.9 %”, on the bus."""
        pairs = [self._scene.pairs[n] for n in up]
        cables, rate = summed(pairs)
        each = {pair.size for pair in pairs}
        words = [f"{short(self._view.devices[device].label)} → {self._who(device, up)}"]
        words.append(
            counted(cables, "cable") + (f", {each.pop()} each" if len(each) == 1 and len(pairs) > 1 else "")
        )
        if rate is not None:
            words.append(f"{rate_text(rate)} per direction")
        busy = colouring.busy(up, self._scene.pairs)
        if busy is not None:
            words.append(f"busy {busy * 100:.1f} %")
        x, y = self._bus_middle(up)
        return Chip(x, y, " · ".join(words))

    def _who(self, device: str, up: Sequence[int]) -> str:
        far = dict.fromkeys(self._far(device, n) for n in up)
        kinds = {self._scene.boxes[d].look.kind for d in far}
        word = kinds.pop() if len(kinds) == 1 else "switch"
        return counted(len(far), word)

    def _bus_middle(self, up: Sequence[int]) -> tuple[float, float]:
        """The middle of the longest horizontal run."""
        level = [(a, b) for a, b in self._pieces(up) if a[1] == b[1]]
        y = min((a[1] for a, _ in level), default=0.0)
        row = [(a, b) for a, b in level if a[1] == y]
        return (min(a[0] for a, _ in row) + max(b[0] for _, b in row)) / 2 if row else 0.0, y


def _middle(route: Sequence[Point]) -> Point:
    """The middle of the longest piece of a route."""
    a, b = max(
        pairwise(route), key=lambda piece: abs(piece[0][0] - piece[1][0]) + abs(piece[0][1] - piece[1][1])
    )
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def selection_marks(canvas: CanvasScene, refs: Sequence[str]) -> Marks:
    """Rings around what is selected, wherever it is drawn."""
    rings = []
    for ref in refs:
        if ref in canvas.cables.cable_pairs:
            continue
        rings += [Ring(place, "selection", 2.0) for place in canvas.places_of(ref)]
    return Marks(rings=tuple(rings))


def culprit_marks(canvas: CanvasScene, refs: Iterable[str]) -> Marks:
    """A dashed ring in error colour around what the sentence names."""
    places: dict[Place, None] = {}
    for ref in refs:
        places.update(dict.fromkeys(canvas.places_of(ref)))
    return Marks(rings=tuple(Ring(place, "error", 2.0, (4.0, 3.0), 4.0) for place in places))
