"""Key figures of every family beside their source: typed here by hand from the documents that the entries name."""

from __future__ import annotations

import pytest

from rackbuilder.catalog.catalog import Catalog
from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.parts import CableType, DeviceType, GpuType, NicType, NvSwitchType, OpticType
from rackbuilder.catalog.ports import ports_of


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return shipped()


def value(catalog: Catalog, path: str) -> object:
    """“dgx-h100.supplies.count” of the catalog; a number in brackets is an index."""
    identity, *steps = path.split(".")
    found: object = catalog.part(identity)
    for step in steps:
        found = found[int(step)] if isinstance(found, tuple) else getattr(found, step)
    return found


FIGURES = {
    # NVIDIA GPU product pages and data sheets (dense compute; NVLink halved to one direction).
    "a100-80-sxm.memory_bytes": 80e9,
    "a100-80-sxm.scale_up_bytes_s": 300e9,
    "h100-sxm.memory_bandwidth_bytes_s": 3.35e12,
    "h100-sxm.bf16_flops": 989e12,
    "h100-sxm.fp8_flops": 1979e12,
    "h100-sxm.fp4_flops": None,
    "h100-sxm.scale_up_bytes_s": 450e9,
    "h100-sxm.nvlink_links": 18,
    "h200-sxm.memory_bytes": 141e9,
    "b200-sxm.scale_up_bytes_s": 900e9,
    "b200-sxm.memory_bytes": 180e9,
    "b300-sxm.memory_bytes": 288e9,
    "b300-sxm.memory_usable_bytes": 270e9,
    "gb200-gpu.scale_up_bytes_s": 900e9,
    "gb200-gpu.cpu_link_bytes_s": 450e9,
    "gb300-gpu.fit_bytes": 279e9,
    "rubin-sxm.scale_up_bytes_s": 1800e9,
    "rubin-sxm.tdp_w": None,
    "l40s.scale_up_bytes_s": 0,
    # AMD and Intel: full mesh, one link to each peer.
    "mi300x.scale_up_bytes_s": 448e9,
    "mi300x.scale_up_peer_bytes_s": 64e9,
    "mi355x.scale_up_bytes_s": 535.5e9,
    "gaudi3-oam.scale_up_bytes_s": 525e9,
    # DGX user guides.
    "dgx-a100.power_max_w": 6500,
    "dgx-a100.supplies.needed": 3,
    "dgx-h100.u_height": 8,
    "dgx-h100.power_max_w": 10_200,
    "dgx-h100.weight_kg": 130.45,
    "dgx-h100.supplies.count": 6,
    "dgx-h100.supplies.rating_w": 3300,
    "dgx-h100.supplies.needed": 4,
    "dgx-h100.inlet_temperature_c": (5, 30),
    "dgx-b200.u_height": 10,
    "dgx-b200.power_max_w": 14_300,
    "dgx-b200.nvswitch_chips": 2,
    "dgx-b200.supplies.needed": 5,
    "dgx-b300-psu.power_max_w": 15_100,
    "dgx-b300-psu.power_peak_w": 19_700,
    "dgx-b300-psu.supplies.needed": 6,
    "dgx-b300-busbar.power_max_w": 14_500,
    # OEM servers: ServeTheHome, Dell technical guide, integrator bill, NVIDIA partner designs.
    "hgx-h100-smc-821ge.power_planning_w": 10_200,
    "hgx-h100-dell-xe9680.u_height": 6,
    "hgx-h100-dell-xe9680.supplies.needed": 5,
    "hgx-b200-lenovo-sr680a-v3.weight_kg": 102.9,
    "hgx-h200-cisco-c885a-m8.u_height": 8,
    "mi355x-hpe-xd685-dlc.depth_mm": 1049,
    "ufm-enterprise-ndr.power_max_w": 689,
    "head-node-1u-generic.power_max_w": 800,
    # Storage sheets.
    "storage-ddn-ai400x2.read_bytes_s": 90e9,
    "storage-wekapod-nitro-8.write_bytes_s": 256e9,
    # NVL72: HPE and Supermicro totals, NVIDIA guides, Lenovo share.
    "gb200-nvl72.assembly.power_max_w": 132_000,
    "gb200-nvl72.assembly.heat_liquid_w": 115_000,
    "gb200-nvl72.assembly.heat_air_w": 17_000,
    "gb200-nvl72.loaded_weight_kg": 1360,
    "gb200-compute-tray.power_max_w": 6300,
    "gb300-nvl72.assembly.power_max_w": 142_000,
    "gb300-nvl72.assembly.liquid_heat_fraction": 0.9,
    "vera-rubin-nvl72.assembly.power_max_w": None,
    "nvlink5-switch-tray.nvswitch_chips": 2,
    "nvl72-33kw.shelf_output_w": 33_000,
    # Switch manuals: capacity per direction.
    "qm8700.switching_bps": 8e12,
    "qm8700.hop_latency_s": 130e-9,
    "qm9700.switching_bps": 25.6e12,
    "qm9700.power_max_w": 1720,
    "qm9700.power_typical_w": 747,
    "qm9700.power_max_includes_optics": True,
    "qm9700.power_typical_includes_optics": False,
    "qm9700.hop_latency_s": None,
    "qm9790.managed": False,
    "q3400-ra.switching_bps": 115.2e12,
    "q3400-ra.power_max_w": 7000,
    "q3450-ld.liquid_heat_fraction": 0.85,
    "sn2201.role": "out-of-band",
    "sn2201.power_typical_w": 98,
    "sn4600c.power_typical_w": 466,
    "sn5600.switching_bps": 51.2e12,
    "sn5610.power_max_w": 2080,
    "sn6600.switching_bps": 102.4e12,
    "arista-7060x6-64pe.technology": "roce-800g",
    # Network cards.
    "cx7-1p-osfp.rate_bps": 400e9,
    "cx7-1p-osfp.power_typical_w": 24.9,
    "cx8-c8180.rate_bps": 800e9,
    "cx9.rate_bps": 800e9,
    "bf3-b3220.ports": 2,
    # NVSwitch chips.
    "nvswitch-3.port_bytes_s": 25e9,
    "nvswitch-4.port_bytes_s": 50e9,
    # LinkX pages: a twin-port plug carries two links.
    "mcp4y10-nxxx.links": 2,
    "mcp4y10-nxxx.lengths_m": (0.5, 1, 1.5, 2),
    "mcp7y00-nxxx.b.count": 2,
    "mcp7y00-nxxx.b.top": "flat",
    "mca4j80-nxxx.a.power_w": 1.5,
    "mca7j60-nxxx.b.power_w": 0.6,
    "mcp7y70-hxxx.rate_bps": 100e9,
    "mfa7u10-h00x.reach_max_m": 30,
    "mca4k50.rate_bps": 800e9,
    "mma4z00-ns.power_max_w": 17,
    "mma4z00-ns.reach_om3_m": 30,
    "mma4z00-ns-flt.top": "flat",
    "mma4z00-ns400.power_max_w": 9,
    "mms4x00-ns.reach_max_m": 100,
    "mms4x50-nm.reach_max_m": 2000,
    "mms4a00.power_max_w": 33.5,
    "mma1b00-c100d.reach_om3_m": 70,
    "mfp7e10-nxxx.medium": "multimode",
    "mfp7e30-nxxx.medium": "single-mode",
    "mfp7e20-nxxx.form": "splitter-fibre",
    "cat6-utp.reach_max_m": 100,
    # Racks, power strips, coolant units.
    "42u-600x1200.empty_weight_kg": 134.1,
    "42u-600x1200.static_load_kg": 1701,
    "52u-700x1200.static_load_kg": None,
    "nvl72-mgx-48u.height_mm": 2236,
    "raritan-px3-5878i2r.outlets.usable_va": 34_500,
    "raritan-px3-5747v-v2.outlets": None,
    "supermicro-in-rack-nvl72.coolant.capacity_w": 250_000,
    "panel-mpo-1u.u_height": 1,
    # Generations.
    "infiniband-ndr.port_rates_bps": (400e9, 200e9),
    "infiniband-xdr.port_rates_bps": (800e9, 400e9),
    "infiniband-fdr.port_rates_bps": (54.5e9,),
    "nvlink-4.port_rates_bps": (200e9,),
    "nvlink-5.port_rates_bps": (400e9,),
    "spectrum-x-400g.adaptive_routing": True,
}


