"""Document: the session as Qt sees it. Turns its events into signals and feeds the analysis worker."""

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from rackbuilder.analysis.report import Report
from rackbuilder.catalog.load import Catalog
from rackbuilder.catalog.workloads import Workloads
from rackbuilder.commands.base import Command
from rackbuilder.design.design import Design
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.session.analyst import Analyst, Outcome
from rackbuilder.session.background import Work, Worker
from rackbuilder.session.history import Focus, Step
from rackbuilder.session.log import LOGGER
from rackbuilder.session.paths import recovery_dir
from rackbuilder.session.session import Event, Preview, SaveJob, Session
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.selection import Selection

SLOW_MS = 150
"""Results older than the document for less than this are not called stale: the numbers just change."""


PATIENCE_S = 0.1
"""How long an edit waits for its results before it is painted without them."""
MOST_LATE, TRY_AGAIN = 2, 8
"""After so many late results in a row only each eighth edit waits."""


class Host(Protocol):
    """What canvas, panels and dialogs may use of the open document."""

    selection: Selection

    @property
    def design(self) -> Design: ...
    @property
    def graphs(self) -> Graphs: ...
    @property
    def catalog(self) -> Catalog: ...
    @property
    def report(self) -> Report: ...
    def do(self, command: Command, gesture: str = "") -> bool: ...
    def preview(self, command: Command) -> Preview: ...
    def end_preview(self) -> None: ...


@dataclass
class Saving:
    """A save under way; `problems` are written by its thread before it ends."""

    session: Session
    job: SaveJob
    done: Callable[[Path, tuple[Problem, ...]], None]
    problems: tuple[Problem, ...] = ()


