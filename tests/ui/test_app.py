"""The start of the program: its arguments, a picture of the window, and what cannot be opened."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from rackbuilder.ui import app


def test_arguments() -> None:
    assert app._parse([]) == (None, None)
    assert app._parse(["a.rackbuilder"]) == (None, Path("a.rackbuilder"))
    assert app._parse(["a.rackbuilder", "--screenshot", "b.png"]) == (Path("b.png"), Path("a.rackbuilder"))


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch, lit: None) -> None:
    """The hook for faults is the test's own again afterwards."""
    import sys

    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    interval = sys.getswitchinterval()
    monkeypatch.setattr(sys, "setswitchinterval", lambda _seconds: interval)


def test_a_picture_of_a_design(quiet: None, small_pod: Path, tmp_path: Path) -> None:
    picture = tmp_path / "window.png"
    assert app.main([str(small_pod), "--screenshot", str(picture)]) == 0
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1920, 1080)
    _gone()


def test_what_cannot_be_drawn(quiet: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert app.main(["--screenshot"]) == 2
    assert "needs a file name" in capsys.readouterr().err
    bad = tmp_path / "bad.rackbuilder"
    bad.write_text("{")
    assert app.main([str(bad), "--screenshot", str(tmp_path / "a.png")]) == 2
    assert "bad.rackbuilder" in capsys.readouterr().err
    _gone()


def _gone() -> None:
    """What the program would leave to the end of its process."""
    from rackbuilder.ui.window import MainWindow

    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, MainWindow):
            widget.close_quietly()
            widget.deleteLater()
