"""The real window on a real display: place, cable, undo and save by mouse and keyboard."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from rackbuilder.catalog.load import shipped
from rackbuilder.session.session import Session
from tests.conftest import ROOT
from tests.smoke.conftest import Screen


def test_a_small_cluster_by_mouse(screen: Screen, tmp_path: Path) -> None:
    """Four servers with eight compute ports each: 32 cables."""
    target = tmp_path / "small.rackbuilder"
    command = [sys.executable, "-m", "tests.smoke.by_mouse", str(target)]
    done = subprocess.run(
        command, env=screen.environment(), cwd=ROOT, capture_output=True, text=True, timeout=90
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "platform": "xcb", "cabled": 32, "undone": 0, "gpus": 32, "saved": "small.rackbuilder",
    }  # fmt: skip
    design = Session.open(target, shipped()).design
    assert len(design.cables) == 32
