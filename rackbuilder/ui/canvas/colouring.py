"""What the colour of a pipe says: load, scope, rail or medium."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rackbuilder.layout.bundles import Pair
from rackbuilder.layout.facts import load_band

Mode = Literal["load", "scope", "rail", "medium"]
MODES: tuple[Mode, ...] = ("load", "scope", "rail", "medium")
RAIL_INKS = (
    "server-leaf", "in-band", "storage", "liquid", "in-domain", "spine-core", "power-a", "out-of-band",
)  # fmt: skip
MEDIUM_INKS = {
    "passive-copper": "storage",
    "active-copper": "power-a",
    "active-optical": "liquid",
    "multimode": "server-leaf",
    "single-mode": "spine-core",
    "twisted-pair": "out-of-band",
}
MEDIUM_WORDS = {
    "passive-copper": "passive copper",
    "active-copper": "active copper",
    "active-optical": "active optical",
    "multimode": "multimode fibre",
    "single-mode": "single-mode fibre",
    "twisted-pair": "twisted pair",
}


PLAIN = 0.6
"""Share of a pipe's width that a colour without a load fills: solid pipes would be all one sees."""


@dataclass(frozen=True, slots=True)
class Tint:
    """An ink, and the share of the width it fills; None: unknown, which is hatched.

    `track` is the grey of the capacity beside it: only a load is a part of something.
    """

    ink: str
    share: float | None = PLAIN
    track: bool = False


@dataclass(frozen=True)
class Colouring:
    """One colour mode with what it needs: loads by pair, media by cable."""

    mode: Mode = "scope"
    loads: Mapping[tuple[str, str, str], float | None] = field(default_factory=dict)
    media: Mapping[str, str] = field(default_factory=dict)

    def load_of(self, pair: Pair) -> float | None:
        return self.loads.get((pair.a, pair.b, pair.fabric))

    def busy(self, numbers: Sequence[int], pairs: Sequence[Pair]) -> float | None:
        """Share of the step some pairs are busy, by their cables; None when one is unknown."""
        total = cables = 0.0
        for n in numbers:
            pair = pairs[n]
            load = self.loads.get((pair.a, pair.b, pair.fabric))
            if load is None:
                return None
            total += load * len(pair.cables)
            cables += len(pair.cables)
        return total / cables if cables else None

    def tint(self, numbers: Sequence[int], pairs: Sequence[Pair], scope: str, rail: int | None) -> Tint:
        if not numbers:
            return Tint(scope)  # a link inside a device: no cable runs there
        if self.mode == "load":
            share = self.busy(numbers, pairs)
            return (
                Tint("line2", None)
                if share is None
                else Tint(f"load:{load_band(share)}", min(1.0, max(0.0, share)), True)
            )
        if self.mode == "rail":
            return Tint(RAIL_INKS[rail % len(RAIL_INKS)]) if rail is not None else Tint("bubble")
        if self.mode == "medium":
            return self._medium(numbers, pairs)
        return Tint(scope)

    def _medium(self, numbers: Sequence[int], pairs: Sequence[Pair]) -> Tint:
        found = {self.media.get(c, "") for n in numbers for c in pairs[n].cables}
        if len(found) == 1:
            medium = found.pop()
            return Tint(MEDIUM_INKS[medium]) if medium in MEDIUM_INKS else Tint("line2", None)
        return Tint("line2", None) if not found - {""} else Tint("bubble")
