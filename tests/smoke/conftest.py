"""A screen of its own: Xvfb, whose picture lies in a file that can be read at any moment."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest


class Screen(NamedTuple):
    """A running X server and its frame buffer."""

    display: str
    file: Path

    def pixels(self) -> np.ndarray:
        """The screen as rows of 0xRRGGBB, from the XWD file that Xvfb keeps mapped."""
        data = self.file.read_bytes()
        header = struct.unpack(">25I", data[:100])
        size, width, height, per_line, colours = (header[i] for i in (0, 4, 5, 12, 19))
        order = "<" if header[7] == 0 else ">"
        rows = np.frombuffer(data, f"{order}u4", height * per_line // 4, size + colours * 12)
        return rows.reshape(height, -1)[:, :width] & 0xFFFFFF

    def environment(self) -> dict[str, str]:
        """What a program needs to draw here, as on a user's machine: real platform, compiled modules."""
        env = {k: v for k, v in os.environ.items() if k not in ("WAYLAND_DISPLAY", "PYTHONDONTWRITEBYTECODE")}
        return {**env, "DISPLAY": self.display, "QT_QPA_PLATFORM": "xcb"}

    def titles(self) -> list[str]:
        """Of the windows on the screen."""
        found = ["xdotool", "search", "--onlyvisible", "--name", ".", "getwindowname", "%@"]
        return subprocess.run(found, env=self.environment(), capture_output=True, text=True).stdout.split(
            "\n"
        )


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    for program in ("Xvfb", "xdotool"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    folder = tmp_path / "screen"
    folder.mkdir()
    size = ["-screen", "0", "1600x1000x24"]
    command = ["Xvfb", "-displayfd", "1", *size, "-fbdir", str(folder), "-nolisten", "tcp", "-noreset"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            number = server.stdout.readline().strip()  # written when the server is ready
            assert number, "Xvfb did not start"
            yield Screen(f":{number}", folder / "Xvfb_screen0")
        finally:
            server.terminate()


def drawn(pixels: np.ndarray) -> bool:
    """More than a flat area: several colours, none of which fills nearly all."""
    _, counts = np.unique(pixels, return_counts=True)
    return len(counts) > 30 and counts.max() < 0.95 * pixels.size
