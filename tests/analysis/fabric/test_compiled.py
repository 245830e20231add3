"""Counts, links, scopes and roles against published tables and hand calculations."""

import pytest

from rackbuilder.analysis.results import FabricCounts
from rackbuilder.design.records import Fault
from tests.analysis.fabric.helpers import compiled
from tests.topology.samples import Site, nvl72, superpod, twin

# NVIDIA DGX SuperPOD H100 reference architecture RA-11333-001 V11, tables 4 and 3:
# units, servers, fabric manager, leaf, spine, core, server-leaf, with fabric manager, leaf-spine, spine-core.
PUBLISHED = [
    (1, 31, True, 8, 4, 0, 248, 252, 256, 0),
    (2, 63, True, 16, 8, 0, 504, 508, 512, 0),
    (3, 95, True, 24, 16, 0, 760, 764, 768, 0),
    (4, 127, True, 32, 16, 0, 1016, 1020, 1024, 0),
    (8, 256, False, 64, 32, 0, 2048, 2048, 2048, 0),
    (16, 512, False, 128, 128, 64, 4096, 4096, 4096, 4096),
]


@pytest.mark.parametrize("row", PUBLISHED)
def test_published_counts_of_scalable_units(row: tuple[int, ...]) -> None:
    units, servers, manager, leaf, spine, core, server_leaf, at_leaves, leaf_spine, spine_core = row
    spines = spine if units <= 8 else None
    counts = compiled(superpod(units, servers, spines, bool(manager))).counts
    assert (counts.servers, counts.gpus) == (servers, 8 * servers)
    assert counts.nvlink_domains == {8: servers}
    assert counts.nvlink_links == 0
    assert counts.fabrics["compute"] == FabricCounts(
        {"leaf": leaf, "spine": spine, "core": core},
        {
            "server-leaf": server_leaf,
            "leaf-spine": leaf_spine,
            "spine-core": spine_core,
            "other-leaf": at_leaves - server_leaf,
        },
    )


def test_a_full_nvl72_rack() -> None:
    site = Site()
    nvl72(site)
    result = compiled(site.done())
    counts = result.counts
    assert (counts.servers, counts.gpus, counts.racks) == (18, 72, 1)
    assert (counts.nvlink_domains, counts.nvlink_links) == ({72: 1}, 1296)
    # 72 GPUs x 900 GB/s: 64.8 TB/s per direction, half of the 129.6 TB/s printed for the rack.
    assert result.scope_capacity_bps["in-domain"].value == 64.8e12 * 8
    assert result.inside_bps["gpu-cpu"].value == 72 * 450e9 * 8
    bundles = [group for group in result.links if group.scope == "in-domain"]
    assert len(bundles) == 18 * 9
    assert {(group.count, group.rate_bps, group.fabric) for group in bundles} == {(8, 400e9, "")}
    assert sum(group.capacity_bps or 0 for group in bundles) == 64.8e12 * 8


def test_a_cut_backplane_bundle_stays_counted_and_carries_nothing() -> None:
    site = Site()
    nvl72(site)
    ref = "rack-01-nvsw-03~rack-01-tray-01"
    site.draft.put("faults", Fault(id="f", ref=ref))
    result = compiled(site.done())
    (cut,) = [group for group in result.links if group.failed]
    assert (cut.a, cut.b, cut.count, cut.failed) == ("rack-01-tray-01", "rack-01-nvsw-03", 0, (ref,) * 8)
    assert result.counts.nvlink_links == 1296
    assert result.scope_capacity_bps["in-domain"].value == (1296 - 8) * 400e9


