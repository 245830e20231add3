"""What a device looks like, told from its part: the few facts a picture needs, and no name."""

from dataclasses import dataclass
from typing import Literal

from rackbuilder.catalog.parts import Cages, DeviceType
from rackbuilder.design.records import Device
from rackbuilder.design.view import View
from rackbuilder.layout.shapes import Ink

Kind = Literal[
    "server", "tray", "nvswitch", "leaf", "spine", "core", "switch",
    "management", "storage", "pdu", "shelf", "cdu", "panel", "other",
    "gpu", "chip", "nic", "cpu", "supply", "rack", "column", "stack", "vacant",
]  # fmt: skip
Style = Literal["tile", "front", "rear"]
"""tile: in the fabric view; front and rear: in a rack."""

SCOPE_OF_ROLE: dict[str, Ink] = {
    "compute": "server-leaf",
    "storage": "storage",
    "in-band": "in-band",
    "out-of-band": "out-of-band",
}
_KINDS: dict[str, Kind] = {
    "gpu-server": "server",
    "compute-tray": "tray",
    "nvlink-switch-tray": "nvswitch",
    "switch": "switch",
    "management-server": "management",
    "storage": "storage",
    "pdu": "pdu",
    "power-shelf": "shelf",
    "cdu": "cdu",
    "panel": "panel",
    "other": "other",
}
_BANDS: dict[str, Ink] = {
    "leaf": "server-leaf",
    "spine": "leaf-spine",
    "core": "spine-core",
    "storage": "storage",
    "management": "in-band",
    "cdu": "liquid",
}


@dataclass(frozen=True, slots=True)
class PortGroup:
    """A row of equal cages: how many, ports in each, and the ink of what they are for."""

    name: str
    cages: int
    ports: int
    ink: Ink
    face: Literal["front", "rear"] = "rear"
    data: bool = True


@dataclass(frozen=True, slots=True)
class Look:
    """The facts a picture is made from; equal looks give equal pictures, so a picture is made once for many."""

    kind: Kind
    style: Style = "tile"
    gpus: int = 0
    domain: bool = False
    """GPUs inside are one NVLink domain: an outline in the domain colour."""
    band: Ink = ""
    ports: tuple[PortGroup, ...] = ()
    supplies: int = 0
    feeds: str = ""
    """Letters of the feeds of its supplies, in order; empty: not connected."""
    chips: int = 0
    cpus: int = 0
    u_height: float = 0.0
    idle: bool = False
    planned: bool = False
    """To be bought, beside what stands already: a dashed edge."""


def kind_of(part: DeviceType, role: str = "", fabric_role: str = "compute") -> Kind:
    """The picture kind of a part; a switch of the compute fabric is told by its role."""
    kind = _KINDS[part.category]
    if kind == "switch" and role in ("leaf", "spine", "core") and fabric_role == "compute":
        return role  # type: ignore[return-value]
    return kind


def port_groups(part: DeviceType, own: Ink = "server-leaf") -> tuple[PortGroup, ...]:
    """The rows of cages of a part; `own` is the ink of a switch's data ports."""
    return tuple(
        PortGroup(c.name, c.count, c.ports, _ink(c, own), c.face, c.role == "data") for c in part.cages
    )


def _ink(cages: Cages, own: Ink) -> Ink:
    if cages.role != "data":
        return "out-of-band"
    return SCOPE_OF_ROLE[cages.fabric] if cages.fabric else own


def fabric_role(view: View, device: Device) -> str:
    """What a switch's fabric is for: compute, storage, in-band, out-of-band; empty when it says nothing."""
    fabric = view.fabrics.get(device.fabric)
    if fabric is not None:
        return fabric.roles[0] if fabric.roles else "compute"
    return view.type_of(device).role or ""


def look_of(
    view: View,
    device: Device,
    role: str,
    style: Style,
    feeds: str = "",
    idle: bool = False,
    grown: bool = False,
) -> Look:
    """The look of one device in one kind of view.

    role    leaf, spine, core or empty, for a switch
    grown   the design also holds what stands already, so that what is planned is told apart
    """
    part = view.type_of(device)
    purpose = fabric_role(view, device)
    kind = kind_of(part, role, purpose or "compute")
    band = _BANDS.get(kind, "")
    if kind == "switch":
        band = SCOPE_OF_ROLE.get(purpose, "")
    return Look(
        kind=kind,
        style=style,
        gpus=part.gpu_count,
        domain=part.gpu_count > 1 and part.category == "gpu-server" and part.nvswitch_chips != 0,
        band=band,
        ports=port_groups(part, band or "server-leaf"),
        supplies=part.supplies.count if part.supplies else 0,
        feeds=feeds,
        chips=part.nvswitch_chips or 0,
        cpus=part.cpu_count or 0,
        u_height=part.u_height,
        idle=idle,
        planned=device.state == "spare" or (grown and device.state == "planned"),
    )


def is_grown(view: View) -> bool:
    """Whether a design adds to what stands already: some device or cable is existing, not only planned."""
    devices = any(device.state == "existing" for device in view.devices.values())
    return devices or any(cable.state == "existing" for cable in view.cables.values())
