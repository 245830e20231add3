"""What a drawn fabric can carry between any two selections, and the least time that its cuts allow some traffic."""

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np

from rackbuilder.analysis.fabric.arrays import Arrays
from rackbuilder.analysis.fabric.blocks import crossing, sort_out
from rackbuilder.analysis.fabric.flow import max_flow
from rackbuilder.analysis.fabric.loads import Exchange, Flows, summed
from rackbuilder.analysis.fabric.recognise import Clos
from rackbuilder.analysis.fabric.walk import live_trunks
from rackbuilder.analysis.fabric.wires import FloatArray, IntArray
from rackbuilder.design.refs import parse
from rackbuilder.errors import refusal
from rackbuilder.units import Figure


class Side(NamedTuple):
    """One end of a question: hosts, and switches that stand for all that could come from them."""

    hosts: IntArray
    switches: IntArray


def side_of(arrays: Arrays, refs: Iterable[str]) -> Side:
    """Devices, ports (“srv-0001:osfp1/2”), GPUs (“srv-0001.gpu3”) and switches of a fabric as one side.

    Raises ProblemError for one that is not on the fabric.
    """
    hosts: list[int] = []
    switches: list[int] = []
    by_device = _by_device(arrays)
    for ref in refs:
        switch = arrays.switch_by_name.get(ref)
        if switch is not None:
            switches.append(switch)
            continue
        found = _hosts(arrays, by_device, ref)
        if not found:
            raise refusal(
                f"{ref} has no port on the fabric “{arrays.fabric}”",
                fix="Select servers, ports or switches that are cabled to it.",
                refs=(ref,),
            )
        hosts += found
    return Side(np.unique(np.array(hosts, dtype=np.int64)), np.unique(np.array(switches, dtype=np.int64)))


def _by_device(arrays: Arrays) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for host, device in enumerate(arrays.host_device.tolist()):
        found.setdefault(arrays.devices[device], []).append(host)
    return found


def _hosts(arrays: Arrays, by_device: dict[str, list[int]], ref: str) -> Sequence[int]:
    place = parse(ref)
    own = by_device.get(place.record, [])
    if place.inner:
        return arrays.hosts_by_gpu.get(ref, ())
    if not place.port:
        return own
    ports = ((host, arrays.host_ports[host]) for host in own)
    return [host for host, port in ports if port is not None and place.port in (port.name, port.cage)]


def capacity_between(arrays: Arrays, first: Side, second: Side) -> Figure:
    """The most that one side can send to the other at once, bit/s per direction: maximum flow over links that are up.

    Only switches forward. Raises ProblemError when the sides share something.
    """
    shared = np.intersect1d(first.hosts, second.hosts), np.intersect1d(first.switches, second.switches)
    if len(shared[0]) or len(shared[1]):
        names = [arrays.host_names[n] for n in shared[0].tolist()]
        names += [arrays.switches[n] for n in shared[1].tolist()]
        raise refusal(
            f"Both sides hold {names[0]}", fix="Select two sides that have nothing in common.", refs=names
        )
    unknown = np.isnan(arrays.rate_bps) & arrays.up
    if unknown.any():
        return Figure(None, missing=tuple(f"rate of {arrays.cables[n]}" for n in np.flatnonzero(unknown)[:3]))
    near = trunk_capacity(arrays)
    ends: dict[str, tuple[float, float]] = {}
    for number, side in enumerate((first, second)):
        for switch, rate in _into(arrays, side):
            one = list(ends.get(arrays.switches[switch], (0.0, 0.0)))
            one[number] += rate
            ends[arrays.switches[switch]] = (one[0], one[1])
    return max_flow(near, ends)


def _into(arrays: Arrays, side: Side) -> list[tuple[int, float]]:
    """What a side has to each switch. A switch gives as much as its links to others could ever take."""
    link = arrays.trunks + side.hosts
    rate = np.where(arrays.up[link], arrays.rate_bps[link], 0.0)
    found = summed(arrays.host_switch[side.hosts], rate, len(arrays.switches))
    live = live_trunks(arrays)
    rates = np.where(live, arrays.rate_bps[: arrays.trunks], 0.0)
    whole = summed(arrays.low, rates, len(arrays.switches)) + summed(arrays.high, rates, len(arrays.switches))
    ports = np.where(arrays.up[arrays.trunks :], arrays.rate_bps[arrays.trunks :], 0.0)
    whole = whole + summed(arrays.host_switch, ports, len(arrays.switches))
    found[side.switches] = whole[side.switches]
    return [(int(n), float(found[n])) for n in np.flatnonzero(found)]


