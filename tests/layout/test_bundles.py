"""Parallel cables are one pair; the width of a pipe follows from its count."""

import pytest

from rackbuilder.layout.bundles import pairs_of, pipe_width, summed
from rackbuilder.topology.graphs import build_graphs
from tests.layout import samples


@pytest.mark.parametrize(
    ("cables", "width"),
    [
        (1, 1),
        (2, 2),
        (4, 2),
        (5, 3),
        (8, 3),
        (9, 4),
        (16, 4),
        (17, 5),
        (32, 5),
        (64, 6),
        (65, 8),
        (256, 8),
        (257, 10),
    ],
)
def test_pipe_widths_of_the_design(cables: int, width: int) -> None:
    assert pipe_width(cables) == width


def test_pairs_of_a_pod() -> None:
    design = samples.superpod(units=1, spines=4)
    pairs = pairs_of(design, build_graphs(design))
    # 31 servers x 8 leaves by one cable, 8 leaves x 4 spines by 32 / 4 = 8 cables, 4 managers.
    compute = [p for p in pairs if p.fabric == "compute"]
    assert sorted({p.size for p in compute}) == [1, 8]
    assert sum(p.size == 8 for p in compute) == 8 * 4
    assert sum(p.size == 1 for p in compute) == 31 * 8 + 4
    # 8 x 4 x 8 = 256 cables of 400 Gb/s.
    up = [p for p in compute if p.size == 8]
    assert summed(up) == (256, 256 * 400e9)


def test_pairs_are_the_same_with_and_without_graphs() -> None:
    design = samples.superpod(units=1, spines=4)
    assert pairs_of(design) == pairs_of(design, build_graphs(design))


def test_an_unknown_rate_makes_the_sum_unknown() -> None:
    design = samples.small()
    pairs = list(pairs_of(design))
    pairs[0] = pairs[0]._replace(rate_bps=None)
    assert summed(pairs)[1] is None
