"""Each rule of plugs, fibres and air with a design that breaks it and one that stays clean."""

from __future__ import annotations

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.commands.base import Command
from rackbuilder.commands.cabling import ConnectBundle
from rackbuilder.commands.devices import PlaceDevice, SetProperty
from rackbuilder.design.design import Design
from rackbuilder.design.draft import Draft
from rackbuilder.rules.finding import Finding
from rackbuilder.session.analyst import Analyst
from rackbuilder.templates.superpod import Superpod
from rackbuilder.topology.graphs import build_graphs
from tests.analysis.cabling.samples import link, made, media_of, plug, policy, rack, switch


def found(design: Design, rule: str = "optics") -> list[Finding]:
    outcome = Analyst(shipped_workloads()).run(design, build_graphs(design), 0)
    return [f for f in outcome.findings if f.problem.rule.startswith(rule)]


def one(design: Design, rule: str) -> Finding:
    rows = found(design)
    assert [f.problem.rule for f in rows] == [rule], [f.problem.text() for f in rows]
    return rows[0]


def mended(design: Design, item: Finding) -> Design:
    assert item.fix is not None
    return made(item.fix, base=design)


def pair(*more: Command, type_: str = "qm9700", u: float = 2) -> Design:
    return made(rack(), switch("low", 1, type_=type_), switch("high", u, type_=type_), *more)


# ---- plugs in cages


def test_plugs_in_the_wrong_cages_are_an_error_each() -> None:
    """Flat twin and single-port plug in an air-cooled QM9700, finned twin plug in a DGX H100: three errors."""
    server = PlaceDevice(type="dgx-h100", name="srv", rack="A01", u=10)
    design = made(
        rack(), switch("leaf", 1), server,
        plug("leaf:osfp1", "mma4z00-ns-flt"),
        plug("leaf:osfp2", "mma4z00-ns400"),
        plug("srv:osfp1", "mma4z00-ns"),
    )  # fmt: skip
    rows = found(design)
    assert [(f.problem.rule, f.problem.refs[0], f.problem.severity) for f in rows] == [
        ("optics.top", "srv-0001:osfp1", "error"),
        ("optics.top", "sw-01:osfp1", "error"),
        ("optics.top", "sw-01:osfp2", "error"),
    ]
    for row, family, right in zip(
        rows,
        ("twin-port flat (RHS)", "twin-port finned (IHS)", "twin-port finned (IHS)"),
        ("MMA4Z00-NS-FLT:", "MMA4Z00-NS:", "MMA4Z00-NS:"),
        strict=True,
    ):
        assert f"Use a {family} OSFP plug" in row.problem.fix
        assert right in row.problem.fix
        design = mended(design, row)
    assert found(design) == []


def test_a_single_port_plug_in_a_twin_cage_of_the_same_top() -> None:
    """DGX cages are flat and twin-port: the single-port plug of a card goes in, and half of the cage is dead."""
    server = PlaceDevice(type="dgx-h100", name="srv", rack="A01", u=10)
    design = made(rack(), server, plug("srv:osfp1", "mma4z00-ns400"))
    finding = one(design, "optics.ports")
    assert "single-port plug leaves a port of the twin-port cage unused" in finding.problem.what
    assert found(mended(design, finding)) == []


def test_a_twin_plug_is_too_much_for_a_card() -> None:
    card = PlaceDevice(type="ufm-enterprise-ndr", name="ufm", rack="A01", u=10)
    finding = one(made(rack(), card, plug("ufm:osfp1", "mma4z00-ns-flt")), "optics.ports")
    assert "a single-port flat (RHS) OSFP plug" in finding.problem.fix
    assert found(made(rack(), card, plug("ufm:osfp1", "mma4z00-ns400"))) == []


def test_a_cable_whose_ends_suit_one_cage_each_but_not_both() -> None:
    """Flat to finned (FTF) between two finned cages: each end would fit alone."""
    design = pair(link("low:osfp1/1", "high:osfp1/1", "mca4j80-nxxx-ftf", 3))
    finding = one(design, "optics.cable-end")
    assert found(mended(design, finding)) == []
    assert {c.part for c in media_of(mended(design, finding)).cables.values()} == {"mca4j80-nxxx"}


# ---- optics with optics


def run_of(length_m: float, fibre: str, low: str, high: str) -> Design:
    return pair(
        link("low:osfp1/1", "high:osfp1/1", fibre, length_m), plug("low:osfp1", low), plug("high:osfp1", high)
    )


