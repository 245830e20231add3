"""Loads and step: what each link carries in a step, and how long that takes at each boundary.

Ideal: rates in full, no latency, nothing hidden behind anything else. Operations of different dimensions run one after
another, so the time at a boundary is the sum over dimensions of the slowest link of each.
"""

from collections.abc import Iterator
from math import isnan
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.chosen import WORDS
from rackbuilder.analysis.fabric.loads import Carried, summed
from rackbuilder.analysis.fabric.wires import FABRIC_SCOPES, FloatArray, IntArray
from rackbuilder.analysis.inputs import Assumption
from rackbuilder.analysis.results import LinkGroup, LinkLoad, Loads, Placement, Scope, Step, TrafficPart
from rackbuilder.analysis.workload.compute import compute_s
from rackbuilder.analysis.workload.placement import Ground, Mapped, mapped
from rackbuilder.analysis.workload.seats import MEDIA
from rackbuilder.analysis.workload.traffic import Traffic
from rackbuilder.design.records import Job
from rackbuilder.units import Figure, total, weakest

NONE = Figure(0.0)
HIDDEN = "how much of the communication is hidden, and how much of each rate is achieved"
"""What a step time needs beside ideal times."""
_ROUND = 9
"""Decimals of a utilisation that decide an order: what differs by less is a tie, and falls to the name."""


def loaded(ground: Ground, job: Job | None, placement: Placement | None, each_link: bool = True) -> Loads:
    """Bytes on every link of the design. Without a job, or while something is missing, they are unknown.

    Without `each_link` the links are left out, and only sums and times remain.
    """
    if job is None or placement is None or placement.missing:
        links = [
            _link(link, link.capacity_bps, None, None, ()) for link in ground.compiled.links if each_link
        ]
        return Loads(tuple(links), missing=placement.missing if placement else ())
    what = mapped(ground, job, placement)
    meter = _Meter(ground.compiled.links, what, compute_s(ground, what).value or 0.0)
    links = meter.links() if each_link else []
    return Loads(tuple(links), tuple(_assumptions(job, what)), meter.traffic, meter.times, meter.missing)


def stepped(ground: Ground, job: Job, placement: Placement, loads: Loads) -> Step:
    """The step as a whole, from what its links carry."""
    missing = tuple(dict.fromkeys((*placement.missing, *loads.missing)))
    time_s = Figure(None, missing=(*missing, HIDDEN))
    if placement.missing:
        blank = {name: Figure(None, missing=missing) for name in ("nvlink", "nic", "leaf_up")}
        compute = compute_s(ground, mapped(ground, job, placement)) if placement.gpus else time_s
        return Step(job.id, job.workload, (), None, None, None, blank, compute, time_s, missing)
    what = mapped(ground, job, placement)
    sizes = dict.fromkeys(("in-server", "in-domain", *FABRIC_SCOPES), 0.0)
    for part in loads.traffic:
        sizes[part.scope] += part.size_bytes
    fabric = sum(sizes[scope] for scope in FABRIC_SCOPES)
    text = "Compute is at the dense peak of the GPUs: no kernel is that fast, so it is a lower bound."
    return Step(
        job.id,
        job.workload,
        loads.traffic,
        sizes["in-server"],
        sizes["in-domain"],
        fabric,
        loads.boundary_time_s,
        compute_s(ground, what),
        time_s,
        missing,
        (*placement.assumptions, *loads.assumptions, Assumption("compute.peak", text)),
    )


def binding(times: dict[str, Figure]) -> tuple[str, Figure]:
    """The boundary that needs the longest, with that time; none when nothing is sent, or when a time is unknown."""
    whole = total(times.values())
    if whole.value is None or whole.at_least:
        return "", Figure(None, missing=whole.missing)
    name = max(times, key=lambda key: times[key].value or 0.0, default="")
    return (name, times[name]) if whole.value else ("", NONE)


