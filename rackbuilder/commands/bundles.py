"""Many cables at once: which port of which device goes where, by pattern. Pure: nothing is changed here.

Devices are taken in natural order of their ids, ports in the order of their part, so that the order of a selection
decides nothing. No cable is planned without two free ports.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, get_args

from rackbuilder.catalog.parts import Cages, DeviceType, FabricRole
from rackbuilder.catalog.ports import Port
from rackbuilder.commands import targets
from rackbuilder.commands.names import counted
from rackbuilder.commands.ports import Ports, nvlink_refusal, ports_for, roles_of_device
from rackbuilder.design.records import Device, End
from rackbuilder.design.view import View
from rackbuilder.errors import Problem, refusal

Pattern = Literal["", "rail-aligned", "round-robin", "paired", "all-to-all", "same-index"]
"""Empty: rail-aligned where servers meet several switches, all to all between switches."""
PATTERNS: tuple[Pattern, ...] = tuple(p for p in get_args(Pattern) if p)
WORDS: Mapping[Pattern, str] = {
    "rail-aligned": "rail-aligned",
    "round-robin": "round robin",
    "paired": "paired",
    "all-to-all": "all to all",
    "same-index": "same index",
}


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


class _Wish(NamedTuple):
    """One cable to be: side indexes, and the port of each side where the pattern fixes it (by index in its list)."""

    source: int
    target: int
    source_port: int | None = None
    target_port: int | None = None


class _Sides(NamedTuple):
    """Both sides with their ports. Ends (servers, storage) stand at the source side where there are any."""

    sources: list[Ports]
    targets: list[Ports]
    per_pair: int

    @property
    def ends(self) -> bool:
        return any(not row.type.is_switch for row in self.sources)


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
    wanted_role: FabricRole = role or _role_of(view, a, b)
    sides = _sides(view, a, b, wanted_role, per_pair)
    chosen = pattern or _default_pattern(sides)
    problems = _impossible(view, sides, a, b, wanted_role, chosen)
    if problems:
        return BundlePlan(chosen, wanted_role, text=problems[0].what, problems=problems)
    return _Planner(sides, chosen, wanted_role, count).plan()


def _role_of(view: View, a: Sequence[Device], b: Sequence[Device]) -> FabricRole:
    """The role of the fabric that the switches lend; compute where they lend none."""
    for device in (*b, *a):
        if device.fabric:
            roles = view.fabrics[device.fabric].roles
            if roles:
                return "compute" if "compute" in roles else roles[0]
    return "compute"


def _sides(view: View, a: Sequence[Device], b: Sequence[Device], role: FabricRole, per_pair: int) -> _Sides:
    one = [ports_for(view, d, role, _acts_as_switch(view, d, b, role)) for d in a]
    two = [ports_for(view, d, role, _acts_as_switch(view, d, a, role)) for d in b]
    one_rows, two_rows = _rows(one), _rows(two)
    sources, targets_ = [p.towards(two_rows) for p in one], [p.towards(one_rows) for p in two]
    # What has no port of that kind (a PDU among the servers) is left out; the count shown says so.
    return _Sides([p for p in sources if p.listed], [p for p in targets_ if p.listed], per_pair)


def _acts_as_switch(view: View, device: Device, others: Sequence[Device], role: FabricRole) -> bool:
    """A compute switch cabled to an out-of-band one is managed by it: it offers its management port."""
    if role != "out-of-band" or not device.fabric:
        return True
    fabrics = {other.fabric for other in others if other.fabric}
    return "out-of-band" in view.fabrics[device.fabric].roles or not fabrics or fabrics == {device.fabric}


def _rows(ports: Sequence[Ports]) -> list[Cages]:
    return list({id(row): row for p in ports for row in p.rows()}.values())


def _default_pattern(sides: _Sides) -> Pattern:
    if not sides.ends:
        return "all-to-all"
    return "rail-aligned" if len(sides.targets) > 1 else "round-robin"


def _impossible(
    view: View, sides: _Sides, a: Sequence[Device], b: Sequence[Device], role: FabricRole, pattern: Pattern
) -> tuple[Problem, ...]:
    """What no count of free ports could mend."""
    ours, theirs = ({d.type: d for d in side}.values() for side in (a, b))
    found = [nvlink_refusal((d, view.type_of(d)), (e, view.type_of(e))) for d in ours for e in theirs]
    if nvlink := tuple(problem for problem in found if problem):
        return nvlink
    portless = {
        d.type: d for side, all_ in ((sides.sources, a), (sides.targets, b)) if not side for d in all_
    }
    if portless:
        return tuple(_no_ports(d, view.type_of(d), role) for d in portless.values())
    if pattern == "rail-aligned" and not sides.ends:
        what = "Rails are told from the ports of servers; these are all switches"
        return (Problem(what, "cable", "Choose all to all, or round robin."),)
    return ()


def _no_ports(device: Device, part: DeviceType, role: str) -> Problem:
    others = ", ".join(roles_of_device(part))
    what = f"{part.name} has no {role} port that fits the other side"
    fix = f"Its ports are for: {others}. Say which role is meant." if others else "Choose other devices."
    return Problem(what, device.label, fix, refs=(device.id,), rule="cabling.no-port")


# ---- patterns: which cables are wished for, in what order


def _rail_aligned(s: _Sides) -> Iterator[_Wish]:
    """Port r of every server to the switch of rail r; with more switches than rails, a block of them for each run of
    servers; with fewer, neighbouring rails share one.
    """
    n, m = len(s.sources), len(s.targets)
    for i, source in enumerate(s.sources):
        rails = len(source.listed)
        blocks = max(1, m // rails)
        for r in range(rails):
            target = (i * blocks // n) * rails + r if m >= rails else r * m // rails
            yield _Wish(i, target, source_port=r)


def _round_robin(s: _Sides) -> Iterator[_Wish]:
    """Cables dealt to the targets in turn, as cards are."""
    dealt, m = 0, len(s.targets)
    for i, source in enumerate(s.sources):
        if source.type.is_switch:
            yield from (_Wish(i, n % m) for n in range(_each(s) * m))
            continue
        for index, port in enumerate(source.listed):
            if port.name not in source.taken:
                yield _Wish(i, dealt % m, source_port=index)
                dealt += 1


def _paired(s: _Sides) -> Iterator[_Wish]:
    """The first with the first; of unequal numbers, equal runs of the longer with each of the shorter."""
    n, m = len(s.sources), len(s.targets)
    for index in range(max(n, m)):
        i, t = (index, index * m // n) if n >= m else (index * n // m, index)
        here, there = len(s.sources[i].free()) // -(-m // n), len(s.targets[t].free()) // -(-n // m)
        each = s.per_pair or max(1, min(here, there))
        yield from (_Wish(i, t) for _ in range(each))


def _all_to_all(s: _Sides) -> Iterator[_Wish]:
    """Every source with every target, by the next free port."""
    each = _each(s)
    done: set[frozenset[str]] = set()
    for i, source in enumerate(s.sources):
        for t, target in enumerate(s.targets):
            pair = frozenset((source.device.id, target.device.id))
            if len(pair) == 2 and pair not in done:
                done.add(pair)
                yield from (_Wish(i, t) for _ in range(each))


def _same_index(s: _Sides) -> Iterator[_Wish]:
    """Port k of source i meets port i of target k: what stands where is told from the numbers alone."""
    n, m = len(s.sources), len(s.targets)
    most = min(min(len(p.listed) for p in s.sources) // m, min(len(p.listed) for p in s.targets) // n)
    each = s.per_pair or max(1, most)
    for i in range(n):
        for k in range(m):
            yield from (_Wish(i, k, k * each + j, i * each + j) for j in range(each))


def _each(s: _Sides) -> int:
    """Cables of a pair: as asked, or all free ports spread evenly."""
    if s.per_pair:
        return s.per_pair
    here = min(len(p.free()) for p in s.sources) // len(s.targets)
    there = min(len(p.free()) for p in s.targets) // len(s.sources)
    return max(1, min(here, there))


_WISHES: Mapping[Pattern, Callable[[_Sides], Iterator[_Wish]]] = {
    "rail-aligned": _rail_aligned,
    "round-robin": _round_robin,
    "paired": _paired,
    "all-to-all": _all_to_all,
    "same-index": _same_index,
}


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
    def __init__(self, sides: _Sides, pattern: Pattern, role: str, count: int) -> None:
        self.sides, self.pattern, self.role, self.count = sides, pattern, role, count
        self.queues = {p.device.id: _Queue(p) for p in (*sides.targets, *sides.sources)}
        self.cables: list[tuple[End, End]] = []
        self.rates: dict[float | None, None] = {}
        self.short: dict[str, int] = {}

    def plan(self) -> BundlePlan:
        wanted = 0
        for wish in _WISHES[self.pattern](self.sides):
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

    def _try(self, wish: _Wish) -> None:
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

    def _target(self, wish: _Wish) -> _Queue:
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
