"""Many cables at once: which port of which device goes where, by pattern. Pure: nothing is changed here.

Devices are taken in natural order of their ids, ports in the order of their part, so that the order of a selection
decides nothing. No cable is planned without two free ports.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rackbuilder.catalog.parts import FabricRole
from rackbuilder.catalog.ports import Port
from rackbuilder.commands import targets
from rackbuilder.commands.names import counted
from rackbuilder.commands.patterns import PATTERNS, WISHES, WORDS, Pattern, Wish, default_pattern
from rackbuilder.commands.ports import Ports
from rackbuilder.commands.sides import Sides, sides_of
from rackbuilder.design.records import End
from rackbuilder.design.view import View
from rackbuilder.errors import Problem, refusal

__all__ = ["PATTERNS", "BundlePlan", "Pattern", "label_of", "propose_bundle", "word_of"]


@dataclass(frozen=True)
class BundlePlan:
    """What a bundle would be, before it is drawn.

    cables   the ends of each, those that fit
    wanted   how many the pattern asks for; `fits` of them find two free ports
    text     “8 rails × 32 servers, 256 cables, rail-aligned”
    rate_bps of one cable per direction, the slowest; None: unknown
    free     device -> free ports left at the far side (switches, mostly)
    problems why it cannot be drawn as it is
    """

    pattern: Pattern
    role: str
    cables: tuple[tuple[End, End], ...] = ()
    wanted: int = 0
    text: str = ""
    rate_bps: float | None = None
    free: Mapping[str, int] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()

    @property
    def fits(self) -> int:
        return len(self.cables)


def propose_bundle(
    view: View,
    sources: Sequence[str],
    targets_: Sequence[str],
    pattern: Pattern = "",
    per_pair: int = 1,
    role: FabricRole | Literal[""] = "",
    count: int = 0,
) -> BundlePlan:
    """The cables between two sets of devices; `per_pair` 0 spreads all free ports evenly, `count` 0 takes all.

    Raises ProblemError only for ids that are not there; everything else is in `problems`.
    """
    a, b = targets.devices(view, sources), targets.devices(view, targets_)
    if not a or not b:
        raise refusal("A bundle joins two sets of devices", "cable", "Name sources and targets.")
    if all(view.type_of(d).is_switch for d in a) and not all(view.type_of(d).is_switch for d in b):
        a, b = b, a
    sides, wanted_role, problems = sides_of(view, a, b, role, per_pair)
    chosen = pattern or default_pattern(sides, wanted_role)
    if not problems and chosen == "rail-aligned" and not sides.ends:
        what = "Rails are told from the ports of servers; these are all switches"
        problems = (Problem(what, "cable", "Choose all to all, or round robin."),)
    if problems:
        return BundlePlan(chosen, wanted_role, text=problems[0].what, problems=problems)
    return _Planner(sides, chosen, wanted_role, count).plan()


# ---- ports for the wishes


class _Queue:
    """The ports of one device, given out from the first free one."""

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self._next = 0
        self._taken = set(ports.taken)

    def peek(self, index: int | None) -> Port | None:
        """The port of an index if it is free, or the next free one; None when there is none."""
        listed = self.ports.listed
        if index is not None:
            free = index < len(listed) and listed[index].name not in self._taken
            return listed[index] if free else None
        while self._next < len(listed) and listed[self._next].name in self._taken:
            self._next += 1
        return listed[self._next] if self._next < len(listed) else None

    def take(self, port: Port) -> End:
        self._taken.add(port.name)
        return End(self.ports.device.id, port.name)

    @property
    def left(self) -> int:
        return sum(port.name not in self._taken for port in self.ports.listed)


class _Planner:
    def __init__(self, sides: Sides, pattern: Pattern, role: str, count: int) -> None:
        self.sides, self.pattern, self.role, self.count = sides, pattern, role, count
        self.queues = {p.device.id: _Queue(p) for p in (*sides.targets, *sides.sources)}
        self.cables: list[tuple[End, End]] = []
        self.rates: dict[float | None, None] = {}
        self.short: dict[str, int] = {}

    def plan(self) -> BundlePlan:
        wanted = 0
        for wish in WISHES[self.pattern](self.sides):
            source = self.sides.sources[wish.source]
            if self.pattern == "rail-aligned" and source.listed[wish.source_port or 0].name in source.taken:
                continue  # that rail of that server is cabled already
            wanted += 1
            if not self.count or len(self.cables) < self.count:
                self._try(wish)
        wanted = min(wanted, self.count) if self.count else wanted
        rate = None if None in self.rates else min((r for r in self.rates if r is not None), default=None)
        free = {p.device.id: self.queues[p.device.id].left for p in self.sides.targets}
        problems = self._problems(wanted)
        text = self._text(wanted)
        return BundlePlan(self.pattern, self.role, tuple(self.cables), wanted, text, rate, free, problems)

    def _try(self, wish: Wish) -> None:
        here = self.queues[self.sides.sources[wish.source].device.id]
        there = self._target(wish)
        a = here.peek(wish.source_port)
        b = there.peek(wish.target_port) if a else None
        if a is None or b is None:
            lacking = here if a is None else there
            name = lacking.ports.device.label
            self.short[name] = self.short.get(name, 0) + 1
            return
        self.cables.append((here.take(a), there.take(b)))
        self.rates[None if a.rate_bps is None or b.rate_bps is None else min(a.rate_bps, b.rate_bps)] = None

    def _target(self, wish: Wish) -> _Queue:
        """The target of a wish; of cables dealt in turn, the next that has room."""
        rows, m = self.sides.targets, len(self.sides.targets)
        order = [wish.target]
        if self.pattern == "round-robin":
            order += [(wish.target + n) % m for n in range(1, m)]
        own = self.sides.sources[wish.source].device.id
        queues = [self.queues[rows[t].device.id] for t in order if t < m and rows[t].device.id != own]
        room = (q for q in queues if q.peek(wish.target_port) is not None)
        return next(room, queues[0] if queues else self.queues[rows[0].device.id])

    def _problems(self, wanted: int) -> tuple[Problem, ...]:
        if not wanted:
            what = f"Every {self.role} port of {self._side(self.sides.sources)} is in use"
            return (Problem(what, "cable", "Disconnect some first, or choose other ports."),)
        fits = len(self.cables)
        if fits == wanted:
            return ()
        names = ", ".join(list(self.short)[:5]) + (", …" if len(self.short) > 5 else "")
        what = f"{fits:,} of {wanted:,} cables fit: no free port is left on {names}"
        fix = f"Add switches, or cable {fits:,}." if fits else "Add switches, or free some ports."
        refs = tuple(
            p.device.id for p in (*self.sides.targets, *self.sides.sources) if p.device.label in self.short
        )
        return (Problem(what, "cable", fix, refs=refs, rule="cabling.short"),)

    def _text(self, wanted: int) -> str:
        fits = len(self.cables)
        count = counted(fits, "cable") if fits == wanted else f"{fits:,} of {wanted:,} fit"
        return f"{self.subject(wanted)}, {count}, {WORDS[self.pattern]}"

    def subject(self, wanted: int) -> str:
        """“8 rails × 32 servers”, “32 leaves × 16 spines × 2”, “8 servers to 1 switch”."""
        sources, rows = self._side(self.sides.sources), self._side(self.sides.targets)
        if self.pattern == "rail-aligned":
            rails = {len(p.listed) for p in self.sides.sources}
            return f"{counted(max(rails), 'rail')} × {sources}"
        if self.pattern in ("all-to-all", "same-index"):
            each, rest = divmod(wanted, max(1, len(self.sides.sources) * len(self.sides.targets)))
            return f"{sources} × {rows}" + (f" × {each}" if each > 1 and not rest else "")
        return f"{sources} to {rows}"

    def _side(self, side: Sequence[Ports]) -> str:
        words = {word_of(p): None for p in side}
        return counted(len(side), next(iter(words)) if len(words) == 1 else "device")


_CATEGORY_WORDS = {
    "gpu-server": "server",
    "compute-tray": "compute tray",
    "nvlink-switch-tray": "NVLink switch tray",
    "management-server": "management server",
    "storage": "storage appliance",
    "pdu": "PDU",
    "power-shelf": "power shelf",
    "cdu": "CDU",
    "panel": "panel",
}


def word_of(ports: Ports) -> str:
    """What people call a device: server, leaf, spine, …; told from its part, its pinned role or its id."""
    if ports.type.is_switch:
        prefix = ports.device.id.partition("-")[0]
        named = ports.device.role or prefix
        return named if named in ("leaf", "spine", "core") else "switch"
    return _CATEGORY_WORDS.get(ports.type.category, "device")


def label_of(plan: BundlePlan) -> str:
    """The undo step: “Cable 8 rails × 32 servers”."""
    return f"Cable {plan.text.partition(',')[0]}"
