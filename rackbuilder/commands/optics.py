"""Media of links: another one, chosen with all that shares its cages; and the tool's choices made your own."""

from collections.abc import Iterable
from typing import ClassVar, Literal

from pydantic import Field

from rackbuilder.analysis.cabling.clusters import Cluster
from rackbuilder.analysis.cabling.decide import Decision, Preferences, decide, preferences_of
from rackbuilder.analysis.cabling.lengths import Ruler, routing_of
from rackbuilder.analysis.cabling.market import Market
from rackbuilder.analysis.cabling.media import clusters_with
from rackbuilder.catalog.load import Catalog
from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import cables_named
from rackbuilder.commands.names import counted
from rackbuilder.design.draft import Draft
from rackbuilder.design.records import Plug
from rackbuilder.errors import refusal

Way = Literal["best", "dac", "acc", "aoc", "multimode", "single-mode", "open"]
_MEDIA: dict[Way, str] = {
    "best": "",
    "dac": "passive-copper",
    "acc": "active-copper",
    "aoc": "active-optical",
    "multimode": "multimode",
    "single-mode": "single-mode",
}


class SetMedium(Command):
    """Another medium for some links, with the cable, optics and all links that share their cages.

    `best` is what the tool would choose if nothing were pinned; `open` takes the pins away, so that the tool chooses.
    """

    verb: ClassVar[str] = "set-medium"

    cables: tuple[str, ...] = Field(min_length=1)
    medium: Way = "best"

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        names = _named(draft, self.cables)
        market, wanted = _market(draft, catalog), preferences_of(draft)
        found = _clusters(draft, names)
        if not found:
            raise refusal(
                "These cables have no medium to choose", self.cables[0], "Name cables between network ports."
            )
        for cluster in found:
            bare = _bare(cluster)
            if self.medium == "open":
                _pin(draft, market, bare, Decision((), ("",) * len(bare.spots)))
                continue
            # Asked for by name, so the switch that keeps the tool from choosing does not count.
            decision = decide(bare, market, Preferences(True, wanted.optical_only), _MEDIA[self.medium])
            _refuse_open(bare, decision, self.medium)
            _pin(draft, market, bare, decision)
        total = sum(len(cluster.lines) for cluster in found)
        word = "chosen by the tool" if self.medium == "open" else self.medium
        return f"Medium of {counted(total, 'link')}: {word}"


class ApplyMedia(Command):
    """Pins the parts that the tool chose: of some cables, or of all. What is pinned already stays."""

    verb: ClassVar[str] = "apply-media"

    cables: tuple[str, ...] = ()

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        names = _named(draft, self.cables) if self.cables else sorted(draft.cables)
        market, wanted = _market(draft, catalog), preferences_of(draft)
        count = 0
        for cluster in _clusters(draft, names):
            decision = decide(cluster, market, Preferences(True, wanted.optical_only))
            chosen = sum(choice.origin == "chosen" for choice in decision.choices)
            plugged = any(o and not s.optic for s, o in zip(cluster.spots, decision.optics, strict=True))
            if chosen or plugged:
                _pin(draft, market, cluster, decision)
                count += chosen
        return f"Pin the parts of {counted(count, 'link')}"


def _named(draft: Draft, refs: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(name for ref in refs for name in cables_named(draft, ref)))


def _market(draft: Draft, catalog: Catalog) -> Market:
    """Parts of the design win over those of the catalog, as everywhere."""
    return Market({**catalog.parts, **draft.parts})


def _clusters(draft: Draft, names: Iterable[str]) -> list[Cluster]:
    ruler = Ruler(draft, routing_of(draft))
    return clusters_with(draft, names, ruler.length)


def _bare(cluster: Cluster) -> Cluster:
    """The cluster with nothing pinned but its lengths."""
    return Cluster(
        tuple(spot._replace(optic="") for spot in cluster.spots),
        tuple(line._replace(part="") for line in cluster.lines),
    )


def _refuse_open(cluster: Cluster, decision: Decision, medium: Way) -> None:
    for choice, line in zip(decision.choices, cluster.lines, strict=True):
        if choice.origin == "open":
            what = f"{line.cable} cannot be made of {'any part' if medium == 'best' else medium}"
            raise refusal(what, line.cable, choice.reason, (line.cable,))


def _pin(draft: Draft, market: Market, cluster: Cluster, decision: Decision) -> None:
    """Writes a decision into the records: parts of the cables, optics of the cages, none where none is decided."""
    parts = [choice.part for choice in decision.choices] or [""] * len(cluster.lines)
    for line, part in zip(cluster.lines, parts, strict=True):
        _use(draft, market, part)
        draft.change("cables", line.cable, part=part)
    for spot, optic in zip(cluster.spots, decision.optics, strict=True):
        if optic:
            _use(draft, market, optic)
            draft.put("plugs", Plug(id=spot.place, part=optic))
        else:
            draft.remove("plugs", spot.place)


def _use(draft: Draft, market: Market, identity: str) -> None:
    part = market.cable(identity) or market.optic(identity)
    if part is not None:
        draft.use_parts([part])
