"""Fat trees, rails, NVLink pods and RoCE pods: counts on the drawn graph, ports, and what the rules say."""

from collections import Counter
from typing import Any

import pytest

from rackbuilder.design.design import Design
from rackbuilder.errors import ProblemError
from rackbuilder.templates.base import Template
from rackbuilder.templates.fat_tree import FatTree
from rackbuilder.templates.nvlink_pod import NvlinkPod
from rackbuilder.templates.rail_optimised import RailOptimised
from rackbuilder.templates.roce_pod import RocePod
from tests.templates.published import ROWS, counted, findings, made, unfit


def links(design: Design, low: str, high: str) -> Counter[tuple[str, str]]:
    """Cables between devices whose ids begin so."""
    found: Counter[tuple[str, str]] = Counter()
    for cable in design.cables.values():
        if cable.a.device.startswith(low) and cable.b.device.startswith(high):
            found[cable.a.device, cable.b.device] += 1
    return found


# ---- fat tree


def test_two_tiers_of_64_ports() -> None:
    """arXiv 2505.09343 table 3: 2,048 endpoints, 96 switches, 2,048 links between switches."""
    found = counted(FatTree(servers=256))
    assert found.row() == {
        "servers": 256, "gpus": 2048, "leaf": 64, "spine": 32, "core": 0,
        "server_leaf": 2048, "leaf_spine": 2048, "spine_core": 0,
    }  # fmt: skip
    assert set(links(found.design, "leaf", "spine").values()) == {1}
    assert findings(found.design, "error", "warning") == []


def test_zone_of_fire_flyer() -> None:
    """arXiv 2408.14158: 800 ports on 40 leaves and 20 spines of 40 ports; here 100 servers of eight."""
    row = counted(FatTree(servers=100, server="dgx-a100", switch="qm8790")).row()
    assert (row["server_leaf"], row["leaf"], row["spine"], row["core"]) == (800, 40, 20, 0)


def test_three_hundred_servers_need_a_third_tier() -> None:
    """300 x 8 = 2,400 ports are more than 64 x 32 = 2,048; 2,400 / 32 = 75 leaves."""
    with pytest.raises(ProblemError, match="2,048 server ports"):
        made(FatTree(servers=300, tiers=2))
    found = counted(FatTree(servers=300))
    row = found.row()
    assert (row["leaf"], row["server_leaf"], row["leaf_spine"], row["spine_core"]) == (75, 2400, 2400, 2400)
    assert row["core"] > 0
    assert unfit(found.design) == []
    assert findings(found.design, "error", "warning") == []


def test_taper_of_two() -> None:
    """42 down and 21 up: 512 ports need 13 leaves (12.2) with 273 uplinks, on 7 spines (3 have too few ports)."""
    row = counted(FatTree(servers=64, oversubscription=2)).row()
    assert (row["leaf"], row["spine"], row["leaf_spine"]) == (13, 7, 273)


def test_switch_of_twice_the_rate_is_split() -> None:
    """64 cages of 800G are 128 ports of 400G: 64 down, so 240 ports need 4 leaves."""
    found = counted(FatTree(servers=30, server="dgx-b200", switch="sn5600"))
    assert (found.row()["leaf"], found.row()["spine"]) == (4, 2)
    assert found.design.fabrics["compute"].technology == "spectrum-x-400g"
    assert set(found.design.devices["leaf-01"].modes.values()) == {2}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"server": "sn2201"}, "no ports for a compute fabric"),
        ({"switch": "dgx-h100"}, "is no switch"),
        ({"links": 9}, "has 8 compute ports"),
        ({"server": "hgx-h100-smc-821ge"}, "copy the part"),
    ],
)
def test_refused_with_the_reason(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ProblemError, match=words):
        made(FatTree(servers=8, **fields))


def test_one_leaf_needs_no_spine() -> None:
    row = counted(FatTree(servers=2)).row()
    assert (row["leaf"], row["spine"], row["server_leaf"]) == (1, 0, 16)


# ---- rails


def test_rail_n_goes_to_leaf_n() -> None:
    """50 servers: a unit of 32 and one of 18, eight leaves each; every leaf holds ports of one rail only."""
    design = made(RailOptimised(servers=50))
    rails: dict[str, set[str]] = {}
    for cable in design.cables.values():
        if cable.b.device.startswith("leaf") and cable.a.device.startswith("srv"):
            rails.setdefault(cable.b.device, set()).add(cable.a.port)
    assert len(rails) == 16
    assert {len(ports) for ports in rails.values()} == {1}
    assert findings(design, "error", "warning") == []