def test_multimode_and_single_mode_never_link() -> None:
    design = run_of(10, "mfp7e10-nxxx", "mms4x00-ns", "mma4z00-ns")
    finding = one(design, "optics.pair")
    assert "single-mode and multimode optics mate and never link" in finding.problem.what
    assert set(finding.problem.refs) == {"cbl-0001", "sw-01:osfp1", "sw-02:osfp1"}
    assert found(mended(design, finding)) == []


def test_multimode_ends_at_50_metres_and_single_mode_goes_on() -> None:
    design = run_of(72, "mfp7e10-nxxx", "mma4z00-ns", "mma4z00-ns")
    finding = one(design, "optics.reach")
    assert "cbl-0001 is 72 m long; its multimode fibre reaches 50 m" in finding.problem.what
    assert "Single-mode fibre does" in finding.problem.fix
    assert found(mended(design, finding)) == []
    assert found(run_of(72, "mfp7e30-nxxx", "mms4x00-ns", "mms4x00-ns")) == []
    assert found(run_of(50, "mfp7e10-nxxx", "mma4z00-ns", "mma4z00-ns")) == []


def test_a_fibre_of_the_other_kind_than_its_optics() -> None:
    design = run_of(10, "mfp7e30-nxxx", "mma4z00-ns", "mma4z00-ns")
    finding = one(design, "optics.fibre")
    assert "the fibre is single-mode, the optic multimode" in finding.problem.what
    assert found(mended(design, finding)) == []


def test_fr4_meets_no_dr4_and_takes_no_mpo_cord() -> None:
    assert one(run_of(90, "mfp7e30-nxxx", "mms4x50-nm", "mms4x00-ns"), "optics.pair")
    finding = one(run_of(90, "mfp7e30-nxxx", "mms4x50-nm", "mms4x50-nm"), "optics.fibre")
    assert "the fibre ends in MPO-12, the optic takes duplex LC" in finding.problem.what


def test_lanes_of_optics_do_not_step_down() -> None:
    """XDR optics have 200G lanes, NDR ones 100G: the ports may train, the light does not."""
    design = made(
        rack(), switch("xdr", 1, type_="q3400-ra"), switch("ndr", 8),
        link("xdr:osfp1/1", "ndr:osfp1/1", "mfp7e30-nxxx", 20),
        plug("xdr:osfp1", "mms4a00"), plug("ndr:osfp1", "mms4x00-ns"),
    )  # fmt: skip
    finding = one(design, "optics.pair")
    assert "optics with 200G lanes cannot step down to 100G lanes" in finding.problem.what


def test_both_fibres_of_a_twin_plug_are_of_one_kind() -> None:
    """Socket 1 straight to a card, socket 2 split to two cards: an error at that plug. Both split: clean."""
    cards = [
        PlaceDevice(type="ufm-enterprise-ndr", name=f"ufm{n}", rack="A01", u=3 + 2 * n) for n in range(1, 5)
    ]
    base = made(rack(), switch("leaf", 1), *cards, SetProperty(ref="leaf", field="modes.osfp1", value=2))
    straight, split = "mfp7e10-nxxx", "mfp7e20-nxxx"

    def cabled(first: str, ports: tuple[str, ...]) -> Design:
        parts = [first if port.startswith("1") else split for port in ports]
        rows = zip(ports, parts, strict=True)
        return made(
            *(link(f"leaf:osfp1/{p}", f"ufm{n}:osfp1/1", part, 10) for n, (p, part) in enumerate(rows, 1)),
            base=base,
        )

    finding = one(cabled(straight, ("1.1", "2.1", "2.2")), "optics.mixed-fibres")
    assert finding.problem.refs[0] == "sw-01:osfp1"
    assert found(cabled(split, ("1.1", "1.2", "2.1", "2.2"))) == []


# ---- protocols and generations


def test_ethernet_only_optics_stay_out_of_infiniband() -> None:
    design = run_of(10, "mfp7e10-nxxx", "mma4z00-ns-t", "mma4z00-ns")
    finding = one(design, "optics.protocol")
    assert "is for Ethernet only; the link is InfiniBand" in finding.problem.what
    assert found(mended(design, finding)) == []


