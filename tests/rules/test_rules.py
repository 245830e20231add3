"""Each rule with a design that breaks it and one that stays clean."""

from collections.abc import Mapping
from typing import Any

import pytest

from rackbuilder.analysis.results import Boundary, Power, RackPower
from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import Connect, ConnectBundle, SetPlug
from rackbuilder.commands.devices import DeleteItems, MoveDevice, PlaceDevice, SetProperty
from rackbuilder.commands.fabrics import AddFabric
from rackbuilder.commands.groups import Group
from rackbuilder.commands.jobs import SetJob
from rackbuilder.commands.marks import AddFault
from rackbuilder.commands.racks import AddRack, PlaceRackSystem
from rackbuilder.design.design import Design
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import Cable, Device, End
from rackbuilder.rules import RULES
from rackbuilder.rules.finding import Finding, RuleEngine
from rackbuilder.topology.graphs import build_graphs
from rackbuilder.units import Figure
from tests.samples import built, edited

DONE = {"power": Power((), Figure(0.0), Figure(0.0), Figure(0.0)), "boundary": Boundary((), ())}
"""Results that give no reason for a finding."""


def found(design: Design, rule: str = "", results: Mapping[str, Any] = DONE) -> list[Finding]:
    every = RuleEngine(RULES).run(design, build_graphs(design), results)
    return [f for f in every if f.problem.rule.startswith(rule)]


def one(design: Design, rule: str, results: Mapping[str, Any] = DONE) -> Finding:
    rows = found(design, rule, results)
    assert len(rows) == 1, [f.problem.text() for f in rows]
    return rows[0]


def mended(design: Design, item: Finding) -> Design:
    assert item.fix is not None
    return edited(design, item.fix)


def pod(servers: int = 2, leaves: int = 2) -> Design:
    """Servers with all rails on the leaves."""
    return built(
        PlaceDevice(type="t-server", count=servers),
        PlaceDevice(type="t-qm9700", count=leaves, role="leaf"),
        ConnectBundle(
            sources=tuple(f"srv-{n:04d}" for n in range(1, servers + 1)),
            targets=tuple(f"leaf-{n:02d}" for n in range(1, leaves + 1)),
            part="t-fibre",
        ),
    )


def joined(*more: Command) -> Design:
    """Two leaves under one spine: everybody reaches everybody."""
    spine = (
        PlaceDevice(type="t-qm9700", role="spine"),
        ConnectBundle(sources=("leaf-01", "leaf-02"), targets=("spine-01",), part="t-fibre"),
    )
    return edited(pod(), *spine, *more)


def test_a_sound_pod_has_no_findings() -> None:
    assert [f.problem.text() for f in found(joined())] == []


def test_an_empty_design_and_a_single_server_have_none() -> None:
    assert found(built()) == []
    assert found(built(PlaceDevice(type="t-server"))) == []


# ---- space


def test_two_devices_in_one_place_of_a_file() -> None:
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-one-u", rack="rack-01", u=3))
    twin = Device(id="dev-09", type="t-one-u", rack="rack-01", u=3)
    bad = design.apply(Patch("file", (Change("devices", twin.id, None, twin),)))
    assert set(one(bad, "space").problem.refs) == {"dev-01", "dev-09"}
    assert not one(bad, "space").waivable
    assert found(edited(bad, MoveDevice(devices=("dev-09",), u=4)), "space") == []


def test_a_port_that_no_longer_exists_keeps_its_cable_and_is_listed() -> None:
    ghost = Cable(id="cbl-0099", a=End("srv-0001", "gone1/1"), b=End("leaf-01", "osfp32/1"))
    design = joined()
    bad = design.apply(Patch("file", (Change("cables", ghost.id, None, ghost),)))
    assert "has no port gone1/1" in one(bad, "cabling.port").problem.what
    assert found(design, "cabling.port") == []


# ---- power


def rack_power(value_w: float | None, limit_w: float | None, **figure: Any) -> dict[str, Any]:
    draw, none = Figure(value_w, **figure), Figure(0.0)
    row = RackPower("rack-01", draw, none, none, none, limit_w, {}, False)
    return {**DONE, "power": Power((row,), draw, none, none)}


