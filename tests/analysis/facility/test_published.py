"""Whole templates on the shipped catalog, against what their makers publish."""

from collections import Counter

import pytest

from rackbuilder.analysis.report import Report
from rackbuilder.catalog.load import shipped
from rackbuilder.design.design import Design
from rackbuilder.templates.base import Template
from rackbuilder.templates.nvlink_rack import NvlinkRack
from rackbuilder.templates.superpod import Superpod
from tests.analysis.facility.samples import report_of


def made(template: Template) -> Report:
    design = Design()
    return report_of(design.apply(template.plan(design, shipped())))


@pytest.fixture(scope="module")
def superpod() -> Report:
    return made(Superpod(units=4, server="dgx-h100"))


def test_the_optics_of_the_published_superpod_bill(superpod: Report) -> None:
    """RA-11333-001 V11, tables 7 and 8, the 4-SU build of 127 servers: 1,536 twin-port optics in switches, 508 in
    servers, 4 in fabric managers; 2,040 NDR cables, and those of the managers apart.
    """
    assert superpod.bom is not None
    lines: Counter[str] = Counter()
    for line in superpod.bom.lines:  # a fibre has a line a length
        lines[line.part] += line.quantity
    assert (lines["mma4z00-ns"], lines["mma4z00-ns-flt"], lines["mma4z00-ns400"]) == (1536, 508, 4)
    assert lines["mfp7e10-nxxx"] == 2040 + 4 == superpod.bom.cable_count
    assert (lines["dgx-h100"], lines["qm9700"], lines["ufm-enterprise-ndr"]) == (127, 48, 4)
    assert not superpod.bom.at_least


def test_the_power_of_the_superpod(superpod: Report) -> None:
    """127 x 10.2 kW, 48 x 1.72 kW with optics in them, 4 x 689 W; four servers a rack are 40.8 kW."""
    power, cooling = superpod.power, superpod.cooling
    assert power is not None
    assert cooling is not None
    assert power.max_w.value == 127 * 10_200 + 48 * 1_720 + 4 * 689
    assert power.max_w.exact
    assert max(row.max_w.value or 0 for row in power.racks) == 40_800
    # 17 W a twin-port optic in 2,044 cages, 9 W a single-port one in the managers.
    assert power.optics_w.value == 2044 * 17 + 4 * 9
    assert cooling.air_w.value == power.max_w.value
    assert cooling.liquid_w.value == 0


@pytest.mark.parametrize(
    ("system", "max_w", "liquid_w"),
    [
        ("gb200-nvl72", 132_000, 115_000),  # HPE and QCT print 115 kW to liquid and 17 kW to air
        (
            "gb300-nvl72",
            142_000,
            0.9 * 142_000,
        ),  # maximum of the reference architecture; Lenovo prints 90 % to liquid
    ],
)
def test_rack_scale_systems(system: str, max_w: float, liquid_w: float) -> None:
    report = made(NvlinkRack(system=system))
    assert report.power is not None
    assert report.cooling is not None
    assert (report.power.max_w.value, report.power.max_w.exact) == (max_w, True)
    assert report.cooling.liquid_w.value == pytest.approx(liquid_w)
    assert report.cooling.air_w.value == pytest.approx(max_w - liquid_w)
    assert report.cooling.liquid_w.exact


def test_a_system_of_unpublished_power_is_unknown() -> None:
    """Vera Rubin NVL72: no power, weight or liquid share is published."""
    report = made(NvlinkRack(system="vera-rubin-nvl72"))
    assert report.power is not None
    assert report.cooling is not None
    assert report.power.max_w.value is None
    assert "power_max_w of vera-rubin-compute-tray" in report.power.max_w.missing
    assert report.cooling.weight_kg.value is None
    assert report.bom is not None
    assert any("announced" in point for point in report.bom.open_points)
