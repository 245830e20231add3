"""Records keep what they are given: to plain values and back, with what this version does not know."""

import pytest
from pydantic import ValidationError

from rackbuilder.design.records import (
    TABLE_NAMES,
    TABLES,
    About,
    Cable,
    Device,
    End,
    Fabric,
    Job,
    MadeBy,
    Rack,
    from_plain,
    plain,
    record_from,
)
from tests.samples import NVL72, PARTS, SERVER

RECORDS = [
    ("racks", Rack(id="rack-01", type="t-rack-42", x_m=1.2, y_m=0.0, facing="north", power_limit_w=40_000)),
    ("devices", Device(id="srv-0001", type="t-server", rack="rack-01", u=5.5, modes={"osfp1": 2}, rail=0)),
    (
        "devices",
        Device(id="srv-0002", type="t-server", config={"driver": "550"}, made_by=MadeBy("run-01", "a")),
    ),
    ("cables", Cable(id="cbl-0001", a=End("srv-0001", "osfp1/1"), b=End("leaf-01", "osfp1/1"), length_m=3.0)),
    ("fabrics", Fabric(id="compute", technology="t-ndr", roles=("compute",), lossless=False, rdma=False)),
    ("jobs", Job(id="job-01", workload="gpt", sizes={"tp": 8}, options={"zero": None, "list": [1, 2.5]})),
]


@pytest.mark.parametrize(("table", "record"), RECORDS)
def test_a_record_comes_back_from_plain_values(table: str, record: object) -> None:
    assert record_from(table, plain(record)) == record  # type: ignore[arg-type]


@pytest.mark.parametrize("part", PARTS, ids=lambda p: p.id)
def test_a_part_comes_back_from_plain_values(part: object) -> None:
    assert record_from("parts", plain(part)) == part  # type: ignore[arg-type]


def test_defaults_are_left_out() -> None:
    assert plain(Device(id="srv-0001", type="t-server")) == {"id": "srv-0001", "type": "t-server"}


def test_a_false_that_is_no_default_is_kept() -> None:
    """0 equals False in Python; the file must still say which it was."""
    assert plain(Fabric(id="f", technology="t", rdma=False)) == {"id": "f", "technology": "t", "rdma": False}
    assert plain(Rack(id="r", type="t", x_m=0.0))["x_m"] == 0.0
    assert plain(Device(id="d", type="t", rail=0))["rail"] == 0


def test_unknown_fields_survive_at_their_old_place() -> None:
    data = {"id": "srv-0001", "type": "t-server", "colour": "red", "later": {"a": [1]}}
    record = from_plain(Device, data)
    assert record.extra == {"colour": "red", "later": {"a": [1]}}
    assert plain(record) == data


def test_unknown_fields_of_the_header_survive() -> None:
    about = from_plain(About, {"title": "Pod", "next": {"srv": 3}, "mood": "good"})
    assert plain(about) == {"title": "Pod", "next": {"srv": 3}, "mood": "good"}


def test_values_of_the_wrong_kind_are_refused() -> None:
    with pytest.raises(ValidationError):
        record_from("devices", {"id": "d", "type": "t", "face": "sideways"})
    with pytest.raises(TypeError):
        record_from("devices", [1, 2])


def test_names_of_any_script_survive() -> None:
    for name in ("Σ-rack", "机柜 07", "🖥️", "مركز", "e\u0301", "x" * 500, 'a"b', "a\\b"):
        assert record_from("racks", plain(Rack(id="r", type="t", name=name))).name == name  # type: ignore[union-attr]


def test_every_table_has_a_model_of_its_own() -> None:
    assert ("parts", *TABLES) == TABLE_NAMES
    assert len(set(TABLES.values())) == len(TABLES)


def test_labels_are_names_or_else_ids() -> None:
    assert Rack(id="rack-01", type="t").label == "rack-01"
    assert Rack(id="rack-01", type="t", name="A01").label == "A01"


def test_the_sample_rack_is_the_published_one() -> None:
    """18 compute trays, 9 NVLink switch trays, 8 links a pair: 18 x 9 x 8 = 1,296 (DGX GB200 guide)."""
    assembly = NVL72.assembly
    assert assembly is not None
    assert sum("t-tray" in s.takes for s in assembly.slots) == 18
    assert sum("t-nvswitch-tray" in s.takes for s in assembly.slots) == 9
    assert 18 * 9 * assembly.links_per_pair == 1296
    assert sum(c.port_count for c in SERVER.cages if c.fabric == "compute") == 8
