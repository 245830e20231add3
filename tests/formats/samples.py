"""A small design with something of everything that exports must write."""

from __future__ import annotations

from rackbuilder.analysis import ANALYSES
from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.report import Report
from rackbuilder.analysis.workload import workload_analyses
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.design.design import Design
from rackbuilder.design.records import About, Job, Space
from rackbuilder.errors import Problem
from rackbuilder.topology.graphs import Graphs, build_graphs
from tests.analysis.facility.samples import Room
from tests.topology.samples import twin


def small_room() -> Room:
    """Two servers on two leaves under one spine, an NVL72 rack with 17 of 18 trays, cords, a link without a part."""
    room = Room()
    room.fabric("out-of-band", lossless=False)
    room.draft.put("spaces", Space(id="hall-1", name="Hall 1", power_limit_w=500_000))
    room.rack("rack-02", name="A02", space="hall-1")
    room.nvl72("rack-01", trays=17)
    for n in (1, 2):
        room.device(f"srv-{n:04d}", "dgx-h100", rack="rack-02", u=1 + 8 * (n - 1))
        room.switch(f"leaf-{n:02d}", rack="rack-02", u=30 + n, name=f"L{n:02d}")
    room.switch("spine-10", rack="rack-02", u=40)
    room.switch("hdr-01", "qm8700", fabric="out-of-band")
    for n in (1, 2):
        for rail in range(8):
            leaf, port = f"leaf-{rail % 2 + 1:02d}", 4 * (n - 1) + rail // 2
            room.cable(f"srv-{n:04d}:{twin(rail)}", f"{leaf}:{twin(port)}", part="mfp7e10", length_m=5)
            room.plug(f"srv-{n:04d}:osfp{rail // 2 + 1}", "mma4z00-ns-flt")
            room.plug(f"{leaf}:osfp{port // 2 + 1}")
        for port in (1, 2):
            room.cable(
                f"leaf-{n:02d}:osfp20/{port}", f"spine-10:osfp{n}/{port}", part="mcp4y10", length_m=1.5
            )
        room.cable(
            f"srv-{n:04d}:mgmt1/1", f"leaf-{n:02d}:mgmt1/1", part="cat6", fabric="out-of-band", length_m=2.5
        )
    room.cable("leaf-01:osfp30/1", "leaf-02:osfp30/1", name="spare", state="spare")
    return room


def small(room: Room | None = None, job: bool = False) -> tuple[Design, Graphs, Report]:
    """The design of a room with its graphs and every result, as the command line makes them."""
    room = room or small_room()
    if job:
        gpt = "gpt-3-175b"
        sizes = {"tp": 8, "pp": 1, "dp": 2}
        room.draft.put("jobs", Job(id="job-01", workload=gpt, sizes=sizes, where=("srv-0001", "srv-0002")))
    design = room.done().with_about(About(title="Small | <site>"))
    graphs = build_graphs(design)
    results = Engine((*ANALYSES, *workload_analyses(shipped_workloads()))).run(design, graphs)
    problems = (
        Problem(
            "Rack A02 is too heavy", "rack A02", "Move a server.", "warning", ("rack-02",), "space.weight"
        ),
        Problem("A note", severity="note", rule="x"),
    )
    return design, graphs, Report(0, results, problems, waived={1: "as agreed"})
