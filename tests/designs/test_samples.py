"""The shipped examples: each is what its recipe makes today, and opens without a problem.

`--update-golden` writes them again after a change of catalog or template.
"""

from collections.abc import Callable

import pytest

from rackbuilder import resources
from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.commands import AddRack, PlaceDevice, SetJob
from rackbuilder.commands.base import Command
from rackbuilder.formats.native.read import read_design
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.analyst import Analyst
from rackbuilder.session.session import Session
from rackbuilder.templates.nvlink_rack import NvlinkRack
from rackbuilder.templates.superpod import Superpod

RACK_LIMIT_W = 44_000
"""A limit a hall may set; four DGX H100 draw 40.8 kW."""


def one_server() -> list[Command]:
    """Llama 3 70B on one server: all traffic stays on NVLink."""
    job = SetJob(name="Llama 3 70B", workload="llama-3-70b", sizes={"tp": 8, "pp": 1, "dp": 0})
    return [AddRack(type="42u-600x1200", name="A01"), PlaceDevice(type="dgx-h100", rack="rack-01", u=1), job]


def superpod() -> list[Command]:
    """127 servers with a mapping that crosses the node boundary: the panel says so, and offers the remap."""
    sizes = {"tp": 16, "pp": 2, "dp": 0}
    job = SetJob(name="Llama 3.1 405B", workload="llama-3.1-405b", sizes=sizes)
    return [Superpod(units=4, server="dgx-h100", rack_limit_w=RACK_LIMIT_W), job]


def nvl72() -> list[Command]:
    return [NvlinkRack(system="gb200-nvl72", racks=8)]


RECIPES: dict[str, tuple[str, Callable[[], list[Command]]]] = {
    "one-server": ("One server", one_server),
    "superpod-4su": ("SuperPOD, four units", superpod),
    "nvl72-8racks": ("Eight NVL72 racks", nvl72),
}


@pytest.mark.parametrize("name", RECIPES)
def test_sample_is_what_its_recipe_makes(name: str, request: pytest.FixtureRequest) -> None:
    title, recipe = RECIPES[name]
    session = Session(shipped())
    for command in recipe():
        session.do(command)
    session.retitle(title)
    made = write_design(session.design)
    path = resources.path(f"designs/{name}.rackbuilder")
    if request.config.getoption("--update-golden"):
        path.write_bytes(made)
    assert path.read_bytes() == made


@pytest.mark.parametrize(
    ("name", "gpus", "domain"), [("one-server", 8, 8), ("superpod-4su", 1016, 8), ("nvl72-8racks", 576, 72)]
)
def test_sample_opens_and_counts(name: str, gpus: int, domain: int) -> None:
    """1,016 GPUs: RA-11333-001 table 4, four units; 72 a rack: the GB200 NVL72 page."""
    loaded = read_design(resources.path(f"designs/{name}.rackbuilder").read_bytes(), name)
    session = Session(shipped(), loaded.design)
    outcome = Analyst(shipped_workloads()).run(session.design, session.graphs, 0)
    assert loaded.problems == ()
    assert outcome.report.compiled is not None
    assert outcome.report.compiled.counts.gpus == gpus
    assert set(outcome.report.compiled.counts.nvlink_domains) == {domain}
    errors = [f.problem.rule for f in outcome.findings if f.problem.severity == "error"]
    assert errors == (["workload.tp-domain"] if name == "superpod-4su" else [])
