"""What the window remembers between starts: its geometry, its docks by size, and view, zoom and layers of each file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import JsonValue

MOST_FILES = 40


class Places:
    """Reads and writes the `windows` setting. Values that do not fit are left out: settings are never fatal."""

    def __init__(self, windows: Mapping[str, JsonValue]) -> None:
        self._windows: dict[str, Any] = dict(windows)

    @property
    def windows(self) -> dict[str, JsonValue]:
        """The setting as it is now."""
        return dict(self._windows)

    @property
    def geometry(self) -> str:
        found = self._windows.get("geometry")
        return found if isinstance(found, str) else ""

    @property
    def docks(self) -> object:
        return self._windows.get("docks")

    def keep_window(self, geometry: str, docks: Mapping[str, str]) -> None:
        self._windows |= {"geometry": geometry, "docks": dict(docks)}

    # ---- a file

    def keep_file(self, path: Path | None, view: str, views: Mapping[str, object], summary: str) -> None:
        """Notes how a file was looked at and what was in it; the files looked at longest ago are forgotten."""
        if path is None:
            return
        files = {k: v for k, v in self._files().items() if k != str(path.absolute())}
        files[str(path.absolute())] = {"view": view, "views": dict(views), "summary": summary}
        self._windows["files"] = dict(list(files.items())[-MOST_FILES:])

    def of_file(self, path: Path | None) -> tuple[str, dict[str, dict[str, Any]]]:
        """The view a file was left in, empty when it is not known, and the state of each view."""
        found = self._files().get(str(path.absolute())) if path else None
        if not isinstance(found, dict):
            return "", {}
        view, views = found.get("view"), found.get("views")
        states = {k: v for k, v in views.items() if isinstance(v, dict)} if isinstance(views, dict) else {}
        return view if isinstance(view, str) else "", states

    def summary_of(self, path: Path) -> str:
        """What was in a file when it was left, empty when that is not known."""
        found = self._files().get(str(path.absolute()))
        text = found.get("summary") if isinstance(found, dict) else ""
        return text if isinstance(text, str) else ""

    def _files(self) -> dict[str, Any]:
        found = self._windows.get("files")
        return found if isinstance(found, dict) else {}
