"""An open document: do, undo, redo, preview, save, analyse. What the command line and the window hold."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands.base import Command
from rackbuilder.design.design import Design
from rackbuilder.design.integrity import new_misfits
from rackbuilder.design.patch import Patch
from rackbuilder.errors import Problem, ProblemError, refusal
from rackbuilder.formats.files import read_bounded, write_atomic
from rackbuilder.formats.native.read import SIZE_LIMIT_BYTES, read_design
from rackbuilder.formats.native.write import write_design
from rackbuilder.session.history import Focus, History, Step
from rackbuilder.session.journal import Journal, Recovery, replay
from rackbuilder.topology.graphs import Graphs, build_graphs


class Preview(NamedTuple):
    """What a command would do: the next design and graphs, or why it is refused."""

    patch: Patch | None
    design: Design | None
    graphs: Graphs | None
    problems: tuple[Problem, ...]


@dataclass(frozen=True)
class Event:
    """One thing that happened to the document, told after it did. `patch` is empty for a save or a rename."""

    patch: Patch
    before: Design
    after: Design


class _Stamp(NamedTuple):
    """What the file on disk looked like when it was read or written, to notice that others changed it."""

    size: int
    mtime_ns: int
    inode: int


def _stamp(path: Path) -> _Stamp | None:
    try:
        return _stamp_of(path.stat())
    except OSError:
        return None


def _stamp_of(stat: os.stat_result) -> _Stamp:
    return _Stamp(stat.st_size, stat.st_mtime_ns, stat.st_ino)


def _same_file(a: Path, b: Path | None) -> bool:
    """However the two are written."""
    if b is None:
        return False
    try:
        return a.samefile(b)
    except OSError:
        return a.absolute() == b.absolute()


@dataclass
class SaveJob:
    """A save to be run off the UI thread: the design as it was, and where to."""

    design: Design
    path: Path
    revision: int
    stamp: _Stamp | None = None
    """The file as this job wrote it; set by `run`."""

    def run(self) -> None:
        """Writes the file, keeping the last version as .bak. Raises ProblemError; the old file stands."""
        self.stamp = _stamp_of(write_atomic(self.path, write_design(self.design), backup=True))


class Session:
    """One document and everything that may happen to it. Not thread-safe: one thread owns it.

    `changed` listeners are called once for each edit, undo and redo, after it. `revision` counts them.
    """

    def __init__(
        self,
        catalog: Catalog,
        design: Design | None = None,
        path: Path | None = None,
        problems: tuple[Problem, ...] = (),
    ) -> None:
        self.catalog = catalog
        self.path = path
        self.problems = problems
        self.history = History()
        self.revision = 0
        self.changed: list[Callable[[Event], None]] = []
        self.journal: Journal | None = None
        self._design = design or Design()
        self._graphs = build_graphs(self._design)
        self._saved: Design | None = self._design
        self._stamp = _stamp(path) if path else None

    @classmethod
    def open(cls, path: Path, catalog: Catalog) -> "Session":
        """A document from a file. Raises ProblemError; records that cannot be read are listed in `problems`."""
        stamp = _stamp(path)  # before reading: a change in between must not go unnoticed
        loaded = read_design(read_bounded(path, SIZE_LIMIT_BYTES), str(path))
        session = cls(catalog, loaded.design, path, loaded.problems)
        session._stamp = stamp
        return session

    @classmethod
    def recover(cls, recovery: Recovery, catalog: Catalog) -> "Session":
        """A document brought back after a crash; its edits can be undone. Its folder stays until save or discard."""
        journal = Journal.adopt(recovery.folder)
        if journal is None:
            what = f"The recovery copy of {recovery.name} is in use, or gone"
            raise refusal(what, fix="Look for another window that opened it.")
        try:
            made = replay(recovery)
        except BaseException:
            journal.leave()
            raise
        session = cls(catalog, made.design, recovery.document, made.problems)
        session.journal, session._saved = journal, None
        if made.stamp:
            session._stamp = _Stamp(*made.stamp)
        if not made.complete:  # edits to come would stand behind one that stops the next replay
            journal.rebase_edited(made.design, session.path, keep_old=True)
        for patch in made.patches:
            session.history.push(Step(patch))
        return session

    # ---- state

    @property
    def design(self) -> Design:
        return self._design

    @property
    def graphs(self) -> Graphs:
        return self._graphs

    @property
    def dirty(self) -> bool:
        """There is something that is not in the file."""
        return self._saved is not self._design and (self._saved is None or not self._same_as_saved())

    def _same_as_saved(self) -> bool:
        """In all that the user made; the marks of ids used up stay when an edit is undone, and do not count."""
        assert self._saved is not None
        now, then = self._design, self._saved
        titles = replace(now.about, next={}) == replace(then.about, next={})
        return titles and now.aside is then.aside and now.same(then)

    @property
    def title(self) -> str:
        return self.path.name if self.path else self._design.about.title or "Untitled design"

    def keep_journal(self, root: Path) -> None:
        """Starts writing edits to a recovery folder under `root`."""
        if self.journal is None:
            self.journal = Journal.start(root, self._design, self.path, self.dirty, self._stamp or ())

    # ---- editing

    def plan(self, command: Command) -> tuple[Patch, Design]:
        """The patch of a command and the design after it. Raises ProblemError when it is refused."""
        patch = command.plan(self._design, self.catalog)
        if patch.empty:
            return patch, self._design
        after = self._design.apply(patch)
        problems = new_misfits(self._design, after, patch)
        if problems:
            raise ProblemError(*problems)
        return patch, after

    def do(self, command: Command, gesture: str = "", focus: Focus | None = None) -> Patch:
        """Makes an edit as one undoable step. One that changes nothing is dropped and keeps redo.

        Raises ProblemError when it is refused; the document is as before.
        """
        patch, after = self.plan(command)
        if not patch.empty:
            step = Step(patch, gesture, focus or Focus())
            self._take(patch, after, lambda: self.history.push(step))
        return patch

    def preview(self, command: Command) -> Preview:
        """What an edit would do, without history, journal or event."""
        try:
            patch, after = self.plan(command)
            return Preview(patch, after, self._graphs.apply(patch, after), ())
        except ProblemError as error:
            return Preview(None, None, None, error.problems)

    def undo(self) -> Step | None:
        """Takes back the last step; never refused for fit. The step tells what was selected then."""
        step = self.history.last
        if step:
            patch = step.patch.inverted()
            self._take(patch, self._design.apply(patch), self.history.undo)
        return step

    def redo(self) -> Step | None:
        """Repeats the step undone last."""
        step = self.history.next
        if step:
            self._take(step.patch, self._design.apply(step.patch), self.history.redo)
        return step

    def go_to(self, position: int) -> None:
        """Undoes or repeats until `position` steps are done (a click in the history list)."""
        while self.history.position > position and self.undo():
            pass
        while self.history.position < position and self.redo():
            pass

    def retitle(self, title: str, customer: str = "") -> None:
        """Sets title and customer. The header is no record, so this is no undoable step."""
        about = replace(self._design.about, title=title, customer=customer)
        self._put("Title", self._design.with_about(about))

    def discard_unread(self) -> None:
        """Drops what could not be read from the file, for good at the next save."""
        self.problems = ()
        self._put("Discard unreadable records", self._design.without_aside())

    def _put(self, label: str, after: Design) -> None:
        """A change that is in no record: no step, and no line of the journal could hold it."""
        before, self._design = self._design, after
        if self.journal:
            self.journal.rebase_edited(after, self.path)
        self._tell(Patch(label), before)

    def _take(self, patch: Patch, after: Design, note: Callable[[], object]) -> None:
        """All that an edit changes here, or nothing of it, before anybody is told; `note` is the history's part."""
        before, graphs = self._design, self._graphs.apply(patch, after)
        self._design, self._graphs = after, graphs
        note()
        if self.journal:
            self.journal.append(patch, after, self.path)
        self._tell(patch, before)

    def _tell(self, patch: Patch, before: Design) -> None:
        self.revision += 1
        event = Event(patch, before, self._design)
        for listener in tuple(self.changed):
            listener(event)

    # ---- files

    def changed_on_disk(self) -> bool:
        """Others wrote the file since we read or wrote it. A file that is gone can be written again."""
        now = _stamp(self.path) if self.path else None
        return now is not None and now != self._stamp

    def begin_save(self, path: Path | None = None, overwrite: bool = False) -> SaveJob:
        """What to write where. Raises ProblemError without a path, or when others changed the file meanwhile."""
        target = path or self.path
        if target is None:
            raise refusal("The design has no file yet", fix="Choose a name with Save as.")
        if not overwrite and _same_file(target, self.path) and self.changed_on_disk():
            fix = "Save under another name, or overwrite it knowingly; the version on disk is kept as .bak then."
            raise refusal("The file was changed by another program since it was opened", str(target), fix)
        return SaveJob(self._design, target, self.revision)

    def finish_save(self, job: SaveJob) -> None:
        """After the job ran: what was saved is the file's content; later edits stay unsaved."""
        if job.stamp is None:
            raise ValueError("the job has not run")
        self.path, self._saved, self._stamp = job.path, job.design, job.stamp
        if self.journal:
            self.journal.stamp = job.stamp
            if self._design is job.design:
                self.journal.rebase(self._design, self.path)
            else:
                self.journal.rebase_edited(self._design, self.path)

    def save(self, path: Path | None = None, overwrite: bool = False) -> None:
        """Saves in one go. Raises ProblemError; document and old file are then as they were."""
        job = self.begin_save(path, overwrite)
        job.run()
        self.finish_save(job)

    def close(self) -> None:
        """The user saved or discarded: nothing is left to recover."""
        if self.journal:
            self.journal.close()
            self.journal = None
