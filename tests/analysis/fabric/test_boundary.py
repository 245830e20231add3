"""The node boundary of server types: four rates per GPU, the smallest named."""

import pytest

from rackbuilder.analysis.results import BoundaryRow
from rackbuilder.design.draft import Draft
from tests.analysis.fabric.helpers import boundary
from tests.topology.samples import Site, nvl72, superpod, twin


def row_of(site: Site) -> BoundaryRow:
    (row,) = boundary(site.done()).rows
    return row


def pod(type_: str) -> Site:
    """Two servers on eight rail leaves, four uplinks of each leaf: 800 Gb/s below, 1,600 above."""
    site = Site()
    site.switch("spine-01")
    for rail in range(8):
        leaf = site.switch(f"leaf-{rail + 1:02d}")
        for k in range(4):
            site.cable(leaf, twin(40 + k), "spine-01", twin(4 * rail + k))
    for n in range(2):
        name = site.device(f"srv-{n + 1:04d}", type_)
        for rail in range(8):
            site.rail(name, rail, f"leaf-{rail + 1:02d}", n)
    return site


@pytest.mark.parametrize(("type_", "nvlink", "ratio"), [("dgx-h100", 3600e9, 9), ("dgx-b200", 7200e9, 18)])
def test_nvlink_over_one_ndr_port(type_: str, nvlink: float, ratio: float) -> None:
    """450 GB/s over 50 GB/s is 9; 900 over 50 is 18. PCIe Gen5 x16 is 63 GB/s."""
    row = row_of(pod(type_))
    assert row.nvlink_bps.value == nvlink
    assert row.pcie_bps.value == 504e9
    assert row.nic_bps.value == 400e9
    assert row.leaf_uplink_bps.value == 800e9
    assert (row.smallest, row.ratio, row.nics_per_gpu) == ("nic", ratio, 1.0)
    assert not row.pcie_fallback
    assert row.servers == ("srv-0001", "srv-0002")


def test_a_healthy_pod_is_one_row_with_the_weakest_leaf() -> None:
    (row,) = boundary(superpod(4, 127, 16, manager=True)).rows
    assert len(row.servers) == 127
    # A full leaf: 32 links of 400 Gb/s below and above.
    assert row.leaf_uplink_bps.value == 400e9


def test_an_oversubscribed_leaf_is_the_smallest() -> None:
    site = pod("dgx-h100")
    for k in (1, 2, 3):
        for rail in range(8):
            cable = next(
                c for c in site.draft.cables.values() if c.a == (f"leaf-{rail + 1:02d}", twin(40 + k))
            )
            site.draft.remove("cables", cable.id)
    row = row_of(site)
    assert row.leaf_uplink_bps.value == 200e9  # one uplink of 400 Gb/s for two GPUs
    assert row.smallest == "leaf_uplink"


def test_a_server_with_a_cable_less_has_a_row_of_its_own() -> None:
    design = superpod(1)
    draft = Draft(design)
    draft.remove("cables", "cbl-0001")
    most, one = boundary(design.apply(draft.patch("pull"))).rows
    assert (len(most.servers), most.nic_bps.value) == (31, 400e9)
    assert (one.servers, one.nic_bps.value, one.nics_per_gpu) == (("srv-0001",), 350e9, 7 / 8)


def test_without_any_fabric_the_uplink_is_unknown_and_listed() -> None:
    site = Site(fabrics=())
    site.device("srv-0001", "dgx-h100")
    result = boundary(site.done())
    (row,) = result.rows
    assert row.nic_bps.value == 400e9
    assert row.leaf_uplink_bps.value is None
    assert row.smallest == ""
    assert result.missing == ("compute links of dgx-h100",)


def test_gpus_without_interconnects_give_unknown_never_a_number() -> None:
    site = Site()
    site.device("srv-0001", "mystery-server")
    result = boundary(site.done())
    (row,) = result.rows
    assert {f.value for f in (row.nvlink_bps, row.pcie_bps, row.nic_bps, row.leaf_uplink_bps)} == {None}
    assert (row.smallest, row.ratio, row.nics_per_gpu) == ("", None, None)
    assert result.missing == (
        "compute NIC ports of mystery-server",
        "compute links of mystery-server",
        "pcie_generation of mystery-gpu",
        "pcie_lanes of mystery-gpu",
        "scale_up_bytes_s of mystery-gpu",
    )


def test_pcie_only_servers_are_marked_as_fallback() -> None:
    row = row_of(pod("pcie8-l40s"))
    assert row.pcie_fallback
    assert row.nvlink_bps.value == 0.0
    assert row.ratio is None
    # Gen4 x16 is 31.5 GB/s = 252 Gb/s, below the 400 Gb/s card.
    assert (row.pcie_bps.value, row.smallest) == (252e9, "pcie")


def test_one_switch_has_no_uplinks_to_be_small() -> None:
    site = Site()
    site.switch("leaf-01")
    for n in (1, 2):
        name = site.device(f"srv-{n:04d}", "dgx-h100")
        for rail in range(8):
            site.rail(name, rail, "leaf-01", 8 * n + rail)
    row = row_of(site)
    assert (row.leaf_uplink_bps.value, row.leaf_uplink_bps.missing) == (None, ())
    assert row.smallest == "nic"


def test_a_rack_short_of_a_switch_tray_has_less_nvlink() -> None:
    site = Site()
    nvl72(site, switches=8)
    site.switch("leaf-01")
    for n in range(18):
        for gpu in range(2):
            site.cable(f"rack-01-tray-{n + 1:02d}", f"osfp{gpu + 1}/1", "leaf-01", twin(2 * n + gpu))
    row = row_of(site)
    # 8/9 of 900 GB/s; two of four NICs cabled: 200 Gb/s a GPU.
    assert row.nvlink_bps.value == 6400e9
    assert row.nic_bps.value == 200e9
    assert row.ratio == 32
    assert row.nics_per_gpu == 0.5
    assert row.smallest == ""  # PCIe of the tray's GPUs is not published