class Document(QObject):
    """The open design of a window.

    changed    an edit, undo or redo was made (Event)
    reported   results arrived; `report` and `outcome` are new; `previewing` tells a gesture's from the document's
    refused    an edit was refused (tuple of Problem)
    replaced   another document is open now
    saved      saved, or the recovery copy's state changed
    went_back  an undo or redo brought back what was selected; carries the view it was made in
    late_changed  results have been older than the document for a moment, or no longer are
    """

    changed = Signal(object)
    reported = Signal()
    refused = Signal(object)
    replaced = Signal()
    saved = Signal()
    went_back = Signal(str)
    late_changed = Signal()
    _delivered = Signal(object, object)
    _written = Signal()

    def __init__(self, catalog: Catalog, workloads: Workloads, inline: bool = False) -> None:
        super().__init__()
        self.catalog, self.workloads = catalog, workloads
        self.selection = Selection()
        self.outcome = Outcome()
        self.previewing = False
        self.failed = False
        self.late = False
        self._late_in_row = 0
        self.saved_at: float | None = None
        """Seconds since the epoch of the last save in this window; None: not saved here yet."""
        self.view_name = "fabric"
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW_MS)
        self._slow.timeout.connect(lambda: self._set_late(self.stale))
        self.session = Session(catalog)
        self.session.changed.append(self._on_event)
        self._delivered.connect(self._on_delivered)
        self._written.connect(self.finish_saving)
        self._inline = inline
        self._saving: Saving | None = None
        self._saver: threading.Thread | None = None
        self._worker = Worker(Analyst(workloads), self._delivered.emit, inline)

    # ---- state

    @property
    def design(self) -> Design:
        return self.session.design

    @property
    def graphs(self) -> Graphs:
        return self.session.graphs

    @property
    def report(self) -> Report:
        return self.outcome.report

    @property
    def stale(self) -> bool:
        """The results shown are older than the document."""
        return self.outcome.report.revision != self.session.revision

    # ---- editing

    def do(self, command: Command, gesture: str = "") -> bool:
        """Makes an edit; False when it was refused (the window says why)."""
        self.previewing = False
        self.session.keep_journal(recovery_dir())  # the first design of a window has none before it is edited
        try:
            self.session.do(command, gesture, self._focus())
        except ProblemError as error:
            self.refused.emit(error.problems)
            return False
        return True

    def preview(self, command: Command) -> Preview:
        """What an edit would do; its results go to the panel, marked as a preview."""
        result = self.session.preview(command)
        if result.design is not None and result.graphs is not None:
            self.previewing = True
            self._worker.submit(Work(result.design, result.graphs, self.session.revision, preview=True))
        return result

    def end_preview(self) -> None:
        """The gesture was dropped: the panel goes back to the document's own results."""
        if self.previewing:
            self.previewing = False
            self.analyse()

    def undo(self) -> None:
        self._back(self.session.undo())

    def redo(self) -> None:
        self._back(self.session.redo())

    def go_to(self, position: int) -> None:
        """Jumps in the history."""
        self.session.go_to(position)

    def _back(self, step: Step | None) -> None:
        if step:
            self.selection.set(ref for ref in step.focus.selection if self._exists(ref))
            self.went_back.emit(step.focus.view)

    def _exists(self, ref: str) -> bool:
        record = ref.split(":", 1)[0].split("~", 1)[0]
        return any(record in rows for rows in self.design.tables.values())

    def _focus(self) -> Focus:
        return Focus(tuple(self.selection.refs), self.view_name)

    # ---- results

    def analyse(self) -> None:
        """Sends the document as it is to the worker."""
        self._slow.start()
        self._worker.submit(Work(self.design, self.graphs, self.session.revision))

    def wait(self) -> bool:
        """Waits until the worker is idle (tests, screenshots)."""
        return self._worker.idle()

    def _on_event(self, event: Event) -> None:
        self.selection.keep(self._exists)
        self.changed.emit(event)
        self.saved.emit()
        self.analyse()
        self._catch_up()

    def _catch_up(self) -> None:
        """Waits a moment for results that come quickly, so that an edit and its numbers are painted once, together.

        Two threads of Python that share the processor take longer than one after the other. Where results were late
        for some edits in a row they are not waited for, but tried again now and then.
        """
        if self._inline or (self._late_in_row >= MOST_LATE and self.session.revision % TRY_AGAIN):
            return
        self._late_in_row = 0 if self._worker.idle(PATIENCE_S) else self._late_in_row + 1
        QCoreApplication.sendPostedEvents(self)

    def _on_delivered(self, work: Work, outcome: Outcome | None) -> None:
        if work.preview and not self.previewing:
            return
        if outcome is None:
            self.failed = work.revision == self.session.revision
        else:
            self.failed = False
            self.outcome = outcome
        if not self.stale:
            self._slow.stop()
            self._set_late(False)
        self.reported.emit()

    def _set_late(self, late: bool) -> None:
        if late != self.late:
            self.late = late
            self.late_changed.emit()

    # ---- files

    def take(self, session: Session) -> None:
        """Shows another document; the old one must have been closed or saved by the caller."""
        self.session.changed.clear()
        self.session = session
        session.changed.append(self._on_event)
        session.keep_journal(recovery_dir())
        self.previewing = False
        self.outcome, self.failed, self.saved_at = Outcome(), False, None
        self._set_late(False)
        self.selection.clear()
        self.replaced.emit()
        self.saved.emit()
        self.analyse()

    def open(self, path: Path) -> None:
        """Opens a file. Raises ProblemError; the document shown stays then."""
        session = Session.open(path, self.catalog)
        self.session.close()
        self.take(session)

    def save(self, path: Path | None = None, overwrite: bool = False) -> None:
        """Saves. Raises ProblemError with document and old file intact."""
        self.session.save(path, overwrite)
        self.saved_at = time.time()
        self.saved.emit()

    def start_save(
        self, path: Path, overwrite: bool, done: Callable[[Path, tuple[Problem, ...]], None]
    ) -> None:
        """Saves the design as it is now beside the window's work; `done` is told in the window's thread.

        Raises ProblemError when the save cannot begin.
        """
        self.finish_saving()
        job = self.session.begin_save(path, overwrite)
        self._saving = Saving(self.session, job, done)
        if self._inline:
            self._run_save(self._saving)
            self.finish_saving()
            return
        self._saver = threading.Thread(target=self._run_save, args=(self._saving,), name="save")
        self._saver.start()

    def _run_save(self, saving: Saving) -> None:
        try:
            saving.job.run()
        except ProblemError as error:
            saving.problems = error.problems
        except Exception as error:  # noqa: BLE001 the thread has nobody to tell: the window says it, and the log
            LOGGER.exception("saving %s failed", saving.job.path)
            what = f"The design could not be saved: {error!r}"
            saving.problems = (Problem(what, str(saving.job.path), "Save it under another name."),)
        self._written.emit()

    def finish_saving(self) -> None:
        """Waits for a save that is under way, and notes what came of it."""
        saving, self._saving = self._saving, None
        if saving is None:
            return
        if self._saver is not None:
            self._saver.join()
            self._saver = None
        if not saving.problems:
            saving.session.finish_save(saving.job)
            self.saved_at = time.time()
        self.saved.emit()
        saving.done(saving.job.path, saving.problems)

    def unread(self) -> Iterable[Problem]:
        """What could not be read from the file."""
        return self.session.problems

    def shut(self) -> None:
        """Ends the worker; the journal stays unless the session was closed. Twice is as good as once."""
        self._slow.stop()
        self.finish_saving()
        self._worker.stop()
