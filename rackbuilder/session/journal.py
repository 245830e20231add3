"""Crash recovery: a base file, a line for each edit since, and a lock, in one folder a document.

An edit is flushed to the journal at once, so a killed process loses at most the gesture in hand. The base is
rewritten when the journal outgrows it. At start, folders whose process is gone are offered; a torn last line is
dropped; the folder stays until the user saves or discards.
"""

import json
import secrets
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rackbuilder.design.design import Design
from rackbuilder.design.patch import Change, Patch
from rackbuilder.design.records import Record, plain, record_from
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.formats.files import read_bounded, write_atomic
from rackbuilder.formats.native.read import SIZE_LIMIT_BYTES, read_design
from rackbuilder.formats.native.write import dumps, write_design
from rackbuilder.session.lock import Lock

_META, _LOCK = "document.json", "lock"
_REBASE_BYTES = 4_000_000


def _base(folder: Path, generation: int) -> Path:
    return folder / f"base-{generation}.rackbuilder"


def _journal(folder: Path, generation: int) -> Path:
    return folder / f"journal-{generation}.jsonl"


def _meta(folder: Path) -> dict[str, Any]:
    """What is known of the folder's document: which generation of base and journal belong together."""
    try:
        data = json.loads((folder / _META).read_bytes())
    except (OSError, ValueError):
        return {}
    return data if isinstance(data, dict) else {}


def patch_line(patch: Patch) -> str:
    """A patch as one line: the label, and each record as it is after."""
    changes = [[c.table, c.id, None if c.after is None else plain(c.after)] for c in patch.changes]
    return dumps({"label": patch.label, "changes": changes})


def patch_from_line(line: str, design: Design) -> Patch:
    """The patch of a journal line, on the design it was made on. Raises ValueError for a torn or foreign line."""
    data = json.loads(line)
    if not isinstance(data, dict) or not isinstance(data.get("changes"), list):
        raise ValueError("not a journal line")
    changes = tuple(
        Change(table, identity, design.tables[table].get(identity), _record(table, after))
        for table, identity, after in data["changes"]
    )
    return Patch(str(data["label"]), changes)


def _record(table: str, after: object) -> Record | None:
    return None if after is None else record_from(table, after)


