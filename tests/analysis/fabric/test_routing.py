"""Bytes under given forwarding tables, on fabrics small enough to follow by hand."""

from __future__ import annotations

import numpy as np
import pytest

from rackbuilder.analysis.fabric.loads import Flows
from rackbuilder.analysis.fabric.routing import CableLoads, Forwarding, carry_by_tables
from rackbuilder.design.design import Design
from tests.topology.samples import Site, twin

SWITCHES = ("leaf-1", "leaf-2", "spine-1", "spine-2")
ENDS = tuple(f"srv-{n}:osfp1/1" for n in range(1, 5))


def tree() -> Design:
    """Servers 1, 2 on leaf 1 and 3, 4 on leaf 2; one cable to each of two spines: cables 1–4 down, 5–8 up."""
    site = Site()
    for name in SWITCHES:
        site.switch(name)
    for n in range(4):
        site.device(f"srv-{n + 1}", "dgx-h100")
        site.rail(f"srv-{n + 1}", 0, f"leaf-{n // 2 + 1}", n)
    for leaf in (1, 2):
        for spine in (1, 2):
            site.cable(f"leaf-{leaf}", twin(32 + spine), f"spine-{spine}", twin(leaf))
    return site.done()


CABLES = tuple(f"cbl-{n:04d}" for n in range(1, 9))
# Odd servers over spine 1, even ones over spine 2. A row a switch, a column a destination; places in CABLES.
OUT = [
    [0, 1, 4, 5],  # leaf 1: its own two; 3 over spine 1, 4 over spine 2
    [6, 7, 2, 3],  # leaf 2
    [4, 4, 6, 6],  # spine 1
    [5, 5, 7, 7],  # spine 2
]


def carried(out: list[list[int]], *flows: tuple[int, int, float]) -> CableLoads:
    src, dst, size = zip(*flows, strict=True)
    tables = Forwarding(SWITCHES, ENDS, CABLES, np.array(out))
    return carry_by_tables(tree(), tables, Flows(np.array(src), np.array(dst), np.array(size)))


def test_each_destination_has_its_way() -> None:
    # 1 sends 5 bytes to 3 (over spine 1) and 7 to 4 (over spine 2); 4 sends 2 bytes to 1 (over spine 1).
    loads = carried(OUT, (0, 2, 5.0), (0, 3, 7.0), (3, 0, 2.0))
    assert loads.forward.tolist() == [12, 0, 0, 2, 5, 7, 2, 0]
    assert loads.backward.tolist() == [2, 0, 5, 7, 2, 0, 5, 7]
    assert (loads.lost, loads.stuck) == (0, ())


def test_what_stays_on_a_leaf_and_what_stays_at_home() -> None:
    loads = carried(OUT, (0, 1, 3.0), (2, 2, 9.0))
    assert loads.forward.tolist() == [3, 0, 0, 0, 0, 0, 0, 0]
    assert loads.backward.tolist() == [0, 3, 0, 0, 0, 0, 0, 0]


def test_a_switch_without_a_way_out_holds_what_it_gets() -> None:
    out = [row[:] for row in OUT]
    out[2][2] = -1
    loads = carried(out, (0, 2, 5.0), (1, 2, 1.0), (0, 3, 7.0))
    assert loads.lost == 6
    assert loads.stuck == (("spine-1", "srv-3:osfp1/1"),)
    assert loads.forward[4] == 6


def test_a_circle_is_lost() -> None:
    out = [row[:] for row in OUT]
    out[2][2] = 4  # spine 1 sends what is for server 3 back to leaf 1
    loads = carried(out, (0, 2, 5.0))
    assert loads.lost == 5
    assert [name for name, _ in loads.stuck] in (["leaf-1"], ["spine-1"])


def test_a_way_to_the_wrong_adapter_is_lost() -> None:
    out = [row[:] for row in OUT]
    out[1][2] = 3
    loads = carried(out, (0, 2, 5.0))
    assert (loads.lost, loads.stuck) == (5, (("leaf-2", "srv-3:osfp1/1"),))


def test_bytes_in_are_bytes_out() -> None:
    rng = np.random.default_rng(1)
    flows = [(int(a), int(b), float(rng.integers(1, 99))) for a in range(4) for b in range(4) if a != b]
    loads = carried(OUT, *flows)
    sent = [sum(size for a, _, size in flows if a == n) for n in range(4)]
    got = [sum(size for _, b, size in flows if b == n) for n in range(4)]
    assert loads.forward[:4] == pytest.approx(sent)
    assert loads.backward[:4] == pytest.approx(got)
    # What goes up to the spines comes down from them.
    assert loads.forward[4:].sum() == pytest.approx(loads.backward[4:].sum())
