"""From links to things to buy: one piece a link, or one for all links of a twin-port cable, splitter or trunk."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from rackbuilder.analysis.cabling.ends import bought, cage_of, rows_by_cage, side_in
from rackbuilder.analysis.cabling.market import Market
from rackbuilder.analysis.cabling.models import Choice
from rackbuilder.catalog.parts import CableType, DeviceType
from rackbuilder.design.records import Cable, End
from rackbuilder.design.view import View


class Kind(NamedTuple):
    """Pieces that are one line of a bill. `part` is empty for open links; `chosen` where no user set it."""

    part: str
    length_m: float | None
    scope: str
    chosen: bool = False


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


class Bundle(NamedTuple):
    """What several links have in common when they are one piece."""

    key: tuple[object, ...]
    kind: Kind
    state: str


class Tally(NamedTuple):
    """Some links, counted.

    links     by kind and place in the network
    pieces    those of one link, by kind and state
    bundles   links of pieces that carry several; the rest of a piece may be in another tally
    """

    links: Mapping[tuple[Kind, str], int]
    pieces: Mapping[tuple[Kind, str], int]
    bundles: Mapping[Bundle, int]


class Shop(NamedTuple):
    """What is bought for each cable: as pinned, else as chosen, in a length that exists."""

    view: View
    market: Market
    choices: Mapping[str, Choice]

    def kind(self, cable: Cable, scope: str) -> Kind:
        part, length_m = bought(cable, self.view.tables["assemblies"])
        choice = self.choices.get(cable.id)
        if choice is None:
            return Kind(part, length_m, scope)
        order_m = choice.length_m if length_m is None else length_m
        return Kind(part or choice.part, order_m, scope, choice.origin == "chosen")

    def links_of(self, part: str) -> int:
        found = self.market.cable(part)
        return found.links if found is not None else 1


def tally(shop: Shop, cables: Iterable[str], where: str, scope: str) -> Tally:
    """Counts cables of one place in the network. One that is no record (it follows from seats) is not bought."""
    links: Counter[tuple[Kind, str]] = Counter()
    pieces: Counter[tuple[Kind, str]] = Counter()
    bundles: Counter[Bundle] = Counter()
    for name in cables:
        cable = shop.view.cables.get(name)
        if cable is None:
            continue
        kind = shop.kind(cable, scope)
        links[kind, where] += 1
        if cable.assembly or shop.links_of(kind.part) > 1:
            bundles[Bundle(_key(shop, cable, kind.part), kind, cable.state)] += 1
        else:
            pieces[kind, cable.state] += 1
    return Tally(links, pieces, bundles)


def counted(shop: Shop, tallies: Iterable[Tally]) -> dict[Kind, Count]:
    """All of some tallies: every kind with its pieces."""
    found: dict[Kind, Count] = {}
    bundles: dict[Bundle, int] = {}
    for one in tallies:
        for (kind, where), links in one.links.items():
            found.setdefault(kind, Count()).where[where] += links
        for (kind, state), number in one.pieces.items():
            _put(found[kind], number, state)
        for bundle, links in one.bundles.items():
            bundles[bundle] = bundles.get(bundle, 0) + links
    for bundle, links in bundles.items():
        # An assembly is one thing, whatever hangs on it.
        each = links if bundle.key[0] == "assembly" else shop.links_of(bundle.kind.part)
        _put(found[bundle.kind], -(-links // each), bundle.state)
    return found


def _put(count: Count, pieces: int, state: str) -> None:
    count.pieces += pieces
    if state == "existing":
        count.existing += pieces
    elif state == "spare":
        count.spare += pieces


def _key(shop: Shop, cable: Cable, name: str) -> tuple[object, ...]:
    """The same for all links of one piece: the assembly, the head of a splitter, the two cages of a twin cable."""
    if cable.assembly:
        return "assembly", cable.assembly
    part = shop.market.cable(name)
    assert part is not None
    if part.a.count == part.b.count:
        ends = sorted((end.device, cage_of(end.port)) for end in (cable.a, cable.b))
        return "cages", *ends
    head = _head(shop.view, cable, part)
    # A splitter fibre starts at one port of an optic; a cable with plugs fills the cage.
    socket = head.port.partition(".")[0] if part.form == "splitter-fibre" else cage_of(head.port)
    return "head", head.device, socket


def _head(view: View, cable: Cable, part: CableType) -> End:
    """The end of a splitter that is not split: where its first end fits, else where the record begins."""
    a, b = _side(view, part, cable.a), _side(view, part, cable.b)
    return cable.b if (b == "a" and a != "a") or (a == "b" and b != "b") else cable.a


def _side(view: View, part: CableType, end: End) -> str | None:
    type_ = view.type_of(view.devices[end.device])
    assert isinstance(type_, DeviceType)
    return side_in(part, rows_by_cage(type_).get(cage_of(end.port)))
