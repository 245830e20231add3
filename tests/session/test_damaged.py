"""Whatever is missing from a file or wrong in it, what opens can be analysed, exported and saved without a fault."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.formats import EXPORTS
from rackbuilder.formats.native.read import Loaded, read_design
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.analyst import Analyst
from rackbuilder.topology.graphs import build_graphs

FILE = Path(__file__).parents[1] / "data" / "files" / "version-1.rackbuilder"
LINES = FILE.read_text(encoding="utf-8").split("\n")
RECORDS = [n for n, line in enumerate(LINES) if line.startswith("{") and len(line) > 1]


def used(loaded: Loaded, documents: bool = False) -> None:
    design = loaded.design
    graphs = build_graphs(design)
    report = Analyst(shipped_workloads()).run(design, graphs, 0).report
    for export in EXPORTS if documents else ():
        assert export.write(design, graphs, report)
    data = write_design(design)
    again = read_design(data, "file")
    assert again.design.same(design)
    assert again.design.about == design.about


def opened(lines: list[str]) -> Loaded:
    return read_design("\n".join(lines).encode(), "file")


def test_the_file_itself() -> None:
    loaded = opened(LINES)
    used(loaded, documents=True)


@pytest.mark.parametrize("index", RECORDS)
def test_any_record_may_be_missing(index: int) -> None:
    last = LINES[index + 1].startswith("]")
    before = [*LINES[: index - 1], LINES[index - 1].removesuffix(",") if last else LINES[index - 1]]
    loaded = opened([*before, *LINES[index + 1 :]])
    used(loaded, documents="parts" in LINES[index - 1] or LINES[index].startswith('{"kind"'))


KNOWN = (
    "srv-0001", "leaf-01", "spine-01", "sw-01", "rack-01", "compute", "out-of-band", "grp-01", "t-server", "t-qm9700",
    "t-ndr", "hall-01", "asm-01", "job-01", "", "a b",
)  # fmt: skip
VALUES: st.SearchStrategy[Any] = st.one_of(
    st.sampled_from(KNOWN),
    st.sampled_from(
        (None, True, 0, -1, 1, 0.5, 3, 1e9, 1e300, -1e18, [], {}, ["srv-0001", "osfp1/1"], {"osfp1": 4})
    ),
    st.sampled_from(
        ("existing", "spare", "failed", "degraded", "liquid", "ethernet", "nvlink", "rear", "leaf")
    ),
)
FIELDS = (
    "parent", "fabric", "rack", "part", "type", "role", "rail", "modes", "u", "slot", "face", "groups", "assembly",
    "length_m", "state", "x_m", "space", "ref", "sizes", "where", "gpus", "cages", "technology", "rate_bps",
)  # fmt: skip


def changed(data: st.DataObject, value: Any, deep: int = 0) -> Any:
    """A value with one thing in it replaced, added or taken away."""
    if isinstance(value, dict) and value and (deep == 0 or data.draw(st.integers(0, 3))):
        key = data.draw(st.sampled_from((*value, *(FIELDS if deep == 0 else ()))))
        if key in value and data.draw(st.integers(0, 4)) == 0:
            return {name: row for name, row in value.items() if name != key}
        return {**value, key: changed(data, value.get(key), deep + 1)}
    if isinstance(value, list) and value and data.draw(st.integers(0, 3)):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], changed(data, value[place], deep + 1), *value[place + 1 :]]
    return data.draw(VALUES)


@settings(max_examples=150)
@given(st.data())
def test_any_value_may_be_wrong(data: st.DataObject) -> None:
    lines = list(LINES)
    for _ in range(data.draw(st.integers(1, 2))):
        index = data.draw(st.sampled_from(RECORDS))
        comma = "," if lines[index].endswith(",") else ""
        record = json.loads(lines[index].removesuffix(","))
        lines[index] = json.dumps(changed(data, record), ensure_ascii=False) + comma
    loaded = opened(lines)
    used(loaded)


LOOPS = (
    ("groups", '{"id":"grp-01","name":"pod","kind":"pod"', ',"parent":"grp-01"'),
    ("devices", '{"id":"srv-0001"', ',"parent":"srv-0001"'),
    ("spaces", '{"id":"hall-01"', ',"parent":"hall-01"'),
)


@pytest.mark.parametrize(("table", "start", "field"), LOOPS, ids=[row[0] for row in LOOPS])
def test_a_record_that_is_its_own_parent_is_no_endless_loop(table: str, start: str, field: str) -> None:
    (index,) = (n for n, line in enumerate(LINES) if line.startswith(start))
    comma = "," if LINES[index].endswith(",") else ""
    line = LINES[index].removesuffix(",").removesuffix("}") + field + "}" + comma
    loaded = opened([*LINES[:index], line, *LINES[index + 1 :]])
    assert loaded.problems == ()
    used(loaded, documents=True)
