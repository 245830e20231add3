"""Random drawings: circles of waits against all shortest ways listed one by one; findings after edits against fresh."""

from __future__ import annotations

import itertools
import random

import networkx as nx
import pytest

from rackbuilder.analysis.fabric.loops import credit_loop
from rackbuilder.design.design import Design
from rackbuilder.formats.ibfabric import subnet_of
from rackbuilder.formats.ibnetdiscover import listing
from rackbuilder.rules.finding import RuleEngine
from rackbuilder.rules.manager import MANAGER
from rackbuilder.rules.observed import OBSERVED
from rackbuilder.rules.routing import ROUTING
from rackbuilder.topology.graphs import build_graphs
from tests.topology.samples import Site, twin

TOPICS = (ROUTING, OBSERVED, MANAGER)


def drawing(rng: random.Random) -> tuple[Design, nx.Graph, list[str]]:
    """Switches joined at random, some with a server. Equal numbers of hosts: none stands above another."""
    site = Site()
    graph: nx.Graph = nx.gnp_random_graph(
        rng.randint(3, 8), rng.uniform(0.2, 0.7), seed=rng.randint(0, 10**6)
    )
    names = [site.switch(f"sw-{n}") for n in graph]
    used = dict.fromkeys(names, 0)
    for a, b in graph.edges:
        ends = []
        for n in (a, b):
            ends += [names[n], twin(used[names[n]])]
            used[names[n]] += 1
        site.cable(*ends)
    hosted = sorted(rng.sample(names, rng.randint(1, len(names))))
    for n, name in enumerate(hosted):
        site.device(f"srv-{n}", "dgx-h100")
        site.rail(f"srv-{n}", 0, name, 60)
    return site.done(), nx.relabel_nodes(graph, dict(enumerate(names))), hosted


def can_stop(graph: nx.Graph, hosted: list[str]) -> bool:
    """Whether the waits of all shortest ways between switches with hosts close a circle."""
    waits: nx.DiGraph = nx.DiGraph()
    for a, b in itertools.permutations(hosted, 2):
        if nx.has_path(graph, a, b):
            for way in nx.all_shortest_paths(graph, a, b):
                links = list(itertools.pairwise(way))
                waits.add_edges_from(itertools.pairwise(links))
    return not nx.is_directed_acyclic_graph(waits)


def test_circles_are_found_exactly_where_there_are_any() -> None:
    rng = random.Random(7)
    told = {True: 0, False: 0}
    for _ in range(150):
        design, graph, hosted = drawing(rng)
        loop = credit_loop(build_graphs(design).fabric("compute"))
        expected = can_stop(graph, hosted)
        assert bool(loop) == expected, (sorted(graph.edges), hosted, loop)
        told[expected] += 1
        if loop:
            # What is named is a closed walk along cables.
            assert all(graph.has_edge(a, b) for a, b in zip(loop, loop[1:] + loop[:1], strict=True))
    assert min(told.values()) > 10


@pytest.mark.parametrize("seed", range(3))
def test_findings_after_edits_are_those_of_a_fresh_look(seed: int) -> None:
    rng = random.Random(seed)
    design, _, _ = drawing(rng)
    graphs, engine = build_graphs(design), RuleEngine(TOPICS)
    for step in range(25):
        site = Site(design)
        cables = sorted(site.draft.cables)
        if cables and rng.random() < 0.5:
            site.draft.remove("cables", rng.choice(cables))
        else:
            a, b = rng.sample(sorted(site.draft.devices), 2)
            site.cable(a, f"osfp{rng.randint(1, 4)}/{rng.randint(1, 2)}", b, twin(rng.randint(20, 50)))
        if step % 5 == 0:
            name = rng.choice([d for d in sorted(site.draft.devices) if d.startswith("sw")])
            site.draft.change("devices", name, role=rng.choice(["", "leaf", "spine"]))
        patch = site.patch()
        design = design.apply(patch)
        graphs = graphs.apply(patch, design)
        fresh = build_graphs(design)
        assert engine.run(design, graphs, {}) == RuleEngine(TOPICS).run(design, fresh, {})
        assert list(listing(subnet_of(design, graphs))) == list(listing(subnet_of(design, fresh)))
