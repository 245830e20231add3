"""Where a part goes that is placed without a pointer: by Enter in the palette, or by name."""

from collections.abc import Iterator, Sequence

from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType, Part, RackType
from rackbuilder.commands.base import Command
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.racks import AddRack, PlaceRackSystem
from rackbuilder.design.design import Design
from rackbuilder.design.geometry import free_units
from rackbuilder.errors import refusal


def placeable(design: Design, catalog: Catalog) -> list[Part]:
    """Every device and rack type that can be placed: the catalog's, and the design's own."""
    own = (p for p in design.parts.values() if p.id not in catalog.parts)
    return [p for p in (*catalog.parts.values(), *own) if isinstance(p, DeviceType | RackType)]


def placing(design: Design, catalog: Catalog, part: str, racks: Sequence[str], count: int = 1) -> Command:
    """The command that places a part: a device in the selected rack or the first with room, a rack beside the others.

    A part of an assembly goes into an assembly that takes it. Raises ProblemError for what cannot be placed.
    """
    kind = design.parts.get(part) or catalog.part(part)
    if isinstance(kind, RackType):
        system = kind.assembly is not None and bool(kind.assembly.slots)
        return PlaceRackSystem(type=part, count=count) if system else AddRack(type=part, count=count)
    if not isinstance(kind, DeviceType):
        raise refusal(f"{kind.name} cannot stand alone", "place", "It belongs to a cable or a cage.")
    rack = next(_with_room(design, kind, racks, count), "")
    return PlaceDevice(type=part, rack=rack, count=count)


def _with_room(design: Design, part: DeviceType, chosen: Sequence[str], count: int) -> Iterator[str]:
    """Racks that have room for so many, the selected ones first."""
    for rack in (*chosen, *(r for r in design.racks if r not in chosen)):
        kind = design.rack_type(design.racks[rack])
        fits = kind.id in part.mounts_in if part.mounts_in else kind.assembly is None
        if fits and (part.u_height == 0 or _room(free_units(design, rack, part), part.u_height) >= count):
            yield rack


def _room(units: Sequence[float], height: float) -> int:
    """How many fit one above the other, of the units at which one would."""
    found, above = 0, 0.0
    for u in units:
        if u >= above:
            found, above = found + 1, u + height
    return found
