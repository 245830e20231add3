"""Damaged files: what can be read opens, the rest is set aside by line and written back; nothing is half read."""

import json

import pytest

from rackbuilder.catalog.parts import DeviceType, LinkTechnology, RackType, ReferencePart
from rackbuilder.commands.parts import CopyPart
from rackbuilder.errors import InputError
from rackbuilder.formats.native import read
from rackbuilder.formats.native.read import read_design
from rackbuilder.formats.native.write import write_design
from tests.formats.native.damage import DATA, LINES, SERVER, design, line_of, with_line, without_line
from tests.samples import edited

BAD = {
    "cut": '{"id":"srv-0001","type":"t-ser',
    "no object": "[1,2]",
    "null": "null",
    "text": "what a mess",
    "conflict mark": "<<<<<<< HEAD",
    "no id": '{"type":"t-server"}',
    "empty id": '{"id":"","type":"t-server"}',
    "id of another kind": '{"id":7,"type":"t-server"}',
    "a mark in the id": '{"id":"srv:1","type":"t-server"}',
    "a space in the id": '{"id":"srv 1","type":"t-server"}',
    "wrong kind": '{"id":"srv-0001","type":"t-server","u":"high"}',
    "a field twice": '{"id":"srv-0001","type":"t-server","u":1.0,"u":2.0}',
    "a field twice, unknown": '{"id":"srv-0001","type":"t-server","zz":{"a":1,"a":2}}',
    "wrong choice": '{"id":"srv-0001","type":"t-server","face":"top"}',
    "no number": '{"id":"srv-0001","type":"t-server","u":NaN}',
    "endless": '{"id":"srv-0001","type":"t-server","u":1e999}',
    "endless, unknown field": '{"id":"srv-0001","type":"t-server","zz":[-Infinity]}',
    "half a character": '{"id":"srv-0001","type":"t-server","name":"\\ud83d"}',
    "half a character, unknown field": '{"id":"srv-0001","type":"t-server","zz":{"\\udc00":1}}',
    "5,000 digits": '{"id":"srv-0001","type":"t-server","rail":' + "7" * 5000 + "}",
    "deep": '{"id":"srv-0001","type":"t-server","zz":' + "[" * 700 + "]" * 700 + "}",
    "bottomless": '{"id":"srv-0001","type":"t-server","zz":' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}",
    "open brackets": "[" * 100_000,
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_bad_record_is_set_aside_by_line_and_the_rest_opens(bad: str) -> None:
    loaded = read_design(with_line(SERVER, bad), "a.rackbuilder")
    number = line_of(SERVER) + 1
    assert loaded.problems[0].where == f"a.rackbuilder, line {number}"
    assert loaded.problems[0].severity == "error"
    assert len(loaded.problems[0].what) < 400
    # Its cable hangs in the air now; everything else is there.
    assert sorted(loaded.design.devices) == ["leaf-01", "leaf-02", "srv-0002"]
    assert sorted(loaded.design.cables) == ["cbl-0002"]
    assert len(loaded.design.racks) == 1


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_it_is_written_back_as_it_stood(bad: str) -> None:
    loaded = read_design(with_line(SERVER, bad), "file")
    once = write_design(loaded.design)
    assert bad in once.decode().replace(",\n", "\n").split("\n")
    again = read_design(once, "file")
    assert write_design(again.design) == once
    assert len(again.problems) == len(loaded.problems)


def test_mending_the_line_brings_it_back() -> None:
    bad = BAD["wrong choice"]
    once = write_design(read_design(with_line(SERVER, bad), "file").design).decode()
    mended = once.replace(bad, LINES[line_of(SERVER)].removesuffix(","))
    loaded = read_design(mended.encode(), "file")
    assert loaded.problems == ()
    assert loaded.design.same(design())


def test_a_merge_left_with_both_sides_keeps_the_first_and_sets_the_other_aside() -> None:
    server = LINES[line_of(SERVER)]
    other = server.replace('"u":1.0', '"u":30.0')
    assert other != server
    both = f"<<<<<<< ours\n{server}\n=======\n{other}\n>>>>>>> theirs"
    loaded = read_design(with_line(SERVER, both.removesuffix(",")), "file")
    assert loaded.design.devices["srv-0001"].u == 1.0
    assert [p.where for p in loaded.problems] == [
        f"file, line {line_of(SERVER) + 1 + n}" for n in (0, 2, 3, 4)
    ]
    assert "srv-0001 stands twice in devices" in [p.what for p in loaded.problems]
    assert other.removesuffix(",") in write_design(loaded.design).decode()


