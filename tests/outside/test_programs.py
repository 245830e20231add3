"""Without the programs the tests are skipped in one line that names the packages; a CI that can install them fails."""

from __future__ import annotations

import pytest

from tests.outside import programs


def test_absent_programs_are_named_by_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "PATH", "/nowhere")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception) as raised:
        programs.need_programs()
    assert str(raised.value) == "needs the packages ibsim-utils opensm infiniband-diags"


def test_ci_with_the_right_to_install_does_not_pass_over_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "PATH", "/nowhere")
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr(programs.os, "geteuid", lambda: 0)
    monkeypatch.setattr(
        programs.shutil, "which", lambda name, path=None: None if path else f"/usr/bin/{name}"
    )
    with pytest.raises(pytest.fail.Exception, match="needs the packages ibsim-utils"):
        programs.need_programs()
