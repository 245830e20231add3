"""Storage, in-band and out-of-band networks of a SuperPOD, scaled from the one published bill.

RA-11333-001 V11, tables 7 and 8: 127 servers, 16 storage switches, 8 in-band and 8 out-of-band ones. How its 494
storage links divide is our reading: 254 of servers on eight leaves with 24 uplinks each (4:3, as its text says), 48
twin-port splitters to appliances on four leaves with 12 uplinks each (1:1), 8 x 24 + 4 x 12 = 240 to four spines.
"""

from collections.abc import Sequence
from math import ceil

from rackbuilder.catalog.parts import DeviceType
from rackbuilder.design.records import Device
from rackbuilder.errors import refusal
from rackbuilder.templates.clos import Join, cable_up
from rackbuilder.templates.counts import divisors
from rackbuilder.templates.hall import NetworkRacks
from rackbuilder.templates.kit import Kit, Node, data_ports, fabric_ports
from rackbuilder.templates.management import (
    HEAD,
    IN_BAND_SWITCH,
    OUT_OF_BAND_SWITCH,
    Management,
    in_band_ports,
)
from rackbuilder.templates.media import Media

STORAGE_SWITCH, APPLIANCE = "qm9700", "storage-ddn-ai400x2"
_FIBRE, _SWITCH_OPTIC = "mfp7e10-nxxx", "mma4z00-ns"
_SERVER = Media(_FIBRE, "mma1z00-ns400", _SWITCH_OPTIC)
_UP = Media(_FIBRE, _SWITCH_OPTIC, _SWITCH_OPTIC)
_SPLITTER = Media("mfa7u10-h00x")
"""One plug of two links at the switch, two plugs at appliances, 200 Gb/s each."""
_SERVER_UPS, _STORE_UPS, _STORE_DOWN = 24, 12, 24
_APPLIANCES_PER_UNIT, _HEADS = 3, 4
_UPS_PER_CORE, _CORES, _BETWEEN = 2, 2, 2


def storage_parts() -> tuple[str, ...]:
    return (STORAGE_SWITCH, APPLIANCE, *_SERVER.parts(), *_SPLITTER.parts())


def management_parts() -> tuple[str, ...]:
    return (IN_BAND_SWITCH, OUT_OF_BAND_SWITCH, HEAD, "cat6-utp")


class Storage:
    """A fabric of its own: servers' leaves, appliances' leaves, spines above both."""

    def __init__(self, kit: Kit, racks: NetworkRacks, units: Sequence[Sequence[Node]]) -> None:
        self.kit, self.racks, self.units = kit, racks, units
        self.part = kit.catalog.device(STORAGE_SWITCH)
        self.radix = len(data_ports(self.part))
        self.ports = self._server_ports()
        leaves = len(units) * len(self.ports)
        self.stores = max(2, len(units))
        self.spines = self._spines(leaves)
        self.switches: list[Node] = []

    def _server_ports(self) -> tuple[int, ...]:
        """Places of a server's storage ports among its data ports; a unit must fit on a leaf."""
        node = self.units[0][0]
        part = self.kit.draft.type_of(node.device)
        rate = data_ports(self.part)[0].rate_bps
        found = tuple(n for n, p in enumerate(fabric_ports(part, "storage")) if p.rate_bps == rate)
        if not found or len(self.units[0]) > self.radix // 2:
            raise refusal(
                f"{part.name} has no storage network that is published",
                "superpod storage",
                "Leave storage off, and draw it yourself.",
            )
        return found

    def _spines(self, leaves: int) -> int:
        """The fewest that divide the uplinks of both kinds of leaf and have the ports."""
        links = leaves * _SERVER_UPS + self.stores * _STORE_UPS
        for count in divisors(_STORE_UPS):
            if links <= count * self.radix:
                return count
        raise refusal(
            f"{len(self.units)} units are more than one storage fabric of two tiers joins",
            "superpod storage",
            "Leave storage off, or choose 12 units at most.",
        )

    def build(self) -> list[Node]:
        """Returns its switches."""
        fabric = self.kit.fabric("Storage", self.part.technology, "storage")
        units = range(len(self.units))
        ports = range(len(self.ports))
        low = [
            self._switch("stleaf", f"storage.su{u + 1}.leaf{p + 1}", "SL", fabric)
            for u in units
            for p in ports
        ]
        stores = [self._switch("stleaf", f"storage.leaf{n + 1}", "SL", fabric) for n in range(self.stores)]
        spines = [self._switch("stspine", f"storage.spine{n + 1}", "SS", fabric) for n in range(self.spines)]
        self.switches = [*low, *stores, *spines]
        for node in self.switches:
            self.kit.seat(node, self.racks.seat(self.part))
        self._servers(low)
        self._appliances(stores)
        half = self.radix // 2
        cable_up(self.kit, Join(low, spines, _SERVER_UPS, half), _UP)
        used = len(low) * _SERVER_UPS // len(spines)
        cable_up(self.kit, Join(stores, spines, _STORE_UPS, half, used), _UP)
        return self.switches

    def _switch(self, role: str, mark: str, letter: str, fabric: str) -> Node:
        return self.kit.switch(role, self.part, mark, fabric, letter=letter)

    def _servers(self, leaves: Sequence[Node]) -> None:
        """Each storage port of a server to another leaf of its unit."""
        for unit, servers in enumerate(self.units):
            for place, server in enumerate(servers):
                ports = fabric_ports(self.kit.draft.type_of(server.device), "storage")
                for number, index in enumerate(self.ports):
                    leaf = leaves[unit * len(self.ports) + number]
                    mark = f"{server.key}.storage{number + 1}"
                    self.kit.link(server, ports[index], leaf, leaf.ports[place], mark, _SERVER)

    def _appliances(self, leaves: Sequence[Node]) -> None:
        """Pairs of links, each pair a splitter, go round the leaves: an appliance hangs on several."""
        part, used = self.kit.catalog.device(APPLIANCE), [0] * len(leaves)
        pair = 0
        for number in range(len(self.units) * _APPLIANCES_PER_UNIT):
            node = self._appliance(part, number)
            for first in range(0, len(node.ports), 2):
                turn = pair % len(leaves)
                for port in (first, first + 1):
                    there = leaves[turn].ports[used[turn]]
                    self.kit.link(
                        node, node.ports[port], leaves[turn], there, f"{node.key}.link{port + 1}", _SPLITTER
                    )
                    used[turn] += 1
                pair += 1

    def _appliance(self, part: DeviceType, number: int) -> Node:
        seat = self.racks.seat(part)
        device = Device(
            id=self.kit.draft.new_id("store"),
            name=f"store-{number + 1:02d}",
            type=part.id,
            rack=seat.rack,
            u=seat.u,
            made_by=self.kit.mark(f"storage.appliance{number + 1}"),
        )
        return Node(self.kit.put(device), fabric_ports(part, "storage"))


