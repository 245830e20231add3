"""Every subcommand: what it prints, what it writes, how it leaves; twice, under two hash seeds, to the same bytes."""

import re

import pytest

from rackbuilder import __version__
from rackbuilder.cli import SUBCOMMANDS
from rackbuilder.formats import EXPORTS, IMPORTS
from rackbuilder.formats.native.read import read_design
from rackbuilder.templates import TEMPLATES
from tests.cli.batches import Folder, Lines, run_lines

EDITS = """\
- add-rack: {type: 42u-600x1200, name: Ω}
- place: {type: dgx-h100, rack: Ω, name: "服务器 #", count: 2}
- place: {type: qm9700, rack: Ω, count: 2, role: leaf}
- connect-bundle: {sources: [srv-0001, srv-0002], targets: [leaf-01, leaf-02], role: compute}
- rack-limits: {racks: [Ω], power_limit_w: 15000}
"""
LISTING = """\
vendid=0x2c9
devid=0xd2f2
sysimgguid=0x1
switchguid=0x1(1)
Switch\t64 "S-0000000000000001"\t\t# "leaf" enhanced port 0 lid 1 lmc 0
[1]\t"H-0000000000000002"[1](3) \t\t# "host mlx5_0" lid 2 4xNDR

vendid=0x2c9
devid=0x1021
sysimgguid=0x2
caguid=0x2
Ca\t1 "H-0000000000000002"\t\t# "host mlx5_0"
[1](3) \t"S-0000000000000001"[1]\t\t# lid 2 lmc 0 "leaf" lid 1 4xNDR
"""

LINES: Lines = {
    "new superpod": [
        "new", "superpod", "--set", "units=4", "--set", "server=dgx-h100", "-o", "{}/a.rackbuilder"
    ],
    "new small": ["new", "superpod", "--set", "units=1", "--set", "rack_limit_w=", "-o", "{}/s.rackbuilder"],
    "new nvlink": ["new", "nvlink_rack", "--set", "system=gb200-nvl72", "-o", "{}/n.rackbuilder"],
    "new blank": ["new", "blank", "-o", "{}/b.rackbuilder"],
    "apply": ["apply", "{}/b.rackbuilder", "{}/edits.yaml", "-o", "{}/c.rackbuilder"],
    "apply in place": ["apply", "{}/c.rackbuilder", "{}/more.yaml", "-o", "{}/c.rackbuilder"],
    "apply nothing": ["apply", "{}/c.rackbuilder", "{}/nothing.yaml", "-o", "{}/d.rackbuilder"],
    "analyse superpod json": ["analyse", "{}/a.rackbuilder", "--json"],
    "analyse nvlink json": ["analyse", "{}/n.rackbuilder", "--json"],
    "analyse blank json": ["analyse", "{}/b.rackbuilder", "--json"],
    "analyse text": ["analyse", "{}/c.rackbuilder"],
    "analyse links json": ["analyse", "{}/c.rackbuilder", "--json", "--links"],
    "analyse workload json": ["analyse", "{}/s.rackbuilder", "--json", "--workload", "llama-3.1-405b"],
    "check superpod json": ["check", "{}/a.rackbuilder", "--json"],
    "check errors": ["check", "{}/c.rackbuilder"],
    "check errors json": ["check", "{}/c.rackbuilder", "--json"],
    "check today": ["check", "{}/s.rackbuilder", "--json", "--today", "2036-01-01"],
    "export all": ["export", "{}/c.rackbuilder", "--all", "{}/documents"],
    "export one": ["export", "{}/c.rackbuilder", "--to", "bom-csv", "-o", "{}/bom.csv"],
    "import": ["import", "{}/net.txt", "--from", "ibnetdiscover", "-o", "{}/i.rackbuilder"],
    "catalog": ["catalog"],
    "catalog json": ["catalog", "--json"],
    "catalog part": ["catalog", "dgx-h100"],
    "catalog part json": ["catalog", "dgx-h100", "--json"],
    "templates": ["templates"],
    "templates json": ["templates", "--json"],
    "formats": ["formats"],
    "formats json": ["formats", "--json"],
    "version": ["--version"],
    "help": ["--help"],
    "no arguments": [],
}  # fmt: skip
FILES = {
    "edits.yaml": EDITS,
    "more.yaml": "\ufeff- rename: {ref: srv-0002, name: β}\n",
    "nothing.yaml": "# nothing\n",
    "net.txt": LISTING,
}
FAILED = {"check errors": 1, "check errors json": 1, "no arguments": 2}
JSON = [name for name in LINES if "json" in name]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return run_lines(tmp_path_factory.mktemp("cli") / "work", FILES, LINES, seed="0")


def test_every_subcommand_is_tried() -> None:
    assert set(SUBCOMMANDS) <= {line[0] for line in LINES.values() if line}


