"""Text on the runs: counts beside trunks, one sentence on each bus."""

from collections.abc import Sequence

from rackbuilder.layout.bundles import Pair, summed
from rackbuilder.layout.lod import ALWAYS, Level
from rackbuilder.layout.pipes import FINE
from rackbuilder.layout.placing import Spots
from rackbuilder.layout.scene import Pipe, Plate
from rackbuilder.units import rate_text

_TITLES = {"storage": "Storage", "in-band": "In-band", "out-of-band": "Out-of-band"}


def plates_of(spots: Spots, pairs: Sequence[Pair], pipes: Sequence[Pipe]) -> tuple[Plate, ...]:
    found = [
        *_trunks(pipes),
        *_drops(pipes),
        *_buses(spots, pairs, pipes),
        *_runs(pairs, pipes),
        *_far_risers(pipes),
    ]
    return tuple(found)


def _trunks(pipes: Sequence[Pipe]) -> list[Plate]:
    return [
        Plate(p.x1 + 18, (p.y1 + p.y2) / 2, f"{p.cables:,}", "start", p.layer, p.levels, run=p.place.h)
        for p in pipes
        if p.kind == "trunk" and p.cables > 1
    ]


def _drops(pipes: Sequence[Pipe]) -> list[Plate]:
    """Cables of each spine: once, beside the first, when all have the same."""
    by_scope: dict[tuple[str, float], list[Pipe]] = {}
    for p in pipes:
        if p.kind == "riser" and p.scope in ("leaf-spine", "spine-core"):
            by_scope.setdefault((p.scope, p.y2), []).append(p)
    plates = []
    for rows in by_scope.values():
        first = sorted(rows, key=lambda p: p.x1)
        same = len({p.cables for p in first}) == 1
        for p in first[:1] if same else first:
            plates.append(
                Plate(p.x1 + 14, p.y1 + 0.55 * (p.y2 - p.y1), f"{p.cables:,}", "start", p.layer, FINE)
            )
    return plates


def _buses(spots: Spots, pairs: Sequence[Pair], pipes: Sequence[Pipe]) -> list[Plate]:
    plates = []
    for p in pipes:
        if p.kind == "bus":
            text = bus_text(spots, pairs, p)
            room = abs(p.x2 - p.x1)
            plates.append(
                Plate((p.x1 + p.x2) / 2, p.y1, text, "middle", p.layer, p.levels, room, f"{p.cables:,}")
            )
    return plates


def bus_text(spots: Spots, pairs: Sequence[Pair], pipe: Pipe) -> str:
    """“1,024 cables · 32 leaf × 16 spine × 2 · 409.6 Tb/s per direction”."""
    own = [pairs[n] for n in pipe.pairs]
    cables, rate = summed(own)
    words = [f"{cables:,} cables" if cables != 1 else "1 cable"]
    tier = spots.tiers.tier
    low, high = ("leaf", "spine") if pipe.scope == "leaf-spine" else ("spine", "core")
    ends = [(p.a, p.b) if tier[p.a] == low else (p.b, p.a) for p in own]
    lows, highs = {a for a, _ in ends}, {b for _, b in ends}
    counts = {p.size for p in own}
    if len(counts) == 1 and len(own) == len(lows) * len(highs):
        words.append(f"{len(lows)} {low} × {len(highs)} {high} × {counts.pop()}")
    if rate is not None:
        words.append(f"{rate_text(rate)} per direction")
    return " · ".join(words)


def _runs(pairs: Sequence[Pair], pipes: Sequence[Pipe]) -> list[Plate]:
    """One plate for each layer, on its longest run under the units, for all its cables that run there."""
    longest: dict[str, Pipe] = {}
    total: dict[str, dict[int, None]] = {}
    for p in pipes:
        if p.kind == "run" and p.layer != "compute" and p.y1 == p.y2:
            total.setdefault(p.layer, {}).update(dict.fromkeys(p.pairs))
            if p.layer not in longest or p.place.w > longest[p.layer].place.w:
                longest[p.layer] = p
    plates = []
    for layer, p in longest.items():
        cables, rate = summed(pairs[i] for i in total[layer])
        words = [_TITLES.get(layer, layer), f"{cables:,} cables"]
        if rate is not None:
            words.append(f"{rate_text(rate)} per direction")
        plates.append(Plate(p.place.cx, p.y1, " · ".join(words), "middle", layer, ALWAYS, p.place.w))
    return plates


def _far_risers(pipes: Sequence[Pipe]) -> list[Plate]:
    """Cables of each rack, on its one drop at row level."""
    far = [p for p in pipes if p.kind == "riser" and p.levels[1] is Level.ROW]
    return [Plate(p.x1, p.place.cy, f"{p.cables:,}", "middle", p.layer, p.levels, run=p.place.h) for p in far]
