"""Links as drawn: rates and protocols of both ends, fabrics that disagree, optics where none belong, parts missing."""

from collections.abc import Iterator

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.catalog.parts import CableType, Protocol
from rackbuilder.catalog.ports import Port
from rackbuilder.commands.cabling import SetPlug
from rackbuilder.commands.names import counted
from rackbuilder.design.integrity import cable_where, port_at
from rackbuilder.design.records import Cable, End
from rackbuilder.rules.finding import Finding, finding, topic
from rackbuilder.topology.wiring import disagreements
from rackbuilder.units import rate_text

_PROTOCOL_NAMES: dict[Protocol, str] = {
    "infiniband": "InfiniBand",
    "ethernet": "Ethernet",
    "nvlink": "NVLink",
}


def rate(inputs: Inputs) -> Iterator[Finding]:
    """Two ends of different rates: the link runs at the slower one. One finding for all links of the same two ports
    of the same two types.
    """
    alike: dict[tuple[str, str], list[Cable]] = {}
    texts: dict[tuple[str, str], tuple[float, str]] = {}
    for cable in inputs.cables.values():
        a, b = port_at(inputs, cable.a), port_at(inputs, cable.b)
        if a and b and a.rate_bps and b.rate_bps and a.rate_bps != b.rate_bps:
            ends = sorted((_kind(inputs, cable.a, a), _kind(inputs, cable.b, b)))
            key = (ends[0][0], ends[1][0])
            alike.setdefault(key, []).append(cable)
            faster, slower = sorted(ends, key=lambda end: -end[1])
            what = (
                f"{faster[0]} could carry {rate_text(faster[1])}, {slower[0]} carries {rate_text(slower[1])}"
            )
            texts[key] = (slower[1], what)
    for key, cables in alike.items():
        slow_bps, text = texts[key]
        verb = "runs" if len(cables) == 1 else "run"
        yield finding(
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
    for cable in inputs.cables.values():
        a, b = _protocols(inputs, cable.a), _protocols(inputs, cable.b)
        if a and b and not set(a) & set(b):
            said = " and ".join("/".join(_PROTOCOL_NAMES[p] for p in side) for side in (a, b))
            yield finding(
                "error",
                "cabling.protocol",
                f"{cable.label} joins {said}: such a link does not come up",
                cable_where(inputs, cable),
                "Use a switch, or a port, of the same protocol.",
                (cable.id, cable.a.device, cable.b.device),
            )


def _protocols(inputs: Inputs, end: End) -> tuple[Protocol, ...]:
    """What an end can speak; empty: not known, or a port that carries no data of the fabric."""
    port = port_at(inputs, end)
    part = inputs.type_of(inputs.devices[end.device])
    if port is None or port.cages.role != "data":
        return ()
    if part.is_switch and part.fabric_protocol:
        return (part.fabric_protocol,)
    return port.cages.protocols


def two_fabrics(inputs: Inputs) -> Iterator[Finding]:
    """A cable between switches of two fabrics that pins neither: it counts for none."""
    for cable, one, two in disagreements(inputs):
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
    by_cage: dict[str, tuple[Cable, CableType]] = {}
    for cable in inputs.cables.values():
        part = inputs.parts.get(cable.part)
        if isinstance(part, CableType) and "fibre" not in part.form:
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


def no_part(inputs: Inputs) -> Iterator[Finding]:
    """Links whose cable is not chosen yet: the parts list is not complete."""
    bare = [c.id for c in inputs.cables.values() if not c.part and not c.assembly]
    if bare:
        yield finding(
            "note",
            "cabling.no-part",
            f"{counted(len(bare), 'link')} {'has' if len(bare) == 1 else 'have'} no cable chosen yet",
            "parts list",
            "Set the part of these links.",
            bare,
        )


CABLING = topic(
    "cabling", "parts devices cables fabrics plugs", "", protocol, plug_on_cable, rate, two_fabrics, no_part
)
