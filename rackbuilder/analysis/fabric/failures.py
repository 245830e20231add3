"""What a fabric is worth with parts of it gone: links, plugs, switches, rails, planes, one at a time or any set.

Bisection is worked out once for elements that nothing tells apart: switches with equal links to the same neighbours and
equal hosts of each half, cables and plugs between such switches. Traffic tells all of them apart but those that carry
none of it, for a link without bytes is missed by nobody.
"""

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays, arrays_of
from rackbuilder.analysis.fabric.cuts import capacity_between, halves
from rackbuilder.analysis.fabric.dmodk import LinkLoads, Steps, finish
from rackbuilder.analysis.fabric.recognise import Clos, recognise
from rackbuilder.analysis.fabric.wires import IntArray
from rackbuilder.design.refs import port_ref
from rackbuilder.errors import refusal
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.roles import planes_of, rails_of
from rackbuilder.units import Figure

Kind = Literal["cable", "plug", "switch", "rail", "plane"]
KINDS: tuple[Kind, ...] = get_args(Kind)

Carry = Callable[[Arrays, Clos | None], Steps[LinkLoads]]
"""Puts the traffic that is asked about on a fabric, with links of it down."""


class Element(NamedTuple):
    """Something that can fail: its ref (a cable, “leaf-01:osfp3”, a switch; “rail 3”, “plane 1”), and its links."""

    kind: Kind
    ref: str
    links: tuple[int, ...]


class Impact(NamedTuple):
    """The fabric without one element.

    alike           elements it stands for, itself included
    bisection_bps   between the halves of the servers, with `lost` its share that is gone; unknown: no value, None
    slowdown        how much longer the busiest link takes for the traffic; None without traffic or a rate
    lost_bytes      of the traffic, without a way
    """

    element: Element
    alike: tuple[str, ...]
    bisection_bps: Figure
    lost: float | None
    slowdown: float | None
    lost_bytes: float


class Progress(NamedTuple):
    """How many judgements are done, of how many, and the element at hand."""

    done: int
    of: int
    ref: str


# ---- elements -------------------------------------------------------------------------------------------------


def elements(fabric: FabricGraph, kinds: Sequence[Kind] = KINDS) -> Iterator[Element]:
    """Everything of some kinds that can fail, in natural order of each kind."""
    arrays = arrays_of(fabric)
    makers = {
        "cable": lambda: {cable: [n] for n, cable in enumerate(arrays.cables)},
        "plug": lambda: _plugs(fabric, arrays),
        "switch": lambda: _by_switch(arrays, {name: (name,) for name in arrays.switches}),
        "rail": lambda: _by_switch(arrays, _sets("rail", rails_of(fabric), arrays)),
        "plane": lambda: _by_switch(arrays, _sets("plane", planes_of(fabric), arrays)),
    }
    for kind in kinds:
        found = makers[kind]()
        for ref in sorted(found, key=natural_key):
            yield Element(kind, ref, tuple(sorted(found[ref])))


def _plugs(fabric: FabricGraph, arrays: Arrays) -> dict[str, list[int]]:
    """Cages by ref, with the links of what is plugged into them."""
    place = {cable: n for n, cable in enumerate(arrays.cables)}
    found: dict[str, list[int]] = {}
    for a, b, data in fabric.edges():
        for link in data["links"]:
            for device, port in ((a, link.a), (b, link.b)):
                if port is not None and link.cable in place:
                    found.setdefault(port_ref(device, port.cage), []).append(place[link.cable])
    return found


def _sets(word: str, numbers: Mapping[str, int], arrays: Arrays) -> dict[str, tuple[str, ...]]:
    """The leaves of a rail or plane, and the switches above that only they are joined to."""
    owner = np.full(len(arrays.switches), -1, dtype=np.int64)
    for name, number in numbers.items():
        owner[arrays.switch_by_name[name]] = number
    for level in (0, 1):
        rows = arrays.level[arrays.low] == level
        low, high = owner[arrays.low[rows]], arrays.high[rows]
        for switch in np.unique(high).tolist():
            below = np.unique(low[high == switch])
            owner[switch] = below[0] if len(below) == 1 else -1
    found: dict[str, list[str]] = {}
    for name, number in zip(arrays.switches, owner.tolist(), strict=True):
        if number >= 0:
            found.setdefault(f"{word} {number}", []).append(name)
    return {ref: tuple(names) for ref, names in found.items()}