def _assumptions(job: Job, what: Mapped) -> Iterator[Assumption]:
    refs = (job.id,)
    yield Assumption("rates", "Every rate is achieved in full, without latency, and nothing is hidden.", refs)
    text = "A link is busy for a share of the shortest step: its longest boundary, or compute at peak."
    yield Assumption("utilisation", text, refs)
    for routing in dict.fromkeys(what.routings):
        yield Assumption("routing", WORDS[routing], refs)
    if job.options.get("across") == "two-level":
        text = "Groups that span domains reduce inside, then across on each rail (two-level)."
    else:
        text = "Collectives run as rings over the whole group, one ring a rail."
    yield Assumption("collectives", text, refs)
    yield Assumption("all-to-all", "All-to-all goes over NVLink to the receiver's rail first (PXN).", refs)


def _link(
    link: LinkGroup,
    capacity_bps: float | None,
    load: float | None,
    busy: float | None,
    parts: tuple[tuple[str, float], ...],
) -> LinkLoad:
    count = len(link.cables)
    return LinkLoad(link.a, link.b, link.fabric, link.scope, count, capacity_bps, load, busy, parts)


class _Both(NamedTuple):
    """(dimension, link) bytes from end a to end b and back."""

    forward: FloatArray
    backward: FloatArray


