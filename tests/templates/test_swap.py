"""The fabric of a design swapped in one step: by its template, or switch for switch where it was drawn by hand."""

from collections import Counter
from dataclasses import replace

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.design.design import Design, build
from rackbuilder.design.patch import Change
from rackbuilder.design.records import TABLES, Cable
from rackbuilder.errors import ProblemError
from rackbuilder.session.session import Session
from rackbuilder.templates import SwapFabric
from rackbuilder.templates.basepod import Basepod
from rackbuilder.templates.fat_tree import FatTree
from rackbuilder.templates.superpod import Superpod
from tests.templates.published import findings, made, unfit


def by_hand(design: Design) -> Design:
    """The same design as if nobody had run a template."""
    changes = [Change("parts", part.id, None, part) for part in design.parts.values()]
    for table in TABLES:
        for record in design.tables[table].values() if table != "runs" else ():
            changes.append(Change(table, record.id, None, replace(record, made_by=None)))
    return build(changes)


def swapped(design: Design, to: str) -> Design:
    return design.apply(SwapFabric(to=to).plan(design, shipped()))


def test_template_makes_the_other_fabric() -> None:
    """Two units of H100: the same 64 servers and links on Ethernet switches of 64 ports, without a manager."""
    now = swapped(made(Superpod(units=2)), "spectrum-x")
    types = Counter(d.type for d in now.devices.values())
    assert types == {"dgx-h100": 64, "sn5400": 24}
    assert now.fabrics["compute"].technology == "spectrum-x-400g"
    assert findings(now, "error", "warning") == []


def test_one_step_of_undo() -> None:
    session = Session(shipped(), made(Superpod(units=1)))
    before = session.design
    session.do(SwapFabric(to="roce"))
    session.undo()
    assert session.design.same(before)


def test_template_with_a_switch_of_its_own() -> None:
    """64 servers of eight 400G ports: 128 ports of a split SN5600 take 64 down, so 8 leaves instead of 16."""
    now = swapped(made(FatTree(servers=64)), "sn5600")
    assert Counter(d.type for d in now.devices.values() if d.fabric) == {"sn5600": 8 + 4}
    assert unfit(now) == []


def test_hand_drawn_goes_port_for_port() -> None:
    """Every link stays between the same two devices, at the port of the same place; optics are chosen anew."""
    start = by_hand(made(Superpod(units=2, fabric_manager=False)))
    now = swapped(start, "sn5400")
    assert {d.type for d in now.devices.values() if d.fabric} == {"sn5400"}
    assert now.fabrics["compute"].technology == "spectrum-x-400g"
    assert set(now.cables) == set(start.cables)
    for identity, cable in now.cables.items():
        old = start.cables[identity]
        assert isinstance(cable, Cable)
        assert (cable.a.device, cable.b.device) == (old.a.device, old.b.device)
        assert cable.part == ""
    # osfp3/2 is the sixth port of a QM9700; qsfp6/1 is that of an SN5400, whose cages hold one each.
    places = {c.b.port: now.cables[i].b.port for i, c in start.cables.items() if c.b.device == "leaf-01"}
    assert places["osfp3/2"] == "qsfp6/1"
    assert unfit(now) == []
    assert findings(now, "error", "warning") == []


def test_hand_drawn_to_a_faster_switch_is_split() -> None:
    now = swapped(by_hand(made(Superpod(units=1, fabric_manager=False))), "sn5600")
    assert set(now.devices["leaf-01"].modes.values()) == {2}
    assert now.fabrics["compute"].technology == "spectrum-x-400g"
    assert unfit(now) == []


def test_same_cages_keep_cable_and_optics() -> None:
    """QM9700 and QM9790 differ in management only."""
    start = by_hand(made(Superpod(units=1)))
    now = swapped(start, "qm9790")
    assert now.tables["plugs"] == start.tables["plugs"]
    assert {c.part for c in now.cables.values()} == {"mfp7e10-nxxx"}


@pytest.mark.parametrize(
    ("to", "words"),
    [
        ("sn3700", "has 32 ports"),
        ("sn5400", "do not speak ethernet"),
        ("dgx-h100", "is no switch"),
    ],
)
def test_refused_with_the_reason(to: str, words: str) -> None:
    """The manager of one unit speaks InfiniBand only; 32 ports do not replace 64."""
    start = by_hand(made(Superpod(units=1)))
    with pytest.raises(ProblemError, match=words):
        swapped(start, to)


def test_management_port_that_is_cabled_must_be_there() -> None:
    """The SN5400 has no RJ45 management port that was read."""
    start = by_hand(made(Basepod(servers=2)))
    with pytest.raises(ProblemError, match="no port for mgmt1/1"):
        swapped(start, "sn5400")
