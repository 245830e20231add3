"""Where a device can go in a rack: what a drop snaps to, and what “lowest free” means."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from rackbuilder.catalog.parts import DeviceType
from rackbuilder.design.geometry import in_half_steps, share_space, usable
from rackbuilder.design.records import Device, Face, Rack
from rackbuilder.design.view import View
from rackbuilder.errors import ProblemError, refusal

SlotName = Literal["", "left", "right", "side-left", "side-right"]


class Seat(NamedTuple):
    """A place in a rack: lowest unit (None at the side) and slot."""

    u: float | None
    slot: SlotName = ""


class Room:
    """What is free in one rack, as devices are seated one after the other."""

    def __init__(self, view: View, rack: Rack, without: frozenset[str] = frozenset()) -> None:
        self.rack = rack
        self.type = view.rack_type(rack)
        self._seated = [(d, view.type_of(d)) for d in view.seated(rack.id) if d.id not in without]

    def add(self, device: Device, part: DeviceType) -> None:
        self._seated.append((device, part))

    def fits(self, part: DeviceType, seat: Seat, face: Face = "front") -> bool:
        """Whether a device of this type can stand there: inside the rack, in a position of its assembly, on nobody."""
        if part.mounts_in and self.type.id not in part.mounts_in:
            return False
        if part.u_height == 0:
            return True
        if seat.u is None or not in_half_steps(seat.u):
            return False
        room = usable(self.type)
        if seat.u < room.low or seat.u + part.u_height > room.high:
            return False
        if self._positions(part) is not None and seat.u not in (self._positions(part) or ()):
            return False
        trial = Device(id="?", type=part.id, u=seat.u, slot=seat.slot, face=face)
        return not any(share_space((trial, part), other) for other in self._seated)

    def seats(self, part: DeviceType, face: Face = "front", start: float = 1.0) -> Iterator[Seat]:
        """Every free place at or above a unit, from the lowest; whole units, half ones for parts of half a unit."""
        if part.u_height == 0:
            yield Seat(None, self._side())
            return
        slots: tuple[SlotName, ...] = ("left", "right") if part.half_width else ("",)
        for u in self._units(part):
            found = (Seat(u, slot) for slot in slots if u >= start and self.fits(part, Seat(u, slot), face))
            yield from found

    def best(self, part: DeviceType, seat: Seat, face: Face = "front") -> Seat | None:
        """The place nearest to a wanted one; equally near, the lower."""
        wanted = seat.u or 1.0
        found = sorted(self.seats(part, face), key=lambda s: (abs((s.u or wanted) - wanted), s.u or 0.0))
        return found[0] if found else None

    def lowest(self, part: DeviceType, face: Face = "front") -> Seat:
        """The lowest free place. Raises ProblemError when there is none."""
        for seat in self.seats(part, face):
            return seat
        raise self.full(part)

    def full(self, part: DeviceType) -> ProblemError:
        if part.mounts_in and self.type.id not in part.mounts_in:
            what = f"{part.name} mounts in {' or '.join(part.mounts_in)} only"
            return refusal(
                what, f"rack {self.rack.label}", "It needs the backplane of its own rack.", (self.rack.id,)
            )
        what = f"{self.rack.label} has no free place for {part.name} ({part.u_height:g}U)"
        return refusal(
            what, f"rack {self.rack.label}", "Choose another rack, or move something.", (self.rack.id,)
        )

    def _positions(self, part: DeviceType) -> tuple[float, ...] | None:
        """Units that the assembly of this rack gives to the part; None for a rack without an assembly."""
        assembly = self.type.assembly
        if assembly is None or not assembly.slots:
            return None
        return tuple(sorted(slot.u for slot in assembly.slots if part.id in slot.takes))

    def _units(self, part: DeviceType) -> Iterator[float]:
        positions = self._positions(part)
        if positions is not None:
            yield from positions
            return
        step = 1.0 if float(part.u_height).is_integer() else 0.5
        limit = usable(self.type).high - part.u_height
        u = 1.0
        while u <= limit:
            yield u
            u += step

    def _side(self) -> SlotName:
        sides = [d.slot for d, part in self._seated if part.u_height == 0]
        return "side-right" if sides.count("side-left") > sides.count("side-right") else "side-left"


def seat_in(room: Room, device: Device, part: DeviceType, wanted: Seat) -> Device:
    """A device with its place in a rack: the wanted one, or the lowest free where no unit is wanted.

    A half-width device without a slot takes the free half of the unit. A wanted place that is taken is kept: the
    check of the whole edit names the blocker.
    """
    seat = wanted
    if part.u_height == 0:
        seat = wanted if wanted.slot else room.lowest(part, device.face)
    elif wanted.u is None:
        seat = room.lowest(part, device.face)
    elif part.half_width and not wanted.slot:
        halves = (Seat(wanted.u, "left"), Seat(wanted.u, "right"))
        seat = next((half for half in halves if room.fits(part, half, device.face)), halves[0])
    slot = seat.slot if part.half_width or part.u_height == 0 else ""
    seated = replace(device, rack=room.rack.id, u=seat.u, slot=slot)
    room.add(seated, part)
    return seated
