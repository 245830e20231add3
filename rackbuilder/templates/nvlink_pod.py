"""Racks of 72 GPUs in one NVLink domain each, joined by rails of InfiniBand or Ethernet between the racks."""

from typing import ClassVar

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.design.draft import Draft
from rackbuilder.templates.base import Template
from rackbuilder.templates.hall import RACK, Hall
from rackbuilder.templates.kit import Kit, Node
from rackbuilder.templates.nvlink_rack import place_systems, rows_of
from rackbuilder.templates.rails import Rails, line_layout, server_ports, switching

_SWITCH = {400e9: "qm9700", 800e9: "q3400-ra"}
"""InfiniBand switch whose ports have the rate of a tray's."""


class NvlinkPod(Template):
    verb: ClassVar[str] = "nvlink_pod"
    title: ClassVar[str] = "NVLink pod"
    about: ClassVar[str] = (
        "Racks of 72 GPUs: NVLink in the rack, and a rail for each NIC of a compute tray between the racks."
    )

    system: str = Field(
        "gb200-nvl72", description="rack system: gb200-nvl72, gb300-nvl72 or vera-rubin-nvl72"
    )
    racks: int = Field(8, ge=1, le=256, description="racks; one unit of the GB200 SuperPOD has 8")
    rail_switch: str = Field(
        "auto",
        description="switch of the rails: auto (InfiniBand at the rate of the trays), or any, e.g. sn5600",
    )
    oversubscription: float = Field(
        1.0, ge=1, le=32, description="down over up at a leaf (1 is non-blocking)"
    )
    rack_limit_w: float | None = Field(None, gt=0, description="power limit of a rack in W; empty: none set")

    def label(self) -> str:
        return f"{self.racks} {'rack' if self.racks == 1 else 'racks'} of {self.system} on rails"

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        kit = Kit(draft, catalog, run)
        hall = Hall(draft, run, self.rack_limit_w)
        trays = place_systems(draft, catalog, run, self.system, self.racks, self.rack_limit_w)
        part = draft.type_of(trays[0])
        ports = server_ports(part, 0, "nvlink_pod system")
        name = (
            _SWITCH.get(ports[0].rate_bps or 0, "qm9700") if self.rail_switch == "auto" else self.rail_switch
        )
        switch = switching(kit, name, ports, "nvlink_pod rail_switch")
        layout = line_layout(len(trays), len(ports), switch.ports, self.oversubscription)
        kit.use(name, RACK)
        fabric = kit.fabric("Compute", switch.technology, "compute")
        hall.skip_rows(rows_of(self.racks))
        rails = Rails(kit, hall, switch, layout, len(ports), fabric)
        rails.seat()
        rails.cable_servers([Node(tray, ports) for tray in trays])
        rails.cable_tree()
