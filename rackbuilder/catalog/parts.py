"""What can be bought: frozen models of every part, each figure with its source and evidence.

Numbers are plain attributes in base units; `part.figure("power_max_w")` gives the same number as a Figure with
its grade. An entry has one grade, and `unverified` or `grades` where single figures differ. None is unknown.
A design carries full copies of the parts it uses, so every model here also is a record of a design file.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter

from rackbuilder.units import Figure, Grade, unknown

Protocol = Literal["infiniband", "ethernet", "nvlink"]
PortRole = Literal["data", "management", "bmc", "console"]
FabricRole = Literal["compute", "storage", "in-band", "out-of-band"]
Top = Literal["finned", "flat", "none"]
"""Heat sink of an OSFP plug: finned (IHS) or flat (RHS); none for every other connector."""


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Conflict(Frozen):
    """A published figure that disagrees with the one chosen."""

    key: str
    value: JsonValue
    origin: str


class PartBase(Frozen):
    """What every part has. `id` is stable and lower case; `revision` is the date of its facts (ISO)."""

    id: str
    name: str
    vendor: str = ""
    revision: str = ""
    evidence: Grade = "U"
    sources: tuple[str, ...] = ()
    unverified: tuple[str, ...] = ()
    """Field names (dotted for nested ones) of grade U although the entry is better."""
    grades: dict[str, Grade] = Field(default_factory=dict)
    """Field names whose grade differs from the entry's in another way."""
    published: dict[str, str] = Field(default_factory=dict)
    """A figure as the vendor prints it, where we keep it in another form: NVLink “900 GB/s, both directions”."""
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[str, ...] = ()
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    """Published facts that no analysis uses yet, kept verbatim for the reader."""
    status: str = ""
    """Availability as the vendor last said it: announced, legacy, “active (2026-09-23)”."""
    orderable: bool = True
    """False for a part no longer sold: kept where it stands, never chosen."""
    part_number: str = ""
    confirmed_by_vendor: bool = False
    based_on: str = ""
    """The part this one was copied from, when the user made it."""

    def grade(self, field: str) -> Grade:
        """The evidence of one figure."""
        if field in self.unverified:
            return "U"
        return self.grades.get(field, self.evidence)

    def figure(self, field: str) -> Figure:
        """One numeric field with what is known of it. Raises AttributeError for a field the part has not."""
        value = getattr(self, field)
        if value is None:
            return unknown(f"{field} of {self.id}")
        return Figure(float(value), grade=self.grade(field))


class GpuType(PartBase):
    kind: Literal["gpu"] = "gpu"
    memory_bytes: float | None = None
    memory_usable_bytes: float | None = None
    """What a model may fill; None: use memory_bytes."""
    memory_bandwidth_bytes_s: float | None = None
    bf16_flops: float | None = None
    fp8_flops: float | None = None
    fp4_flops: float | None = None
    tdp_w: float | None = None
    scale_up: Literal["nvlink", "infinity-fabric", "ethernet", "none"] = "none"
    nvlink_generation: int | None = None
    nvlink_links: int | None = None
    scale_up_bytes_s: float | None = None
    """Per GPU and direction over all its scale-up links; 0 for none, None for unknown."""
    scale_up_peer_bytes_s: float | None = None
    """Per direction to one peer, where a mesh gives less than the whole (Infinity Fabric)."""
    cpu_link_bytes_s: float | None = None
    """Coherent NVLink between GPU and CPU, per direction."""
    pcie_generation: int | None = None
    pcie_lanes: int | None = None

    @property
    def fit_bytes(self) -> float | None:
        return self.memory_usable_bytes if self.memory_usable_bytes is not None else self.memory_bytes


class Cages(Frozen):
    """A row of equal cages: `count` cages named `name`1, `name`2, … with `ports` logical ports each.

    A port is named `cage/number` (“osfp3/2”), or `cage/number.branch` when `modes` of the device split it.
    """

    name: str
    count: int = Field(ge=1, le=1024)
    connector: str
    """OSFP, QSFP112, QSFP56, QSFP28, QSFP-DD, SFP28, SFP, RJ45, MPO-12, OSFP1600, unknown."""
    top: Top = "none"
    ports: int = Field(default=1, ge=1, le=8)
    rate_bps: float | None = None
    """Per logical port and direction."""
    role: PortRole = "data"
    fabric: FabricRole | None = None
    """Which fabric the port is meant for; None on a switch."""
    protocols: tuple[Protocol, ...] = ()
    splits: tuple[int, ...] = ()
    """How many ways a port may be split (2, 4)."""
    face: Literal["front", "rear"] = "rear"
    power_limit_w: float | None = None
    nic: str = ""
    """Id of the NIC part behind the cages, if known."""
    gpu_first: int | None = None
    """Index of the GPU that port 1 serves, one port a GPU in order; None: not tied to GPUs."""
    gpus_per_port: int = 1

    @property
    def port_count(self) -> int:
        return self.count * self.ports


