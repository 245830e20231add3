"""The bundle runs where no Python is: `pip install pyinstaller`, then `packaging/test -m bundle`."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "_internal/rackbuilder/_resources/designs/superpod-4su.rackbuilder"

pytestmark = [pytest.mark.bundle, pytest.mark.timeout(900)]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if importlib.util.find_spec("PyInstaller") is None:
        pytest.skip("pyinstaller is not installed")
    folder = tmp_path_factory.mktemp("bundle")
    build = [
        sys.executable,
        "-m",
        "PyInstaller",
        "--log-level",
        "ERROR",
        str(ROOT / "packaging/rackbuilder.spec"),
    ]
    subprocess.run(
        [*build, "--distpath", str(folder), "--workpath", str(folder / "work")], cwd=ROOT, check=True
    )
    return folder / "rackbuilder"


def run(bundle: Path, *arguments: str) -> str:
    """What the bundled program prints, with nothing of ours on any path of its."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    program = [str(bundle / "rackbuilder"), *arguments]
    done = subprocess.run(program, cwd=bundle.parent, env=env, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_opens_a_sample(bundle: Path) -> None:
    report = json.loads(run(bundle, "analyse", str(bundle / SAMPLE), "--json"))
    assert report["counts"]["servers"] == 127


def test_draws_the_window(bundle: Path, tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    run(bundle, str(bundle / SAMPLE), "--screenshot", str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_leaves_the_tools_out(bundle: Path) -> None:
    inside = {path.name.split(".")[0].split("-")[0] for path in (bundle / "_internal").iterdir()}
    assert not inside & {"pytest", "hypothesis", "mypy", "ruff", "tkinter", "libQt6WebEngineCore"}
