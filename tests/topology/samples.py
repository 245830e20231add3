"""Hand-made parts and designs for tests of the graph. Figures are those the makers publish (catalog sources)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rackbuilder.catalog.parts import (
    Assembly,
    Cages,
    DeviceType,
    GpuGroup,
    GpuType,
    LinkTechnology,
    Part,
    RackType,
    Slot,
)
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.patch import Patch
from rackbuilder.design.records import Cable, Device, End, Fabric, Rack

G = 1e9

H100 = GpuType(
    id="h100-sxm", name="H100 SXM", evidence="B", scale_up="nvlink", nvlink_generation=4, nvlink_links=18,
    scale_up_bytes_s=450 * G, pcie_generation=5, pcie_lanes=16,
)  # fmt: skip
B200 = GpuType(
    id="b200-sxm", name="B200 SXM", evidence="B", scale_up="nvlink", nvlink_generation=5, nvlink_links=18,
    scale_up_bytes_s=900 * G, pcie_generation=5, pcie_lanes=16,
)  # fmt: skip
GB200 = GpuType(
    id="gb200-gpu", name="GB200", evidence="B", scale_up="nvlink", nvlink_generation=5, nvlink_links=18,
    scale_up_bytes_s=900 * G, cpu_link_bytes_s=450 * G,
)  # fmt: skip
L40S = GpuType(
    id="l40s", name="L40S", evidence="B", scale_up="none", scale_up_bytes_s=0, pcie_generation=4, pcie_lanes=16,
    unverified=("pcie_generation",),
)  # fmt: skip
H100_NVL = GpuType(
    id="h100-nvl", name="H100 NVL", evidence="B", scale_up="nvlink", nvlink_generation=4, scale_up_bytes_s=300 * G,
    pcie_generation=5, pcie_lanes=16,
)  # fmt: skip
MI300X = GpuType(
    id="mi300x", name="MI300X", evidence="B", scale_up="infinity-fabric", scale_up_bytes_s=448 * G,
    scale_up_peer_bytes_s=64 * G, pcie_generation=5, pcie_lanes=16,
)  # fmt: skip
MYSTERY = GpuType(id="mystery-gpu", name="A GPU of which nothing is known")


def server_type(identity: str, gpu: str, chips: int | None, **fields: Any) -> DeviceType:
    """A DGX-like server: four twin-port OSFP cages to eight GPUs, two QSFP112 for storage, a BMC port."""
    cages = (
        Cages(
            name="osfp", count=4, connector="OSFP", top="flat", ports=2, rate_bps=400 * G, fabric="compute",
            gpu_first=0,
        ),
        Cages(name="stor", count=2, connector="QSFP112", rate_bps=400 * G, fabric="storage"),
        Cages(name="bmc", count=1, connector="RJ45", rate_bps=1 * G, role="bmc", fabric="out-of-band"),
    )  # fmt: skip
    given: dict[str, Any] = {
        "category": "gpu-server", "u_height": 8, "cages": cages, "gpus": GpuGroup(part=gpu, count=8),
        "nvswitch_chips": chips, "cpu_count": 2, "evidence": "A",
    }  # fmt: skip
    return DeviceType(id=identity, name=identity, **{**given, **fields})


DGX_H100 = server_type("dgx-h100", "h100-sxm", 4)
DGX_B200 = server_type("dgx-b200", "b200-sxm", 2)
L40S_SERVER = server_type("pcie8-l40s", "l40s", 0)
NVL_SERVER = server_type("pcie8-h100-nvl", "h100-nvl", 0)
MI300X_SERVER = server_type("mi300x-8", "mi300x", 0)
MYSTERY_SERVER = server_type("mystery-server", "mystery-gpu", None, cages=())
SXM_UNSAID = server_type("hgx-b200-unsaid", "b200-sxm", None)

TRAY = DeviceType(
    id="gb200-compute-tray", name="GB200 tray", category="compute-tray", u_height=1, evidence="B",
    gpus=GpuGroup(part="gb200-gpu", count=4), cpu_count=2, mounts_in=("gb200-nvl72",),
    cages=(
        Cages(name="osfp", count=4, connector="OSFP", rate_bps=400 * G, fabric="compute", gpu_first=0),
        Cages(name="bmc", count=1, connector="RJ45", rate_bps=1 * G, role="bmc"),
    ),
)  # fmt: skip
NVSW = DeviceType(
    id="nvlink5-switch-tray", name="NVLink switch tray", category="nvlink-switch-tray", u_height=1,
    nvswitch_chips=2, mounts_in=("gb200-nvl72",),
    cages=(Cages(name="bmc", count=1, connector="RJ45", rate_bps=1 * G, role="bmc"),),
)  # fmt: skip
QM9700 = DeviceType(
    id="qm9700", name="QM9700", category="switch", u_height=1, fabric_protocol="infiniband", evidence="B",
    technology="infiniband-ndr",
    cages=(
        Cages(name="osfp", count=32, connector="OSFP", top="finned", ports=2, rate_bps=400 * G, splits=(2,)),
        Cages(name="mgmt", count=1, connector="RJ45", rate_bps=1 * G, role="management"),
    ),
)  # fmt: skip
SN2201 = DeviceType(
    id="sn2201", name="SN2201", category="switch", u_height=1, fabric_protocol="ethernet",
    technology="ethernet", role="out-of-band", evidence="B",
    cages=(
        Cages(name="rj", count=48, connector="RJ45", rate_bps=1 * G),
        Cages(name="qsfp", count=4, connector="QSFP28", rate_bps=100 * G),
        Cages(name="mgmt", count=1, connector="RJ45", rate_bps=1 * G, role="management"),
    ),
)  # fmt: skip
BLIND = DeviceType(
    id="blind-switch", name="A switch that says no rate", category="switch", u_height=1,
    cages=(Cages(name="port", count=16, connector="unknown"),),
)  # fmt: skip
UFM = DeviceType(
    id="ufm", name="Fabric manager", category="management-server", u_height=1,
    cages=(Cages(name="osfp", count=2, connector="OSFP", rate_bps=400 * G),),
)  # fmt: skip
STORE = DeviceType(
    id="store", name="Storage", category="storage", u_height=2,
    cages=(Cages(name="qsfp", count=4, connector="QSFP112", rate_bps=200 * G),),
)  # fmt: skip

RACK = RackType(id="rack-48u", name="48U rack", u_height=48)
NVL72 = RackType(
    id="gb200-nvl72", name="GB200 NVL72", u_height=48,
    assembly=Assembly(
        compute_tray="gb200-compute-tray", compute_trays=18, switch_tray="nvlink5-switch-tray", switch_trays=9,
        links_per_pair=8,
        slots=tuple(
            Slot(u=u, takes=("nvlink5-switch-tray" if 18 <= u <= 26 else "gb200-compute-tray",))
            for u in range(8, 35)
        ),
    ),
)  # fmt: skip
NDR = LinkTechnology(id="infiniband-ndr", name="NDR", protocol="infiniband", lossless=True)
ETHERNET = LinkTechnology(id="ethernet", name="Ethernet", protocol="ethernet", lossless=False)

PARTS: tuple[Part, ...] = (
    H100, B200, GB200, L40S, H100_NVL, MI300X, MYSTERY, DGX_H100, DGX_B200, L40S_SERVER, NVL_SERVER, MI300X_SERVER,
    MYSTERY_SERVER, SXM_UNSAID, TRAY, NVSW, QM9700, SN2201, BLIND, UFM, STORE, RACK, NVL72, NDR, ETHERNET,
)  # fmt: skip


class Site:
    """A design in the making, with short words for what tests draw."""

    def __init__(self, base: Design | None = None, fabrics: Iterable[str] = ("compute",)) -> None:
        self.base = base or Design()
        self.draft = Draft(self.base)
        self.draft.use_parts(PARTS)
        for name in fabrics:
            self.fabric(name)

    def fabric(self, name: str, **fields: Any) -> None:
        if name not in self.draft.fabrics:
            roles = (name,) if name in ("compute", "storage", "in-band", "out-of-band") else ("compute",)
            given = {"technology": "infiniband-ndr", "roles": roles, **fields}
            self.draft.put("fabrics", Fabric(id=name, **given))

    def device(self, identity: str, type_: str, **fields: Any) -> str:
        self.draft.put("devices", Device(id=identity, type=type_, **fields))
        return identity

    def switch(self, identity: str, fabric: str = "compute", type_: str = "qm9700", **fields: Any) -> str:
        return self.device(identity, type_, fabric=fabric, **fields)

    def cable(self, a: str, a_port: str, b: str, b_port: str, **fields: Any) -> str:
        identity = self.draft.new_id("cbl")
        self.draft.put("cables", Cable(id=identity, a=End(a, a_port), b=End(b, b_port), **fields))
        return identity

    def rail(self, server: str, rail: int, leaf: str, port: int, **fields: Any) -> str:
        """Server NIC `rail` (0–7) to port `port` (0–63) of a leaf."""
        return self.cable(server, twin(rail), leaf, twin(port), **fields)

    def done(self) -> Design:
        return self.base.apply(self.draft.patch("drawn"))

    def patch(self) -> Patch:
        return self.draft.patch("drawn")


def twin(port: int) -> str:
    """Port n of a row of twin-port cages."""
    return f"osfp{port // 2 + 1}/{port % 2 + 1}"


def superpod(
    units: int,
    servers: int | None = None,
    spines: int | None = None,
    manager: bool = False,
    server_type: str = "dgx-h100",
    extra: bool = False,
) -> Design:
    """Scalable units of 32 servers: eight rail leaves each; two tiers up to 8 units, three from 16.

    Two tiers: every leaf to every spine, 32 uplinks. Three: pods of four units, the four leaves of a rail with four
    spines, each spine to half of the cores. `manager`: four links of a fabric manager on the last unit's leaves.
    `extra` adds storage, in-band and out-of-band networks.
    """  # fmt: skip
    site = Site(fabrics=("compute", "storage", "in-band", "out-of-band") if extra else ("compute",))
    count = 32 * units if servers is None else servers
    leaves = [[site.switch(f"leaf-{8 * u + r + 1:03d}") for r in range(8)] for u in range(units)]
    for n in range(count):
        name = site.device(f"srv-{n + 1:04d}", server_type)
        for rail in range(8):
            site.rail(name, rail, leaves[n // 32][rail], n % 32)
    if manager:
        for n in range(2):
            name = site.device(f"ufm-{n + 1:02d}", "ufm")
            for port in range(2):
                site.cable(name, f"osfp{port + 1}/1", leaves[-1][2 * n + port], twin(31))
    if units <= 8:
        _two_tiers(site, [leaf for row in leaves for leaf in row], spines or 4 * units)
    else:
        _three_tiers(site, leaves)
    if extra:
        _extra(site, count)
    return site.done()


def _two_tiers(site: Site, leaves: list[str], spines: int) -> None:
    names = [site.switch(f"spine-{s + 1:03d}") for s in range(spines)]
    each = 32 // spines
    for index, leaf in enumerate(leaves):
        for s, spine in enumerate(names):
            for k in range(each):
                site.cable(leaf, twin(32 + s * each + k), spine, twin(index * each + k))


def _three_tiers(site: Site, leaves: list[list[str]]) -> None:
    pods = len(leaves) // 4
    half = pods * 8  # two halves of the cores, 8 for each pod
    cores = [site.switch(f"core-{c + 1:03d}") for c in range(2 * half)]
    used = dict.fromkeys(cores, 0)
    for pod in range(pods):
        for rail in range(8):
            for s in range(4):
                spine = site.switch(f"spine-{32 * pod + 4 * rail + s + 1:03d}")
                for u in range(4):
                    leaf = leaves[4 * pod + u][rail]
                    for k in range(8):
                        site.cable(leaf, twin(32 + 8 * s + k), spine, twin(8 * u + k))
                mine = cores[:half] if s % 2 == 0 else cores[half:]
                for k in range(32):
                    core = mine[k % half]
                    site.cable(spine, twin(32 + k), core, twin(used[core]))
                    used[core] += 1


def _extra(site: Site, servers: int) -> None:
    for fabric, ports in (("storage", ("stor1/1",)), ("in-band", ("stor2/1",)), ("out-of-band", ("bmc1/1",))):
        kind = "sn2201" if fabric == "out-of-band" else "qm9700"
        each = 40 if fabric == "out-of-band" else 32
        spines = [site.switch(f"{fabric}-spine-{n}", fabric) for n in (1, 2)]
        for index in range(-(-servers // each)):
            leaf = site.switch(f"{fabric}-leaf-{index + 1:03d}", fabric, kind)
            for s, spine in enumerate(spines if index < 64 else ()):
                port = f"qsfp{s + 1}/1" if kind == "sn2201" else twin(60 + s)
                site.cable(leaf, port, spine, twin(index))
            for n in range(index * each, min(servers, (index + 1) * each)):
                for p in ports:
                    end = f"rj{n % each + 1}/1" if kind == "sn2201" else twin(n % each)
                    site.cable(f"srv-{n + 1:04d}", p, leaf, end)


def nvl72(site: Site, rack: str = "rack-01", trays: int = 18, switches: int = 9) -> list[str]:
    """A rack assembly with some of its trays, from the bottom of their slots."""
    site.draft.put("racks", Rack(id=rack, type="gb200-nvl72"))
    names = []
    compute = [u for u in range(8, 35) if not 18 <= u <= 26]
    for n in range(trays):
        names.append(
            site.device(f"{rack}-tray-{n + 1:02d}", "gb200-compute-tray", rack=rack, u=float(compute[n]))
        )
    for n in range(switches):
        site.device(f"{rack}-nvsw-{n + 1:02d}", "nvlink5-switch-tray", rack=rack, u=float(18 + n))
    return names