class GpuGroup(Frozen):
    part: str
    count: int


class Supplies(Frozen):
    """Power supplies: `needed` for full power is read from the redundancy (4+2 needs 4)."""

    count: int
    rating_w: float | None = None
    redundancy: str = ""
    needed: int | None = None
    inlet: str = ""


class Outlets(Frozen):
    """What a rack PDU offers."""

    usable_va: float | None = None
    sockets: dict[str, int] = Field(default_factory=dict)
    input: str = ""
    branch_breaker_a: float | None = None


class CoolantUnit(Frozen):
    """A CDU or liquid-to-air unit."""

    capacity_w: float | None = None
    flow_nominal_l_min: float | None = None
    placement: str = ""


Category = Literal[
    "gpu-server",
    "compute-tray",
    "nvlink-switch-tray",
    "switch",
    "management-server",
    "storage",
    "pdu",
    "power-shelf",
    "cdu",
    "panel",
    "other",
]


class DeviceType(PartBase):
    kind: Literal["device"] = "device"
    category: Category
    role: FabricRole | None = None
    """A switch made for one fabric only (SN2201: out-of-band)."""
    u_height: float = Field(ge=0, le=100)
    """Rack units in steps of 0.5; 0 mounts at the side."""
    half_width: bool = False
    half_depth: bool = False
    width_mm: float | None = None
    depth_mm: float | None = None
    weight_kg: float | None = None
    weight_planning_kg: float | None = None
    mounts_in: tuple[str, ...] = ()
    """Rack types whose assembly this tray belongs to; empty: any 19-inch rack."""

    cages: tuple[Cages, ...] = ()
    gpus: GpuGroup | None = None
    nvswitch_chips: int | None = None
    """Chips inside; None: unknown, 0: none."""
    cpus: str = ""
    cpu_count: int | None = None

    power_max_w: float | None = None
    power_max_includes_optics: bool | None = None
    """Of the planning value too, where that stands in. None: the vendor does not say; a server's own maximum is then
    read as including them."""
    power_typical_w: float | None = None
    power_typical_includes_optics: bool | None = None
    power_planning_w: float | None = None
    """A stand-in where no maximum is published: used as an assumed figure."""
    power_peak_w: float | None = None
    supplies: Supplies | None = None

    cooling: Literal["air", "liquid", "hybrid", "unknown"] = "unknown"
    liquid_heat_fraction: float | None = None
    airflow_m3_s: float | None = None
    airflow_options: tuple[str, ...] = ()
    inlet_temperature_c: tuple[float, float] | None = None

    fabric_protocol: Protocol | None = None
    """A switch's protocol."""
    technology: str = ""
    """A switch's link technology (“infiniband-ndr”)."""
    switching_bps: float | None = None
    """Per direction."""
    hop_latency_s: float | None = None
    managed: bool | None = None
    """A switch with a subnet manager on board."""
    stated_ports: dict[str, int] = Field(default_factory=dict)
    """How many data ports of a rate the vendor states (“400 Gb/s”: 64), splits included (“200 Gb/s”: 128)."""

    outlets: Outlets | None = None
    coolant: CoolantUnit | None = None
    shelf_output_w: float | None = None
    read_bytes_s: float | None = None
    write_bytes_s: float | None = None

    @property
    def gpu_count(self) -> int:
        return self.gpus.count if self.gpus else 0

    @property
    def is_switch(self) -> bool:
        return self.category == "switch"

    def max_power(self) -> Figure:
        """Maximum draw; a planning value stands in as assumed; unknown otherwise."""
        if self.power_max_w is not None:
            return self.figure("power_max_w")
        if self.power_planning_w is not None:
            return self.figure("power_planning_w").assumed()
        return unknown(f"power_max_w of {self.id}")


class Slot(Frozen):
    """A position of a rack assembly that takes one kind of tray."""

    u: float
    takes: tuple[str, ...]
    """Ids of device types."""
    label: str = ""


class Assembly(Frozen):
    """What a rack-scale system joins through its backplane, busbar and manifold.

    Figures of the complete rack stand for its trays. `links_per_pair` NVLinks join each compute tray with each
    NVLink switch tray (8 in an NVL72 rack: 4 GPUs x 2 chips).
    """

    compute_tray: str
    compute_trays: int
    switch_tray: str
    switch_trays: int
    links_per_pair: int
    slots: tuple[Slot, ...] = ()
    power_max_w: float | None = None
    power_typical_w: float | None = None
    heat_liquid_w: float | None = None
    heat_air_w: float | None = None
    liquid_heat_fraction: float | None = None
    power_shelves: int | None = None
    coolant_rise_k: float | None = None


