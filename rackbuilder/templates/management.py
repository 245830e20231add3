"""In-band and out-of-band networks: pairs of Ethernet switches, and 1G switches for the management ports.

As the bills of RA-11127-001 V5 (BasePOD, table 4.2) and RA-11333-001 V11 (SuperPOD, table 8) have them: every server
has two links into the in-band network, one to each switch of a pair, and one from its BMC; every 1G switch has two
uplinks of 100G into the in-band network.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from rackbuilder.catalog.parts import DeviceType, PortRole
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.records import Device
from rackbuilder.templates.hall import Seat
from rackbuilder.templates.kit import Kit, Node, data_ports
from rackbuilder.templates.media import UNCHOSEN, Media

IN_BAND_SWITCH, OUT_OF_BAND_SWITCH, HEAD = "sn4600c", "sn2201", "head-node-1u-generic"
_CAT6 = Media("cat6-utp")
_UPLINKS = 2
_SLOW_BPS = 1e9


class Counting:
    """Hands out the ports of switches in order."""

    def __init__(self) -> None:
        self._used: Counter[str] = Counter()

    def next(self, switch: Node, ports: Sequence[Port] | None = None) -> Port:
        listed = switch.ports if ports is None else ports
        key = f"{switch.device.id} {listed[0].cages.name}"
        self._used[key] += 1
        return listed[self._used[key] - 1]


class Management:
    """The two networks of one template run. Switches are made first, cabled as they are asked for."""

    def __init__(self, kit: Kit, seat: Callable[[DeviceType], Seat]) -> None:
        self.kit, self.seat, self.ports = kit, seat, Counting()
        self.slow: list[Node] = []
        self._bmcs = 0

    # ---- switches and head nodes

    def switches(self, name: str, fabric: str, prefix: str, letter: str, count: int) -> list[Node]:
        part = self.kit.catalog.device(name)
        made = [
            self.kit.switch(prefix, part, f"{prefix}{n + 1}", fabric, letter=letter) for n in range(count)
        ]
        for node in made:
            self.kit.seat(node, self.seat(part))
        return made

    def heads(self, count: int) -> list[Node]:
        """Management servers; what they run is not drawn."""
        part = self.kit.catalog.device(HEAD)
        made = []
        for number in range(1, count + 1):
            seat = self.seat(part)
            device = Device(
                id=self.kit.draft.new_id("mgmt"),
                name=f"mgmt-{number:02d}",
                type=part.id,
                rack=seat.rack,
                u=seat.u,
                made_by=self.kit.mark(f"mgmt{number}"),
            )
            made.append(Node(self.kit.put(device), data_ports(part)))
        return made

    # ---- in-band

    def pair_up(self, node: Node, pair: Sequence[Node], media: Media = UNCHOSEN) -> None:
        """Two in-band links of a server, one to each switch of a pair."""
        part = self.kit.draft.type_of(node.device)
        rate = pair[0].ports[0].rate_bps
        for number, (port, switch) in enumerate(zip(in_band_ports(part, rate), pair, strict=False)):
            mark = f"{node.key}.inband{number + 1}"
            self.kit.link(node, port, switch, self.ports.next(switch), mark, media)

    def join(self, low: Node, high: Node, count: int, mark: str, media: Media = UNCHOSEN) -> None:
        """Links between two in-band switches."""
        for n in range(count):
            here, there = self.ports.next(low), self.ports.next(high)
            self.kit.link(low, here, high, there, f"{mark}.{n + 1}", media)

    # ---- out-of-band

    def watch(self, nodes: Iterable[Node], role: PortRole) -> None:
        """The management port of each device, on the 1G switches in turn; one that has none is passed over."""
        for node in nodes:
            part = self.kit.draft.type_of(node.device)
            port = next((p for p in ports_of(part).values() if p.cages.role == role), None)
            if port is None or port.rate_bps != _SLOW_BPS:
                continue
            switch = self.slow[self._bmcs % len(self.slow)]
            self._bmcs += 1
            there = self.ports.next(switch, [p for p in switch.ports if p.rate_bps == _SLOW_BPS])
            self.kit.link(node, port, switch, there, f"{node.key}.oob", _CAT6)

    def uplinks(self, pair: Sequence[Node], fabric: str, media: Media = UNCHOSEN) -> None:
        """Two fast ports of each 1G switch to in-band switches, which carry the out-of-band traffic on: the links are
        of the out-of-band fabric.
        """
        for switch in self.slow:
            fast = [p for p in switch.ports if p.rate_bps != _SLOW_BPS]
            for n in range(_UPLINKS):
                high = pair[n % len(pair)]
                mark = f"{switch.key}.up{n + 1}"
                port, there = self.ports.next(switch, fast), self.ports.next(high)
                self.kit.link(switch, port, high, there, mark, media, fabric)


def in_band_ports(part: DeviceType, rate_bps: float | None) -> list[Port]:
    """The in-band ports of the rate of the switch, where a server has some; else all of them."""
    ports = [p for p in data_ports(part) if p.cages.fabric == "in-band"]
    return [p for p in ports if p.rate_bps == rate_bps] or ports


def slow_switches(ports: int) -> int:
    """1G switches for so many management ports: 48 each."""
    return -(-ports // 48)
