"""Twins: switches that nothing tells apart, folded into one. What makes questions about a large Clos small."""

from collections.abc import Callable, Mapping
from typing import TypeVar

Colour = tuple[int, ...]
Weighted = dict[str, dict[str, int]]
C = TypeVar("C")


def fold(
    near: Mapping[str, Mapping[str, int]],
    colour: Mapping[str, Colour],
    join: Callable[[int, int], int],
) -> tuple[dict[str, str], Weighted, dict[str, Colour]]:
    """Folds nodes with equal neighbours, equal weights to them and equal colour, until no two are left.

    join   how the weights of folded links combine: a sum for capacities, the larger for plain adjacency
    Returns node -> the one that stands for it, the folded graph, and its colours (summed).

    Exchanging two such nodes changes nothing, so a maximum flow may be taken to use them alike: folding keeps its
    value. Two that were folded are never neighbours and share all of theirs, so they lie two steps apart. Nodes
    without neighbours are left alone.
    """
    work: Weighted = {name: dict(row) for name, row in near.items()}
    colours = dict(colour)
    stands = {name: name for name in near}
    while True:
        groups: dict[tuple[Colour, frozenset[tuple[str, int]]], list[str]] = {}
        for name, row in work.items():
            if row:
                groups.setdefault((colours[name], frozenset(row.items())), []).append(name)
        merge = {name: group[0] for group in groups.values() if len(group) > 1 for name in group}
        if not merge:
            return _settled(stands), work, colours
        for name, first in merge.items():
            if name != first:
                stands[name] = first
                colours[first] = tuple(map(sum, zip(colours[first], colours.pop(name), strict=True)))
        work = _merged(work, merge, join)


def _merged(work: Weighted, merge: Mapping[str, str], join: Callable[[int, int], int]) -> Weighted:
    result: Weighted = {}
    for name, row in work.items():
        target = result.setdefault(merge.get(name, name), {})
        for other, weight in row.items():
            to = merge.get(other, other)
            target[to] = join(target[to], weight) if to in target else weight
    return result


def _settled(stands: dict[str, str]) -> dict[str, str]:
    """Each name with the one that stands for it in the end."""
    for name, first in stands.items():
        while stands[first] != first:
            first = stands[first]
        stands[name] = first
    return stands
