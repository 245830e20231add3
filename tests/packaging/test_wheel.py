"""The wheel stands alone: unpacked elsewhere, it finds its data and opens a sample."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = "rackbuilder/_resources/designs/superpod-4su.rackbuilder"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the checkout as it is and unpacked as pip would."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=100)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(site: Path, *arguments: str) -> str:
    """What a Python prints whose only rackbuilder is the unpacked one: the path given here comes first."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=site.parent,
        env={**os.environ, "PYTHONPATH": str(site), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_code_and_data_are_the_wheels_own(site: Path) -> None:
    asked = "import rackbuilder, rackbuilder.resources as r; print(rackbuilder.__file__); print(r.root())"
    package, resources = run(site, "-c", asked).splitlines()
    assert Path(package).parent == site / "rackbuilder"
    assert Path(resources) == site / "rackbuilder" / "_resources"


def test_opens_a_sample(site: Path) -> None:
    report = json.loads(run(site, "-m", "rackbuilder", "analyse", str(site / SAMPLE), "--json"))
    assert report["counts"]["servers"] == 127
    assert report["counts"]["gpus"] == 1016


def test_ships_what_it_must_and_no_more(site: Path) -> None:
    assert {path.name.partition("-")[0] for path in site.iterdir()} == {"rackbuilder"}
    (info,) = site.glob("*.dist-info")
    assert (info / "licenses" / "LICENSE").is_file()
    assert not list(site.rglob("__pycache__"))
    entries = (info / "entry_points.txt").read_text()
    assert "rackbuilder = rackbuilder.__main__:main" in entries
    assert "rackbuilder-window = rackbuilder.__main__:main" in entries
