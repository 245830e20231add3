"""Parts and designs for tests of power, cooling, plugs and the bill of materials. Figures as published.

DGX H100: 10.2 kW, 1,105 CFM, 130.45 kg (user guide). QM9700: 747 W with passive cables, 1,720 W with optics in all
cages, 14.8 kg. MMA4Z00-NS: 15 W typical, 17 W at most. GB200 NVL72: 132 kW, 115 of it to liquid, 17 to air, 1,360 kg;
compute tray 6.3 kW; NVLink switch tray 1.24 kW.
"""

from __future__ import annotations

from typing import Any

from rackbuilder.analysis.bom import BOM
from rackbuilder.analysis.cabling.lengths import LENGTHS
from rackbuilder.analysis.cabling.media import MEDIA
from rackbuilder.analysis.cabling.plugs import PLUGS
from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.fabric.compiled import COMPILED
from rackbuilder.analysis.facility.cooling import COOLING
from rackbuilder.analysis.facility.power import POWER
from rackbuilder.analysis.report import Report
from rackbuilder.catalog.parts import (
    Assembly,
    CableType,
    Cages,
    DeviceType,
    GpuGroup,
    GpuType,
    LinkTechnology,
    OpticType,
    Part,
    PlugEnd,
    RackType,
    Slot,
)
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable, Device, End, Fabric, Override, Plug, Policy, Rack
from rackbuilder.topology.graphs import build_graphs

CFM_M3_S = 0.3048**3 / 60
"""One cubic foot a minute."""
G = 1e9
RJ45 = Cages(name="mgmt", count=1, connector="RJ45", rate_bps=1 * G, role="management")
FINNED = Cages(name="osfp", count=32, connector="OSFP", top="finned", ports=2, rate_bps=400 * G)
FLAT = Cages(
    name="osfp",
    count=4,
    connector="OSFP",
    top="flat",
    ports=2,
    rate_bps=400 * G,
    fabric="compute",
    gpu_first=0,
)

