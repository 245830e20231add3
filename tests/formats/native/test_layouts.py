"""The file around the records: its header, its tables, and layouts by another hand."""

import json
from collections.abc import Callable

import pytest

from rackbuilder.design.design import Design
from rackbuilder.formats.native.read import Loaded, read_design
from rackbuilder.formats.native.write import write_design
from tests.formats.native.damage import DATA, LINES, design, line_of, with_line


def about(text: str) -> Loaded:
    return read_design(with_line('"about":', f'"about": {text}'), "file")


def test_a_wrong_field_of_the_title_block_costs_that_field_alone() -> None:
    loaded = about('{"title":5,"customer":"Ω","next":{"srv":77},"stand":"2026"}')
    assert (loaded.design.about.title, loaded.design.about.customer) == ("", "Ω")
    assert loaded.design.about.next == {"srv": 77}
    assert loaded.design.about.extra == {"stand": "2026"}
    assert "title" in loaded.problems[0].what
    assert "default" in loaded.problems[0].fix  # and not: “written back”


@pytest.mark.parametrize(
    "text", ["5", "null", '"x"', "[]", "[1]", '{"title":', '{"title":"\\ud800"}', "{" * 99_999]
)
def test_a_title_block_that_is_none_is_replaced(text: str) -> None:
    loaded = about(text)
    assert loaded.design.about == Design().about
    assert "about" in loaded.problems[0].what
    assert loaded.design.same(design())
    once = write_design(loaded.design)
    assert once.decode().count('"about"') == 1
    assert read_design(once, "file").problems == ()


@pytest.mark.parametrize("value", ["{}", "7", "null", '{"srv-0001": {"id": "srv-0001"}}'])
def test_a_table_that_is_no_list_is_kept_and_named(value: str) -> None:
    data = json.dumps({"format": "rackbuilder", "version": 1, "devices": json.loads(value)})
    loaded = read_design(data.encode(), "file")
    assert loaded.problems[0].what == "“devices” is no list of records"
    once = write_design(loaded.design)
    assert json.loads(once)["devices"] == [json.loads(value)]
    assert len(read_design(once, "file").problems) == 1


def test_a_table_that_stands_twice_is_joined() -> None:
    leaf = LINES[line_of('{"id":"leaf-01"')].removesuffix(",")
    by_line = DATA.decode().replace(f"{leaf},\n", f'{leaf}\n],\n"devices": [\n')
    groups = '"groups": [{"id": "g-9"}]'
    whole = json.dumps(json.loads(DATA))[:-1] + f", {groups}}}"
    for data in (by_line, whole):
        loaded = read_design(data.encode(), "file")
        assert loaded.problems == ()
        assert loaded.design.devices == design().devices
    assert sorted(read_design(whole.encode(), "file").design.groups) == ["g-9", "grp-01", "grp-02"]


def test_a_table_on_one_line_among_our_own_lines_is_read() -> None:
    """Our own layout, but a hand that likes it short."""
    start, end = line_of('"racks": ['), line_of('{"id":"rack-01"') + 2
    rack = LINES[start + 1]
    text = "\n".join([*LINES[:start], f'"racks": [{rack}],', *LINES[end:]])
    loaded = read_design(text.encode(), "file")
    assert loaded.problems == ()
    assert loaded.design.same(design())


def test_two_records_on_one_line_are_both_read() -> None:
    text = DATA.decode().replace(',\n{"id":"srv-0002"', ', {"id":"srv-0002"')
    assert text != DATA.decode()
    loaded = read_design(text.encode(), "file")
    assert loaded.problems == ()
    assert loaded.design.same(design())


LAYOUTS: dict[str, Callable[[bytes], bytes]] = {
    "mark": lambda data: b"\xef\xbb\xbf" + data,
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "mark and CRLF": lambda data: b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n"),
    "no last line end": lambda data: data.rstrip(),
    "blank lines": lambda data: data.replace(b"\n", b"\n\n"),
    "indented": lambda data: data.replace(b"\n", b"\n    "),
}


@pytest.mark.parametrize("change", LAYOUTS.values(), ids=LAYOUTS)
def test_line_ends_and_marks_of_other_editors(change: Callable[[bytes], bytes]) -> None:
    loaded = read_design(change(DATA), "file")
    assert loaded.problems == ()
    assert write_design(loaded.design) == DATA


def test_a_bad_record_in_another_layout_is_named_by_its_place() -> None:
    data = json.loads(DATA)
    data["devices"][2]["u"] = "high"
    loaded = read_design(json.dumps(data, indent=1).encode(), "file")
    assert loaded.problems[0].where == "file, record 3 of devices"
    data["devices"][2]["u"] = float("nan")
    loaded = read_design(json.dumps(data, indent=1).encode(), "file")
    assert loaded.problems[0].where == "file, record 3 of devices"
    once = write_design(loaded.design)
    assert '"u":NaN' in once.decode()
    assert write_design(read_design(once, "file").design) == once


def test_half_a_character_in_another_layout_is_set_aside() -> None:
    data = json.loads(DATA)
    data["devices"][2]["name"] = "\ud83d"
    loaded = read_design(json.dumps(data, indent=1).encode(), "file")
    assert loaded.problems[0].where == "file, record 3 of devices"
    assert "\\ud83d" in write_design(loaded.design).decode()