@pytest.mark.parametrize(("path", "expected"), FIGURES.items(), ids=list(FIGURES))
def test_figure(catalog: Catalog, path: str, expected: object) -> None:
    found = value(catalog, path)
    assert found == (pytest.approx(expected, rel=1e-9) if isinstance(expected, float) else expected)


def test_airflow_in_cubic_metres(catalog: Catalog) -> None:
    # 1105 CFM (DGX H100 guide) at 1.699 m³/h each is 1877 m³/h.
    assert catalog.device("dgx-h100").airflow_m3_s == pytest.approx(1877.4 / 3600, rel=1e-4)


def test_cages_ports_and_halves_of_a_qm9700(catalog: Catalog) -> None:
    """Case F20: 32 cages are 64 ports of 400G or 128 of 200G, and never 64 of 800G."""
    switch = catalog.device("qm9700")
    row = switch.cages[0]
    assert (row.count, row.port_count, row.rate_bps) == (32, 64, 400e9)
    split = ports_of(switch, {f"osfp{n}": 2 for n in range(1, 33)})
    halves = [port for port in split.values() if port.cages is row]
    assert len(halves) == 128
    assert {port.rate_bps for port in halves} == {200e9}
    whole = [port for port in ports_of(switch).values() if port.cages.role == "data"]
    assert len(whole) == 64
    assert all(port.rate_bps == 400e9 for port in whole)


