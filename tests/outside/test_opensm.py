"""Exported fabrics in the hands of the real subnet manager: accepted, read back, routed; and what it refuses."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from rackbuilder.analysis.fabric.arrays import arrays_of
from rackbuilder.analysis.fabric.imported import carry_imported
from rackbuilder.analysis.fabric.loads import Exchange, Flows
from rackbuilder.analysis.fabric.routing import Forwarding, carry_by_tables
from rackbuilder.analysis.report import Report
from rackbuilder.catalog.load import shipped
from rackbuilder.design.design import Design
from rackbuilder.formats import EXPORTS
from rackbuilder.formats.ibfabric import subnet_of
from rackbuilder.formats.lfts import read_tables
from rackbuilder.rules.finding import RuleEngine
from rackbuilder.rules.routing import ROUTING
from rackbuilder.templates import template
from rackbuilder.topology.graphs import Graphs, build_graphs
from tests.outside import designs, oracle
from tests.outside.cases import CASES
from tests.outside.programs import Verdict, need_programs, simulate


@pytest.fixture(autouse=True)
def programs() -> None:
    need_programs()


def exported(design: Design, graphs: Graphs, kind: str) -> bytes:
    export = next(e for e in EXPORTS if e.kind == kind)
    return export.write(design, graphs, Report(0, {}, ()))


def simulated(design: Design, folder: Path, **options: bytes) -> Verdict:
    return simulate(exported(design, build_graphs(design), "ibsim"), folder, **options)


def rules_of(design: Design) -> list[str]:
    return [f.problem.rule for f in RuleEngine((ROUTING,)).run(design, build_graphs(design), {})]


@pytest.mark.parametrize("name", CASES)
def test_a_tree_is_accepted_read_back_and_routed_evenly(name: str, tmp_path: Path) -> None:
    case = CASES[name]()
    design = case.site.done()
    verdict = simulated(design, tmp_path)
    assert verdict.fat_tree, verdict.log[-2000:]
    assert verdict.counts() == (case.hosts, case.switches)
    assert rules_of(design) == []
    listing = oracle.read_listing(verdict.listing)
    assert listing.links() == oracle.drawn_links(design)
    counts = oracle.walk(listing, oracle.read_tables(verdict.tables))
    assert oracle.spread(listing, counts) == case.spread
    same_loads(design, verdict, listing, counts)


def test_a_leaf_that_is_half_filled_is_accepted(tmp_path: Path) -> None:
    design = designs.two_tiers([32] * 7 + [16], 4, 8).done()
    verdict = simulated(design, tmp_path)
    assert verdict.fat_tree
    assert verdict.counts() == (240, 12)
    assert rules_of(design) == []
    listing = oracle.read_listing(verdict.listing)
    counts = oracle.walk(listing, oracle.read_tables(verdict.tables))
    # In all 32 x 208 from a full leaf, over 32 links; 16 x 224 from the half, for which 112 a link is even. Down, 16
    # hosts cannot fill 32 links: at most one of them has a link for itself, with 224 sources.
    sent: dict[str, list[int]] = {}
    for side, far in listing.far.items():
        if listing.names[side.node].startswith("leaf") and far.node.startswith("S-"):
            sent.setdefault(listing.names[side.node], []).append(counts[side])
    assert sent["leaf-008"] == [112] * 32
    assert [sum(sent[f"leaf-00{n}"]) for n in range(1, 8)] == [32 * 208] * 7
    used = {routes for routes in oracle.spread(listing, counts) if routes}
    assert (min(used), max(used)) == (112, 224)
    same_loads(design, verdict, listing, counts)


def same_loads(
    design: Design, verdict: Verdict, listing: oracle.Listing, counts: oracle.Counter[oracle.Side]
) -> None:
    """Our loads of one byte a pair under the imported tables are the counts of the walk, link by link."""
    tables, unknown = read_tables(verdict.tables, subnet_of(design, build_graphs(design)))
    assert unknown == ()
    loads = carry_by_tables(design, tables, every_pair(design, tables))
    assert loads.lost == 0
    assert loads.stuck == ()
    by_name = {(listing.names[s.node], s.port): counts[s] for s in listing.far if s.node.startswith("S-")}
    number = {f"osfp{n // 2 + 1}/{n % 2 + 1}": n + 1 for n in range(64)}
    for place, name in enumerate(tables.cables):
        a, b = design.cables[name].a, design.cables[name].b
        if a.device.startswith("srv"):
            # One from every other host.
            assert loads.backward[place] == len(tables.ends) - 1
            continue
        assert loads.forward[place] == by_name[a.device, number[a.port]]
        assert loads.backward[place] == by_name[b.device, number[b.port]]


def every_pair(design: Design, tables: Forwarding) -> Flows:
    """Every host to every other. What the hosts of a leaf send is put on its first, but for what goes to itself."""
    leaf = {f"{c.a.device}:{c.a.port}": c.b.device for c in design.cables.values() if c.a.device[:3] == "srv"}
    homes: dict[str, list[int]] = {}
    for place, end in enumerate(tables.ends):
        homes.setdefault(leaf[end], []).append(place)
    rows = []
    for members in homes.values():
        for place in range(len(tables.ends)):
            sources = len(members) - (place in members)
            source = members[0] if place != members[0] else members[-1]
            rows.append((source, place, float(sources)))
    src, dst, size = zip(*rows, strict=True)
    return Flows(np.array(src), np.array(dst), np.array(size))


def test_an_exchange_on_the_tables_of_the_manager(tmp_path: Path) -> None:
    """One byte between all 256 hosts of a 2:1 tree: 448 on each cable between switches either way, 255 at each host."""
    design = designs.two_tiers([32] * 8, 4, 4).done()
    verdict = simulated(design, tmp_path)
    graphs = build_graphs(design)
    tables, _ = read_tables(verdict.tables, subnet_of(design, graphs))
    arrays, ranks = arrays_of(graphs.fabric("compute")), np.arange(256)
    exchange = Exchange(np.zeros(256, np.int64), ranks, ranks, np.ones(256))
    loads = carry_imported(design, arrays, tables, [], [exchange])
    for way in (loads.up, loads.down):
        assert way.tolist() == [448.0] * 128 + [255.0] * 256
    assert loads.lost == 0


REFUSED = {
    "missing uplink": (designs.missing_uplink, "AB0B", "routing.unequal-groups"),
    "host on a spine": (designs.host_on_spine, "AB26", "routing.host-above-leaf"),
    "ring": (designs.ring, "AB2B", "routing.credit-loop"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_fat_tree_routing_refuses_has_a_finding(name: str, tmp_path: Path) -> None:
    make, code, rule = REFUSED[name]
    design = make()
    verdict = simulated(design, tmp_path)
    assert verdict.refused_with(code), verdict.log[-2000:]
    assert verdict.fell_back
    assert not verdict.fat_tree
    assert rules_of(design) == [rule]


def test_a_cable_between_leaves_is_accepted_there_and_found_here(tmp_path: Path) -> None:
    design = designs.leaf_to_leaf()
    verdict = simulated(design, tmp_path)
    assert verdict.fat_tree
    assert verdict.counts() == (16, 6)
    assert oracle.read_listing(verdict.listing).links() == oracle.drawn_links(design)
    assert rules_of(design) == ["routing.leaf-to-leaf"]


def test_a_leaf_without_uplinks_is_accepted_there_and_found_here(tmp_path: Path) -> None:
    design = designs.unreachable_leaf()
    verdict = simulated(design, tmp_path)
    assert verdict.fat_tree
    assert verdict.counts() == (12, 5)
    assert rules_of(design) == ["routing.unreachable-leaf"]


def test_the_guid_files_are_taken(tmp_path: Path) -> None:
    design = designs.two_tiers([4] * 4, 2, 2).done()
    graphs = build_graphs(design)
    roots, compute = exported(design, graphs, "root-guids"), exported(design, graphs, "cn-guids")
    verdict = simulated(design, tmp_path, a=roots, u=compute)
    assert verdict.fat_tree
    assert "(16 of them CNs)" in verdict.log
    assert len(roots.splitlines()) == 1 + 2
    assert len(compute.splitlines()) == 1 + 16


def test_a_published_pod_as_the_template_makes_it(tmp_path: Path) -> None:
    """Two units of RA-11333-001: 63 servers, one position for the manager's four links; 16 leaves, 8 spines."""
    catalog = shipped()
    design = Design().apply(template("superpod")(units=2).plan(Design(), catalog))
    verdict = simulated(design, tmp_path)
    assert verdict.fat_tree
    assert verdict.counts() == (63 * 8 + 4, 24)
    assert len(oracle.read_listing(verdict.listing).far) == 2 * (63 * 8 + 4 + 16 * 32)
    assert rules_of(design) == []


