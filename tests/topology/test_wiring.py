"""Which fabric a cable belongs to, and what faults leave of it."""

import pytest

from rackbuilder.catalog.parts import Cages, DeviceType
from rackbuilder.design.design import Design
from rackbuilder.design.records import Fault
from rackbuilder.topology.fabric import EdgeData
from rackbuilder.topology.graphs import build_graphs
from rackbuilder.topology.wiring import disagreements, fabric_of_cable
from tests.topology.samples import Site, twin


def two_fabrics() -> Site:
    site = Site(fabrics=("compute", "storage", "out-of-band"))
    site.switch("leaf-01")
    site.switch("leaf-02")
    site.switch("stor-01", "storage")
    site.switch("oob-01", "out-of-band", "sn2201")
    site.device("bare-01", "qm9700")
    site.device("srv-0001", "dgx-h100")
    return site


@pytest.mark.parametrize(
    ("a", "b", "pinned", "fabric"),
    [
        (("srv-0001", "osfp1/1"), ("leaf-01", twin(0)), "", "compute"),
        (("srv-0001", "osfp1/1"), ("stor-01", twin(0)), "", "storage"),
        (("leaf-01", twin(40)), ("leaf-02", twin(40)), "", "compute"),
        # A management port takes the fabric of the far end, whatever its own switch lends.
        (("leaf-01", "mgmt1/1"), ("oob-01", "rj1/1"), "", "out-of-band"),
        (("srv-0001", "bmc1/1"), ("oob-01", "rj2/1"), "", "out-of-band"),
        (("oob-01", "rj3/1"), ("stor-01", "mgmt1/1"), "", "out-of-band"),
        # Two that disagree: neither, unless the cable says.
        (("leaf-01", twin(1)), ("stor-01", twin(1)), "", None),
        (("leaf-01", twin(1)), ("stor-01", twin(1)), "storage", "storage"),
        # Nobody lends one.
        (("leaf-01", "mgmt1/1"), ("stor-01", "mgmt1/1"), "", None),
        (("srv-0001", "osfp1/1"), ("srv-0001", "osfp1/2"), "", None),
        (("srv-0001", "osfp1/1"), ("bare-01", twin(0)), "", None),
        (("leaf-01", twin(2)), ("bare-01", twin(2)), "", "compute"),
    ],
)
def test_fabric_of_a_cable(a: tuple[str, str], b: tuple[str, str], pinned: str, fabric: str | None) -> None:
    site = two_fabrics()
    name = site.cable(*a, *b, fabric=pinned)
    design = site.done()
    assert fabric_of_cable(design, design.cables[name]) == fabric
    graphs = build_graphs(design)
    holding = [
        f for f, graph in graphs.fabrics.items() for _, _, data in graph.edges() if name in data["cables"]
    ]
    assert holding == ([fabric] if fabric else [])
    assert (name in graphs.loose) == (fabric is None)


def test_disagreements_name_the_cable_and_both_fabrics() -> None:
    site = two_fabrics()
    site.cable("leaf-01", twin(3), "leaf-02", twin(3))
    wrong = site.cable("stor-01", twin(1), "leaf-01", twin(1))
    assert [(c.id, a, b) for c, a, b in disagreements(site.done())] == [(wrong, "storage", "compute")]


def test_a_switch_is_an_end_where_only_its_management_port_is_cabled() -> None:
    site = two_fabrics()
    site.cable("leaf-01", "mgmt1/1", "oob-01", "rj1/1")
    graphs = build_graphs(site.done())
    assert graphs.fabric("out-of-band").kind("leaf-01") == "end"
    assert graphs.fabric("compute").kind("leaf-01") == "switch"


def test_a_cable_between_nvlink_ports_is_in_no_fabric() -> None:
    site = two_fabrics()
    cages = (Cages(name="nv", count=2, connector="OSFP", protocols=("nvlink",), rate_bps=400e9),)
    site.draft.use_parts(
        [DeviceType(id="nvbox", name="NVLink box", category="other", u_height=1, cages=cages)]
    )
    for n in (1, 2):
        site.device(f"box-{n:02d}", "nvbox")
    name = site.cable("box-01", "nv1/1", "box-02", "nv1/1")
    assert build_graphs(site.done()).nvlink_cables() == (name,)


def four_links() -> Site:
    site = Site()
    site.switch("leaf-01")
    site.switch("spine-01")
    for n in range(4):
        site.cable("leaf-01", twin(40 + n), "spine-01", twin(n))
    return site


def left(site: Site) -> EdgeData:
    return edge(site.done())


def edge(design: Design) -> EdgeData:
    found = build_graphs(design).fabric("compute").edge("leaf-01", "spine-01")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("fault", "gbps"),
    [
        (Fault(id="f", ref="cbl-0002"), 1200),
        (Fault(id="f", ref="cbl-0002", on=False), 1600),
        (Fault(id="f", ref="cbl-0002", kind="degraded", rate_bps=100e9), 1300),
        (Fault(id="f", ref="leaf-01:osfp21"), 800),  # a cage of two ports
        (Fault(id="f", ref="leaf-01:osfp21/1"), 1200),
        (Fault(id="f", ref="leaf-01"), 0),
        (Fault(id="f", ref="spine-01~leaf-01", links=3), 400),
        (Fault(id="f", ref="leaf-01~spine-01"), 0),
        (Fault(id="f", ref="leaf-01~spine-01", kind="observed", rate_bps=200e9), 800),
        (Fault(id="f", ref="cbl-0003", kind="maintenance"), 1200),
    ],
)
def test_faults_take_links_or_rate(fault: Fault, gbps: float) -> None:
    site = four_links()
    assert left(site)["capacity_bps"] == 1600e9
    site.draft.put("faults", fault)
    assert left(site)["capacity_bps"] == gbps * 1e9
    assert len(left(site)["cables"]) == 4  # what is drawn stays drawn
