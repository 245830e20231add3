"""Heat, air, coolant and weight, against published pairs of figures."""

import pytest

from rackbuilder.analysis.facility.cooling import (
    air_m3_s,
    air_rise_k,
    liquid_l_min,
    liquid_rise_k,
)
from rackbuilder.analysis.results import Cooling, RackCooling
from tests.analysis.facility.samples import CFM_M3_S, Room


def cooling_of(room: Room) -> Cooling:
    found = room.report().cooling
    assert found is not None
    return found


def rack_of(room: Room) -> RackCooling:
    return cooling_of(room).racks[0]


# ---- formulas


@pytest.mark.parametrize(
    ("watts", "cfm", "rise_k"),
    [  # published maximum power and airflow of each server imply the rise of its exhaust air (user guides)
        (6_500, 840, 13.6),  # DGX A100
        (10_200, 1105, 16.2),  # DGX H100
        (14_300, 1550, 16.2),  # DGX B200
        (15_100, 1500, 17.7),  # DGX B300
    ],
)
def test_published_air_flows(watts: float, cfm: float, rise_k: float) -> None:
    flow = cfm * CFM_M3_S
    assert air_rise_k(watts, flow) == pytest.approx(rise_k, abs=0.05)
    assert air_m3_s(watts, rise_k) == pytest.approx(flow, rel=0.005)


@pytest.mark.parametrize(
    ("kw", "rise_k", "fluid", "l_min"),
    [
        (121.5, 9.9, "water", 177),  # GB300 rack at 45 °C supply, Lenovo LP2357 table 27
        (115, 10, "water", 165.5),  # NVL72 rack, by hand: 60 x 115 / (0.998 x 4.18 x 10)
        (115, 10, "pg25", 173.5),  # inside the published 170 to 195 l/min
        (120, 20, "water", 86),  # a 120 kW loop of 25 °C in and 45 °C out
        (120, 10, "water", 172.6),
    ],
)
def test_published_coolant_flows(kw: float, rise_k: float, fluid: str, l_min: float) -> None:
    assert liquid_l_min(kw * 1000, rise_k, fluid) == pytest.approx(l_min, rel=0.004)


def test_too_little_coolant_comes_back_hot() -> None:
    """120 kW on 60 l/min of water: 28.8 K, so 25 °C comes back with almost 54."""
    assert liquid_rise_k(120_000, 60) == pytest.approx(28.75, abs=0.1)


# ---- racks


def test_an_air_cooled_rack_takes_the_published_air_flow() -> None:
    room = Room()
    room.rack("rack-01")
    for n in range(4):
        room.device(f"srv-{n + 1:04d}", "dgx-h100", rack="rack-01", u=1 + 8 * n)
    row = rack_of(room)
    assert (row.air_w.value, row.liquid_w.value, row.liquid_l_min.value) == (40_800, 0, 0)
    assert row.air_m3_s.value == pytest.approx(4 * 0.5215, rel=1e-3)  # 1,105 CFM = 0.5215 m³/s
    assert row.air_m3_s.mark == "known"
    assert cooling_of(room).assumptions == ()
    # 185.5 kg of cabinet and four servers of 130.45 kg.
    assert row.weight_kg.value == pytest.approx(707.3)


def test_an_assumed_rise_is_named_and_can_be_set() -> None:
    """1,720 W at 16.2 K: 1,720 / (1.2 x 1005 x 16.2) = 0.0880 m³/s; at 10 K 0.1426."""
    room = Room()
    room.switch("leaf-01")
    cooling = cooling_of(room)
    assert cooling.air_m3_s.value == pytest.approx(0.0880, rel=1e-3)
    assert cooling.air_m3_s.mark == "assumed"
    assert [note.name for note in cooling.assumptions] == ["air_rise_k"]
    room.policy("air_rise_k", 10)
    assert cooling_of(room).air_m3_s.value == pytest.approx(0.1426, rel=1e-3)


def test_an_nvl72_rack_gives_115_kw_to_liquid_and_17_to_air() -> None:
    room = Room()
    room.nvl72()
    row = rack_of(room)
    assert (row.liquid_w.value, row.air_w.value, row.weight_kg.value) == (115_000, 17_000, 1360)
    assert row.liquid_l_min.value == pytest.approx(165.5, rel=0.001)
    names = [note.name for note in cooling_of(room).assumptions]
    assert names == ["air_rise_k", "coolant", "coolant_rise_k"]
    room.policy("coolant", "pg25")
    assert rack_of(room).liquid_l_min.value == pytest.approx(173.5, rel=0.001)
    room.policy("coolant_rise_k", 20)
    assert rack_of(room).liquid_l_min.value == pytest.approx(173.5 / 2, rel=0.001)


def test_an_incomplete_rack_shares_its_heat_as_a_complete_one() -> None:
    """11 of 18 trays: 87.9 kW, of it 115/132 to liquid = 76.58 kW. No weight of a tray is published."""
    room = Room()
    room.nvl72(trays=11)
    row = rack_of(room)
    assert row.liquid_w.value == pytest.approx(76_580, rel=1e-4)
    assert row.air_w.value == pytest.approx(11_320, rel=1e-4)
    assert row.weight_kg.value is None
    assert row.weight_kg.missing == ("weight_kg of tray",)


def test_a_liquid_cooled_server_of_unknown_share_is_unknown() -> None:
    room = Room()
    room.device("srv-0001", "hca-server")
    room.set("part/hca-server/power_max_w", 5_000)
    cooling = cooling_of(room)
    assert (cooling.air_w.value, cooling.liquid_w.value) == (None, None)
    assert cooling.liquid_w.missing == ("liquid_heat_fraction of hca-server",)


def test_heat_of_air_cooled_gear_is_unknown_where_its_power_is_but_nothing_goes_to_liquid() -> None:
    room = Room()
    room.device("srv-0001", "hca-server")
    room.set("part/hca-server/liquid_heat_fraction", 0)
    cooling = cooling_of(room)
    assert (cooling.air_w.value, cooling.liquid_w.value, cooling.liquid_w.exact) == (None, 0, True)


def test_a_rack_whose_power_the_user_set_keeps_its_shares() -> None:
    room = Room()
    room.nvl72()
    room.set("ref/rack-01/power_max_w", 66_000)
    row = rack_of(room)
    assert (row.liquid_w.value, row.air_w.value) == (pytest.approx(57_500), pytest.approx(8_500))


def test_weight_without_the_cabinet_is_a_lower_bound() -> None:
    """160 kg of cabinet and 1,100 kg of devices are 1,260 kg; without the cabinet's own it is at least 1,100."""
    room = Room()
    room.rack("rack-01", "plain")
    for n in range(11):
        room.switch(f"sw-{n:02d}", rack="rack-01", u=1 + n)
    room.set("part/qm9700/weight_kg", 100)
    row = rack_of(room)
    assert (row.weight_kg.value, row.weight_kg.at_least) == (1100, True)
    room.set("part/plain/empty_weight_kg", 160)
    weight = rack_of(room).weight_kg
    assert (weight.value, weight.exact, weight.grade) == (1260, True, "user")
