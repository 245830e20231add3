"""Servers on a tree of switches, on rails or one after the other: what the plain templates share."""

from collections.abc import Sequence
from math import ceil
from typing import NamedTuple

from rackbuilder.catalog.compatibility import protocols_meet
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.catalog.ports import Port
from rackbuilder.design.records import Device
from rackbuilder.errors import refusal
from rackbuilder.templates.clos import Tree, cable_down, cable_up, raise_tree
from rackbuilder.templates.counts import (
    Shape,
    fat_tree,
    grown_three_tier,
    leaf_ports,
    two_tier,
    two_tier_holds,
)
from rackbuilder.templates.hall import Hall
from rackbuilder.templates.kit import Kit, Node, data_ports, fabric_ports, split_all


class Switching(NamedTuple):
    """A switch as a template uses it: how its cages are split, and what the fabric then is."""

    part: DeviceType
    modes: dict[str, int]
    technology: str
    ports: int


def switching(kit: Kit, name: str, ports: Sequence[Port], where: str) -> Switching:
    """A switch for server ports: split where its ports are an even multiple of theirs.

    Raises ProblemError when it is no switch, or speaks another protocol than the ports.
    """
    part = kit.catalog.device(name)
    if not part.is_switch or not data_ports(part):
        raise refusal(f"{part.name} is no switch with data ports", where, "Choose a switch.")
    protocol = (part.fabric_protocol,) if part.fabric_protocol else ()
    if not protocols_meet(ports[0].cages.protocols, protocol):
        fix = f"Choose a switch for {' or '.join(ports[0].cages.protocols)}."
        raise refusal(f"The servers' ports do not speak {part.fabric_protocol}", where, fix)
    here, there = data_ports(part)[0].rate_bps, ports[0].rate_bps
    ways = round(here / there) if here and there and here > there else 1
    if here and there and ways > 1 and here != ways * there:
        ways = 1
    modes = split_all(part, ways)
    technology = part.technology
    if ways > 1 and there:
        slower = technology.replace(f"{(here or 0) / 1e9:g}g", f"{there / 1e9:g}g")
        technology = slower if slower in kit.catalog.parts else technology
    return Switching(part, modes, technology, len(data_ports(part, modes)))


def server_ports(part: DeviceType, links: int, where: str) -> tuple[Port, ...]:
    """The compute ports a template cables: the first `links`, or all. Raises ProblemError without any."""
    ports = fabric_ports(part, "compute")
    if not ports:
        raise refusal(
            f"{part.name} has no ports for a compute fabric",
            where,
            "Choose another server, or copy the part and add the cages of the cards bought.",
        )
    if links > len(ports):
        raise refusal(f"{part.name} has {len(ports)} compute ports", where, f"Ask for {len(ports)} at most.")
    return ports[: links or len(ports)]


def servers(kit: Kit, hall: Hall, part: DeviceType, count: int, ports: int, per_rack: int) -> list[Node]:
    """Equal servers in racks, srv-0001 first, each with the ports that are to be cabled."""
    cabled = fabric_ports(part, "compute")[:ports]
    made = []
    for index in range(count):
        seat = hall.server(index, per_rack, part)
        device = Device(
            id=kit.draft.new_id("srv"),
            name=f"srv-{index + 1:03d}",
            type=part.id,
            rack=seat.rack,
            u=seat.u,
            made_by=kit.mark(f"srv{index + 1:04d}"),
        )
        made.append(Node(kit.put(device), cabled))
    return made


class Layout(NamedTuple):
    """How many leaves a line has, the ports of a leaf that look down, and the tree above; None: no tree."""

    units: int
    down: int
    shape: Shape | None


def line_layout(
    endpoints: int, lines: int, radix: int, oversubscription: float = 1.0, tiers: int = 0
) -> Layout:
    """Leaves of each of `lines` rails, and two or three tiers of switches that join them all.

    A single leaf in all needs no spine. Raises ProblemError when the endpoints do not fit.
    """
    down, up = leaf_ports(radix, oversubscription)
    units = ceil(endpoints / down)
    if lines == 1:
        if units == 1 and tiers != 3:
            return Layout(1, down, None)
        shape = fat_tree(endpoints, radix, tiers, oversubscription)
        return Layout(shape.leaves, down, shape)
    if tiers != 3 and (tiers == 2 or two_tier_holds(units * lines, radix)):
        return Layout(units, down, two_tier(units * lines, up, radix))
    shape = grown_three_tier(units, up, radix, down, lines)
    return Layout(shape.leaves, down, shape)


class Rails:
    """Lines of leaves under one tree: rail n of a server goes to line n.

    With one line every port goes there, servers one after the other, as they stand in the racks.
    """

    def __init__(
        self, kit: Kit, hall: Hall, switch: Switching, layout: Layout, lines: int, fabric: str, mark: str = ""
    ) -> None:
        self.kit, self.hall, self.switch, self.layout, self.fabric = kit, hall, switch, layout, fabric
        self.mark = mark
        self.units = [
            kit.group("su", f"SU {n + 1}", "unit", f"{mark}su{n + 1}") if lines > 1 else ""
            for n in range(layout.units)
        ]
        self.lines = [
            [self._leaf(unit, line, lines) for unit in range(layout.units)] for line in range(lines)
        ]
        self.tree = self._tree()

    def _leaf(self, unit: int, line: int, lines: int) -> Node:
        name = f"su{unit + 1}.leaf{line + 1}" if lines > 1 else f"leaf{unit + 1}"
        return self._switch("leaf", f"{self.mark}{name}", (self.units[unit],) if self.units[unit] else ())

    def _switch(self, role: str, mark: str, groups: tuple[str, ...]) -> Node:
        part, modes, _, _ = self.switch
        return self.kit.switch(role, part, mark, self.fabric, groups, modes)

    def _tree(self) -> Tree:
        shape, down = self.layout.shape, self.layout.down
        if shape is None:
            return Tree([], [], [])
        return raise_tree(self.lines, shape, down, self._switch, self.mark)

    def seat(self) -> None:
        leaves = [leaf for unit in zip(*self.lines, strict=True) for leaf in unit]
        for node in (*leaves, *self.tree.spines, *self.tree.cores):
            self.kit.seat(node, self.hall.network(self.switch.part))

    def cable_servers(self, nodes: Sequence[Node]) -> None:
        """Rail n of the k-th server of a unit to leaf n, port k; on one line all ports in order."""
        down, rails = self.layout.down, len(self.lines)
        place = 0
        for index, node in enumerate(nodes):
            for port in range(len(node.ports)):
                mark = f"{self.mark}{node.key}.rail{port + 1}"
                if rails > 1:
                    leaf, at = self.lines[port][index // down], index % down
                else:
                    leaf, at = self.lines[0][place // down], place % down
                    place += 1
                cable_down(self.kit, leaf, [(node, port, mark)], first=at)

    def cable_tree(self) -> None:
        for join in self.tree.joins:
            cable_up(self.kit, join)
