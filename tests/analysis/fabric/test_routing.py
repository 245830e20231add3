"""Bytes under given forwarding tables, on fabrics small enough to follow by hand."""

from __future__ import annotations

import numpy as np
import pytest

from rackbuilder.analysis.fabric.adaptive import carry_adaptive
from rackbuilder.analysis.fabric.arrays import Arrays, arrays_of
from rackbuilder.analysis.fabric.dmodk import finish
from rackbuilder.analysis.fabric.imported import carry_imported, pairs_of
from rackbuilder.analysis.fabric.loads import Exchange, Flows
from rackbuilder.analysis.fabric.routing import CableLoads, Forwarding, carry_by_tables
from rackbuilder.design.design import Design
from rackbuilder.design.records import Fault
from rackbuilder.topology.graphs import build_graphs
from tests.topology.samples import Site, superpod, twin

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


# ---- beside other routings


def modulo_tables(design: Design) -> Forwarding:
    """Every destination over the spine and the cable that its place says, from whatever leaf."""
    leaf = {f"{c.a.device}:{c.a.port}": c for c in design.cables.values() if c.a.device.startswith("srv")}
    up = [c for c in design.cables.values() if c.a.device.startswith("leaf")]
    switches = tuple(d.id for d in design.devices.values() if d.fabric)
    cables = tuple(design.cables)
    place = {name: n for n, name in enumerate(cables)}
    ends = tuple(leaf)
    out = np.full((len(switches), len(ends)), -1)
    for column, end in enumerate(ends):
        home = leaf[end].b.device
        for row, switch in enumerate(switches):
            if switch == home:
                way = leaf[end].id
            elif switch.startswith("leaf"):
                mine = [c.id for c in up if c.a.device == switch]
                way = mine[column % len(mine)]
            else:
                mine = [c.id for c in up if c.a.device == home and c.b.device == switch]
                way = mine[column % len(mine)]
            out[row, column] = place[way]
    return Forwarding(switches, ends, cables, out)


def arrays_of_design(design: Design) -> Arrays:
    return arrays_of(build_graphs(design).fabric("compute"))


def test_traffic_on_tables_moves_what_it_moves_when_spread() -> None:
    """What hosts send and get, and what leaves a leaf, is that of the even spread; only which uplink differs."""
    design = superpod(2, servers=40)
    arrays = arrays_of_design(design)
    rng = np.random.default_rng(3)
    flows = Flows(rng.integers(0, 320, 500), rng.integers(0, 320, 500), rng.integers(1, 9, 500).astype(float))
    flows = Flows(*(column[flows.src // 8 != flows.dst // 8] for column in flows))
    ranks = np.arange(64) * 5
    exchange = Exchange(np.repeat(np.arange(4), 16), ranks // 8, ranks, np.full(64, 3.0))
    spread = finish(carry_adaptive(arrays, None, [flows], [exchange]))
    routed = carry_imported(design, arrays, modulo_tables(design), [flows], [exchange])
    assert routed.lost == spread.lost == 0
    hosts = slice(arrays.trunks, None)
    assert routed.up[hosts] == pytest.approx(spread.up[hosts])
    assert routed.down[hosts] == pytest.approx(spread.down[hosts])
    for leaf in np.unique(arrays.low):
        mine = np.flatnonzero(arrays.low == leaf)
        assert routed.up[mine].sum() == pytest.approx(spread.up[mine].sum())
        assert routed.down[mine].sum() == pytest.approx(spread.down[mine].sum())
    assert routed.up[: arrays.trunks].max() > spread.up[: arrays.trunks].max()


def test_the_pairs_of_an_exchange() -> None:
    exchange = Exchange(np.array([0, 0, 1, 0]), np.array([5, 6, 5, 5]), np.array([7, 8, 9, 10]), np.ones(4))
    found = pairs_of(exchange)
    # 7 and 10 share an island; 9 is alone in its group.
    assert sorted(zip(found.src.tolist(), found.dst.tolist(), strict=True)) == [
        (7, 8),
        (8, 7),
        (8, 10),
        (10, 8),
    ]


def test_a_link_that_failed_after_the_tables_were_made_loses_what_they_send_over_it() -> None:
    design = tree()
    tables = Forwarding(SWITCHES, ENDS, CABLES, np.array(OUT))
    site = Site(design)
    site.draft.put("faults", Fault(id="fault-1", ref="cbl-0005"))  # leaf 1 to spine 1
    site.draft.put("faults", Fault(id="fault-2", ref="cbl-0004"))  # server 4
    broken = site.done()
    flows = Flows(np.array([0, 1, 3, 0]), np.array([2, 3, 0, 1]), np.array([5.0, 7.0, 2.0, 1.0]))
    whole = carry_imported(design, arrays_of_design(design), tables, [flows])
    assert whole.lost == 0
    loads = carry_imported(broken, arrays_of_design(broken), tables, [flows])
    # To server 3 over the broken uplink; to server 4, and from it, over its own; the last byte stays on leaf 1.
    assert loads.lost == 5 + 7 + 2
    assert loads.up.sum() == (5 + 7 + 1) + 7


def test_hosts_that_the_tables_do_not_know_lose_their_bytes() -> None:
    design = tree()
    tables = Forwarding(SWITCHES, ENDS[:3], CABLES, np.array(OUT)[:, :3])
    loads = carry_imported(
        design,
        arrays_of_design(design),
        tables,
        [Flows(np.array([3, 0]), np.array([0, 1]), np.array([4.0, 1.0]))],
    )
    assert loads.lost == 4
