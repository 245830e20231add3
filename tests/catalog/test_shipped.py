"""The catalog that ships: complete, without a fault or a contradiction, and quick to read."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path

import pytest

from rackbuilder import resources
from rackbuilder.catalog.catalog import Catalog
from rackbuilder.catalog.load import load_catalog, shipped
from rackbuilder.catalog.parts import DeviceType, RackType
from rackbuilder.catalog.pcie import pcie_bytes_s
from rackbuilder.catalog.ports import ports_of
from rackbuilder.catalog.selfcheck import self_check
from rackbuilder.errors import InputError

# Every GPU, server, tray, chip, switch, card, cable, optic, rack, strip, shelf and coolant unit of the fact base.
IDS = """
a100-40-sxm a100-80-sxm h100-sxm h100-pcie h100-nvl h200-sxm h200-nvl b200-sxm b300-sxm gb200-gpu
gb300-gpu rubin-sxm l40s rtx-pro-6000-blackwell-server mi300x mi325x mi350x mi355x gaudi3-oam dgx-a100
dgx-h100 dgx-h200 dgx-b200 dgx-b300-psu dgx-b300-busbar hgx-h100-smc-821ge hgx-h100-dell-xe9680
hgx-b200-smc-a22ga hgx-b200-lenovo-sr680a-v3 gb200-compute-tray gb300-compute-tray mi300x-smc-8125
mi350x-smc-8126 mi355x-hpe-xd685-dlc pcie8-smc-421ge gaudi3-smc-822ga hgx-b300-smc-8126gs-nb3rt
hgx-h200-smc-8125gs-tnhr hgx-b200-dell-xe9680l hgx-b300-smc-822gs-nb3rt hgx-h200-cisco-c885a-m8
pcie8-rtxpro-smc-522ga pcie8-rtxpro-dell-xe7745 pcie8-rtxpro-hpe-dl380a-gen12 vera-rubin-compute-tray
ufm-enterprise-ndr ufm-xdr-gen35 ufm-xdr-dc ufm-enterprise-mua960 ufm-cyber-ai-mua9652
head-node-1u-generic head-node-2u-generic storage-ddn-ai400x2 storage-ddn-ai400x3
storage-pure-flashblade-s500 storage-wekapod-nitro-8 hgx-h100-8 hgx-b200-8 qm8700 qm8790 qm9700 qm9790
q3400-ra q3401-rd q3200-ra q3450-ld sn2201 sn3700 sn4600c sn4600 sn4700 sn5400 sn5600 sn5610 sn5600d
sn3420 sn4700d sn6600 sn6600-ld sn6810-ld arista-7060x6-64pe edgecore-as9817-64o cx6-vpi-1p cx7-1p-osfp
cx7-2p-qsfp112 cx7-1p-qsfp112 cx8-c8180 cx8-c8240 bf3-b3140h bf3-b3220 bf3-b3240 bf3-b3210 bf3-b3140l
cx9 cx9-c9240 nvswitch-1 nvswitch-2 nvswitch-3 nvswitch-4 nvswitch-6 nvlink5-switch-tray gb200-nvl72
gb300-nvl72 vera-rubin-nvl72 nvl36x2 dgx-gh200-256 mcp1600-e0xxeyy mcp1650-h0xxeyy mcp7h50-h0xxryy
mcp7h00-g0xxx mfs1s00-hxxxv mfs1s50-hxxxv 980-9i13n-00c0xx 980-9i54c-00v001 mcp7f80-w0xxryy mcp4y10-nxxx
mcp4y10-nxxx-flt mcp7y00-nxxx mcp7y00-nxxx-flt mcp7y10-nxxx mcp7y40-nxxx mcp7y50-nxxx mcp7y60-hxxx
mcp7y70-hxxx mca4j80-nxxx mca4j80-nxxx-flt mca4j80-nxxx-ftf mca7j60-nxxx mca7j65-nxxx mca7j70-nxxx
mca7j75-nxxx mfa7u10-h00x mfa7u10-h00x-flt mca4k00 mca4k50 mca7k10 mms1w50-hm mma1b00-c100d mms1v70-cm
980-9i17q-00cm00 980-9i251-00is00 980-9i71g-00j000 mms1v00-wm mma2p00-as mma4z00-ns mma4z00-ns-flt
mma4z00-ns-t mma4z00-ns400 mma4z00-ns400-t mma1z00-ns400 mma1z00-ns400-t mms4x00-ns mms4x00-ns-flt
mms4x00-ns-t mms4x00-nm mms4x00-nm-flt mms4x00-nm-t mms4x00-nm-hgx mms4x50-nm mms4x90-nr mms4x00-ns400
mms1x00-ns400 mms4x00-nm16 mms4a00 mms4a00-rhs mms4a20 mms4c10-xm800 mms4c10-ihs mms4c10-rhs mms4c11-ihs
mms4c11-rhs mms4b10-xm mfp7e10-nxxx mfp7e20-nxxx mfp7e30-nxxx mfp7e40-nxxx cat6-utp trunk-mpo12-sm-12f
trunk-mpo12-sm-72f trunk-mpo12-sm-144f trunk-mpo12-mm-144f panel-mpo-1u cassette-mpo-lc-12f 42u-600x1070
42u-600x1200 42u-750x1200 48u-750x1200 48u-800x1200 52u-700x1200 52u-800x1200 orv3-21in nvl72-mgx-48u
legrand-nvidpd13 mgx-rk-c10 raritan-px3-5878i2r apc-ap8886 raritan-px3-5747v-v2
servertech-pro3x-c3wg36rl-dqje2nt2 nvl72-33kw mgx-110kw orv3-15kw-18kw coolit-chx2000
vertiv-coolchip-range motivair-range supermicro-in-rack-nvl72 vertiv-coolchip-cdu-121 vertiv-xdu1350
motivair-mcdu-50 motivair-mcdu-60 vertiv-xdu600 vertiv-coolchip-cdu-2300 jetcool-rack-cdu-160
jetcool-rack-cdu-300 vertiv-pw170 supermicro-in-row supermicro-in-row-1800 supermicro-l2a-sidecar-200
hpe-in-row-1300 circuit-3ph-208v-30a circuit-3ph-208v-60a circuit-3ph-380v-32a circuit-3ph-400v-32a
circuit-3ph-400v-60a circuit-3ph-400v-63a circuit-3ph-415v-30a circuit-3ph-415v-32a circuit-3ph-415v-60a
circuit-1ph-230v-16a
""".split()  # noqa: SIM905  (a list of 228 strings is no easier to read)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return shipped()


def test_every_part_of_the_fact_base_is_there(catalog: Catalog) -> None:
    assert len(IDS) == len(set(IDS)) == 228
    assert [identity for identity in IDS if identity not in catalog.parts] == []


def test_no_fault_and_no_contradiction() -> None:
    catalog, problems = load_catalog([resources.path("catalog")])
    assert problems == ()
    assert self_check(catalog) == ()


def test_each_part_names_its_source_date_and_evidence(catalog: Catalog) -> None:
    for part in catalog.parts.values():
        assert part.sources, part.id
        assert part.name, part.id
        assert date.fromisoformat(part.revision) <= date.fromisoformat(catalog.date), part.id
        if part.evidence in ("A", "B"):
            assert set(part.sources) != {"general knowledge, not looked up"}, part.id


def test_parts_are_in_order_and_typed_look_ups_say_what_is_wrong(catalog: Catalog) -> None:
    assert list(catalog.parts) == sorted(catalog.parts)
    assert catalog.device("dgx-h100") is catalog.part("dgx-h100")
    with pytest.raises(InputError, match="Did you mean “dgx-h100”"):
        catalog.device("dgx-h10")
    with pytest.raises(InputError, match="qm9700 is a device, no rack"):
        catalog.rack("qm9700")
    assert catalog.gpu("h100-sxm").id == "h100-sxm"
    assert catalog.technology("infiniband-ndr").lossless


def test_closure_has_each_part_once_and_needs_first(catalog: Catalog) -> None:
    ids = [part.id for part in catalog.closure("gb200-nvl72", "dgx-h100", "qm9700")]
    assert len(ids) == len(set(ids))
    order = ["gb200-gpu", "gb200-compute-tray", "gb200-nvl72"]
    assert [identity for identity in ids if identity in order] == order
    assert ids.index("h100-sxm") < ids.index("dgx-h100")
    assert ids.index("infiniband-ndr") < ids.index("qm9700")
    assert ids == [part.id for part in catalog.closure("gb200-nvl72", "dgx-h100", "qm9700")]


def test_with_parts_adds_and_replaces_in_a_new_catalog(catalog: Catalog) -> None:
    other = catalog.part("qm9700").model_copy(update={"id": "qm9700-mine", "revision": "2027-01-01"})
    more = catalog.with_parts([other])
    assert more.part("qm9700-mine") is other
    assert more.date == "2027-01-01"
    assert "qm9700-mine" not in catalog.parts
    assert list(more.parts) == sorted(more.parts)


def test_racks_of_all_heights_that_templates_use(catalog: Catalog) -> None:
    heights = {rack.u_height for rack in catalog.of_kind(RackType) if rack.assembly is None}
    assert heights == {42, 48, 52}


def test_trays_mount_in_racks_only(catalog: Catalog) -> None:
    trays = [
        part
        for part in catalog.of_kind(DeviceType)
        if part.category in ("compute-tray", "nvlink-switch-tray", "power-shelf")
    ]
    assert all(part.mounts_in for part in trays)
    for tray in trays:
        for rack in tray.mounts_in:
            assembly = catalog.rack(rack).assembly
            assert assembly is not None
            assert any(tray.id in slot.takes for slot in assembly.slots)


def test_port_names_of_every_device_are_unique(catalog: Catalog) -> None:
    for part in catalog.of_kind(DeviceType):
        assert len(ports_of(part)) == sum(row.port_count for row in part.cages), part.id


def test_pcie_by_generation_and_lanes(catalog: Catalog) -> None:
    # ml-engineering, network/README.md: GB/s per direction after encoding.
    assert pcie_bytes_s(catalog, 4, 16) == 31.5e9
    assert pcie_bytes_s(catalog, 5, 16) == 63e9
    assert pcie_bytes_s(catalog, 6, 16) == 121e9
    assert pcie_bytes_s(catalog, 5, 8) == 31.5e9
    assert pcie_bytes_s(catalog, None, 16) is None
    assert pcie_bytes_s(catalog, 5, None) is None
    assert pcie_bytes_s(catalog, 9, 16) is None


def test_it_is_read_in_a_fraction_of_the_start_time() -> None:
    start = time.process_time()
    load_catalog([resources.path("catalog")])
    assert time.process_time() - start < 0.6


def test_files_say_what_they_hold_and_when_it_was_checked() -> None:
    for path in sorted(Path(resources.path("catalog")).glob("*.yaml")):
        head = path.read_text(encoding="utf-8").splitlines()[:2]
        assert head[0].startswith("about: "), path.name
        assert head[1].startswith("revision: 20"), path.name
