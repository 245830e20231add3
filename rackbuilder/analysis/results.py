"""The results of the analyses: frozen numbers with units in their names, and the assumptions they rest on.

Rates are bit/s per direction. A Figure may be unknown or a lower bound; a plain number is exact for the drawing.
"""

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from rackbuilder.analysis.inputs import Assumption
from rackbuilder.units import Figure

Scope = Literal[
    "in-server", "in-domain", "server-leaf", "leaf-spine", "spine-core", "storage", "in-band", "out-of-band"
]
"""Where a link stands; the first two are scale-up, the next three the compute fabric."""

ZERO = Figure(0.0)


# ---- counts and fabric ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FabricCounts:
    """Of one fabric: switches by role and links by where they run (as the JSON contract names them)."""

    switches: dict[str, int]
    """leaf, spine, core"""
    cables: dict[str, int]
    """server-leaf, leaf-spine, spine-core, other-leaf (storage, fabric manager, management on a leaf)"""


@dataclass(frozen=True)
class Counts:
    servers: int
    gpus: int
    racks: int
    nvlink_domains: dict[int, int]
    """GPUs per domain -> how many domains."""
    nvlink_links: int
    """Links between trays of rack assemblies and NVLink cables; links inside a server do not count."""
    fabrics: dict[str, FabricCounts]


@dataclass(frozen=True)
class LinkGroup:
    """All parallel links between two devices: what the canvas, the link list and the loads talk about."""

    a: str
    b: str
    fabric: str
    """Empty for a derived NVLink bundle."""
    scope: Scope
    cables: tuple[str, ...]
    rate_bps: float | None
    """Of one link, the slower end; None when an end's rate is unknown."""
    failed: tuple[str, ...] = ()
    """Drawn, but lost to a fault: not in `cables`, and carrying nothing."""

    @property
    def count(self) -> int:
        return len(self.cables)

    @property
    def capacity_bps(self) -> float | None:
        return None if self.rate_bps is None else self.rate_bps * len(self.cables)


@dataclass(frozen=True)
class Compiled:
    """The drawn network as lists, in a fixed order."""

    counts: Counts
    links: tuple[LinkGroup, ...]
    roles: dict[str, str]
    """switch -> leaf, spine, core; server -> server; others -> empty."""
    scope_capacity_bps: dict[str, Figure]
    """Sum over the links of a scope, in-server and in-domain included."""
    inside_bps: dict[str, Figure] = field(default_factory=dict)
    """What the GPUs of all servers have inside: gpu-gpu (NVLink or a mesh), gpu-cpu (coherent NVLink), pcie."""


@dataclass(frozen=True)
class LeafCapacity:
    leaf: str
    down_bps: float
    up_bps: float

    @property
    def ratio(self) -> float | None:
        """Oversubscription, down over up; None without uplinks."""
        return self.down_bps / self.up_bps if self.up_bps else None


@dataclass(frozen=True)
class FabricCapacity:
    fabric: str
    kind: str
    """Technology id, such as infiniband-ndr."""
    leaf_ratio: float | None
    """Worst leaf, down over up; None: one switch or no uplinks."""
    spine_ratio: float | None
    bisection_bps: Figure
    """Max-flow between the first and the second half of the servers, in their order."""
    leaves: tuple[LeafCapacity, ...]
    hops: dict[int, int]
    """Switches between two GPUs -> pairs of GPUs; 0 inside an NVLink domain."""
    unreachable: int
    islands: tuple[tuple[str, ...], ...]
    """Sets of servers that reach each other, when there is more than one."""
    spines: tuple[LeafCapacity, ...] = ()
    """The same of each spine that has switches above it; `leaf` names the spine."""
    missing: tuple[str, ...] = ()
    """Rates that a leaf or spine left out would need."""


@dataclass(frozen=True)
class Capacity:
    fabrics: dict[str, FabricCapacity]
    hops_median: int | None
    hops_max: int | None
    """Over all GPU pairs that reach each other, on the compute fabric."""
    hops: dict[int, int] = field(default_factory=dict)
    """As of a fabric, over all compute fabrics together."""
    unreachable: int = 0
    unattached: tuple[str, ...] = ()
    """GPU servers that no link joins to a compute fabric."""


