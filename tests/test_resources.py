"""The finder of shipped data: it looks beside the code it runs, and not outside."""

import pytest

from rackbuilder import resources


def test_what_ships_is_found() -> None:
    for name in ("catalog", "workloads", "designs", "help/glossary.md"):
        assert resources.path(name).exists(), name


@pytest.mark.parametrize("name", ["../pyproject.toml", "/etc/hostname", "designs/../../x", "a/../b"])
def test_names_that_climb_out_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match="not a name inside"):
        resources.path(name)


def test_a_broken_installation_says_so(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(resources, "__file__", f"{tmp_path}/package/resources.py")
    with pytest.raises(FileNotFoundError, match="install rackbuilder again"):
        resources.root()
