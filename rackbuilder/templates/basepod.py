"""NVIDIA DGX BasePOD: two to eight servers on two InfiniBand switches, in-band pair, out-of-band switches.

Counts of RA-11127-001 V5, table 4.2: links are counted one by one, two in a twin-port plug. The storage of a partner
is left out, as the table does.
"""

from typing import ClassVar

from pydantic import Field

from rackbuilder.catalog.load import Catalog
from rackbuilder.design.draft import Draft
from rackbuilder.errors import refusal
from rackbuilder.templates.base import Template
from rackbuilder.templates.hall import RACK, Hall, servers_per_rack
from rackbuilder.templates.kit import Kit, Node
from rackbuilder.templates.management import HEAD, IN_BAND_SWITCH, OUT_OF_BAND_SWITCH, Management
from rackbuilder.templates.media import Media
from rackbuilder.templates.rails import server_ports, servers

_SERVERS = ("dgx-h100", "dgx-h200", "dgx-b200")
_SWITCH = "qm9700"
_HEADS = 5
_FIBRE, _SWITCH_OPTIC = "mfp7e10-nxxx", "mma4z00-ns"
_DOWN = Media(_FIBRE, "mma4z00-ns-flt", _SWITCH_OPTIC)
_BETWEEN = Media("mcp4y10-nxxx")
"""A twin-port DAC carries two of the links between the switches."""


class Basepod(Template):
    verb: ClassVar[str] = "basepod"
    title: ClassVar[str] = "DGX BasePOD"
    about: ClassVar[str] = (
        "Two to eight servers on a pair of InfiniBand switches, with in-band and out-of-band networks."
    )

    servers: int = Field(4, ge=2, le=8, description="servers")
    server: str = Field("dgx-b200", description=f"server type: {', '.join(_SERVERS)}")
    rack_limit_w: float | None = Field(None, gt=0, description="power limit of a rack in W; empty: none set")

    def label(self) -> str:
        return f"BasePOD, {self.servers} {self.server}"

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        if self.server not in _SERVERS:
            raise refusal(
                f"{catalog.device(self.server).name} has no published BasePOD",
                "basepod server",
                f"Choose one of {', '.join(_SERVERS)}.",
            )
        kit = Kit(draft, catalog, run)
        kit.use(self.server, _SWITCH, RACK, IN_BAND_SWITCH, OUT_OF_BAND_SWITCH, HEAD, "cat6-utp")
        kit.use(*_DOWN.parts(), *_BETWEEN.parts())
        hall = Hall(draft, run, self.rack_limit_w)
        part = catalog.device(self.server)
        ports = server_ports(part, 0, "basepod server")
        nodes = servers(kit, hall, part, self.servers, len(ports), servers_per_rack(part))
        compute = self._compute(kit, hall, nodes)
        self._management(kit, hall, nodes, compute)

    def _compute(self, kit: Kit, hall: Hall, nodes: list[Node]) -> list[Node]:
        """Ports of a server alternate over the two switches; as many links join these as each has servers' ports."""
        part = kit.catalog.device(_SWITCH)
        fabric = kit.fabric("Compute", part.technology, "compute")
        pair = [kit.switch("leaf", part, f"leaf{n + 1}", fabric) for n in range(2)]
        for node in pair:
            kit.seat(node, hall.network(part))
        rails = len(nodes[0].ports)
        for index, node in enumerate(nodes):
            for rail, port in enumerate(node.ports):
                switch = pair[rail % 2]
                place = index * rails // 2 + rail // 2
                kit.link(node, port, switch, switch.ports[place], f"{node.key}.rail{rail + 1}", _DOWN)
        half = len(pair[0].ports) // 2
        for n in range(len(nodes) * rails // 2):
            kit.link(
                pair[0], pair[0].ports[half + n], pair[1], pair[1].ports[half + n], f"isl{n + 1}", _BETWEEN
            )
        return pair

    def _management(self, kit: Kit, hall: Hall, nodes: list[Node], compute: list[Node]) -> None:
        """One out-of-band switch for up to four servers, two above, as printed for 4 and 8."""
        network = Management(kit, hall.network)
        in_band_part, slow_part = kit.catalog.device(IN_BAND_SWITCH), kit.catalog.device(OUT_OF_BAND_SWITCH)
        in_band = kit.fabric("In-band", in_band_part.technology, "in-band")
        out_of_band = kit.fabric("Out-of-band", slow_part.technology, "out-of-band")
        pair = network.switches(IN_BAND_SWITCH, in_band, "inband", "I", 2)
        network.slow = network.switches(
            OUT_OF_BAND_SWITCH, out_of_band, "oob", "O", 1 if len(nodes) <= 4 else 2
        )
        heads = network.heads(_HEADS)
        for node in (*nodes, *heads):
            network.pair_up(node, pair)
        network.join(pair[0], pair[1], 2, "inband.isl")
        network.uplinks(pair, out_of_band)
        network.watch((*nodes, *heads), "bmc")
        network.watch(compute, "management")
