"""SetProperty: which fields may be set, how text becomes a value; overrides and faults."""

import pytest
from pydantic import JsonValue

from rackbuilder.commands.base import checked
from rackbuilder.commands.devices import PlaceDevice, SetProperty
from rackbuilder.commands.marks import AddFault, ClearOverride, RemoveFault, SetOverride
from rackbuilder.commands.racks import AddRack, PlaceRackSystem
from rackbuilder.design.design import Design
from rackbuilder.errors import InputError, ProblemError
from tests.samples import CATALOG, built, edited


def design() -> Design:
    return built(
        AddRack(type="t-rack-42"),
        PlaceDevice(type="t-server", rack="rack-01"),
        PlaceDevice(type="t-server", rack="rack-01"),
        PlaceDevice(type="t-qm9700"),
    )


@pytest.mark.parametrize(
    ("ref", "field", "value", "table", "kept"),
    [
        ("srv-0001", "rail", "3", "devices", 3),
        ("srv-0001", "u", "20", "devices", 20.0),
        ("srv-0001", "state", "existing", "devices", "existing"),
        ("sw-01", "role", "spine", "devices", "spine"),
        ("rack-01", "power_limit_w", "44 kW", "racks", 44_000.0),
        ("rack-01", "power_limit_w", 44_000, "racks", 44_000.0),
        ("rack-01", "x_m", "-1.5", "racks", -1.5),
        ("rack-01", "numbered_from", "top", "racks", "top"),
        ("compute", "rate_cap_bps", "200 Gb/s", "fabrics", 200e9),
        ("compute", "rdma", False, "fabrics", False),
        ("compute", "roles", ["compute", "storage"], "fabrics", ("compute", "storage")),
        ("compute", "hop_latency_s", "3.5 µs", "fabrics", 3.5e-6),
    ],
)
def test_values_are_kept_in_base_units(
    ref: str, field: str, value: JsonValue, table: str, kept: object
) -> None:
    after = edited(design(), SetProperty(ref=ref, field=field, value=value))
    assert getattr(after.tables[table][ref], field) == kept


def test_one_key_of_a_mapping_is_set_and_cleared() -> None:
    after = edited(
        design(),
        SetProperty(ref="srv-0001", field="config.driver", value=550),
        SetProperty(ref="srv-0001", field="tags.serial", value="1571223000123"),
    )
    assert after.devices["srv-0001"].config == {"driver": "550"}
    assert after.devices["srv-0001"].tags == {"serial": "1571223000123"}
    bare = edited(after, SetProperty(ref="srv-0001", field="config.driver", value=""))
    assert bare.devices["srv-0001"].config == {}


def test_several_records_are_set_in_one_step() -> None:
    after = edited(design(), SetProperty(refs=("srv-0001", "srv-0002"), field="state", value="spare"))
    assert [d.state for d in after.devices.values()] == ["spare", "spare", "planned"]


def test_an_emptied_field_goes_back_to_its_default() -> None:
    limited = edited(design(), SetProperty(ref="rack-01", field="power_limit_w", value=10_000))
    assert (
        edited(limited, SetProperty(ref="rack-01", field="power_limit_w", value=""))
        .racks["rack-01"]
        .power_limit_w
        is None
    )
    spare = edited(design(), SetProperty(ref="srv-0001", field="state", value="spare"))
    assert edited(spare, SetProperty(ref="srv-0001", field="state")).devices["srv-0001"].state == "planned"


def test_a_present_value_makes_no_patch() -> None:
    assert SetProperty(ref="srv-0001", field="state", value="planned").plan(design(), CATALOG).empty
    assert SetProperty(ref="srv-0001", field="u", value=1).plan(design(), CATALOG).empty


