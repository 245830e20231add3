"""Which plug fits which cage, and what a link then is."""

from __future__ import annotations

import pytest

from rackbuilder.catalog.compatibility import link_rate_bps, mates, protocols_meet
from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.parts import CableType, Cages, OpticType, Protocol, Top
from rackbuilder.catalog.ports import Port


def cages(connector: str, top: Top = "none") -> Cages:
    return Cages(name="p", count=1, connector=connector, top=top)


# LinkX overview: finned plugs go into air-cooled switches only, flat ones into cards, DGX and liquid-cooled switches.
@pytest.mark.parametrize(
    ("plug", "top", "cage", "cage_top", "fits"),
    [
        ("OSFP", "finned", "OSFP", "finned", True),
        ("OSFP", "flat", "OSFP", "flat", True),
        ("OSFP", "finned", "OSFP", "flat", False),
        ("OSFP", "flat", "OSFP", "finned", False),
        ("OSFP", "flat", "OSFP", "none", True),  # nobody published the top
        ("OSFP", "flat", "QSFP112", "none", False),
        ("QSFP112", "none", "OSFP", "flat", False),
        ("QSFP112", "none", "QSFP112", "none", True),
        ("QSFP56", "none", "QSFP112", "none", True),
        ("QSFP28", "none", "QSFP112", "none", True),
        ("QSFP112", "none", "QSFP56", "none", False),
        ("RJ45", "none", "QSFP28", "none", False),
        ("OSFP", "flat", "unknown", "none", True),
    ],
)
def test_mates(plug: str, top: Top, cage: str, cage_top: Top, fits: bool) -> None:
    reason = mates(plug, top, cages(cage, cage_top))
    assert (reason is None) == fits


def test_reasons_are_words() -> None:
    assert mates("QSFP112", "none", cages("OSFP", "flat")) == "its plug is QSFP112, the cage OSFP"
    reason = mates("OSFP", "finned", cages("OSFP", "flat"))
    assert reason == "its OSFP plug has a finned (IHS) top, the cage takes a flat (RHS) one"


def test_shipped_parts_fit_where_their_pages_say() -> None:
    catalog = shipped()
    switch, server = catalog.device("qm9700").cages[0], catalog.device("dgx-h100").cages[0]
    splitter, card_optic = catalog.part("mcp7y00-nxxx"), catalog.part("mma4z00-ns400")
    assert isinstance(splitter, CableType)
    assert isinstance(card_optic, OpticType)
    assert mates(splitter.a.connector, splitter.a.top, switch) is None
    assert mates(splitter.a.connector, splitter.a.top, server) is not None
    assert mates(card_optic.connector, card_optic.top, catalog.device("ufm-enterprise-ndr").cages[0]) is None


def test_a_link_runs_at_the_slower_end() -> None:
    row = cages("OSFP")
    fast, slow, unknown = (Port("p1/1", row, "p1", 0, rate) for rate in (400e9, 200e9, None))
    assert link_rate_bps(fast, slow) == link_rate_bps(slow, fast) == 200e9
    assert link_rate_bps(fast, unknown) is None


@pytest.mark.parametrize(
    ("a", "b", "meet"),
    [
        (("infiniband",), ("infiniband", "ethernet"), True),
        (("infiniband",), ("ethernet",), False),
        ((), ("ethernet",), True),
    ],
)
def test_protocols_meet(a: tuple[Protocol, ...], b: tuple[Protocol, ...], meet: bool) -> None:
    assert protocols_meet(a, b) == protocols_meet(b, a) == meet
