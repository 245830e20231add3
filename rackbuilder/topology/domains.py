"""NVLink domains: the GPUs that share one scale-up interconnect, told from the types and seats of a design.

Smaller than, equal to or larger than a server. A mesh of another maker (Infinity Fabric, Ethernet on the chip) is a
domain too; its `scale_up` says which.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from rackbuilder.catalog.parts import DeviceType, GpuType
from rackbuilder.design.records import Device
from rackbuilder.design.refs import gpu_ref
from rackbuilder.design.view import View
from rackbuilder.topology.backplane import Backplane, assembly_of, backplane_of, is_switch_tray
from rackbuilder.topology.figures import Figures, lowest
from rackbuilder.topology.losses import Losses
from rackbuilder.topology.natural import natural_key
from rackbuilder.units import Figure, unknown

ScaleUp = Literal["nvlink", "infinity-fabric", "ethernet", "none", "unknown"]
NONE = Figure(0.0)

BRIDGE = "nvlink_bridge"
"""Key in a device's config: how many cards each NVLink bridge joins (2 or 4)."""


@dataclass(frozen=True)
class NvlinkDomain:
    """GPUs that reach each other without the fabric.

    gpus       refs (“srv-0001.gpu3”), by device in natural order, then index
    bytes_s    what each GPU can use, per direction: that of the weakest; 0 for a GPU alone, unknown when the part
               does not say
    rates      the same of each device, and of each GPU that has less than its device
    scale_up   none: the GPU has no such interconnect, or no peer on it; PCIe is then the only way in its server
    """

    id: str
    gpus: tuple[str, ...]
    devices: tuple[str, ...]
    bytes_s: Figure
    kind: Literal["in-server", "in-rack"]
    scale_up: ScaleUp
    rates: Mapping[str, Figure]

    @property
    def size(self) -> int:
        return len(self.gpus)

    def gpu_bytes_s(self, ref: str) -> Figure:
        """What one GPU of the domain can use, bytes per second and direction."""
        return self.rates.get(ref) or self.rates[ref.rpartition(".")[0]]

    def device_bytes_s(self, device: str) -> Figure:
        """The same of the weakest GPU that one device has in the domain."""
        if len(self.devices) == 1:
            return self.bytes_s
        inner = f"{device}."
        return lowest(f for name, f in self.rates.items() if name == device or name.startswith(inner))

    def figures(self) -> Counter[Figure]:
        """How many GPUs have which rate: for sums over many domains."""
        found: Counter[Figure] = Counter()
        apart = [ref for ref in self.rates if "." in ref]
        per_device = Counter(ref.rpartition(".")[0] for ref in self.gpus)
        for ref in apart:
            found[self.rates[ref]] += 1
            per_device[ref.rpartition(".")[0]] -= 1
        for device, count in per_device.items():
            found[self.rates[device]] += count
        return +found


UnitKey = tuple[Literal["rack", "device"], str]
"""What domains are told from together: the trays of one rack assembly, or one server by itself."""


@dataclass(frozen=True)
class Unit:
    domains: tuple[NvlinkDomain, ...]
    backplane: Backplane | None = None


def unit_of(view: View, device: Device) -> UnitKey | None:
    """Where a device counts; None when it has no GPU and joins none."""
    part = view.type_of(device)
    if not part.gpu_count and not is_switch_tray(part):
        return None
    if assembly_of(view, device):
        return "rack", device.rack
    return ("device", device.id) if part.gpu_count else None


def make_unit(view: View, key: UnitKey, losses: Losses, figures: Figures) -> Unit | None:
    """The domains of one unit as the design is now; None when nothing of it is left."""
    kind, identity = key
    if kind == "device":
        device = view.devices.get(identity)
        if device is None or unit_of(view, device) != key:
            return None
        return Unit(_in_server(view, device, losses, figures))
    backplane = backplane_of(view, identity, losses) if identity in view.racks else None
    if backplane is None or not (backplane.trays or backplane.switches):
        return None
    return Unit(_in_rack(view, backplane, losses, figures), backplane)


# ---- one server


def gpu_of(view: View, part: DeviceType) -> GpuType | None:
    found = view.parts.get(part.gpus.part) if part.gpus else None
    return found if isinstance(found, GpuType) else None


def reach(device: Device, part: DeviceType, gpu: GpuType | None) -> tuple[int, ScaleUp]:
    """How many GPUs of a server share its scale-up interconnect, and which one that is.

    With NVSwitch chips, or a mesh: all. A bridged card (no link count published) joins the cards its bridges are
    said to join. Without chips or bridges nothing is joined, whatever the GPU could do.
    """
    if gpu is None or (gpu.scale_up == "none" and gpu.scale_up_bytes_s is None):
        return 1, "unknown"
    if gpu.scale_up in ("infinity-fabric", "ethernet"):
        return part.gpu_count, gpu.scale_up
    if gpu.scale_up == "none" or part.category == "compute-tray":
        return 1, "none"
    if part.nvswitch_chips or (part.nvswitch_chips is None and gpu.nvlink_links):
        return part.gpu_count, "nvlink"
    bridge = device.config.get(BRIDGE, "")
    if bridge in ("2", "4"):
        return int(bridge), "nvlink"
    return (1, "unknown") if part.nvswitch_chips is None else (1, "none")


