"""README is true: its lines run, and what it points at is there."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LINES = re.findall(r"^    rackbuilder ([^#\n]+)", README, re.MULTILINE)


@pytest.mark.slow
def test_its_command_lines_run_in_order(tmp_path: Path) -> None:
    assert LINES
    for line in LINES:
        command = [sys.executable, "-m", "rackbuilder", *shlex.split(line)]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, f"rackbuilder {line}\n{done.stderr}"
    assert list((tmp_path / "out").iterdir())


def test_its_links_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)]+)\)", README)
    assert [link for link in links if not (ROOT / link).exists()] == []
