"""Fit: what cannot physically be. A slot taken twice, a port that is not there or used twice, a tray outside its rack.

A misfit refuses the edit that makes it (session), and is a finding on a file that already holds it: one function.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from pydantic import BaseModel

from rackbuilder.catalog.compatibility import mates
from rackbuilder.catalog.parts import CableType, DeviceType, RackType
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.design.draft import Draft
from rackbuilder.design.geometry import in_half_steps, share_space, span_of, usable
from rackbuilder.design.patch import Patch
from rackbuilder.design.records import Cable, Device, End, Rack
from rackbuilder.design.refs import port_ref
from rackbuilder.design.view import View
from rackbuilder.errors import Problem


@dataclass(frozen=True)
class Scope:
    """What to look at: ids in a fixed order."""

    racks: dict[str, None] = field(default_factory=dict)
    devices: dict[str, None] = field(default_factory=dict)
    cables: dict[str, None] = field(default_factory=dict)


def everything(view: View) -> Scope:
    return Scope(dict.fromkeys(view.racks), dict.fromkeys(view.devices), dict.fromkeys(view.cables))


def touched(view: View, patch: Patch) -> Scope:
    """What a patch can have brought into or out of fit, seen before or after it."""
    scope = Scope()
    for change in patch.changes:
        for record in (change.before, change.after):
            if isinstance(record, Rack):
                scope.racks[record.id] = None
            elif isinstance(record, Device):
                scope.devices[record.id] = None
                if record.rack:
                    scope.racks[record.rack] = None
            elif isinstance(record, Cable):
                scope.cables[record.id] = None
                for end in (record.a, record.b):
                    scope.cables.update(dict.fromkeys(view.ports_used(end.device).get(end.port, ())))
        if isinstance(change.after, Device) and _ports_moved(change.before, change.after):
            scope.cables.update((c, None) for ids in view.ports_used(change.id).values() for c in ids)
        if change.table == "parts":
            _users(view, change.id, scope)
    return scope


def _ports_moved(before: object, after: Device) -> bool:
    return isinstance(before, Device) and (before.type != after.type or before.modes != after.modes)


def _users(view: View, part: str, scope: Scope) -> None:
    for user in view.indexes.users.get(part, ()):
        if user in view.racks:
            scope.racks[user] = None
        else:
            scope.devices[user] = None
            rack = view.devices[user].rack
            if rack:
                scope.racks[rack] = None
            scope.cables.update((c, None) for ids in view.ports_used(user).values() for c in ids)


def misfits(view: View, scope: Scope | None = None) -> Iterator[Problem]:
    """Every misfit of a design, or of the part of it in scope."""
    look = scope or everything(view)
    for rack in look.racks:
        if rack in view.racks:
            yield from _rack(view, view.racks[rack])
    for device in look.devices:
        if device in view.devices:
            yield from _device(view, view.devices[device])
    yield from _cables(view, look.cables)


def new_misfits(before: View, after: View, patch: Patch) -> tuple[Problem, ...]:
    """The misfits that a patch brings in; those that stood before do not count."""
    scope = touched(after, patch)
    found = tuple(misfits(after, scope))
    if not found:
        return ()
    old = set(misfits(_with_names(before, patch), touched(before, patch)))
    return tuple(p for p in found if p not in old)


def _with_names(before: View, patch: Patch) -> View:
    """The design before, under the names of after: a misfit told with another name is no new one."""
    draft = Draft(before, generating=True)
    for change in patch.changes:
        if change.before and change.after and change.before.name != change.after.name:
            name = change.after.name
            if isinstance(change.before, BaseModel):
                draft.put(change.table, change.before.model_copy(update={"name": name}))
            else:
                draft.put(change.table, replace(change.before, name=name))
    return draft


# ---- racks


def _rack(view: View, rack: Rack) -> Iterator[Problem]:
    rack_type = view.rack_type(rack)
    seated = [(d, view.type_of(d)) for d in view.seated(rack.id)]
    for device, part in seated:
        yield from _inside(rack, rack_type, device, part)
    placed = sorted((row for row in seated if row[0].u is not None), key=lambda row: (row[0].u, row[0].id))
    for index, row in enumerate(placed):
        for other in placed[index + 1 :]:
            span, next_span = span_of(*row), span_of(*other)
            if span is None or next_span is None or next_span.low >= span.high:
                if next_span is not None and span is not None:
                    break
                continue
            if share_space(row, other):
                yield _collision(rack, row, other)


def _collision(rack: Rack, row: tuple[Device, DeviceType], other: tuple[Device, DeviceType]) -> Problem:
    first, second = span_of(*row), span_of(*other)
    assert first is not None
    assert second is not None
    return Problem(
        f"{other[0].label} ({second.text()}) and {row[0].label} ({first.text()}) stand in the same place",
        f"rack {rack.label}",
        "Move one of them to free units.",
        refs=(row[0].id, other[0].id),
        rule="space.collision",
    )


def _inside(rack: Rack, rack_type: RackType, device: Device, part: DeviceType) -> Iterator[Problem]:
    where = f"rack {rack.label}"
    refs = (device.id,)
    span = span_of(device, part)
    if span is not None:
        room = usable(rack_type)
        if span.low < room.low or span.high > room.high:
            what = f"{device.label} would fill {span.text()}; {rack.label} has U1–U{rack_type.u_height}"
            yield Problem(what, where, "Place it inside the rack.", refs=refs, rule="space.ends")
        if not in_half_steps(span.low):
            what = f"{device.label} stands at U{span.low:g}, which is no whole or half unit"
            yield Problem(what, where, "Use steps of 0.5.", refs=refs, rule="space.step")
    elif part.u_height > 0:
        what = f"{device.label} is {part.u_height:g}U high and has no unit in {rack.label}"
        yield Problem(
            what, where, "Give it a unit, or take it out of the rack.", refs=refs, rule="space.no-unit"
        )
    yield from _assembly(rack, rack_type, device, part)


def _assembly(rack: Rack, rack_type: RackType, device: Device, part: DeviceType) -> Iterator[Problem]:
    where, refs = f"rack {rack.label}", (device.id,)
    if part.mounts_in and rack_type.id not in part.mounts_in:
        what = f"{part.name} mounts in {' or '.join(part.mounts_in)} only; {rack.label} is a {rack_type.name}"
        fix = "It needs the backplane, busbar and manifold of its own rack."
        yield Problem(what, where, fix, refs=refs, rule="space.assembly")
    if rack_type.assembly is None or not rack_type.assembly.slots or part.u_height == 0:
        return
    taken = [slot for slot in rack_type.assembly.slots if part.id in slot.takes]
    if not any(slot.u == device.u for slot in taken):
        if taken:
            what = f"{part.name} does not go to U{device.u or 0:g} of a {rack_type.name}"
            fix = f"Its positions are {_positions([slot.u for slot in taken])}."
        else:
            what = f"A {rack_type.name} takes its own trays only; {part.name} needs a 19-inch rack"
            fix = "Place it in another rack."
        yield Problem(what, where, fix, refs=refs, rule="space.assembly")


def _positions(units: Iterable[float]) -> str:
    """“U6–U15, U25–U32”."""
    runs: list[list[float]] = []
    for u in sorted(units):
        if runs and u - runs[-1][-1] == 1:
            runs[-1].append(u)
        else:
            runs.append([u])
    return ", ".join(f"U{r[0]:g}" if len(r) == 1 else f"U{r[0]:g}–U{r[-1]:g}" for r in runs)


# ---- devices and cables


def _device(view: View, device: Device) -> Iterator[Problem]:
    cages = {f"{row.name}{n + 1}": row for row in view.type_of(device).cages for n in range(row.count)}
    for cage, ways in device.modes.items():
        row = cages.get(cage)
        if row is None:
            what = f"{device.label} has no cage {cage} to split"
        elif ways != 1 and ways not in row.splits:
            what = f"Cage {cage} of {device.label} cannot be split {ways} ways"
        else:
            continue
        yield Problem(what, device.label, "Remove the split.", refs=(device.id,), rule="cabling.mode")


def port_at(view: View, end: End) -> Port | None:
    """The port an end names, or None when the device has no such port as its cages are split now."""
    device = view.devices.get(end.device)
    if device is None:
        return None
    return ports_of(view.type_of(device), device.modes).get(end.port)


def cable_where(view: View, cable: Cable) -> str:
    """“leaf-03 osfp9/1 to srv-0101 osfp1/2”."""
    a, b = (f"{view.devices[end.device].label} {end.port}" for end in (cable.a, cable.b))
    return f"{a} to {b}"


def _cables(view: View, ids: Iterable[str]) -> Iterator[Problem]:
    """The misfits of some cables. The ports of a device are looked up once for all its cables."""
    cables, devices, ends = view.cables, view.devices, view.indexes.ends
    ports: dict[str, Mapping[str, Port]] = {}
    plugged: dict[str, bool] = {"": False}
    for identity in ids:
        cable = cables.get(identity)
        if cable is None:
            continue
        sound = cable.a != cable.b
        for device, port in (cable.a, cable.b):
            known = ports.get(device)
            if known is None:
                record = devices[device]
                known = ports[device] = ports_of(view.type_of(record), record.modes)
            sound = sound and port in known and len(ends[device].get(port, ())) == 1
        if cable.part not in plugged:
            part = view.parts.get(cable.part)
            plugged[cable.part] = isinstance(part, CableType) and not part.form.endswith("fibre")
        # Words are made only where something is wrong, or the plugs of a pinned part may not mate.
        if not sound or plugged[cable.part]:
            yield from _cable(view, cable)


def _cable(view: View, cable: Cable) -> Iterator[Problem]:
    part = view.parts.get(cable.part)
    if cable.a == cable.b:
        what = f"{cable.label} joins a port with itself"
        where = cable_where(view, cable)
        yield Problem(what, where, "Choose another port.", refs=(cable.id,), rule="cabling.port")
    for end in (cable.a, cable.b):
        port = port_at(view, end)
        device = view.devices[end.device]
        if port is None:
            fix = f"{view.type_of(device).name} has {_cages_text(view.type_of(device))}."
            what = f"{device.label} has no port {end.port}"
            refs = (cable.id, end.device)
            yield Problem(what, cable_where(view, cable), fix, refs=refs, rule="cabling.port")
            continue
        yield from _shared(view, cable, end, device)
        if isinstance(part, CableType) and not part.form.endswith("fibre"):
            yield from _plug(view, cable, part, device, port)


def _shared(view: View, cable: Cable, end: End, device: Device) -> Iterator[Problem]:
    """Two cables in one port: said once, by the later one."""
    for other in view.ports_used(end.device).get(end.port, ()):
        if other < cable.id:
            what = f"Port {end.port} of {device.label} holds two cables: {other} and {cable.id}"
            refs = (other, cable.id, port_ref(*end))
            where = cable_where(view, cable)
            yield Problem(what, where, "Move one to a free port.", refs=refs, rule="cabling.port-twice")


def _plug(view: View, cable: Cable, part: CableType, device: Device, port: Port) -> Iterator[Problem]:
    # A directed part (splitter, flat to finned) may be laid either way round: refuse only what fits neither way.
    reasons = [mates(end.connector, end.top, port.cages) for end in (part.a, part.b)]
    if all(reasons):
        what = f"{part.name} does not fit {port.cage} of {device.label}: {reasons[0]}"
        where, fix = cable_where(view, cable), "Choose a cable whose plug fits."
        yield Problem(what, where, fix, refs=(cable.id,), rule="cabling.connector")


def _cages_text(part: DeviceType) -> str:
    rows = [f"{row.name}1–{row.name}{row.count} of {row.ports}" for row in part.cages]
    return "cages " + ", ".join(rows) if rows else "no ports that take a cable"
