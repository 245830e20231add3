"""Crash recovery: a base file, a line for each edit since, and a lock, in one folder a document.

An edit is flushed to the journal at once, so a killed process loses at most the gesture in hand. The base is
rewritten when the journal outgrows it. At start, folders whose process is gone are offered; a torn last line is
dropped; the folder stays until the user saves or discards.
"""

import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

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
_LOCK_TRIES, _LOCK_PAUSE_S = 50, 0.02
"""Only a look at the folder by another process can be in the way, and that is over in a moment."""
_ABANDONED_S = 3600.0
"""A folder without a base is being made just now, or its process was killed in that moment."""
_OURS = re.compile(r"lock|document\.json|base-\d+\.rackbuilder|journal-\d+\.jsonl|\.rackbuilder-\w+\.tmp")


def _base(folder: Path, generation: int) -> Path:
    return folder / f"base-{generation}.rackbuilder"


def _journal(folder: Path, generation: int) -> Path:
    return folder / f"journal-{generation}.jsonl"


class _Meta(NamedTuple):
    """What is known of the folder's document: which generation of base and journal belong together."""

    generation: int
    document: Path | None
    title: str
    edited: bool
    stamp: tuple[int, ...]


def _meta(folder: Path) -> _Meta:
    """Of a file that is lost or damaged, what the folder itself tells: the newest base, taken as edited."""
    try:
        data = json.loads((folder / _META).read_bytes())
        generation, stamp = data["generation"], data.get("stamp") or ()
        if not isinstance(generation, int) or not all(isinstance(number, int) for number in stamp):
            raise TypeError("no numbers")
        if not _base(folder, generation).exists():
            raise KeyError("no such base")
        name = str(data.get("document") or "")
        title, edited = str(data.get("title", "")), bool(data.get("edited"))
        return _Meta(generation, Path(name) if name else None, title, edited, tuple(stamp))
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return _Meta(_newest(folder), None, "", True, ())


