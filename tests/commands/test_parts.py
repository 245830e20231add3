"""Parts of one's own, and newer figures from the catalog."""

import pytest

from rackbuilder.commands.cabling import Connect
from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.commands.parts import CopyPart, SetPartField, UpdatePart, outdated
from rackbuilder.commands.racks import AddRack
from rackbuilder.errors import ProblemError
from tests.samples import CATALOG, SERVER, built, edited


def test_an_own_server_says_which_figures_are_its_own() -> None:
    cages = [{"name": "osfp", "count": 8, "connector": "OSFP", "rate_bps": 800e9, "fabric": "compute"}]
    copy = CopyPart(
        base="t-server",
        id="our-server",
        name="Our server",
        fields={"u_height": 6, "power_max_w": 12_000, "cages": cages},
    )
    part = built(copy).parts["our-server"]
    assert (part.name, part.based_on, part.evidence) == ("Our server", "t-server", "A")
    assert part.figure("power_max_w").grade == "user"
    assert part.grade("u_height") == part.grade("cages") == "user"
    assert part.grade("weight_kg") == "A"
    assert part.cages[0].port_count == 8  # type: ignore[union-attr]
    assert "t-h100" in built(copy).parts


def test_an_own_part_can_be_placed_and_changed() -> None:
    design = built(
        AddRack(type="t-rack-42"), CopyPart(base="t-one-u"), PlaceDevice(type="t-one-u-2", rack="rack-01")
    )
    after = edited(design, SetPartField(part="t-one-u-2", field="u_height", value=2))
    assert after.type_of(after.devices["dev-01"]).u_height == 2
    assert after.parts["t-one-u-2"].grade("u_height") == "user"


def test_a_changed_figure_loses_what_was_said_of_the_old_one() -> None:
    doubtful = SERVER.model_copy(
        update={"unverified": ("power_max_w", "weight_kg"), "published": {"power_max_w": "10.2 kW max"}}
    )
    catalog = CATALOG.with_parts([doubtful])
    part = built(CopyPart(base="t-server", id="own", fields={"power_max_w": 9000}), catalog=catalog).parts[
        "own"
    ]
    assert part.unverified == ("weight_kg",)
    assert part.published == {}
    assert part.grade("power_max_w") == "user"


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"u_heigth": 2}, "Did you mean “u_height”"),
        ({"u_height": -1}, "u_height cannot be -1"),
        ({"u_height": "tall"}, "u_height cannot be 'tall'"),
        ({"id": "x"}, "no field"),
        ({"cages": [{"name": "p", "count": 0, "connector": "OSFP"}]}, "cages.0.count cannot be 0"),
        ({"gpus": {"part": "t-none", "count": 8}}, "no part “t-none”"),
    ],
)
def test_figures_that_cannot_be_are_refused(fields: dict[str, object], says: str) -> None:
    with pytest.raises(ProblemError, match=says):
        built(CopyPart(base="t-one-u", fields=fields))  # type: ignore[arg-type]


def test_a_published_part_stays_as_published() -> None:
    with pytest.raises(ProblemError, match=r"published part[\s\S]*copy of it first"):
        edited(built(PlaceDevice(type="t-server")), SetPartField(part="t-server", field="u_height", value=7))


@pytest.mark.parametrize("identity", ["t-server", "a b", "t-own:1"])
def test_an_id_that_is_taken_or_breaks_refs_is_refused(identity: str) -> None:
    with pytest.raises(ProblemError, match="cannot be the id"):
        built(CopyPart(base="t-one-u", id=identity))


# ---- newer figures


def test_newer_figures_are_taken_when_asked_for() -> None:
    design = built(PlaceDevice(type="t-server"), PlaceDevice(type="t-qm9700"))
    newer = CATALOG.with_parts(
        [SERVER.model_copy(update={"power_max_w": 11_000.0, "revision": "2027-01-01"})]
    )
    assert outdated(design, CATALOG) == []
    assert outdated(design, newer) == ["t-server"]
    assert edited(design, UpdatePart(), catalog=newer).parts["t-server"].power_max_w == 11_000  # type: ignore[union-attr]
    assert UpdatePart(parts=("t-qm9700",)).plan(design, newer).empty


def test_a_newer_part_without_a_used_port_is_refused() -> None:
    design = built(
        PlaceDevice(type="t-server"), PlaceDevice(type="t-qm9700"), Connect(a="srv-0001:osfp4/2", b="sw-01")
    )
    fewer = SERVER.cages[0].model_copy(update={"count": 3})
    newer = CATALOG.with_parts([SERVER.model_copy(update={"cages": (fewer, *SERVER.cages[1:])})])
    with pytest.raises(ProblemError, match=r"srv-0001 has no port osfp4/2"):
        edited(design, UpdatePart(), catalog=newer)
