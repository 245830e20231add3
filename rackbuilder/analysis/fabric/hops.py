"""How many switches lie between each two GPUs, counted by the leaf they are on and never pair by pair."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from rackbuilder.catalog.parts import DeviceType
from rackbuilder.design.view import View
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.paths import Switches, switches_of
from rackbuilder.topology.twins import fold
from rackbuilder.topology.wiring import gpus_behind

Leaves = tuple[str, ...]
"""The switches that one GPU's own NIC ports are cabled to, in alphabetical order; none: not attached."""

FAR = np.int32(1 << 20)


class Hops(NamedTuple):
    """pairs   switches between two GPUs -> pairs of GPUs; 0 inside an NVLink domain or a server
    unreachable   pairs that no path of these fabrics joins
    """

    pairs: dict[int, int]
    unreachable: int

    def median(self) -> int | None:
        """Of the pairs that reach each other; of the two in the middle, the lower."""
        middle, seen = (sum(self.pairs.values()) + 1) // 2, 0
        for hops, count in sorted(self.pairs.items()):
            seen += count
            if seen >= middle:
                return hops
        return None


def count_hops(view: View, graphs: Graphs, fabrics: Sequence[FabricGraph]) -> Hops:
    """Every pair of GPUs of the design once, by the fewest switches between their own NIC ports.

    A GPU has the ports that its part ties to it; where the part ties none, it has all of its server's on these
    fabrics. Ports of one server are told apart: a relay over NVLink to another GPU's port does not count.
    """
    key = ("hops", *(fabric.id for fabric in fabrics))
    made_of = (graphs.domains, view.parts, *(fabric.graph for fabric in fabrics))
    return graphs.memo.get(key, made_of, lambda: _count(view, graphs, fabrics))


