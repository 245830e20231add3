"""Small fabrics to route on: drawn from a few numbers, and taken from a draft of real records."""

from __future__ import annotations

import random
from dataclasses import dataclass

from rackbuilder.analysis.fabric.arrays import Arrays, arrays_of
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Fault
from rackbuilder.topology.fabric import FabricGraph
from rackbuilder.topology.graphs import build_graphs
from tests.topology.samples import Site, twin


@dataclass(frozen=True)
class Shape:
    """pods of leaves and spines; `links` between a leaf and each spine; cores for each spine position; `second`
    links from a spine to each of its cores; hosts a leaf. One pod has no cores."""

    pods: int = 1
    leaves: int = 4
    spines: int = 4
    links: int = 1
    cores: int = 2
    second: int = 1
    hosts: int = 4


def clos(shape: Shape, *, hosts: list[int] | None = None) -> Design:
    """A whole tree. Hosts are the first NICs of one server a leaf, up to eight, then those of a second one."""
    site = Site()
    used: dict[str, int] = {}

    def join(low: str, high: str) -> None:
        a, b = used.setdefault(low, 0), used.setdefault(high, 0)
        site.cable(low, twin(a), high, twin(b))
        used[low], used[high] = a + 1, b + 1

    cores = [
        [site.switch(f"core-{s + 1}-{c + 1}", role="core") for c in range(shape.cores)]
        for s in range(shape.spines if shape.pods > 1 else 0)
    ]
    for p in range(shape.pods):
        leaves = [site.switch(f"leaf-{p + 1}-{n + 1}", role="leaf") for n in range(shape.leaves)]
        spines = [site.switch(f"spine-{p + 1}-{n + 1}", role="spine") for n in range(shape.spines)]
        for n, leaf in enumerate(leaves):
            number = p * shape.leaves + n
            for h in range(hosts[number] if hosts is not None else shape.hosts):
                server = f"srv-{number + 1}-{h // 8 + 1}"
                if server not in site.draft.devices:
                    site.device(server, "dgx-h100")
                at = used.setdefault(leaf, 0)
                site.rail(server, h % 8, leaf, at)
                used[leaf] = at + 1
        for leaf in leaves:
            for spine in spines:
                for _ in range(shape.links):
                    join(leaf, spine)
        for s, spine in enumerate(spines if shape.pods > 1 else []):
            for core in cores[s]:
                for _ in range(shape.second):
                    join(spine, core)
    return site.done()


def graph_of(design: Design) -> FabricGraph:
    return build_graphs(design).fabrics["compute"]


def read(design: Design) -> Arrays:
    return arrays_of(graph_of(design))


def failing(design: Design, *cables: str) -> Design:
    """The design with a fault on each of some cables or devices."""
    draft = Draft(design)
    for cable in cables:
        draft.put("faults", Fault(id=draft.new_id("flt"), ref=cable))
    return design.apply(draft.patch("fail"))


def between(design: Design, a: str, b: str) -> list[str]:
    return [c.id for c in design.cables.values() if {c.a.device, c.b.device} == {a, b}]


def random_shape(rng: random.Random) -> Shape:
    pods = rng.choice([1, 1, 2, 3])
    return Shape(
        pods,
        rng.randint(2, 4),
        rng.randint(1, 3),
        rng.randint(1, 2),
        rng.randint(1, 2),
        rng.randint(1, 2),
        rng.randint(1, 5),
    )
