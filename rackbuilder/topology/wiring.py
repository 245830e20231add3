"""From cables to links: which fabric a cable belongs to, and what it carries."""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.records import Cable
from rackbuilder.design.view import View
from rackbuilder.topology.figures import Figures
from rackbuilder.topology.losses import NOTHING, Losses

Loose = Literal["no fabric", "disagree", "nvlink", "loop"]
"""Why a cable is in no fabric: neither end lends one; two switches lend different ones; it is an NVLink cable, which
belongs to a domain; both its ends are at one device."""


class Station(NamedTuple):
    """What a cable meets at one device.

    lends   the fabric a switch gives to its data ports; empty: none
    role, rail   as pinned by the user
    """

    type: str
    ports: Mapping[str, Port]
    switch: bool
    lends: str
    gpus: int
    role: str
    rail: int | None


class Link(NamedTuple):
    """One cable between two devices, which are named in alphabetical order: `a` is the port at the first.

    A port is None when the device has none of that name (a misfit). `rate_bps` is that of the slower end, under the
    fabric's cap and what faults left; None when an end's rate is unknown. A link that is not `up` carries nothing.
    """

    cable: str
    a: Port | None
    b: Port | None
    rate_bps: float | None
    up: bool

    def at(self, device: str, other: str) -> Port | None:
        """The port at one of the two devices."""
        return self.a if device < other else self.b


def carries_data(port: Port | None) -> bool:
    """Not so management, BMC and console ports. A port that is not there is taken for the data port it names."""
    return port is None or port.cages.role == "data"


def gpus_behind(port: Port | None) -> range:
    """The GPUs whose NIC port this is; none when the part ties no GPU to it."""
    if port is None or port.cages.gpu_first is None:
        return range(0)
    first = port.cages.gpu_first + port.index * port.cages.gpus_per_port
    return range(first, first + port.cages.gpus_per_port)


class Wiring:
    """Reads the cables of one design; remembers each device's ports while it is used."""

    def __init__(self, view: View, losses: Losses, figures: Figures) -> None:
        self._view, self._losses, self._figures = view, losses, figures
        self._stations: dict[str, Station] = {}
        self._caps = {f.id: f.rate_cap_bps for f in view.fabrics.values() if f.rate_cap_bps is not None}
        self._special = bool(losses or figures or self._caps)

    def station(self, device: str) -> Station:
        found = self._stations.get(device)
        if found is None:
            record = self._view.devices[device]
            part = self._view.type_of(record)
            ports = ports_of(part, record.modes)
            lends = record.fabric if part.is_switch else ""
            found = Station(part.id, ports, part.is_switch, lends, part.gpu_count, record.role, record.rail)
            self._stations[device] = found
        return found

    def read(self, cable: Cable) -> tuple[str, Loose | None, Link]:
        """The fabric a cable belongs to or, with an empty name, why it belongs to none; and the cable as a link.

        A pinned fabric wins. Else a switch lends its fabric to its data ports only; every other port takes that of
        the far end.
        """
        # One look at each end: this runs for every cable of a design.
        (a, a_port), (b, b_port) = cable.a, cable.b
        one = self._stations.get(a) or self.station(a)
        two = self._stations.get(b) or self.station(b)
        port, far = one.ports.get(a_port), two.ports.get(b_port)
        fabric = cable.fabric
        why: Loose | None = None
        if a == b:
            fabric, why = "", "loop"
        elif not fabric:
            fabric = one.lends if one.lends and (port is None or port.cages.role == "data") else ""
            lent = two.lends if two.lends and (far is None or far.cages.role == "data") else ""
            if fabric and lent and fabric != lent:
                fabric, why = "", "disagree"
            elif not fabric and not lent:
                why = "nvlink" if _nvlink(port) and _nvlink(far) else "no fabric"
            else:
                fabric = fabric or lent
        rate = None
        if port is not None and far is not None and port.rate_bps is not None and far.rate_bps is not None:
            rate = min(port.rate_bps, far.rate_bps)
        first, second = (port, far) if a < b else (far, port)
        return fabric, why, self._set(cable, fabric, Link(cable.id, first, second, rate, True))

    def _set(self, cable: Cable, fabric: str, link: Link) -> Link:
        """A link at the rate a user set, under its fabric's cap, less what faults take."""
        if not self._special:
            return link
        set_bps = self._figures.rate_bps(cable.id)
        rate = _left(link.rate_bps if set_bps is None else set_bps, self._caps.get(fabric))
        loss = self._losses.cable(cable)
        return link._replace(rate_bps=_left(rate, loss.rate_bps), up=not loss.all)

    def together(self, a: str, b: str, links: list[Link]) -> tuple[Link, ...]:
        """The links of two devices by cable id, less what a fault of the pair takes."""
        if len(links) > 1:
            links.sort(key=lambda link: link.cable)
        loss = self._losses.pair(a, b) if self._special else NOTHING
        if loss is NOTHING:
            return tuple(links)
        # Which of the parallel links is gone was not said, and makes no difference: the last ones.
        keep = 0 if loss.all else len(links) - loss.links
        return tuple(
            link._replace(up=link.up and n < keep, rate_bps=_left(link.rate_bps, loss.rate_bps))
            for n, link in enumerate(links)
        )

    def peers(self, device: str) -> dict[str, list[Cable]]:
        """The cables of a device by the device at their far end."""
        found: dict[str, list[Cable]] = {}
        for cable in self._view.cables_of(device):
            other = cable.b.device if cable.a.device == device else cable.a.device
            found.setdefault(other, []).append(cable)
        return found


def _nvlink(port: Port | None) -> bool:
    return port is not None and port.cages.protocols == ("nvlink",)


def _left(rate_bps: float | None, limit_bps: float | None) -> float | None:
    if rate_bps is None or limit_bps is None:
        return rate_bps
    return min(rate_bps, limit_bps)


def fabric_of_cable(view: View, cable: Cable) -> str | None:
    """The fabric a cable belongs to, or None: see Wiring.read."""
    return Wiring(view, Losses(), Figures()).read(cable)[0] or None


def disagreements(view: View) -> Iterator[tuple[Cable, str, str]]:
    """Cables that join switches of two fabrics and pin neither: the cable and both fabrics, by cable id."""
    wiring = Wiring(view, Losses(), Figures())
    for identity in sorted(view.cables):
        cable = view.cables[identity]
        if wiring.read(cable)[1] == "disagree":
            yield cable, view.devices[cable.a.device].fabric, view.devices[cable.b.device].fabric
