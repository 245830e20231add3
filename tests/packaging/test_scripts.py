"""packaging/ keeps its word on machines that lack things. Nothing here installs anything."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def bash(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f". packaging/setup; {script}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
    )


@pytest.mark.parametrize("name", ["packaging/run", "packaging/test", "packaging/setup", ".ci/run"])
def test_scripts_parse(name: str) -> None:
    assert subprocess.run(["bash", "-n", name], cwd=ROOT).returncode == 0


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libEGL.so.1", "libegl1"),
        ("libX11.so.6", "libx11-6"),
        ("libX11-xcb.so.1", "libx11-xcb1"),
        ("libxcb-cursor.so.0", "libxcb-cursor0"),
        ("libxkbcommon-x11.so.0", "libxkbcommon-x11-0"),
        ("libdbus-1.so.3", "libdbus-1-3"),
        ("libglib-2.0.so.0", "libglib2.0-0"),
    ],
)
def test_a_library_names_its_package(library: str, package: str) -> None:
    assert bash(f"package_of {library}").stdout.strip() == package


def test_a_name_on_the_path_that_starts_no_python_is_passed_over() -> None:
    assert bash("RACKBUILDER_PYTHON='no-such-python false python3'; find_python").stdout.strip() == "python3"
    assert bash("RACKBUILDER_PYTHON=false; find_python").returncode == 1


def test_without_root_the_command_to_type_is_printed() -> None:
    done = bash("id() { echo 1000; }; install_system needed libegl1 libgl1; echo went on")
    assert done.returncode == 2
    assert "apt-get install -y --no-install-recommends libegl1 libgl1" in done.stderr
    assert "went on" not in done.stdout


def test_what_is_only_wished_for_stops_nothing() -> None:
    done = bash("id() { echo 1000; }; install_system wished opensm; echo went on")
    assert done.stdout == "went on\n"
    assert "opensm" in done.stderr


def test_nothing_missing_says_nothing() -> None:
    done = bash("install_system needed; missing_programs bash=bash")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
