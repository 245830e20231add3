"""The log never stands in the way: not without a folder, not without a terminal."""

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rackbuilder.session.log import LOGGER, start_log, stop_log
from rackbuilder.session.paths import log_dir


@pytest.fixture(autouse=True)
def stopped() -> Iterator[None]:
    stop_log()
    yield
    stop_log()


def test_faults_go_to_the_file(home: Path) -> None:
    start_log()
    start_log()  # twice is once
    try:
        raise ValueError("a bug")
    except ValueError:
        LOGGER.exception("it failed in %s", "Ω")
    text = (home / "log" / "rackbuilder.log").read_text(encoding="utf-8")
    assert text.count("it failed in Ω") == 1
    assert "ValueError: a bug" in text


def test_nothing_is_said_on_the_terminal_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    start_log()
    LOGGER.error("a fault")
    assert capsys.readouterr() == ("", "")


def test_on_the_terminal_when_asked(capsys: pytest.CaptureFixture[str]) -> None:
    start_log(verbose=True)
    LOGGER.debug("a detail")
    said = capsys.readouterr()
    assert "a detail" in said.err
    assert said.out == ""


def test_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    start_log(verbose=True)
    LOGGER.error("a fault")
    assert "a fault" in (log_dir() / "rackbuilder.log").read_text()


def test_without_a_folder(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    home.write_bytes(b"a file in the way")
    start_log()
    LOGGER.error("a fault")
    assert capsys.readouterr() == ("", "")
    assert home.read_bytes() == b"a file in the way"


def test_handlers_of_others_are_left_to_them() -> None:
    other = logging.NullHandler()
    LOGGER.addHandler(other)
    start_log()
    LOGGER.error("a fault")
    stop_log()
    assert other in LOGGER.handlers
    LOGGER.removeHandler(other)
    assert (log_dir() / "rackbuilder.log").exists()
