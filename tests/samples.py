"""Small hand-made parts and designs that tests share: published products in few words, figures as published.

DGX H100: 8U, eight 400G compute ports in four OSFP cages, 10.2 kW (DGX H100 user guide). QM9700: 1U, 32 OSFP cages
of two NDR ports (QM9700 manual). SN2201: 48 RJ45 and 4 QSFP28 (SN2201 specification). GB200 NVL72: 18 compute trays of
four GPUs and 9 NVLink switch trays of two chips (DGX GB200 user guide).
"""

from rackbuilder.catalog.load import Catalog
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
from rackbuilder.commands.base import Command
from rackbuilder.design.design import Design
from rackbuilder.design.integrity import new_misfits
from rackbuilder.design.patch import Patch
from rackbuilder.errors import ProblemError

H100 = GpuType(
    id="t-h100", name="H100", evidence="A", scale_up="nvlink", scale_up_bytes_s=450e9, pcie_generation=5
)
B200 = GpuType(
    id="t-b200", name="B200", evidence="A", scale_up="nvlink", scale_up_bytes_s=900e9, nvlink_links=18
)
NDR = LinkTechnology(
    id="t-ndr", name="InfiniBand NDR", protocol="infiniband", lossless=True, port_rates_bps=(400e9,)
)
ETH = LinkTechnology(id="t-eth", name="Ethernet 1G", protocol="ethernet", lossless=False)
ROCE = LinkTechnology(id="t-roce", name="Ethernet 400G", protocol="ethernet", lossless=True)

SERVER = DeviceType(
    id="t-server",
    name="DGX H100",
    category="gpu-server",
    evidence="A",
    u_height=8,
    gpus=GpuGroup(part="t-h100", count=8),
    nvswitch_chips=4,
    power_max_w=10_200,
    cages=(
        Cages(
            name="osfp",
            count=4,
            ports=2,
            connector="OSFP",
            top="flat",
            rate_bps=400e9,
            fabric="compute",
            protocols=("infiniband", "ethernet"),
            gpu_first=0,
        ),
        Cages(name="qsfp", count=2, connector="QSFP112", rate_bps=400e9, fabric="storage"),
        Cages(name="eth", count=2, connector="QSFP28", rate_bps=100e9, fabric="in-band"),
        Cages(name="bmc", count=1, connector="RJ45", rate_bps=1e9, role="bmc", fabric="out-of-band"),
    ),
)
SWITCH = DeviceType(
    id="t-qm9700",
    name="QM9700",
    category="switch",
    evidence="B",
    u_height=1,
    power_max_w=1_720,
    power_max_includes_optics=True,
    fabric_protocol="infiniband",
    technology="t-ndr",
    cages=(
        Cages(name="osfp", count=32, ports=2, connector="OSFP", top="finned", rate_bps=400e9, splits=(2,)),
        Cages(name="mgmt", count=1, connector="RJ45", rate_bps=1e9, role="management"),
        Cages(name="con", count=1, connector="RJ45", role="console"),
    ),
)
ROCE_SWITCH = DeviceType(
    id="t-roce-switch",
    name="SN5600",
    category="switch",
    u_height=2,
    fabric_protocol="ethernet",
    technology="t-roce",
    cages=(Cages(name="osfp", count=64, ports=2, connector="OSFP", top="finned", rate_bps=400e9),),
)
SLOW_SWITCH = DeviceType(
    id="t-slow-switch",
    name="QM8700",
    category="switch",
    u_height=1,
    fabric_protocol="infiniband",
    technology="t-ndr",
    cages=(Cages(name="osfp", count=40, connector="OSFP", rate_bps=200e9),),
)
OOB_SWITCH = DeviceType(
    id="t-sn2201",
    name="SN2201",
    category="switch",
    role="out-of-band",
    u_height=1,
    fabric_protocol="ethernet",
    technology="t-eth",
    cages=(
        Cages(name="rj", count=48, connector="RJ45", rate_bps=1e9),
        Cages(name="qsfp", count=4, connector="QSFP28", rate_bps=100e9),
    ),
)
SMALL_SWITCH = DeviceType(
    id="t-small-switch",
    name="Four-port switch",
    category="switch",
    u_height=1,
    fabric_protocol="infiniband",
    technology="t-ndr",
    cages=(Cages(name="osfp", count=4, connector="OSFP", top="finned", rate_bps=400e9),),
)
STORAGE = DeviceType(
    id="t-storage",
    name="Storage appliance",
    category="storage",
    u_height=2,
    cages=(Cages(name="p", count=2, connector="OSFP", rate_bps=400e9, fabric="storage"),),
)
PLAIN_SERVER = DeviceType(
    id="t-pcie-server",
    name="PCIe server",
    category="gpu-server",
    u_height=4,
    gpus=GpuGroup(part="t-h100", count=4),
    nvswitch_chips=0,
    cages=(Cages(name="osfp", count=1, connector="OSFP", rate_bps=400e9, fabric="compute"),),
)
HALF_U = DeviceType(id="t-half-u", name="Half-unit box", category="other", u_height=0.5)
ODD_U = DeviceType(id="t-odd-u", name="3.5U box", category="other", u_height=3.5)
ONE_U = DeviceType(id="t-one-u", name="1U box", category="other", u_height=1)
FOUR_U = DeviceType(id="t-four-u", name="4U box", category="other", u_height=4)
HALF_WIDE = DeviceType(id="t-half-wide", name="Half-width box", category="other", u_height=1, half_width=True)
HALF_DEEP = DeviceType(id="t-half-deep", name="Half-depth box", category="other", u_height=1, half_depth=True)
PDU = DeviceType(id="t-pdu", name="PDU", category="pdu", u_height=0)

