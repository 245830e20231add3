"""One cable at a time: connect, disconnect, another end, optics."""

import pytest

from rackbuilder.commands.cabling import Connect, ConnectBundle, Disconnect, Reconnect, SetPlug
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.racks import PlaceRackSystem
from rackbuilder.design.design import Design
from rackbuilder.design.records import End
from rackbuilder.errors import ProblemError
from tests.samples import CATALOG, built, edited, plan


def pair() -> Design:
    return built(PlaceDevice(type="t-server"), PlaceDevice(type="t-qm9700", count=2, role="leaf"))


def test_a_cable_joins_two_named_ports() -> None:
    patch, design = plan(pair(), Connect(a="srv-0001:osfp2/1", b="leaf-02:osfp9/2", length_m=3))
    cable = design.cables["cbl-0001"]
    assert (cable.a, cable.b, cable.length_m) == (End("srv-0001", "osfp2/1"), End("leaf-02", "osfp9/2"), 3.0)
    assert patch.label == "Cable srv-0001 osfp2/1 to leaf-02 osfp9/2"


def test_a_device_alone_stands_for_its_first_port_that_suits() -> None:
    design = edited(pair(), Connect(a="srv-0001", b="leaf-01"), Connect(a="srv-0001", b="leaf-01"))
    assert [(c.a.port, c.b.port) for c in design.cables.values()] == [
        ("osfp1/1", "osfp1/1"),
        ("osfp1/2", "osfp1/2"),
    ]
    mixed = edited(design, Connect(a="leaf-01:osfp20/1", b="srv-0001"))
    assert mixed.cables["cbl-0003"].b == End("srv-0001", "osfp2/1")


def test_a_pinned_part_comes_into_the_design() -> None:
    design = edited(pair(), Connect(a="leaf-01", b="leaf-02", part="t-dac"))
    assert "t-dac" in design.parts
    with pytest.raises(ProblemError, match="is not a cable"):
        edited(pair(), Connect(a="leaf-01", b="leaf-02", part="t-optic"))


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        ("srv-0001:osfp1/9", "leaf-01", "has no port “osfp1/9”[\\s\\S]*Did you mean"),
        ("srv-0009:osfp1/1", "leaf-01", "no device “srv-0009”"),
        ("leaf-01:osfp1/1", "leaf-01:osfp1/1", "needs two ports"),
    ],
)
def test_ends_that_cannot_be_are_refused(a: str, b: str, says: str) -> None:
    with pytest.raises(ProblemError, match=says):
        edited(pair(), Connect(a=a, b=b))


def test_a_port_in_use_is_refused_and_names_the_cable() -> None:
    design = edited(pair(), Connect(a="srv-0001:osfp1/1", b="leaf-01:osfp1/1"))
    with pytest.raises(ProblemError, match="holds cbl-0001 already") as caught:
        edited(design, Connect(a="srv-0001:osfp1/2", b="leaf-01:osfp1/1"))
    assert caught.value.problems[0].refs == ("cbl-0001", "leaf-01:osfp1/1")


def test_rates_that_differ_are_no_refusal() -> None:
    """Of all that can be joined physically, only a finding says that it is unwise."""
    design = built(PlaceDevice(type="t-server"), PlaceDevice(type="t-slow-switch"))
    assert len(edited(design, Connect(a="srv-0001", b="sw-01")).cables) == 1


@pytest.mark.parametrize(
    ("ref", "left"),
    [
        ("cbl-0001", 15),
        ("srv-0001:osfp1/1", 15),
        ("srv-0001:osfp1", 14),
        ("srv-0001", 8),
        ("srv-0001~leaf-01", 12),
        ("leaf-01~srv-0001", 12),
    ],
)
def test_cables_are_taken_away_by_any_name(ref: str, left: int) -> None:
    """Two servers with four links to each of two leaves: 16."""
    design = built(
        PlaceDevice(type="t-server", count=2),
        PlaceDevice(type="t-qm9700", count=2, role="leaf"),
        ConnectBundle(sources=("srv-0001", "srv-0002"), targets=("leaf-01", "leaf-02")),
    )
    assert len(edited(design, Disconnect(refs=(ref,))).cables) == left


def test_a_backplane_link_cannot_be_disconnected() -> None:
    design = built(PlaceRackSystem(type="t-nvl72"))
    with pytest.raises(
        ProblemError, match=r"No cable joins tray-01 and nvsw-01[\s\S]*backplane link follows"
    ):
        edited(design, Disconnect(refs=("tray-01~nvsw-01",)))


def test_one_end_moves_and_the_rest_of_the_cable_stays() -> None:
    design = edited(pair(), Connect(a="srv-0001:osfp1/1", b="leaf-01:osfp1/1", length_m=5))
    moved = edited(design, Reconnect(cable="cbl-0001", b="leaf-02:osfp3/1")).cables["cbl-0001"]
    assert (moved.a, moved.b, moved.length_m) == (End("srv-0001", "osfp1/1"), End("leaf-02", "osfp3/1"), 5.0)
    full = edited(design, Connect(a="srv-0001:osfp1/2", b="leaf-02:osfp3/1"))
    with pytest.raises(ProblemError, match="holds cbl-0002"):
        edited(full, Reconnect(cable="cbl-0001", b="leaf-02:osfp3/1"))
    assert Reconnect(cable="cbl-0001", b="leaf-01:osfp1/1").plan(design, CATALOG).empty


def test_an_optic_is_pinned_to_a_cage_and_taken_out() -> None:
    design = edited(pair(), SetPlug(cage="leaf-01:osfp9", part="t-optic"))
    assert design.tables["plugs"]["leaf-01:osfp9"].part == "t-optic"
    assert not edited(design, SetPlug(cage="leaf-01:osfp9")).tables["plugs"]
    with pytest.raises(ProblemError, match="no cage “osfp99”"):
        edited(design, SetPlug(cage="leaf-01:osfp99", part="t-optic"))