def test_scopes_are_the_sum_of_their_links() -> None:
    result = compiled(superpod(4, 127, manager=True, extra=True))
    scopes = result.scope_capacity_bps
    # 127 servers x 8 GPUs x 450 GB/s; 1,020 links at the leaves and 1,024 above them, 400 Gb/s each.
    assert scopes["in-server"].value == 127 * 8 * 450e9 * 8
    assert scopes["server-leaf"].value == 1020 * 400e9
    assert scopes["leaf-spine"].value == 1024 * 400e9
    # 127 server links and two uplinks of each of four leaves, one way; storage and in-band alike.
    assert scopes["storage"].value == scopes["in-band"].value == (127 + 8) * 400e9
    assert scopes["out-of-band"].value == 127 * 1e9 + 8 * 100e9
    for scope in ("server-leaf", "leaf-spine", "storage", "in-band", "out-of-band"):
        links = [group for group in result.links if group.scope == scope]
        assert scopes[scope].value == sum(group.capacity_bps or 0 for group in links)
    drawn = {cable for group in result.links for cable in group.cables}
    assert len(drawn) == sum(group.count for group in result.links) == 2449


def test_management_and_bmc_links_are_other_links_at_a_leaf() -> None:
    site = Site(fabrics=("compute", "out-of-band"))
    site.switch("leaf-01")
    site.switch("oob-01", "out-of-band", "sn2201")
    site.device("srv-0001", "dgx-h100")
    site.rail("srv-0001", 0, "leaf-01", 0)
    site.cable("srv-0001", "bmc1/1", "oob-01", "rj1/1")
    site.cable("leaf-01", "mgmt1/1", "oob-01", "rj2/1")
    counts = compiled(site.done()).counts.fabrics
    assert counts["compute"].cables["server-leaf"] == 1
    assert counts["out-of-band"].cables == {
        "server-leaf": 0,
        "leaf-spine": 0,
        "spine-core": 0,
        "other-leaf": 2,
    }
    assert counts["out-of-band"].switches == {"leaf": 1, "spine": 0, "core": 0}


def test_roles_of_every_device() -> None:
    roles = compiled(superpod(1, 31, manager=True)).roles
    assert roles["leaf-001"] == "leaf"
    assert roles["spine-004"] == "spine"
    assert roles["srv-0001"] == "server"
    assert roles["ufm-01"] == ""


def test_parallel_links_of_two_rates_are_two_groups_and_a_failed_one_is_apart() -> None:
    site = Site()
    site.switch("leaf-01")
    site.switch("spine-01")
    site.device("srv-0001", "dgx-h100")
    site.rail("srv-0001", 0, "leaf-01", 0)
    names = [site.cable("leaf-01", twin(40 + n), "spine-01", twin(n)) for n in range(4)]
    site.draft.put("faults", Fault(id="f1", ref=names[1], kind="degraded", rate_bps=100e9))
    site.draft.put("faults", Fault(id="f2", ref=names[2]))
    links = [group for group in compiled(site.done()).links if group.scope == "leaf-spine"]
    assert [(g.rate_bps, g.cables, g.failed) for g in links] == [
        (400e9, (names[0], names[3]), (names[2],)),
        (100e9, (names[1],), ()),
    ]
    assert (links[0].a, links[0].b) == ("leaf-01", "spine-01")


def test_unknown_rates_are_a_lower_bound_and_named() -> None:
    site = Site()
    site.switch("leaf-01")
    site.switch("dark-01", type_="blind-switch")
    site.device("srv-0001", "dgx-h100")
    site.rail("srv-0001", 0, "leaf-01", 0)
    site.cable("srv-0001", "osfp1/2", "dark-01", "port1/1")
    figure = compiled(site.done()).scope_capacity_bps["server-leaf"]
    assert (figure.value, figure.at_least) == (400e9, True)
    assert figure.missing == ("rate_bps of port ports of blind-switch",)


def test_a_server_of_which_nothing_is_known_has_no_number() -> None:
    site = Site()
    site.device("srv-0001", "mystery-server")
    figure = compiled(site.done()).scope_capacity_bps["in-server"]
    assert figure.value is None
    assert figure.missing == ("scale_up_bytes_s of mystery-gpu",)


def test_pcie_is_the_way_in_a_server_without_nvlink() -> None:
    site = Site()
    site.device("srv-0001", "pcie8-l40s")
    result = compiled(site.done())
    # Eight cards at Gen4 x16, 31.5 GB/s each.
    assert result.scope_capacity_bps["in-server"].value == 8 * 31.5e9 * 8
    assert result.counts.nvlink_domains == {1: 8}