TEMPLATES = {
    # servers x NICs, or racks x 72 GPUs
    "rail_optimised": ({"servers": 40}, 320),
    "fat_tree": ({"servers": 64, "tiers": 3}, 512),
    "fat_tree, 2:1": ({"servers": 64, "oversubscription": 2}, 512),
    "nvlink_pod": ({"racks": 4}, 288),
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_what_templates_make_is_accepted(name: str, tmp_path: Path) -> None:
    fields, hosts = TEMPLATES[name]
    design = Design().apply(template(name.partition(",")[0])(**fields).plan(Design(), shipped()))
    graph = build_graphs(design).fabric("compute")
    verdict = simulated(design, tmp_path)
    assert verdict.fat_tree, verdict.log[-2000:]
    assert verdict.counts() == (hosts, len(graph.of_kind("switch")))
    links = sum(len(data["cables"]) for _, _, data in graph.edges())
    assert len(oracle.read_listing(verdict.listing).far) == 2 * links
    assert rules_of(design) == []


def test_two_fabrics_in_one_file_stay_apart(tmp_path: Path) -> None:
    """Eight servers on each of two fabrics: the manager sees the one it sits in, and nothing of the other."""
    site = designs.Site(fabrics=("a", "b"))
    for n in range(16):
        name = "ab"[n // 8]
        if n % 8 == 0:
            site.switch(f"switch-{name}", name)
        site.device(f"srv-{n + 1:04d}", "dgx-h100")
        site.rail(f"srv-{n + 1:04d}", 0, f"switch-{name}", n % 8)
    site.device("srv-0017", "dgx-h100")
    design = site.done()
    net = exported(design, build_graphs(design), "ibsim").decode()
    assert net.count("switchguid") == 2
    assert net.count("caguid") == 16
    assert "# Left out, not cabled: srv-0017" in net
    listing = oracle.read_listing(simulated(design, tmp_path).listing)
    assert sorted(listing.names.values()) == [*(f"srv-000{n} mlx5_0" for n in range(1, 9)), "switch-a"]


def test_split_ports_and_known_guids_are_taken(tmp_path: Path) -> None:
    """A switch whose first cage is split in two shows 128 ports; a link of two lanes reads back as such."""
    site = designs.Site()
    guids = {"guid": "0x506b4b0300a1b2c0"}
    site.switch("leaf-001", modes={"osfp1": 2}, tags=guids)
    for n, port in enumerate(("osfp1/1.1", "osfp1/1.2", "osfp1/2.1", "osfp2/1"), start=1):
        site.device(f"srv-000{n}", "dgx-h100", tags={"guid.osfp1/1": f"a088:c203:0000:011{n}"})
        site.cable(f"srv-000{n}", "osfp1/1", "leaf-001", port)
    text = simulated(site.done(), tmp_path).listing
    assert 'Switch\t128 "S-506b4b0300a1b2c0"' in text
    rows = re.findall(r'^\[(\d+)\]\t"H-[0-9a-f]{16}"\[1\]\((\w+)\).*lid \d+ (\w+)$', text, re.MULTILINE)
    assert rows == [
        ("1", "a088c20300000111", "2xHDR"),
        ("2", "a088c20300000112", "2xHDR"),
        ("3", "a088c20300000113", "2xHDR"),
        ("5", "a088c20300000114", "4xHDR"),
    ]


def test_a_wrong_root_is_noticed(tmp_path: Path) -> None:
    """The root file does something: with a leaf named as the root, fat-tree routing refuses the same fabric."""
    design = designs.two_tiers([4] * 4, 2, 2).done()
    leaf = next(
        n for n in subnet_of(design, build_graphs(design)).of_kind("Switch") if n.key[0] == "leaf-001"
    )
    verdict = simulated(design, tmp_path, a=f"0x{leaf.guid:016x}\n".encode())
    assert not verdict.fat_tree