def test_dgx_h100_ports(catalog: Catalog) -> None:
    """DGX H100 guide: four twin-port OSFP cages, two dual-port QSFP112 cards, two 100 GbE, 10G host, BMC."""
    rows = {row.name: row for row in catalog.device("dgx-h100").cages}
    osfp = rows["osfp"]
    assert (osfp.count, osfp.ports, osfp.top, osfp.rate_bps, osfp.gpu_first) == (4, 2, "flat", 400e9, 0)
    assert (osfp.fabric, rows["storage"].fabric, rows["inband"].fabric) == ("compute", "storage", "in-band")
    assert rows["storage"].count + rows["inband"].count == 4
    assert rows["storage"].connector == "QSFP112"
    assert rows["bmc"].role == "bmc"


def test_supplies_and_height_of_a_dgx_h100(catalog: Catalog) -> None:
    """Case W02: six supplies of which four carry the load, in 8U; half of them (3.3 kW each) are too few."""
    server = catalog.device("dgx-h100")
    assert server.supplies is not None
    assert (server.u_height, server.supplies.count, server.supplies.needed) == (8, 6, 4)
    assert (
        3 * (server.supplies.rating_w or 0) < (server.power_max_w or 0) < 4 * (server.supplies.rating_w or 0)
    )


def test_optics_of_a_full_switch(catalog: Catalog) -> None:
    """Case W10: 32 twin-port optics of 17 W are 544 W; the maximum of the switch has them in, the typical not."""
    optic = catalog.part("mma4z00-ns")
    assert isinstance(optic, OpticType)
    assert optic.ports == 2
    assert 32 * (optic.power_max_w or 0) == 544
    dac = catalog.part("mcp4y10-nxxx")
    assert isinstance(dac, CableType)
    assert dac.a.power_w == 0.1


def test_nvlink_is_printed_for_both_directions_and_kept_for_one(catalog: Catalog) -> None:
    gpu = catalog.gpu("h100-sxm")
    assert gpu.published["scale_up_bytes_s"] == "900 GB/s, both directions together"
    assert gpu.scale_up_bytes_s == 450e9
    assert catalog.gpu("b200-sxm").published["scale_up_bytes_s"].startswith("1800 GB/s")


