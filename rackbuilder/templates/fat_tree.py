"""A fat tree of equal switches under any servers: two or three tiers, any radix, any oversubscription."""

from typing import ClassVar

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.design.draft import Draft
from rackbuilder.templates.base import Template
from rackbuilder.templates.hall import RACK, Hall, servers_per_rack
from rackbuilder.templates.kit import Kit
from rackbuilder.templates.rails import Rails, line_layout, server_ports, servers, switching


class FatTree(Template):
    verb: ClassVar[str] = "fat_tree"
    title: ClassVar[str] = "Fat tree"
    about: ClassVar[str] = (
        "Servers one after the other on leaves, spines above, cores where two tiers are full; 1:1 or tapered."
    )

    servers: int = Field(64, ge=1, le=8192, description="servers")
    server: str = Field("dgx-h100", description="server type")
    switch: str = Field("qm9700", description="switch of every tier")
    tiers: int = Field(0, ge=0, le=3, description="2 or 3 tiers of switches; 0: as many as are needed")
    oversubscription: float = Field(
        1.0, ge=1, le=32, description="down over up at a leaf (1 is non-blocking)"
    )
    links: int = Field(0, ge=0, le=64, description="compute ports cabled of each server; 0: all")
    rack_limit_w: float | None = Field(None, gt=0, description="power limit of a rack in W; empty: none set")

    def label(self) -> str:
        return f"Fat tree of {self.servers:,} {self.server}"

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        kit = Kit(draft, catalog, run)
        part = catalog.device(self.server)
        ports = server_ports(part, self.links, "fat_tree server")
        switch = switching(kit, self.switch, ports, "fat_tree switch")
        endpoints = self.servers * len(ports)
        layout = line_layout(endpoints, 1, switch.ports, self.oversubscription, self.tiers)
        kit.use(self.server, self.switch, RACK)
        fabric = kit.fabric("Compute", switch.technology, "compute")
        hall = Hall(draft, run, self.rack_limit_w)
        nodes = servers(kit, hall, part, self.servers, len(ports), servers_per_rack(part))
        rails = Rails(kit, hall, switch, layout, 1, fabric)
        rails.seat()
        rails.cable_servers(nodes)
        rails.cable_tree()
