"""Hand-made parts and designs for tests of drawings: small copies of published products, figures as published."""

from rackbuilder.catalog.parts import (
    Assembly,
    Cages,
    DeviceType,
    GpuGroup,
    GpuType,
    LinkTechnology,
    Outlets,
    Part,
    RackType,
    Slot,
    Supplies,
)
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable, Device, End, Fabric, Group, Rack, Space

H100 = GpuType(id="h100", name="H100", memory_bytes=80e9, scale_up="nvlink", scale_up_bytes_s=450e9)
B200 = GpuType(id="b200", name="B200", memory_bytes=186e9, scale_up="nvlink", scale_up_bytes_s=900e9)
NDR = LinkTechnology(id="infiniband-ndr", name="InfiniBand NDR", protocol="infiniband", lossless=True)
ETHERNET = LinkTechnology(id="ethernet", name="Ethernet", protocol="ethernet", lossless=False)

SERVER = DeviceType(
    id="dgx-h100",
    name="DGX H100",
    category="gpu-server",
    u_height=8,
    gpus=GpuGroup(part="h100", count=8),
    nvswitch_chips=4,
    cpu_count=2,
    power_max_w=10_200,
    weight_kg=130.45,
    supplies=Supplies(count=6, needed=4),
    cages=(
        Cages(name="osfp", count=4, ports=2, connector="OSFP", rate_bps=400e9, fabric="compute", gpu_first=0),
        Cages(name="qsfp", count=2, ports=1, connector="QSFP112", rate_bps=400e9, fabric="storage"),
        Cages(name="eth", count=2, ports=1, connector="QSFP112", rate_bps=100e9, fabric="in-band"),
        Cages(name="bmc", count=1, connector="RJ45", rate_bps=1e9, role="bmc", fabric="out-of-band"),
    ),
)
SWITCH = DeviceType(
    id="qm9700",
    name="QM9700",
    category="switch",
    u_height=1,
    fabric_protocol="infiniband",
    technology="infiniband-ndr",
    power_max_w=1_720,
    cages=(Cages(name="osfp", count=32, ports=2, connector="OSFP", rate_bps=400e9),),
    supplies=Supplies(count=2),
)
ETH_SWITCH = DeviceType(
    id="sn4600c",
    name="SN4600C",
    category="switch",
    u_height=2,
    fabric_protocol="ethernet",
    technology="ethernet",
    cages=(Cages(name="qsfp", count=64, connector="QSFP28", rate_bps=100e9),),
)
OOB_SWITCH = DeviceType(
    id="sn2201",
    name="SN2201",
    category="switch",
    role="out-of-band",
    u_height=1,
    fabric_protocol="ethernet",
    technology="ethernet",
    cages=(Cages(name="rj", count=48, connector="RJ45", rate_bps=1e9),),
)
MANAGER = DeviceType(
    id="ufm",
    name="UFM 3.5",
    category="management-server",
    u_height=1,
    cages=(Cages(name="qsfp", count=1, ports=2, connector="QSFP112", rate_bps=400e9, fabric="compute"),),
)
MANAGEMENT = DeviceType(id="mgmt", name="Management server", category="management-server", u_height=2)
STORAGE = DeviceType(
    id="stg",
    name="Storage appliance",
    category="storage",
    u_height=4,
    cages=(Cages(name="qsfp", count=8, connector="QSFP112", rate_bps=400e9, fabric="storage"),),
)
PDU = DeviceType(
    id="pdu",
    name="PDU 60 A",
    category="pdu",
    u_height=0,
    outlets=Outlets(usable_va=34_500, sockets={"C19": 18, "C13": 6}),
)
CDU = DeviceType(id="cdu", name="CDU", category="cdu", u_height=12)
SHELF = DeviceType(
    id="shelf", name="Power shelf", category="power-shelf", u_height=1, supplies=Supplies(count=6)
)
HALF = DeviceType(id="half", name="Half-width box", category="other", u_height=1, half_width=True)
RACK = RackType(id="rack-52u", name="Rack 52U", u_height=52, power_limit_w=44_000, static_load_kg=1_020)
RACK_48 = RackType(id="rack-48u", name="Rack 48U", u_height=48, power_limit_w=44_000)
TRAY = DeviceType(
    id="gb200-tray",
    name="GB200 compute tray",
    category="compute-tray",
    u_height=1,
    gpus=GpuGroup(part="b200", count=4),
    mounts_in=("nvl72",),
    cages=(Cages(name="osfp", count=4, connector="OSFP", rate_bps=400e9, fabric="compute", gpu_first=0),),
)
NVSWITCH = DeviceType(
    id="nvswitch-tray",
    name="NVLink switch tray",
    category="nvlink-switch-tray",
    u_height=1,
    nvswitch_chips=2,
    mounts_in=("nvl72",),
)
_TRAYS = [
    *((u, SHELF.id, f"shelf {n}") for n, u in enumerate((2, 3, 4, 5), 1)),
    *((u, TRAY.id, f"C{n:02d}") for n, u in enumerate(range(6, 16), 1)),
    *((u, NVSWITCH.id, f"N{n}") for n, u in enumerate(range(16, 25), 1)),
    *((u, TRAY.id, f"C{n:02d}") for n, u in enumerate(range(25, 33), 11)),
    *((u, SHELF.id, f"shelf {n}") for n, u in enumerate((33, 34, 35, 36), 5)),
]
NVL72 = RackType(
    id="nvl72",
    name="GB200 NVL72",
    u_height=48,
    power_limit_w=140_000,
    assembly=Assembly(
        compute_tray=TRAY.id,
        compute_trays=18,
        switch_tray=NVSWITCH.id,
        switch_trays=9,
        links_per_pair=8,
        slots=tuple(Slot(u=u, takes=(part,), label=label) for u, part, label in _TRAYS),
        power_max_w=132_000,
    ),
)
PARTS: tuple[Part, ...] = (
    H100, B200, NDR, ETHERNET, SERVER, SWITCH, ETH_SWITCH, OOB_SWITCH, MANAGER, MANAGEMENT, STORAGE, PDU, CDU, SHELF,
    HALF, RACK, RACK_48, TRAY, NVSWITCH, NVL72,
)  # fmt: skip