def test_a_rack_above_its_limit() -> None:
    """Five DGX H100 of 10.2 kW draw 51.0 kW; four draw 40.8 kW."""
    design = built(AddRack(type="t-rack-42", name="A01"))
    over = one(design, "power", rack_power(51_000, 44_000))
    assert over.problem.what == "A01 draws 51.0 kW; its limit is 44.0 kW"
    assert over.problem.severity == "error"
    assert over.problem.refs == ("rack-01",)
    assert found(design, "power", rack_power(40_800, 44_000)) == []
    assert found(design, "power", rack_power(44_000, 44_000)) == []


def test_an_unknown_limit_or_draw_is_no_error() -> None:
    design = built(AddRack(type="t-rack-42"))
    assert found(design, "power", rack_power(500_000, None)) == []
    assert found(design, "power", rack_power(None, 44_000)) == []


def test_a_lower_bound_above_the_limit_says_so() -> None:
    text = one(
        built(AddRack(type="t-rack-42")), "power", rack_power(51_000, 44_000, at_least=True, grade="U")
    )
    assert "draws at least 51.0 kW by assumed figures" in text.problem.what


def test_rules_wait_for_the_results_they_need() -> None:
    design = built(AddRack(type="t-rack-42"), PlaceDevice(type="t-qm9700"))
    assert [f.problem.rule for f in found(design, results={})] == ["fabric.dangling"]


# ---- fabric


def test_servers_without_a_fabric() -> None:
    """Two servers of 8 GPUs: 16 x 15 / 2 = 120 pairs, 2 x 28 of them inside a server, so 64 cannot meet."""
    design = built(PlaceDevice(type="t-server", count=2))
    finding = one(design, "fabric.missing")
    assert finding.problem.what.startswith("No fabric joins 2 servers: 64 of the 120 pairs of GPUs")
    assert finding.problem.severity == "warning"
    assert finding.problem.refs == ("srv-0001", "srv-0002")
    assert one(edited(design, SetJob(workload="gpt")), "fabric.missing").problem.severity == "error"
    assert found(joined(), "fabric.missing") == []


def test_one_nvlink_domain_needs_no_fabric() -> None:
    system = built(PlaceRackSystem(type="t-nvl72"))
    assert found(system, "fabric") == []
    two = edited(system, PlaceRackSystem(type="t-nvl72"))
    # 2 x 72 GPUs: 72 x 72 = 5,184 pairs between the racks.
    assert "5,184 of the 10,296 pairs" in one(two, "fabric.missing").problem.what
    cut = edited(system, DeleteItems(refs=tuple(f"nvsw-{n:02d}" for n in range(1, 10))))
    assert one(cut, "fabric.missing").problem.refs == tuple(f"tray-{n:02d}" for n in range(1, 19))


def test_a_server_left_out() -> None:
    design = edited(joined(), PlaceDevice(type="t-server", name="lonely"))
    finding = one(design, "fabric.no-link")
    assert finding.problem.what == "lonely has no link to a compute fabric"
    assert finding.problem.refs == ("srv-0003",)
    assert found(joined(), "fabric.no-link") == []


def two_fabrics(*more: Command) -> Design:
    """Eight servers in fabric A, eight in fabric B, and no link between."""
    a, b = (tuple(f"srv-{n:04d}" for n in row) for row in (range(1, 9), range(9, 17)))
    return built(
        PlaceDevice(type="t-pcie-server", count=16),
        PlaceDevice(type="t-qm9700", role="leaf"),
        AddFabric(technology="t-ndr", id="fabric-b"),
        PlaceDevice(type="t-qm9700", role="leaf", fabric="fabric-b"),
        ConnectBundle(sources=a, targets=("leaf-01",), part="t-fibre"),
        ConnectBundle(sources=b, targets=("leaf-02",), part="t-fibre"),
        *more,
    )


def test_two_fabrics_are_two_islands_and_the_unknown_server_is_apart() -> None:
    design = two_fabrics(PlaceDevice(type="t-pcie-server", name="unknown"))
    finding = one(design, "fabric.islands")
    assert "2 islands that do not reach each other: 8 with srv-0001, 8 with srv-0009" in finding.problem.what
    assert "srv-0017" not in finding.problem.refs
    assert one(design, "fabric.no-link").problem.refs == ("srv-0017",)
    assert found(joined(), "fabric.islands") == []


def test_leaves_without_a_spine_are_one_island_when_every_server_is_on_both() -> None:
    """Rail-only: each rail is an island of ports, and yet every server reaches every other."""
    assert found(pod(), "fabric.islands") == []


