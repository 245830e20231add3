"""The real program in a process of its own: it opens on the sample, draws it, and leaves."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tests.smoke.conftest import Screen, drawn

SAMPLE = "superpod-4su"
LIMIT_S = 5.0


def test_the_window_opens_on_the_sample_in_time(screen: Screen, sample: Callable[[str], Path]) -> None:
    """A first start also compiles modules and fills the disk cache, so a second one may answer for it."""
    starts = [_open_once(screen, sample(SAMPLE)) for _ in range(2)]
    for start, which in zip(starts, ("first", "again"), strict=True):
        print(
            f"\nwindow on {SAMPLE}, {which}: {start.wall_s:.2f} s, {start.alone_s:.2f} s of them not queueing"
        )
    assert min(start.alone_s for start in starts) < LIMIT_S


class Start(NamedTuple):
    """How long the user waits; and less the time for which other programs held the cores."""

    wall_s: float
    alone_s: float


def _open_once(screen: Screen, file: Path) -> Start:
    begin = time.perf_counter()
    program = subprocess.Popen([sys.executable, "-m", "rackbuilder", str(file)], env=screen.environment())
    try:
        while not (any(SAMPLE in title for title in screen.titles()) and drawn(screen.pixels())):
            assert program.poll() is None, f"the window left with {program.returncode}"
            assert time.perf_counter() - begin < 60, f"no window on {SAMPLE}; there are {screen.titles()}"
            time.sleep(0.05)
        wall_s = time.perf_counter() - begin
        return Start(wall_s, wall_s - _queued_s(program.pid))
    finally:
        program.terminate()
        program.wait(20)


def _queued_s(pid: int) -> float:
    """How long the main thread was ready to run and had no core (Linux; elsewhere 0)."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


@pytest.mark.parametrize("platform", ["offscreen", "xcb"])
def test_a_picture_of_the_window(
    platform: str, screen: Screen, sample: Callable[[str], Path], tmp_path: Path
) -> None:
    picture = tmp_path / "window.png"
    command = [sys.executable, "-m", "rackbuilder", str(sample(SAMPLE)), "--screenshot", str(picture)]
    env = {**screen.environment(), "QT_QPA_PLATFORM": platform}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert drawn(_pixels(picture))


def _pixels(file: Path) -> np.ndarray:
    from PySide6.QtGui import QImage

    image = QImage(str(file)).convertToFormat(QImage.Format.Format_RGB32)
    assert image.width() >= 1000
    assert image.height() >= 600
    rows = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.bytesPerLine() // 4)
    return rows & 0xFFFFFF
