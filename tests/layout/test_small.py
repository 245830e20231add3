"""Small pieces: united runs, the grid index, disjoint sets, facts."""

import random

from rackbuilder.analysis.results import LinkLoad, Loads, Power, RackPower
from rackbuilder.layout.facts import load_band, pair_loads, rack_facts
from rackbuilder.layout.gridindex import GridIndex
from rackbuilder.layout.runs import united
from rackbuilder.layout.shapes import Place, around
from rackbuilder.layout.unions import Unions
from rackbuilder.units import Figure
from tests.layout import samples


def test_overlapping_pieces_are_one() -> None:
    routes = [((0, 0), (10, 0), (10, 5)), ((5, 0), (20, 0)), ((10, 3), (10, 9)), ((0, 7), (3, 7))]
    assert united(routes) == [((0, 0), (20, 0)), ((0, 7), (3, 7)), ((10, 0), (10, 9))]


def test_the_index_finds_what_a_plain_search_finds() -> None:
    source = random.Random(7)
    places = [
        Place(
            source.uniform(-3000, 3000),
            source.uniform(-3000, 3000),
            source.uniform(0, 900),
            source.uniform(0, 900),
        )
        for _ in range(400)
    ]
    index = GridIndex(places)
    for _ in range(50):
        w = Place(
            source.uniform(-3000, 3000),
            source.uniform(-3000, 3000),
            source.uniform(1, 2500),
            source.uniform(1, 900),
        )
        plain = [
            n
            for n, p in enumerate(places)
            if p.x <= w.right and w.x <= p.right and p.y <= w.bottom and w.y <= p.bottom
        ]
        assert index.touching(w) == plain


def test_sets_keep_the_order_of_their_members() -> None:
    sets = Unions("abcdef")
    sets.join("e", "b")
    sets.join("b", "f")
    assert sets.sets() == [["a"], ["b", "e", "f"], ["c"], ["d"]]


def test_around() -> None:
    assert around([Place(0, 0, 2, 2), Place(5, -1, 1, 1)]) == Place(0, -1, 6, 3)
    assert around([]) == Place(0, 0, 0, 0)


def test_load_bands_begin_where_the_design_says() -> None:
    assert [load_band(x) for x in (0.0, 0.05, 0.0999, 0.10, 0.25, 0.50, 0.75, 0.90, 1.4)] == [
        0,
        1,
        1,
        2,
        3,
        4,
        5,
        6,
        6,
    ]


def test_facts_of_a_rack() -> None:
    design = samples.mixed_row()
    row = RackPower("A01", Figure(40_800.0), Figure(None), Figure(0.0), Figure(0.0), 44_000.0, {}, False)
    facts = rack_facts(design, Power((row,), row.max_w, row.typical_w, row.optics_w), None)
    assert list(facts) == ["A01"]
    assert facts["A01"].share is not None
    assert round(facts["A01"].share, 3) == 0.927  # 40.8 / 44.0
    assert facts["A01"].weight_kg.value is None


def test_an_unknown_power_has_no_share() -> None:
    design = samples.mixed_row()
    row = RackPower("A01", Figure(None), Figure(None), Figure(0.0), Figure(0.0), 44_000.0, {}, False)
    assert (
        rack_facts(design, Power((row,), row.max_w, row.typical_w, row.optics_w), None)["A01"].share is None
    )


def test_loads_are_found_from_either_end() -> None:
    loads = Loads((LinkLoad("srv-1", "L01", "compute", "server-leaf", 1, 400e9, 1.0, 0.5),))
    assert pair_loads(loads) == {("L01", "srv-1", "compute"): 0.5}
    assert pair_loads(None) == {}
