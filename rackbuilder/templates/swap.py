"""Another kind of fabric in one step: InfiniBand, RoCE, Spectrum-X.

Where a template made the fabric, it runs again with the other one and merges, for switches differ in ports. Where it
was drawn by hand, each switch is exchanged for one with at least the same ports, port for port, or the swap is refused.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from rackbuilder.catalog.compatibility import protocols_meet
from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.parts import DeviceType
from rackbuilder.catalog.ports import Port, ports_of
from rackbuilder.commands.base import Command, run
from rackbuilder.commands.seats import Room
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Cable, Device, End
from rackbuilder.design.view import View
from rackbuilder.errors import Problem, ProblemError, refusal
from rackbuilder.templates.kit import data_ports, split_all
from rackbuilder.templates.listed import template
from rackbuilder.templates.regenerate import Regenerate

_SWITCH_FIELDS = ("switch", "rail_switch")


class SwapFabric(Command):
    """`to` is a kind of fabric that the template knows (“spectrum-x”), or the id of a switch."""

    verb: ClassVar[str] = "swap-fabric"

    fabric: str = Field("compute", description="fabric whose switches change")
    to: str = Field(description="kind of fabric, or switch")

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        record = draft.need("fabrics", self.fabric)
        again = _again(draft, self.fabric, self.to)
        if again:
            run(draft, again, catalog)
        else:
            _Exchange(draft, catalog, self.fabric, catalog.device(self.to)).draw()
        return f"Swap fabric {record.label} to {self.to}"


def _switches(view: View, fabric: str) -> list[Device]:
    return [d for d in view.devices.values() if d.fabric == fabric and view.type_of(d).is_switch]


def _kind(port: Port) -> tuple[str, str]:
    return port.cages.role, port.cages.connector


def _again(view: View, fabric: str, to: str) -> Regenerate | None:
    """The run to repeat: the one that made every switch of the fabric, where its template can make the other kind."""
    runs = {d.made_by.run if d.made_by else "" for d in _switches(view, fabric)}
    if len(runs) != 1 or "" in runs or "compute" not in view.fabrics[fabric].roles:
        return None
    name = runs.pop()
    record = view.tables["runs"].get(name)
    if record is None:
        return None
    fields = template(record.template).model_fields
    part = view.parts.get(to)
    if "fabric" in fields and not isinstance(part, DeviceType):
        return Regenerate(run=name, fields={"fabric": to})
    field = next((f for f in _SWITCH_FIELDS if f in fields), "")
    return Regenerate(run=name, fields={field: to}) if field else None


class _Exchange:
    """Each switch of a hand-drawn fabric for another type, its links port for port."""

    def __init__(self, draft: Draft, catalog: Catalog, fabric: str, part: DeviceType) -> None:
        self.draft, self.catalog, self.fabric, self.part = draft, catalog, fabric, part
        self.switches = _switches(draft, fabric)
        self.names = {d.id for d in self.switches}
        self.technology = part.technology

    def draw(self) -> None:
        if not self.part.is_switch:
            raise refusal(f"{self.part.name} is no switch", "swap-fabric to", "Choose a switch.")
        if not self.switches:
            raise refusal("The fabric has no switch", self.fabric, "Place its switches first.")
        self.draft.use_parts(self.catalog.closure(self.part.id))
        ports = {device.id: self._ports(device) for device in self.switches}
        problems = list(self._strangers())
        if problems:
            raise ProblemError(*problems)
        cables = [c for c in self.draft.cables.values() if self.names & {c.a.device, c.b.device}]
        anew = {c.id for c in cables if self._chosen_anew(c)}
        for device in self._seated():
            modes = self._modes(device)
            self.draft.put("devices", replace(device, type=self.part.id, modes=modes))
        for cable in cables:
            self._move(cable, ports, cable.id in anew)
        self.draft.use_parts(self.catalog.closure(self.technology))
        record = self.draft.fabrics[self.fabric]
        self.draft.put("fabrics", replace(record, technology=self.technology))

    def _seated(self) -> Iterator[Device]:
        """The switches with their places: a taller one moves up in its rack. Raises ProblemError when that is full."""
        if self.part.u_height <= 0:
            yield from self.switches
            return
        rooms: dict[str, Room] = {}
        for device in sorted(self.switches, key=lambda d: (d.rack, d.u or 0.0, d.id)):
            if not device.rack:
                yield device
                continue
            rack = self.draft.racks[device.rack]
            room = rooms.setdefault(rack.id, Room(self.draft, rack, frozenset(self.names)))
            above = room.seats(self.part, device.face, device.u or 1.0)
            seat = next(above, None) or room.lowest(self.part, device.face)
            moved = replace(device, u=seat.u, slot=seat.slot)
            room.add(moved, self.part)
            yield moved

    def _modes(self, device: Device) -> dict[str, int]:
        """Split as far as the old ports had a fraction of the rate; the fabric is then of that rate."""
        rates = {port.rate_bps for port in self._old(device)}
        new = data_ports(self.part)[0].rate_bps
        rate = rates.pop() if len(rates) == 1 else None
        if not rate or not new or new <= rate or new % rate:
            return {}
        ways = int(new // rate)
        if all(ways not in row.splits for row in self.part.cages if row.role == "data"):
            return {}
        slower = self.technology.replace(f"{new / 1e9:g}g", f"{rate / 1e9:g}g")
        self.technology = slower if slower in self.catalog.parts else self.technology
        return split_all(self.part, ways)

    def _old(self, device: Device) -> tuple[Port, ...]:
        return data_ports(self.draft.type_of(device), device.modes)

    def _ports(self, device: Device) -> dict[str, str]:
        """Old port -> new port, by place. Raises ProblemError when the new switch has fewer."""
        old, new = self._old(device), data_ports(self.part, self._modes(device))
        if len(new) < len(old):
            raise refusal(
                f"{self.part.name} has {len(new)} ports, {self.draft.type_of(device).name} has {len(old)}",
                device.label,
                "Choose a switch with at least as many ports.",
                (device.id,),
            )
        found = {a.name: b.name for a, b in zip(old, new, strict=False)}
        return found | self._other_ports(device)

    def _other_ports(self, device: Device) -> dict[str, str]:
        """Management and console ports by role and connector; one that is cabled must be there."""
        found: dict[str, str] = {}
        old = [
            p for p in ports_of(self.draft.type_of(device), device.modes).values() if p.cages.role != "data"
        ]
        for kind in dict.fromkeys(_kind(p) for p in old):
            new = [p.name for p in ports_of(self.part).values() if _kind(p) == kind]
            found |= dict(zip((p.name for p in old if _kind(p) == kind), new, strict=False))
        lost = [p.name for p in old if p.name in self.draft.ports_used(device.id) and p.name not in found]
        if lost:
            what = f"{self.part.name} has no port for {lost[0]}, which is cabled"
            raise refusal(what, device.label, "Disconnect it first.", (device.id,))
        return found

    def _strangers(self) -> Iterator[Problem]:
        """Devices at the other end that do not speak the new protocol: one problem a type."""
        protocol = (self.part.fabric_protocol,) if self.part.fabric_protocol else ()
        seen: dict[str, Problem] = {}
        for device in self.switches:
            for cable in self.draft.cables_of(device.id):
                other = cable.b if cable.a.device == device.id else cable.a
                own = cable.a if other is cable.b else cable.b
                if other.device in self.names or not self._is_data(own):
                    continue
                type_ = self.draft.type_of(self.draft.devices[other.device])
                port = ports_of(type_, self.draft.devices[other.device].modes).get(other.port)
                if port and not protocols_meet(port.cages.protocols, protocol):
                    what = f"The ports of {type_.name} do not speak {self.part.fabric_protocol}"
                    fix = "Choose a switch of their protocol, or other servers."
                    seen.setdefault(type_.id, Problem(what, self.fabric, fix, refs=(other.device,)))
        return iter(seen.values())

    def _is_data(self, end: End) -> bool:
        device = self.draft.devices[end.device]
        port = ports_of(self.draft.type_of(device), device.modes).get(end.port)
        return port is not None and port.cages.role == "data"

    def _chosen_anew(self, cable: Cable) -> bool:
        """Cable and optics were those of the old switch: unless its data ports look the same, they go."""
        own = next(end for end in (cable.a, cable.b) if end.device in self.names)
        if not self._is_data(own):
            return False
        old = data_ports(self.draft.type_of(self.draft.devices[own.device]))[0].cages
        new = data_ports(self.part)[0].cages
        return (old.connector, old.top, old.ports, old.rate_bps) != (
            new.connector, new.top, new.ports, new.rate_bps
        )  # fmt: skip

    def _move(self, cable: Cable, ports: dict[str, dict[str, str]], anew: bool) -> None:
        """Both ends to the new ports."""
        ends = [
            End(end.device, ports.get(end.device, {}).get(end.port, end.port)) for end in (cable.a, cable.b)
        ]
        moved = replace(cable, a=ends[0], b=ends[1])
        if anew:
            moved = replace(moved, part="", assembly="")
            for end in (cable.a, cable.b):
                self.draft.remove("plugs", f"{end.device}:{end.port.partition('/')[0]}")
        self.draft.put("cables", moved)