def test_a_missing_rack_takes_its_devices_and_their_cables_along() -> None:
    loaded = read_design(without_line('{"id":"rack-01"'), "file")
    assert not loaded.design.devices
    assert not loaded.design.cables
    assert len(loaded.problems) == 4 + 2
    assert loaded.problems[0].what == "leaf-01 names rack-01, which is not in the table of racks"
    assert len(loaded.design.aside.lines) == 6
    assert json.loads(write_design(loaded.design))["devices"]  # all still in the file


def test_putting_the_rack_back_brings_all_of_them_back() -> None:
    once = write_design(read_design(without_line('{"id":"rack-01"'), "file").design).decode()
    rack = LINES[line_of('{"id":"rack-01"')]
    table = f'"racks": [\n{rack}\n],\n"devices": ['
    loaded = read_design(once.replace('"devices": [', table).encode(), "file")
    assert loaded.problems == ()
    assert loaded.design.same(design())


def test_a_missing_group_goes_down_the_line() -> None:
    """The group under it, the servers in both, the cables of those; the leaves stay."""
    loaded = read_design(without_line('{"id":"grp-01"'), "file")
    assert sorted(loaded.design.devices) == ["leaf-01", "leaf-02"]
    assert not loaded.design.groups
    assert not loaded.design.cables


def test_a_long_chain_of_dangling_records_takes_no_long_time() -> None:
    """Each names the one before it, and the first names nothing: 20,000 passes over all would take hours."""
    rows = [{"id": f"g-{n}", "parent": f"g-{n - 1}"} for n in range(20_000)]
    data = {"format": "rackbuilder", "version": 1, "groups": rows}
    assert len(read_design(json.dumps(data).encode(), "file").problems) == 20_000


@pytest.mark.parametrize(
    ("start", "table", "user", "kind"),
    [
        ('{"kind":"device","id":"t-server"', "devices", "srv-0001", DeviceType),
        ('{"kind":"rack","id":"t-rack-42"', "racks", "rack-01", RackType),
        ('{"kind":"technology","id":"t-ndr"', "fabrics", "compute", LinkTechnology),
        ('{"kind":"cable","id":"t-fibre"', "cables", "cbl-0001", ReferencePart),
    ],
    ids=["device", "rack", "technology", "cable"],
)
def test_a_missing_part_is_stood_in_for_and_not_written(
    start: str, table: str, user: str, kind: type
) -> None:
    data = without_line(start)
    loaded = read_design(data, "file")
    assert len(loaded.problems) == 1
    assert loaded.problems[0].refs == (user,)
    assert user in loaded.design.tables[table]
    identity = json.loads(LINES[line_of(start)].removesuffix(","))["id"]
    assert isinstance(loaded.design.parts[identity], kind)
    for name in ("devices", "racks", "cables", "fabrics"):
        assert sorted(loaded.design.tables[name]) == sorted(design().tables[name])
    once = write_design(loaded.design)
    assert once == data  # as if we had never looked
    assert read_design(once, "file").problems == loaded.problems


def test_a_part_that_only_the_parts_name_may_be_missing() -> None:
    loaded = read_design(without_line('{"kind":"gpu","id":"t-h100"'), "file")
    assert loaded.problems == ()
    assert sorted(loaded.design.devices) == sorted(design().devices)


def test_a_copy_made_of_a_stand_in_is_a_part_of_ones_own() -> None:
    loaded = read_design(without_line('{"kind":"device","id":"t-server"'), "file")
    after = edited(loaded.design, CopyPart(base="t-server", id="own", fields={"u_height": 4}))
    ids = [part["id"] for part in json.loads(write_design(after))["parts"]]
    assert "own" in ids
    assert "t-server" not in ids


def test_a_part_of_the_wrong_kind_sets_its_user_aside() -> None:
    data = with_line('{"id":"rack-01"', '{"id":"rack-01","type":"t-server"}')
    loaded = read_design(data, "file")
    assert "t-server is not a rack" in loaded.problems[0].what.replace("DGX H100", "t-server")
    assert not loaded.design.racks


