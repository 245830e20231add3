"""The inside of a server: a scope and a kind on each edge."""

import networkx as nx
import pytest

from rackbuilder.topology.expand import expand, scope_table
from rackbuilder.topology.graphs import build_graphs
from tests.topology.samples import Site, nvl72


def inside(type_: str, **fields: object) -> "nx.Graph[str]":
    site = Site()
    site.device("srv-0001", type_, **fields)
    design = site.done()
    return expand(design, build_graphs(design), ["srv-0001"])


def test_a_server_with_switch_chips() -> None:
    graph = inside("dgx-b200")
    kinds = [data["kind"] for _, data in graph.nodes(data=True)]
    assert [kinds.count(k) for k in ("gpu", "nvswitch", "cpu", "pcie", "port")] == [8, 2, 2, 1, 10]
    # 18 links over 2 chips are 9 each; NVLink 5 has 50 GB/s per link and direction.
    edge = graph.edges["srv-0001.gpu3", "srv-0001.nvswitch1"]
    assert (edge["links"], edge["rate_bps"]) == (9, 9 * 400e9)
    assert {data["scope"] for _, _, data in graph.edges(data=True)} == {"in-server"}
    rows = {(row.kind, row.scope): row for row in scope_table(graph)}
    # 8 GPUs x 900 GB/s = 7.2 TB/s per direction, half of the 14.4 TB/s printed for the system.
    assert rows["nvlink", "in-server"].rate_bps.value == 7.2e12 * 8
    assert rows["pcie", "in-server"].rate_bps.at_least


def test_links_that_do_not_divide_over_the_chips_are_unknown() -> None:
    edge = inside("dgx-h100").edges["srv-0001.gpu0", "srv-0001.nvswitch0"]
    assert (edge["links"], edge["rate_bps"]) == (None, None)


def test_a_mesh_joins_every_pair_at_the_rate_of_one_peer() -> None:
    graph = inside("mi300x-8")
    mesh = [data for _, _, data in graph.edges(data=True) if data["kind"] == "infinity-fabric"]
    assert len(mesh) == 28  # 8 x 7 / 2
    assert {data["rate_bps"] for data in mesh} == {64e9 * 8}


def test_bridges_and_none() -> None:
    bridged = inside("pcie8-h100-nvl", config={"nvlink_bridge": "2"})
    assert [sorted(e[:2]) for e in bridged.edges(data="kind") if e[2] == "nvlink"] == [
        [f"srv-0001.gpu{n}", f"srv-0001.gpu{n + 1}"] for n in (0, 2, 4, 6)
    ]
    assert {kind for *_, kind in inside("pcie8-l40s").edges(data="kind")} == {"pcie"}


@pytest.fixture
def tray() -> "nx.Graph[str]":
    site = Site()
    nvl72(site, trays=2)
    design = site.done()
    return expand(design, build_graphs(design), ["rack-01-tray-01"])


def test_a_tray_has_nvlink_to_its_cpus_and_to_the_switch_trays(tray: "nx.Graph[str]") -> None:
    """Both kinds of NVLink are in the scope table: GPU to GPU and GPU to CPU."""
    rows = {(row.kind, row.scope, row.ends): row for row in scope_table(tray)}
    to_switches = rows["nvlink", "in-domain", "gpu–gpu"]
    assert to_switches.edges == 4 * 9
    assert to_switches.rate_bps.value == 4 * 900e9 * 8
    to_cpus = rows["nvlink-c2c", "in-server", "gpu–cpu"]
    assert to_cpus.edges == 4
    assert to_cpus.rate_bps.value == 4 * 450e9 * 8
    assert tray.has_edge("rack-01-tray-01.gpu3", "rack-01-tray-01.cpu1")
    assert "rack-01-tray-02.gpu0" not in tray


def test_what_is_not_published_is_marked(tray: "nx.Graph[str]") -> None:
    assert tray.nodes["rack-01-tray-01.pcie"]["unknown"]
    assert not tray.nodes["rack-01-tray-01.gpu0"]["unknown"]
