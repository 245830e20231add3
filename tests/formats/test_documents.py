"""Bill, schedule, graph and report of one small design, held against files looked at by hand."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import networkx as nx
import pytest
from python_calamine import CalamineWorkbook

from rackbuilder.formats import EXPORTS
from rackbuilder.formats.base import Export
from tests.analysis.facility.samples import Room
from tests.formats.samples import small, small_room

BY_KIND = {export.kind: export for export in EXPORTS}
Golden = Callable[[str, bytes | str], None]


def written(kind: str, room: Room | None = None, job: bool = False) -> bytes:
    return BY_KIND[kind].write(*small(room, job))


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def sheets_of(data: bytes) -> dict[str, list[list[object]]]:
    book = CalamineWorkbook.from_filelike(io.BytesIO(data))
    return {name: list(book.get_sheet_by_name(name).to_python()) for name in book.sheet_names}


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("bom-csv", "small-bom.csv"),
        ("bom-csv-semicolon", "small-bom-semicolon.csv"),
        ("schedule-csv", "small-schedule.csv"),
        ("graphml", "small.graphml"),
        ("report", "small-report.md"),
        ("json", "small.json"),
    ],
)
def test_documents_are_as_they_were(kind: str, name: str, golden: Golden) -> None:
    golden(f"formats/{name}", written(kind))


def test_the_report_of_a_job(golden: Golden) -> None:
    golden("formats/small-job-report.md", written("report", job=True))


def test_kinds_are_told_apart() -> None:
    assert len({export.kind for export in EXPORTS}) == len(EXPORTS)
    assert all(isinstance(export, Export) and export.suffix.startswith(".") for export in EXPORTS)


# ---- bill of materials


def test_the_workbook_has_the_lines_of_the_table() -> None:
    lines = rows_of(written("bom-csv"))
    sheets = sheets_of(written("bom-xlsx"))
    assert list(sheets) == ["Servers", "Switches", "Racks", "Cables", "Optics", "Power", "Open points"]
    in_sheets = [
        [str(cell) for cell in row]
        for name, rows in sheets.items()
        if name != "Open points"
        for row in rows[1:]
    ]
    plain = [[line[key] for key in list(line)[1:]] for line in lines if line["Section"] != "open points"]
    assert [[cell.removesuffix(".0") for cell in row] for row in in_sheets] == plain
    points = [line["Name"] for line in lines if line["Section"] == "open points"]
    assert [row[0] for row in sheets["Open points"][1:]] == points


def test_names_like_formulas_are_harmless_in_every_table() -> None:
    room = small_room()
    names = ['=HYPERLINK("http://x","y")', "+CMD|x", "-1+1", "@SUM(1)", "\ttab", "\rreturn", 'a,"b"']
    for n, name in enumerate(names):
        room.switch(f"evil-{n}", name=name)
        room.cable(f"evil-{n}:osfp1/1", f"leaf-01:osfp{n + 10}/2", part="mfp7e10", name=name)
    schedule = {row["Cable"]: row for row in rows_of(written("schedule-csv", room))}
    found = [row["A device name"] for row in schedule.values() if row["A device"].startswith("evil")]
    assert found == [f"'{name}" if name[0] != "a" else name for name in names]
    assert [row["Name"] for row in schedule.values() if row["A device"].startswith("evil")] == found
    cells = [
        cell for rows in sheets_of(written("schedule-xlsx", room)).values() for row in rows for cell in row
    ]
    assert '=HYPERLINK("http://x","y")' in cells  # stored as text


# ---- cable schedule


def test_each_cable_has_both_ends_by_rack_unit_device_and_port() -> None:
    rows = rows_of(written("schedule-csv"))
    assert len(rows) == 2 * (8 + 2 + 1) + 1
    first = rows[0]
    assert {key: first[key] for key in list(first)[:15]} == {
        "Cable": "cbl-0001", "Name": "", "Fabric": "compute",
        "A rack": "A02", "A U": "1", "A device": "srv-0001", "A device name": "", "A cage": "osfp1",
        "A port": "osfp1/1",
        "B rack": "A02", "B U": "31", "B device": "leaf-01", "B device name": "L01", "B cage": "osfp1",
        "B port": "osfp1/1",
    }  # fmt: skip
    by_name = {row["Cable"]: row for row in rows}
    assert by_name["cbl-0009"]["Order number"] == "980-9IA0Q-00N01A"  # MCP4Y10-N01A, 1.5 m
    assert {row["Fabric"] for row in rows} == {"compute", "out-of-band"}
    assert [row["State"] for row in rows].count("spare") == 1


def test_a_cable_that_the_tool_chose_says_so() -> None:
    """Two switches one unit apart: 0.04 m, 0.7 m aside and back, 0.5 m of slack: a twin DAC of 1.5 m."""
    by_name = {row["Cable"]: row for row in rows_of(written("schedule-csv"))}
    row = by_name["cbl-0023"]
    assert (row["Part"], row["Length (m)"], row["Chosen by"]) == ("mcp4y10-nxxx", "1.5", "tool")
    assert row["Order number"] == "980-9IA0Q-00N01A"
    assert row["Why"].startswith("Passive copper (DAC): the first that fits both cages and reaches 1.244 m")
    assert (by_name["cbl-0001"]["Chosen by"], by_name["cbl-0001"]["B optic"]) == ("user", "mma4z00-ns")


def test_cables_come_in_the_order_people_count() -> None:
    room = Room()
    for n in range(12):
        room.switch(f"sw-{n}")
    for n in range(1, 12):
        room.draft.put("cables", _named(f"c-{n}", n))
    assert [row["Cable"] for row in rows_of(written("schedule-csv", room))] == [
        f"c-{n}" for n in range(1, 12)
    ]


def _named(identity: str, n: int) -> object:
    from rackbuilder.design.records import Cable, End

    return Cable(id=identity, a=End("sw-0", f"osfp{n}/1"), b=End(f"sw-{n}", "osfp1/1"))


# ---- graph


def test_other_programs_read_the_graph() -> None:
    """networkx reads it back: every device, an edge for each joined pair and fabric, cables as in the design."""
    design, graphs, _ = small()
    graph = nx.read_graphml(io.BytesIO(written("graphml")), force_multigraph=True)
    assert set(graph.nodes) == set(design.devices)
    assert sum(data["cables"] for _, _, data in graph.edges(data=True)) == len(design.cables)
    pairs = [(name, a, b) for name, fabric in graphs.fabrics.items() for a, b, _ in fabric.edges()]
    assert len(graph.edges) == len(pairs)
    leaf = graph.nodes["leaf-01"]
    assert (leaf["type"], leaf["role"], leaf["rack"], leaf["u"]) == ("qm9700", "leaf", "A02", 31.0)
    (uplink,) = graph.get_edge_data("leaf-01", "spine-10").values()
    assert (uplink["rate_bps"], uplink["capacity_bps"], uplink["cables"]) == (400e9, 800e9, 2)
    assert graph.nodes["srv-0001"]["nvlink_domain"] == "srv-0001"


def test_characters_that_xml_forbids_do_not_break_the_graph() -> None:
    room = small_room()
    room.switch("leaf-09", name="bell\x07 <&> \ud7ff \ufffe line\u2028end\r\n")
    graph = nx.read_graphml(io.BytesIO(written("graphml", room)))
    assert graph.nodes["leaf-09"]["label"] == "bell\ufffd <&> \ud7ff \ufffd line\u2028end  "


# ---- report


def analysed(room: Room | None = None, job: bool = False) -> dict[str, object]:
    found: dict[str, object] = json.loads(written("json", room, job))
    return found


def test_the_json_has_every_key_of_the_contract() -> None:
    found = analysed(job=True)
    assert set(found) >= {
        "schema", "counts", "fabrics", "boundary", "power", "cooling", "workload", "links", "incomplete", "assumptions",
        "confidence",
    }  # fmt: skip
    wanted = {
        "counts": {"servers", "gpus", "racks", "nvlink_domains", "nvlink_links", "switches", "cables"},
        "power": {"max_w", "typical_w", "by_rack"},
        "cooling": {"air_w", "liquid_w", "air_m3_s", "liquid_l_min"},
        "workload": {
            "name", "fits", "memory_bytes", "step_time_s", "tokens_per_s", "mfu", "time_split_s", "traffic_bytes",
            "elasticity", "bottleneck", "boundary_time_s",
        },
    }  # fmt: skip
    for section, keys in wanted.items():
        part = found[section]
        assert isinstance(part, dict)
        assert set(part) >= keys, section


def test_what_cannot_be_stated_is_null_and_listed() -> None:
    """Every null of a figure has its path under `incomplete`, and so has every lower bound."""
    found = analysed(job=True)
    incomplete = found["incomplete"]
    assert isinstance(incomplete, dict)
    work = found["workload"]
    assert isinstance(work, dict)
    for key in ("fits", "memory_bytes", "step_time_s", "tokens_per_s", "mfu", "time_split_s", "elasticity"):
        assert work[key] is None
        assert incomplete[f"workload.{key}"]["at_least"] is False
    power = found["power"]
    assert isinstance(power, dict)
    # 17 trays of 5.8 kW are known, nine switch trays are not: a lower bound that stands and is listed.
    assert power["by_rack"]["rack-01"]["typical_w"] == 17 * 5800
    assert incomplete["power.by_rack.rack-01.typical_w"] == {
        "at_least": True, "missing": ["power_typical_w of nvsw"],
    }  # fmt: skip
    assert list(incomplete) == sorted(incomplete)


def test_the_json_states_what_was_worked_out() -> None:
    found = analysed(job=True)
    counts = found["counts"]
    assert isinstance(counts, dict)
    assert counts["nvlink_domains"] == {"8": 2, "68": 1}
    assert counts["nvlink_links"] == 17 * 9 * 8
    power = found["power"]
    assert isinstance(power, dict)
    # An NVL72 rack without one of its trays, two servers, three QM9700 and a QM8700 at its planning value.
    assert power["max_w"] == 132_000 - 6_300 + 2 * 10_200 + 3 * 1_720 + 493
    assert set(power["by_rack"]) == {"rack-01", "rack-02", "(no rack)"}
    work = found["workload"]
    assert isinstance(work, dict)
    assert 0 < work["traffic_bytes"]["fabric"] < work["traffic_bytes"]["in_server"]
    assert work["boundary_time_s"]["nic"] > 0
    assert work["bottleneck"]["sentence"]
    assert found["confidence"] == "uncalibrated"


def test_without_a_job_the_workload_is_null() -> None:
    found = analysed()
    assert found["workload"] is None
    assert found["confidence"] is None


def test_links_are_the_ten_busiest_or_all() -> None:
    from rackbuilder.formats.report import report_json

    made = small(job=True)
    ten, all_ = report_json(*made)["links"], report_json(*made, links=True)["links"]
    assert len(ten) == 10
    assert all_[:10] == ten
    assert len(all_) == len(made[2].loads.links if made[2].loads else ())
    loads = [row["utilisation"] or 0 for row in all_]
    assert loads == sorted(loads, reverse=True)


def test_an_empty_design_has_a_report() -> None:
    from rackbuilder.analysis.report import Report
    from rackbuilder.design.design import Design
    from rackbuilder.formats.report import report_json
    from rackbuilder.topology.graphs import Graphs

    design, graphs, report = small(Room())
    assert report_json(design, graphs, report)["power"]["max_w"] == 0
    for export in (
        BY_KIND[kind] for kind in ("bom-csv", "bom-xlsx", "schedule-csv", "graphml", "report", "json")
    ):
        assert export.write(design, graphs, report)
        # Before anything was worked out, too: then nothing is stated.
        assert export.write(Design(), Graphs(), Report())
    blank = report_json(Design(), Graphs(), Report())
    assert blank["power"] is None
    assert blank["incomplete"]["power"] == {"at_least": False, "missing": ["not worked out"]}


def test_names_do_not_shape_the_document() -> None:
    text = written("report").decode()
    assert text.startswith("# Small \\| \\<site>\n")
    assert "- warning: rack A02: Rack A02 is too heavy. Fix: Move a server." in text
    assert "- waived (as agreed): A note." in text


def test_the_report_shows_both_interconnects_and_what_is_missing() -> None:
    text = written("report").decode()
    assert (
        "| Reach | 2 domains of 8 GPUs in a server; 1 domain of 68 GPUs in a rack | 2 servers joined |"
        in text
    )
    assert "- [ ] Fabric latency of a hop: unknown (hop_latency_s of qm9700)" in text
    assert "- [x] GPUs that share one scale-up domain: 8, 68" in text