@pytest.mark.parametrize("name", LINES)
def test_it_leaves_with_its_code_and_without_qt(done: Folder, name: str) -> None:
    result = done[name]
    assert result.code == FAILED.get(name, 0), result.err
    assert result.qt == []
    assert "Traceback" not in result.err
    assert "internal error" not in result.err


@pytest.mark.parametrize("name", JSON)
def test_json_alone_is_on_stdout(done: Folder, name: str) -> None:
    assert done[name].json()["schema"] == 1


def test_what_writes_a_file_says_so_on_stderr_alone(done: Folder) -> None:
    for name, line in LINES.items():
        if "-o" in line or "--all" in line:
            assert done[name].out == "", name
            assert str(done.path) in done[name].err, name


def test_the_same_bytes_under_another_hash_seed(
    done: Folder, tmp_path_factory: pytest.TempPathFactory
) -> None:
    again = run_lines(tmp_path_factory.mktemp("cli") / "work", FILES, LINES, seed="1")
    for name in LINES:
        assert again.said(name) == done.said(name), name
    assert again.files().keys() == done.files().keys()
    for name, content in done.files().items():
        assert again.files()[name] == content, name


# ---- new and analyse


def test_the_superpod_of_127_servers_as_published(done: Folder) -> None:
    """RA-11333-001 table 4: 127 servers, 32 leaf, 16 spine, 1,020 cables at the leaves, 1,024 above them."""
    data = done["analyse superpod json"].json()
    counts = data["counts"]
    assert (counts["servers"], counts["gpus"]) == (127, 1016)
    assert counts["nvlink_domains"] == {"8": 127}
    assert counts["switches"]["compute"] == {"leaf": 32, "spine": 16, "core": 0}
    cables = counts["cables"]["compute"]
    assert (cables["server-leaf"], cables["other-leaf"]) == (1016, 4)
    assert (cables["leaf-spine"], cables["spine-core"]) == (1024, 0)
    (row,) = data["boundary"]
    assert (row["server_type"], row["smallest"], row["ratio"]) == (
        "dgx-h100",
        "nic",
        9,
    )  # 450 GB/s over 50 GB/s
    assert data["fabrics"]["compute"]["oversubscription"]["leaf"] == 1
    assert data["workload"] is None
    assert "127 " not in done["new superpod"].err  # it counts devices: servers, 48 switches, 4 managers
    assert "179 devices" in done["new superpod"].err


def test_the_nvl72_rack_as_published(done: Folder) -> None:
    """72 GPUs, 18 and 9 trays, 72 x 18 links; 132 kW, of them 115 to liquid."""
    data = done["analyse nvlink json"].json()
    counts = data["counts"]
    assert (counts["servers"], counts["gpus"], counts["racks"]) == (18, 72, 1)
    assert counts["nvlink_domains"] == {"72": 1}
    assert counts["nvlink_links"] == 1296
    assert data["power"]["max_w"] == 132_000
    assert data["cooling"]["liquid_w"] == 115_000


def test_the_contract_of_the_json(done: Folder) -> None:
    """Keys that scripts rely on are there, also for an empty design; what is unknown is null and listed."""
    for name in ("analyse superpod json", "analyse nvlink json", "analyse blank json", "analyse links json"):
        data = done[name].json()
        assert set(data) >= {
            "schema", "counts", "fabrics", "boundary", "power", "cooling", "workload", "links", "incomplete",
            "assumptions", "confidence",
        }  # fmt: skip
        assert set(data["counts"]) >= {
            "servers", "gpus", "racks", "nvlink_domains", "nvlink_links", "switches", "cables"
        }  # fmt: skip
        assert set(data["power"]) >= {"max_w", "typical_w", "by_rack"}
        assert set(data["cooling"]) >= {"air_w", "liquid_w", "air_m3_s", "liquid_l_min"}
        for fabric in data["fabrics"].values():
            assert set(fabric) >= {"kind", "oversubscription", "bisection_bps", "hops"}
            assert "unreachable" in fabric["hops"]
        for link in data["links"]:
            assert set(link) >= {"a", "b", "count", "class", "capacity_bps", "load_bytes", "utilisation"}
        for entry in data["incomplete"].values():
            assert set(entry) == {"at_least", "missing"}
        assert list(data["incomplete"]) == sorted(data["incomplete"])


def test_null_figures_are_listed_as_incomplete(done: Folder) -> None:
    data = done["analyse nvlink json"].json()
    assert data["fabrics"]["out-of-band"]["bisection_bps"] is None
    assert "fabrics.out-of-band.bisection_bps" in data["incomplete"]
    assert data["boundary"][0]["pcie_bps"] is None
    assert any("pcie" in name for name in data["incomplete"])


def test_all_links_only_when_asked(done: Folder) -> None:
    assert len(done["analyse superpod json"].json()["links"]) <= 10
    every = done["analyse links json"].json()["links"]
    between = [link for link in every if {link["a"][:3], link["b"][:3]} == {"srv", "lea"}]
    assert sum(link["count"] for link in between) == 16
    assert every == sorted(every, key=lambda link: (link["a"], link["b"]))


