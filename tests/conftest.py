"""Fixtures for every kind of test. Nothing here imports Qt until a test of the window asks for it."""

from __future__ import annotations

import difflib
import gc
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

# Before any import of Qt: tests draw into memory, whatever display the machine has.
os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ.pop("QT_STYLE_OVERRIDE", None)

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
SAMPLES = ROOT / "resources" / "designs"

# The same examples on each run, and none remembered: a red CI must be red again on the next machine.
settings.register_profile("ci", derandomize=True, database=None, deadline=None)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI", "").lower() in ("1", "true") else "dev")

# A test belongs to its folder's kind without saying so in each file.
KINDS = ("ui", "smoke", "bench", "outside")
# These run only when a marker expression or a path names them: they are long, or measure the machine.
BY_NAME_ONLY = ("bench", "bundle")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="rewrite tests/golden from what is made now"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        folder = item.path.relative_to(ROOT).parts[1]
        if folder in KINDS:
            item.add_marker(folder)
    asked = " ".join([config.getoption("markexpr") or "", *config.args])
    unasked = [name for name in BY_NAME_ONLY if name not in asked]
    left_out = [item for item in items if any(item.get_closest_marker(name) for name in unasked)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings, journals and logs of the test's own; the user's are never read or written."""
    folder = tmp_path / "home"
    monkeypatch.setenv("RACKBUILDER_HOME", str(folder))
    return folder


@pytest.fixture
def sample() -> Callable[[str], Path]:
    """A shipped design by its name, without the ending."""
    return lambda name: SAMPLES / f"{name}.rackbuilder"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, bytes | str], None]:
    """`golden("bom/superpod.csv", made)`: equal to the file of that name byte for byte, or the test fails."""
    update: bool = request.config.getoption("--update-golden")

    def check(name: str, made: bytes | str) -> None:
        content = made.encode() if isinstance(made, str) else made
        path = GOLDEN / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        elif not path.exists():
            pytest.fail(
                f"{path.relative_to(ROOT)} is not there; look at what is made, then use --update-golden"
            )
        elif path.read_bytes() != content:
            pytest.fail(_difference(path, content))

    return check


def _difference(path: Path, made: bytes) -> str:
    name = str(path.relative_to(ROOT))
    try:
        old, new = path.read_bytes().decode().splitlines(), made.decode().splitlines()
    except UnicodeDecodeError:
        return f"{name}: {path.stat().st_size} bytes on file, {len(made)} other bytes made"
    lines = list(difflib.unified_diff(old, new, name, "made now", lineterm="", n=1))
    more = [f"… {len(lines) - 60} lines more"] if len(lines) > 60 else []
    return "\n".join([f"{name} is not what is made now", *lines[:60], *more])


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test of the window leaves no widget and no thread behind, or the next one fails in its place."""
    if request.node.get_closest_marker("ui") is None:
        yield
        return
    widgets, threads = _top_level_widgets(), set(threading.enumerate())
    yield
    left = _settle(lambda: _top_level_widgets() - widgets)
    assert not left, f"widgets left: {sorted(left)}"
    running = _settle(lambda: {t.name for t in set(threading.enumerate()) - threads if t.is_alive()})
    assert not running, f"threads left: {sorted(running)}"


def _settle(left: Callable[[], set[str]]) -> set[str]:
    """What is still there after Qt's deferred deletes, then Python's collector, then a second's grace."""
    from PySide6.QtCore import QCoreApplication, QEvent

    until = time.monotonic() + 1
    while True:
        if QCoreApplication.instance() is not None:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            QCoreApplication.processEvents()
        if not (rest := left()) or time.monotonic() > until:
            return rest
        gc.collect()
        time.sleep(0.01)


def _top_level_widgets() -> set[str]:
    from PySide6.QtWidgets import QApplication
    from shiboken6 import getCppPointer

    if not isinstance(QApplication.instance(), QApplication):
        return set()
    # Qt keeps one tool tip label for the whole process.
    tops = (w for w in QApplication.topLevelWidgets() if w.metaObject().className() != "QTipLabel")
    return {
        f"{w.metaObject().className()} {w.objectName() or w.windowTitle()} #{getCppPointer(w)[0]:x}"
        for w in tops
    }
