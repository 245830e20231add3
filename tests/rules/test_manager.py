"""The subnet manager of a fabric: none, the stock one on NDR, one on board, an appliance."""

from __future__ import annotations

from rackbuilder.design.design import Design
from rackbuilder.rules.finding import Finding, RuleEngine
from rackbuilder.rules.manager import MANAGER
from rackbuilder.topology.graphs import build_graphs
from tests.samples import edited
from tests.topology.samples import QM9700, Site, twin


def small(managed: bool | None = False, technology: str = "infiniband-ndr") -> Site:
    """Two switches of a kind with a cable between them, four servers on each."""
    site = Site(fabrics=())
    site.fabric("compute", technology=technology)
    part = QM9700.model_copy(update={"id": "some-switch", "managed": managed})
    site.draft.use_parts([part])
    for n in (1, 2):
        site.switch(f"leaf-{n}", type_="some-switch")
    site.cable("leaf-1", twin(40), "leaf-2", twin(40))
    for n in range(8):
        site.device(f"srv-{n + 1}", "dgx-h100")
        site.rail(f"srv-{n + 1}", 0, f"leaf-{n // 4 + 1}", n)
    return site


def found(design: Design) -> list[Finding]:
    return list(RuleEngine((MANAGER,)).run(design, build_graphs(design), {}))


def rules(design: Design) -> list[str]:
    return [f.problem.rule for f in found(design)]


def test_no_manager_anywhere() -> None:
    rows = found(small().done())
    assert [(f.problem.rule, f.problem.severity) for f in rows] == [("fabric.no-manager", "error")]
    assert rows[0].problem.refs == ("leaf-1", "leaf-2")


def test_the_manager_of_the_distribution_on_ndr_and_its_fix() -> None:
    site = small()
    site.draft.change("devices", "srv-3", config={"subnet_manager": "distribution opensm"})
    design = site.done()
    (item,) = found(design)
    assert item.problem.rule == "fabric.stock-manager"
    assert item.problem.refs == ("srv-3",)
    assert item.fix is not None
    assert found(edited(design, item.fix)) == []


def test_one_on_board_or_an_appliance_or_a_switch_nobody_knows() -> None:
    assert found(small(managed=True).done()) == []
    assert found(small(managed=None).done()) == []
    site = small()
    site.cable(site.device("ufm-1", "ufm", role="fabric-manager"), "osfp1/1", "leaf-1", twin(60))
    assert found(site.done()) == []


def test_a_part_of_the_fabric_that_no_manager_reaches() -> None:
    site = small()
    site.cable(site.device("ufm-1", "ufm"), "osfp1/1", "leaf-1", twin(60))
    cable = next(
        c.id for c in site.draft.cables.values() if c.b.device == "leaf-2" and c.a.device == "leaf-1"
    )
    site.draft.remove("cables", cable)
    assert [f.problem.refs for f in found(site.done())] == [("leaf-2",)]


def test_a_managed_switch_with_its_manager_off() -> None:
    site = small(managed=True)
    for n in (1, 2):
        site.draft.change("devices", f"leaf-{n}", config={"subnet_manager": "none"})
    assert rules(site.done()) == ["fabric.no-manager"]


def test_ethernet_needs_none() -> None:
    assert found(small(technology="ethernet").done()) == []


def test_a_fabric_that_stands_has_one_somewhere() -> None:
    site = small()
    for name in list(site.draft.devices):
        site.draft.change("devices", name, state="existing")
    assert found(site.done()) == []