def _count(view: View, graphs: Graphs, fabrics: Sequence[FabricGraph]) -> Hops:
    groups = _groups(view, graphs, fabrics)
    counts: Counter[Leaves] = Counter()
    gpus = local = 0
    for members, times in groups.items():
        size = sum(count for _, count in members)
        gpus += size * times
        local += times * size * (size - 1) // 2
        for leaves, count in members:
            counts[leaves] += times * count
    keys = sorted(leaves for leaves in counts if leaves)
    pairs = _histogram(_distances(graphs, fabrics, keys), _pairs(keys, counts, groups))
    if local:
        pairs[0] = local
    return Hops(dict(sorted(pairs.items())), gpus * (gpus - 1) // 2 - sum(pairs.values()))


Group = tuple[tuple[Leaves, int], ...]
"""GPUs that reach each other without a fabric: how many of them are on which leaves."""


def _groups(view: View, graphs: Graphs, fabrics: Sequence[FabricGraph]) -> Counter[Group]:
    """The groups of the design, equal ones counted. A server is in the one of the largest domain it has a part in."""
    together: dict[str, list[str]] = {}
    for domain in graphs.domains:
        if domain.size > 1 and len(domain.devices) > 1:
            together[domain.devices[0]] = list(domain.devices)
    first = {device: lead for lead, devices in together.items() for device in devices}
    members: dict[str, Counter[Leaves]] = {}
    known: dict[tuple[Leaves, ...], Counter[Leaves]] = {}
    result: Counter[Group] = Counter()
    for device in view.devices.values():
        part = view.type_of(device)
        if part.gpu_count:
            places = _places(fabrics, device.id, part)
            count = known.get(places)
            if count is None:
                count = known[places] = Counter(places)
            lead = first.get(device.id)
            if lead is None:
                result[tuple(sorted(count.items()))] += 1
            else:
                members.setdefault(lead, Counter()).update(count)
    result.update(tuple(sorted(count.items())) for count in members.values())
    return result


def _places(fabrics: Sequence[FabricGraph], device: str, part: DeviceType) -> tuple[Leaves, ...]:
    """The leaves of each GPU of a server, in order of their index."""
    made = [
        f.memo.get(("places", device), (f.adjacency.get(device), part), partial(_on, f, device, part))
        for f in fabrics
    ]
    if len(made) == 1:
        return made[0]
    return tuple(
        tuple(sorted({leaf for places in made for leaf in places[n]})) for n in range(part.gpu_count)
    )


def _on(fabric: FabricGraph, device: str, part: DeviceType) -> tuple[Leaves, ...]:
    found: list[dict[str, None]] = [{} for _ in range(part.gpu_count)]
    tied = any(row.gpu_first is not None for row in part.cages)
    for other, data in fabric.adjacency.get(device, {}).items():
        if fabric.kind(other) != "switch":
            continue
        for link in data["links"]:
            if link.up:
                own = gpus_behind(link.at(device, other)) if tied else range(part.gpu_count)
                for index in own:
                    if index < part.gpu_count:
                        found[index][other] = None
    return tuple(tuple(sorted(leaves)) for leaves in found)


def _distances(graphs: Graphs, fabrics: Sequence[FabricGraph], keys: Sequence[Leaves]) -> NDArray[np.int32]:
    """Switches between each two keys: the fewest over their leaves; FAR where there is no path."""
    if not keys:
        return np.zeros((0, 0), dtype=np.int32)
    name = ("leaves", *(fabric.id for fabric in fabrics))
    leaves = graphs.memo.same(name, tuple(sorted({leaf for key in keys for leaf in key})))
    above = tuple(switches_of(fabric) for fabric in fabrics)
    table = graphs.memo.get(("distances", *name), (leaves, *above), lambda: _between(above, leaves))
    index = {leaf: n for n, leaf in enumerate(leaves)}
    if all(len(key) == 1 for key in keys):
        rows = [index[key[0]] for key in keys]
        return table[np.ix_(rows, rows)]
    width = max(map(len, keys))
    # A key with fewer leaves repeats its last one: the fewest switches stay the same.
    padded = np.array([[index[x] for x in key] + [index[key[-1]]] * (width - len(key)) for key in keys])
    found = np.full((len(keys), len(keys)), FAR, dtype=np.int32)
    for i in range(width):
        for j in range(width):
            np.minimum(found, table[np.ix_(padded[:, i], padded[:, j])], out=found)
    return found


def _between(above: Sequence[Switches], leaves: Sequence[str]) -> NDArray[np.int32]:
    """Switches on a shortest path between each two leaves, both included; 1 for a leaf and itself."""
    near = {a: dict.fromkeys(row, 1) for switches in above for a, row in switches.items()}
    stands, folded, _ = fold(near, dict.fromkeys(near, ()), max)
    index = {name: n for n, name in enumerate(folded)}
    rows = np.array([index[stands[leaf]] for leaf in leaves], dtype=np.int64)
    starts, place = np.unique(rows, return_inverse=True)
    table = _steps(folded, index, starts)[np.ix_(place, rows)]
    # Two that were folded into one share all their neighbours: they are two steps apart.
    table[(table == 0) & ~np.eye(len(leaves), dtype=bool)] = 2
    return np.where(table >= FAR, FAR, table + 1).astype(np.int32)


def _steps(
    near: Mapping[str, Mapping[str, int]], index: Mapping[str, int], starts: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Steps from some nodes to every node, a breadth-first step of all starts at once."""
    adjacency = np.zeros((len(index), len(index)), dtype=np.float32)
    for name, row in near.items():
        adjacency[index[name], [index[other] for other in row]] = 1
    steps = np.full((len(starts), len(index)), FAR, dtype=np.int32)
    reached = np.zeros((len(starts), len(index)), dtype=np.float32)
    reached[np.arange(len(starts)), starts] = 1
    step, fresh = 0, reached > 0
    while fresh.any():
        steps[fresh] = step
        step += 1
        fresh = (fresh.astype(np.float32) @ adjacency > 0) & (steps == FAR)
    return steps


def _pairs(
    keys: Sequence[Leaves], counts: Mapping[Leaves, int], groups: Mapping[Group, int]
) -> NDArray[np.int64]:
    """Ordered pairs of GPUs of different groups, by their keys."""
    index = {leaves: n for n, leaves in enumerate(keys)}
    numbers = np.array([counts[key] for key in keys], dtype=np.int64)
    pairs = np.multiply.outer(numbers, numbers)
    for members, times in groups.items():
        own = [(index[leaves], count) for leaves, count in members if leaves]
        rows = [n for n, _ in own]
        size = np.array([count for _, count in own], dtype=np.int64)
        pairs[np.ix_(rows, rows)] -= times * np.multiply.outer(size, size)
    return pairs


def _histogram(distances: NDArray[np.int32], pairs: NDArray[np.int64]) -> dict[int, int]:
    found = {}
    for hops in np.unique(distances):
        count = int(pairs[distances == hops].sum()) // 2
        if hops < FAR and count:
            found[int(hops)] = count
    return found
