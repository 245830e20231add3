"""Counts of switches and links by arithmetic, against published tables."""

from typing import Any

import pytest

from rackbuilder.errors import ProblemError
from rackbuilder.templates.counts import fat_tree, leaf_ports, spine_count, three_tier, two_tier
from tests.templates.published import ROWS


def formula_rows() -> list[Any]:
    return [pytest.param(row, id=row["name"]) for block in ROWS["formulas"] for row in block["rows"]]


@pytest.mark.parametrize("row", formula_rows())
def test_formula_row(row: dict[str, Any]) -> None:
    """Planes are equal trees side by side: switches and links both times their number (arXiv 2505.09343)."""
    planes = row["planes"]
    shape = fat_tree(row["endpoints"] // planes, row["radix"], row["tiers"])
    ours = {
        "switches": planes * shape.switches,
        "links": planes * (shape.leaf_spine_links + shape.spine_core_links),
        "leaf": planes * shape.leaf_total,
        "spine": planes * shape.spine_total,
        "core": planes * shape.core_total,
    }
    wanted = {name: row[name] for name in ours if name in row}
    assert {name: ours[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("radix", "leaves", "by_ports", "published"), [(64, 24, 12, 16), (144, 32, 16, 18), (144, 64, 32, 36)]
)
def test_spines_divide_the_uplinks(radix: int, leaves: int, by_ports: int, published: int) -> None:
    """RA-11333-001 table 4 and RA-11339-001 table 3: more spines than ports alone ask for."""
    assert leaves * (radix // 2) == by_ports * radix
    assert spine_count(leaves, radix // 2, radix) == published


def test_two_tiers_end_where_a_spine_has_no_port_left() -> None:
    """64 leaves of 32 server ports are 2,048 (64^2/2); the 65th leaf finds no port."""
    assert two_tier(64, 32, 64).leaf_total * 32 == 2048
    with pytest.raises(ProblemError, match="2,048 server ports"):
        spine_count(65, 32, 64)


@pytest.mark.parametrize(
    ("radix", "ratio", "down", "up"),
    [(64, 1, 32, 32), (64, 2, 42, 21), (64, 3, 48, 16), (40, 1, 20, 20), (144, 1, 72, 72)],
)
def test_leaf_ports(radix: int, ratio: float, down: int, up: int) -> None:
    """64/(1+2) = 21.3: 21 up carry 42 down, one port is left; 48 + 16 = 64 exactly."""
    assert leaf_ports(radix, ratio) == (down, up)


@pytest.mark.parametrize(
    ("units", "leaf", "spine", "core"), [(16, 128, 128, 64), (32, 256, 256, 128), (64, 512, 512, 256)]
)
def test_three_tiers_of_rails(units: int, leaf: int, spine: int, core: int) -> None:
    """RA-11333-001 table 3: leaf = spine = N/32, core = N/64 of N = 256 a unit."""
    shape = three_tier(8, units, 32, 64)
    assert shape is not None
    assert (shape.leaf_total, shape.spine_total, shape.core_total) == (leaf, spine, core)
    assert shape.leaf_spine_links == shape.spine_core_links == units * 256


@pytest.mark.parametrize("units", range(9, 65))
def test_every_tree_has_the_ports(units: int) -> None:
    """Ports by hand: a spine has pod leaves x uplinks / spines below, a core its share of every set of spines."""
    shape = three_tier(8, units, 32, 64)
    if shape is None:
        return
    assert shape.spine_down + shape.spine_up <= 64
    assert shape.spine_up >= shape.spine_down
    assert shape.core_groups * shape.cores * 64 >= shape.spine_core_links
    assert shape.spine_core_links % shape.core_total == 0


def test_taper_between_pods() -> None:
    """Pods of 192 leaves of 16 uplinks: 3,072 links on 8 spines of 384, of which 55 (384/7 rounded up) go on."""
    shape = three_tier(1, 8 * 192, 16, 576, 7, 192)
    assert shape is not None
    assert (shape.pods, shape.spines, shape.spine_down, shape.spine_up) == (8, 8, 384, 55)
    assert 7 * shape.spine_up >= shape.spine_down > 7 * (shape.spine_up - 1)
