"""Links as drawn: rates and protocols of both ends, fabrics that disagree, optics where none belong."""

from collections.abc import Iterator, Mapping

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.catalog.compatibility import protocols_meet
from rackbuilder.catalog.parts import CableType, Protocol
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.commands.cabling import SetPlug
from rackbuilder.commands.names import counted
from rackbuilder.design.integrity import cable_where
from rackbuilder.design.records import Cable, End
from rackbuilder.rules.finding import GRAPH_TABLES, Finding, finding, topic
from rackbuilder.units import rate_text

_PROTOCOL_NAMES: dict[Protocol, str] = {
    "infiniband": "InfiniBand",
    "ethernet": "Ethernet",
    "nvlink": "NVLink",
}


class _Links:
    """The cables of a design with both ports, looked up once a device: a design has ten thousand."""

    def __init__(self, inputs: Inputs) -> None:
        self._inputs, self._devices = inputs, inputs.devices
        self._ports: dict[str, Mapping[str, Port]] = {}

    def __iter__(self) -> Iterator[tuple[Cable, Port, Port]]:
        """Those whose ports are there; a port that is not is a finding of its own."""
        for cable in self._inputs.cables.values():
            a, b = self._port(*cable.a), self._port(*cable.b)
            if a is not None and b is not None:
                yield cable, a, b

    def _port(self, device: str, port: str) -> Port | None:
        known = self._ports.get(device)
        if known is None:
            record = self._devices[device]
            known = self._ports[device] = ports_of(self._inputs.type_of(record), record.modes)
        return known.get(port)


def rate(inputs: Inputs) -> Iterator[Finding]:
    """Two ends of different rates: the link runs at the slower one. One finding for all links of the same two ports
    of the same two types.
    """
    alike: dict[tuple[str, str], list[Cable]] = {}
    texts: dict[tuple[str, str], tuple[float, str]] = {}
    for cable, a, b in _Links(inputs):
        if a.rate_bps and b.rate_bps and a.rate_bps != b.rate_bps:
            ends = sorted((_kind(inputs, cable.a, a), _kind(inputs, cable.b, b)))
            key = (ends[0][0], ends[1][0])
            alike.setdefault(key, []).append(cable)
            faster, slower = sorted(ends, key=lambda end: -end[1])
            what = (
                f"{faster[0]} could carry {rate_text(faster[1])}, {slower[0]} carries {rate_text(slower[1])}"
            )
            texts[key] = (slower[1], what)
    for key, cables in alike.items():
        yield _slower(inputs, cables, *texts[key])


def _slower(inputs: Inputs, cables: list[Cable], slow_bps: float, text: str) -> Finding:
    verb = "runs" if len(cables) == 1 else "run"
    return finding(
        "warning",
        "cabling.rate",
        f"{counted(len(cables), 'link')} {verb} at {rate_text(slow_bps)} per direction: {text}",
        cable_where(inputs, cables[0]) if len(cables) == 1 else "links",
        "Use ports of one rate, or accept the slower one.",
        [c.id for c in cables],
    )


def _kind(inputs: Inputs, end: End, port: Port) -> tuple[str, float]:
    """What kind of port it is, in words, and its rate."""
    part = inputs.type_of(inputs.devices[end.device])
    return f"{port.cages.name} of {part.name}", port.rate_bps or 0.0


def protocol(inputs: Inputs) -> Iterator[Finding]:
    """Two ends that share no protocol: InfiniBand and Ethernet do not talk."""
    known: dict[tuple[int, int], str] = {}
    for cable, a, b in _Links(inputs):
        key = (id(a.cages), id(b.cages))  # a row of cages belongs to one part, which the design holds
        said = known.get(key)
        if said is None:
            said = known[key] = _strangers(_protocols(inputs, cable.a, a), _protocols(inputs, cable.b, b))
        if said:
            yield finding(
                "error",
                "cabling.protocol",
                f"{cable.label} joins {said}: such a link does not come up",
                cable_where(inputs, cable),
                "Use a switch, or a port, of the same protocol.",
                (cable.id, cable.a.device, cable.b.device),
            )


def _strangers(a: tuple[Protocol, ...], b: tuple[Protocol, ...]) -> str:
    """“InfiniBand and Ethernet”, or nothing when they can talk or may."""
    if protocols_meet(a, b):
        return ""
    return " and ".join("/".join(_PROTOCOL_NAMES[p] for p in side) for side in (a, b))


def _protocols(inputs: Inputs, end: End, port: Port) -> tuple[Protocol, ...]:
    """What an end can speak; empty: not known, or a port that carries no data of the fabric."""
    part = inputs.type_of(inputs.devices[end.device])
    if port.cages.role != "data":
        return ()
    if part.is_switch and part.fabric_protocol:
        return (part.fabric_protocol,)
    return port.cages.protocols


def two_fabrics(inputs: Inputs) -> Iterator[Finding]:
    """A cable between switches of two fabrics that pins neither: it counts for none."""
    for identity in sorted(c for c, why in inputs.graphs.loose.items() if why == "disagree"):
        cable = inputs.cables[identity]
        one, two = (inputs.devices[end.device].fabric for end in (cable.a, cable.b))
        yield finding(
            "warning",
            "cabling.two-fabrics",
            f"{cable.label} joins the fabrics {one} and {two}, and counts for neither",
            cable_where(inputs, cable),
            "Set the fabric of one switch, or pin the fabric of the cable.",
            (cable.id, cable.a.device, cable.b.device),
        )


def plug_on_cable(inputs: Inputs) -> Iterator[Finding]:
    """An optic in a cage whose cable brings its own plugs: direct-attach and active cables do."""
    own = {p.id: p for p in inputs.parts.values() if isinstance(p, CableType) and "fibre" not in p.form}
    by_cage: dict[str, tuple[Cable, CableType]] = {}
    for cable in inputs.cables.values() if own else ():
        part = own.get(cable.part)
        if part is not None:
            for end in (cable.a, cable.b):
                by_cage[f"{end.device}:{end.port.partition('/')[0]}"] = (cable, part)
    for cage, plug in inputs.tables["plugs"].items():
        if cage in by_cage:
            cable, part = by_cage[cage]
            yield finding(
                "error",
                "cabling.plug-on-cable",
                f"{plug.part} is plugged into {cage}, where {part.name} brings its own plug",
                cable_where(inputs, cable),
                "Remove the optic.",
                (cage, cable.id),
                SetPlug(cage=cage),
            )


CABLING = topic("cabling", f"{GRAPH_TABLES} plugs", "", protocol, plug_on_cable, rate, two_fabrics)