def draft() -> Draft:
    """An empty draft that knows the sample parts."""
    scratch = Draft(Design(), generating=True)
    scratch.use_parts(PARTS)
    return scratch


def finished(scratch: Draft) -> Design:
    return Design().apply(scratch.patch("sample"))


class Cabler:
    """Gives out the next free port of each device and numbers the cables."""

    def __init__(self, scratch: Draft) -> None:
        self._draft, self._next = scratch, dict[tuple[str, str], int]()

    def port(self, device: str, cage: str, per_cage: int) -> str:
        n = self._next[device, cage] = self._next.get((device, cage), -1) + 1
        return f"{cage}{n // per_cage + 1}/{n % per_cage + 1}"

    def join(self, a: str, a_port: str, b: str, b_port: str) -> None:
        self._draft.put("cables", Cable(id=self._draft.new_id("cbl"), a=End(a, a_port), b=End(b, b_port)))


def superpod(units: int = 4, spare: int = 1, per_unit: int = 32, spines: int = 16) -> Design:
    """A rail-optimised pod as published for DGX H100: 32 servers and 8 leaves a unit, `spare` servers left out."""
    scratch = draft()
    scratch.put("spaces", Space(id="hall", name="Hall 1"))
    scratch.put("fabrics", Fabric(id="compute", technology="infiniband-ndr", roles=("compute",)))
    scratch.put("fabrics", Fabric(id="storage", technology="infiniband-ndr", roles=("storage",)))
    scratch.put("fabrics", Fabric(id="in-band", technology="ethernet", roles=("in-band",)))
    scratch.put("fabrics", Fabric(id="out-of-band", technology="ethernet", roles=("out-of-band",)))
    cabler = Cabler(scratch)
    _spines(scratch, spines)
    left = units * per_unit - spare
    for unit in range(units):
        count = min(per_unit, left)
        left -= count
        _unit(scratch, cabler, unit, count)
    for leaf in range(1, 8 * units + 1):
        for spine in range(1, spines + 1):
            for _ in range(32 // spines):
                _switches(cabler, f"L{leaf:02d}", f"S{spine:02d}")
    _beside(scratch, cabler, units)
    return finished(scratch)


def _switches(cabler: Cabler, leaf: str, spine: str) -> None:
    cabler.join(leaf, cabler.port(leaf, "osfp", 2), spine, cabler.port(spine, "osfp", 2))


def _spines(scratch: Draft, spines: int) -> None:
    for n in range(1, spines + 1):
        scratch.put("devices", Device(id=f"S{n:02d}", type="qm9700", fabric="compute", role="spine"))


def _unit(scratch: Draft, cabler: Cabler, unit: int, count: int) -> None:
    group, row = f"su-{unit + 1}", chr(65 + unit % 26) + ("" if unit < 26 else str(unit // 26))
    scratch.put("groups", Group(id=group, name=f"SU {unit + 1}", kind="unit"))
    scratch.put("spaces", Space(id=f"row-{row}", name=f"Row {row}", kind="row", parent="hall"))
    for r in range(8):
        rack = f"{row}{r + 1:02d}"
        where = {"x_m": 0.7 * r, "y_m": 3.0 * unit, "space": f"row-{row}"}
        scratch.put("racks", Rack(id=rack, type="rack-52u", groups=(group,), **where))
        for side in ("left", "right"):
            scratch.put(
                "devices", Device(id=f"{rack}-pdu-{side}", type="pdu", rack=rack, slot=f"side-{side}")
            )
    leaves = [f"L{unit * 8 + n + 1:02d}" for n in range(8)]
    for rail, leaf in enumerate(leaves):
        scratch.put(
            "devices",
            Device(id=leaf, type="qm9700", fabric="compute", role="leaf", rail=rail, groups=(group,)),
        )
    for n in range(count):
        server = f"srv-{unit * 32 + n + 1:03d}"
        place = {"rack": f"{row}{n // 4 + 1:02d}", "u": 1 + 8 * (n % 4)}
        scratch.put("devices", Device(id=server, type="dgx-h100", groups=(group,), **place))
        for rail, leaf in enumerate(leaves):
            cabler.join(server, f"osfp{rail // 2 + 1}/{rail % 2 + 1}", leaf, cabler.port(leaf, "osfp", 2))


def _beside(scratch: Draft, cabler: Cabler, units: int) -> None:
    for n in range(1, 5):
        scratch.put("devices", Device(id=f"ufm-{n}", type="ufm", role="fabric-manager"))
        cabler.join(f"ufm-{n}", "qsfp1/1", f"L{n:02d}", cabler.port(f"L{n:02d}", "osfp", 2))
    for n in range(1, 6):
        scratch.put("devices", Device(id=f"mgmt-{n}", type="mgmt"))
    for n in range(1, 9):
        scratch.put("devices", Device(id=f"T{n:02d}", type="qm9700", fabric="storage", role="leaf"))
        scratch.put("devices", Device(id=f"eth-{n}", type="sn4600c", fabric="in-band"))
        scratch.put("devices", Device(id=f"oob-{n}", type="sn2201", fabric="out-of-band"))
    for n in range(1, 7):
        scratch.put("devices", Device(id=f"stg-{n:02d}", type="stg"))
    servers = [d for d in scratch.devices if d.startswith("srv-")]
    for n, server in enumerate(servers):
        for port in (1, 2):
            leaf = f"T{(n // 32 * 2 + port - 1) % 8 + 1:02d}"
            cabler.join(server, f"qsfp{port}/1", leaf, cabler.port(leaf, "osfp", 2))


def small(cabled: bool = True, racked: bool = False) -> Design:
    """Four servers and two leaves, as somebody would place them by hand."""
    scratch = draft()
    scratch.put("fabrics", Fabric(id="compute", technology="infiniband-ndr", roles=("compute",)))
    if racked:
        scratch.put("racks", Rack(id="rack-01", type="rack-48u"))
    for n in range(1, 5):
        place = {"rack": "rack-01", "u": 8 * n - 7} if racked else {}
        scratch.put("devices", Device(id=f"srv-{n:04d}", type="dgx-h100", **place))
    for n in (1, 2):
        place = {"rack": "rack-01", "u": 40 + n} if racked else {}
        scratch.put("devices", Device(id=f"leaf-{n:02d}", type="qm9700", fabric="compute", **place))
    cabler = Cabler(scratch)
    for n in range(1, 5) if cabled else ():
        for rail in range(8):
            leaf = f"leaf-{rail % 2 + 1:02d}"
            port = f"osfp{rail // 2 + 1}/{rail % 2 + 1}"
            cabler.join(f"srv-{n:04d}", port, leaf, cabler.port(leaf, "osfp", 2))
    return finished(scratch)


def nvl72(racks: int = 2, leaves: int = 4) -> Design:
    """Complete NVL72 racks, each with 18 compute and 9 NVLink switch trays, on a few leaves."""
    scratch = draft()
    scratch.put("fabrics", Fabric(id="compute", technology="infiniband-ndr", roles=("compute",)))
    cabler = Cabler(scratch)
    for n in range(1, leaves + 1):
        scratch.put(
            "devices", Device(id=f"L{n:02d}", type="qm9700", fabric="compute", role="leaf", rail=n - 1)
        )
    for r in range(1, racks + 1):
        rack = f"A{r:02d}"
        scratch.put("racks", Rack(id=rack, type="nvl72", x_m=0.7 * r, y_m=0.0))
        assert NVL72.assembly is not None
        for slot in NVL72.assembly.slots:
            device = f"{rack}-{slot.label.replace(' ', '-')}"
            kind = slot.takes[0]
            scratch.put("devices", Device(id=device, name=slot.label, type=kind, rack=rack, u=slot.u))
            if kind == TRAY.id and leaves:
                for n in range(4):
                    leaf = f"L{n % leaves + 1:02d}"
                    cabler.join(device, f"osfp{n + 1}/1", leaf, cabler.port(leaf, "osfp", 2))
    return finished(scratch)


def mixed_row() -> Design:
    """A row of unlike racks: servers, switches, storage, a CDU and two NVL72 racks."""
    scratch = draft()
    scratch.put("fabrics", Fabric(id="compute", technology="infiniband-ndr", roles=("compute",)))
    scratch.put("fabrics", Fabric(id="storage", technology="infiniband-ndr", roles=("storage",)))
    scratch.put("fabrics", Fabric(id="in-band", technology="ethernet", roles=("in-band",)))
    scratch.put("fabrics", Fabric(id="out-of-band", technology="ethernet", roles=("out-of-band",)))
    scratch.put("spaces", Space(id="hall", name="Hall 1"))
    scratch.put("spaces", Space(id="row-a", name="Row A", kind="row", parent="hall"))
    limits = {3: 33_000, 4: 33_000, 5: 10_000}
    for n in range(1, 8):
        kind = "nvl72" if n > 5 else "rack-48u"
        where = {"space": "row-a", "x_m": 0.7 * n, "y_m": 0.0, "power_limit_w": limits.get(n)}
        scratch.put("racks", Rack(id=f"A{n:02d}", type=kind, **where))
    for side in ("left", "right"):
        scratch.put(
            "devices", Device(id=f"pdu-{side}", name=side[0], type="pdu", rack="A01", slot=f"side-{side}")
        )
    for n in range(1, 8):
        place = {"rack": "A01" if n < 5 else "A02", "u": 1 + 8 * ((n - 1) % 4)}
        scratch.put("devices", Device(id=f"srv-{n:03d}", type="dgx-h100", **place))
    for n in range(1, 9):
        scratch.put(
            "devices",
            Device(id=f"L{n:02d}", type="qm9700", fabric="compute", role="leaf", rack="A03", u=18 + n),
        )
    for n in range(1, 5):
        scratch.put(
            "devices",
            Device(id=f"S{n:02d}", type="qm9700", fabric="compute", role="spine", rack="A03", u=29 + n),
        )
    scratch.put("devices", Device(id="eth-1", type="sn4600c", fabric="in-band", rack="A03", u=36))
    for n in (1, 2):
        scratch.put(
            "devices", Device(id=f"oob-{n}", type="sn2201", fabric="out-of-band", rack="A03", u=38 + n)
        )
        scratch.put("devices", Device(id=f"T{n:02d}", type="qm9700", fabric="storage", rack="A04", u=25 + n))
        scratch.put("devices", Device(id=f"mgmt-{n}", type="mgmt", rack="A04", u=28 + 2 * n))
    for n in range(1, 7):
        scratch.put("devices", Device(id=f"stg-{n:02d}", type="stg", rack="A04", u=4 * n - 3))
    scratch.put("devices", Device(id="CDU-1", type="cdu", rack="A05", u=1))
    assert NVL72.assembly is not None
    for rack in ("A06", "A07"):
        for slot in NVL72.assembly.slots:
            device = f"{rack}-{slot.label.replace(' ', '-')}"
            scratch.put(
                "devices", Device(id=device, name=slot.label, type=slot.takes[0], rack=rack, u=slot.u)
            )
    return finished(scratch)
