"""A window on a document, offscreen, whose analysis runs inline: results are there when an edit returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from rackbuilder.ui.bridge import Document
    from rackbuilder.ui.window import MainWindow

Opener = Any
"""`window = open_window(file, size=(1920, 1080), settings=…)`."""


@pytest.fixture
def lit(qapp: Any) -> Iterator[None]:
    """The light theme, before and after."""
    from rackbuilder.ui import theme

    theme.apply(qapp, "light")
    yield
    theme.apply(qapp, "light")


@pytest.fixture
def document(lit: None) -> Iterator[Document]:
    """An empty document without a window."""
    from rackbuilder.catalog.load import shipped
    from rackbuilder.catalog.workloads import shipped_workloads
    from rackbuilder.ui.bridge import Document

    made = Document(shipped(), shipped_workloads(), inline=True)
    yield made
    made.session.close()
    made.shut()


@pytest.fixture
def open_window(qtbot: QtBot, lit: None) -> Iterator[Opener]:
    """Windows of a test; all are closed after it, without a question."""
    from PySide6.QtWidgets import QApplication

    from rackbuilder.catalog.load import shipped
    from rackbuilder.catalog.workloads import shipped_workloads
    from rackbuilder.session.settings import load_settings
    from rackbuilder.ui.bridge import Document
    from rackbuilder.ui.window import MainWindow

    made: list[MainWindow] = []

    def make(
        file: Path | None = None, size: tuple[int, int] = (1920, 1080), inline: bool = True
    ) -> MainWindow:
        document = Document(shipped(), shipped_workloads(), inline)
        window = MainWindow(document, load_settings().settings)
        window.resize(*size)
        window.show()
        made.append(window)
        if file is not None:
            window.files.open(file)
        QApplication.processEvents()
        return window

    yield make
    for window in made:
        window.close_quietly()
        window.document.session.close()
        window.deleteLater()


@pytest.fixture
def blank(open_window: Opener) -> MainWindow:
    """A window on a blank design, at work."""
    window: MainWindow = open_window()
    window.files.blank()
    return window


@pytest.fixture
def pod(open_window: Opener, small_pod: Path) -> MainWindow:
    """A window on a small pod: one unit of 31 servers with a fabric manager."""
    window: MainWindow = open_window(small_pod)
    return window


@pytest.fixture(scope="session")
def small_pod(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One SuperPOD unit with a limit of 44 kW a rack and a job whose tensor groups of 16 span two servers."""
    from rackbuilder.catalog.load import shipped
    from rackbuilder.commands.jobs import SetJob
    from rackbuilder.session.session import Session
    from rackbuilder.templates.superpod import Superpod

    session = Session(shipped())
    session.do(Superpod(units=1, rack_limit_w=44_000.0))
    session.do(SetJob(workload="llama-3.1-405b", sizes={"tp": 16, "pp": 2, "dp": 0}))
    path = tmp_path_factory.mktemp("pod") / "pod.rackbuilder"
    session.save(path)
    return path


@pytest.fixture
def file_dialog(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """`file_dialog("/tmp/a.rackbuilder")`: what every question for a file or folder is answered with; "" cancels."""
    from PySide6.QtWidgets import QFileDialog

    def answer(path: str) -> None:
        for name in ("getOpenFileName", "getSaveFileName"):
            monkeypatch.setattr(QFileDialog, name, staticmethod(lambda *_a, **_k: (path, "")))
        monkeypatch.setattr(QFileDialog, "getExistingDirectory", staticmethod(lambda *_a, **_k: path))

    return answer