@pytest.mark.parametrize(
    ("ref", "field", "value", "says"),
    [
        ("srv-0001", "type", "t-qm9700", "cannot be set"),
        ("srv-0001", "id", "x", "cannot be set"),
        ("srv-0001", "statte", "spare", "Did you mean “state”"),
        ("srv-0001", "state", "lost", "state cannot be 'lost'"),
        ("srv-0001", "config", {"a": "b"}, "Write config.KEY"),
        ("rack-01", "power_limit_w", "a lot", "not a value in W"),
        ("rack-01", "power_limit_w", -5, "cannot be negative"),
        ("rack-01", "power_limit_w", "44 kg", "not in W"),
        ("compute", "rate_cap_bps", "400G", "bits or bytes"),
        ("compute", "technology", "t-server", "is not a link technology"),
        ("sw-01", "fabric", "computer", "no fabric “computer”"),
        ("srv-0001", "name", "a\x00b", "control character"),
        ("srv-0001", "u", 99, "rack-01 has U1–U42"),
    ],
)
def test_what_cannot_be_is_refused_in_words(ref: str, field: str, value: JsonValue, says: str) -> None:
    with pytest.raises(ProblemError, match=says):
        edited(design(), SetProperty(ref=ref, field=field, value=value))


def test_a_number_without_end_never_reaches_a_file() -> None:
    for typed in ("1e999", "nan", "inf"):
        with pytest.raises(ProblemError, match=r"finite|not a value"):
            edited(design(), SetProperty(ref="rack-01", field="power_limit_w", value=typed))
    for number in (float("inf"), float("nan")):
        with pytest.raises(InputError, match="finite number"):
            checked(SetProperty, {"ref": "rack-01", "field": "power_limit_w", "value": number})
        with pytest.raises(InputError, match="finite number"):
            checked(PlaceDevice, {"type": "t-server", "u": number})


def test_another_technology_comes_with_its_part() -> None:
    after = edited(design(), SetProperty(ref="compute", field="technology", value="t-roce"))
    assert after.fabrics["compute"].technology == "t-roce"
    assert "t-roce" in after.parts


# ---- overrides


def test_a_figure_is_overridden_and_reset() -> None:
    after = edited(design(), SetOverride(key="part/t-server/power_max_w", value="9.5 kW", reason="capped"))
    override = after.tables["overrides"]["part/t-server/power_max_w"]
    assert (override.value, override.reason) == (9500.0, "capped")
    assert not edited(after, ClearOverride(key="part/t-server/power_max_w")).tables["overrides"]


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("power_max_w", 1, "no key of a figure"),
        ("part/t-server/power_max", 1, "Did you mean “power_max_w”"),
        ("part/none/power_max_w", 1, "“none”"),
        ("ref/srv-0009/power_max_w", 1, "no record “srv-0009”"),
        ("part/t-server/power_max_w", "much", "not a value in W"),
        ("part/t-server/gpus", True, "is no number"),
    ],
)
def test_an_override_names_what_is_there(key: str, value: JsonValue, says: str) -> None:
    with pytest.raises(ProblemError, match=says):
        edited(design(), SetOverride(key=key, value=value))


# ---- faults


@pytest.mark.parametrize("ref", ["srv-0001", "srv-0001.gpu3", "sw-01:osfp1/1", "tray-01~nvsw-01", "compute"])
def test_anything_drawn_can_fail_and_be_mended(ref: str) -> None:
    start = edited(design(), PlaceRackSystem(type="t-nvl72"))
    failed = edited(start, AddFault(ref=ref))
    assert [(f.ref, f.kind) for f in failed.tables["faults"].values()] == [(ref, "failed")]
    assert edited(failed, RemoveFault(fault=ref)).same(start)


def test_a_fault_noted_again_is_the_same_fault() -> None:
    degraded = AddFault(ref="srv-0001", kind="degraded", links=2)
    after = edited(design(), degraded, AddFault(ref="srv-0001", kind="degraded", links=3))
    assert [f.links for f in after.tables["faults"].values()] == [3]
    assert degraded.plan(edited(design(), degraded), CATALOG).empty


def test_a_fault_of_nothing_is_refused() -> None:
    with pytest.raises(ProblemError, match="no record “srv-0009”"):
        edited(design(), AddFault(ref="srv-0009.gpu1"))
    with pytest.raises(ProblemError, match="No fault is noted"):
        edited(design(), RemoveFault(fault="srv-0001"))
