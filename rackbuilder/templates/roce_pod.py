"""Racks of 16 GPUs with one top-of-rack switch, pods of 3,072 GPUs without oversubscription, 1:7 between the pods.

As published for Meta's 24,576-GPU RoCE cluster: arXiv 2407.21783 section 3.3.1.
"""

from typing import ClassVar

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Device
from rackbuilder.errors import refusal
from rackbuilder.templates.base import Template
from rackbuilder.templates.clos import cable_down, cable_up, raise_tree
from rackbuilder.templates.counts import Shape, three_tier, two_tier
from rackbuilder.templates.hall import RACK, Hall
from rackbuilder.templates.kit import Kit, Node
from rackbuilder.templates.rails import Switching, server_ports, switching

_SERVERS_PER_RACK = 2
_FIRST_SWITCH_U = 41.0
"""Above two servers of ten units, two switches high."""


class RocePod(Template):
    verb: ClassVar[str] = "roce_pod"
    title: ClassVar[str] = "RoCE pods"
    about: ClassVar[str] = (
        "Racks of two servers and one leaf each, pods of 192 racks at 1:1, an oversubscribed layer between pods."
    )

    pods: int = Field(1, ge=1, le=8, description="pods")
    racks_per_pod: int = Field(192, ge=1, le=192, description="racks of a pod (192 are 3,072 GPUs)")
    server: str = Field("dgx-h100", description="server type, two a rack")
    leaf: str = Field("arista-7060x6-64pe", description="switch in the rack")
    spine: str = Field("arista-7800-576", description="switch of the cluster and aggregation layers")
    oversubscription: float = Field(
        7.0, ge=1, le=64, description="down over up of the cluster layer, between pods"
    )
    rack_limit_w: float | None = Field(None, gt=0, description="power limit of a rack in W; empty: none set")

    def label(self) -> str:
        return f"{self.pods} RoCE {'pod' if self.pods == 1 else 'pods'} of {self.racks_per_pod} racks"

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        _Pods(self, Kit(draft, catalog, run)).build()


class _Pods:
    def __init__(self, fields: RocePod, kit: Kit) -> None:
        self.fields, self.kit = fields, kit
        self.server = kit.catalog.device(fields.server)
        self.ports = server_ports(self.server, 0, "roce_pod server")
        self.leaf = switching(kit, fields.leaf, self.ports, "roce_pod leaf")
        self.spine = switching(kit, fields.spine, self.ports, "roce_pod spine")
        self.down = _SERVERS_PER_RACK * len(self.ports)
        self.shape = self._shape()
        self.hall = Hall(kit.draft, kit.run, fields.rack_limit_w)
        self.pods: list[str] = []

    def _shape(self) -> Shape:
        """As many uplinks of a leaf as it has server ports; spines taper towards the other pods."""
        fields = self.fields
        if 2 * self.down > self.leaf.ports:
            what = f"{self.leaf.part.name} has {self.leaf.ports} ports; {2 * self.down} are needed in a rack"
            raise refusal(what, "roce_pod leaf", "Choose a leaf with more ports.")
        if fields.pods == 1:
            return two_tier(fields.racks_per_pod, self.down, self.spine.ports)
        leaves = fields.pods * fields.racks_per_pod
        shape = three_tier(
            1, leaves, self.down, self.spine.ports, fields.oversubscription, fields.racks_per_pod
        )
        if shape is None:
            raise refusal(
                f"{self.spine.part.name} has too few ports for pods of {fields.racks_per_pod} racks",
                "roce_pod spine",
                "Choose a larger switch, smaller pods or a higher oversubscription.",
            )
        return shape

    def build(self) -> None:
        kit, fields = self.kit, self.fields
        kit.use(fields.server, fields.leaf, fields.spine, RACK)
        self.fabric = kit.fabric("Compute", self.leaf.technology, "compute")
        self.pods = [kit.group("pod", f"Pod {n}", "pod", f"pod{n}") for n in range(1, fields.pods + 1)]
        racks = range(fields.pods * fields.racks_per_pod)
        servers = [[self._server(rack, place) for place in range(_SERVERS_PER_RACK)] for rack in racks]
        leaves = [self._leaf(rack) for rack in racks]
        tree = raise_tree(
            [leaves], self.shape, self.down, self._above, pods=self.pods if fields.pods > 1 else ()
        )
        for rack, leaf in enumerate(leaves):
            kit.seat(leaf, self.hall.server(rack, 1, self.leaf.part)._replace(u=self._leaf_u()))
        for node in (*tree.spines, *tree.cores):
            kit.seat(node, self.hall.network(self.spine.part))
        for rack, leaf in enumerate(leaves):
            self._cable(leaf, servers[rack])
        for join in tree.joins:
            cable_up(kit, join)

    def _pod(self, rack: int) -> str:
        return self.pods[rack // self.fields.racks_per_pod]

    def _mark(self, rack: int) -> str:
        pod, place = divmod(rack, self.fields.racks_per_pod)
        return f"pod{pod + 1}.rack{place + 1}"

    def _server(self, rack: int, place: int) -> Node:
        seat = self.hall.server(rack * _SERVERS_PER_RACK + place, _SERVERS_PER_RACK, self.server)
        device = Device(
            id=self.kit.draft.new_id("srv"),
            name=f"srv-{rack * _SERVERS_PER_RACK + place + 1:04d}",
            type=self.server.id,
            rack=seat.rack,
            u=seat.u,
            groups=(self._pod(rack),),
            made_by=self.kit.mark(self._mark(rack), f"srv{place + 1}"),
        )
        return Node(self.kit.put(device), self.ports)

    def _leaf(self, rack: int) -> Node:
        return self._switch(self.leaf, "leaf", f"{self._mark(rack)}.leaf", (self._pod(rack),))

    def _leaf_u(self) -> float:
        """Above the servers."""
        return max(_FIRST_SWITCH_U, 1 + _SERVERS_PER_RACK * self.server.u_height)

    def _above(self, role: str, mark: str, groups: tuple[str, ...]) -> Node:
        return self._switch(self.spine, role, mark, groups)

    def _switch(self, switch: Switching, role: str, mark: str, groups: tuple[str, ...]) -> Node:
        return self.kit.switch(role, switch.part, mark, self.fabric, groups, switch.modes)

    def _cable(self, leaf: Node, servers: list[Node]) -> None:
        for place, server in enumerate(servers):
            ends = [(server, n, f"{server.key}.rail{n + 1}") for n in range(len(self.ports))]
            cable_down(self.kit, leaf, ends, first=place * len(self.ports))
