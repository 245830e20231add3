"""What a later version or another program put into the file is still there after a save."""

import json
from typing import Any

import pytest

from rackbuilder.catalog.parts import DeviceType
from rackbuilder.commands.base import Command
from rackbuilder.commands.devices import DeleteItems, DuplicateDevices, PlaceDevice, Rename
from rackbuilder.commands.parts import CopyPart
from rackbuilder.commands.racks import AddRack
from rackbuilder.design.design import Design
from rackbuilder.formats.native.read import Loaded, read_design
from rackbuilder.formats.native.write import write_design
from tests.samples import built, edited


def design() -> Design:
    return built(
        AddRack(type="t-rack-42", name="A01"),
        PlaceDevice(type="t-server", rack="rack-01", count=2),
        PlaceDevice(type="t-qm9700", rack="rack-01", role="leaf"),
    )


def changed(data: bytes, old: str, new: str) -> bytes:
    text = data.decode()
    assert text.count(old) == 1
    return text.replace(old, new).encode()


def opened(data: bytes) -> Loaded:
    loaded = read_design(data, "file")
    assert loaded.problems == ()
    return loaded


FIELD = '"colour":["red",{"deep":null}]'
TABLE = '"cooling_loops": [\n{"id":"loop-1","pump":"p1"},\n{"id":"loop-2"}\n]'
HEADER = '"größe": {"unit":"mm"}'


def with_all(data: bytes) -> bytes:
    """A field in a device, a table, and a field of the file, typed in with a text editor."""
    data = changed(data, '{"id":"srv-0002",', f'{{"id":"srv-0002",{FIELD},')
    data = changed(data, '\n"parts": [', f'\n{HEADER},\n"parts": [')
    return changed(data, "\n]\n}\n", f"\n],\n{TABLE}\n}}\n")


def test_field_table_and_header_survive_a_save() -> None:
    loaded = opened(with_all(write_design(design())))
    assert loaded.design.devices["srv-0002"].extra == {"colour": ["red", {"deep": None}]}
    once = write_design(loaded.design)
    data = json.loads(once)
    assert data["cooling_loops"] == [{"id": "loop-1", "pump": "p1"}, {"id": "loop-2"}]
    assert data["größe"] == {"unit": "mm"}
    assert next(d for d in data["devices"] if d["id"] == "srv-0002")["colour"] == ["red", {"deep": None}]
    assert TABLE in once.decode()  # as it was typed
    assert write_design(opened(once).design) == once


@pytest.mark.parametrize(
    "command",
    [
        Rename(ref="srv-0002", name="new"),
        DeleteItems(refs=("srv-0001",)),
        DuplicateDevices(devices=("srv-0001",)),
        PlaceDevice(type="t-server"),
    ],
    ids=lambda command: command.verb,
)
def test_they_survive_edits_too(command: Command) -> None:
    after = edited(opened(with_all(write_design(design()))).design, command)
    data = json.loads(write_design(after))
    assert data["cooling_loops"]
    assert data["größe"]
    assert next(d for d in data["devices"] if d["id"] == "srv-0002")["colour"] == ["red", {"deep": None}]


@pytest.mark.parametrize("indent", [None, 1])
def test_a_table_typed_over_several_lines_is_not_torn_apart(indent: int | None) -> None:
    rows = [{"id": "loop-1", "pump": {"kw": 2}}, [1, [2]], "text", 7, None]
    table = '"cooling_loops": ' + json.dumps(rows, indent=indent)
    data = changed(write_design(design()), "\n]\n}\n", f"\n],\n{table}\n}}\n")
    loaded = opened(data)
    assert loaded.design.same(design())
    once = write_design(loaded.design)
    assert json.loads(once)["cooling_loops"] == rows
    assert write_design(opened(once).design) == once