def _by_switch(arrays: Arrays, sets: Mapping[str, Sequence[str]]) -> dict[str, list[int]]:
    """The links of every switch of each set."""
    ends = np.r_[arrays.low, arrays.high, arrays.host_switch]
    links = np.r_[np.arange(arrays.trunks), np.arange(arrays.trunks), arrays.trunks + np.arange(arrays.hosts)]
    order = np.argsort(ends, kind="stable")
    first = np.searchsorted(ends[order], np.arange(len(arrays.switches) + 1))
    own = links[order]
    return {
        ref: sorted(
            {
                n
                for s in (arrays.switch_by_name[x] for x in names)
                for n in own[first[s] : first[s + 1]].tolist()
            }
        )
        for ref, names in sets.items()
    }


def removed(fabric: FabricGraph, refs: Iterable[str]) -> Arrays:
    """The arrays of a fabric without any set of elements, by their refs. Raises ProblemError for an unknown one."""
    arrays = arrays_of(fabric)
    known = {element.ref: element for element in elements(fabric)}
    dead: set[int] = set()
    for ref in refs:
        if ref not in known:
            raise refusal(
                f"{ref} is no cable, cage, switch, rail or plane of the fabric “{fabric.id}”",
                fix="Name a cable, a switch, a cage (“leaf-01:osfp3”), “rail 0” or “plane 0”.",
                refs=(ref,),
            )
        dead.update(known[ref].links)
    return arrays.without(sorted(dead))


# ---- the pass -------------------------------------------------------------------------------------------------


def failure_pass(
    fabric: FabricGraph, kinds: Sequence[Kind] = KINDS, carry: Carry | None = None
) -> Generator[Progress, None, tuple[Impact, ...]]:
    """Takes away one element after another; the worst first, by bisection lost, bytes lost, slowdown, name.

    A step for each element that differs from those before; not asked for more, the pass is cancelled.
    """
    arrays = arrays_of(fabric)
    found = recognise(arrays)
    clos = found if isinstance(found, Clos) else None
    whole = None if carry is None else finish(carry(arrays, clos))
    groups = [part for group in _alike(arrays, elements(fabric, kinds)) for part in _parted(group, whole)]
    judge = _Judge(arrays, clos, whole, carry)
    impacts = []
    for done, (kind, group) in enumerate(groups):
        yield Progress(done, len(groups), group[0].ref)
        impacts.append(judge.impact(kind, group))
    return tuple(sorted(impacts, key=_rank))


def _parted(group: Sequence[Element], whole: LinkLoads | None) -> Iterator[tuple[str, Sequence[Element]]]:
    """Those of a group that carry no bytes together, each other one alone; with the ref the group is known by."""
    first = group[0].ref
    if whole is None:
        yield first, group
        return
    idle = []
    for element in group:
        links = list(element.links)
        if whole.worst[links].any():
            yield first, [element]
        else:
            idle.append(element)
    if idle:
        yield first, idle


def _rank(impact: Impact) -> tuple[float, float, float, tuple[tuple[str, int], ...]]:
    return (
        -(impact.lost or 0.0),
        -impact.lost_bytes,
        -(impact.slowdown or 0.0),
        natural_key(impact.element.ref),
    )


def _bisection(arrays: Arrays) -> Figure:
    sides = halves(arrays)
    return Figure(None) if sides is None else capacity_between(arrays, *sides)


class _Judge:
    """Judges elements of one fabric; remembers the bisection without those that are alike."""

    def __init__(
        self, arrays: Arrays, clos: Clos | None, whole: LinkLoads | None, carry: Carry | None
    ) -> None:
        self._arrays, self._clos, self._whole, self._carry = arrays, clos, whole, carry
        self._base = _bisection(arrays)
        self._before = None if whole is None else busiest_s(arrays, whole)
        self._known: dict[tuple[str, str], Figure] = {}

    def impact(self, known_by: str, group: Sequence[Element]) -> Impact:
        element = group[0]
        left = self._arrays.without(element.links)
        key = (element.kind, known_by)
        if key not in self._known:
            self._known[key] = _bisection(left)
        after = self._known[key]
        known = after.value is not None and self._base.value
        lost = 1.0 - (after.value or 0.0) / (self._base.value or 1.0) if known else None
        return Impact(element, tuple(x.ref for x in group), after, lost, *self._slower(left, element))

    def _slower(self, left: Arrays, element: Element) -> tuple[float | None, float]:
        if self._carry is None or self._whole is None or not self._before:
            return None, 0.0
        if not self._whole.worst[list(element.links)].any():
            return 1.0, 0.0
        loads = finish(self._carry(left, self._clos))
        now = busiest_s(left, loads)
        return None if now is None else now / self._before, max(0.0, loads.lost - self._whole.lost)


