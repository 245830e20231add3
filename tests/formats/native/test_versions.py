"""Files of past versions open for good; a step from one version to the next maps plain values."""

from pathlib import Path
from typing import Any

import pytest

from rackbuilder.errors import InputError
from rackbuilder.formats.native import read
from rackbuilder.formats.native.migrations import MIGRATIONS, VERSION, migrate
from rackbuilder.formats.native.read import read_design
from rackbuilder.formats.native.write import write_design

FILES = Path(__file__).parents[2] / "data" / "files"
HOLDS: dict[str, dict[str, int]] = {
    "version-1.rackbuilder": {
        "parts": 9, "spaces": 1, "fabrics": 2, "groups": 1, "racks": 2, "devices": 6, "cables": 19, "cords": 1,
        "plugs": 1, "assemblies": 1, "jobs": 1, "faults": 1, "overrides": 1, "policies": 1, "prices": 1,
        "runs": 1, "originals": 1, "drawing": 1, "waivers": 1, "notes": 1,
    },
}  # fmt: skip
"""Records of each table, counted in the file by hand. A file is added with each version and never changed."""


def test_there_is_a_file_of_every_version() -> None:
    assert sorted(path.name for path in FILES.iterdir()) == sorted(HOLDS)
    assert sorted(HOLDS) == sorted(f"version-{n}.rackbuilder" for n in range(1, VERSION + 1))


@pytest.mark.parametrize("name", HOLDS)
def test_every_past_file_opens_whole(name: str) -> None:
    loaded = read_design((FILES / name).read_bytes(), name)
    assert loaded.problems == ()
    assert {table: len(rows) for table, rows in loaded.design.tables.items() if rows} == HOLDS[name]
    assert loaded.design.about.title == "Past file “Ω”"
    assert loaded.design.aside.tables.keys() == {"cooling_loops"}
    assert loaded.design.devices["srv-0001"].extra == {"colour": "red"}
    again = read_design(write_design(loaded.design), name)
    assert again.design.same(loaded.design)


def test_each_step_is_taken_once_and_in_order() -> None:
    def step(number: int) -> Any:
        return lambda data: {**data, "steps": [*data.get("steps", []), number]}

    steps = {n: step(n) for n in range(1, 5)}
    assert migrate({}, 2, steps, target=4) == {"steps": [2, 3]}
    assert migrate({"a": 1}, 4, steps, target=4) == {"a": 1}


def test_there_is_a_step_from_each_past_version() -> None:
    assert sorted(MIGRATIONS) == list(range(1, VERSION))


def renamed(data: dict[str, Any]) -> dict[str, Any]:
    """A made-up change of meaning: version 2 calls the note of a device “note”, as its name."""
    return {**data, "groups": [{"id": row["id"], "name": row["title"]} for row in data["groups"]]}


OLD = b"""{
"format": "rackbuilder",
"version": 1,
"about": {"title":"old"},
"later": {"x":1},
"groups": [
{"id":"g-1","title":"one"},
{"id":"g-2","title":"two
],
"mine": [
{"a":1}
]
}
"""


def test_an_old_file_is_brought_up_and_what_is_bad_in_it_is_still_set_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(read, "VERSION", 2)
    monkeypatch.setattr(read, "MIGRATIONS", {1: renamed})
    loaded = read_design(OLD, "old")
    assert [g.name for g in loaded.design.groups.values()] == ["one"]
    assert loaded.design.about.title == "old"
    assert loaded.design.aside.lines == (("groups", '{"id":"g-2","title":"two'),)
    assert loaded.design.aside.tables == {"mine": '[\n{"a":1}\n]'}
    assert loaded.design.aside.header == {"later": '{"x":1}'}
    assert len(loaded.problems) == 1


def test_a_step_that_does_not_fit_the_file_is_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "VERSION", 2)
    monkeypatch.setattr(read, "MIGRATIONS", {1: renamed})
    with pytest.raises(InputError, match="cannot be brought up to version 2"):
        read_design(OLD.replace(b'"title":"one"', b'"name":"one"'), "old")
