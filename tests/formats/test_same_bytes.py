"""The same design gives the same bytes in every process, whatever order its sets and hashes take."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = """
import hashlib
from rackbuilder.formats import EXPORTS
from tests.formats.samples import small
made = small(job=True)
for export in EXPORTS:
    print(export.kind, hashlib.sha256(export.write(*made)).hexdigest())
"""


def digests(seed: str) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=100,
    )
    return done.stdout


def test_every_export_is_the_same_under_two_hash_seeds() -> None:
    first = digests("1")
    assert len(first.splitlines()) >= 9
    assert digests("4242") == first