# ---- what is no file of ours, or no whole one


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no rackbuilder file"),
        (b" \n ", "no rackbuilder file"),
        (b"[]", "no rackbuilder file"),
        (b"5", "no rackbuilder file"),
        (b"null", "no rackbuilder file"),
        (b"{}", "does not say so in “format”"),
        (b"{\n}\n", "does not say so in “format”"),
        (b'{"format":"rackbuilder"}', "does not say its version"),
        (b'{"format":"draw.io","version":1}', "does not say so in “format”"),
        (b'{"format":["rackbuilder"],"version":1}', "does not say so in “format”"),
        (b'{"format":"rackbuilder","version":"1"}', "does not say its version"),
        (b'{"format":"rackbuilder","version":1.0}', "does not say its version"),
        (b'{"format":"rackbuilder","version":true}', "does not say its version"),
        (b'{"format":"rackbuilder","version":0}', "does not say its version"),
        (b'{"format":"rackbuilder","version":-1}', "does not say its version"),
        (b'{\n"format": "rackbuilder",\n"version": ' + b"9" * 5000 + b"\n}\n", "does not say its version"),
        (b'{"format":"rackbuilder","version":1,"x":' + b"9" * 5000 + b"}", "damaged"),
        (b'{"format":"rackbuilder","version":1,"about":{},"about":{}}', "“about” stands twice"),
        (b'{"format":"rackbuilder","version":1,"groups":[{"id":"a","id":"b"}]}', "a field stands twice"),
        ("{\"format\":\"größe\"}".encode("latin-1"), "Byte 13 is not UTF-8"),
        (DATA.decode().encode("utf-16"), "Byte 0 is not UTF-8"),
        (b"\x00" * 1000, "no rackbuilder file"),
        (b"PK\x03\x04" + bytes(range(200)), "not UTF-8"),
        (b"<xml/>", "no rackbuilder file"),
        (b"[" * 200_000, "no rackbuilder file"),
        (b'{"format":"rackbuilder","version":1,"x":' + b"[" * 200_000, "damaged"),
    ],
    ids=range(26),
)  # fmt: skip
def test_foreign_files_are_refused_in_words(data: bytes, words: str) -> None:
    with pytest.raises(InputError) as caught:
        read_design(data, "some.file")
    (problem,) = caught.value.problems
    assert words in problem.what
    assert problem.where == "some.file"
    assert problem.fix


def test_a_newer_file_is_never_half_read() -> None:
    for data in (DATA, json.dumps(json.loads(DATA)).encode()):
        newer = data.replace(b'"version": 1', b'"version": 2')
        assert newer != data
        with pytest.raises(InputError, match="version 2; this rackbuilder reads up to 1"):
            read_design(newer, "file")


def test_cut_off_anywhere_it_is_refused_and_says_so() -> None:
    """But for the last line end, which is not missed."""
    for length in range(1, len(DATA) - 2, 97):
        with pytest.raises(InputError) as caught:
            read_design(DATA[:length], "file")
        assert caught.value.problems[0].fix
        if length > 30:
            assert "breaks off or is damaged" in caught.value.problems[0].what
            assert ".bak" in caught.value.problems[0].fix


def test_records_over_several_lines_in_a_damaged_file_are_not_taken_to_pieces() -> None:
    text = json.dumps(json.loads(DATA), indent=1).replace('"u": 1.0', '"u": ', 1)
    with pytest.raises(InputError, match="damaged"):
        read_design(text.encode(), "file")


def test_a_line_lost_anywhere_costs_no_more_than_that_line() -> None:
    """Whatever line goes, the file opens or is refused in words, and a save of it opens again."""
    for index in range(len(LINES) - 1):
        data = "\n".join(LINES[:index] + LINES[index + 1 :]).encode()
        try:
            loaded = read_design(data, "file")
        except InputError as error:
            assert error.problems[0].fix  # noqa: PT017
            continue
        once = write_design(loaded.design)
        again = read_design(once, "file")
        assert write_design(again.design) == once
        assert again.design.same(loaded.design)


def test_a_file_larger_than_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "SIZE_LIMIT_BYTES", len(DATA) - 1)
    with pytest.raises(InputError, match="the limit is"):
        read_design(DATA, "file")
