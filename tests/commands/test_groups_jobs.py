"""Groups and jobs."""

import pytest

from rackbuilder.commands.cabling import Connect
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.groups import AddToGroup, Group, Ungroup
from rackbuilder.commands.jobs import ActivateJob, RemoveJob, SetJob, SwapMapping
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design
from rackbuilder.errors import ProblemError
from tests.samples import CATALOG, built, edited, plan


def design() -> Design:
    return built(
        AddRack(type="t-rack-42"),
        PlaceDevice(type="t-server", count=3),
        PlaceDevice(type="t-qm9700"),
        Connect(a="srv-0001", b="sw-01"),
    )


def test_members_name_their_group() -> None:
    patch, after = plan(
        design(), Group(refs=("srv-0001", "rack-01", "cbl-0001", "srv-0001"), name="SU 1", kind="unit")
    )
    assert patch.label == "Group 3 as SU 1"
    assert (
        after.devices["srv-0001"].groups
        == after.racks["rack-01"].groups
        == after.cables["cbl-0001"].groups
        == ("grp-01",)
    )
    assert after.groups["grp-01"].kind == "unit"
    more = edited(after, AddToGroup(group="SU 1", refs=("srv-0002",)))
    assert more.devices["srv-0002"].groups == ("grp-01",)
    assert AddToGroup(group="grp-01", refs=("srv-0002",)).plan(more, CATALOG).empty


def test_members_leave_and_groups_dissolve() -> None:
    grouped = edited(
        design(),
        Group(refs=("srv-0001", "srv-0002"), name="outer"),
        Group(refs=("srv-0001",), parent="outer"),
    )
    left = edited(grouped, Ungroup(groups=("grp-01",), refs=("srv-0002",)))
    assert left.devices["srv-0002"].groups == ()
    assert left.devices["srv-0001"].groups == ("grp-01", "grp-02")
    gone = edited(grouped, Ungroup(groups=("grp-01",)))
    assert gone.devices["srv-0001"].groups == ("grp-02",)
    assert gone.groups["grp-02"].parent == ""


def test_a_fabric_is_no_member() -> None:
    with pytest.raises(ProblemError, match="cannot be in a group"):
        edited(design(), Group(refs=("compute",)))


# ---- jobs


def test_a_new_job_is_the_active_one() -> None:
    two = edited(
        design(), SetJob(workload="gpt", sizes={"tp": 8, "dp": 0}), SetJob(workload="llama", name="tune")
    )
    assert {j.id: j.active for j in two.jobs.values()} == {"job-01": False, "job-02": True}
    back = edited(two, ActivateJob(job="job-01"))
    assert {j.id: j.active for j in back.jobs.values()} == {"job-01": True, "job-02": False}
    none = edited(back, ActivateJob())
    assert not any(j.active for j in none.jobs.values())
    assert list(edited(two, RemoveJob(job="tune")).jobs) == ["job-01"]


def test_a_job_is_changed_by_its_id_and_keeps_what_is_not_said() -> None:
    where = ("srv-0001.gpu0", "srv-0002")
    first = edited(design(), SetJob(workload="gpt", name="base", where=where, options={"sequence": 4096}))
    job = edited(first, SetJob(id="job-01", workload="gpt", sizes={"tp": 4})).jobs["job-01"]
    assert (job.name, job.sizes, job.where, job.options) == ("base", {"tp": 4}, where, {"sequence": 4096})
    other = edited(first, SetJob(id="job-01", workload="llama")).jobs["job-01"]
    assert (other.where, other.options) == (where, {})
    everywhere = SetJob(id="job-01", workload="gpt", where=())
    assert edited(first, everywhere).jobs["job-01"].where == ()
    assert everywhere.line() == {"job": {"id": "job-01", "workload": "gpt", "where": []}}


def test_a_mapping_is_swapped_in_one_step_and_back() -> None:
    right = edited(design(), SetJob(workload="gpt", sizes={"tp": 8, "pp": 2}))
    patch, wrong = plan(right, SwapMapping(job="job-01", sizes={"tp": 16, "pp": 1}))
    assert patch.label == "Map as TP 16"
    assert edited(wrong, SwapMapping(job="job-01", sizes={"tp": 8, "pp": 2})).same(right)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"sizes": {"tq": 8}}, "Did you mean “tp”"),
        ({"sizes": {"tp": 0}}, "tp cannot be 0"),
        ({"sizes": {"dp": -1}}, "dp cannot be -1"),
        ({"order": ("tp", "tp")}, "stands twice"),
        ({"where": ("srv-0009",)}, "which is not there"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused(fields: dict[str, object], says: str) -> None:
    with pytest.raises(ProblemError, match=says):
        edited(design(), SetJob(workload="gpt", **fields))  # type: ignore[arg-type]
