"""Traffic of a job under the routing that a user chose, in the form that the even spread gives (loads.carry)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, NamedTuple, get_args

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays, arrays_of
from rackbuilder.analysis.fabric.dmodk import LinkLoads, carry_dmodk, finish
from rackbuilder.analysis.fabric.ecmp import carry_hashed
from rackbuilder.analysis.fabric.loads import Carried, Exchange, Flows
from rackbuilder.analysis.fabric.recognise import Clos, recognise
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray, Wires
from rackbuilder.design.records import Job
from rackbuilder.topology.fabric import FabricGraph

Routing = Literal["adaptive", "dmodk", "ecmp"]
ROUTINGS: tuple[Routing, ...] = get_args(Routing)

WORDS: Mapping[Routing, str] = {
    "adaptive": "Switches spread traffic evenly over the shortest ways (adaptive routing).",
    "dmodk": "Each destination has one way through the fabric (D-mod-K); parallel links may carry unequal bytes.",
    "ecmp": "Flows are hashed onto equal ways (ECMP): the busiest link is as expected, not the even share.",
}


def routing_of(job: Job, fabric: FabricGraph) -> Routing:
    """What a job asks for, else what its fabric says; anything else that is written there is taken for adaptive."""
    asked = (job.options.get("routing"), fabric.record.routing)
    return next((known for text in asked for known in ROUTINGS if text == known), "adaptive")


class Way(NamedTuple):
    """A fabric and its routing."""

    graph: FabricGraph
    routing: Routing


def ways_of(job: Job, fabrics: Iterable[FabricGraph]) -> tuple[Way, ...]:
    """How each fabric routes a job."""
    return tuple(Way(graph, routing_of(job, graph)) for graph in fabrics)


@dataclass(frozen=True, eq=False)
class _Ground:
    """One fabric: its arrays, the link group of each trunk, and which way round that is drawn."""

    arrays: Arrays
    clos: Clos | None
    group: IntArray
    forward: np.ndarray[tuple[int], np.dtype[np.bool_]]


def carry_chosen(
    wires: Wires,
    ways: Sequence[Way],
    gpus: Sequence[str],
    even: Carried,
    flows: Sequence[Flows],
    exchanges: Sequence[Exchange],
) -> Carried:
    """What an even spread gave (`even`), with the bytes between switches of some fabrics put on their own ways.

    `gpus` name the ranks of the traffic in order. What NICs send and receive is the same under every routing.
    """
    for way in ways:
        if way.routing == "adaptive":
            continue
        ground = way.graph.memo.get(
            "routed ground", (way.graph.graph, wires.links), partial(_ground, wires, way.graph)
        )
        hosts = _hosts(wires, ground.arrays, gpus)
        own = [part for row in flows for part in _flows(row, hosts)]
        groups = [part for row in exchanges for part in _exchanges(row, hosts)]
        even = _with(wires, even, ground, *_loads(way.routing, ground, own, groups))
    return even


def _loads(
    routing: Routing, ground: _Ground, flows: list[Flows], exchanges: list[Exchange]
) -> tuple[LinkLoads, FloatArray]:
    """Bytes of each link, and those that count for its time."""
    arrays, clos = ground.arrays, ground.clos
    if routing == "dmodk":
        found = finish(carry_dmodk(arrays, clos, flows, exchanges))
        return found, found.worst[: arrays.trunks]
    hashed = finish(carry_hashed(arrays, clos, flows, exchanges))
    down = hashed.even.down[: arrays.trunks]
    return hashed.even, np.maximum(hashed.expected(arrays), down)


def _ground(wires: Wires, fabric: FabricGraph) -> _Ground:
    arrays = arrays_of(fabric)
    found = recognise(arrays)
    place: dict[str, int] = {}
    for n in np.unique(wires.edge_link).tolist():
        link = wires.links[n]
        if link.fabric == fabric.id:
            place.update(dict.fromkeys((*link.cables, *link.failed), n))
    group = np.array([place.get(name, -1) for name in arrays.cables[: arrays.trunks]], dtype=np.int64)
    forward = [
        n >= 0 and wires.links[n].a == arrays.switches[low]
        for n, low in zip(group.tolist(), arrays.low.tolist(), strict=True)
    ]
    clos = found if isinstance(found, Clos) else None
    return _Ground(arrays, clos, group, np.array(forward, dtype=np.bool_))


def _hosts(wires: Wires, arrays: Arrays, gpus: Sequence[str]) -> IntArray:
    """(rank, lane): the host of its NIC on this fabric; -1: it is on another, or there is none."""
    by_cable = {cable: n for n, cable in enumerate(arrays.cables[arrays.trunks :])}
    host = np.array([*(by_cable.get(cable, -1) for cable in wires.nic_cables), -1], dtype=np.int64)
    rows = np.array([wires.gpus.get(ref, -1) for ref in gpus], dtype=np.int64)
    if not len(wires.gpus):
        return np.full((len(rows), 0), -1, dtype=np.int64)
    return np.where((rows >= 0)[:, None], host[wires.gpu_cable[rows]], -1)


def _flows(flows: Flows, hosts: IntArray) -> Iterable[Flows]:
    lanes = hosts.shape[1]
    for lane in range(lanes):
        src, dst = hosts[flows.src, lane], hosts[flows.dst, lane]
        here = (src >= 0) & (dst >= 0)
        yield Flows(src[here], dst[here], flows.size[here] / lanes)


def _exchanges(exchange: Exchange, hosts: IntArray) -> Iterable[Exchange]:
    lanes = hosts.shape[1]
    for lane in range(lanes):
        host = hosts[exchange.rank, lane]
        here = host >= 0
        yield Exchange(exchange.group[here], exchange.island[here], host[here], exchange.size[here] / lanes)


def _with(wires: Wires, even: Carried, ground: _Ground, loads: LinkLoads, counts: FloatArray) -> Carried:
    """The bundles of one fabric set to the sums of their links; the busiest link counts for the time."""
    arrays, count = ground.arrays, len(wires.links)
    known = ground.group >= 0
    group, ahead = ground.group[known], ground.forward[known]
    up, down = loads.up[: arrays.trunks][known], loads.down[: arrays.trunks][known]
    own = np.zeros(count, dtype=np.bool_)
    own[group] = True
    forward = np.bincount(group, np.where(ahead, up, down), count)
    backward = np.bincount(group, np.where(ahead, down, up), count)
    most = np.zeros(count)
    np.maximum.at(most, group, counts[known])
    links = np.bincount(group, arrays.up[: arrays.trunks][known], count)
    before = even.between if even.busiest is None else even.busiest
    return replace(
        even,
        forward=np.where(own, forward, even.forward),
        backward=np.where(own, backward, even.backward),
        busiest=np.where(own, most * links, before),
    )
