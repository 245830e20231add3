"""The catalog as a value: parts by id, typed look-ups, and what each part needs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

from rackbuilder.catalog.parts import DeviceType, GpuType, LinkTechnology, Part, PartBase, RackType, needs
from rackbuilder.errors import InputError, Problem, did_you_mean, unknown_name

K = TypeVar("K", bound=PartBase)


@dataclass(frozen=True)
class Catalog:
    """What can be bought, by id in order. `date` is that of the newest entry (ISO)."""

    parts: Mapping[str, Part]
    date: str = ""

    def part(self, identity: str) -> Part:
        """Raises InputError with a suggestion for an id that is not there."""
        found = self.parts.get(identity)
        if found is None:
            raise unknown_name("part", identity, self.parts, "catalog")
        return found

    def _typed(self, identity: str, kind: type[K], words: str) -> K:
        part = self.part(identity)
        if isinstance(part, kind):
            return part
        fitting = [p.id for p in self.of_kind(kind)]
        raise InputError(
            Problem(f"{part.id} is a {part.kind}, no {words}", "catalog", did_you_mean(identity, fitting))
        )

    def device(self, identity: str) -> DeviceType:
        return self._typed(identity, DeviceType, "device")

    def rack(self, identity: str) -> RackType:
        return self._typed(identity, RackType, "rack")

    def gpu(self, identity: str) -> GpuType:
        return self._typed(identity, GpuType, "GPU")

    def technology(self, identity: str) -> LinkTechnology:
        return self._typed(identity, LinkTechnology, "link technology")

    def of_kind(self, kind: type[K]) -> tuple[K, ...]:
        return tuple(part for part in self.parts.values() if isinstance(part, kind))

    def closure(self, *ids: str) -> tuple[Part, ...]:
        """The parts and all they need, each once, what is needed first."""
        found: dict[str, Part] = {}
        for identity in ids:
            self._need(identity, found)
        return tuple(found.values())

    def _need(self, identity: str, found: dict[str, Part]) -> None:
        if identity in found:
            return
        part = self.part(identity)
        for name in needs(part):
            self._need(name, found)
        found[identity] = part

    def with_parts(self, parts: Iterable[Part]) -> "Catalog":
        """This catalog with some parts added; one of a known id takes its place."""
        return catalog_of({**self.parts, **{part.id: part for part in parts}})


def catalog_of(parts: Mapping[str, Part]) -> Catalog:
    """A catalog of these parts, in the order of their ids."""
    ordered = {identity: parts[identity] for identity in sorted(parts)}
    return Catalog(MappingProxyType(ordered), max((part.revision for part in ordered.values()), default=""))


EMPTY = Catalog(MappingProxyType({}))
