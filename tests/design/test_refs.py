import pytest

from rackbuilder.design import refs
from rackbuilder.design.refs import Ref


@pytest.mark.parametrize(
    ("text", "ref"),
    [
        ("srv-0007", Ref("srv-0007")),
        ("srv-0007:osfp3", Ref("srv-0007", port="osfp3")),
        ("srv-0007:osfp3/2.1", Ref("srv-0007", port="osfp3/2.1")),
        ("srv-0007.gpu3", Ref("srv-0007", inner="gpu3")),
        ("tray-07~nvsw-03", Ref("tray-07", other="nvsw-03")),
    ],
)
def test_refs_are_parsed(text: str, ref: Ref) -> None:
    assert refs.parse(text) == ref


def test_names_are_made_as_they_are_read() -> None:
    assert refs.parse(refs.port_ref("srv-0007", "osfp3/2")) == Ref("srv-0007", port="osfp3/2")
    assert refs.parse(refs.gpu_ref("srv-0007", 3)) == Ref("srv-0007", inner="gpu3")
    assert refs.derived_link("tray-07", "nvsw-03") == refs.derived_link("nvsw-03", "tray-07")


def test_servers_and_cables_have_four_digits() -> None:
    assert [refs.numbered(p, 7) for p in ("srv", "cbl", "leaf")] == ["srv-0007", "cbl-0007", "leaf-07"]
    assert refs.numbered("leaf", 128) == "leaf-128"


@pytest.mark.parametrize("bad", ["", "a b", "a:b", "a~b", "a/b", "a.b", "a\nb", 'a"b', "x" * 201])
def test_ids_that_would_break_refs_are_invalid(bad: str) -> None:
    assert not refs.valid_id(bad)


def test_ids_of_parts_that_came_from_elsewhere_are_valid() -> None:
    assert refs.valid_id("dgx-h100@2026-11-30")
    assert refs.split_number("su-03.x") is None
    assert refs.split_number("srv-0012") == ("srv", 12)
    assert refs.raised({"srv": 5}, ["srv-0002", "srv-0009", "compute"]) == {"srv": 10}