def _newest(folder: Path) -> int:
    found = (re.fullmatch(r"base-(\d+)\.rackbuilder", path.name) for path in folder.glob("base-*"))
    return max((int(match[1]) for match in found if match), default=0)


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
    """The recovery folder of one open document. Every failure is kept in `problem`, never raised: editing goes on.

    `stamp` is what the document's file looked like when it was last read or written, to be kept with the base.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problem: Problem | None = None
        self.stamp: tuple[int, ...] = ()
        self._lock = Lock(folder / _LOCK)
        self._generation = 0
        self._size = 0
        self._base_size = 0

    @classmethod
    def start(
        cls,
        root: Path,
        design: Design,
        document: Path | None,
        edited: bool = False,
        stamp: tuple[int, ...] = (),
    ) -> "Journal":
        """A new folder for a document just made (edited: it is in no file yet) or opened."""
        journal = cls(root / secrets.token_hex(8))
        journal.stamp = stamp
        journal._guarded(lambda: journal._write_base(design, document, edited))
        return journal

    @classmethod
    def adopt(cls, folder: Path) -> "Journal | None":
        """A folder left by a process that is gone; None when another process took or discarded it first."""
        journal = cls(folder)
        try:
            if not journal._lock.take():
                return None
        except OSError:
            return None
        meta = _meta(folder)
        journal._generation, journal.stamp = meta.generation, meta.stamp
        journal._size = _cut(_journal(folder, meta.generation))
        journal._base_size = _size(_base(folder, meta.generation))
        return journal

    def append(self, patch: Patch, design: Design, document: Path | None) -> None:
        """Writes one edit, `design` being what came of it."""
        if self.problem is not None:  # what is on disk may lack an edit, or hold half of one: all of it again
            self.rebase_edited(design, document)
            return
        self._guarded(lambda: self._append(patch, design, document))

    def rebase(self, design: Design, document: Path | None) -> None:
        """The document as it is now is on disk: nothing is unsaved."""
        self._guarded(lambda: self._write_base(design, document, edited=False))

    def rebase_edited(self, design: Design, document: Path | None, keep_old: bool = False) -> None:
        """The document as it is now becomes the base, still unsaved. `keep_old` leaves the last one in the folder."""
        self._guarded(lambda: self._write_base(design, document, edited=True, keep_old=keep_old))

    def close(self) -> None:
        """The user saved or discarded: the folder goes."""
        _remove(self.folder, self._lock)

    def leave(self) -> None:
        """Gives up the folder but keeps it, to be offered again."""
        self._lock.release()

    def _hold(self) -> None:
        """The folder is there and ours. Raises OSError."""
        if self._lock.held:
            return
        self.folder.mkdir(parents=True, exist_ok=True)
        for _ in range(_LOCK_TRIES):
            if self._lock.take():
                return
            time.sleep(_LOCK_PAUSE_S)
        raise OSError("another process holds the folder")

    def _append(self, patch: Patch, design: Design, document: Path | None) -> None:
        line = (patch_line(patch) + "\n").encode()
        if self._size + len(line) > max(_REBASE_BYTES, self._base_size):
            self._write_base(design, document, edited=True)
            return
        # In the system's hands at once, which outlives this process; a sync to disk would cost each edit a frame.
        with _journal(self.folder, self._generation).open("ab") as file:
            file.write(line)
        self._size += len(line)

    def _write_base(
        self, design: Design, document: Path | None, edited: bool, keep_old: bool = False
    ) -> None:
        """A new generation: its base is whole before the one line that names it, so no moment is without a pair."""
        self._hold()
        data, old, new = write_design(design, stand_ins=True), self._generation, self._generation + 1
        _journal(self.folder, new).unlink(missing_ok=True)
        write_atomic(_base(self.folder, new), data)
        meta = {
            "generation": new,
            "document": str(document.absolute()) if document else "",
            "title": design.about.title,
            "edited": edited,
            "stamp": self.stamp,
        }
        write_atomic(self.folder / _META, json.dumps(meta).encode())
        self._generation, self._size, self._base_size = new, 0, len(data)
        if not keep_old:
            _base(self.folder, old).unlink(missing_ok=True)
            _journal(self.folder, old).unlink(missing_ok=True)

    def _guarded(self, work: Callable[[], None]) -> None:
        try:
            work()
            self.problem = None
        except (OSError, ValueError, RecursionError, ProblemError) as error:
            reason = error.problems[0].what if isinstance(error, ProblemError) else str(error)
            what = f"The recovery copy cannot be written: {reason}"
            fix = "Save the design now; the copy is tried again with each edit."
            self.problem = Problem(what, str(self.folder), fix)


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
    """What can be brought back, newest first. Folders with nothing unsaved are removed; open ones are left alone, and
    so is what cannot be read now.
    """
    try:
        folders = sorted(root.iterdir())
    except OSError:
        return []
    found = [recovery for folder in folders if (recovery := _examined(folder))]
    return sorted(found, key=lambda r: (-r.changed_at, r.folder.name))


def _all_ours(folder: Path) -> bool:
    return all(_OURS.fullmatch(path.name) for path in folder.iterdir())


def _examined(folder: Path) -> Recovery | None:
    lock = Lock(folder / _LOCK)
    try:
        if not _all_ours(folder) or not lock.take():
            return None
        recovery = _described(folder)
        if recovery is None and (_newest(folder) or _age_s(folder) > _ABANDONED_S):
            _remove(folder, lock)
        return recovery
    except (OSError, ProblemError):
        return None
    finally:
        lock.release()


def _age_s(folder: Path) -> float:
    return time.time() - folder.stat().st_mtime


def _described(folder: Path) -> Recovery | None:
    """None when the folder holds nothing unsaved. Raises OSError or ProblemError."""
    meta = _meta(folder)
    lines = _lines(folder, meta.generation)
    base = _base(folder, meta.generation)
    if not base.exists() or not (lines or meta.edited):
        return None
    newest = _journal(folder, meta.generation) if lines else base
    label = _label(lines[-1]) if lines else ""
    return Recovery(folder, meta.document, meta.title, len(lines), label, newest.stat().st_mtime)


def _label(line: str) -> str:
    try:
        return str(json.loads(line)["label"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return ""


def _lines(folder: Path, generation: int) -> list[str]:
    """Whole lines of a journal; what follows the last line end was torn off."""
    path = _journal(folder, generation)
    if not path.exists():
        return []
    return read_bounded(path, SIZE_LIMIT_BYTES).decode("utf-8", "replace").split("\n")[:-1]


class Replayed(NamedTuple):
    """Base with the edits since; `complete` is off when one of them could not be brought back."""

    design: Design
    patches: list[Patch]
    problems: tuple[Problem, ...]
    complete: bool
    stamp: tuple[int, ...]


def replay(recovery: Recovery) -> Replayed:
    """Base, edits since, and what could not be brought back. Raises ProblemError when the base cannot be read."""
    meta = _meta(recovery.folder)
    loaded = read_design(
        read_bounded(_base(recovery.folder, meta.generation), SIZE_LIMIT_BYTES), recovery.name
    )
    design, problems, patches = loaded.design, list(loaded.problems), []
    lines = _lines(recovery.folder, meta.generation)
    for number, line in enumerate(lines, start=1):
        try:
            patch = patch_from_line(line, design)
            design = design.apply(patch)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, ProblemError) as error:
            what = f"Edit {number} of {len(lines)} cannot be repeated: {error}"
            problems.append(Problem(what, recovery.name, "The edits before it were brought back."))
            break
        patches.append(patch)
    return Replayed(design, patches, tuple(problems), len(patches) == len(lines), meta.stamp)


def discard(recovery: Recovery) -> None:
    """The user does not want it."""
    shutil.rmtree(recovery.folder, ignore_errors=True)


def _remove(folder: Path, lock: Lock) -> None:
    """While the lock is held, so that nobody sees half a folder; once more after it, where open files stay."""
    shutil.rmtree(folder, ignore_errors=True)
    lock.release()
    shutil.rmtree(folder, ignore_errors=True)


def _cut(path: Path) -> int:
    """The length of a journal's whole lines; a torn last one is cut off, or the next would be joined to it."""
    if not path.exists():
        return 0
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    if whole < len(data):
        os.truncate(path, whole)
    return whole


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
