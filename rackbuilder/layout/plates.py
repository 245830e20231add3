"""Text on the runs: counts beside trunks, one sentence on each bus."""

from collections.abc import Sequence

from rackbuilder.layout.bundles import Pair, summed
from rackbuilder.layout.lod import Level
from rackbuilder.layout.pipes import FINE
from rackbuilder.layout.placing import Spots
from rackbuilder.layout.scene import Pipe, Plate
from rackbuilder.units import rate_text

_TITLES = {"storage": "Storage", "in-band": "In-band", "out-of-band": "Out-of-band"}


def plates_of(spots: Spots, pairs: Sequence[Pair], pipes: Sequence[Pipe]) -> tuple[Plate, ...]:
    found = [
        *_trunks(pipes),
        *_drops(spots, pipes),
        *_buses(spots, pairs, pipes),
        *_runs(pairs, pipes),
        *_far_risers(pipes),
    ]
    return tuple(found)


def _trunks(pipes: Sequence[Pipe]) -> list[Plate]:
    return [
        Plate(p.x1 + 18, (p.y1 + p.y2) / 2, f"{p.cables:,}", "start", p.layer, p.levels, n, run=p.place.h)
        for n, p in enumerate(pipes)
        if p.kind == "trunk" and p.cables > 1
    ]


def _drops(spots: Spots, pipes: Sequence[Pipe]) -> list[Plate]:
    """Cables of each spine: once, beside the first, when all have the same."""
    tops = [
        (n, p) for n, p in enumerate(pipes) if p.kind == "riser" and p.scope in ("leaf-spine", "spine-core")
    ]
    by_scope: dict[tuple[str, float], list[tuple[int, Pipe]]] = {}
    for row in tops:
        by_scope.setdefault((row[1].scope, row[1].y2), []).append(row)
    plates = []
    for rows in by_scope.values():
        first = sorted(rows, key=lambda row: row[1].x1)
        same = len({p.cables for _, p in first}) == 1
        for n, p in first[:1] if same else first:
            plates.append(
                Plate(p.x1 + 14, p.y1 + 0.55 * (p.y2 - p.y1), f"{p.cables:,}", "start", p.layer, FINE, n)
            )
    return plates


def _buses(spots: Spots, pairs: Sequence[Pair], pipes: Sequence[Pipe]) -> list[Plate]:
    plates = []
    for n, p in enumerate(pipes):
        if p.kind == "bus":
            text = bus_text(spots, pairs, p)
            room = abs(p.x2 - p.x1)
            plates.append(
                Plate((p.x1 + p.x2) / 2, p.y1, text, "middle", p.layer, p.levels, n, room, f"{p.cables:,}")
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
    """One plate for each layer on its longest run under the units."""
    longest: dict[str, tuple[float, int]] = {}
    total: dict[str, dict[int, None]] = {}
    for n, p in enumerate(pipes):
        if p.kind == "run" and p.layer != "compute" and p.y1 == p.y2:
            total.setdefault(p.layer, {}).update(dict.fromkeys(p.pairs))
            if p.x2 - p.x1 > longest.get(p.layer, (0.0, 0))[0]:
                longest[p.layer] = (p.x2 - p.x1, n)
    plates = []
    for layer, (length, n) in longest.items():
        p = pipes[n]
        cables, rate = summed(pairs[i] for i in total[layer])
        words = [_TITLES.get(layer, layer), f"{cables:,} cables"]
        if rate is not None:
            words.append(f"{rate_text(rate)} per direction")
        plates.append(
            Plate(
                (p.x1 + p.x2) / 2,
                p.y1,
                " · ".join(words),
                "middle",
                layer,
                (Level.HALL, Level.PORT),
                n,
                length,
            )
        )
    return plates


def _far_risers(pipes: Sequence[Pipe]) -> list[Plate]:
    """Cables of each rack, on its one drop at row level."""
    far = [(n, p) for n, p in enumerate(pipes) if p.kind == "riser" and p.levels[1] is Level.ROW]
    return [
        Plate(p.x1, p.place.cy, f"{p.cables:,}", "middle", p.layer, p.levels, n, run=p.place.h)
        for n, p in far
    ]
