"""The building blocks in a fabric that no template makes: frontend and backend with cages split in part.

The published 128-server case of the DIET planner (afewell-hh/hh-netbox-plugin, docs/DIET_TEST_CASES.md): 64-cage
switches of 800G; a leaf has 32 uplinks of 800G and the other half of its cages split.
    frontend   128 servers x 2 of 200G on 2 leaves, 9 storage servers x 2 on each of 2 more: 256 + 36 links
    backend    32 servers x 8 of 400G on 8 rail leaves: 256 links
That is 548 cables to servers. Their document stops there; 12 leaves x 32 uplinks are 384 more, on 6 spines of 64.
"""

from collections import Counter
from typing import ClassVar

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.ports import Port
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Device
from rackbuilder.templates.base import Template
from rackbuilder.templates.clos import cable_up, raise_tree
from rackbuilder.templates.counts import two_tier
from rackbuilder.templates.hall import RACK, Hall
from rackbuilder.templates.kit import Kit, Node, data_ports
from tests.templates.published import made, unfit

SWITCH, SERVER, OLD_SERVER, STORE = "arista-7060x6-64pe", "dgx-h100", "dgx-a100", "storage-ddn-ai400x2"
UPLINKS = 32


class Diet(Template):
    verb: ClassVar[str] = "diet"
    title: ClassVar[str] = "128 servers with a frontend and a backend"
    about: ClassVar[str] = "Only for this test."

    def build(self, draft: Draft, catalog: Catalog, run: str) -> None:
        kit, hall = Kit(draft, catalog, run), Hall(draft, run, None)
        kit.use(SWITCH, SERVER, OLD_SERVER, STORE, RACK)
        front = kit.fabric("Frontend", "roce-800g", "storage", "frontend")
        back = kit.fabric("Backend", "roce-800g", "compute", "backend")
        servers = [self._device(kit, "srv", SERVER if n < 32 else OLD_SERVER, n) for n in range(128)]
        stores = [self._device(kit, "store", STORE, n) for n in range(18)]
        gpu, store = self._leaves(kit, front, "fe", 2, 4), self._leaves(kit, front, "fs", 2, 4)
        rails = self._leaves(kit, back, "be", 8, 2)
        for n, server in enumerate(servers):
            for leaf in range(2):
                port = _ports(server, "inband")[leaf]
                kit.link(server, port, gpu[leaf], gpu[leaf].ports[n], f"{server.key}.fe{leaf}")
        for n, node in enumerate(stores):
            leaf, place = divmod(n, 9)
            for link in range(2):
                kit.link(
                    node,
                    node.ports[link],
                    store[leaf],
                    store[leaf].ports[2 * place + link],
                    f"{node.key}.{link}",
                )
        for n, server in enumerate(servers[:32]):
            for rail, port in enumerate(_ports(server, "osfp")):
                kit.link(server, port, rails[rail], rails[rail].ports[n], f"{server.key}.be{rail}")
        self._spines(kit, hall, front, "fspine", [*gpu, *store])
        self._spines(kit, hall, back, "bspine", rails)

    def _device(self, kit: Kit, prefix: str, name: str, number: int) -> Node:
        identity = kit.draft.new_id(prefix)
        device = Device(id=identity, type=name, made_by=kit.mark(f"{prefix}{number}"))
        return Node(kit.put(device), data_ports(kit.catalog.device(name)))

    def _leaves(self, kit: Kit, fabric: str, mark: str, count: int, ways: int) -> list[Node]:
        """The first half of the cages split, the other half whole for the uplinks."""
        modes = {f"osfp{n}": ways for n in range(1, 33)}
        return [
            kit.switch("leaf", kit.catalog.device(SWITCH), f"{mark}{n}", fabric, modes=modes)
            for n in range(count)
        ]

    def _spines(self, kit: Kit, hall: Hall, fabric: str, mark: str, leaves: list[Node]) -> None:
        part = kit.catalog.device(SWITCH)
        down = len(leaves[0].ports) - UPLINKS
        shape = two_tier(len(leaves), UPLINKS, len(data_ports(part)))
        tree = raise_tree(
            [leaves], shape, down, lambda role, m, _: kit.switch(role, part, f"{mark}.{m}", fabric)
        )
        for node in (*leaves, *tree.spines):
            kit.seat(node, hall.network(part))
        for join in tree.joins:
            cable_up(kit, join)


def _ports(node: Node, cages: str) -> list[Port]:
    return [port for port in node.ports if port.cages.name == cages]


def test_548_and_384() -> None:
    design = made(Diet())
    roles = Counter(d.id.rsplit("-", 1)[0] for d in design.devices.values())
    assert roles == {"srv": 128, "store": 18, "leaf": 12, "spine": 6}
    ends = Counter(c.a.device.rsplit("-", 1)[0] for c in design.cables.values())
    assert ends["srv"] + ends["store"] == 548
    assert ends["leaf"] == 384
    assert len(design.cables) == 932
    assert unfit(design) == []


def test_every_port_of_a_spine_is_used_once() -> None:
    """4 x 32 = 2 x 64 and 8 x 32 = 4 x 64: no port is free, none has two cables."""
    design = made(Diet())
    for device in design.devices.values():
        if device.id.startswith("spine"):
            assert len(design.ports_used(device.id)) == 64