def _in_server(view: View, device: Device, losses: Losses, figures: Figures) -> tuple[NvlinkDomain, ...]:
    part = view.type_of(device)
    gpu = gpu_of(view, part)
    size, scale_up = reach(device, part, gpu)
    whole = _whole(part, gpu, scale_up, figures)
    gone = _failed(device, part, losses)
    found: list[NvlinkDomain] = []
    for first in range(0, part.gpu_count, size):
        members = [n for n in range(first, min(first + size, part.gpu_count)) if n not in gone]
        if len(members) < 2 and scale_up != "unknown":
            found += (_alone(device.id, n, scale_up) for n in members)
        elif members:
            name = device.id if size >= part.gpu_count else gpu_ref(device.id, members[0])
            rates = {device.id: whole, **_less(device.id, members, gpu, whole, losses)}
            found.append(_domain(name, {device.id: members}, rates, "in-server", scale_up))
    found += (_alone(device.id, n, scale_up) for n in gone)
    return tuple(sorted(found, key=lambda d: natural_key(d.gpus[0])))


def _whole(part: DeviceType, gpu: GpuType | None, scale_up: ScaleUp, figures: Figures) -> Figure:
    """What a GPU of this server can use with nothing lost, bytes per second and direction."""
    if gpu is None:
        return unknown(f"GPU of {part.id}")
    if scale_up == "none":
        return NONE
    if scale_up == "unknown":
        return unknown(
            f"nvswitch_chips of {part.id}" if gpu.scale_up != "none" else f"scale_up_bytes_s of {gpu.id}"
        )
    figure = figures.part(gpu, "scale_up_bytes_s")
    # A board of such GPUs has its switches; the part does not say how many, so the domain is only taken for granted.
    return (
        figure.assumed()
        if part.category == "gpu-server" and part.nvswitch_chips is None and scale_up == "nvlink"
        else figure
    )


def _failed(device: Device, part: DeviceType, losses: Losses) -> list[int]:
    return [n for n in range(part.gpu_count) if losses.gpu(device.id, n).all] if losses else []


def _less(
    device: str, members: Sequence[int], gpu: GpuType | None, whole: Figure, losses: Losses
) -> dict[str, Figure]:
    """The GPUs that lost links of their own."""
    found: dict[str, Figure] = {}
    for index in members if losses else ():
        loss = losses.gpu(device, index)
        if loss.links or loss.rate_bps is not None:
            found[gpu_ref(device, index)] = _reduced(whole, gpu, loss.links, loss.rate_bps)
    return found


def _reduced(whole: Figure, gpu: GpuType | None, lost: int, rate_bps: float | None) -> Figure:
    if lost:
        if gpu is None or not gpu.nvlink_links:
            return unknown(f"nvlink_links of {gpu.id if gpu else 'the GPU'}")
        whole = whole.times(max(0, gpu.nvlink_links - lost) / gpu.nvlink_links)
    if rate_bps is None or whole.value is None:
        return whole
    return Figure(min(whole.value, rate_bps / 8), whole.at_least, whole.grade, whole.missing)


def _alone(device: str, index: int, scale_up: ScaleUp) -> NvlinkDomain:
    ref = gpu_ref(device, index)
    kind: ScaleUp = "unknown" if scale_up == "unknown" else "none"
    return NvlinkDomain(ref, (ref,), (device,), NONE, "in-server", kind, {device: NONE})


def _domain(
    name: str,
    members: Mapping[str, Sequence[int]],
    rates: Mapping[str, Figure],
    kind: Literal["in-server", "in-rack"],
    scale_up: ScaleUp,
) -> NvlinkDomain:
    gpus = tuple(gpu_ref(device, n) for device, indexes in members.items() for n in indexes)
    return NvlinkDomain(name, gpus, tuple(members), lowest(rates.values()), kind, scale_up, rates)


# ---- one rack assembly


def _in_rack(view: View, backplane: Backplane, losses: Losses, figures: Figures) -> tuple[NvlinkDomain, ...]:
    found: list[NvlinkDomain] = []
    islands = backplane.islands()
    for trays in islands:
        name = backplane.rack if len(islands) == 1 else trays[0]
        found += _island(view, name, trays, backplane, losses, figures)
    return tuple(found)


def _island(
    view: View, name: str, trays: tuple[str, ...], backplane: Backplane, losses: Losses, figures: Figures
) -> list[NvlinkDomain]:
    """The trays of a rack that reach each other: one domain, and the GPUs that fell out of it.

    Inside a tray there is no NVLink between GPUs: every link goes to a switch tray.
    """
    members: dict[str, list[int]] = {}
    rates: dict[str, Figure] = {}
    alone: list[NvlinkDomain] = []
    for tray in trays:
        device = view.devices[tray]
        part = view.type_of(device)
        gpu = gpu_of(view, part)
        gone = range(part.gpu_count) if not backplane.left(tray) else _failed(device, part, losses)
        alone += (_alone(tray, n, "none") for n in gone)
        left = [n for n in range(part.gpu_count) if n not in gone]
        if not left:
            continue
        whole = _whole(part, gpu, "nvlink", figures)
        share = backplane.share(tray)
        members[tray] = left
        rates[tray] = whole.times(share) if share < 1 else whole
        rates.update(_less(tray, left, gpu, rates[tray], losses))
    if not members:
        return alone
    return [_domain(name, members, rates, "in-rack", "nvlink"), *alone]
