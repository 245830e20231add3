"""Bundles: what each pattern joins, what fits, and that the order of a selection decides nothing."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from rackbuilder.commands.bundles import PATTERNS, BundlePlan, Pattern, propose_bundle
from rackbuilder.commands.cabling import Connect, ConnectBundle
from rackbuilder.commands.devices import DeleteItems, PlaceDevice
from rackbuilder.commands.fabrics import AddFabric
from rackbuilder.commands.racks import PlaceRackSystem
from rackbuilder.design.design import Design
from rackbuilder.errors import ProblemError
from tests.samples import built, edited


def names(design: Design, prefix: str) -> tuple[str, ...]:
    return tuple(d for d in design.devices if d.startswith(prefix))


def pod(servers: int, leaves: int, spines: int = 0, switch: str = "t-qm9700") -> Design:
    placed = [
        PlaceDevice(type="t-server", count=servers),
        PlaceDevice(type=switch, count=leaves, role="leaf"),
    ]
    if spines:
        placed.append(PlaceDevice(type=switch, count=spines, role="spine"))
    return built(*placed)


def proposed(design: Design, a: str, b: str, pattern: Pattern = "", per_pair: int = 1) -> BundlePlan:
    return propose_bundle(design, names(design, a), names(design, b), pattern, per_pair)


# ---- rail-aligned


def test_a_unit_of_32_servers_takes_256_cables_each_rail_on_its_leaf() -> None:
    """One scalable unit: rail n of every server goes to leaf n, 32 servers a leaf (RA-11333-001)."""
    plan = proposed(pod(32, 8), "srv", "leaf")
    assert plan.pattern == "rail-aligned"
    assert plan.text == "8 rails × 32 servers, 256 cables, rail-aligned"
    assert (plan.wanted, plan.fits, plan.problems) == (256, 256, ())
    assert plan.rate_bps == 400e9
    assert set(plan.free.values()) == {32}
    rails = ["osfp1/1", "osfp1/2", "osfp2/1", "osfp2/2", "osfp3/1", "osfp3/2", "osfp4/1", "osfp4/2"]
    assert all(b.device == f"leaf-{rails.index(a.port) + 1:02d}" for a, b in plan.cables)
    # Server 7 of the unit is at the seventh port of each leaf: two ports a cage, so osfp4/1.
    assert {b.port for a, b in plan.cables if a.device == "srv-0007"} == {"osfp4/1"}


def test_fewer_leaves_than_rails_share_neighbouring_rails() -> None:
    plan = proposed(pod(4, 4), "srv", "leaf")
    joined = {a.port: b.device for a, b in plan.cables}
    assert [joined[f"osfp1/{n}"] for n in (1, 2)] == ["leaf-01", "leaf-01"]
    assert joined["osfp4/2"] == "leaf-04"
    assert Counter(b.device for _, b in plan.cables) == dict.fromkeys(names(pod(4, 4), "leaf"), 8)


def test_more_leaves_than_rails_serve_runs_of_servers() -> None:
    """16 leaves are two units of eight: the first half of the servers on the first eight."""
    plan = proposed(pod(6, 16), "srv", "leaf")
    assert plan.fits == 48
    low = {b.device for a, b in plan.cables if a.device in ("srv-0001", "srv-0002", "srv-0003")}
    assert low == {f"leaf-{n:02d}" for n in range(1, 9)}


def test_a_rail_that_is_cabled_already_keeps_the_others_in_their_places() -> None:
    design = edited(pod(2, 8), Connect(a="srv-0001:osfp1/1", b="leaf-05:osfp30/1"))
    plan = proposed(design, "srv", "leaf")
    assert plan.wanted == plan.fits == 15
    assert ("srv-0001", "osfp1/2", "leaf-02") in {(a.device, a.port, b.device) for a, b in plan.cables}


# ---- switches


def test_leaves_and_spines_are_joined_all_to_all() -> None:
    """Four units: 32 leaves x 16 spines x 2 = 1,024 links, all uplinks used (RA-11333-001 table 4)."""
    design = pod(0 + 1, 32, 16)
    plan = proposed(design, "leaf", "spine", per_pair=2)
    assert plan.text == "32 leaves × 16 spines × 2, 1,024 cables, all to all"
    assert Counter((a.device, b.device) for a, b in plan.cables) == Counter(
        {(a, b): 2 for a in names(design, "leaf") for b in names(design, "spine")}
    )
    assert set(plan.free.values()) == {0}


def test_all_free_ports_are_spread_evenly_when_no_number_is_given() -> None:
    """64 ports less 4 servers: 60 free; over 4 spines 15 each, and 8 leaves x 15 = 120 exceed the 64 of a spine: 8."""
    design = edited(
        pod(4, 8, 4),
        ConnectBundle(
            sources=("srv-0001", "srv-0002", "srv-0003", "srv-0004"),
            targets=tuple(f"leaf-0{n}" for n in range(1, 9)),
        ),
    )
    plan = proposed(design, "leaf", "spine", per_pair=0)
    assert plan.text == "8 leaves × 4 spines × 8, 256 cables, all to all"


def test_round_robin_deals_uplinks_in_turn() -> None:
    plan = proposed(pod(1, 2, 4), "leaf", "spine", "round-robin", per_pair=2)
    first = [b.device for a, b in plan.cables if a.device == "leaf-01"]
    assert first == ["spine-01", "spine-02", "spine-03", "spine-04"] * 2


def test_same_index_fixes_every_port_by_number() -> None:
    """Port k of device i meets port i of device k."""
    plan = proposed(pod(1, 3, 2), "leaf", "spine", "same-index")
    index = {"osfp1/1": 0, "osfp1/2": 1, "osfp2/1": 2}
    for a, b in plan.cables:
        assert index[a.port] == int(b.device[-2:]) - 1
        assert index[b.port] == int(a.device[-2:]) - 1
    assert plan.fits == 6


def test_switches_of_one_selection_are_joined_once_a_pair() -> None:
    """Full mesh of 4: 4 x 3 / 2 = 6 links."""
    design = pod(1, 4)
    plan = propose_bundle(design, names(design, "leaf"), names(design, "leaf"), "all-to-all")
    assert plan.fits == 6
    assert all(a.device != b.device for a, b in plan.cables)


# ---- other patterns with servers


def test_two_ports_dealt_in_turn_never_meet_on_one_leaf() -> None:
    design = built(
        PlaceDevice(type="t-storage", count=6),
        PlaceDevice(type="t-qm9700", count=3),
        AddFabric(technology="t-ndr", roles=("storage",)),
    )
    plan = propose_bundle(design, names(design, "stg"), names(design, "sw"), "round-robin", role="storage")
    assert plan.fits == 12
    assert all(x[1].device != y[1].device for x, y in pairwise(plan.cables) if x[0].device == y[0].device)
    assert set(Counter(b.device for _, b in plan.cables).values()) == {4}


def test_paired_gives_equal_runs_to_each() -> None:
    plan = proposed(pod(8, 2), "srv", "leaf", "paired")
    assert plan.text == "8 servers to 2 leaves, 8 cables, paired"
    assert [b.device for _, b in plan.cables] == ["leaf-01"] * 4 + ["leaf-02"] * 4


def test_dragging_from_leaves_to_servers_is_the_same_bundle() -> None:
    design = pod(4, 8)
    back = propose_bundle(design, names(design, "leaf"), names(design, "srv"))
    assert back == proposed(design, "srv", "leaf")


# ---- which ports


def test_the_fabric_of_the_switch_says_which_ports_of_a_server() -> None:
    design = built(
        PlaceDevice(type="t-server", count=2), PlaceDevice(type="t-sn2201"), PlaceDevice(type="t-qm9700")
    )
    plan = propose_bundle(design, ("srv-0001", "srv-0002"), ("sw-01",))
    assert plan.role == "out-of-band"
    assert {(a.port, b.port) for a, b in plan.cables} == {("bmc1/1", "rj1/1"), ("bmc1/1", "rj2/1")}


def test_a_switch_is_managed_by_its_own_management_port() -> None:
    design = built(PlaceDevice(type="t-sn2201"), PlaceDevice(type="t-qm9700", count=2))
    plan = propose_bundle(design, ("sw-02", "sw-03"), ("sw-01",), "paired")
    assert {(a.device, a.port) for a, _ in plan.cables} == {("sw-02", "mgmt1/1"), ("sw-03", "mgmt1/1")}
    assert {b.port for _, b in plan.cables} == {"rj1/1", "rj2/1"}


def test_devices_without_such_a_port_are_left_out_but_not_all() -> None:
    design = built(PlaceDevice(type="t-server"), PlaceDevice(type="t-pdu"), PlaceDevice(type="t-qm9700"))
    assert propose_bundle(design, ("srv-0001", "pdu-01"), ("sw-01",)).text.startswith(
        "1 server to 1 switch, 8 cables"
    )
    alone = propose_bundle(design, ("pdu-01",), ("sw-01",))
    assert "PDU has no compute port" in alone.problems[0].what
    stored = built(PlaceDevice(type="t-storage"), PlaceDevice(type="t-qm9700"))
    problem = propose_bundle(stored, ("stg-01",), ("sw-01",), role="compute").problems[0]
    assert "Its ports are for: storage" in problem.fix


def test_a_device_dropped_on_a_switch_of_another_role_gives_the_ports_it_has() -> None:
    design = built(PlaceDevice(type="t-storage"), PlaceDevice(type="t-qm9700", count=2))
    plan = propose_bundle(design, ("stg-01",), ("sw-01", "sw-02"))
    assert [(a.port, b.device) for a, b in plan.cables] == [("p1/1", "sw-01"), ("p2/1", "sw-02")]


def test_ports_that_no_cable_joins_are_named() -> None:
    """Twisted pair does not go into an OSFP cage."""
    design = built(PlaceDevice(type="t-server"), PlaceDevice(type="t-qm9700"))
    problem = propose_bundle(design, ("srv-0001",), ("sw-01",), role="out-of-band").problems[0]
    assert problem.what == "No cable joins the ports of srv-0001 and sw-01: RJ45 and OSFP"


# ---- short of ports


def test_short_of_ports_says_how_many_fit_and_refuses() -> None:
    """Two switches of 4 ports have 8; 2 servers of 8 rails want 16."""
    design = pod(2, 2, switch="t-small-switch")
    plan = proposed(design, "srv", "leaf")
    assert (plan.wanted, plan.fits) == (16, 8)
    assert plan.text == "8 rails × 2 servers, 8 of 16 fit, rail-aligned"
    assert "8 of 16 cables fit: no free port is left on leaf-01, leaf-02" in plan.problems[0].what
    bundle = ConnectBundle(sources=("srv-0001", "srv-0002"), targets=("leaf-01", "leaf-02"))
    with pytest.raises(ProblemError, match="8 of 16 cables fit"):
        edited(design, bundle)
    asked = edited(design, bundle.model_copy(update={"count": plan.fits}))
    assert len(asked.cables) == 8


def test_nothing_left_to_cable_is_said() -> None:
    bundle = ConnectBundle(sources=("srv-0001",), targets=("leaf-01", "leaf-02"))
    with pytest.raises(ProblemError, match="Every compute port of 1 server is in use"):
        edited(pod(1, 2), bundle, bundle)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_no_pattern_ever_uses_a_port_twice(pattern: Pattern) -> None:
    for servers, leaves in ((1, 1), (3, 2), (2, 5), (9, 8), (17, 16), (40, 4)):
        plan = proposed(pod(servers, leaves), "srv", "leaf", pattern, per_pair=0)
        ends = [end for cable in plan.cables for end in cable]
        assert len(ends) == len(set(ends))
        assert plan.fits <= plan.wanted
        assert plan.fits or plan.problems


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_order_of_a_selection_decides_nothing(pattern: Pattern) -> None:
    design = pod(12, 8)
    servers, leaves = list(names(design, "srv")), list(names(design, "leaf"))
    wanted = propose_bundle(design, servers, leaves, pattern)
    for seed in range(5):
        random.Random(seed).shuffle(servers)
        random.Random(seed + 9).shuffle(leaves)
        assert propose_bundle(design, servers, leaves, pattern) == wanted


def test_ids_are_in_the_order_people_count() -> None:
    """srv-9999 comes before srv-10000, and leaf-99 before leaf-100."""
    design = built(
        PlaceDevice(type="t-pcie-server", id="srv-10000"),
        PlaceDevice(type="t-pcie-server", id="srv-9999"),
        PlaceDevice(type="t-qm9700"),
    )
    plan = propose_bundle(design, ("srv-10000", "srv-9999"), ("sw-01",))
    assert [a.device for a, _ in plan.cables] == ["srv-9999", "srv-10000"]


# ---- refusals


def test_a_server_is_not_cabled_to_an_nvlink_switch_tray() -> None:
    design = edited(pod(1, 1), PlaceRackSystem(type="t-nvl72"))
    for b in ("nvsw-01", "nvsw-01:p1/1"):
        with pytest.raises(ProblemError, match="NVLink switches inside and no NVLink port outside"):
            edited(design, Connect(a="srv-0001:osfp1/1", b=b))
    with pytest.raises(ProblemError, match="no NVLink port outside"):
        edited(design, ConnectBundle(sources=("srv-0001",), targets=("nvsw-01", "nvsw-02")))
    with pytest.raises(ProblemError, match="through the backplane"):
        edited(design, Connect(a="tray-01", b="nvsw-01"))


def test_rails_of_switches_are_refused_with_another_pattern() -> None:
    plan = proposed(pod(1, 2, 2), "leaf", "spine", "rail-aligned")
    assert plan.problems[0].fix == "Choose all to all, or round robin."
    assert plan.fits == 0


def test_deleting_half_and_cabling_again_gives_the_same_cabling() -> None:
    design = pod(8, 8)
    bundle = ConnectBundle(sources=names(design, "srv"), targets=names(design, "leaf"))
    cabled = edited(design, bundle)
    some = tuple(c for n, c in enumerate(cabled.cables) if n % 2)
    again = edited(cabled, DeleteItems(refs=some), bundle)
    assert {(c.a.device, c.a.port, c.b.device) for c in again.cables.values()} == {
        (c.a.device, c.a.port, c.b.device) for c in cabled.cables.values()
    }
