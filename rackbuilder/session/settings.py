"""Settings of the user: one frozen model in a JSON file. A bad value is reported and replaced, never fatal."""

import json
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from rackbuilder.errors import Problem, ProblemError, refusal
from rackbuilder.formats.files import read_bounded, write_atomic
from rackbuilder.session.paths import config_dir


class Settings(BaseModel):
    """Everything remembered between starts. Zoom and docks of a file live here, not in the document."""

    model_config = ConfigDict(frozen=True, extra="ignore")
    theme: Literal["system", "light", "dark"] = "system"
    rates: Literal["bits", "bytes"] = "bits"
    reduced_motion: bool = False
    recent: tuple[str, ...] = ()
    favourites: tuple[str, ...] = ()
    catalog_folders: tuple[str, ...] = ()
    csv_separator: Literal[",", ";"] = ","
    csv_decimal: Literal[".", ","] = "."
    csv_mark: bool = False
    windows: dict[str, JsonValue] = Field(default_factory=dict)
    """Geometry and docks by window, zoom and view by file."""

    def with_recent(self, path: Path, limit: int = 12) -> "Settings":
        name = str(path.resolve())
        return self.model_copy(update={"recent": (name, *(r for r in self.recent if r != name))[:limit]})


class LoadedSettings(NamedTuple):
    settings: Settings
    problems: tuple[Problem, ...]


def settings_path() -> Path:
    return config_dir() / "settings.json"


def load_settings() -> LoadedSettings:
    """The settings; each bad value is replaced by its default and listed."""
    path = settings_path()
    if not path.exists():
        return LoadedSettings(Settings(), ())
    try:
        data = json.loads(read_bounded(path, 5_000_000))
        if not isinstance(data, dict):
            raise ValueError("not an object")
    except (ProblemError, ValueError, RecursionError) as error:
        problem = Problem(f"The settings cannot be read: {error}", str(path), "Defaults are used.", "warning")
        return LoadedSettings(Settings(), (problem,))
    return _checked(data, path)


def _checked(data: dict[str, Any], path: Path) -> LoadedSettings:
    problems: list[Problem] = []
    for _ in range(len(data) + 1):
        try:
            return LoadedSettings(Settings(**data), tuple(problems))
        except ValidationError as error:
            for name in dict.fromkeys(str(row["loc"][0]) for row in error.errors()):
                data.pop(name, None)
                what = f"The setting “{name}” has no valid value"
                problems.append(Problem(what, str(path), "Its default is used.", "warning"))
    return LoadedSettings(Settings(), tuple(problems))


def save_settings(settings: Settings) -> None:
    """Writes the settings. Raises ProblemError when the folder cannot be written."""
    path = settings_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"The folder of the settings cannot be made: {error.strerror}"
        raise refusal(what, str(path.parent), "Check its rights.") from None
    write_atomic(path, json.dumps(settings.model_dump(mode="json"), indent=1, sort_keys=True).encode())
