"""Bad input: a clear message, the right exit code, and nothing written."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rackbuilder.formats.native.write import write_design
from tests.cli.batches import Folder, Lines, run_lines
from tests.conftest import ROOT
from tests.session.documents import design

GOOD = write_design(design())
FILES: dict[str, str | bytes] = {
    "good.rackbuilder": GOOD,
    "cut.rackbuilder": GOOD[: len(GOOD) // 2],
    "newer.rackbuilder": GOOD.replace(b'"version": 1', b'"version": 99'),
    "empty.rackbuilder": b"",
    "latin.rackbuilder": '{"format": "größe"}'.encode("latin-1"),
    "deep.rackbuilder": b"[" * 100_000,
    "odd.rackbuilder": GOOD.replace(b'"u":9.0', b'"u":"high"'),
    "file": b"a file in the way",
    "verb.yaml": "- plase: {type: dgx-h100}\n",
    "field.yaml": "\n- place: {typ: dgx-h100}\n",
    "part.yaml": "- place: {type: dgx-h1000}\n",
    "value.yaml": "- place: {type: dgx-h100, count: many}\n",
    "endless.yaml": "- move: {devices: [srv-0001], u: .inf}\n",
    "collision.yaml": "- rename: {ref: srv-0002, name: x}\n- move: {devices: [srv-0001], u: 9}\n",
    "no-record.yaml": "- rename: {ref: srv-0002, name: x}\n- delete: {refs: [srv-9999]}\n",
    "newline.yaml": '- rename: {ref: srv-0001, name: "a\\nb"}\n',
    "map.yaml": "place: {type: dgx-h100}\n",
    "broken.yaml": "- place: {type: dgx-h100\n",
    "object.yaml": "- !!python/object/apply:os.system ['touch {}/hacked']\n",
    "alias.yaml": "- &a {place: {type: dgx-h100}}\n- *a\n",
    "latin.yaml": "- rename: {ref: srv-0001, name: Größe}\n".encode("latin-1"),
}

FILE, OUT = "{}/good.rackbuilder", "{}/out/x"
LINES: dict[str, tuple[list[str], int, str]] = {
    # usage: 2
    "no such subcommand": (["analyze", FILE], 2, "Did you mean 'analyse'?"),
    "no such option": (["analyse", FILE, "--jsn"], 2, "--jsn"),
    "no file": (["analyse"], 2, "file"),
    "no output": (["new", "superpod"], 2, "--out"),
    "unknown template": (["new", "supperpod", "-o", OUT], 2, "Did you mean “superpod”?"),
    "unknown field": (["new", "superpod", "--set", "unit=4", "-o", OUT], 2, "Did you mean “units”?"),
    "unknown server": (
        ["new", "superpod", "--set", "server=dgx-h1000", "-o", OUT],
        2,
        "Did you mean “dgx-h100”?",
    ),
    "unknown system": (
        ["new", "nvlink_rack", "--set", "system=gb200", "-o", OUT],
        2,
        "Did you mean “gb200-nvl72”?",
    ),
    "wrong kind": (["new", "superpod", "--set", "server=qm9700", "-o", OUT], 2, "Choose one of dgx-h100"),
    "no number": (["new", "superpod", "--set", "units=four", "-o", OUT], 2, "units"),
    "too many": (["new", "superpod", "--set", "units=65", "-o", OUT], 2, "units"),
    "endless": (["new", "superpod", "--set", "rack_limit_w=inf", "-o", OUT], 2, "rack_limit_w"),
    "negative": (["new", "superpod", "--set", "rack_limit_w=-1", "-o", OUT], 2, "rack_limit_w"),
    "no value": (["new", "superpod", "--set", "units", "-o", OUT], 2, "no KEY=VALUE"),
    "no key": (["new", "superpod", "--set", "=4", "-o", OUT], 2, "no KEY=VALUE"),
    "unknown part": (["catalog", "dgx-h10"], 2, "Did you mean “dgx-h100”?"),
    "unknown format": (["export", FILE, "--to", "bom-cvs", "-o", OUT], 2, "Did you mean “bom-csv”?"),
    "export nothing": (["export", FILE], 2, "--all"),
    "export without place": (["export", FILE, "--to", "bom-csv"], 2, "-o OUT"),
    "export both": (["export", FILE, "--to", "bom-csv", "-o", OUT, "--all", "{}/out"], 2, "--all"),
    "export all to one": (["export", FILE, "--all", "{}/out", "-o", OUT], 2, "--all"),
    "unknown workload": (["analyse", FILE, "--workload", "lama-3.1-405b", "--json"], 2, "llama-3.1-405b"),
    "no date": (["check", FILE, "--today", "tomorrow"], 2, "is no date"),
    "wrong date": (["check", FILE, "--today", "2026-02-30"], 2, "is no date"),
    # unreadable input: 2
    "missing file": (["analyse", "{}/none", "--json"], 2, "cannot be read"),
    "a folder": (["analyse", "{}"], 2, "cannot be read"),
    "under a file": (["check", "{}/file/x", "--json"], 2, "cannot be read"),
    "cut file": (["check", "{}/cut.rackbuilder", "--json"], 2, "breaks off or is damaged"),
    "newer file": (["export", "{}/newer.rackbuilder", "--all", "{}/out"], 2, "version 99"),
    "empty file": (["analyse", "{}/empty.rackbuilder"], 2, "no rackbuilder file"),
    "latin file": (["analyse", "{}/latin.rackbuilder"], 2, "not UTF-8"),
    "deep file": (["analyse", "{}/deep.rackbuilder"], 2, "no rackbuilder file"),
    "apply to a cut file": (["apply", "{}/cut.rackbuilder", "{}/verb.yaml", "-o", OUT], 2, "damaged"),
    "no script": (["apply", FILE, "{}/none.yaml", "-o", OUT], 2, "cannot be read"),
    "unknown verb": (["apply", FILE, "{}/verb.yaml", "-o", OUT], 2, "Did you mean “place”?"),
    "unknown field of an edit": (["apply", FILE, "{}/field.yaml", "-o", OUT], 2, "Did you mean “type”?"),
    "its line": (["apply", FILE, "{}/field.yaml", "-o", OUT], 2, "field.yaml line 2"),
    "unknown part in a script": (["apply", FILE, "{}/part.yaml", "-o", OUT], 2, "Did you mean “dgx-h100”?"),
    "wrong value": (["apply", FILE, "{}/value.yaml", "-o", OUT], 2, "count"),
    "endless value": (["apply", FILE, "{}/endless.yaml", "-o", OUT], 2, "finite"),
    "no list": (["apply", FILE, "{}/map.yaml", "-o", OUT], 2, "list of edits"),
    "broken yaml": (["apply", FILE, "{}/broken.yaml", "-o", OUT], 2, "broken.yaml line"),
    "an object": (["apply", FILE, "{}/object.yaml", "-o", OUT], 2, "YAML"),
    "an alias": (["apply", FILE, "{}/alias.yaml", "-o", OUT], 2, "Alias"),
    "latin script": (["apply", FILE, "{}/latin.yaml", "-o", OUT], 2, "not UTF-8"),
    "binary import": (
        ["import", "{}/deep.rackbuilder", "--from", "ibnetdiscover", "-o", OUT],
        2,
        "No switch",
    ),
    # a refused edit: 1
    "collision": (["apply", FILE, "{}/collision.yaml", "-o", OUT], 1, "stand in the same place"),
    "no record": (["apply", FILE, "{}/no-record.yaml", "-o", OUT], 1, "srv-9999"),
    "a line in a name": (["apply", FILE, "{}/newline.yaml", "-o", OUT], 1, "control character"),
    "its number": (["apply", FILE, "{}/no-record.yaml", "-o", OUT], 1, "edit 2 (delete)"),
    # what cannot be written: 1
    "nowhere": (["new", "blank", "-o", "{}/file/x"], 1, "cannot be written"),
    "into a folder": (["new", "blank", "-o", "{}"], 1, "cannot be written"),
    "no folder": (["export", FILE, "--to", "bom-csv", "-o", "{}/none/x"], 1, "cannot be written"),
    "documents into a file": (["export", FILE, "--all", "{}/file"], 1, "cannot be made"),
    # odd, but readable
    "odd file": (["check", "{}/odd.rackbuilder", "--json"], 1, "line "),
}


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    folder = tmp_path_factory.mktemp("cli") / "work"
    (folder / "out").mkdir(parents=True)
    lines: Lines = {name: line for name, (line, _, _) in LINES.items()}
    return run_lines(folder, FILES, lines)


@pytest.mark.parametrize("name", LINES)
def test_it_is_refused_in_words_with_its_code(done: Folder, name: str) -> None:
    _, code, words = LINES[name]
    result = done[name]
    assert result.code == code, result.err
    assert words in " ".join(result.err.split())
    assert "Traceback" not in result.err
    if name != "odd file":
        assert result.out == ""
    if "error:" in result.err:
        assert "Fix: " in result.err


def test_nothing_was_written(done: Folder) -> None:
    assert set(done.files()) == set(FILES)
    assert done.files()["good.rackbuilder"] == GOOD
    assert done.files()["file"] == FILES["file"]


def test_a_record_that_cannot_be_read_is_a_finding_and_named_on_stderr_too(done: Folder) -> None:
    findings = done["odd file"].json()["findings"]
    record = next(f for f in findings if f["rule"] == "file.record")
    assert record["severity"] == "error"
    assert record["what"] in done["odd file"].err


# ---- what only a process of its own can show


def run(*words: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    inherited = {
        k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    }
    home = {"RACKBUILDER_HOME": str(folder / "home")}
    return subprocess.run(
        [sys.executable, "-m", "rackbuilder", *words],
        capture_output=True,
        cwd=ROOT,
        env={**inherited, **home, **environment},
        check=False,
    )


def test_stdout_is_utf8_whatever_the_terminal_speaks(tmp_path: Path) -> None:
    path = tmp_path / "größe.rackbuilder"
    path.write_bytes(GOOD.replace(b'"id":"srv-0002"', '"id":"srv-0002","name":"服务器 Ω"'.encode()))
    done = run("check", str(path), "--json", folder=tmp_path, PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode in (0, 1), done.stderr
    assert json.loads(done.stdout.decode("utf-8"))["schema"] == 1
    assert "服务器 Ω".encode() in done.stdout


def test_an_internal_fault_leaves_with_three_and_a_log(tmp_path: Path) -> None:
    """A shipped file that is broken is our fault, not the user's: here the finder of them is."""
    broken = "import rackbuilder.resources as r; r.root = lambda: 1 / 0; import sys; "
    start = "from rackbuilder.cli.main import main; sys.exit(main(['catalog']))"
    done = subprocess.run(
        [sys.executable, "-c", broken + start],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "RACKBUILDER_HOME": str(tmp_path / "home")},
        check=False,
    )
    assert done.returncode == 3
    assert done.stdout == ""
    assert "internal error: ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in (tmp_path / "home" / "log" / "rackbuilder.log").read_text()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only there a window needs a display")
def test_without_a_display_the_window_is_refused_in_words(tmp_path: Path) -> None:
    done = run(folder=tmp_path)
    assert done.returncode == 2
    assert b"no display" in done.stderr
    assert b"--help" in done.stderr


def test_a_full_disk_keeps_the_old_file(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    path = tmp_path / "good.rackbuilder"
    path.write_bytes(GOOD)
    (tmp_path / "edit.yaml").write_text("- rename: {ref: srv-0001, name: x}\n")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "rackbuilder",
            "apply",
            str(path),
            str(tmp_path / "edit.yaml"),
            "-o",
            str(path),
        ],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "RACKBUILDER_HOME": str(tmp_path / "home"), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)),
        check=False,
    )
    assert done.returncode == 1
    assert "cannot be written" in done.stderr
    assert path.read_bytes() == GOOD
    assert not list(tmp_path.glob("*.bak"))