def trunk_capacity(arrays: Arrays) -> dict[str, dict[str, float | None]]:
    """Switch → switch → bit/s per direction of the links that are up; every switch is there."""
    live, count = live_trunks(arrays), len(arrays.switches)
    keys = arrays.low[live] * count + arrays.high[live]
    pairs, inverse = np.unique(keys, return_inverse=True)
    rate = summed(inverse, arrays.rate_bps[: arrays.trunks][live], len(pairs))
    names = arrays.switches
    near: dict[str, dict[str, float | None]] = {name: {} for name in names}
    for low, high, value in zip(
        (pairs // count).tolist(), (pairs % count).tolist(), rate.tolist(), strict=True
    ):
        near[names[low]][names[high]] = near[names[high]][names[low]] = value
    return near


def halves(arrays: Arrays) -> tuple[Side, Side] | None:
    """The first half of the GPU servers, rounded down, and the rest; None with fewer than two."""
    servers = np.flatnonzero(arrays.servers)
    if len(servers) < 2:
        return None
    middle = len(servers) // 2
    none = np.zeros(0, dtype=np.int64)
    hosts = (
        np.flatnonzero(np.isin(arrays.host_device, part)) for part in (servers[:middle], servers[middle:])
    )
    first, second = (Side(part, none) for part in hosts)
    return first, second


# ---- cuts -----------------------------------------------------------------------------------------------------


class Cut(NamedTuple):
    """Links that some traffic must cross whatever the routing, and the least time that takes, seconds.

    where   the host, the leaf, or the leaves of a pod, that lie on one side
    """

    kind: Literal["host", "leaf", "pod"]
    where: tuple[str, ...]
    bytes: float
    rate_bps: float
    seconds: float


def worst_cuts(
    arrays: Arrays, clos: Clos | None, flows: Iterable[Flows] = (), exchanges: Iterable[Exchange] = ()
) -> tuple[Cut, ...]:
    """Of each kind of cut the one that takes longest, the longest first: no routing is faster.

    A cut is around a host, a leaf or, in a Clos, a pod, in the worse direction. Cuts without bytes, or whose rate is
    unknown or nothing, are left out.
    """
    traffic = sort_out(arrays, flows, exchanges)
    rates = np.where(arrays.up, arrays.rate_bps, 0.0)
    trunk, switches = rates[: arrays.trunks], len(arrays.switches)
    names = arrays.switches
    found = [
        _cut(
            "host",
            np.maximum(traffic.sent, traffic.received),
            rates[arrays.trunks :],
            _Names(arrays.host_names),
        )
    ]
    around = summed(arrays.low, trunk, switches) + summed(arrays.high, trunk, switches)
    loads = np.maximum(*crossing(arrays.host_switch, traffic, switches))
    found.append(_cut("leaf", loads, around, _Names(names)))
    if clos is not None and clos.several.any():
        pod = clos.spine_pod[arrays.low]
        rate = summed(pod[pod >= 0], trunk[pod >= 0], clos.pods)
        loads = np.maximum(*crossing(clos.pod[clos.host_leaf], traffic, clos.pods))
        found.append(_cut("pod", loads, rate, _Pods(names, clos)))
    return tuple(sorted((cut for cut in found if cut is not None), key=lambda cut: -cut.seconds))


class _Names(NamedTuple):
    names: tuple[str, ...]

    def of(self, place: int) -> tuple[str, ...]:
        return (self.names[place],)


class _Pods(NamedTuple):
    names: tuple[str, ...]
    clos: Clos

    def of(self, place: int) -> tuple[str, ...]:
        return tuple(self.names[n] for n in self.clos.leaves[self.clos.pod == place].tolist())


def _cut(
    kind: Literal["host", "leaf", "pod"], loads: FloatArray, rate_bps: FloatArray, names: _Names | _Pods
) -> Cut | None:
    """The cut of a kind that takes longest."""
    counts = (loads > 0) & (rate_bps > 0)
    if not counts.any():
        return None
    seconds = np.where(counts, 8 * loads / np.where(counts, rate_bps, 1.0), 0.0)
    worst = int(seconds.argmax())
    return Cut(kind, names.of(worst), float(loads[worst]), float(rate_bps[worst]), float(seconds[worst]))