def test_active_copper_of_infiniband_stays_out_of_ethernet() -> None:
    ethernet = pair(
        SetProperty(ref="low", field="modes.osfp1", value=2),
        SetProperty(ref="high", field="modes.osfp1", value=2),
        link("low:osfp1/1.1", "high:osfp1/1.1", "mca4j80-nxxx", 3),
        type_="sn5600",
        u=4,
    )
    assert one(ethernet, "optics.protocol").problem.severity == "error"
    assert found(pair(link("low:osfp1/1", "high:osfp1/1", "mca4j80-nxxx", 3))) == []


def test_xdr_has_no_multimode_and_no_passive_copper() -> None:
    multimode = pair(link("low:osfp1/1", "high:osfp1/1", "mfp7e10-nxxx", 20), type_="q3400-ra", u=10)
    finding = one(multimode, "optics.generation")
    assert "800 Gb/s on 200G lanes has no multimode" in finding.problem.what
    assert found(mended(multimode, finding)) == []
    assert found(pair(link("low:osfp1/1", "high:osfp1/1", "mca4k50", 2), type_="q3400-ra", u=10)) == []


def test_a_cable_slower_than_its_ports() -> None:
    """MCP1600 is a 100 Gb/s cable; QSFP56 cages of a QM8700 take it and run at its rate."""
    design = pair(link("low:qsfp1/1", "high:qsfp1/1", "mcp1600-e0xxeyy", 2), type_="qm8700")
    finding = one(design, "optics.slow-cable")
    assert "carries 100 Gb/s per direction, its ports 200 Gb/s" in finding.problem.what
    assert found(pair(link("low:qsfp1/1", "high:qsfp1/1", "mfs1s00-hxxxv", 3), type_="qm8700")) == []


def test_older_servers_beside_newer_ones_are_a_warning_and_no_cabling_error() -> None:
    """A server of 200 Gb/s NICs on the leaf of seven of 400 Gb/s."""
    h100 = PlaceDevice(type="dgx-h100", name="new##", count=7)
    a100 = PlaceDevice(type="dgx-a100", name="old##", count=1)
    leaf = PlaceDevice(type="qm9700", name="leaf", role="leaf")
    new = tuple(f"srv-{n:04d}" for n in range(1, 8))
    same = made(h100, leaf, ConnectBundle(sources=new, targets=("leaf",)))
    mixed = made(
        a100,
        link("srv-0008:qsfp1/1", "leaf:osfp32/2"),
        base=same,
    )
    finding = one(mixed, "optics.generations")
    assert "1 server at 200 Gb/s beside 7 servers at 400 Gb/s" in finding.problem.what
    assert finding.problem.severity == "warning"
    assert finding.problem.refs == ("srv-0008",)
    assert found(same) == []


# ---- lengths and sale


def test_passive_copper_longer_than_it_is_sold() -> None:
    """2.4 m between switches: twin-port passive copper ends at 2 m."""
    twins = [link(f"low:osfp1/{n}", f"high:osfp1/{n}", "mcp4y10-nxxx") for n in (1, 2)]
    design = pair(policy("slack_m", round(2.4 - 30 * 0.04445 - 0.7, 4)), *twins, u=31)
    finding = one(design, "optics.too-long")
    assert "needs 2.4 m" in finding.problem.what
    assert "is sold up to 2 m" in finding.problem.what
    assert "Active copper (ACC) does: NVIDIA LinkX MCA4J80-Nxxx" in finding.problem.fix
    after = mended(design, finding)
    assert found(after) == []
    assert {(c.part, c.length_m) for c in media_of(after).cables.values()} == {("mca4j80-nxxx", 3.0)}


def test_a_set_length_that_does_not_reach() -> None:
    """30 units up, 0.7 m to the side and back: 2.03 m; the set 2 m end before."""
    design = pair(link("low:osfp1/1", "high:osfp1/1", "mcp4y10-nxxx", 2), u=31)
    finding = one(design, "optics.too-short")
    assert "cbl-0001 is set to 2 m; its path is 2.034 m without slack" in finding.problem.what
    assert mended(design, finding).cables["cbl-0001"].length_m is None
    assert found(pair(link("low:osfp1/1", "high:osfp1/1", "mcp4y10-nxxx", 2), u=30)) == []