H100 = GpuType(
    id="h100", name="H100 SXM", evidence="A", scale_up="nvlink", nvlink_links=18, scale_up_bytes_s=450 * G,
    pcie_generation=5, pcie_lanes=16, bf16_flops=989e12,
)  # fmt: skip
GB200 = GpuType(
    id="gb200", name="GB200 GPU", evidence="B", scale_up="nvlink", nvlink_links=18, scale_up_bytes_s=900 * G
)
SERVER = DeviceType(
    id="dgx-h100", name="DGX H100", category="gpu-server", evidence="A", u_height=8, cages=(FLAT, RJ45),
    gpus=GpuGroup(part="h100", count=8), nvswitch_chips=4, power_max_w=10_200, weight_kg=130.45, cooling="air",
    liquid_heat_fraction=0.0, airflow_m3_s=1105 * CFM_M3_S, part_number="DGXH-G640F+P2CMI36", confirmed_by_vendor=True,
)  # fmt: skip
QM9700 = DeviceType(
    id="qm9700", name="QM9700", category="switch", evidence="B", u_height=1, cages=(FINNED, RJ45),
    technology="infiniband-ndr", fabric_protocol="infiniband", power_max_w=1720, power_max_includes_optics=True,
    power_typical_w=747, power_typical_includes_optics=False, weight_kg=14.8, airflow_options=("P2C", "C2P"),
    part_number="920-9B210-00FN-0M0",
)  # fmt: skip
QM8700 = DeviceType(
    id="qm8700", name="QM8700", category="switch", evidence="C", u_height=1, power_typical_w=253,
    power_planning_w=493, unverified=("power_typical_w", "power_planning_w"), status="legacy", cooling="air",
    cages=(Cages(name="qsfp", count=40, connector="QSFP56", rate_bps=200 * G),), technology="infiniband-ndr",
)  # fmt: skip
BARE_SWITCH = DeviceType(
    id="bare-switch", name="Switch that says no more", category="switch", evidence="D", u_height=1, power_max_w=500,
    cages=(FINNED,), technology="infiniband-ndr", cooling="air",
)  # fmt: skip
HCA_SERVER = DeviceType(
    id="hca-server", name="Server with four single-port cards", category="gpu-server", evidence="B", u_height=2,
    gpus=GpuGroup(part="h100", count=4), nvswitch_chips=0, liquid_heat_fraction=None, cooling="liquid",
    cages=(Cages(name="hca", count=4, connector="OSFP", top="flat", rate_bps=400 * G, fabric="compute"),),
)  # fmt: skip
PDU = DeviceType(id="pdu", name="Rack PDU", category="pdu", evidence="B", u_height=0)
TRAY = DeviceType(
    id="tray", name="GB200 tray", category="compute-tray", evidence="B", u_height=1, power_max_w=6300,
    power_typical_w=5800, gpus=GpuGroup(part="gb200", count=4), cooling="hybrid", liquid_heat_fraction=0.87,
    unverified=("power_max_w",), mounts_in=("nvl72",),
    cages=(Cages(name="osfp", count=4, connector="OSFP", top="flat", rate_bps=400 * G, fabric="compute", gpu_first=0),),
)  # fmt: skip
NVSW = DeviceType(
    id="nvsw", name="NVLink switch tray", category="nvlink-switch-tray", evidence="B", u_height=1, power_max_w=1240,
    nvswitch_chips=2, cooling="liquid", liquid_heat_fraction=1.0, mounts_in=("nvl72",),
)  # fmt: skip
SHELF = DeviceType(
    id="shelf", name="33 kW shelf", category="power-shelf", evidence="B", u_height=1, mounts_in=("nvl72",)
)
RACK = RackType(
    id="52u", name="52U rack", evidence="C", u_height=52, width_mm=700, empty_weight_kg=185.5, static_load_kg=1500,
    power_limit_w=44_000,
)  # fmt: skip
BARE_RACK = RackType(id="plain", name="Rack of no maker", evidence="U", u_height=42)
COMPUTE_U = (*range(10, 20), *range(29, 37))
NVL72 = RackType(
    id="nvl72", name="GB200 NVL72", evidence="B", u_height=48, loaded_weight_kg=1360,
    assembly=Assembly(
        compute_tray="tray", compute_trays=18, switch_tray="nvsw", switch_trays=9, links_per_pair=8,
        power_max_w=132_000, heat_liquid_w=115_000, heat_air_w=17_000, liquid_heat_fraction=0.87, coolant_rise_k=10,
        slots=(
            *(Slot(u=u, takes=("tray",)) for u in COMPUTE_U),
            *(Slot(u=u, takes=("nvsw",)) for u in range(20, 29)),
            *(Slot(u=u, takes=("shelf",)) for u in (2, 3, 4, 5)),
        ),
    ),
)  # fmt: skip
NDR = LinkTechnology(
    id="infiniband-ndr", name="InfiniBand NDR", evidence="A", protocol="infiniband", lossless=True
)

FINNED_OPTIC = OpticType(
    id="mma4z00-ns", name="MMA4Z00-NS", evidence="A", connector="OSFP", top="finned", ports=2, rate_bps=400 * G,
    power_typical_w=15, power_max_w=17, part_number="980-9I510-00NS00", medium="multimode",
)  # fmt: skip
FLAT_OPTIC = OpticType(
    id="mma4z00-ns-flt", name="MMA4Z00-NS-FLT", evidence="A", connector="OSFP", top="flat", ports=2, rate_bps=400 * G,
    power_max_w=17, part_number="980-9I51A-00NS00", medium="multimode",
)  # fmt: skip
FIBRE = CableType(
    id="mfp7e10", name="MFP7E10-Nxxx", evidence="B", form="fibre", medium="multimode", a=PlugEnd(connector="MPO-12"),
    b=PlugEnd(connector="MPO-12"), lengths_m=(3, 5, 10, 20, 30),
)  # fmt: skip
TWIN_DAC = CableType(
    id="mcp4y10", name="MCP4Y10-Nxxx", evidence="B", form="dac", medium="passive-copper", links=2, rate_bps=400 * G,
    a=PlugEnd(connector="OSFP", top="finned", links=2, power_w=0.1),
    b=PlugEnd(connector="OSFP", top="finned", links=2, power_w=0.1), lengths_m=(0.5, 1, 1.5, 2),
    part_numbers=("980-9IA0K-00N00A", "980-9IA0F-00N001", "980-9IA0Q-00N01A", "980-9IA0I-00N002"),
)  # fmt: skip
ACTIVE = TWIN_DAC.model_copy(
    update={
        "id": "mca4j80", "name": "MCA4J80-Nxxx", "form": "acc", "medium": "active-copper", "part_numbers": (),
        "lengths_m": (3.0, 4.0, 5.0), "a": PlugEnd(connector="OSFP", top="finned", links=2, power_w=1.5),
        "b": PlugEnd(connector="OSFP", top="finned", links=2, power_w=1.5),
    }
)  # fmt: skip
SPLITTER = CableType(
    id="mca7j60", name="MCA7J60-Nxxx", evidence="B", form="splitter-acc", medium="active-copper", links=2,
    a=PlugEnd(connector="OSFP", top="finned", links=2, power_w=1.5),
    b=PlugEnd(connector="OSFP", top="flat", count=2, power_w=0.6), lengths_m=(4, 5), orderable=False,
    status="no longer for sale (vendor list, 2026-09-23)",
)  # fmt: skip
AOC = CableType(
    id="mfs1s00", name="MFS1S00-HxxxV", evidence="B", form="aoc", medium="active-optical", rate_bps=200 * G,
    a=PlugEnd(connector="QSFP56", power_w=4.5), b=PlugEnd(connector="QSFP56", power_w=4.5),
    unverified=("a.power_w", "b.power_w"), lengths_m=(3, 5, 10),
)  # fmt: skip
CAT6 = CableType(
    id="cat6", name="Cat 6", evidence="U", form="copper", medium="twisted-pair", a=PlugEnd(connector="RJ45"),
    b=PlugEnd(connector="RJ45"),
)  # fmt: skip

