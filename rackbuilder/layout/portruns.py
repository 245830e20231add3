"""Runs from the ports of one device: each cable is a pair of its own, so that it can be lit, lost and clicked."""

from dataclasses import dataclass, field

from rackbuilder.catalog.parts import DeviceType
from rackbuilder.catalog.ports import Port
from rackbuilder.design.records import Device
from rackbuilder.design.view import View
from rackbuilder.layout.bundles import Pair
from rackbuilder.layout.looks import SCOPE_OF_ROLE, is_grown
from rackbuilder.layout.portfacts import PortFacts
from rackbuilder.layout.scene import Pipe

Point = tuple[float, float]


@dataclass
class PortRuns:
    """Collects the runs of a device that is shown from inside."""

    view: View
    device: Device
    pairs: list[Pair] = field(default_factory=list)
    pipes: list[Pipe] = field(default_factory=list)
    routes: list[tuple[Point, ...]] = field(default_factory=list)
    planned: set[int] = field(default_factory=set)

    def add(self, facts: PortFacts, ink: str, start: Point, end: Point) -> None:
        """One run from a port outwards; nothing for a port without a cable."""
        cable = facts.cable
        if cable is None:
            return
        number = len(self.pairs)
        a, b = sorted((cable.a.device, cable.b.device))
        self.pairs.append(Pair(a, b, facts.fabric, (cable.id,), facts.rate_bps))
        self.pipes.append(Pipe("link", *start, *end, (number,), 2, ink))
        self.routes.append((start, end))
        if cable.state != "existing" and is_grown(self.view):
            self.planned.add(number)


def port_ink(view: View, device: Device, part: DeviceType, port: Port, facts: PortFacts) -> str:
    """The scope of what is, or may be, at the other end of a port."""
    if port.cages.role != "data":
        return "out-of-band"
    if port.cages.fabric:
        return SCOPE_OF_ROLE[port.cages.fabric]
    fabric = view.fabrics.get(facts.fabric or device.fabric)
    role = fabric.roles[0] if fabric is not None and fabric.roles else "compute"
    if role != "compute" or facts.cable is None:
        return SCOPE_OF_ROLE.get(role, "server-leaf")
    ends = [view.type_of(view.devices[end.device]).is_switch for end in (facts.cable.a, facts.cable.b)]
    return "leaf-spine" if all(ends) else "server-leaf"