def test_a_large_domain_is_not_granted_to_every_blackwell_server(catalog: Catalog) -> None:
    """S1-30: an eight-GPU server has its own chips; 72 GPUs need trays that mount in a rack."""
    assert catalog.device("dgx-b200").gpu_count == 8
    assert catalog.device("dgx-b200").mounts_in == ()
    assert catalog.device("gb200-compute-tray").mounts_in == ("gb200-nvl72",)


def test_nvl72_adds_up(catalog: Catalog) -> None:
    for name in ("gb200-nvl72", "gb300-nvl72"):
        assembly = catalog.rack(name).assembly
        assert assembly is not None
        tray = catalog.device(assembly.compute_tray)
        assert assembly.compute_trays * tray.gpu_count == 72
        assert assembly.compute_trays * assembly.switch_trays * assembly.links_per_pair == 1296
        assert sum(assembly.compute_tray in slot.takes for slot in assembly.slots) == 18
        assert sum(assembly.switch_tray in slot.takes for slot in assembly.slots) == 9


def test_two_switches_of_a_q3200_are_two_parts(catalog: Catalog) -> None:
    """XDR manual: ports of the two halves are not connected inside the box."""
    half = catalog.device("q3200-ra-switch")
    assert sum(row.port_count for row in half.cages if row.role == "data") == 36
    assert catalog.part("q3200-ra").kind == "reference"


def test_what_nobody_published_is_none(catalog: Catalog) -> None:
    figure = catalog.device("sn5400").figure("power_typical_w")
    assert figure.value is None
    assert figure.missing == ("power_typical_w of sn5400",)
    assert catalog.device("hgx-b200-smc-a22ga").cages == ()


def test_marks_of_single_figures(catalog: Catalog) -> None:
    qm9700 = catalog.device("qm9700")
    assert qm9700.grade("cages") == "A"
    assert qm9700.grade("power_max_w") == "B"
    assert catalog.device("sn2201").grade("power_planning_w") == "U"
    assert catalog.device("ufm-enterprise-ndr").grade("cages") == "U"
    assert catalog.device("dgx-b200").grade("airflow_m3_s") == "B"
    assert catalog.gpu("h100-pcie").grade("scale_up_bytes_s") == "U"


def test_conflicts_are_in_the_unit_of_their_field(catalog: Catalog) -> None:
    rows = {row.key: row.value for row in catalog.gpu("b200-sxm").conflicts}
    assert rows["memory_bytes"] == 192e9
    heat = {row.value for row in catalog.rack("gb300-nvl72").conflicts if row.key == "assembly.power_max_w"}
    assert {120_000, 135_000, 150_000} <= heat


def test_discontinued_parts_are_not_orderable(catalog: Catalog) -> None:
    """Vendor list of 2026-09-23."""
    for name in (
        "mcp7y10-nxxx",
        "mcp7y60-hxxx",
        "mcp7y70-hxxx",
        "mca7j60-nxxx",
        "mcp1650-h0xxeyy",
        "mfs1s50-hxxxv",
    ):
        assert not catalog.part(name).orderable, name
    for name in ("mcp4y10-nxxx", "mfs1s00-hxxxv", "mma4z00-ns"):
        assert catalog.part(name).orderable, name


@pytest.mark.parametrize(
    ("kind", "count"), [(GpuType, 19), (NicType, 13), (NvSwitchType, 5), (OpticType, 35), (CableType, 39)]
)
def test_how_many_there_are(catalog: Catalog, kind: type, count: int) -> None:
    assert len(catalog.of_kind(kind)) == count


def test_switches_and_servers(catalog: Catalog) -> None:
    devices = catalog.of_kind(DeviceType)
    assert sum(part.category == "switch" for part in devices) == 25
    assert sum(part.category == "gpu-server" for part in devices) == 23
