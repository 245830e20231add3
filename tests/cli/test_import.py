"""rackbuilder import, as a process leaves it: its file, its words, its exit code."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from rackbuilder.cli.main import app
from rackbuilder.formats.native.read import read_design
from tests.formats.test_ib_import import PLAIN


def run(*arguments: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, done.stdout, done.stderr


def test_a_listing_becomes_a_design(tmp_path: Path) -> None:
    source, out = tmp_path / "net.txt", tmp_path / "net.rackbuilder"
    source.write_text(PLAIN)
    code, stdout, stderr = run("import", str(source), "--from", "ibnetdiscover", "-o", str(out))
    assert (code, stdout) == (0, "")
    assert "4 devices, 6 cables" in stderr
    loaded = read_design(out.read_bytes(), str(out))
    assert loaded.problems == ()
    assert len(loaded.design.cables) == 6


@pytest.mark.parametrize(
    ("kind", "options", "content", "words"),
    [
        ("ibnetdiscove", (), PLAIN, "Did you mean “ibnetdiscover”?"),
        ("ibnetdiscover", ("--set", "sever=dgx-h100"), PLAIN, "Did you mean “server”?"),
        ("ibnetdiscover", ("--set", "server=dgx-h1000"), PLAIN, "Did you mean “dgx-h100”?"),
        ("ibnetdiscover", (), "nothing of the kind", "No switch or adapter"),
        ("ibnetdiscover", (), "\0\1\2", "The file is no text"),
    ],
)
def test_what_cannot_be_read_leaves_with_two(
    kind: str, options: tuple[str, ...], content: str, words: str, tmp_path: Path
) -> None:
    source, out = tmp_path / "net.txt", tmp_path / "net.rackbuilder"
    source.write_text(content)
    code, _, stderr = run("import", str(source), "--from", kind, "-o", str(out), *options)
    assert code == 2
    assert words in stderr
    assert not out.exists()


def test_a_missing_file_leaves_with_two(tmp_path: Path) -> None:
    code, _, stderr = run(
        "import", str(tmp_path / "no.txt"), "--from", "ibnetdiscover", "-o", str(tmp_path / "x")
    )
    assert code == 2
    assert "cannot be read" in stderr


def test_formats_lists_what_can_be_read() -> None:
    code, stdout, _ = run("formats")
    assert code == 0
    assert [line.split()[0] for line in stdout.splitlines() if " in   " in line] == ["ibnetdiscover"]