def busiest_s(arrays: Arrays, loads: LinkLoads) -> float | None:
    """Seconds that the busiest link takes; None when the rate of one with bytes is unknown."""
    used = loads.worst > 0
    rate = arrays.rate_bps[used]
    if np.isnan(rate).any():
        return None
    return float((8 * loads.worst[used] / rate).max(initial=0.0))


# ---- what is alike --------------------------------------------------------------------------------------------


def _alike(arrays: Arrays, rows: Iterable[Element]) -> list[list[Element]]:
    """Elements in groups of equals, each in order."""
    twin = twins(arrays)
    ends = np.stack(
        (
            np.r_[twin[arrays.low], twin[arrays.host_switch]],
            np.r_[twin[arrays.high], -1 - _end_colours(arrays)],
        )
    )
    marks = [arrays.rate_bps, arrays.up.astype(np.float64)]
    table = np.column_stack((*ends.astype(np.float64), *(np.nan_to_num(mark, nan=-1.0) for mark in marks)))
    _, kind = np.unique(table, axis=0, return_inverse=True)
    kind = kind.ravel()
    found: dict[tuple[object, ...], list[Element]] = {}
    for element in rows:
        links = np.array(element.links, dtype=np.int64)
        own: tuple[object, ...] = (element.kind, tuple(np.sort(kind[links]).tolist()))
        if element.kind == "switch":
            own = (*own, int(twin[arrays.switch_by_name[element.ref]]))
        elif element.kind == "plug":
            own = (*own, *_ends_of(arrays, links))
        elif element.kind in ("rail", "plane"):
            own = (element.kind, element.ref)
        found.setdefault(own, []).append(element)
    return list(found.values())


def _ends_of(arrays: Arrays, links: IntArray) -> tuple[int, ...]:
    """How many ends the links of a plug have: those of one plug may lead to one peer or to several."""
    trunk = links[links < arrays.trunks]
    host = links[links >= arrays.trunks] - arrays.trunks
    return tuple(
        len(np.unique(x))
        for x in (
            np.r_[arrays.low[trunk], arrays.host_switch[host]],
            arrays.high[trunk],
            arrays.host_device[host],
        )
    )


def _end_colours(arrays: Arrays) -> IntArray:
    """Of each host: 0 for no server, 1 and 2 for the halves of the servers."""
    colour = np.zeros(len(arrays.devices), dtype=np.int64)
    servers = np.flatnonzero(arrays.servers)
    colour[servers] = 1 + (np.arange(len(servers)) >= len(servers) // 2)
    return colour[arrays.host_device]


def twins(arrays: Arrays) -> IntArray:
    """A number for each switch, equal where exchanging two changes nothing: same neighbours, bundles and hosts."""
    count = len(arrays.switches)
    rate = np.nan_to_num(np.where(arrays.up, arrays.rate_bps, 0.0), nan=-1.0)
    trunks = arrays.trunks
    start = np.r_[arrays.low, arrays.high, arrays.host_switch]
    end = np.r_[arrays.high, arrays.low, count + _end_colours(arrays)]
    weight = np.r_[rate[:trunks], rate[:trunks], rate[trunks:]]
    rows, times = np.unique(
        np.column_stack((start.astype(np.float64), end, weight)),
        axis=0,
        return_counts=True,
    )
    first = np.searchsorted(rows[:, 0], np.arange(count + 1))
    seen: dict[tuple[int, bytes], int] = {}
    found = np.zeros(count, dtype=np.int64)
    for switch in range(count):
        own = slice(first[switch], first[switch + 1])
        key = (int(arrays.level[switch]), rows[own, 1:].tobytes() + times[own].tobytes())
        found[switch] = seen.setdefault(key, len(seen))
    return found
