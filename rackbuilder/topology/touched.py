"""What of the graphs a patch can have changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rackbuilder.catalog.parts import DeviceType, GpuType, RackType
from rackbuilder.design import refs
from rackbuilder.design.design import Design
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import Cable, Device, Fabric, Fault, Rack, Record
from rackbuilder.topology.domains import UnitKey
from rackbuilder.topology.fabric import FabricGraph, Pair, pair_of

FOLLOWED = frozenset({"parts", "devices", "racks", "cables", "fabrics", "faults", "overrides"})
"""The tables that graphs follow from."""


@dataclass
class Touched:
    """pairs    of devices whose links are to be read again
    devices  to be looked at again, although none of their links may have changed
    cables   whose place in or out of a fabric may have changed
    units    whose NVLink domains are to be told again
    """

    pairs: dict[Pair, None] = field(default_factory=dict)
    devices: dict[str, None] = field(default_factory=dict)
    cables: dict[str, None] = field(default_factory=dict)
    units: dict[UnitKey, None] = field(default_factory=dict)
    fabrics: bool = False
    everything: bool = False

    @property
    def nothing(self) -> bool:
        return not (self.pairs or self.devices or self.units or self.fabrics or self.cables)


def touched(patch: Patch, after: Design, graphs: Mapping[str, FabricGraph]) -> Touched:
    """What to redo. A patch that changes a good part of a design is cheaper to read anew as a whole."""
    followed = [change for change in patch.changes if change.table in FOLLOWED]
    if len(followed) > 200 and len(followed) * 3 > len(after.cables) + len(after.devices):
        return Touched(everything=True)
    work = _Collector(after, graphs)
    for change in followed:
        work.change(change)
    return work.found


class _Collector:
    def __init__(self, after: Design, graphs: Mapping[str, FabricGraph]) -> None:
        self._after, self._graphs = after, graphs
        self.found = Touched()

    def change(self, change: Change) -> None:
        before, after = change.before, change.after
        record = after if after is not None else before
        if isinstance(record, Cable):
            self._cable(before, after)
        elif isinstance(record, Device):
            self._device(change.id, before, after)
        elif isinstance(record, Rack):
            self._rack(record.id)
        elif isinstance(record, Fabric):
            self._fabric(before, after)
        elif isinstance(record, Fault):
            for fault in (before, after):
                if isinstance(fault, Fault):
                    self._ref(fault.ref)
        elif change.table == "overrides":
            self._override(change.id)
        elif change.table == "parts":
            self._part(record)

    def _cable(self, before: Record | None, after: Record | None) -> None:
        rows = [row for row in (before, after) if isinstance(row, Cable)]
        if len({(row.a, row.b, row.fabric) for row in rows}) == 1 and len(rows) == 2:
            return
        for row in rows:
            self._pair(row)

    def _pair(self, cable: Cable) -> None:
        self.found.pairs[pair_of(cable.a.device, cable.b.device)] = None
        self.found.cables[cable.id] = None

    def _device(self, identity: str, before: Record | None, after: Record | None) -> None:
        old = before if isinstance(before, Device) else None
        new = after if isinstance(after, Device) else None
        if old is None or new is None or _as_wired(old) != _as_wired(new):
            self._links_of(identity)
        if old is None or new is None or _as_seated(old) != _as_seated(new):
            for device in (old, new):
                if device is not None:
                    self._seat(device)

    def _links_of(self, device: str) -> None:
        self.found.devices[device] = None
        if device in self._after.devices:
            for cable in self._after.cables_of(device):
                self._pair(cable)
        for graph in self._graphs.values():
            for other in graph.adjacency.get(device, ()):
                self.found.pairs[pair_of(device, other)] = None

    def _seat(self, device: Device) -> None:
        """Its place as a server of its own and as a tray of its rack, whichever it was or is."""
        self.found.units["device", device.id] = None
        if device.rack:
            self.found.units["rack", device.rack] = None

    def _rack(self, rack: str) -> None:
        self.found.units["rack", rack] = None
        for device in self._after.indexes.seats.get(rack, ()):
            self.found.units["device", device] = None

    def _fabric(self, before: Record | None, after: Record | None) -> None:
        self.found.fabrics = True
        if not (isinstance(before, Fabric) and isinstance(after, Fabric)):
            return
        graph = self._graphs.get(after.id)
        if graph is not None and before.rate_cap_bps != after.rate_cap_bps:
            self.found.pairs.update(dict.fromkeys((a, b) for a, b, _ in graph.edges()))

    def _ref(self, text: str) -> None:
        ref = refs.parse(text)
        if ref.other:
            self.found.pairs[pair_of(ref.record, ref.other)] = None
        cable = self._after.cables.get(text)
        if cable is not None:
            self._pair(cable)
        for name in (ref.record, ref.other):
            device = self._after.devices.get(name)
            if device is not None:
                self._seat(device)
                if not ref.other and not ref.inner:
                    self._links_of(name)

    def _override(self, identity: str) -> None:
        kind, _, rest = identity.partition("/")
        name = rest.rpartition("/")[0]
        if kind == "ref":
            self._ref(name)
        elif name in self._after.parts:
            self._part(self._after.parts[name])

    def _part(self, part: object) -> None:
        """Whoever is of this part: what has not a user yet is told of by the records that will use it."""
        if isinstance(part, GpuType):
            types = [p.id for p in self._after.parts.values() if isinstance(p, DeviceType) and p.gpus]
            self._users(t for t in types if _gpu(self._after.parts[t]) == part.id)
        elif isinstance(part, DeviceType):
            self._users([part.id], links=True)
        elif isinstance(part, RackType):
            for rack in self._after.indexes.users.get(part.id, ()):
                self._rack(rack)

    def _users(self, parts: Iterable[str], links: bool = False) -> None:
        for part in parts:
            for user in self._after.indexes.users.get(part, ()):
                device = self._after.devices.get(user)
                if device is None:
                    continue
                self._seat(device)
                if links:
                    self._links_of(user)


def _gpu(part: object) -> str:
    return part.gpus.part if isinstance(part, DeviceType) and part.gpus else ""


def _as_wired(device: Device) -> tuple[object, ...]:
    return device.type, device.fabric, device.modes, device.role, device.rail


def _as_seated(device: Device) -> tuple[object, ...]:
    return device.type, device.rack, device.u is None, device.config