def test_a_failed_spine_makes_islands() -> None:
    design = two_fabrics(SetProperty(refs=("leaf-02",), field="fabric", value="compute"))
    bridged = edited(design, Connect(a="leaf-01", b="leaf-02", part="t-fibre"))
    assert found(bridged, "fabric.islands") == []
    assert one(edited(bridged, AddFault(ref="leaf-01~leaf-02")), "fabric.islands")


def test_switches_that_hang_on_nothing() -> None:
    design = edited(joined(), PlaceDevice(type="t-qm9700", count=2, role="spine"))
    finding = one(design, "fabric.dangling")
    assert finding.problem.what == "2 switches (spine-02, spine-03) of the fabric compute are not cabled"
    assert found(joined(), "fabric.dangling") == []


def test_a_switch_of_no_fabric() -> None:
    design = edited(joined(), DeleteItems(refs=("compute",)))
    assert one(design, "fabric.none").problem.refs == ("leaf-01", "leaf-02", "spine-01")
    assert found(joined(), "fabric.none") == []


# ---- all links on one leaf


def storage(*more: Command) -> Design:
    """A storage server with both ports on leaf A; another with one on each."""
    return built(
        PlaceDevice(type="t-storage", count=2),
        PlaceDevice(type="t-qm9700", count=2, role="leaf"),
        Connect(a="stg-01:p1/1", b="leaf-01:osfp1/1", part="t-fibre"),
        Connect(a="stg-01:p2/1", b="leaf-01:osfp1/2", part="t-fibre"),
        Connect(a="stg-02:p1/1", b="leaf-01:osfp2/1", part="t-fibre"),
        Connect(a="stg-02:p2/1", b="leaf-02:osfp1/1", part="t-fibre"),
        SetProperty(ref="compute", field="roles", value=["storage"]),
        *more,
    )


def test_both_links_of_a_server_on_one_leaf() -> None:
    design = storage()
    finding = one(design, "fabric.one-leaf")
    assert finding.problem.refs == ("stg-01", "leaf-01")
    assert "All 2 links of stg-01 in the fabric compute end on leaf-01" in finding.problem.what
    assert finding.problem.severity == "warning"
    after = mended(design, finding)
    assert {c.b.device for c in after.cables_of("stg-01")} == {"leaf-01", "leaf-02"}
    assert found(after, "fabric.one-leaf") == []


def test_a_single_link_is_never_flagged() -> None:
    single = storage(DeleteItems(refs=("cbl-0001",)))
    assert found(single, "fabric.one-leaf") == []


def test_without_a_free_port_elsewhere_nothing_can_be_done() -> None:
    """A small switch of four ports, all in use, is the only other leaf."""
    design = built(
        PlaceDevice(type="t-storage", count=3),
        PlaceDevice(type="t-qm9700", role="leaf"),
        PlaceDevice(type="t-small-switch", role="leaf"),
        Connect(a="stg-01:p1/1", b="leaf-01", part="t-fibre"),
        Connect(a="stg-01:p2/1", b="leaf-01", part="t-fibre"),
        ConnectBundle(
            sources=("stg-02", "stg-03"),
            targets=("leaf-02",),
            role="storage",
            pattern="round-robin",
            part="t-fibre",
        ),
    )
    refs = [f.problem.refs for f in found(design, "fabric.one-leaf")]
    assert ("stg-01", "leaf-01") not in refs
    assert refs == [("stg-02", "leaf-02"), ("stg-03", "leaf-02")]  # leaf-01 has ports left for these


def test_one_leaf_alone_is_a_choice() -> None:
    assert found(pod(servers=2, leaves=1), "fabric.one-leaf") == []


# ---- cabling


def test_a_link_runs_at_the_slower_end() -> None:
    design = built(
        PlaceDevice(type="t-server", count=2),
        PlaceDevice(type="t-slow-switch"),
        ConnectBundle(sources=("srv-0001", "srv-0002"), targets=("sw-01",), part="t-fibre"),
    )
    finding = one(design, "cabling.rate")
    assert finding.problem.what == (
        "16 links run at 200 Gb/s per direction: osfp of DGX H100 could carry 400 Gb/s, osfp of QM8700 carries 200 Gb/s"
    )
    assert len(finding.problem.refs) == 16
    assert found(joined(), "cabling.rate") == []