PARTS: tuple[Part, ...] = (
    H100, GB200, SERVER, QM9700, QM8700, BARE_SWITCH, HCA_SERVER, PDU, TRAY, NVSW, SHELF, RACK, BARE_RACK, NVL72, NDR,
    FINNED_OPTIC, FLAT_OPTIC, FIBRE, TWIN_DAC, ACTIVE, SPLITTER, AOC, CAT6,
)  # fmt: skip


class Room:
    """A design in the making."""

    def __init__(self, base: Design | None = None) -> None:
        self.base = base or Design()
        self.draft = Draft(self.base)
        self.draft.use_parts(PARTS)
        if "compute" not in self.draft.fabrics:
            self.fabric("compute")

    def fabric(self, name: str, **fields: Any) -> None:
        self.draft.put(
            "fabrics", Fabric(id=name, technology="infiniband-ndr", **{"roles": (name,), **fields})
        )

    def rack(self, identity: str, type_: str = "52u", **fields: Any) -> str:
        self.draft.put("racks", Rack(id=identity, type=type_, **fields))
        return identity

    def device(self, identity: str, type_: str, **fields: Any) -> str:
        self.draft.put("devices", Device(id=identity, type=type_, **fields))
        return identity

    def switch(self, identity: str, type_: str = "qm9700", **fields: Any) -> str:
        return self.device(identity, type_, **{"fabric": "compute", **fields})

    def cable(self, a: str, b: str, **fields: Any) -> str:
        """Ends as “leaf-01:osfp1/1”."""
        identity = self.draft.new_id("cbl")
        ends = {"a": End(*a.split(":")), "b": End(*b.split(":"))}
        self.draft.put("cables", Cable(id=identity, **ends, **fields))
        return identity

    def plug(self, cage: str, part: str = "mma4z00-ns") -> None:
        self.draft.put("plugs", Plug(id=cage, part=part))

    def set(self, key: str, value: float, reason: str = "") -> None:
        self.draft.put("overrides", Override(id=key, value=value, reason=reason))

    def policy(self, name: str, value: Any) -> None:
        self.draft.put("policies", Policy(id=name, value=value))

    def nvl72(self, identity: str = "rack-01", trays: int = 18, switches: int = 9, shelves: int = 4) -> str:
        self.rack(identity, "nvl72")
        for n in range(trays):
            self.device(f"{identity}-tray-{n + 1:02d}", "tray", rack=identity, u=COMPUTE_U[n])
        for n in range(switches):
            self.device(f"{identity}-nvsw-{n + 1}", "nvsw", rack=identity, u=20 + n)
        for n in range(shelves):
            self.device(f"{identity}-shelf-{n + 1}", "shelf", rack=identity, u=2 + n)
        return identity

    def done(self) -> Design:
        return self.base.apply(self.draft.patch("drawn"))

    def report(self) -> Report:
        return report_of(self.done())


FACILITY = (COMPILED, LENGTHS, MEDIA, PLUGS, POWER, COOLING, BOM)


def report_of(design: Design) -> Report:
    """The results of this folder, as an open document would show them."""
    return Report(0, Engine(FACILITY).run(design, build_graphs(design)))