@dataclass(frozen=True)
class BoundaryRow:
    """Rates of one GPU's share at the edge of its server, bit/s per direction.

    Where there is no such boundary (leaves without uplinks), a figure has no value and nothing missing. The uplink
    is that of the server worst off.
    """

    server_type: str
    servers: tuple[str, ...]
    nvlink_bps: Figure
    pcie_bps: Figure
    nic_bps: Figure
    leaf_uplink_bps: Figure
    smallest: str
    """nvlink, pcie, nic, leaf_uplink; empty when one is unknown."""
    ratio: float | None
    """NVLink over NIC: 9 for a DGX H100."""
    nics_per_gpu: float | None
    pcie_fallback: bool
    """True when PCIe is the only way between the GPUs."""


@dataclass(frozen=True)
class Boundary:
    rows: tuple[BoundaryRow, ...]
    missing: tuple[str, ...]


# ---- what is plugged --------------------------------------------------------------------------------------------


class CagePlug(NamedTuple):
    """What sits in one cage of a device; cages that take no plug (RJ45, a fibre connector) have none."""

    cage: str
    kind: Literal["optic", "cable", "no optic", "no part"]
    """An optic; the end of a cable that brings its own; a fibre without an optic; a cable whose part is not chosen."""
    part: str
    """Optic or cable; empty: not chosen."""
    max_w: Figure
    typical_w: Figure
    chosen: bool = False
    """An optic that is not pinned: the choice of media put it there."""


@dataclass(frozen=True)
class DevicePlugs:
    """The plugs of one device, cages in natural order; both sums are over all of them."""

    cages: tuple[CagePlug, ...]
    max_w: Figure
    typical_w: Figure
    optics: tuple[tuple[str, int], ...] = ()
    """Optic -> how many, by part."""
    bare: tuple[str, ...] = ()
    """Cages that take a fibre and have no optic."""
    clashes: tuple[str, ...] = ()
    """Cages with an optic pinned although the cable in them brings its own plug; the optic does not count."""
    chosen: tuple[tuple[str, int], ...] = ()
    """Of `optics`, those that are not pinned."""


@dataclass(frozen=True)
class Plugs:
    devices: dict[str, DevicePlugs]
    """Devices with something plugged."""
    assumptions: tuple[Assumption, ...] = ()


# ---- power, cooling, weight -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RackPower:
    rack: str
    """Empty: devices in no rack."""
    max_w: Figure
    typical_w: Figure
    optics_w: Figure
    """Maximum of the plugged optics and cable ends."""
    optics_added_w: Figure
    """The part of optics_w that no device's own maximum includes; already in max_w."""
    limit_w: float | None
    devices: dict[str, Figure]
    published_total: bool
    """The rack assembly's published figure stands for its trays."""
    assembly_w: Figure = ZERO
    """The part of max_w that stands for the trays of a rack assembly."""
    set_by_user: bool = False
    """max_w is a figure the user gave for the whole rack."""


@dataclass(frozen=True)
class RoomPower:
    """All racks of one hall; `room` is empty for racks in none and devices in no rack."""

    room: str
    max_w: Figure
    typical_w: Figure
    optics_w: Figure
    limit_w: float | None


@dataclass(frozen=True)
class Power:
    racks: tuple[RackPower, ...]
    max_w: Figure
    typical_w: Figure
    optics_w: Figure
    assumptions: tuple[Assumption, ...] = ()
    rooms: tuple[RoomPower, ...] = ()


@dataclass(frozen=True)
class RackCooling:
    rack: str
    air_w: Figure
    liquid_w: Figure
    air_m3_s: Figure
    liquid_l_min: Figure
    weight_kg: Figure


@dataclass(frozen=True)
class Cooling:
    racks: tuple[RackCooling, ...]
    air_w: Figure
    liquid_w: Figure
    air_m3_s: Figure
    liquid_l_min: Figure
    assumptions: tuple[Assumption, ...] = ()
    weight_kg: Figure = ZERO


# ---- parts list -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BomLine:
    """One line of the bill: what, how many, why."""

    section: Literal["servers", "switches", "racks", "cables", "optics", "power", "other"]
    scope: Literal["scale-up", "scale-out", "facility"]
    part: str
    """Part id; empty for an open line."""
    name: str
    part_number: str
    quantity: int
    unit: str
    """piece; for a fibre with a pinned length, “piece of 20 m”."""
    grade: str
    used_by: str
    """“compute leaf–spine”, “32 leaves”."""
    note: str = ""


