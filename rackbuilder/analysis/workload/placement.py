"""Puts the ranks of a job on the drawn GPUs, and says how far each parallel dimension reaches.

GPUs are taken domain by domain. Where a tensor group fits into an NVLink domain, each domain gives whole groups only,
so that none straddles; what is left over stays idle and is counted.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import prod
from typing import NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.chosen import Routing, Way, carry_chosen, ways_of
from rackbuilder.analysis.fabric.loads import Carried, carry
from rackbuilder.analysis.fabric.wires import FABRIC_SCOPES, Ports, Wires, ports_of_ranks, read_wires
from rackbuilder.analysis.inputs import Assumption
from rackbuilder.analysis.results import Compiled, GroupPlacement, Placement, Scope
from rackbuilder.analysis.workload.jobs import replicas, sizes_of, workload_of
from rackbuilder.analysis.workload.ranks import WORDS, Ranks
from rackbuilder.analysis.workload.seats import MEDIA, Place, Seats, domain_size, not_there, places, seat
from rackbuilder.analysis.workload.traffic import Traffic, traffic_of
from rackbuilder.analysis.workload.training import Demand, demands, schedule
from rackbuilder.catalog.workloads import Preset, Workload, Workloads
from rackbuilder.design.records import Job
from rackbuilder.design.view import View
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.topology.graphs import Graphs

NAMED = 3
"""How many culprits a line of text names before it says how many more there are."""


class Ground(NamedTuple):
    """The drawn cluster a job is put on, and what is known of workloads."""

    view: View
    graphs: Graphs
    compiled: Compiled
    workloads: Workloads


@dataclass(frozen=True, eq=False)
class Mapped:
    """A job on its seats: what it moves, by dimension, and what of it each link of the fabric carries."""

    job: Job
    workload: Workload
    ranks: Ranks
    seats: Seats
    wires: Wires
    ports: Ports
    demands: list[Demand]
    traffic: list[Traffic]
    gpus: tuple[str, ...] = ()
    ways: tuple[Way, ...] = ()
    """The compute fabrics and how each routes."""

    @property
    def routings(self) -> tuple[Routing, ...]:
        return tuple(way.routing for way in self.ways) or ("adaptive",)

    @cached_property
    def unplugged(self) -> tuple[str, ...]:
        """Servers that traffic leaves, or is to reach, without a link on the compute fabric."""
        alone = np.zeros(self.ranks.count, dtype=np.bool_)
        alone[self.ports.unplugged()] = True
        used = np.zeros_like(alone)
        for row in self.traffic:
            used[row.fabric_ranks()] = True
        return tuple(self.seats.servers[n] for n in np.unique(self.seats.server[alone & used]))

    @cached_property
    def carried(self) -> dict[str, Carried]:
        """By dimension that uses the fabric; none while a server is not plugged in."""
        if self.unplugged:
            return {}
        rows = (row for row in self.traffic if row.on_fabric)
        return {row.dimension: self._carry(row) for row in rows}

    def _carry(self, row: Traffic) -> Carried:
        even = carry(self.wires, self.ports, row.flows, row.exchanges)
        return carry_chosen(self.wires, self.ways, self.gpus, even, row.flows, row.exchanges)


def whole_groups(taken: Sequence[Place], tp: int) -> list[Place]:
    """Of each domain as many GPUs as make whole tensor groups; all where no domain holds one."""
    if tp < 2 or tp > domain_size(taken):
        return list(taken)
    domains: dict[str, list[Place]] = {}
    for place in taken:
        domains.setdefault(place.domain.id, []).append(place)
    return [place for rows in domains.values() for place in rows[: len(rows) // tp * tp]]


def place(ground: Ground, job: Job) -> Placement:
    """Where the ranks of a job go. What must be known first is listed as missing; then no GPU is taken."""
    try:
        workload = workload_of(job, ground.workloads)
    except ProblemError as error:
        return _without(job, {}, 0, tuple(_reason(problem) for problem in error.problems))
    taken = places(ground.view, ground.graphs, job.where)
    sizes = sizes_of(job, workload.preset)
    usable = whole_groups(taken, sizes["tp"])
    lost = [f"it is to run on “{ref}”, which is not there" for ref in not_there(ground.view, job.where)]
    sizes["dp"] = sizes["dp"] or replicas(sizes, len(usable))
    lacking = (*lost, *_lacking(sizes, workload, len(usable), len(taken)))
    if lacking:
        return _without(job, sizes, len(taken), lacking)
    ranks = Ranks(sizes, job.order)
    gpus = ground.graphs.memo.same(("gpus", job.id), tuple(x.ref for x in usable[: ranks.count]))
    found = Placement(
        job.id, job.workload, sizes, len(gpus), len(taken) - len(gpus), (), _servers(gpus), (), gpus=gpus
    )
    return _described(found, mapped(ground, job, found), taken)


def _without(job: Job, sizes: Mapping[str, int], gpus: int, missing: tuple[str, ...]) -> Placement:
    return Placement(job.id, job.workload, dict(sizes), 0, gpus, (), (), missing)


def _reason(problem: Problem) -> str:
    """A refusal as the rest of a sentence."""
    return f"{problem.what[0].lower()}{problem.what[1:]}"


def _servers(gpus: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ref.rpartition(".")[0] for ref in gpus))


def _lacking(sizes: Mapping[str, int], workload: Workload, usable: int, there: int) -> Iterator[str]:
    """Why a job cannot be placed at all, each reason as the rest of a sentence."""
    if not there:
        yield "the design has no GPUs for it"
        return
    one = prod(sizes[name] for name in ("tp", "cp", "pp"))
    count = one * max(1, sizes["dp"])
    if count > usable or not sizes["dp"]:
        what = f"{sizes['dp']:,} replicas take" if sizes["dp"] > 1 else "one replica takes"
        need = f"{max(count, sizes['ep'] * sizes['pp']):,}"
        spare = "" if usable == there else f" in whole tensor groups of {sizes['tp']}"
        yield f"{what} {need} GPUs, and there are {usable:,}{spare}"
    elif sizes["tp"] * sizes["cp"] * sizes["dp"] % sizes["ep"]:
        yield f"expert groups of {sizes['ep']} do not divide the {count // sizes['pp']:,} GPUs of a stage"
    if sizes["pp"] > workload.model.layers:
        yield f"{sizes['pp']} pipeline stages are more than the {workload.model.layers} layers of {workload.model.name}"


def mapped(ground: Ground, job: Job, placement: Placement) -> Mapped:
    """The traffic of a placed job on its seats; remembered while job, seats and cluster are the same objects."""
    made_of = (ground.graphs, ground.compiled, ground.workloads, job, placement.gpus)
    return ground.graphs.memo.get(("seated", job.id), made_of, partial(_mapped, ground, job, placement))


def _mapped(ground: Ground, job: Job, placement: Placement) -> Mapped:
    workload = workload_of(job, ground.workloads)
    ranks = Ranks(placement.sizes, job.order)
    seats = seat(ground.view, ground.graphs, placement.gpus)
    wires = ground.graphs.memo.get(
        "wires", (ground.graphs, ground.compiled), partial(read_wires, ground.view, ground.compiled)
    )
    wanted = demands(workload, ranks)
    traffic = traffic_of(wanted, seats, two_level=job.options.get("across") == "two-level")
    ports = ports_of_ranks(wires, placement.gpus)
    ways = ways_of(job, ground.graphs.compute)
    return Mapped(job, workload, ranks, seats, wires, ports, wanted, traffic, placement.gpus, ways)


# ---- what it says ---------------------------------------------------------------------------------------------


def _described(found: Placement, what: Mapped, taken: Sequence[Place]) -> Placement:
    missing = (*_unknown_inside(what), *_unplugged(what), *_no_way(what))
    groups = () if missing else tuple(_groups(what))
    return replace(found, groups=groups, missing=missing, assumptions=tuple(_assumptions(what, found, taken)))


def _unknown_inside(what: Mapped) -> Iterator[str]:
    """Rates inside islands that the traffic needs and nobody knows, each once with the servers it concerns."""
    seats = what.seats
    used = np.zeros(what.ranks.count)
    for row in what.traffic:
        used += row.inside + row.beside
    rows: dict[str, dict[str, None]] = {}
    for rank in np.flatnonzero((used > 0) & np.isnan(seats.rate_bytes_s)):
        server = seats.servers[seats.server[rank]]
        for name in seats.figures[seats.figure[rank]].missing:
            rows.setdefault(name, {})[server] = None
    for name, servers in rows.items():
        yield f"{name}, {counted(list(servers))}"


def _unplugged(what: Mapped) -> Iterator[str]:
    if what.unplugged:
        yield "compute links of " + counted(what.unplugged)


def counted(names: Sequence[str]) -> str:
    """“srv-0001, srv-0002, srv-0003 and 13 more servers”."""
    shown = ", ".join(names[:NAMED])
    more = len(names) - NAMED
    return shown if more <= 0 else f"{shown} and {more} more server{'s' if more > 1 else ''}"


def _no_way(what: Mapped) -> Iterator[str]:
    pairs = [tuple(sorted(pair)) for row in what.carried.values() for pair in row.unreachable]
    unique = list(dict.fromkeys(pairs))
    if unique:
        more = f" and of {len(unique) - 1} more pairs" if len(unique) > 1 else ""
        yield f"path between {unique[0][0]} and {unique[0][1]}{more}"


def _groups(what: Mapped) -> Iterator[GroupPlacement]:
    for traffic in what.traffic:
        name = traffic.dimension
        groups = next(demand.groups for demand in what.demands if demand.dimension == name)
        outside = (what.seats.domain[groups] != what.seats.domain[groups[:, :1]]).any(axis=1)
        servers = np.unique(what.seats.server[groups[outside]]) if name in ("tp", "ep") else ()
        straddling = tuple(what.seats.servers[n] for n in servers)
        yield GroupPlacement(name, groups.shape[1], len(groups), _widest(what, traffic), straddling)


def _widest(what: Mapped, traffic: Traffic) -> Scope:
    carried = what.carried.get(traffic.dimension)
    if carried is not None:
        return FABRIC_SCOPES[int(np.flatnonzero(carried.by_reach).max(initial=0))]
    in_rack = what.seats.medium == MEDIA.index("nvlink-rack")
    return "in-domain" if (traffic.inside[in_rack] > 0).any() else "in-server"


def _assumptions(what: Mapped, found: Placement, taken: Sequence[Place]) -> Iterator[Assumption]:
    preset = what.workload.preset
    order = ", ".join(WORDS[name] for name in what.job.order if name in WORDS)
    yield Assumption(
        "job.order", f"Ranks follow the servers in their natural order: {order}.", (what.job.id,)
    )
    yield from _rounded(what, preset)
    if found.gpus_idle:
        used = dict.fromkeys(found.gpus)
        idle = _servers([x.ref for x in taken if x.ref not in used])
        yield Assumption("job.idle", f"{found.gpus_idle:,} of {len(taken):,} GPUs stay idle.", idle)
    if (
        preset.scatter
        and "scatter" not in preset.sources
        and what.ranks.sizes["tp"] > 1 < what.ranks.sizes["pp"]
    ):
        text = "A rank of a tensor group passes only its part of an activation to the next stage (scatter-gather)."
        yield Assumption("workload.scatter", text, (what.job.id,))
    for field, reason in preset.assumed.items():
        if field not in what.job.options and field not in what.job.sizes:
            yield Assumption(
                f"workload.{field}", f"{field} {getattr(preset, field)}: {reason}.", (what.job.id,)
            )


def _rounded(what: Mapped, preset: Preset) -> Iterator[Assumption]:
    plan = schedule(what.workload, what.ranks)
    if plan.sequences != preset.global_batch:
        text = (
            f"The batch is {plan.sequences:,} sequences in place of {preset.global_batch:,}: {plan.micro_batches:,}"
            f" micro-batches of {preset.micro_batch} on each of {what.ranks.sizes['dp']:,} replicas."
        )
        yield Assumption("job.global_batch", text, (what.job.id,))
