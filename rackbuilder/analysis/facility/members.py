"""Who draws power in which rack: seated devices, what they carry inside, and the slots of a rack assembly."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.catalog.parts import Assembly, RackType, Slot
from rackbuilder.design.records import Device, Rack
from rackbuilder.design.view import View
from rackbuilder.topology.backplane import trays_of
from rackbuilder.topology.natural import natural_key


def racks_in_order(inputs: Inputs) -> tuple[str, ...]:
    """Racks in natural order, remembered while none comes or goes."""
    memo = inputs.graphs.memo
    names = memo.same("rack names", tuple(inputs.racks))
    return memo.get("racks in order", (names,), lambda: tuple(sorted(names, key=natural_key)))


def members_of(view: View, rack: str) -> tuple[Device, ...]:
    """The devices of a rack, those inside others too, in natural order. An empty name: devices in no rack."""
    if rack:
        roots = view.indexes.seats.get(rack, {})
        found = {name: view.devices[name] for name in roots}
    else:
        found = {d.id: d for d in view.devices.values() if not d.rack and not d.parent}
    waiting = list(found)
    while waiting:
        for inner in view.children(waiting.pop()):
            # One with a rack of its own counts there.
            if not inner.rack and inner.id not in found:
                found[inner.id] = inner
                waiting.append(inner.id)
    if len(found) < 2:
        return tuple(found.values())
    return tuple(found[name] for name in sorted(found, key=natural_key))


class Filling(NamedTuple):
    """How far a rack assembly is filled.

    seated    device -> the slot it is in
    missing   slots that nothing is in
    """

    part: RackType
    assembly: Assembly
    seated: Mapping[str, Slot]
    missing: tuple[Slot, ...]

    @property
    def trays(self) -> int:
        """Trays that the backplane joins and that are there."""
        joined = (self.assembly.compute_tray, self.assembly.switch_tray)
        return sum(any(name in joined for name in slot.takes) for slot in self.seated.values())


def filling_of(view: View, rack: Rack | None, members: Iterable[Device]) -> Filling | None:
    """The slots of a rack assembly as they are filled; None for any other rack."""
    part = view.rack_type(rack) if rack is not None else None
    if rack is None or part is None or part.assembly is None:
        return None
    assembly = part.assembly
    free = {slot.u: slot for slot in assembly.slots or _slots_by_count(assembly, members)}
    seated: dict[str, Slot] = {}
    for device in members:
        slot = free.get(device.u) if device.rack == rack.id and device.u is not None else None
        if slot is not None and device.type in slot.takes:
            seated[device.id] = free.pop(slot.u)
    return Filling(part, assembly, seated, tuple(free[u] for u in sorted(free)))


def _slots_by_count(assembly: Assembly, members: Iterable[Device]) -> list[Slot]:
    """Slots of an assembly whose positions are not published: one for each tray that is there, and for each missing."""
    kinds = trays_of(assembly)
    found = [Slot(u=d.u, takes=(d.type,)) for d in members if d.u is not None and d.type in kinds]
    place = -1.0  # below every rack unit: nothing is there
    for kind, count in (
        (assembly.compute_tray, assembly.compute_trays),
        (assembly.switch_tray, assembly.switch_trays),
    ):
        for _ in range(count - sum(slot.takes == (kind,) for slot in found)):
            found.append(Slot(u=place, takes=(kind,)))
            place -= 1
    return found
