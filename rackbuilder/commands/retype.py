"""Another type for a device that stands and is cabled: what stays, what must go."""

from collections.abc import Sequence
from dataclasses import replace

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.catalog.ports import ports_of
from rackbuilder.commands import cascade, fabrics
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable, Device
from rackbuilder.errors import Problem, ProblemError


def change_type(
    draft: Draft, catalog: Catalog, devices: Sequence[Device], part: DeviceType, drop_cables: bool
) -> None:
    """Gives devices another type. Raises ProblemError that lists the cables whose port the new type has not."""
    lost = [(device, cable) for device in devices for cable in _lost(draft, device, part)]
    if lost and not drop_cables:
        raise ProblemError(*(_no_port(device, cable, part) for device, cable in lost))
    for cable in {cable.id: cable for _, cable in lost}.values():
        draft.remove("cables", cable.id)
        cascade.drop_idle_plugs(draft, cable)
    _fabrics(draft, catalog, devices, part)
    for device in devices:
        _drop_plugs(draft, device, part)
        now = draft.devices[device.id]
        slot = device.slot if part.half_width or part.u_height == 0 else ""
        draft.put("devices", replace(now, type=part.id, modes=_modes(device, part), slot=slot))


def _modes(device: Device, part: DeviceType) -> dict[str, int]:
    """The splits that the new type can have too."""
    cages = {f"{row.name}{n + 1}": row for row in part.cages for n in range(row.count)}
    return {c: ways for c, ways in device.modes.items() if c in cages and ways in cages[c].splits}


def _lost(draft: Draft, device: Device, part: DeviceType) -> list[Cable]:
    ports = ports_of(part, _modes(device, part))
    used = draft.ports_used(device.id)
    return [draft.cables[c] for port in sorted(used) if port not in ports for c in used[port]]


def _no_port(device: Device, cable: Cable, part: DeviceType) -> Problem:
    port = cable.a.port if cable.a.device == device.id else cable.b.port
    what = f"{part.name} has no port {port}, which {cable.label} uses on {device.label}"
    return Problem(
        what, device.label, "Disconnect it first, or change the type and drop such cables.", refs=(cable.id,)
    )


def _drop_plugs(draft: Draft, device: Device, part: DeviceType) -> None:
    cages = {f"{row.name}{n + 1}" for row in part.cages for n in range(row.count)}
    mine = f"{device.id}:"
    for key in [k for k in draft.tables["plugs"] if k.startswith(mine) and k.removeprefix(mine) not in cages]:
        draft.remove("plugs", key)


def _fabrics(draft: Draft, catalog: Catalog, devices: Sequence[Device], part: DeviceType) -> None:
    """A fabric whose switches all change takes the new technology; one switch alone leaves for a fabric of its own."""
    changed = {d.id for d in devices}
    for fabric in dict.fromkeys(d.fabric for d in devices if d.fabric):
        members = [d.id for d in draft.devices.values() if d.fabric == fabric]
        same = part.technology in ("", draft.fabrics[fabric].technology)
        if part.is_switch and not same and changed.issuperset(members):
            draft.put("fabrics", replace(draft.fabrics[fabric], technology=part.technology))
    for device in devices:
        if not part.is_switch:
            draft.put("devices", replace(device, fabric=""))
        elif not device.fabric or draft.fabrics[device.fabric].technology != part.technology:
            draft.put(
                "devices", replace(device, fabric=fabrics.join_fabric(draft, catalog, part) or device.fabric)
            )
