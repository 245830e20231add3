"""Runs the InfiniBand simulator, the subnet manager and ibnetdiscover on an exported fabric.

ibsim, opensm and infiniband-diags talk over sockets of the file system; no adapter, no kernel module, no network.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

PATH = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
NEEDED = {"ibsim": "ibsim-utils", "opensm": "opensm", "ibnetdiscover": "infiniband-diags"}


def missing() -> tuple[str, ...]:
    """The packages that bring what this machine lacks."""
    return tuple(package for name, package in NEEDED.items() if shutil.which(name, path=PATH) is None)


def need_programs() -> None:
    """Skips without them; on a machine of CI that can install them, their absence is a failure."""
    lacking = missing()
    if not lacking:
        return
    words = f"needs the packages {' '.join(lacking)}"
    if os.environ.get("CI") and os.geteuid() == 0 and shutil.which("apt-get"):
        pytest.fail(words)
    pytest.skip(words)


class Verdict(NamedTuple):
    """What the subnet manager made of a fabric: its log, its tables, the listing read back, its exit code."""

    log: str
    tables: str
    listing: str

    @property
    def fat_tree(self) -> bool:
        return "ftree tables configured on all switches" in self.log

    @property
    def fell_back(self) -> bool:
        return "minhop tables configured on all switches" in self.log

    def counts(self) -> tuple[int, int]:
        """Adapters and switches that fat-tree routing says it saw."""
        found = re.findall(r"Fabric has (\d+) CAs, .* (\d+) switches", self.log)
        assert len(found) == 1, found
        return int(found[0][0]), int(found[0][1])

    def refused_with(self, code: str) -> bool:
        return f"ERR {code}" in self.log


def simulate(net: bytes, folder: Path, engine: str = "ftree", **files: bytes) -> Verdict:
    """Loads a net file, lets opensm sweep it once and reads the fabric back. Keyword `a` or `u`: a GUID file."""
    (folder / "net").write_bytes(net)
    dumps = folder / "osm"
    dumps.mkdir()
    environment = _environment(folder, dumps)
    options = ["-o", "-D", "0x43", "-R", engine, "-f", str(dumps / "opensm.log")]
    for letter, content in files.items():
        (folder / letter).write_bytes(content)
        options += [f"-{letter}", str(folder / letter)]
    with _simulator(folder, environment):
        _client(["opensm", *options], folder, environment)
        listing = _client(["ibnetdiscover"], folder, environment)
    tables = dumps / "opensm-lfts.dump"
    return Verdict((dumps / "opensm.log").read_text(), tables.read_text() if tables.exists() else "", listing)


def _environment(folder: Path, dumps: Path) -> Mapping[str, str]:
    library = next(Path("/usr/lib").glob("**/umad2sim/libumad2sim.so"))
    return {
        **os.environ,
        "PATH": PATH,
        "LC_ALL": "C",
        # A socket's name is short by law, so the folder is not part of it; the process and its count are.
        "IBSIM_SOCKNAME": f"rb{os.getpid()}-{abs(hash(folder.name)) % 10**6}",
        "OSM_TMP_DIR": str(dumps),
        "OSM_CACHE_DIR": str(dumps),
        "LD_PRELOAD": str(library),
    }


@contextlib.contextmanager
def _simulator(folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    own = {key: value for key, value in environment.items() if key != "LD_PRELOAD"}
    log = folder / "ibsim.log"
    command = ["ibsim", "-s", "-n", "-N", "20000", "-S", "2000", "-P", "300000", "net"]
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=folder, env=own, stdout=out, stderr=subprocess.STDOUT)
    try:
        _wait_until_ready(process, log)
        yield
        # A client without a simulator would have waited for ever.
        assert process.poll() is None, log.read_text()[-2000:]
    finally:
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_ready(process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 20
    while "Network simulator ready" not in log.read_text(errors="replace"):
        if process.poll() is not None or time.monotonic() > until:
            pytest.fail(f"ibsim refuses the net file: {log.read_text(errors='replace')[-2000:]}")
        time.sleep(0.02)


def _client(command: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    """Output of a program that attaches to the simulator. It ignores SIGTERM when stuck, hence `timeout -k`."""
    # timeout itself must not attach, so the library is loaded by the program it starts.
    own = {key: value for key, value in environment.items() if key != "LD_PRELOAD"}
    preload = f"LD_PRELOAD={environment['LD_PRELOAD']}"
    done = subprocess.run(
        ["timeout", "-k", "2", "60", "env", preload, *command],
        cwd=folder,
        env=own,
        capture_output=True,
        text=True,
        check=False,
        timeout=70,
    )
    assert done.returncode == 0, (command, done.returncode, done.stderr[-1000:])
    return done.stdout
