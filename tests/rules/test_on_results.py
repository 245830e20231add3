"""Rules on the results of the real analyses, with shipped parts."""

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.commands.base import Command
from rackbuilder.commands.devices import PlaceDevice, SetProperty
from rackbuilder.commands.jobs import SetJob
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design
from rackbuilder.rules.finding import Finding
from rackbuilder.session.analyst import Analyst
from rackbuilder.templates.superpod import Superpod
from rackbuilder.topology.graphs import build_graphs
from tests.samples import edited

PRESET = "gpt-3-175b"


def found(design: Design, rule: str = "") -> list[Finding]:
    outcome = Analyst(shipped_workloads()).run(design, build_graphs(design), 0)
    return [f for f in outcome.findings if f.problem.rule.startswith(rule)]


def made(*commands: Command) -> Design:
    return edited(Design(), *commands, catalog=shipped())


@pytest.fixture(scope="module")
def pod() -> Design:
    """One unit of 32 DGX H100, one position given to the fabric manager."""
    return made(Superpod(units=1))


def test_a_reference_design_has_no_findings(pod: Design) -> None:
    assert [f.problem.text() for f in found(pod)] == []


def test_five_servers_in_a_rack_of_44_kw() -> None:
    """5 x 10.2 kW = 51.0 kW (DGX H100 user guide: 10.2 kW each); four draw 40.8 kW."""
    rack = AddRack(type="52u-700x1200", name="A01", power_limit_w=44_000)
    over = found(made(rack, PlaceDevice(type="dgx-h100", rack="A01", count=5)), "power")
    assert [f.problem.what for f in over] == ["A01 draws 51.0 kW; its limit is 44.0 kW"]
    assert found(made(rack, PlaceDevice(type="dgx-h100", rack="A01", count=4)), "power") == []


def test_a_tensor_group_that_leaves_its_domain_and_its_remap(pod: Design) -> None:
    """Sixteen GPUs do not share the NVLink of one eight-GPU server."""
    wrong = edited(pod, SetJob(workload=PRESET, sizes={"tp": 16, "pp": 1, "dp": 0}), catalog=shipped())
    (finding,) = found(wrong, "workload.tp-domain")
    assert finding.problem.severity == "error"
    assert finding.fix is not None
    assert found(edited(wrong, finding.fix, catalog=shipped()), "workload.tp-domain") == []


def test_gpus_that_a_job_leaves_out(pod: Design) -> None:
    """31 servers have 248 GPUs; TP 8 x PP 4 x DP 7 use 224."""
    some = edited(pod, SetJob(workload=PRESET, sizes={"tp": 8, "pp": 4, "dp": 7}), catalog=shipped())
    assert [f.problem.what for f in found(some, "workload.idle")] == ["24 GPUs idle: the job uses 224 of 248"]
    every = edited(pod, SetJob(workload=PRESET, sizes={"tp": 8, "pp": 1, "dp": 31}), catalog=shipped())
    assert found(every, "workload.idle") == []


def test_a_job_that_cannot_be_predicted_says_why(pod: Design) -> None:
    """GPT-3 on TP 64 x PP 8 takes 512 GPUs; 31 servers have 248."""
    large = edited(pod, SetJob(workload=PRESET, sizes={"tp": 64, "pp": 8}), catalog=shipped())
    (finding,) = found(large, "workload.missing")
    assert finding.problem.what.endswith("one replica takes 512 GPUs, and there are 248")
    fits = edited(pod, SetJob(workload=PRESET, sizes={"tp": 8, "pp": 1}), catalog=shipped())
    assert found(fits, "workload.missing") == []


def test_a_job_on_servers_without_a_fabric_is_an_error() -> None:
    design = made(PlaceDevice(type="dgx-h100", count=2), SetJob(workload=PRESET))
    assert [f.problem.severity for f in found(design, "fabric.missing")] == ["error"]


def test_a_driver_of_a_shipped_server_needs_its_fabric_manager(pod: Design) -> None:
    design = edited(pod, SetProperty(ref="srv-0001", field="config.driver", value="550"), catalog=shipped())
    (finding,) = found(design, "software")
    assert "802" in finding.problem.what
