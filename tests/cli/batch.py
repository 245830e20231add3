"""Runs a list of command lines in one process, as the entry point would: [[word, ...], ...] in, results out as JSON.

    python -m tests.cli.batch <lines.json >results.json

A process for each would take most of its time to start.
"""

import contextlib
import io
import json
import sys


def one(arguments: list[str]) -> dict[str, object]:
    from rackbuilder.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    qt = sorted(name for name in sys.modules if name.split(".")[0] in ("PySide6", "shiboken6", "pyqtgraph"))
    return {"code": code, "out": out.getvalue(), "err": err.getvalue(), "qt": qt}


if __name__ == "__main__":
    json.dump([one(arguments) for arguments in json.load(sys.stdin)], sys.stdout)
