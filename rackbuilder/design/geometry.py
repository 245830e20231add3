"""Metres and rack units: where a device sits in its rack. What layout and analysis both need, and nothing drawn."""

from typing import NamedTuple

from rackbuilder.catalog.parts import DeviceType, RackType
from rackbuilder.design.records import Device, Rack
from rackbuilder.design.view import View

U_M = 0.04445
"""One rack unit (EIA-310)."""


class Span(NamedTuple):
    """Rack units from `low` up to, not including, `high`, in half steps; U1 is 1.0 to 2.0."""

    low: float
    high: float

    def meets(self, other: "Span") -> bool:
        return self.low < other.high and other.low < self.high

    def text(self) -> str:
        """“U9–U16” or “U5” or “U5.5” as people say it."""
        last = self.high - 1 if self.high - self.low >= 1 else self.low
        return f"U{self.low:g}" if last <= self.low else f"U{self.low:g}–U{last:g}"


def span_of(device: Device, part: DeviceType) -> Span | None:
    """The units a device fills; None when it is not at a unit (unplaced, or at the side)."""
    if device.u is None or part.u_height == 0:
        return None
    return Span(device.u, device.u + part.u_height)


def usable(rack_type: RackType) -> Span:
    """The units of a rack: 1 up to and including N."""
    return Span(1.0, rack_type.u_height + 1.0)


def in_half_steps(u: float) -> bool:
    return float(u * 2).is_integer()


def share_space(a: tuple[Device, DeviceType], b: tuple[Device, DeviceType]) -> bool:
    """Whether two devices of one rack would stand in the same place: unit, face and half of the width."""
    (one, one_type), (two, two_type) = a, b
    first, second = span_of(one, one_type), span_of(two, two_type)
    if first is None or second is None or not first.meets(second):
        return False
    if one_type.half_depth and two_type.half_depth and one.face != two.face:
        return False
    halves = one_type.half_width and two_type.half_width
    return not (halves and one.slot and two.slot and one.slot != two.slot)


def port_height_m(device: Device, part: DeviceType, rack: Rack, rack_type: RackType) -> float | None:
    """Middle of a device above the floor of its rack, in metres; None when it has no unit."""
    span = span_of(device, part)
    if span is None:
        return None
    middle = (span.low + span.high) / 2 - 1
    return (middle if rack.numbered_from == "bottom" else rack_type.u_height - middle) * U_M


def free_units(view: View, rack: str, part: DeviceType, face: str = "front", ignore: str = "") -> list[float]:
    """Lowest units at which a device of this type fits, ascending; whole units, half ones for 0.5U parts.

    `ignore` is a device that is about to move and does not block itself.
    """
    record = view.racks[rack]
    rack_type = view.rack_type(record)
    if part.u_height == 0:
        return []
    taken = [(d, view.type_of(d)) for d in view.seated(rack) if d.id != ignore]
    step = 1.0 if float(part.u_height).is_integer() else 0.5
    limit = usable(rack_type).high - part.u_height
    result = []
    u = 1.0
    while u <= limit:
        slots = ("left", "right") if part.half_width else ("",)
        trial = [Device(id="?", type=part.id, rack=rack, u=u, slot=s, face=face) for s in slots]  # type: ignore[arg-type]
        if any(not any(share_space((t, part), other) for other in taken) for t in trial):
            result.append(u)
        u += step
    return result