def test_rails_as_planes_of_their_own() -> None:
    """Eight planes of 64 servers: each 2 leaves and one spine; none meets another."""
    design = made(RailOptimised(servers=64, joined=False))
    pairs = links(design, "leaf", "spine")
    assert len({low for low, _ in pairs}) == 16
    assert {len({high for low, high in pairs if low == leaf}) for leaf, _ in pairs} == {1}
    assert {len({low for low, high in pairs if high == spine}) for _, spine in pairs} == {2}


def test_three_tiers_of_rails_count_as_published() -> None:
    """512 servers: 128, 128 and 64 (RA-11333-001 table 3)."""
    row = counted(RailOptimised(servers=512)).row()
    assert (row["leaf"], row["spine"], row["core"]) == (128, 128, 64)


# ---- NVLink pod


@pytest.mark.parametrize(
    ("fields", "row"),
    [
        # 144 trays of 4 NICs: 576 links. QM9700: 32 a leaf, 4.5 leaves a rail, so 5 x 4; 640 uplinks / 64 = 10 -> 16.
        ({}, {"leaf": 20, "spine": 16, "server_leaf": 576, "leaf_spine": 640}),
        # Q3400: 72 a leaf, 2 x 4 leaves of 72 uplinks, 4 spines: the row of 72 eight-GPU servers in RA-11339-001.
        ({"system": "gb300-nvl72"}, {"leaf": 8, "spine": 4, "server_leaf": 576, "leaf_spine": 576}),
        # SN5600 split: 64 a leaf, 2.25 -> 3 x 4; 768 uplinks on 128 ports are 6, of divisors of 64 the next is 8.
        ({"rail_switch": "sn5600"}, {"leaf": 12, "spine": 8, "server_leaf": 576, "leaf_spine": 768}),
    ],
)
def test_nvlink_pod(fields: dict[str, Any], row: dict[str, int]) -> None:
    found = counted(NvlinkPod(racks=8, **fields))
    ours = found.row()
    assert {name: ours[name] for name in row} == row
    assert (ours["gpus"], found.compiled.counts.nvlink_domains) == (576, {72: 8})
    assert findings(found.design, "error", "warning") == []


# ---- RoCE pods


def test_pod_as_published() -> None:
    """16 GPUs a rack, one leaf a rack, 192 racks: 3,072 GPUs; as many links up as down."""
    roce = ROWS["roce"]
    found = counted(RocePod())
    row = found.row()
    assert row["gpus"] == roce["gpus_per_pod"] == roce["gpus_per_rack"] * roce["racks_per_pod"]
    assert row["leaf"] == roce["leaf_per_rack"] * roce["racks_per_pod"]
    assert row["server_leaf"] == row["leaf_spine"] == 3072
    servers_in = Counter(d.rack for d in found.design.devices.values() if d.id.startswith("srv"))
    assert set(servers_in.values()) == {roce["servers_per_rack"]}
    assert findings(found.design, "error") == []


def test_pods_are_oversubscribed_one_to_seven() -> None:
    """Two pods: 6,144 links into the cluster layer, at least a seventh of it on to the other pod, no more than one
    link a spine above that.
    """
    row = counted(RocePod(pods=2)).row()
    assert row["leaf_spine"] == 6144
    assert 6144 / 7 <= row["spine_core"] < 6144 / 7 + row["spine"]


def test_hierarchy_of_the_whole_cluster() -> None:
    """Eight pods are 24,576 GPUs in 1,536 racks: arithmetic of the template's own sizes."""
    roce = ROWS["roce"]
    fields = RocePod(pods=8)
    assert fields.pods * fields.racks_per_pod == roce["racks"]
    assert fields.pods * fields.racks_per_pod * roce["gpus_per_rack"] == roce["gpus"]
    assert fields.oversubscription == roce["oversubscription_above_pod"]


# ---- all


@pytest.mark.parametrize(
    "template",
    [
        FatTree(servers=40),
        FatTree(servers=300),
        RailOptimised(servers=300),
        NvlinkPod(racks=2),
        RocePod(pods=2, racks_per_pod=24),
    ],
    ids=lambda t: t.verb,
)
def test_fits_and_repeats(template: Template) -> None:
    """No misfit; and a second run makes the same records."""
    design = made(template)
    assert unfit(design) == []
    assert findings(design, "error") == []
    assert design.same(made(template))
