"""Faults of catalog files: each names its file and line and what to do, and good entries beside it still load."""

from __future__ import annotations

from pathlib import Path

import pytest

from rackbuilder.catalog import yaml_nodes
from rackbuilder.catalog.load import load_catalog, load_user, shipped
from rackbuilder.catalog.parts import CableType, DeviceType, GpuType
from rackbuilder.errors import Problem

HEAD = """about: parts of a test
revision: 2026-12-01
sources:
  sheet: https://example.com/sheet
parts:
"""
GOOD = """  - id: good
    kind: device
    name: A good box
    category: other
    u_height: 1
    evidence: B
    source: [sheet]
"""


def load(folder: Path, text: str, name: str = "mine.yaml") -> tuple[list[str], tuple[Problem, ...]]:
    (folder / name).write_text(text, encoding="utf-8")
    catalog, problems = load_catalog([folder])
    return list(catalog.parts), problems


def test_a_good_file(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(HEAD + GOOD, encoding="utf-8")
    catalog, problems = load_catalog([tmp_path])
    part = catalog.device("good")
    assert problems == ()
    assert (part.sources, part.revision, catalog.date) == (
        ("https://example.com/sheet",),
        "2026-12-01",
        "2026-12-01",
    )


GPU = "id: x\nkind: gpu\nname: X\n"
NIC = "id: x\nkind: nic\nname: X\n"
BOX = "id: x\nkind: device\nname: X\ncategory: other\n"
TAG = "id: x\nkind: gpu\nname: !!python/object/apply:os.system ['exit']"
ROW = "u_height: 1\ncages:\n  - name: osfp\n    count: 4\n    connector: OSFP\n    topp: flat"
SERVER = "u_height: 8\ngpus: {part: h100, count: 8}"

# An entry, the line of its fault (the entry begins at line 13), and words of what and fix.
ENTRIES = {
    "unknown field": (GPU + "memory_gigabytes: 80", 16, "memory_gigabytes is not known", "memory_bytes"),
    "misspelt key": (GPU + "memory_bg: 80", 16, "memory_bg is not known", "Did you mean “memory_gb”?"),
    "misspelt field": (BOX + "u_height: 1\nweigth_kg: 1", 18, "weigth_kg is not known", "“weight_kg”?"),
    "missing field": (BOX, 13, "u_height is missing", "Add it"),
    "wrong type": (BOX + "u_height: tall", 17, "valid number", "'tall'"),
    "yes is no number": (BOX + "u_height: 1\npower_max_w: yes", 18, "valid number", "True"),
    "wrong choice": (BOX.replace("other", "server") + "u_height: 1", 16, "category", "'server'"),
    "unknown kind": ("id: x\nkind: divice\nname: X", 14, "“divice” is no kind of part", "“device”?"),
    "no kind": ("id: x\nname: X", 13, "The kind of part is missing", "device"),
    "inner field": (BOX + ROW, 22, "cages.0.topp is not known", "Did you mean “top”?"),
    "rate without unit": (NIC + "rate: 400", 16, "has no unit", "400 Gb/s"),
    "rate of both directions": (NIC + "rate: 800 Gb/s bidirectional", 16, "adds both", "one direction"),
    "ambiguous rate": (NIC + "rate: 400G", 16, "does not say bits or bytes", "400 Gb/s"),
    "given twice": (GPU + "memory_gb: 80\nmemory_bytes: 80.0e+9", 17, "a second time", "Keep one"),
    "key twice": (GPU + "name: Y", 16, "“name” is there twice", "Keep one"),
    "unknown source": (GPU + "source: [shet]", 16, "no source “shet”", "Did you mean “sheet”?"),
    "mark of nothing": (GPU + "unverified: [memory]", 16, "no field of a gpu", "Did you mean"),
    "id in capitals": ("id: QM9700\nkind: gpu\nname: X", 13, "is no id", "a–z"),
    "python tag": (TAG, 15, "not allowed", "without tags"),
    "not a number": (GPU + "tdp_w: .nan", 16, "no number", "null"),
    "not a number by tag": (GPU + "tdp_w: !!int ten", 16, "no number", "null"),
    "itself": (GPU + "facts: &a\n  more: *a", 16, "contain themselves", "flatter"),
    "itself in a model": (GPU + "a: &a\n  a: *a", 16, "contain themselves", "flatter"),
    "unknown part": (BOX + SERVER, 13, "names the part “h100”", "Known: good"),
    "the id of another": ("id: good\nkind: gpu\nname: X", 13, "first in mine.yaml, line 6", "another id"),
    "no mapping": ("just words", 13, "“key: value” lines", "shipped catalog"),
}


@pytest.mark.parametrize(("entry", "line", "what", "fix"), ENTRIES.values(), ids=list(ENTRIES))
def test_a_faulty_entry(tmp_path: Path, entry: str, line: int, what: str, fix: str) -> None:
    body = "\n".join(f"    {row}" for row in entry.split("\n"))
    ids, problems = load(tmp_path, HEAD + GOOD + "  - " + body.lstrip() + "\n")
    assert ids == ["good"]
    (problem,) = problems
    assert problem.where == f"{tmp_path / 'mine.yaml'}, line {line}"
    assert what in problem.what
    assert fix in problem.fix
    assert problem.severity == "error"


FILES = {
    "broken YAML": (HEAD + "  - {id: x\n", 7, "no YAML"),
    "tab": (HEAD + "\t- id: x\n", 6, "no YAML"),
    "control character": (HEAD + "  - id: \x01\n", 6, "no YAML"),
    "empty": ("", 1, "empty"),
    "a list": ("- id: x\n", 1, "“key: value” lines"),
    "no parts": ("about: nothing\n", 1, "no parts"),
    "parts no list": ("about: x\nparts: 3\n", 2, "“parts” is a list"),
    "date": ("revision: yesterday\nparts: []\n", 1, "is no date"),
}


@pytest.mark.parametrize(("text", "line", "what"), FILES.values(), ids=list(FILES))
def test_a_faulty_file(tmp_path: Path, text: str, line: int, what: str) -> None:
    (tmp_path / "good.yaml").write_text(HEAD + GOOD, encoding="utf-8")
    ids, problems = load(tmp_path, text)
    assert ids == ["good"]
    (problem,) = problems
    assert problem.where == f"{tmp_path / 'mine.yaml'}, line {line}"
    assert what in problem.what
    assert problem.fix


def test_an_unknown_word_at_the_top_does_not_lose_the_parts(tmp_path: Path) -> None:
    ids, problems = load(
        tmp_path, "revison: 2026-12-01\n" + "parts:\n" + GOOD.replace("    source: [sheet]\n", "")
    )
    assert ids == ["good"]
    assert problems[0].where.endswith("line 1")
    assert problems[0].fix == "Did you mean “revision”?"


def test_every_fault_is_listed_not_only_the_first(tmp_path: Path) -> None:
    bad = "  - id: a\n    kind: gpu\n    name: A\n    tdp: 1\n    memory: 2\n  - id: b\n    kind: x\n"
    ids, problems = load(tmp_path, HEAD + bad + GOOD)
    assert ids == ["good"]
    assert [problem.where.rpartition(" ")[2] for problem in problems] == ["9", "10", "12"]


def test_a_tag_runs_nothing(tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    tag = f"  - id: x\n    kind: gpu\n    name: !!python/object/apply:pathlib.Path.touch ['{mark}']\n"
    _, problems = load(tmp_path, HEAD + tag)
    assert "not allowed" in problems[0].what
    assert not mark.exists()


@pytest.mark.parametrize("tag", ["!!python/name:os.system", "!!binary", "!!set", "!mine"])
def test_other_tags_are_refused(tmp_path: Path, tag: str) -> None:
    ids, problems = load(tmp_path, HEAD + f"  - id: x\n    kind: gpu\n    name: {tag} abc\n")
    assert ids == []
    assert len(problems) == 1


def test_aliases_that_multiply_are_stopped(tmp_path: Path) -> None:
    """Nine levels of ten would be a thousand million values."""
    rows = ["  x0: &x0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    rows += [f"  x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 10)}]" for n in range(1, 9)]
    bomb = "  - id: x\n    kind: gpu\n    name: X\n    facts:\n" + "\n".join("    " + row for row in rows)
    ids, problems = load(tmp_path, HEAD + bomb + "\n" + GOOD)
    assert "x" not in ids
    assert "expands to more than" in problems[0].what


