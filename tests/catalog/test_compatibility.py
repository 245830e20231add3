"""Which plug fits which cage, and what a link then is."""

from __future__ import annotations

import pytest

from rackbuilder.catalog.compatibility import (
    fibre_misfit,
    generation_fault,
    link_rate_bps,
    mates,
    optics_apart,
    plug_family,
    plug_misfit,
    protocols_meet,
    reach_m,
    right_air,
    shape_of_optic,
)
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


# ---- plugs, optics, fibres, air


def optic(identity: str) -> OpticType:
    part = shipped().part(identity)
    assert isinstance(part, OpticType)
    return part


def cable(identity: str) -> CableType:
    part = shipped().part(identity)
    assert isinstance(part, CableType)
    return part


@pytest.mark.parametrize(
    ("plug", "device", "kind"),
    [
        ("mma4z00-ns", "qm9700", None),
        ("mma4z00-ns-flt", "qm9700", "top"),
        ("mma4z00-ns400", "qm9700", "top"),
        ("mma4z00-ns-flt", "dgx-h100", None),
        ("mma4z00-ns", "dgx-h100", "top"),
        ("mma4z00-ns400", "dgx-h100", "ports"),
        ("mma4z00-ns400", "ufm-enterprise-ndr", None),
        ("mma4z00-ns-flt", "ufm-enterprise-ndr", "ports"),
        ("mma1z00-ns400", "qm9700", "connector"),
        # SN5600: cages of one 800G port that may be split: a twin-port 2 x 400G plug belongs there.
        ("mma4z00-ns-t", "sn5600", None),
    ],
)
def test_plugs_in_cages(plug: str, device: str, kind: str | None) -> None:
    misfit = plug_misfit(shape_of_optic(optic(plug)), shipped().device(device).cages[0])
    assert (misfit.kind if misfit else None) == kind


def test_the_family_that_belongs_there() -> None:
    assert plug_family(shipped().device("qm9700").cages[0]) == "a twin-port finned (IHS) OSFP plug"
    assert plug_family(shipped().device("dgx-h100").cages[0]) == "a twin-port flat (RHS) OSFP plug"


@pytest.mark.parametrize(
    ("a", "b", "reason"),
    [
        ("mma4z00-ns", "mma4z00-ns-flt", None),  # finned and flat interoperate over fibre
        ("mma4z00-ns", "mma1z00-ns400", None),  # OSFP and QSFP112 too
        ("mma4z00-ns", "mms4x00-ns", "never link"),
        ("mms4a00", "mms4x00-ns", "cannot step down"),
        ("mms4x50-nm", "mms4x00-nm", "do not understand each other"),
    ],
)
def test_which_optics_meet(a: str, b: str, reason: str | None) -> None:
    for said in (optics_apart(optic(a), optic(b)), optics_apart(optic(b), optic(a))):
        assert (said is None) == (reason is None)
        assert reason is None or reason in (said or "")


def test_fibres_suit_their_optics() -> None:
    assert fibre_misfit(optic("mma4z00-ns"), cable("mfp7e10-nxxx")) is None
    assert "the fibre is single-mode" in (fibre_misfit(optic("mma4z00-ns"), cable("mfp7e30-nxxx")) or "")
    # HDR and EDR multimode is flat (UPC), the NDR cord is angled (APC).
    assert "never mate" in (fibre_misfit(optic("mma1b00-c100d"), cable("mfp7e10-nxxx")) or "")


def test_reach_is_the_least_of_all_parts() -> None:
    """DR4 of 500 m to a card of 100 m: 100 m; with a 1:2 splitter fibre of 50 m: 50 m."""
    assert reach_m(optic("mms4x00-nm"), optic("mms4x00-ns400")) == 100
    assert reach_m(optic("mms4x00-nm"), optic("mms4x00-ns400"), cable("mfp7e40-nxxx")) == 50


def test_what_xdr_does_not_have() -> None:
    for name in ("mfp7e10-nxxx", "mfs1s00-hxxxv"):
        assert generation_fault(cable(name), 800e9)
        assert generation_fault(cable(name), 400e9) is None
    assert generation_fault(cable("mca4k50"), 800e9) is None


def test_air_enters_at_the_cold_front() -> None:
    """P2C: from the power side to the connectors, which then look to the hot aisle behind the rack."""
    assert (right_air("rear"), right_air("front")) == ("P2C", "C2P")
