"""Rack-scale NVLink systems: racks of 72 GPUs in one domain, each with its trays seated."""

from typing import ClassVar

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType, RackType, Slot
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Device, Fabric, Rack
from rackbuilder.errors import refusal, unknown_name
from rackbuilder.templates.base import Template, key
from rackbuilder.templates.hall import ROW_PITCH_M, free_front_m, letters

RACKS_PER_ROW = 8
_MANAGEMENT = "out-of-band"


class NvlinkRack(Template):
    verb: ClassVar[str] = "nvlink_rack"
    title: ClassVar[str] = "NVLink racks"
    about: ClassVar[str] = "Racks of 72 GPUs in one NVLink domain, compute and switch trays seated."

    system: str = Field(
        "gb200-nvl72", description="rack system: gb200-nvl72, gb300-nvl72 or vera-rubin-nvl72"
    )
    racks: int = Field(1, ge=1, le=128, description="racks")
    rack_limit_w: float | None = Field(None, gt=0, description="power limit of a rack in W; empty: none set")

    def label(self) -> str:
        return f"{self.racks} {'rack' if self.racks == 1 else 'racks'} of {self.system}"

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        place_systems(draft, catalog, run, self.system, self.racks, self.rack_limit_w)


def place_systems(
    draft: Draft, catalog: Catalog, run: str, system: str, racks: int, limit_w: float | None
) -> list[Device]:
    """Racks in rows with all their trays; returns the compute trays, rack by rack from the bottom up.

    Raises ProblemError when the system is not known.
    """
    part = _system(catalog, system)
    draft.use_parts(catalog.closure(part.id))
    front_m = free_front_m(draft)
    placed = [_rack(draft, part, run, index, front_m, limit_w) for index in range(racks)]
    trays = [tray for rack in placed for tray in _seat_all(draft, part, rack, run)]
    return [tray for tray in trays if draft.type_of(tray).gpu_count]


def rows_of(racks: int) -> int:
    """Rows that so many racks fill."""
    return -(-racks // RACKS_PER_ROW)


def _rack(draft: Draft, part: RackType, run: str, index: int, front_m: float, limit_w: float | None) -> Rack:
    row, place = divmod(index, RACKS_PER_ROW)
    width_m = (part.width_mm or 600) / 1000
    rack = Rack(
        id=draft.new_id("rack"),
        name=f"{letters(row + 1)}{place + 1:02d}",
        type=part.id,
        x_m=round(place * width_m, 3),
        y_m=front_m + row * ROW_PITCH_M,
        power_limit_w=limit_w,
        made_by=key(run, f"rack{index + 1}"),
    )
    draft.put("racks", rack)
    return rack


def _system(catalog: Catalog, name: str) -> RackType:
    systems = [rack for rack in catalog.of_kind(RackType) if rack.assembly]
    for part in systems:
        if part.id == name:
            return part
    if name in catalog.parts:
        raise refusal(f"{name} is no rack-scale system", "nvlink_rack system", _known(systems))
    raise unknown_name("rack-scale system", name, (part.id for part in systems))


def _known(systems: list[RackType]) -> str:
    return "Choose one of " + ", ".join(part.id for part in systems) + "."


def _seat_all(draft: Draft, part: RackType, rack: Rack, run: str) -> list[Device]:
    """One device in each position of the assembly, of the first type that goes there."""
    assert part.assembly is not None
    mark = rack.made_by.key if rack.made_by else ""
    trays = [_tray(draft, slot, rack, run, mark) for slot in part.assembly.slots]
    for tray in trays:
        draft.put("devices", tray)
    return trays


def _fabric(draft: Draft, part: DeviceType, run: str) -> str:
    """The management switches of all racks are one out-of-band network."""
    if _MANAGEMENT not in draft.fabrics:
        name, mark = "Out-of-band", key(run, _MANAGEMENT)
        record = Fabric(
            id=_MANAGEMENT, name=name, technology=part.technology, roles=("out-of-band",), made_by=mark
        )
        draft.put("fabrics", record)
    return _MANAGEMENT


_PREFIX = {
    "compute-tray": "tray", "nvlink-switch-tray": "nvsw", "power-shelf": "shelf", "switch": "sw", "cdu": "cdu"
}  # fmt: skip


def _tray(draft: Draft, slot: Slot, rack: Rack, run: str, mark: str) -> Device:
    part = draft.parts[slot.takes[0]]
    assert isinstance(part, DeviceType)
    return Device(
        id=draft.new_id(_PREFIX.get(part.category, "dev")),
        name=f"{rack.label} {slot.label}" if slot.label else "",
        type=part.id,
        fabric=_fabric(draft, part, run) if part.is_switch else "",
        rack=rack.id,
        u=slot.u,
        made_by=key(run, mark, f"u{slot.u:g}"),
    )