@pytest.mark.parametrize(
    "value", ["[]", "{}", "null", '"a, b: [c]"', "[1, 2]", "{\n}", "[\n]", '"x",\n"y": [\n\n]']
)
def test_any_value_beside_the_tables_survives(value: str) -> None:
    data = changed(write_design(design()), '\n"parts": [', f'\n"später": {value},\n"parts": [')
    once = write_design(opened(data).design)
    assert json.loads(once)["später"] == json.loads(data)["später"]
    assert write_design(opened(once).design) == once


def part_with(field: str) -> bytes:
    head = '{"kind":"device","id":"t-server",'
    return changed(write_design(design()), head, f"{head}{field},")


def test_a_part_with_a_later_field_keeps_its_figures_and_the_field() -> None:
    """Not knowing one field must not make every server of that type an unknown box."""
    loaded = opened(part_with('"noise_db":71.5'))
    assert loaded.design.type_of(loaded.design.devices["srv-0001"]).power_max_w == 10_200
    once = json.loads(write_design(loaded.design))
    part = next(p for p in once["parts"] if p["id"] == "t-server")
    assert part["noise_db"] == 71.5
    assert "facts" not in part
    assert part["power_max_w"] == 10_200


def test_a_later_field_deep_in_a_part_keeps_its_place() -> None:
    data = changed(write_design(design()), '"name":"qsfp","count":2,', '"name":"qsfp","lanes":[4],"count":2,')
    data = changed(data, '"gpus":{"part"', '"gpus":{"mesh":true,"part"')
    loaded = opened(data)
    once = write_design(loaded.design)
    part = next(p for p in json.loads(once)["parts"] if p["id"] == "t-server")
    assert part["gpus"]["mesh"] is True
    assert [cages.get("lanes") for cages in part["cages"]] == [None, [4], None, None]
    assert write_design(opened(once).design) == once


def test_a_copy_of_such_a_part_has_the_later_field_too() -> None:
    loaded = opened(part_with('"noise_db":71.5'))
    after = edited(loaded.design, CopyPart(base="t-server", id="own", fields={"weight_kg": 99}))
    parts = {p["id"]: p for p in json.loads(write_design(after))["parts"]}
    assert parts["own"]["noise_db"] == parts["t-server"]["noise_db"] == 71.5


def test_a_later_field_whose_place_is_gone_is_kept_among_the_facts() -> None:
    data = changed(write_design(design()), '"name":"qsfp","count":2,', '"name":"qsfp","lanes":4,"count":2,')
    loaded = opened(data)
    after = edited(loaded.design, CopyPart(base="t-server", id="own", fields={"cages": []}))
    own = next(p for p in json.loads(write_design(after))["parts"] if p["id"] == "own")
    assert own["facts"] == {"of a later version": [[["cages", 1, "lanes"], 4]]}


@pytest.mark.parametrize(
    "facts", [5, [], [[]], [[[], 1]], [["a", 1]], [[["cages", 0, "x"], 1]], [[[0], 1]], {"a": 1}]
)
def test_facts_that_only_look_like_later_fields_do_no_harm(facts: Any) -> None:
    field = '"facts":' + json.dumps({"of a later version": facts, "b": 1})
    loaded = opened(part_with(field))
    part = next(p for p in json.loads(write_design(loaded.design))["parts"] if p["id"] == "t-server")
    assert part["facts"]["b"] == 1
    assert isinstance(read_design(write_design(loaded.design), "again").design.parts["t-server"], DeviceType)


def test_a_wrong_value_beside_a_later_field_is_still_a_fault() -> None:
    loaded = read_design(part_with('"noise_db":71.5,"weight_kg":"heavy"'), "file")
    assert [p.rule for p in loaded.problems][:1] == ["file.record"]
    assert "weight_kg" in loaded.problems[0].what


def test_dropping_what_was_not_read_drops_it() -> None:
    loaded = opened(with_all(write_design(design())))
    data = json.loads(write_design(loaded.design.without_aside()))
    assert "cooling_loops" not in data
    assert "größe" not in data
    assert next(d for d in data["devices"] if d["id"] == "srv-0002")[
        "colour"
    ]  # a field of a record stays with it
