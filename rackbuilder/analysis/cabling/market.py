"""What may be bought: the parts of a design and those of the shipped catalog, the best first."""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rackbuilder.catalog.compatibility import ferrule, lane_bps, optic_kind
from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.parts import CableType, OpticType, Part
from rackbuilder.design.view import View
from rackbuilder.topology.memo import Memo

LADDER = ("passive-copper", "active-copper", "active-optical", "multimode", "single-mode")
"""Media from the one to prefer: cost and power of a link rise along it."""
MEDIUM_WORDS = {
    "passive-copper": "passive copper (DAC)",
    "active-copper": "active copper (ACC)",
    "active-optical": "active optical cable (AOC)",
    "multimode": "multimode fibre",
    "single-mode": "single-mode fibre",
    "twisted-pair": "twisted pair",
}
BARE_FORMS = ("fibre", "splitter-fibre")


class OpticGroup(NamedTuple):
    """Optics that understand each other over one fibre."""

    medium: str
    kind: str
    ferrule: str
    rate_bps: float
    """Of one port and direction."""


class Market:
    """Cables and optics that can still be ordered, sorted; and every part by id, sold or not."""

    def __init__(self, own: Mapping[str, Part]) -> None:
        known: dict[str, CableType | OpticType] = {
            part.id: part
            for table in (shipped().parts, own)
            for part in table.values()
            if isinstance(part, CableType | OpticType)
        }
        sold = sorted((part for part in known.values() if part.orderable), key=_preference)
        self._known = known
        self._group_by_id: dict[str, OpticGroup] = {}
        self.plugged = tuple(
            p for p in sold if isinstance(p, CableType) and p.form not in (*BARE_FORMS, "copper")
        )
        """Cables that bring their plugs."""
        self.fibres = tuple(
            p for p in sold if isinstance(p, CableType) and p.form in BARE_FORMS and p.lengths_m
        )
        """Cords; a trunk between panels is made to measure and no cord."""
        self.copper = tuple(p for p in sold if isinstance(p, CableType) and p.form == "copper")
        self.groups = _grouped(p for p in sold if isinstance(p, OpticType))

    def cable(self, identity: str) -> CableType | None:
        found = self._known.get(identity)
        return found if isinstance(found, CableType) else None

    def optic(self, identity: str) -> OpticType | None:
        found = self._known.get(identity)
        return found if isinstance(found, OpticType) else None

    def group_of(self, optic: OpticType) -> OpticGroup:
        """The group of an optic, sold or not."""
        known = self._group_by_id.get(optic.id)
        if known is None:
            known = self._group_by_id[optic.id] = _group(optic)
        return known


def market_of(view: View, memo: Memo) -> Market:
    """The market of a design: made anew only when its parts change."""
    return memo.get("market", (view.parts,), lambda: Market(view.parts))


def status_rank(part: Part) -> int:
    """Active first, then parts of which nothing is said, then those to confirm before ordering."""
    return 0 if part.status.startswith("active") else 1 if not part.status else 2


def _preference(part: CableType | OpticType) -> tuple[object, ...]:
    place = LADDER.index(part.medium) if part.medium in LADDER else len(LADDER)
    reach = (part.reach_max_m or math.inf) if isinstance(part, OpticType) else 0.0
    return place, reach, status_rank(part), part.rate_bps or 0.0, part.id


def _group(optic: OpticType) -> OpticGroup:
    # Optics whose kind nobody printed go by fibre and connector, as `optic_kind` reads them.
    return OpticGroup(optic.medium, optic_kind(optic), ferrule(optic), optic.rate_bps or 0.0)


def _grouped(optics: Iterator[OpticType]) -> Mapping[OpticGroup, tuple[OpticType, ...]]:
    found: dict[OpticGroup, list[OpticType]] = {}
    for optic in optics:
        if optic.medium in LADDER and lane_bps(optic) is not None:
            found.setdefault(_group(optic), []).append(optic)
    return {group: tuple(rows) for group, rows in found.items()}


def order_length_m(part: CableType, need_m: float) -> float | None:
    """The shortest length on sale that is long enough; None when the part ends before.

    A part without a list of lengths is cut to whole metres.
    """
    if part.reach_max_m is not None and need_m > part.reach_max_m:
        return None
    if not part.lengths_m:
        return float(max(1, math.ceil(need_m)))
    return min((length for length in part.lengths_m if length >= need_m - 1e-9), default=None)


def capital(text: str) -> str:
    """A sentence begins with it; the rest stays as it is."""
    return text[:1].upper() + text[1:]


def longest_m(part: CableType) -> float | None:
    """How long the part is sold; None: not said."""
    return max(part.lengths_m, default=part.reach_max_m)