@dataclass(frozen=True)
class Bom:
    lines: tuple[BomLine, ...]
    open_points: tuple[str, ...]
    """What must be settled before ordering: links without a part, unverified figures, unconfirmed domain sizes."""
    cable_count: int
    """Links of cable kind; equals the edges of the fabric graphs."""
    at_least: bool
    links_without_part: int


# ---- workload ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GroupPlacement:
    """The groups of one parallel dimension on the drawn GPUs."""

    dimension: str
    size: int
    groups: int
    scope: Scope
    """The widest scope a group of this dimension spans."""
    straddling: tuple[str, ...]
    """For tp (and ep): ids of servers whose groups leave their NVLink domain."""


@dataclass(frozen=True)
class Placement:
    job: str
    workload: str
    sizes: dict[str, int]
    gpus_used: int
    gpus_idle: int
    groups: tuple[GroupPlacement, ...]
    servers: tuple[str, ...]
    missing: tuple[str, ...]
    """What must be known first: interconnects, GPU counts."""
    assumptions: tuple[Assumption, ...] = ()
    gpus: tuple[str, ...] = ()
    """Refs of the GPUs in rank order."""


@dataclass(frozen=True)
class TrafficPart:
    """Traffic of one dimension on one scope, per step and over all its GPUs."""

    dimension: str
    scope: Scope
    size_bytes: float
    time_s: Figure
    """Ideal time of this traffic at the boundary that carries it, if nothing is hidden."""
    crosses: bool
    """Leaves the NVLink domain."""


@dataclass(frozen=True)
class Run:
    """A piece of the sentence: text, and what it selects."""

    text: str
    refs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Remap:
    """Another mapping of the same job: what “Apply” sends, and what it would give."""

    sizes: dict[str, int]
    text: str
    time_s: Figure
    """Ideal seconds at the boundary that then binds."""
    boundary: str = ""
    step: "Step | None" = None
    """The whole result of that mapping, to stand beside the one drawn."""


@dataclass(frozen=True)
class Step:
    """One training step: ideal communication by boundary and, where the GPU's rate is known, compute at peak."""

    job: str
    workload: str
    traffic: tuple[TrafficPart, ...]
    in_server_bytes: float | None
    """None, as are the next two, while a value that the split needs is missing."""
    in_domain_bytes: float | None
    fabric_bytes: float | None
    boundary_time_s: dict[str, Figure]
    """nvlink, nic, leaf_up -> ideal seconds a step needs there."""
    compute_s: Figure
    time_s: Figure
    """Unknown in this form of the engine: overlap and efficiency come with the full workload engine."""
    missing: tuple[str, ...]
    assumptions: tuple[Assumption, ...] = ()


@dataclass(frozen=True)
class LinkLoad:
    a: str
    b: str
    fabric: str
    scope: Scope
    count: int
    capacity_bps: float | None
    load_bytes: float | None
    """Per direction and step over the bundle, the busier direction."""
    utilisation: float | None
    """Share of the ideal step the bundle is busy."""
    by_dimension: tuple[tuple[str, float], ...] = ()
    """Bytes of each parallel dimension in that direction."""


@dataclass(frozen=True)
class Loads:
    links: tuple[LinkLoad, ...]
    """Busiest first, then by name."""
    assumptions: tuple[Assumption, ...] = ()
    traffic: tuple[TrafficPart, ...] = ()
    """What the links carry, by dimension and scope; empty without a workload or while something is missing."""
    boundary_time_s: dict[str, Figure] = field(default_factory=dict)
    """Ideal seconds a step needs at each boundary: nvlink, pcie, nic, leaf_up, spine_up."""
    missing: tuple[str, ...] = ()


@dataclass(frozen=True)
class Bottleneck:
    """The verdict, the sentence first."""

    boundary: str
    """nvlink, nic, leaf_up, compute; empty without a workload or when unknown."""
    sentence: tuple[Run, ...]
    ids: tuple[str, ...]
    remap: Remap | None
    swap: Remap | None
    """The right mapping for a wrong one, or a wrong one to show what it would cost."""
    missing: tuple[str, ...]
    confidence: Literal["calibrated", "extrapolated", "uncalibrated", ""]

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.sentence)
