"""Links that follow from seats: each compute tray of a rack assembly with each of its NVLink switch trays."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from rackbuilder.catalog.parts import Assembly, DeviceType, RackType
from rackbuilder.design.records import Device, Rack
from rackbuilder.design.refs import derived_link
from rackbuilder.design.view import View
from rackbuilder.topology.losses import NOTHING, Loss, Losses
from rackbuilder.topology.natural import natural_key


class BackplaneLink(NamedTuple):
    """The NVLinks between a compute tray and an NVLink switch tray of one rack.

    ref     their name in a design (“tray-07~nvsw-03”)
    links   how many are built; lost: how many of them faults took
    """

    ref: str
    tray: str
    switch: str
    links: int
    lost: int


@dataclass(frozen=True)
class Backplane:
    """One rack assembly as it is filled: trays in natural order."""

    rack: str
    trays: tuple[str, ...]
    switches: tuple[str, ...]
    links_per_pair: int
    switches_full: int
    """Switch trays of the complete assembly."""
    losses: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """(tray, switch tray) -> links lost; pairs that lost none are left out."""

    @property
    def count(self) -> int:
        """NVLinks built between the trays that are there: 1,296 in a full NVL72 rack."""
        return len(self.trays) * len(self.switches) * self.links_per_pair

    @cached_property
    def links(self) -> tuple[BackplaneLink, ...]:
        """Every pair of trays, by compute tray, then switch tray."""
        return tuple(
            BackplaneLink(
                derived_link(tray, switch),
                tray,
                switch,
                self.links_per_pair,
                self.losses.get((tray, switch), 0),
            )
            for tray in self.trays
            for switch in self.switches
        )

    def left(self, tray: str) -> int:
        """NVLinks of one compute tray that are up."""
        lost = sum(self.losses.get((tray, switch), 0) for switch in self.switches) if self.losses else 0
        return len(self.switches) * self.links_per_pair - lost

    def share(self, tray: str) -> float:
        """The part of its NVLink bandwidth that a tray can use: what is up over what a complete rack has."""
        built = self.switches_full * self.links_per_pair
        return min(1.0, self.left(tray) / built) if built else 0.0

    def islands(self) -> tuple[tuple[str, ...], ...]:
        """The compute trays that reach each other, those joined to nothing each alone."""
        if not self.switches:
            return tuple((tray,) for tray in self.trays)
        if not self.losses:
            return (self.trays,) if self.trays else ()
        return tuple(self._joined())

    def _joined(self) -> Iterator[tuple[str, ...]]:
        waiting = dict.fromkeys(self.trays)
        while waiting:
            group, frontier = {}, [next(iter(waiting))]
            while frontier:
                tray = frontier.pop()
                group[tray] = waiting.pop(tray)
                mine = [s for s in self.switches if self._up(tray, s)]
                near = [t for t in waiting if t not in frontier and any(self._up(t, s) for s in mine)]
                frontier += near
            yield tuple(tray for tray in self.trays if tray in group)

    def _up(self, tray: str, switch: str) -> bool:
        return self.losses.get((tray, switch), 0) < self.links_per_pair


def assembly_of(view: View, device: Device) -> tuple[Rack, Assembly] | None:
    """The rack assembly a tray is seated in; None for a tray that is out of it, and for any other device."""
    rack = view.racks.get(device.rack)
    if rack is None or device.u is None:
        return None
    part = view.parts.get(rack.type)
    if not isinstance(part, RackType) or part.assembly is None or device.type not in trays_of(part.assembly):
        return None
    return rack, part.assembly


def trays_of(assembly: Assembly) -> dict[str, None]:
    """Ids of the device types that its backplane joins."""
    names = [assembly.compute_tray, assembly.switch_tray]
    return dict.fromkeys(names + [name for slot in assembly.slots for name in slot.takes])


def is_switch_tray(part: DeviceType) -> bool:
    return part.category == "nvlink-switch-tray"


def backplane_of(view: View, rack: str, losses: Losses) -> Backplane | None:
    """The backplane of a rack as its seats are filled now; None for a rack without one."""
    record = view.racks[rack]
    assembly = view.rack_type(record).assembly
    if assembly is None:
        return None
    seated = sorted((d for d in view.seated(rack) if assembly_of(view, d)), key=lambda d: natural_key(d.id))
    trays = tuple(d.id for d in seated if view.type_of(d).gpu_count)
    switches = tuple(d.id for d in seated if is_switch_tray(view.type_of(d)))
    lost = _lost(trays, switches, assembly.links_per_pair, losses) if losses else {}
    return Backplane(rack, trays, switches, assembly.links_per_pair, assembly.switch_trays, lost)


def _lost(
    trays: tuple[str, ...], switches: tuple[str, ...], links: int, losses: Losses
) -> dict[tuple[str, str], int]:
    found = {}
    for tray in trays:
        for switch in switches:
            pair = losses.pair(tray, switch)
            gone = pair.all or losses.device(tray).all or losses.device(switch).all
            count = links if gone else min(links, _whole(pair, links))
            if count:
                found[tray, switch] = count
    return found


def _whole(loss: Loss, links: int) -> int:
    return links if loss.all else loss.links if loss != NOTHING else 0
