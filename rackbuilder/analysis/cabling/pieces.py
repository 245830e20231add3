"""From links to things to buy: one piece a link, or one for all links of a twin-port cable, splitter or trunk."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rackbuilder.analysis.cabling.ends import bought, cage_of, rows_by_cage, side_in
from rackbuilder.catalog.parts import CableType, DeviceType
from rackbuilder.design.records import Cable, End
from rackbuilder.design.view import View


class Kind(NamedTuple):
    """Pieces that are one line of a bill. `part` is empty for links whose part is not chosen."""

    part: str
    length_m: float | None
    scope: str


@dataclass
class Count:
    """How many pieces, and what they are for.

    existing, spare   of the pieces; existing ones are not bought
    where             “compute leaf–spine” -> links
    """

    pieces: int = 0
    existing: int = 0
    spare: int = 0
    where: Counter[str] = field(default_factory=Counter)


class _Bundle(NamedTuple):
    """What several links have in common when they are one piece."""

    key: tuple[object, ...]
    kind: Kind
    state: str


class Pieces:
    """Counts cables as they are added, one link after the other."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._assemblies = view.tables["assemblies"]
        self._counts: dict[Kind, Count] = {}
        self._bundles: dict[_Bundle, int] = {}
        self._links: dict[str, int] = {}

    def add(self, cables: Iterable[str], where: str, scope: str) -> None:
        """Cables of one place in the network. One that is no record (a link that follows from seats) is not bought."""
        for name in cables:
            cable = self._view.cables.get(name)
            if cable is None:
                continue
            part, length_m = bought(cable, self._assemblies) if cable.assembly else (cable.part, cable.length_m)
            kind = Kind(part, length_m, scope)
            count = self._counts.get(kind)
            if count is None:
                count = self._counts[kind] = Count()
            count.where[where] += 1
            if cable.assembly or self._links_of(part) > 1:
                bundle = _Bundle(self._key(cable, part), kind, cable.state)
                self._bundles[bundle] = self._bundles.get(bundle, 0) + 1
            else:
                _put(count, 1, cable.state)

    def counts(self) -> Mapping[Kind, Count]:
        """Every kind with its pieces. Call it once, when all cables are added."""
        for bundle, links in self._bundles.items():
            # An assembly is one thing, whatever hangs on it.
            each = links if bundle.key[0] == "assembly" else self._links_of(bundle.kind.part)
            _put(self._counts[bundle.kind], -(-links // each), bundle.state)
        self._bundles.clear()
        return self._counts

    def _links_of(self, part: str) -> int:
        known = self._links.get(part)
        if known is None:
            found = self._view.parts.get(part)
            known = self._links[part] = found.links if isinstance(found, CableType) else 1
        return known

    def _key(self, cable: Cable, name: str) -> tuple[object, ...]:
        """The same for all links of one piece: the assembly, the head of a splitter, the two cages of a twin cable."""
        if cable.assembly:
            return "assembly", cable.assembly
        part = self._view.parts[name]
        assert isinstance(part, CableType)
        if part.a.count == part.b.count:
            ends = sorted((end.device, cage_of(end.port)) for end in (cable.a, cable.b))
            return "cages", *ends
        head = self._head(cable, part)
        # A splitter fibre starts at one port of an optic; a cable with plugs fills the cage.
        socket = head.port.partition(".")[0] if part.form == "splitter-fibre" else cage_of(head.port)
        return "head", head.device, socket

    def _head(self, cable: Cable, part: CableType) -> End:
        """The end of a splitter that is not split: where its first end fits, else where the record begins."""
        a, b = self._side(part, cable.a), self._side(part, cable.b)
        return cable.b if b == "a" and a != "a" or a == "b" and b != "b" else cable.a

    def _side(self, part: CableType, end: End) -> str | None:
        type_ = self._view.parts[self._view.devices[end.device].type]
        assert isinstance(type_, DeviceType)
        return side_in(part, rows_by_cage(type_).get(cage_of(end.port)))


def _put(count: Count, pieces: int, state: str) -> None:
    count.pieces += pieces
    if state == "existing":
        count.existing += pieces
    elif state == "spare":
        count.spare += pieces
