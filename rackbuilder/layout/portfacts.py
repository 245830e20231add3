"""What a port is called in a drawing, what is plugged into it, and who is at the other end."""

from collections.abc import Mapping
from dataclasses import dataclass

from rackbuilder.catalog.parts import CableType, DeviceType
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.records import Cable, Device
from rackbuilder.design.refs import parse
from rackbuilder.design.view import View
from rackbuilder.topology.wiring import fabric_of_cable
from rackbuilder.units import rate_text

Loads = Mapping[tuple[str, str, str], float | None]


@dataclass(frozen=True, slots=True)
class PortFacts:
    """One port as a drawing tells of it; without a cable everything but its names is empty."""

    label: str
    """“17” on a switch, “p5” on a server, “bmc”."""
    plug: str
    """The optic in its cage, or the cable that brings its own plug; empty: none is chosen."""
    cable: Cable | None = None
    peer: str = ""
    """“srv-021 p5”."""
    fabric: str = ""
    load: float | None = None
    """Share of the step it is busy; None: not known, or no load has been computed."""
    state: str = "free"
    """free, in use, planned, failed, degraded."""
    rate_bps: float | None = None


def port_label(part: DeviceType, port: Port) -> str:
    """Short name of a port: its number on a switch, “p5” among the equal ones of a server, “bmc” where it is alone."""
    branch = f".{port.name.rpartition('.')[2]}" if "." in port.name else ""
    if port.cages.role != "data":
        alone = port.cages.count * port.cages.ports == 1
        return f"{port.cages.name}{'' if alone else port.index + 1}{branch}"
    before = 0
    for row in part.cages:
        if row is port.cages:
            break
        if row.role == "data" and (part.is_switch or row.fabric == port.cages.fabric):
            before += row.count * row.ports
    return f"{'' if part.is_switch else 'p'}{before + port.index + 1}{branch}"


def label_of(view: View, device: str, port: str) -> str:
    """Short name of a device's port; its own name where the device does not have it as it is set now."""
    record = view.devices[device]
    part = view.type_of(record)
    found = ports_of(part, record.modes).get(port)
    return port_label(part, found) if found is not None else port


def plug_text(view: View, device: str, cage: str, cable: Cable | None) -> str:
    """The optic that is set for a cage, or the cable whose end is its plug; empty when nothing is chosen."""
    pinned = view.tables["plugs"].get(f"{device}:{cage}")
    if pinned is not None:
        return str(pinned.part).upper()
    part = view.parts.get(cable.part) if cable is not None and cable.part else None
    own = isinstance(part, CableType) and part.form not in ("fibre", "splitter-fibre")
    return part.id.upper() if part is not None and own else ""


def lost_cables(view: View) -> Mapping[str, str]:
    """Cable, port or device -> failed or degraded, of the faults that are switched on."""
    return {
        fault.ref: "degraded" if fault.kind == "degraded" else "failed"
        for fault in view.tables["faults"].values()
        if fault.on and fault.kind in ("failed", "degraded", "maintenance")
    }


def port_facts(view: View, device: Device, port: Port, loads: Loads | None = None) -> PortFacts:
    """All that is known about one port of a device."""
    label = port_label(view.type_of(device), port)
    used = view.ports_used(device.id).get(port.name, ())
    cable = view.cables[used[0]] if used else None
    plug = plug_text(view, device.id, port.cage, cable)
    if cable is None:
        return PortFacts(label, plug, rate_bps=port.rate_bps)
    far = cable.b if (cable.a.device, cable.a.port) == (device.id, port.name) else cable.a
    peer = f"{view.devices[far.device].label} {label_of(view, far.device, far.port)}"
    fabric = fabric_of_cable(view, cable)
    a, b = sorted((device.id, far.device))
    load = (loads or {}).get((a, b, fabric or ""))
    return PortFacts(label, plug, cable, peer, fabric or "", load, _state(view, cable), port.rate_bps)


def _state(view: View, cable: Cable) -> str:
    lost = lost_cables(view)
    ends = [ref for end in (cable.a, cable.b) for ref in (f"{end.device}:{end.port}", end.device)]
    found = [lost[ref] for ref in (cable.id, *ends) if ref in lost]
    if found:
        return "failed" if "failed" in found else "degraded"
    return "in use" if cable.state == "existing" else "planned"


def load_text(facts: PortFacts, known: bool) -> str:
    """What stands at the end of a port's row: its load, or its state where that says more."""
    if facts.state in ("failed", "degraded"):
        return facts.state
    if facts.load is not None:
        return f"{facts.load:.0%}".replace("%", " %")
    if known:
        return "unknown"
    return rate_text(facts.rate_bps) if facts.rate_bps is not None else ""


def facts_of_ref(view: View, ref: str, loads: Loads | None = None) -> PortFacts | None:
    """Facts of “srv-0001:osfp3/2”; None when there is no such port."""
    parsed = parse(ref)
    device = view.devices.get(parsed.record)
    if device is None or not parsed.port:
        return None
    port = ports_of(view.type_of(device), device.modes).get(parsed.port)
    return port_facts(view, device, port, loads) if port is not None else None