TRAY = DeviceType(
    id="t-tray",
    name="GB200 compute tray",
    category="compute-tray",
    u_height=1,
    gpus=GpuGroup(part="t-b200", count=4),
    mounts_in=("t-nvl72",),
    cages=(Cages(name="osfp", count=4, connector="OSFP", rate_bps=400e9, fabric="compute", gpu_first=0),),
)
NVSWITCH_TRAY = DeviceType(
    id="t-nvswitch-tray",
    name="NVLink switch tray",
    category="nvlink-switch-tray",
    u_height=1,
    nvswitch_chips=2,
    mounts_in=("t-nvl72",),
)
NVL72 = RackType(
    id="t-nvl72",
    name="GB200 NVL72",
    u_height=48,
    width_mm=600,
    assembly=Assembly(
        compute_tray="t-tray",
        compute_trays=18,
        switch_tray="t-nvswitch-tray",
        switch_trays=9,
        links_per_pair=8,
        slots=(
            *(Slot(u=u, takes=("t-tray",), label=f"C{n:02d}") for n, u in enumerate(range(6, 16), 1)),
            *(Slot(u=u, takes=("t-nvswitch-tray",), label=f"N{n}") for n, u in enumerate(range(16, 25), 1)),
            *(Slot(u=u, takes=("t-tray",), label=f"C{n:02d}") for n, u in enumerate(range(25, 33), 11)),
        ),
    ),
)
MINI_TRAY = TRAY.model_copy(
    update={"id": "t-mini-tray", "name": "Small compute tray", "mounts_in": ("t-mini",)}
)
MINI_SWITCH = NVSWITCH_TRAY.model_copy(
    update={"id": "t-mini-nvsw", "name": "Small switch tray", "mounts_in": ("t-mini",)}
)
MINI = RackType(
    id="t-mini",
    name="Two trays and a switch",
    u_height=6,
    width_mm=600,
    assembly=Assembly(
        compute_tray="t-mini-tray",
        compute_trays=2,
        switch_tray="t-mini-nvsw",
        switch_trays=1,
        links_per_pair=8,
        slots=(
            Slot(u=1, takes=("t-mini-tray",), label="C1"),
            Slot(u=2, takes=("t-mini-nvsw",), label="N1"),
            Slot(u=3, takes=("t-mini-tray",), label="C2"),
        ),
    ),
)
"""No product: a rack system small enough for random edits."""
RACKS = {
    u: RackType(id=f"t-rack-{u}", name=f"Rack {u}U", u_height=u, width_mm=600) for u in (1, 42, 48, 52, 100)
}

DAC = CableType(
    id="t-dac",
    name="DAC 400G",
    form="dac",
    medium="passive-copper",
    a=PlugEnd(connector="OSFP", top="finned"),
    b=PlugEnd(connector="OSFP", top="finned"),
    rate_bps=400e9,
)
FIBRE = CableType(
    id="t-fibre",
    name="MPO fibre",
    form="fibre",
    medium="multimode",
    a=PlugEnd(connector="MPO-12"),
    b=PlugEnd(connector="MPO-12"),
)
CAT6 = CableType(
    id="t-cat6",
    name="Cat 6",
    form="copper",
    medium="twisted-pair",
    a=PlugEnd(connector="RJ45"),
    b=PlugEnd(connector="RJ45"),
)
OPTIC = OpticType(
    id="t-optic", name="Twin-port optic", connector="OSFP", top="finned", ports=2, rate_bps=400e9
)

PARTS: tuple[Part, ...] = (
    H100, B200, NDR, ETH, ROCE, SERVER, SWITCH, ROCE_SWITCH, SLOW_SWITCH, OOB_SWITCH, SMALL_SWITCH, STORAGE,
    PLAIN_SERVER, HALF_U, ODD_U, ONE_U, FOUR_U, HALF_WIDE, HALF_DEEP, PDU, TRAY, NVSWITCH_TRAY, NVL72,
    MINI_TRAY, MINI_SWITCH, MINI, *RACKS.values(), DAC, FIBRE, CAT6, OPTIC,
)  # fmt: skip
CATALOG: Catalog = Catalog({}).with_parts(PARTS)
"""The parts above alone, so that a test says all it rests on; ids begin with t-."""


def plan(design: Design, command: Command, catalog: Catalog = CATALOG) -> tuple[Patch, Design]:
    """What an open document does with a command: planned, applied, refused when it brings in a misfit."""
    patch = command.plan(design, catalog)
    after = design.apply(patch)
    problems = new_misfits(design, after, patch)
    if problems:
        raise ProblemError(*problems)
    return patch, after


def edited(design: Design, *commands: Command, catalog: Catalog = CATALOG) -> Design:
    """The design after some commands, one after the other."""
    for command in commands:
        design = plan(design, command, catalog)[1]
    return design


def built(*commands: Command, catalog: Catalog = CATALOG) -> Design:
    """A design made from nothing by some commands."""
    return edited(Design(), *commands, catalog=catalog)
