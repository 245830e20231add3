"""Patterns of a bundle: which cables are wished for between two sides, in what order."""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal, NamedTuple, get_args

from rackbuilder.commands.sides import Sides

Pattern = Literal["", "rail-aligned", "round-robin", "paired", "all-to-all", "same-index"]
"""Empty: rail-aligned where GPU servers meet several switches, all to all between switches, else round robin."""
PATTERNS: tuple[Pattern, ...] = tuple(p for p in get_args(Pattern) if p)
WORDS: Mapping[Pattern, str] = {
    "rail-aligned": "rail-aligned",
    "round-robin": "round robin",
    "paired": "paired",
    "all-to-all": "all to all",
    "same-index": "same index",
}


class Wish(NamedTuple):
    """One cable to be: side indexes, and the port of each side where the pattern fixes it (by index in its list)."""

    source: int
    target: int
    source_port: int | None = None
    target_port: int | None = None


def default_pattern(sides: Sides, role: str) -> Pattern:
    if not sides.ends:
        return "all-to-all"
    rails = role == "compute" and any(p.type.gpu_count for p in sides.sources)
    return "rail-aligned" if rails and len(sides.targets) > 1 else "round-robin"


def _rail_aligned(s: Sides) -> Iterator[Wish]:
    """Port r of every server to the switch of rail r; with more switches than rails, a block of them for each run of
    servers; with fewer, neighbouring rails share one.
    """
    n, m = len(s.sources), len(s.targets)
    for i, source in enumerate(s.sources):
        rails = len(source.listed)
        blocks = max(1, m // rails)
        for r in range(rails):
            target = (i * blocks // n) * rails + r if m >= rails else r * m // rails
            yield Wish(i, target, source_port=r)


def _round_robin(s: Sides) -> Iterator[Wish]:
    """Cables dealt to the targets in turn, as cards are."""
    dealt, m = 0, len(s.targets)
    for i, source in enumerate(s.sources):
        if source.type.is_switch:
            yield from (Wish(i, n % m) for n in range(_each(s) * m))
            continue
        for index, port in enumerate(source.listed):
            if port.name not in source.taken:
                yield Wish(i, dealt % m, source_port=index)
                dealt += 1


def _paired(s: Sides) -> Iterator[Wish]:
    """The first with the first; of unequal numbers, equal runs of the longer with each of the shorter."""
    n, m = len(s.sources), len(s.targets)
    for index in range(max(n, m)):
        i, t = (index, index * m // n) if n >= m else (index * n // m, index)
        here, there = len(s.sources[i].free()) // -(-m // n), len(s.targets[t].free()) // -(-n // m)
        each = s.per_pair or max(1, min(here, there))
        yield from (Wish(i, t) for _ in range(each))


def _all_to_all(s: Sides) -> Iterator[Wish]:
    """Every source with every target, by the next free port."""
    each = _each(s)
    done: set[frozenset[str]] = set()
    for i, source in enumerate(s.sources):
        for t, target in enumerate(s.targets):
            pair = frozenset((source.device.id, target.device.id))
            if len(pair) == 2 and pair not in done:
                done.add(pair)
                yield from (Wish(i, t) for _ in range(each))


def _same_index(s: Sides) -> Iterator[Wish]:
    """Port k of source i meets port i of target k: what stands where is told from the numbers alone."""
    n, m = len(s.sources), len(s.targets)
    most = min(min(len(p.listed) for p in s.sources) // m, min(len(p.listed) for p in s.targets) // n)
    each = s.per_pair or max(1, most)
    for i in range(n):
        for k in range(m):
            yield from (Wish(i, k, k * each + j, i * each + j) for j in range(each))


def _each(s: Sides) -> int:
    """Cables of a pair: as asked, or all free ports spread evenly."""
    if s.per_pair:
        return s.per_pair
    here = min(len(p.free()) for p in s.sources) // len(s.targets)
    there = min(len(p.free()) for p in s.targets) // len(s.sources)
    return max(1, min(here, there))


WISHES: Mapping[Pattern, Callable[[Sides], Iterator[Wish]]] = {
    "rail-aligned": _rail_aligned,
    "round-robin": _round_robin,
    "paired": _paired,
    "all-to-all": _all_to_all,
    "same-index": _same_index,
}
