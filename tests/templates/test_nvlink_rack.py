"""Rack-scale NVLink systems: 72 GPUs in one domain, joined by seats."""

from collections import Counter

import pytest

from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.results import Power
from rackbuilder.catalog.load import shipped
from rackbuilder.commands.devices import DeleteItems
from rackbuilder.design.design import Design
from rackbuilder.errors import InputError, ProblemError
from rackbuilder.templates.nvlink_rack import NvlinkRack
from rackbuilder.topology.graphs import build_graphs
from tests.templates.published import counted, findings, made, unfit


def test_one_gb200_rack_as_published() -> None:
    """18 compute trays of 4 GPUs, 9 switch trays; 18 links of each GPU: 72 x 18 = 1,296 (GB200 user guide)."""
    found = counted(NvlinkRack(system="gb200-nvl72"))
    counts = found.compiled.counts
    assert (counts.servers, counts.gpus, counts.racks) == (18, 72, 1)
    assert counts.nvlink_domains == {72: 1}
    assert counts.nvlink_links == 1296
    kinds = Counter(found.design.type_of(d).category for d in found.design.devices.values())
    assert (kinds["compute-tray"], kinds["nvlink-switch-tray"]) == (18, 9)
    assert not found.design.cables  # seats join, and no cable is drawn for it
    assert unfit(found.design) == []
    assert findings(found.design, "error") == []


def test_power_and_heat_of_the_whole_rack() -> None:
    """132 kW, 115 of them to liquid and 17 to air: the total of the rack stands for its trays."""
    from rackbuilder.analysis import ANALYSES
    from rackbuilder.analysis.results import Cooling

    design = made(NvlinkRack(system="gb200-nvl72"))
    results = Engine(ANALYSES).run(design, build_graphs(design))
    power, cooling = results["power"], results["cooling"]
    assert isinstance(power, Power)
    assert isinstance(cooling, Cooling)
    assert power.max_w.value == 132_000
    assert (cooling.liquid_w.value, cooling.air_w.value) == (115_000, 17_000)


def test_each_rack_is_a_domain_of_its_own() -> None:
    counts = counted(NvlinkRack(racks=3)).compiled.counts
    assert counts.nvlink_domains == {72: 3}
    assert counts.nvlink_links == 3 * 1296


def test_without_its_switch_trays_the_rack_falls_into_its_trays() -> None:
    """What is left joins four GPUs inside a tray only."""
    design = made(NvlinkRack())
    trays = [d.id for d in design.devices.values() if design.type_of(d).category == "nvlink-switch-tray"]
    bare = design.apply(DeleteItems(refs=tuple(trays)).plan(design, shipped()))
    sizes = Counter(domain.size for domain in build_graphs(bare).domains)
    assert 72 not in sizes
    assert sum(size * count for size, count in sizes.items()) == 72


@pytest.mark.parametrize("system", ["gb200-nvl72", "gb300-nvl72", "vera-rubin-nvl72"])
def test_every_system_fits_its_own_rack(system: str) -> None:
    found = counted(NvlinkRack(system=system, racks=2))
    assert found.compiled.counts.gpus == 144
    assert found.compiled.counts.nvlink_domains == {72: 2}
    assert unfit(found.design) == []
    assert findings(found.design, "error") == []


@pytest.mark.parametrize("racks", [1, 9, 128])
def test_racks_stand_apart_under_names_of_their_own(racks: int) -> None:
    design = made(NvlinkRack(racks=racks))
    assert len({(rack.x_m, rack.y_m) for rack in design.racks.values()}) == racks
    assert len({rack.name for rack in design.racks.values()}) == racks


def test_more_racks_later_stand_behind_the_first() -> None:
    first = made(NvlinkRack(racks=2))
    both = made(NvlinkRack(racks=2), on=first)
    assert len({(rack.x_m, rack.y_m) for rack in both.racks.values()}) == 4
    assert unfit(both) == []
    for table, rows in first.tables.items():
        assert {identity: both.tables[table][identity] for identity in rows} == dict(rows), table


def test_unknown_systems_are_refused_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="Did you mean “gb200-nvl72”"):
        NvlinkRack(system="gb200-nvl7").plan(Design(), shipped())
    with pytest.raises(ProblemError, match="no rack-scale system") as caught:
        NvlinkRack(system="42u-600x1200").plan(Design(), shipped())
    assert "gb200-nvl72" in caught.value.problems[0].fix