def test_a_few_aliases_are_fine(tmp_path: Path) -> None:
    twice = GOOD.replace("[sheet]", "&s [sheet]") + GOOD.replace("good", "better").replace("[sheet]", "*s")
    ids, problems = load(tmp_path, HEAD + twice)
    assert (ids, problems) == (["better", "good"], ())


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    deep = "  - id: x\n    kind: gpu\n    name: X\n    facts: {a: " + "[" * 5000 + "]" * 5000 + "}\n"
    ids, problems = load(tmp_path, HEAD + deep)
    assert ids == []
    assert len(problems) == 1


def test_a_large_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml_nodes, "MAX_FILE_BYTES", 100)
    ids, problems = load(tmp_path, HEAD + GOOD)
    assert ids == []
    assert "Split it" in problems[0].fix


def test_a_file_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_bytes(b"about: \xff\xfe\n")
    _, problems = load_catalog([tmp_path])
    assert "not UTF-8" in problems[0].what


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    catalog, problems = load_user([tmp_path / "none"])
    assert len(catalog.parts) == len(shipped().parts)
    assert problems[0].where == str(tmp_path / "none")


def test_parts_that_need_a_refused_part_go_too(tmp_path: Path) -> None:
    text = (
        "  - {id: rack-x, kind: rack, name: R, u_height: 48, assembly: {compute_tray: tray-x, compute_trays: 1,"
        " switch_tray: good, switch_trays: 1, links_per_pair: 1}}\n"
        "  - {id: tray-x, kind: device, name: T, category: compute-tray, u_height: 1, gpus: {part: gone, count: 4}}\n"
    )
    ids, problems = load(tmp_path, HEAD + text + GOOD)
    assert ids == ["good"]
    assert [problem.where.rpartition(" ")[2] for problem in problems] == ["7", "6"]


