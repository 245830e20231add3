"""Every field of every record comes back from the file as it was set, and as it was cleared."""

import dataclasses

import pytest
from pydantic import BaseModel

from rackbuilder.commands.devices import SetProperty
from rackbuilder.commands.fields import EDITABLE
from rackbuilder.design.design import Design, build
from rackbuilder.design.patch import Change
from rackbuilder.design.records import TABLE_NAMES, TABLES, About
from rackbuilder.formats.native.read import read_design
from rackbuilder.formats.native.write import write_design
from tests.formats.native import fill


def back(design: Design) -> Design:
    loaded = read_design(write_design(design), "file")
    assert loaded.problems == ()
    return loaded.design


def test_the_full_design_uses_every_table() -> None:
    assert {table for table, _ in fill.filled().records} == set(TABLE_NAMES)


def test_no_field_is_left_at_its_default() -> None:
    """Or the tests below would prove nothing."""
    for table, row in fill.filled().records:
        if isinstance(row, BaseModel):
            unset = [
                n for n, f in type(row).model_fields.items() if n != "kind" and getattr(row, n) == f.default
            ]
        else:
            unset = [s.name for s in dataclasses.fields(row) if getattr(row, s.name) == s.default]
        assert unset == [], table


def test_all_fields_at_once() -> None:
    design = fill.filled().design
    after = back(design)
    for table in TABLE_NAMES:
        assert after.tables[table] == design.tables[table], table
    assert after.about == design.about
    assert after.same(design)


@pytest.mark.parametrize("table", list(TABLES))
def test_one_field_at_a_time(table: str) -> None:
    """So that a field that is written only beside another one is found."""
    full = fill.full_record(table)
    needed = {
        spec.name: getattr(full, spec.name)
        for spec in dataclasses.fields(full)
        if spec.default is dataclasses.MISSING and spec.default_factory is dataclasses.MISSING
    }
    others = [(t, r) for t, r in fill.filled().records if t != table]
    for spec in dataclasses.fields(full):
        row = type(full)(**{**needed, spec.name: getattr(full, spec.name)})
        rows = [*fill.anchors(), *others, (table, row)]
        design = build(Change(t, r.id, None, r) for t, r in rows)
        assert back(design).tables[table][row.id] == row, spec.name


def test_false_zero_and_empty_are_not_the_default() -> None:
    """Where nothing is said a fabric carries RDMA, a job runs on an order of its own, a fault is on."""
    rows = [
        *fill.anchors(),
        *(("parts", part) for part in fill.parts()),
        ("fabrics", TABLES["fabrics"](id="f", technology="technology", rdma=False, lossless=False)),  # type: ignore[call-arg]
        ("jobs", TABLES["jobs"](id="j", workload="w", order=(), active=False)),  # type: ignore[call-arg]
        ("faults", TABLES["faults"](id="x", ref="r", links=0, rate_bps=0.0, on=False)),  # type: ignore[call-arg]
        ("racks", TABLES["racks"](id="r", type="rack", x_m=0.0, y_m=-0.0)),  # type: ignore[call-arg]
        ("policies", TABLES["policies"](id="none", value=None)),  # type: ignore[call-arg]
        ("policies", TABLES["policies"](id="no", value=False)),  # type: ignore[call-arg]
        ("policies", TABLES["policies"](id="empty", value={})),  # type: ignore[call-arg]
        ("overrides", TABLES["overrides"](id="part/x/y", value=None)),  # type: ignore[call-arg]
    ]
    design = build(Change(t, r.id, None, r) for t, r in rows)
    after = back(design)
    assert after.same(design)
    assert after.fabrics["f"].lossless is False
    assert after.jobs["j"].order == ()
    assert after.tables["policies"]["no"].value is False
    assert after.racks["r"].x_m == 0.0


CLEARED = [
    (table, name)
    for table, names in EDITABLE.items()
    for name in names
    if name not in ("config", "tags", "modes", "options", "transport", "technology", "workload", "text")
]
"""Every field that the window can empty, but mappings and what a record cannot be without."""


@pytest.mark.parametrize(("table", "name"), CLEARED, ids=lambda value: value)
def test_cleared_stays_cleared(table: str, name: str) -> None:
    """Set, saved, emptied as the property field empties it, saved again: as if it had never been set."""
    full = fill.full_record(table)
    spec = next(s for s in dataclasses.fields(full) if s.name == name)
    rows = [*fill.anchors(), *(("parts", part) for part in fill.parts()), (table, full)]
    before = back(build(Change(t, r.id, None, r) for t, r in rows))
    after = back(edited_unchecked(before, SetProperty(ref=f"{table}/{full.id}", field=name, value=None)))
    assert getattr(after.tables[table][full.id], name) == ("" if name == "name" else spec.default)


def edited_unchecked(design: Design, command: SetProperty) -> Design:
    """Without the fit check: these records are no real devices."""
    from tests.samples import CATALOG

    return design.apply(command.plan(design, CATALOG))


def test_about_is_written_and_read() -> None:
    about = About(
        title="Größe “1”", customer="客户", revision="B", variant_of="a.rackbuilder", next={"srv": 7}
    )
    assert back(Design().with_about(about)).about == about
