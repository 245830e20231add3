"""What the tables imply and every edit needs at once: which cable uses a port, who sits where, who uses a part."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from rackbuilder.design.patch import Change
from rackbuilder.design.records import Cable, Cord, Device, Rack

Members = dict[str, None]
"""An insertion-ordered set: sets must not decide the order of anything."""


@dataclass(frozen=True, slots=True)
class Indexes:
    """Derived look-ups of one design value; never changed, only copied where touched.

    ends      device -> port -> ids of the cables in it (two only in a design with a misfit)
    cords     device -> ids of its cords
    seats     rack -> devices
    children  device -> devices inside it
    users     part -> devices and racks of that type
    """

    ends: dict[str, dict[str, tuple[str, ...]]] = field(default_factory=dict)
    cords: dict[str, Members] = field(default_factory=dict)
    seats: dict[str, Members] = field(default_factory=dict)
    children: dict[str, Members] = field(default_factory=dict)
    users: dict[str, Members] = field(default_factory=dict)


class Reindexer:
    """Applies changes to a copy of the indexes, copying each inner dict once, when first touched."""

    def __init__(self, base: Indexes) -> None:
        self._base = base
        self.indexes = Indexes(
            base.ends.copy(), base.cords.copy(), base.seats.copy(), base.children.copy(), base.users.copy()
        )
        self._owned: set[tuple[str, str]] = set()

    def change(self, change: Change) -> None:
        for record, add in ((change.before, False), (change.after, True)):
            if isinstance(record, Cable):
                self._ends(record, add)
            elif isinstance(record, Device):
                self._member("seats", record.rack, record.id, add)
                self._member("children", record.parent, record.id, add)
                self._member("users", record.type, record.id, add)
            elif isinstance(record, Rack):
                self._member("users", record.type, record.id, add)
            elif isinstance(record, Cord):
                for device in {record.a.device: None, record.b.device: None}:
                    self._member("cords", device, record.id, add)

    def _ends(self, cable: Cable, add: bool) -> None:
        table = self.indexes.ends
        for device, port in (cable.a, cable.b):
            if ("ends", device) not in self._owned:
                self._owned.add(("ends", device))
                table[device] = dict(table.get(device, ()))
            ports = table[device]
            there = ports.get(port, ())
            left = (*there, cable.id) if add else tuple(x for x in there if x != cable.id)
            if left:
                ports[port] = left
            else:
                ports.pop(port, None)
                if not ports:
                    del table[device]
                    self._owned.discard(("ends", device))

    def _member(self, name: str, key: str, member: str, add: bool) -> None:
        if not key:
            return
        table: dict[str, Members] = getattr(self.indexes, name)
        if (name, key) not in self._owned:
            self._owned.add((name, key))
            table[key] = dict(table.get(key, ()))
        if add:
            table[key][member] = None
        else:
            table[key].pop(member, None)
            if not table[key]:
                del table[key]
                self._owned.discard((name, key))


def reindexed(base: Indexes, changes: Iterable[Change]) -> Indexes:
    """The indexes after some changes; the base is left as it is."""
    work = Reindexer(base)
    for change in changes:
        work.change(change)
    return work.indexes


def ports_used(indexes: Indexes, device: str) -> Mapping[str, tuple[str, ...]]:
    return indexes.ends.get(device, {})