def test_user_parts_stand_on_the_shipped_catalog(tmp_path: Path) -> None:
    text = GOOD.replace("category: other", "category: gpu-server\n    gpus: {part: h100-sxm, count: 8}")
    (tmp_path / "mine.yaml").write_text(HEAD + text, encoding="utf-8")
    catalog, problems = load_user([tmp_path])
    assert problems == ()
    assert catalog.device("good").gpu_count == 8
    assert [part.id for part in catalog.closure("good")] == ["h100-sxm", "good"]


def test_a_shipped_id_cannot_be_taken(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text(HEAD + GOOD.replace("good", "qm9700"), encoding="utf-8")
    catalog, problems = load_user([tmp_path])
    assert catalog.device("qm9700") is shipped().device("qm9700")
    assert "the first is in the shipped catalog" in problems[0].what


def test_shorthand_becomes_base_units(tmp_path: Path) -> None:
    text = """  - {id: g, kind: gpu, name: G, memory_gb: 80, bf16_tflops: 989, nvlink_bidirectional: 900 GB/s,
     unverified: [memory_gb], grades: {bf16_tflops: C}, conflicts: [{key: memory_gb, value: 96, origin: a note}]}
  - {id: d, kind: device, name: D, category: switch, u_height: 1, weight_lb: 10, airflow_cfm: 100, switching: 3.2 Tb/s,
     hop_latency_ns: 130, cages: [{name: p, count: 8, connector: OSFP, rate: 50 GB/s}]}
  - {id: c, kind: cable, name: C, form: dac, medium: passive-copper, a: {connector: OSFP}, b: {connector: OSFP}}
"""
    (tmp_path / "mine.yaml").write_text(HEAD + text, encoding="utf-8")
    catalog, problems = load_catalog([tmp_path])
    assert problems == ()
    gpu, device, cable = catalog.part("g"), catalog.part("d"), catalog.part("c")
    assert isinstance(gpu, GpuType)
    assert isinstance(device, DeviceType)
    assert isinstance(cable, CableType)
    assert (gpu.memory_bytes, gpu.bf16_flops, gpu.scale_up_bytes_s) == (80e9, 989e12, 450e9)
    assert gpu.published == {"scale_up_bytes_s": "900 GB/s, both directions together"}
    assert (gpu.grade("memory_bytes"), gpu.grade("bf16_flops")) == ("U", "C")
    assert (gpu.conflicts[0].key, gpu.conflicts[0].value) == ("memory_bytes", 96e9)
    assert device.weight_kg == pytest.approx(4.5359, rel=1e-4)
    assert device.airflow_m3_s == pytest.approx(0.0472, rel=1e-3)
    assert (device.switching_bps, device.hop_latency_s) == (3.2e12, 130e-9)
    assert device.cages[0].rate_bps == 400e9
    assert cable.rate_bps is None


def test_null_stays_unknown(tmp_path: Path) -> None:
    text = "  - {id: g, kind: gpu, name: G, memory_gb: null, nvlink_bidirectional: null, tdp_w: ~}\n"
    (tmp_path / "mine.yaml").write_text(HEAD + text, encoding="utf-8")
    gpu = load_catalog([tmp_path])[0].gpu("g")
    assert (gpu.memory_bytes, gpu.scale_up_bytes_s, gpu.tdp_w, gpu.published) == (None, None, None, {})
