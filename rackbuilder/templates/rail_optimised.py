"""Any number of servers on rails: NIC n of each goes to leaf n of its unit, spines join the rails.

Definition: NVIDIA, “Doubling all2all Performance with NCCL 2.12”, and the compute-fabric section of RA-11333-001.
"""

from typing import ClassVar

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.design.draft import Draft
from rackbuilder.errors import refusal
from rackbuilder.templates.base import Template
from rackbuilder.templates.hall import RACK, Hall, servers_per_rack
from rackbuilder.templates.kit import Kit, Node
from rackbuilder.templates.rails import Rails, Switching, line_layout, server_ports, servers, switching


class RailOptimised(Template):
    verb: ClassVar[str] = "rail_optimised"
    title: ClassVar[str] = "Rail-optimised"
    about: ClassVar[str] = (
        "Servers on as many rails as they have compute ports; each rail has a leaf of its own in every unit."
    )

    servers: int = Field(64, ge=1, le=8192, description="servers")
    server: str = Field("dgx-h100", description="server type")
    switch: str = Field("qm9700", description="switch of every tier")
    rails: int = Field(0, ge=0, le=64, description="rails, one a compute port; 0: all ports")
    oversubscription: float = Field(
        1.0, ge=1, le=32, description="down over up at a leaf (1 is non-blocking)"
    )
    joined: bool = Field(
        True,
        description="spines join the rails; off: each rail is a fabric plane of its own, GPUs relay by NVLink",
    )
    rack_limit_w: float | None = Field(None, gt=0, description="power limit of a rack in W; empty: none set")

    def label(self) -> str:
        return f"{self.servers:,} {self.server} on rails"

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        kit = Kit(draft, catalog, run)
        part = catalog.device(self.server)
        ports = server_ports(part, self.rails, "rail_optimised server")
        if len(ports) < 2:
            raise refusal(
                "One rail is a plain fat tree",
                "rail_optimised rails",
                "Use fat_tree, or ask for two rails or more.",
            )
        switch = switching(kit, self.switch, ports, "rail_optimised switch")
        kit.use(self.server, self.switch, RACK)
        fabric = kit.fabric("Compute", switch.technology, "compute")
        hall = Hall(draft, run, self.rack_limit_w)
        nodes = servers(kit, hall, part, self.servers, len(ports), servers_per_rack(part))
        if self.joined:
            layout = line_layout(self.servers, len(ports), switch.ports, self.oversubscription)
            trees = [(Rails(kit, hall, switch, layout, len(ports), fabric), nodes)]
        else:
            trees = [
                (self._plane(kit, hall, switch, fabric, rail), _one_port(nodes, rail))
                for rail in range(len(ports))
            ]
        for rails, _ in trees:
            rails.seat()
        for rails, ends in trees:
            rails.cable_servers(ends)
        for rails, _ in trees:
            rails.cable_tree()

    def _plane(self, kit: Kit, hall: Hall, switch: Switching, fabric: str, rail: int) -> Rails:
        layout = line_layout(self.servers, 1, switch.ports, self.oversubscription)
        return Rails(kit, hall, switch, layout, 1, fabric, f"rail{rail + 1}.")


def _one_port(nodes: list[Node], rail: int) -> list[Node]:
    return [Node(node.device, node.ports[rail : rail + 1]) for node in nodes]
