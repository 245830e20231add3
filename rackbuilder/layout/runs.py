"""Pieces of routes put together: what lies on one line and touches is one piece."""

from collections.abc import Iterable
from itertools import pairwise

Point = tuple[float, float]
Piece = tuple[Point, Point]


def united(routes: Iterable[Iterable[Point]]) -> list[Piece]:
    """The horizontal and vertical pieces of some routes, overlapping ones united: a dash drawn twice is none.

    Slanted pieces are kept as they are, once each.
    """
    level: dict[float, list[tuple[float, float]]] = {}
    upright: dict[float, list[tuple[float, float]]] = {}
    slanted: dict[Piece, None] = {}
    for route in routes:
        for a, b in pairwise(route):
            if a[1] == b[1]:
                level.setdefault(a[1], []).append((min(a[0], b[0]), max(a[0], b[0])))
            elif a[0] == b[0]:
                upright.setdefault(a[0], []).append((min(a[1], b[1]), max(a[1], b[1])))
            else:
                slanted[min(a, b), max(a, b)] = None
    pieces = [((low, y), (high, y)) for y, spans in level.items() for low, high in _joined(spans)]
    pieces += [((x, low), (x, high)) for x, spans in upright.items() for low, high in _joined(spans)]
    return [*pieces, *slanted]


def _joined(spans: list[tuple[float, float]]) -> list[tuple[float, float]]:
    result: list[tuple[float, float]] = []
    for low, high in sorted(spans):
        if result and low <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, high))
    return result
