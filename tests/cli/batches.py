"""Named command lines on a folder of files, run in a process of their own."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tests.conftest import ROOT

Lines = Mapping[str, list[str]]


class Result(NamedTuple):
    code: int
    out: str
    err: str
    qt: list[str]

    def json(self) -> dict[str, Any]:
        """What was printed, which must be one JSON object and nothing else."""
        data = json.loads(self.out)
        assert isinstance(data, dict)
        assert self.out.startswith("{\n")
        assert self.out.endswith("}\n")
        return data


class Folder(NamedTuple):
    """What the lines read and wrote, and what each of them said."""

    path: Path
    results: dict[str, Result]

    def __getitem__(self, name: Any) -> Any:
        return self.results[name]

    def said(self, name: str) -> str:
        """All that one line said, without the name of the folder."""
        result = self.results[name]
        return f"{result.code}\n{result.out}\n{result.err}".replace(str(self.path), "FOLDER")

    def files(self) -> dict[str, bytes]:
        rows = sorted(path for path in self.path.rglob("*") if path.is_file() and "home" not in path.parts)
        return {str(path.relative_to(self.path)): path.read_bytes() for path in rows}


def run_lines(folder: Path, files: Mapping[str, str | bytes], lines: Lines, seed: str = "0") -> Folder:
    """Runs all lines in one process, in their order; “{}” in a word stands for the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    words = [[word.replace("{}", str(folder)) for word in line] for line in lines.values()]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "RACKBUILDER_HOME": str(folder / "home")}
    environment.pop("DISPLAY", None)
    done = subprocess.run(
        [sys.executable, "-m", "tests.cli.batch"],
        input=json.dumps(words),
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    results = [Result(**row) for row in json.loads(done.stdout)]
    return Folder(folder, dict(zip(lines, results, strict=True)))