class Journal:
    """The recovery folder of one open document. Every failure is kept in `problem`, never raised: editing goes on."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problem: Problem | None = None
        self._lock = Lock(folder / _LOCK)
        self._generation = 0
        self._size = 0
        self._base_size = 0

    @classmethod
    def start(cls, root: Path, design: Design, document: Path | None) -> "Journal":
        """A new folder for a document just made or opened."""
        journal = cls(root / secrets.token_hex(8))
        journal._guarded(journal._make)
        journal.rebase(design, document)
        return journal

    @classmethod
    def adopt(cls, folder: Path) -> "Journal | None":
        """A folder left by a process that is gone; None when another process took it first."""
        journal = cls(folder)
        if not journal._lock.take():
            return None
        journal._generation = int(_meta(folder).get("generation", 0))
        journal._size = _size(_journal(folder, journal._generation))
        journal._base_size = _size(_base(folder, journal._generation))
        return journal

    def append(self, patch: Patch, design: Design, document: Path | None) -> None:
        """Writes one edit, `design` being what came of it."""
        line = (patch_line(patch) + "\n").encode()
        if self._size + len(line) > max(_REBASE_BYTES, self._base_size):
            self._guarded(lambda: self._write_base(design, document, edited=True))
            return
        self._guarded(lambda: self._append(line))

    def rebase(self, design: Design, document: Path | None) -> None:
        """The document as it is now is on disk: nothing is unsaved."""
        self._guarded(lambda: self._write_base(design, document, edited=False))

    def rebase_edited(self, design: Design, document: Path | None) -> None:
        """The document as it is now becomes the base, still unsaved."""
        self._guarded(lambda: self._write_base(design, document, edited=True))

    def close(self) -> None:
        """The user saved or discarded: the folder goes."""
        self._lock.release()
        shutil.rmtree(self.folder, ignore_errors=True)

    def leave(self) -> None:
        """Gives up the folder but keeps it, to be offered again."""
        self._lock.release()

    def _make(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self._lock.take()

    def _append(self, line: bytes) -> None:
        # In the system's hands at once, which outlives this process; a sync to disk would cost each edit a frame.
        with _journal(self.folder, self._generation).open("ab") as file:
            file.write(line)
        self._size += len(line)

    def _write_base(self, design: Design, document: Path | None, edited: bool) -> None:
        """A new generation: its base is whole before the one line that names it, so no moment is without a pair."""
        data, old, new = write_design(design), self._generation, self._generation + 1
        write_atomic(_base(self.folder, new), data)
        name = str(document) if document else ""
        meta = {"generation": new, "document": name, "title": design.about.title, "edited": edited}
        write_atomic(self.folder / _META, dumps(meta).encode())
        self._generation, self._size, self._base_size = new, 0, len(data)
        _base(self.folder, old).unlink(missing_ok=True)
        _journal(self.folder, old).unlink(missing_ok=True)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
            self.problem = None
        except (OSError, ProblemError) as error:
            reason = error.problems[0].what if isinstance(error, ProblemError) else str(error)
            what = f"The recovery copy cannot be written: {reason}"
            self.problem = Problem(
                what, str(self.folder), "Save the design now; free space, then save again."
            )


@dataclass(frozen=True)
class Recovery:
    """A document whose process ended with unsaved edits."""

    folder: Path
    document: Path | None
    title: str
    edits: int
    last_label: str
    changed_at: float
    """Seconds since the epoch of the last edit."""

    @property
    def name(self) -> str:
        return self.document.name if self.document else self.title or "Untitled design"


def find_recoveries(root: Path) -> list[Recovery]:
    """What can be brought back, newest first. Folders with nothing unsaved are removed; open ones are left alone."""
    found = []
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        lock = Lock(folder / _LOCK)
        try:
            if not folder.is_dir() or not lock.take():
                continue
        except OSError:
            continue
        try:
            recovery = _described(folder)
        finally:
            lock.release()
        if recovery is None:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            found.append(recovery)
    return sorted(found, key=lambda r: (-r.changed_at, r.folder.name))


def _described(folder: Path) -> Recovery | None:
    meta = _meta(folder)
    generation = int(meta.get("generation", 0))
    lines = list(_lines(folder, generation))
    base = _base(folder, generation)
    if not base.exists() or not (lines or meta.get("edited")):
        return None
    name = meta.get("document", "")
    newest = _journal(folder, generation) if lines else base
    label = str(json.loads(lines[-1]).get("label", "")) if lines else ""
    title = str(meta.get("title", ""))
    return Recovery(folder, Path(name) if name else None, title, len(lines), label, newest.stat().st_mtime)


def _lines(folder: Path, generation: int) -> Iterator[str]:
    """Whole lines of a journal; a torn last one is left out."""
    path = _journal(folder, generation)
    if not path.exists():
        return
    for line in read_bounded(path, SIZE_LIMIT_BYTES).decode("utf-8", "replace").split("\n")[:-1]:
        try:
            json.loads(line)
        except ValueError:
            return
        yield line


def replay(recovery: Recovery) -> tuple[Design, list[Patch], tuple[Problem, ...]]:
    """Base, edits since, and what could not be brought back. The last design is base with all edits applied."""
    generation = int(_meta(recovery.folder).get("generation", 0))
    loaded = read_design(read_bounded(_base(recovery.folder, generation), SIZE_LIMIT_BYTES), recovery.name)
    design, problems, patches = loaded.design, list(loaded.problems), []
    for number, line in enumerate(_lines(recovery.folder, generation), start=1):
        try:
            patch = patch_from_line(line, design)
            design = design.apply(patch)
        except (ValueError, KeyError, TypeError, ProblemError) as error:
            what = f"Edit {number} of {recovery.edits} cannot be repeated: {error}"
            problems.append(Problem(what, recovery.name, "The edits before it were brought back."))
            break
        patches.append(patch)
    return design, patches, tuple(problems)


def discard(recovery: Recovery) -> None:
    """The user does not want it."""
    shutil.rmtree(recovery.folder, ignore_errors=True)


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