def test_a_workload_placed_on_all_gpus(done: Folder) -> None:
    work = done["analyse workload json"].json()["workload"]
    assert set(work) >= {
        "name", "fits", "memory_bytes", "step_time_s", "tokens_per_s", "mfu", "time_split_s", "traffic_bytes",
        "elasticity", "bottleneck",
    }  # fmt: skip
    assert set(work["traffic_bytes"]) >= {"in_server", "in_domain", "fabric"}
    assert set(work["bottleneck"]) >= {"class", "sentence", "ids"}
    assert work["bottleneck"]["sentence"]


def test_the_report_in_words_names_what_was_named(done: Folder) -> None:
    text = done["analyse text"].out
    assert "Servers" in text
    assert "| 2 |" in text


# ---- apply


def test_edits_are_applied_and_the_last_version_kept(done: Folder) -> None:
    loaded = read_design((done.path / "c.rackbuilder").read_bytes(), "c")
    assert [d.name for d in loaded.design.devices.values() if d.type == "dgx-h100"] == ["服务器 1", "β"]
    assert len(loaded.design.cables) == 16
    before = read_design((done.path / "c.rackbuilder.bak").read_bytes(), "c")
    assert before.design.devices["srv-0002"].name == "服务器 2"
    assert "5 edits" in done["apply"].err


def test_an_empty_script_copies_the_design(done: Folder) -> None:
    assert (done.path / "d.rackbuilder").read_bytes() == (done.path / "c.rackbuilder").read_bytes()


# ---- check


def test_findings_have_all_their_fields_and_errors_come_first(done: Folder) -> None:
    findings = done["check errors json"].json()["findings"]
    ranks = [["error", "warning", "note"].index(finding["severity"]) for finding in findings]
    assert ranks == sorted(ranks)
    for finding in findings:
        assert set(finding) == {"rule", "severity", "what", "where", "fix", "ids", "apply", "waived"}
        assert finding["rule"]
        assert finding["what"]
    limit = next(f for f in findings if f["rule"].startswith("power"))
    assert limit["severity"] == "error"  # two servers of 10.2 kW and two switches in a rack of 15 kW
    assert "rack-01" in limit["ids"]


def test_in_words_they_are_counted_at_the_end(done: Folder) -> None:
    lines = done["check errors"].out.rstrip().split("\n")
    assert re.fullmatch(r"\d+ errors?, \d+ warnings?, \d+ notes?", lines[-1])
    assert lines[0].startswith("error: ")


def test_a_published_design_has_no_errors(done: Folder) -> None:
    found = done["check superpod json"].json()["findings"]
    assert [f for f in found if f["severity"] != "note"] == []


def test_the_age_of_the_catalog_is_judged_only_when_a_day_is_given(done: Folder) -> None:
    old = [f["rule"] for f in done["check today"].json()["findings"]]
    assert any("catalog" in rule for rule in old)
    assert not any("catalog" in f["rule"] for f in done["check superpod json"].json()["findings"])


# ---- export, import, lists


def test_every_kind_of_document_is_written(done: Folder) -> None:
    made = {path.name: path for path in (done.path / "documents").iterdir()}
    assert set(made) == {f"c-{export.kind}{export.suffix}" for export in EXPORTS}
    assert all(path.stat().st_size > 0 for path in made.values())
    assert (done.path / "bom.csv").read_bytes() == made["c-bom-csv.csv"].read_bytes()


def test_a_listing_of_a_fabric_becomes_a_design(done: Folder) -> None:
    loaded = read_design((done.path / "i.rackbuilder").read_bytes(), "i")
    assert loaded.problems == ()
    assert len(loaded.design.cables) == 1


def test_lists_name_all_there_is(done: Folder) -> None:
    templates = [row["name"] for row in done["templates json"].json()["templates"]]
    assert templates == [kind.verb for kind in TEMPLATES]
    formats = {(row["kind"], row["direction"]) for row in done["formats json"].json()["formats"]}
    assert formats == {(e.kind, "out") for e in EXPORTS} | {(i.kind, "in") for i in IMPORTS}
    parts = [row["id"] for row in done["catalog json"].json()["parts"]]
    assert parts == sorted(parts)
    assert "qm9700" in parts
    assert len(done["catalog"].out.splitlines()) == len(parts)
    for name in ("templates", "formats"):
        assert done[name].out


def test_a_part_is_shown_with_its_source(done: Folder) -> None:
    part = done["catalog part json"].json()["part"]
    assert (part["id"], part["kind"], part["power_max_w"]) == ("dgx-h100", "device", 10_200)
    assert part["sources"]
    assert "power_max_w: 10200" in done["catalog part"].out
    assert "source: " in done["catalog part"].out


def test_the_version_is_that_of_the_program(done: Folder) -> None:
    assert done["version"].out == f"rackbuilder {__version__}\n"
