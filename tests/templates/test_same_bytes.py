"""Every template gives the same file in every process, whatever order Python gives its sets."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from rackbuilder.catalog.load import shipped
from rackbuilder.design.design import Design
from rackbuilder.formats.native.write import write_design
from rackbuilder.templates import TEMPLATES, Template, template

ROOT = Path(__file__).resolve().parents[2]
SMALL: dict[str, dict[str, object]] = {
    "superpod": {"units": 1, "storage": True, "in_band": True, "out_of_band": True},
    "rail_optimised": {"servers": 40},
    "fat_tree": {"servers": 20},
    "nvlink_pod": {"racks": 2},
    "nvlink_rack": {"racks": 2},
    "roce_pod": {"racks_per_pod": 4, "pods": 2},
    "basepod": {"servers": 4},
    "blank": {},
}


def digest(command: Template) -> str:
    design = Design().apply(command.plan(Design(), shipped()))
    return hashlib.sha256(write_design(design)).hexdigest()


def digests() -> dict[str, str]:
    return {name: digest(template(name).model_validate(fields)) for name, fields in SMALL.items()}


def test_every_template_is_here() -> None:
    assert set(SMALL) == {kind.verb for kind in TEMPLATES}


@pytest.mark.parametrize("seed", ["1", "31"])
def test_same_bytes_in_another_process(seed: str) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    code = "from tests.templates.test_same_bytes import digests; print(sorted(digests().items()))"
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(sorted(digests().items()))