class RackType(PartBase):
    kind: Literal["rack"] = "rack"
    u_height: int = Field(ge=1, le=100)
    width_mm: float | None = None
    depth_mm: float | None = None
    height_mm: float | None = None
    empty_weight_kg: float | None = None
    loaded_weight_kg: float | None = None
    static_load_kg: float | None = None
    power_limit_w: float | None = None
    """None: no limit known; a rack of a design may set its own."""
    assembly: Assembly | None = None


class NicType(PartBase):
    kind: Literal["nic"] = "nic"
    ports: int = 1
    rate_bps: float | None = None
    connector: str = ""
    top: Top = "none"
    pcie_generation: int | None = None
    pcie_lanes: int | None = None
    power_typical_w: float | None = None
    power_max_w: float | None = None
    protocols: tuple[Protocol, ...] = ()


class NvSwitchType(PartBase):
    kind: Literal["nvswitch"] = "nvswitch"
    generation: int | None = None
    nvlink_generation: int | None = None
    ports: int | None = None
    port_bytes_s: float | None = None
    """Per port and direction."""
    in_network_reduction: bool = False


class PlugEnd(Frozen):
    """One end of a cable: `count` equal plugs (a splitter has 2 or 4), each with `links` links."""

    connector: str
    top: Top = "none"
    count: int = 1
    links: int = 1
    power_w: float | None = None


Medium = Literal[
    "passive-copper", "active-copper", "active-optical", "multimode", "single-mode", "twisted-pair", "unknown"
]


class CableType(PartBase):
    """A cable with its ends, or a bare fibre that joins two optics."""

    kind: Literal["cable"] = "cable"
    form: Literal[
        "dac",
        "acc",
        "aoc",
        "fibre",
        "copper",
        "splitter-dac",
        "splitter-acc",
        "splitter-aoc",
        "splitter-fibre",
    ]
    medium: Medium
    generation: str = ""
    a: PlugEnd
    b: PlugEnd
    links: int = 1
    rate_bps: float | None = None
    """Per link and direction; None for bare fibre: the optics decide."""
    lengths_m: tuple[float, ...] = ()
    part_numbers: tuple[str, ...] = ()
    """In the order of lengths_m, where known."""
    reach_max_m: float | None = None
    protocols: tuple[Protocol, ...] = ()
    use: str = ""


class OpticType(PartBase):
    kind: Literal["optic"] = "optic"
    connector: str
    top: Top = "none"
    ports: int = 1
    rate_bps: float | None = None
    """Per port and direction."""
    medium: Medium = "unknown"
    optics: str = ""
    fibre_connector: str = ""
    reach_max_m: float | None = None
    reach_om3_m: float | None = None
    power_typical_w: float | None = None
    power_max_w: float | None = None
    protocols: tuple[Protocol, ...] = ()
    generation: str = ""
    use: str = ""


class LinkTechnology(PartBase):
    """What a fabric speaks: protocol, loss behaviour, data rates of a port (bit/s per direction)."""

    kind: Literal["technology"] = "technology"
    protocol: Protocol
    lossless: bool
    port_rates_bps: tuple[float, ...] = ()
    hop_latency_s: float | None = None
    protocol_efficiency: float | None = None
    adaptive_routing: bool = False


class ReferencePart(PartBase):
    """An entry kept for the reader and for later rules: circuits, baseboards, cabling parts, formulas."""

    kind: Literal["reference"] = "reference"
    topic: str


Part = (
    GpuType
    | DeviceType
    | RackType
    | NicType
    | NvSwitchType
    | CableType
    | OpticType
    | LinkTechnology
    | ReferencePart
)
PART: TypeAdapter[Part] = TypeAdapter(Annotated[Part, Field(discriminator="kind")])


def part_from(data: dict[str, Any]) -> Part:
    """A part from its plain form. Raises pydantic.ValidationError."""
    return PART.validate_python(data)


def needs(part: Part) -> tuple[str, ...]:
    """Ids of the parts that one part names: a server's GPU, a rack's trays, the NICs behind cages."""
    if isinstance(part, DeviceType):
        gpu = (part.gpus.part,) if part.gpus else ()
        technology = (part.technology,) if part.technology else ()
        return gpu + technology + tuple(dict.fromkeys(cages.nic for cages in part.cages if cages.nic))
    if isinstance(part, RackType) and part.assembly:
        slots = (name for slot in part.assembly.slots for name in slot.takes)
        return tuple(dict.fromkeys((part.assembly.compute_tray, part.assembly.switch_tray, *slots)))
    return ()