def test_infiniband_and_ethernet_do_not_talk() -> None:
    design = built(
        PlaceDevice(type="t-qm9700"),
        PlaceDevice(type="t-roce-switch"),
        Connect(a="sw-01", b="sw-02", part="t-fibre"),
    )
    finding = one(design, "cabling.protocol")
    assert "cbl-0001 joins InfiniBand and Ethernet" in finding.problem.what
    assert finding.problem.severity == "error"
    # A NIC that speaks both is fine on either.
    server = built(
        PlaceDevice(type="t-server"),
        PlaceDevice(type="t-roce-switch"),
        Connect(a="srv-0001", b="sw-01", part="t-fibre"),
    )
    assert found(server, "cabling.protocol") == []


def test_switches_of_two_fabrics_joined() -> None:
    design = two_fabrics(Connect(a="leaf-01", b="leaf-02", part="t-fibre"))
    finding = one(design, "cabling.two-fabrics")
    assert "joins the fabrics compute and fabric-b" in finding.problem.what
    pinned = two_fabrics(Connect(a="leaf-01", b="leaf-02", part="t-fibre", fabric="compute"))
    assert found(pinned, "cabling.two-fabrics") == []


def test_a_loose_plug_on_a_direct_attach_cable() -> None:
    dac = built(
        PlaceDevice(type="t-qm9700", count=2),
        Connect(a="sw-01:osfp1/1", b="sw-02:osfp1/1", part="t-dac"),
        SetPlug(cage="sw-01:osfp1", part="t-optic"),
    )
    finding = one(dac, "cabling.plug-on-cable")
    assert finding.problem.refs == ("sw-01:osfp1", "cbl-0001")
    assert finding.problem.severity == "error"
    assert found(mended(dac, finding), "cabling.plug-on-cable") == []
    fibre = built(
        PlaceDevice(type="t-qm9700", count=2),
        Connect(a="sw-01:osfp1/1", b="sw-02:osfp1/1", part="t-fibre"),
        SetPlug(cage="sw-01:osfp1", part="t-optic"),
        SetPlug(cage="sw-02:osfp1", part="t-optic"),
    )
    assert found(fibre, "cabling.plug-on-cable") == []


# ---- software


def server(**config: str) -> Design:
    settings = [
        SetProperty(ref="srv-0001", field=f"config.{key}", value=value) for key, value in config.items()
    ]
    return built(PlaceDevice(type="t-server"), *settings)


def test_a_driver_without_a_fabric_manager() -> None:
    design = server(driver="550")
    finding = one(design, "software")
    assert finding.problem.rule == "software.fabric-manager"
    assert "error 802, “system not yet initialized”" in finding.problem.what
    assert found(mended(design, finding), "software") == []


def test_a_fabric_manager_of_another_version() -> None:
    design = server(driver="550", fabric_manager="535")
    finding = one(design, "software")
    assert finding.problem.rule == "software.fabric-manager-version"
    assert "driver 550 and fabric manager 535" in finding.problem.what
    assert "802" in finding.problem.what
    assert mended(design, finding).devices["srv-0001"].config["fabric_manager"] == "550"


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"fabric_manager": "550"},
        {"driver": "550", "fabric_manager": "550"},
        {"driver": "550.90.07", "fabric_manager": "550.90.07"},
        {"driver": "550.90.07", "fabric_manager": "550"},
    ],
)
def test_versions_that_agree_or_were_not_given(config: dict[str, str]) -> None:
    assert found(server(**config), "software") == []


def test_a_patch_version_that_differs_is_another_version() -> None:
    assert one(server(driver="550.90.07", fabric_manager="550.54.15"), "software")


def test_a_server_without_nvswitch_chips_needs_none() -> None:
    design = built(
        PlaceDevice(type="t-pcie-server"), SetProperty(ref="srv-0001", field="config.driver", value="550")
    )
    assert found(design, "software") == []


def test_a_setting_of_the_group_counts_for_its_servers() -> None:
    design = edited(
        built(PlaceDevice(type="t-server", count=2)),
        Group(refs=("srv-0001", "srv-0002"), name="pool"),
        SetProperty(ref="grp-01", field="config.driver", value="550"),
        SetProperty(ref="srv-0002", field="config.fabric_manager", value="550"),
    )
    assert one(design, "software").problem.refs == ("srv-0001",)


# ---- interconnects


def test_interconnects_that_are_not_specified() -> None:
    missing = Boundary((), ("scale_up_bytes_s of t-h100", "rate_bps of osfp of t-server"))
    finding = one(built(), "fabric.incomplete", {**DONE, "boundary": missing})
    assert (
        "what rests on them is unknown: scale_up_bytes_s of t-h100, rate_bps of osfp" in finding.problem.what
    )
    assert finding.problem.severity == "note"