class Operations:
    """In-band and out-of-band networks: pairs of leaves under two cores, two 1G switches a unit, head nodes."""

    def __init__(self, kit: Kit, racks: NetworkRacks, units: Sequence[Sequence[Node]]) -> None:
        self.kit, self.units = kit, units
        self.network = Management(kit, racks.seat)
        self.servers = [server for unit in units for server in unit]
        self.heads: list[Node] = []

    def in_band(self) -> list[Node]:
        """Two links of each server to the two leaves of its pair; returns the cores."""
        network, part = self.network, self.kit.catalog.device(IN_BAND_SWITCH)
        type_ = self.kit.draft.type_of(self.servers[0].device)
        if not in_band_ports(type_, None):
            raise refusal(
                f"{type_.name} has no in-band ports that were read",
                "superpod in_band",
                "Leave in_band off, or copy the part and add its ports.",
            )
        fabric = self.kit.fabric("In-band", part.technology, "in-band")
        room = len(data_ports(part)) - _CORES * _UPS_PER_CORE - _BETWEEN - _HEADS
        pairs = ceil(len(self.servers) / room)
        leaves = network.switches(IN_BAND_SWITCH, fabric, "inband", "I", 2 * pairs)
        cores = network.switches(IN_BAND_SWITCH, fabric, "inbandcore", "IC", _CORES)
        share = ceil(len(self.servers) / pairs)
        self.heads = network.heads(_HEADS)
        for index, server in enumerate(self.servers):
            pair = index // share
            network.pair_up(server, leaves[2 * pair : 2 * pair + 2])
        for head in self.heads:
            network.pair_up(head, leaves[:2])
        for number, leaf in enumerate(leaves):
            for core in cores:
                network.join(leaf, core, _UPS_PER_CORE, f"{leaf.key}.{core.key}")
            if number % 2:
                network.join(leaves[number - 1], leaf, _BETWEEN, f"{leaf.key}.peer")
        return cores

    def out_of_band(self, switches: Sequence[Node], cores: Sequence[Node]) -> None:
        """BMCs of servers and head nodes, management ports of the InfiniBand switches, uplinks to the in-band cores."""
        part = self.kit.catalog.device(OUT_OF_BAND_SWITCH)
        fabric = self.kit.fabric("Out-of-band", part.technology, "out-of-band")
        count = max(2, 2 * len(self.units))
        self.network.slow = self.network.switches(OUT_OF_BAND_SWITCH, fabric, "oob", "O", count)
        self.network.watch((*self.servers, *self.heads), "bmc")
        self.network.watch(switches, "management")
        if cores:
            self.network.uplinks(cores, fabric)
