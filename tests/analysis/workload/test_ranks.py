"""Ranks and groups against the formula, member by member."""

from __future__ import annotations

from itertools import product

import pytest

from rackbuilder.analysis.workload.ranks import Ranks

SIZES = {"tp": 2, "cp": 3, "ep": 1, "dp": 4, "pp": 5}


def rank(t: int, c: int, d: int, p: int) -> int:
    return t + 2 * (c + 3 * (d + 4 * p))


def test_the_usual_order() -> None:
    ranks = Ranks(SIZES)
    assert ranks.count == 120
    tensor = {tuple(rank(t, c, d, p) for t in range(2)) for c, d, p in product(range(3), range(4), range(5))}
    data = {tuple(rank(t, c, d, p) for d in range(4)) for t, c, p in product(range(2), range(3), range(5))}
    pipeline = {
        tuple(rank(t, c, d, p) for p in range(5)) for t, c, d in product(range(2), range(3), range(4))
    }
    assert {tuple(row) for row in ranks.groups("tp").tolist()} == tensor
    assert {tuple(row) for row in ranks.groups("dp").tolist()} == data
    assert {tuple(row) for row in ranks.groups("pp").tolist()} == pipeline
    assert all(ranks.stage[rank(1, 2, 3, p)] == p for p in range(5))


def test_pipeline_before_data() -> None:
    ranks = Ranks({"tp": 2, "cp": 1, "ep": 1, "dp": 3, "pp": 4}, ("tp", "cp", "ep", "pp", "dp"))
    # rank = t + 2·(p + 4·d)
    assert ranks.groups("pp").tolist()[0] == [0, 2, 4, 6]
    assert ranks.groups("dp").tolist()[0] == [0, 8, 16]
    assert ranks.stage.tolist()[:8] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_experts_take_tensor_ranks_first() -> None:
    # Stage of 2 × 1 × 8 ranks, experts over 8: two groups of eight ranks in a row; copies lie eight apart.
    ranks = Ranks({"tp": 2, "cp": 1, "ep": 8, "dp": 8, "pp": 2})
    assert ranks.expert_groups().tolist()[:2] == [list(range(8)), list(range(8, 16))]
    assert ranks.expert_copies().tolist()[0] == [0, 8]
    assert ranks.expert_groups().shape == (4, 8)
    assert ranks.expert_copies().shape == (16, 2)


def test_experts_stay_together_when_the_pipeline_comes_before_data() -> None:
    # ep stands before pp: its four data ranks sit side by side, the copies behind the whole pipeline.
    ranks = Ranks({"tp": 1, "cp": 1, "ep": 4, "dp": 8, "pp": 2}, ("tp", "cp", "ep", "pp", "dp"))
    assert ranks.expert_groups().tolist() == [[0, 1, 2, 3], [8, 9, 10, 11], [4, 5, 6, 7], [12, 13, 14, 15]]
    assert ranks.expert_copies().tolist()[0] == [0, 8]
    assert ranks.groups("pp").tolist()[0] == [0, 4]
    assert sorted(ranks.groups("dp").tolist()[0]) == [0, 1, 2, 3, 8, 9, 10, 11]


@pytest.mark.parametrize(
    "order", [("tp", "cp", "ep", "dp", "pp"), ("dp", "pp", "tp"), ("pp", "ep", "tp", "dp", "cp")]
)
def test_every_rank_is_once_in_each_dimension(order: tuple[str, ...]) -> None:
    ranks = Ranks({"tp": 2, "cp": 2, "ep": 4, "dp": 6, "pp": 3}, order)
    every = list(range(72))
    for groups in (*(ranks.groups(name) for name in ("tp", "cp", "dp", "pp")), ranks.expert_groups()):
        assert sorted(groups.ravel().tolist()) == every
    assert sorted(ranks.expert_copies().ravel().tolist()) == every
    stages = [set(ranks.stage[row].tolist()) for row in ranks.expert_groups()]
    assert all(len(found) == 1 for found in stages)
