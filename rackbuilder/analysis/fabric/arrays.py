"""One drawn fabric as numpy arrays, cable by cable: what routing and failures are computed on.

A host is a port of an end device that is cabled to a switch. Links between switches come first, then that of each
host, so that host h has the link `trunks + h`. Failed links are there, and not up.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rackbuilder.analysis.fabric.wires import FloatArray, IntArray
from rackbuilder.catalog.ports import Port
from rackbuilder.design.refs import gpu_ref, port_ref
from rackbuilder.topology.fabric import EdgeData, FabricGraph
from rackbuilder.topology.natural import natural_key
from rackbuilder.topology.roles import LEVELS, roles_of
from rackbuilder.topology.wiring import gpus_behind

BoolArray = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Arrays:
    """A fabric as drawn.

    switches         ids in natural order; `level` 0 leaf, 1 spine, 2 core
    cables           a link each, those between switches first
    low, high        switches of a trunk: the lower level first, of one level the first in order
    low_order, high_order   where its ports stand among those of its switches: larger is later
    rate_bps, up     of every link; nan: the rate is unknown
    devices          end devices in natural order
    host_device, host_switch, host_order   of each host: its device, its switch, its port's place at that switch
    host_ports       the port at the device; None: the device has none of that name
    """

    fabric: str
    switches: tuple[str, ...]
    level: IntArray
    cables: tuple[str, ...]
    low: IntArray
    high: IntArray
    low_order: IntArray
    high_order: IntArray
    rate_bps: FloatArray
    up: BoolArray
    devices: tuple[str, ...]
    host_device: IntArray
    host_switch: IntArray
    host_order: IntArray
    host_ports: tuple[Port | None, ...] = field(repr=False)
    servers: BoolArray
    """Of each end device, whether it has GPUs."""

    @property
    def trunks(self) -> int:
        return len(self.low)

    @property
    def hosts(self) -> int:
        return len(self.host_switch)

    @property
    def trunk_up(self) -> BoolArray:
        return self.up[: self.trunks]

    @cached_property
    def host_names(self) -> tuple[str, ...]:
        """“srv-0001:osfp1/2” of each host; a cable to no such port is named by its id."""
        rows = zip(self.host_device.tolist(), self.host_ports, self.cables[self.trunks :], strict=True)
        return tuple(port_ref(self.devices[d], port.name if port else cable) for d, port, cable in rows)

    @cached_property
    def host_by_name(self) -> Mapping[str, int]:
        return {name: n for n, name in enumerate(self.host_names)}

    @cached_property
    def switch_by_name(self) -> Mapping[str, int]:
        return {name: n for n, name in enumerate(self.switches)}

    @cached_property
    def hosts_by_gpu(self) -> Mapping[str, tuple[int, ...]]:
        """GPU -> its hosts in port order, for each GPU that a port is tied to; servers in natural order."""
        behind: dict[int, range] = {}
        found: dict[str, list[int]] = {}
        rows = sorted(
            (d, -1 if port is None else port.index, "" if port is None else port.name, n, port)
            for n, (d, port) in enumerate(zip(self.host_device.tolist(), self.host_ports, strict=True))
            if self.servers[d]
        )
        for device, _, _, host, port in rows:
            gpus = behind.setdefault(id(port), gpus_behind(port))
            for index in gpus:
                found.setdefault(gpu_ref(self.devices[device], index), []).append(host)
        return {ref: tuple(hosts) for ref, hosts in found.items()}

    def without(self, dead: Iterable[int]) -> "Arrays":
        """The same with some links down, by place in `cables`."""
        up = self.up.copy()
        up[np.fromiter(dead, dtype=np.int64)] = False
        return replace(self, up=up)


def arrays_of(fabric: FabricGraph) -> Arrays:
    """The arrays of a fabric; the same object while its graph is."""
    return fabric.memo.get("arrays", (fabric.graph,), lambda: _compile(fabric))


def _compile(fabric: FabricGraph) -> Arrays:
    switches = tuple(sorted(fabric.of_kind("switch"), key=natural_key))
    roles, place = roles_of(fabric), {name: n for n, name in enumerate(switches)}
    level = np.array([LEVELS.index(roles[name]) for name in switches], dtype=np.int64)
    trunk, host = _edges(fabric, switches, place)
    devices = tuple(sorted(set(host.far), key=natural_key))
    end = {name: n for n, name in enumerate(devices)}
    columns = _Columns([*trunk.data, *host.data])
    spread = columns.spread
    split = sum(len(data["links"]) for data in trunk.data)
    near = spread([place[name] for name in chain(trunk.near, host.near)])
    far = spread([place[name] for name in trunk.far] + [end[name] for name in host.far])
    # The port of the device that is first in the alphabet is `a` of a link: for a trunk that is `near`.
    ahead = [True] * len(trunk.near) + [a < b for a, b in zip(host.near, host.far, strict=True)]
    first = spread(ahead).astype(np.bool_)
    near_order, far_order = (
        np.where(first, columns.a_order, columns.b_order),
        np.where(first, columns.b_order, columns.a_order),
    )
    one, two = near[:split], far[:split]
    turn = (level[one] > level[two]) | ((level[one] == level[two]) & (one > two))
    order = np.lexsort((near_order[split:], near[split:]))
    ports = [
        b if is_first else a
        for a, b, is_first in zip(columns.a[split:], columns.b[split:], first[split:].tolist(), strict=True)
    ]
    whole = np.concatenate((np.arange(split), split + order))
    return Arrays(
        fabric.id,
        switches,
        level,
        tuple(columns.cables[n] for n in whole.tolist()),
        np.where(turn, two, one),
        np.where(turn, one, two),
        np.where(turn, far_order[:split], near_order[:split]),
        np.where(turn, near_order[:split], far_order[:split]),
        columns.rate_bps[whole],
        columns.up[whole],
        devices,
        far[split:][order],
        near[split:][order],
        near_order[split:][order],
        tuple(ports[n] for n in order.tolist()),
        np.array([fabric.kind(name) == "server" for name in devices], dtype=np.bool_),
    )


class _Edges(NamedTuple):
    """Joined pairs, a column each: rows of tuples in such numbers would wake the garbage collector."""

    near: list[str]
    far: list[str]
    data: list[EdgeData]


def _edges(fabric: FabricGraph, switches: Sequence[str], place: Mapping[str, int]) -> tuple[_Edges, _Edges]:
    """Pairs of switches, each from the one first in the alphabet; and pairs of a switch and an end device."""
    trunk, host = _Edges([], [], []), _Edges([], [], [])
    for name in switches:
        for other, data in fabric.adjacency[name].items():
            if other in place and not name < other:
                continue
            into = trunk if other in place else host
            into.near.append(name)
            into.far.append(other)
            into.data.append(data)
    return trunk, host


class _Columns:
    """The links of some edges in one row after another, column by column."""

    def __init__(self, edges: Sequence[EdgeData]) -> None:
        rows = [data["links"] for data in edges]
        self._counts = np.array([len(links) for links in rows], dtype=np.int64)
        links = list(chain.from_iterable(rows))
        # A column at a time: zip(*links) would make an iterator a link, and wake the garbage collector.
        self.cables = [link.cable for link in links]
        self.a = [link.a for link in links]
        self.b = [link.b for link in links]
        self.rate_bps: FloatArray = np.array([link.rate_bps for link in links], dtype=np.float64)
        self.up: BoolArray = np.array([link.up for link in links], dtype=np.bool_)
        orders = _orders([*self.a, *self.b])
        self.a_order, self.b_order = orders[: len(links)], orders[len(links) :]

    def spread(self, values: Sequence[int]) -> IntArray:
        """A value of each edge, repeated for each of its links."""
        return np.repeat(np.array(values, dtype=np.int64), self._counts)


def _orders(ports: Sequence[Port | None]) -> IntArray:
    """Where each port stands when all are sorted by their row of cages, place and name; one that is not there, first.

    The ports of a type are the same objects for all its devices, so few are told apart by what they are.
    """
    objects = np.fromiter(map(id, ports), dtype=np.int64, count=len(ports))
    _, first, inverse = np.unique(objects, return_index=True, return_inverse=True)
    keys = [
        ("", -1, "") if (port := ports[n]) is None else (port.cages.name, port.index, port.name)
        for n in first.tolist()
    ]
    rank = {key: n for n, key in enumerate(sorted(set(keys)))}
    return np.array([rank[key] for key in keys], dtype=np.int64)[inverse]
