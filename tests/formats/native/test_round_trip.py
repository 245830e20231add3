"""What is saved is what is read; the same design has the same bytes."""

import dataclasses
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from rackbuilder.design.design import Design, build
from rackbuilder.design.patch import Change
from rackbuilder.design.records import (
    TABLES,
    About,
    Cable,
    Device,
    Fabric,
    Group,
    Job,
    Note,
    Override,
    Policy,
    Rack,
    record_from,
)
from rackbuilder.formats.native.read import read_design
from rackbuilder.formats.native.write import dumps, plain, write_design
from tests.formats.native import fill

NAMES = {
    "greek": "Διακομιστής Ω",
    "chinese": "服务器机架",
    "emoji": "👩‍🔧 rack 🚀",
    "right to left": "خادم ‏شبكة",
    "combining": "é não Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
    "500 characters": "ω" * 500,
    "quotes": "19\" 'rack' “A” \\ /",
    "line separators": "a\u2028b\u2029c\u0085d",
    "private and beyond": "\ue000\U0010ffff",
    "no-break": "\ufeff\u00a0 \u202f",
}

TEXT = st.text(max_size=12)
FLOAT = st.floats(allow_nan=False, allow_infinity=False)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | FLOAT | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
st.register_type_strategy(JsonValue, JSON)  # type: ignore[arg-type]
EXTRA = st.dictionaries(TEXT.filter(bool).map(lambda key: f"x {key}"), JSON, max_size=2)
PREFIX = st.sampled_from(("a", "B", "ω", "机架", "x@1", "z_"))
PARTS = [part for part in fill.parts() if part.id in ("rack", "device", "technology")]


def saved(design: Design) -> Design:
    loaded = read_design(write_design(design), "file")
    assert loaded.problems == ()
    return loaded.design


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """A few records of the tables people fill, with any values, naming each other."""
    ids = [f"{draw(PREFIX)}-{n}" for n in range(7)]
    kinds: tuple[tuple[str, type, dict[str, Any]], ...] = (
        ("groups", Group, {}),
        ("fabrics", Fabric, {"technology": st.just("technology")}),
        ("racks", Rack, {"type": st.just("rack"), "groups": st.just((ids[0],)), "space": st.just("")}),
        ("devices", Device, {"type": st.just("device"), "rack": st.just(ids[2]), "fabric": st.just(ids[1])}),
        ("cables", Cable, {"a": st.tuples(st.just(ids[3]), TEXT), "b": st.tuples(st.just(ids[3]), TEXT)}),
        ("jobs", Job, {}),
        ("notes", Note, {}),
    )
    rows: list[tuple[str, Any]] = [("parts", part) for part in PARTS]
    for identity, (table, kind, fixed) in zip(ids, kinds, strict=True):
        free = {"id": st.just(identity), "extra": EXTRA, "groups": st.just(()), "parent": st.just("")}
        free |= {"part": st.just(""), "assembly": st.just(""), "fabric": st.just("")} | fixed
        known = {spec.name for spec in dataclasses.fields(kind)}
        rows.append((table, draw(st.builds(kind, **{k: v for k, v in free.items() if k in known}))))
    for key, value in draw(st.dictionaries(TEXT.filter(bool), JSON, max_size=3)).items():
        rows += [("policies", Policy(id=key, value=value)), ("overrides", Override(id=key, value=value))]
    about = About(title=draw(TEXT), next=draw(st.dictionaries(TEXT, st.integers(0, 10**6), max_size=3)))
    return build([Change(t, r.id, None, r) for t, r in rows], about)


@settings(max_examples=30)
@given(designs())
def test_any_design_comes_back(design: Design) -> None:
    after = saved(design)
    assert after.same(design)
    assert after.about == design.about
    assert after.indexes == design.indexes
    assert write_design(after) == write_design(design)


@settings(max_examples=30)
@given(designs())
def test_laid_out_by_another_hand_it_is_the_same(design: Design) -> None:
    """Indented, minified, sorted or escaped: the content decides."""
    data = json.loads(write_design(design))
    for text in (
        json.dumps(data, indent=2),
        json.dumps(data, separators=(",", ":")),
        json.dumps(data, ensure_ascii=False, indent="\t"),
    ):
        loaded = read_design(text.encode(), "file")
        assert loaded.problems == ()
        assert write_design(loaded.design) == write_design(design)
    assert read_design(json.dumps(data, sort_keys=True).encode(), "file").design.same(design)


@pytest.mark.parametrize("table", ["parts", *TABLES])
def test_every_kind_of_record_is_one_line_of_json(table: str) -> None:
    for name, row in fill.filled().records:
        if name == table:
            line = dumps(plain(row))
            assert "\n" not in line
            assert record_from(table, json.loads(line)) == row


def test_records_stand_in_order_of_id_whatever_order_they_came_in() -> None:
    rows = [("groups", Group(id=f"g-{n}", name="x")) for n in (3, 1, 2)]
    forward = build([Change(t, r.id, None, r) for t, r in rows], About(next={"b": 2, "a": 3}))
    backward = build([Change(t, r.id, None, r) for t, r in reversed(rows)], About(next={"a": 3, "b": 2}))
    assert write_design(forward) == write_design(backward)
    lines = write_design(forward).decode().split("\n")
    assert [line[:11] for line in lines if line.startswith('{"id')] == [f'{{"id":"g-{n}"' for n in (1, 2, 3)]


def test_defaults_are_left_out() -> None:
    rows = [("groups", Group(id="g-1")), ("notes", Note(id="n-1", text="hello"))]
    data = write_design(build(Change(t, r.id, None, r) for t, r in rows)).decode()
    assert '\n{"id":"g-1"}\n' in data
    assert '\n{"id":"n-1","text":"hello"}\n' in data
    assert "devices" not in data  # no empty tables either


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_every_script_come_back_byte_for_byte(name: str) -> None:
    row = Group(id="g-1", name=name, config={name: name}, extra={name: name})
    design = build([Change("groups", "g-1", None, row)], About(title=name))
    data = write_design(design)
    assert data.decode().splitlines(keepends=True)[0] == "{\n"
    assert data.count(b"\n") == len(data.decode().split("\n")) - 1
    after = saved(design)
    assert after.groups["g-1"] == row
    assert after.about.title == name
    assert write_design(after) == data