class _Meter:
    """Reads the traffic of a mapped job at every boundary."""

    def __init__(self, links: tuple[LinkGroup, ...], what: Mapped, least_s: float) -> None:
        self._links, self._what, self._least_s = links, what, least_s
        self._missing: dict[str, None] = {}
        self._capacity = what.wires.capacity_bps / 8
        self._scope = np.array([_PLACE.get(link.scope, -1) for link in links], dtype=np.int64)
        self._times: dict[str, list[Figure]] = {"nvlink": [], "nic": [], "leaf_up": []}
        self.traffic = tuple(part for row in what.traffic for part in self._parts(row))
        self.times = {name: total(rows) if rows else NONE for name, rows in self._times.items()}
        self.missing = tuple(self._missing)

    # ---- times

    def _parts(self, row: Traffic) -> Iterator[TrafficPart]:
        seats = self._what.seats
        for place, medium in enumerate(MEDIA):
            here = seats.medium == place
            sent = np.where(here, row.inside, 0.0)
            rate = seats.rate_bytes_s
            if medium == "pcie":
                sent, rate = sent + row.beside, np.where(here, rate, seats.pcie_bytes_s)
            size = float(sent.sum())
            if size:
                time = self._inside_time(sent, rate, seats.figure if medium != "pcie" else seats.pcie_figure)
                self._times.setdefault("pcie" if medium == "pcie" else "nvlink", []).append(time)
                scope: Scope = "in-domain" if medium == "nvlink-rack" else "in-server"
                yield TrafficPart(row.dimension, scope, size, time, medium == "pcie")
        carried = self._what.carried.get(row.dimension)
        if carried is not None:
            yield from self._fabric_parts(row.dimension, carried)

    def _inside_time(self, sent: FloatArray, rate: FloatArray, figure: IntArray) -> Figure:
        used = sent > 0
        figures = [self._what.seats.figures[n] for n in np.unique(figure[used])]
        return Figure(float((sent[used] / rate[used]).max()), grade=weakest(f.grade for f in figures))

    def _fabric_parts(self, dimension: str, carried: Carried) -> Iterator[TrafficPart]:
        nic = np.maximum(carried.leaving, carried.arriving)
        between = carried.between
        self._times["nic"].append(self._slowest(np.maximum(carried.leaving.sum(0), carried.arriving.sum(0))))
        passed = []
        for place, name in ((1, "leaf_up"), (2, "spine_up")):
            time = self._slowest(np.where(self._scope == place, between, 0.0))
            if time.value != 0:
                self._times.setdefault(name, []).append(time)
            passed.append(time)
        for place, scope in enumerate(FABRIC_SCOPES):
            size = float(carried.by_reach[place])
            if size:
                times = [self._slowest(nic[place]), *passed[:place]]
                longest = max(times, key=lambda f: np.inf if f.value is None else f.value)
                yield TrafficPart(dimension, scope, size, longest, True)

    def _slowest(self, load: FloatArray) -> Figure:
        """Seconds of the slowest link; unknown when the rate of a loaded one is."""
        used = load > 0
        blank = np.flatnonzero(used & np.isnan(self._capacity))
        if len(blank):
            link = self._links[blank[0]]
            more = f" and of {len(blank) - 1} more bundles" if len(blank) > 1 else ""
            name = f"rate of the links {link.a} to {link.b}{more}"
            self._missing[name] = None
            return Figure(None, missing=(name,))
        return Figure(float((load[used] / self._capacity[used]).max(initial=0.0)))

    # ---- links

    def links(self) -> list[LinkLoad]:
        """Every link of the design, the busiest first, then in the order of the design."""
        both = self._both()
        there, back = both.forward.sum(axis=0), both.backward.sum(axis=0)
        load = np.maximum(there, back)
        own = np.where(there >= back, both.forward, both.backward)
        busy = self._busy(load)
        order = np.argsort(-np.round(np.where(np.isnan(busy), -1.0, busy), _ROUND), kind="stable")
        names = [row.dimension for row in self._what.traffic]
        known = (self._scope >= 0).tolist()
        rows = own.T.tolist()
        loads, shares, capacity = load.tolist(), _optional(busy), _optional(self._what.wires.capacity_bps)
        found = []
        for n in order.tolist():
            if known[n]:
                parts = tuple([(name, size) for name, size in zip(names, rows[n], strict=True) if size])
                found.append(_link(self._links[n], capacity[n], loads[n], shares[n], parts))
            else:
                found.append(_link(self._links[n], capacity[n], None, None, ()))
        return found

    def _busy(self, load: FloatArray) -> FloatArray:
        """By link: the share it is busy of the shortest step there can be; nan: unknown.

        No step is shorter than its longest boundary, nor than its arithmetic at peak.
        """
        whole = binding(self.times)[1].value
        if whole is None:
            return np.full(len(load), np.nan)
        whole = max(whole, self._least_s)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = (
                load / (self._capacity * whole) if whole else np.where(np.isnan(self._capacity), np.nan, 0.0)
            )
        share[self._scope < 0] = np.nan
        return np.where(self._capacity > 0, share, np.nan)

    def _both(self) -> _Both:
        traffic, count = self._what.traffic, len(self._links)
        both = _Both(np.zeros((len(traffic), count)), np.zeros((len(traffic), count)))
        nic_forward = self._what.wires.nic_forward
        for n, row in enumerate(traffic):
            carried = self._what.carried.get(row.dimension)
            if carried is not None:
                out, home = carried.leaving.sum(axis=0), carried.arriving.sum(axis=0)
                both.forward[n] = carried.forward + np.where(nic_forward, out, home)
                both.backward[n] = carried.backward + np.where(nic_forward, home, out)
            self._add_backplane(row, both, n)
        return both

    def _add_backplane(self, row: Traffic, both: _Both, n: int) -> None:
        """NVLink of a rack domain: what a tray's GPUs send, shared out over its bundles to the switch trays."""
        seats = self._what.seats
        in_rack = seats.medium == MEDIA.index("nvlink-rack")
        if not in_rack.any():
            return
        sent = summed(seats.server[in_rack], row.inside[in_rack], len(seats.servers))
        of_tray = dict(zip(seats.servers, sent.tolist(), strict=True))
        bundles: dict[str, list[int]] = {}
        for place, link in enumerate(self._links):
            if link.scope == "in-domain":
                for end in (link.a, link.b):
                    if end in of_tray:
                        bundles.setdefault(end, []).append(place)
        for tray, found in bundles.items():
            weight = np.array([self._links[place].count for place in found], dtype=np.float64)
            if weight.sum():
                both.forward[n, found] += of_tray[tray] * weight / weight.sum()
                both.backward[n, found] += of_tray[tray] * weight / weight.sum()


def _optional(values: FloatArray) -> list[float | None]:
    """None for nan."""
    return [None if isnan(x) else x for x in values.tolist()]


_PLACE: dict[Scope, int] = {"server-leaf": 0, "leaf-spine": 1, "spine-core": 2, "in-domain": 3}
"""Scopes whose links carry a job's traffic."""
