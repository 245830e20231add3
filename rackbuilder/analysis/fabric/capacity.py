"""Oversubscription, bisection, hops and islands of every fabric, as drawn and with its faults."""

from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from rackbuilder.analysis.fabric.flow import bisection
from rackbuilder.analysis.fabric.hops import Hops, count_hops
from rackbuilder.analysis.fabric.links import unknown_rates
from rackbuilder.analysis.inputs import Inputs, analysis
from rackbuilder.analysis.results import Capacity, FabricCapacity, LeafCapacity
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.paths import islands, unattached
from rackbuilder.topology.roles import LEVELS, Role, roles_of


class Tier(NamedTuple):
    """What a leaf or spine has below and above it; None when a rate it would need is unknown."""

    capacity: LeafCapacity | None
    missing: tuple[str, ...]


def tier_of(fabric: FabricGraph, switch: str) -> Tier:
    """A switch's links that are up: those to ends and lower switches, and those to higher ones.

    A link between two leaves carries traffic off a leaf, so it counts as above it; one between two spines is neither.
    """
    roles = roles_of(fabric)
    made_of = (fabric.adjacency[switch], roles)
    return fabric.memo.get(("tier", switch), made_of, partial(_tier, fabric, roles, switch))


def _tier(fabric: FabricGraph, roles: Mapping[str, Role], switch: str) -> Tier:
    own = LEVELS.index(roles[switch])
    down = up = 0.0
    missing: dict[str, None] = {}
    for other, data in fabric.adjacency[switch].items():
        role = roles.get(other)
        level = -1 if role is None else LEVELS.index(role)
        capacity = data["capacity_bps"]
        if capacity is None:
            missing.update(dict.fromkeys(unknown_rates(fabric, switch, other)))
        elif level < own:
            down += capacity
        elif level > own or own == 0:
            up += capacity
    known = None if missing else LeafCapacity(switch, down, up)
    return Tier(known, tuple(missing))


def tiers(fabric: FabricGraph, role: Role) -> tuple[tuple[LeafCapacity, ...], tuple[str, ...]]:
    """Every switch of a role, and the rates that those left out would need."""
    rows = [tier_of(fabric, switch) for switch, found in roles_of(fabric).items() if found == role]
    missing = sorted({name for row in rows for name in row.missing})
    return tuple(row.capacity for row in rows if row.capacity is not None), tuple(missing)


def _worst(rows: tuple[LeafCapacity, ...], missing: tuple[str, ...]) -> float | None:
    """Unknown while a rate is: the one left out may be the worst."""
    return None if missing else max((row.ratio for row in rows if row.ratio is not None), default=None)


def _fabric(inputs: Inputs, fabric: FabricGraph) -> FabricCapacity:
    leaves, missing = tiers(fabric, "leaf")
    spines, more = tiers(fabric, "spine")
    found = islands(fabric)
    hops = count_hops(inputs, inputs.graphs, (fabric,)) if fabric.compute else Hops({}, 0)
    return FabricCapacity(
        fabric=fabric.id,
        kind=fabric.record.technology,
        leaf_ratio=_worst(leaves, missing),
        spine_ratio=_worst(spines, more),
        bisection_bps=bisection(inputs, fabric),
        leaves=leaves,
        hops=dict(hops.pairs),
        unreachable=hops.unreachable,
        islands=found if len(found) > 1 else (),
        spines=tuple(row for row in spines if row.up_bps),
        missing=tuple(sorted({*missing, *more})),
    )


def measure_capacity(inputs: Inputs) -> Capacity:
    """Hops are counted on the fabrics that carry traffic between GPUs: on each, and on all of them together."""
    graphs = inputs.graphs
    compute = graphs.compute
    hops = count_hops(inputs, graphs, compute)
    servers = [d.id for d in inputs.devices.values() if inputs.type_of(d).gpu_count]
    return Capacity(
        fabrics={name: _fabric(inputs, graph) for name, graph in graphs.fabrics.items()},
        hops_median=hops.median(),
        hops_max=max(hops.pairs, default=None),
        hops=dict(hops.pairs),
        unreachable=hops.unreachable,
        unattached=unattached(compute, servers),
    )


CAPACITY = analysis(
    "capacity", "parts devices racks cables fabrics faults overrides", "compiled", measure_capacity
)