def splitter(length_m: float) -> Design:
    cards = [PlaceDevice(type="ufm-enterprise-ndr", name=f"ufm{n}", rack="A01", u=3 + 2 * n) for n in (1, 2)]
    links = [link(f"leaf:osfp1/{n}", f"ufm{n}:osfp1/1", "mcp7y00-nxxx") for n in (1, 2)]
    # Ports at both faces of the rack: 1.2 m of depth, 0.7 m to the side; the farther card is 6.5 units up.
    slack_m = round(length_m - 6 * 0.04445 - 0.7 - 1.2, 4)
    return made(rack(), switch("leaf", 1), *cards, policy("slack_m", slack_m), *links)


def test_a_passive_splitter_of_2_6_m_is_the_3_m_part_and_one_of_4_5_m_is_none() -> None:
    near = splitter(2.6)
    assert found(near) == []
    assert {c.length_m for c in media_of(near).cables.values()} == {3.0}
    finding = one(splitter(4.5), "optics.too-long")
    assert "is sold up to 3 m" in finding.problem.what
    # Active copper of 5 m (MCA7J60) is no longer for sale: fibre is what is left.
    assert "Multimode fibre does" in finding.problem.fix


def test_a_discontinued_part_is_told_and_exchanged() -> None:
    design = pair(link("low:qsfp1/1", "high:qsfp1/1", "mcp1650-h0xxeyy", 2), type_="qm8700")
    finding = one(design, "optics.not-sold")
    assert "can no longer be ordered (no longer for sale" in finding.problem.what
    assert found(made(SetProperty(ref="cbl-0001", field="state", value="existing"), base=design)) == []
    after = mended(design, finding)
    assert found(after) == []
    assert after.cables["cbl-0001"].part == "mfs1s00-hxxxv"


def test_links_that_nobody_chose_are_one_note_with_the_cause() -> None:
    design = made(
        PlaceDevice(type="dgx-h100", name="srv"),
        PlaceDevice(type="qm9700", name="leaf"),
        ConnectBundle(sources=("srv",), targets=("leaf",)),
    )
    (finding,) = found(design, "cabling.no-part")
    assert finding.problem.what == "8 links have no cable chosen yet: its length must be known first"
    assert finding.problem.severity == "note"
    assert found(pair(link("low:osfp1/1", "high:osfp1/1")), "cabling.no-part") == []


def test_many_alike_are_told_together_and_mended_at_once() -> None:
    links = [link(f"low:osfp{n}/1", f"high:osfp{n}/1", "mfp7e30-nxxx", 10) for n in range(1, 15)]
    plugs = [plug(f"{d}:osfp{n}", "mma4z00-ns") for n in range(1, 15) for d in ("low", "high")]
    design = pair(*links, *plugs)
    finding = one(design, "optics.fibre")
    assert "and 13 more like it" in finding.problem.what
    assert found(mended(design, finding)) == []


# ---- air


@pytest.mark.parametrize(
    ("face", "version", "clean"),
    [("rear", "C2P", False), ("rear", "P2C", True), ("front", "C2P", True), ("front", "P2C", False)],
)
def test_air_enters_at_the_front(face: str, version: str, clean: bool) -> None:
    """Ports at the rear are the outlet: power-to-connector (P2C, suffix F). Turning the switch turns the verdict."""
    design = made(
        rack(),
        switch("leaf", 1),
        SetProperty(ref="leaf", field="face", value=face),
        SetProperty(ref="leaf", field="config.airflow", value=version),
    )
    rows = found(design)
    assert (rows == []) == clean
    if not clean:
        assert rows[0].problem.rule == "optics.airflow"
        assert found(mended(design, rows[0])) == []
        other = "front" if face == "rear" else "rear"
        assert found(made(SetProperty(ref="leaf", field="face", value=other), base=design)) == []


def test_a_version_that_nobody_named_is_no_finding() -> None:
    assert found(made(rack(), switch("leaf", 1))) == []


def test_a_reference_design_breaks_none() -> None:
    assert [f.problem.text() for f in found(made(Superpod(units=1)), "")] == []


def test_parts_of_the_design_need_not_be_in_the_catalog() -> None:
    """A cable of the user's own is judged by its own figures."""
    own = shipped().part("mcp4y10-nxxx").model_copy(update={"id": "own-dac", "lengths_m": (1.0,)})
    design = pair()
    draft = Draft(design)
    draft.use_parts([own])
    design = made(link("low:osfp1/1", "high:osfp1/1", "own-dac"), base=design.apply(draft.patch("own")))
    # 0.04 + 0.7 + 0.5 m is more than the 1 m in which it is made.
    assert one(design, "optics.too-long")
