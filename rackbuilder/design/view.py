"""What commands, templates and imports read: the same face for a finished Design and a Draft in the making."""

from collections.abc import Iterator, Mapping
from typing import Any

from rackbuilder.catalog.parts import DeviceType, Part, RackType
from rackbuilder.design.indexes import Indexes
from rackbuilder.design.records import About, Cable, Device, Fabric, Group, Job, Rack, Record
from rackbuilder.errors import did_you_mean, refusal

_WORDS = {
    "devices": "device", "racks": "rack", "cables": "cable", "fabrics": "fabric", "groups": "group", "jobs": "job"
}  # fmt: skip


class View:
    """Read access to the tables and indexes of a design. Look-ups by id raise ProblemError with a suggestion."""

    @property
    def tables(self) -> Mapping[str, Mapping[str, Any]]:
        raise NotImplementedError

    @property
    def indexes(self) -> Indexes:
        raise NotImplementedError

    @property
    def about(self) -> About:
        raise NotImplementedError

    def get(self, table: str, identity: str) -> Record | None:
        found: Record | None = self.tables[table].get(identity)
        return found

    def need(self, table: str, identity: str) -> Any:  # noqa: ANN401 the table decides
        """The record, or a refusal that says what is there."""
        found = self.tables[table].get(identity)
        if found is None:
            word = _WORDS.get(table, table)
            raise refusal(f"There is no {word} “{identity}”", fix=did_you_mean(identity, self.tables[table]))
        return found

    @property
    def parts(self) -> Mapping[str, Part]:
        return self.tables["parts"]

    @property
    def racks(self) -> Mapping[str, Rack]:
        return self.tables["racks"]

    @property
    def devices(self) -> Mapping[str, Device]:
        return self.tables["devices"]

    @property
    def cables(self) -> Mapping[str, Cable]:
        return self.tables["cables"]

    @property
    def fabrics(self) -> Mapping[str, Fabric]:
        return self.tables["fabrics"]

    @property
    def groups(self) -> Mapping[str, Group]:
        return self.tables["groups"]

    @property
    def jobs(self) -> Mapping[str, Job]:
        return self.tables["jobs"]

    def type_of(self, device: Device) -> DeviceType:
        """The part of a device. Structure makes sure it is there and is a device type."""
        part = self.tables["parts"][device.type]
        assert isinstance(part, DeviceType), device.type
        return part

    def rack_type(self, rack: Rack) -> RackType:
        part = self.tables["parts"][rack.type]
        assert isinstance(part, RackType), rack.type
        return part

    def ports_used(self, device: str) -> Mapping[str, tuple[str, ...]]:
        """Port name -> ids of the cables in it."""
        return self.indexes.ends.get(device, {})

    def cables_of(self, device: str) -> Iterator[Cable]:
        """The cables of one device, each once."""
        seen = dict.fromkeys(c for ids in self.indexes.ends.get(device, {}).values() for c in ids)
        return (self.cables[c] for c in seen)

    def seated(self, rack: str) -> Iterator[Device]:
        return (self.devices[d] for d in self.indexes.seats.get(rack, ()))

    def children(self, device: str) -> Iterator[Device]:
        return (self.devices[d] for d in self.indexes.children.get(device, ()))

    def cords_of(self, device: str) -> Iterator[str]:
        return iter(self.indexes.cords.get(device, ()))
