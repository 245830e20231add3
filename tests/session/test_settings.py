"""Settings: what was set comes back, a bad value costs that value alone, and nothing here is ever fatal."""

import json
from pathlib import Path

import pytest

from rackbuilder.errors import ProblemError
from rackbuilder.session.settings import Settings, load_settings, save_settings, settings_path
from tests.formats.native.fill import model
from tests.helpers import files_at_most


def write(content: bytes | object) -> None:
    path = settings_path()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())


def test_at_the_first_start_there_are_defaults_and_no_complaint() -> None:
    assert load_settings() == (Settings(), ())


def test_they_live_where_the_environment_says(home: Path) -> None:
    assert settings_path() == home / "config" / "settings.json"


def test_every_setting_comes_back() -> None:
    settings = model(Settings)
    assert all(getattr(settings, name) != field.default for name, field in Settings.model_fields.items())
    save_settings(settings)
    assert load_settings() == (settings, ())


def test_two_saves_are_the_same_bytes() -> None:
    save_settings(Settings(windows={"b": 1, "a": 2}))
    first = settings_path().read_bytes()
    save_settings(Settings(windows={"a": 2, "b": 1}))
    assert settings_path().read_bytes() == first


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"),
        ("theme", 5),
        ("theme", None),
        ("rates", "bauds"),
        ("reduced_motion", "perhaps"),
        ("recent", "a.rackbuilder"),
        ("recent", [5]),
        ("catalog_folders", {"a": 1}),
        ("csv_separator", ""),
        ("windows", []),
    ],
)
def test_a_bad_value_is_told_and_replaced_and_the_others_stay(name: str, value: object) -> None:
    good = {"favourites": ["qm9700"], "csv_decimal": ","}
    write({**good, name: value})
    loaded = load_settings()
    assert loaded.settings == Settings(favourites=("qm9700",), csv_decimal=",")
    (problem,) = loaded.problems
    assert name in problem.what
    assert problem.severity == "warning"


def test_all_bad_values_are_told_at_once() -> None:
    write({"theme": "pink", "rates": 1, "recent": [1], "favourites": ["a"]})
    loaded = load_settings()
    assert loaded.settings == Settings(favourites=("a",))
    assert len(loaded.problems) == 3


def test_a_setting_of_another_version_does_no_harm() -> None:
    write({"theme": "dark", "sounds": True})
    assert load_settings() == (Settings(theme="dark"), ())


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"5", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a":' + b"9" * 5000 + b"}"]
)
def test_a_file_that_cannot_be_read_gives_the_defaults(content: bytes) -> None:
    write(content)
    loaded = load_settings()
    assert loaded.settings == Settings()
    assert [p.severity for p in loaded.problems] == ["warning"]


def test_a_folder_in_its_place_gives_the_defaults() -> None:
    settings_path().mkdir(parents=True)
    loaded = load_settings()
    assert loaded.settings == Settings()
    assert len(loaded.problems) == 1
    with pytest.raises(ProblemError):
        save_settings(Settings())


def test_a_folder_that_cannot_be_made_is_a_refusal(home: Path) -> None:
    home.write_bytes(b"a file in the way")
    with pytest.raises(ProblemError, match="cannot be made"):
        save_settings(Settings())


def test_a_full_disk_leaves_the_old_settings() -> None:
    save_settings(Settings(theme="dark"))
    with files_at_most(10), pytest.raises(ProblemError):
        save_settings(Settings(theme="light"))
    assert load_settings().settings.theme == "dark"


def test_the_newest_file_is_first_once_and_the_list_ends(tmp_path: Path) -> None:
    settings = Settings()
    for n in (*range(15), 13):
        settings = settings.with_recent(tmp_path / f"{n}.rackbuilder", limit=12)
    names = [Path(name).stem for name in settings.recent]
    assert names == ["13", "14", *(str(n) for n in range(12, 2, -1))]
