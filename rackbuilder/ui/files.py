"""New, open, save, export and recovery as a user does them, with the questions that keep work from being lost."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from rackbuilder import resources
from rackbuilder.commands.base import Command
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.formats import EXPORTS, Export
from rackbuilder.formats.files import write_atomic
from rackbuilder.session.journal import Recovery, discard
from rackbuilder.session.session import Session
from rackbuilder.session.settings import Settings, save_settings
from rackbuilder.ui.bridge import Document

_FILTER = "rackbuilder designs (*.rackbuilder)"
SUFFIX = ".rackbuilder"


class Files(QObject):
    """The file menu. `told` carries what went wrong; `settled` new settings; `leaving` goes before another document."""

    told = Signal(object)
    settled = Signal()
    leaving = Signal()

    def __init__(self, parent: QWidget, document: Document, settings: Settings) -> None:
        super().__init__(parent)
        self._parent, self._document = parent, document
        self.settings = settings

    # ---- leaving the present document

    def may_leave(self) -> bool:
        """Asks about unsaved changes; False when the user cancels or the save fails."""
        self._document.finish_saving()
        if not self._document.session.dirty:
            return True
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Unsaved changes")
        box.setText(f"{self._document.session.title} has unsaved changes.")
        box.setInformativeText("Save them, or discard them for good?")
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answer = box.exec()
        box.deleteLater()
        if answer == buttons.Save:
            return self.save(wait=True)
        return answer == buttons.Discard

    def blank(self) -> bool:
        """An empty design."""
        return self._take(lambda: Session(self._document.catalog))

    def from_template(self, command: Command) -> bool:
        """A new design made by a template, as its first undoable step."""

        def made() -> Session:
            session = Session(self._document.catalog)
            session.do(command)
            return session

        return self._take(made)

    def sample(self, name: str) -> bool:
        """A shipped example, as a new design without a file of its own."""

        def made() -> Session:
            session = Session.open(resources.path(f"designs/{name}{SUFFIX}"), self._document.catalog)
            session.path = None
            return session

        return self._take(made)

    def open(self, path: Path | None = None) -> bool:
        """Opens a file, asking for one when none is given."""
        target = path or self._ask_open()
        if target is None:
            return False
        if not self._take(lambda: Session.open(target, self._document.catalog)):
            return False
        self._remember(target)
        if self._document.session.problems:
            self.told.emit(self._document.session.problems[:1])
        return True

    def recover(self, recovery: Recovery) -> bool:
        """Brings a document back after a crash; its recovery copy stays until it is saved or discarded."""
        done = self._take(lambda: Session.recover(recovery, self._document.catalog))
        if done and self._document.session.problems:
            self.told.emit(self._document.session.problems)
        return done

    def forget(self, recovery: Recovery) -> None:
        """Discards a recovery copy after asking."""
        question = f"Discard the {recovery.edits:,} unsaved edits of {recovery.name} for good?"
        box = QMessageBox(QMessageBox.Icon.Warning, "Discard recovery copy", question, parent=self._parent)
        sure = box.addButton("Discard", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        if box.clickedButton() is sure:
            discard(recovery)
        box.deleteLater()

    def _take(self, make: Callable[[], Session]) -> bool:
        if not self.may_leave():
            return False
        try:
            session = make()
        except ProblemError as error:
            self.told.emit(error.problems)
            return False
        self.leaving.emit()
        self._document.session.close()
        self._document.take(session)
        return True

    # ---- saving

    def save(self, wait: bool = False) -> bool:
        """Saves to the document's file, asking for a name the first time; False when it was not begun.

        The file is written beside the window's work, unless `wait`: then False also tells of a failure.
        """
        if self._document.session.path is None:
            return self.save_as(wait)
        return self._save(self._document.session.path, wait)

    def save_as(self, wait: bool = False) -> bool:
        path = self._ask_save()
        return path is not None and self._save(path, wait)

    def _save(self, path: Path, wait: bool) -> bool:
        session = self._document.session
        overwrite = path != session.path
        if not overwrite and session.changed_on_disk():
            if not self._may_overwrite(path):
                return False
            overwrite = True
        try:
            if wait:
                self._document.save(path, overwrite)
                self._remember(path)
            else:
                self._document.start_save(path, overwrite, self._saved)
        except ProblemError as error:
            self.told.emit(error.problems)
            return False
        return True

    def _saved(self, path: Path, problems: tuple[Problem, ...]) -> None:
        if problems:
            self.told.emit(problems)
        else:
            self._remember(path)

    def _may_overwrite(self, path: Path) -> bool:
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Changed on disk")
        box.setText(f"{path.name} was changed by another program since it was opened.")
        box.setInformativeText("Overwrite it? The version on disk is kept as .bak.")
        overwrite = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.exec()
        sure = box.clickedButton() is overwrite
        box.deleteLater()
        return sure

    # ---- exporting

    def export_all(self, folder: Path | None = None) -> list[Path]:
        """Every document into one folder; returns what was written."""
        target = folder or self._ask_folder()
        if target is None:
            return []
        written = []
        try:
            target.mkdir(parents=True, exist_ok=True)
            for kind in EXPORTS:
                path = target / f"{self._stem()}-{kind.kind}{kind.suffix}"
                self._write(kind, path)
                written.append(path)
        except ProblemError as error:
            self.told.emit(error.problems)
        except OSError as error:
            self.told.emit(
                (Problem(f"The folder cannot be made: {error.strerror}", str(target), "Choose another."),)
            )
        return written

    def export_one(self, kind: str, path: Path | None = None) -> Path | None:
        """One document, to a file that is asked for; None when nothing was written."""
        found = next(item for item in EXPORTS if item.kind == kind)
        target = path or self._ask_export(found)
        if target is None:
            return None
        try:
            self._write(found, target)
        except ProblemError as error:
            self.told.emit(error.problems)
            return None
        return target

    def _write(self, kind: Export, path: Path) -> None:
        """Of the document as it is, never of results that are older. Raises ProblemError."""
        document = self._document
        if document.stale:
            document.wait()
            QCoreApplication.sendPostedEvents(document)
        write_atomic(path, kind.write(document.design, document.graphs, document.report))

    def _stem(self) -> str:
        return Path(self._document.session.title).stem or "design"

    # ---- asking, remembering

    def _folder(self) -> str:
        path = self._document.session.path
        return str(path.parent) if path else str(Path.home())

    def _ask_open(self) -> Path | None:
        name, _ = QFileDialog.getOpenFileName(self._parent, "Open a design", self._folder(), _FILTER)
        return Path(name) if name else None

    def _ask_save(self) -> Path | None:
        title = Path(self._document.session.title).stem
        start = str(Path(self._folder()) / f"{title}{SUFFIX}")
        name, _ = QFileDialog.getSaveFileName(self._parent, "Save the design", start, _FILTER)
        if not name:
            return None
        return Path(name) if Path(name).suffix else Path(name + SUFFIX)

    def _ask_export(self, kind: Export) -> Path | None:
        start = str(Path(self._folder()) / f"{self._stem()}-{kind.kind}{kind.suffix}")
        filters = f"{kind.title} (*{kind.suffix})"
        name, _ = QFileDialog.getSaveFileName(self._parent, f"Export: {kind.title}", start, filters)
        if not name:
            return None
        return Path(name) if Path(name).suffix else Path(name + kind.suffix)

    def _ask_folder(self) -> Path | None:
        name = QFileDialog.getExistingDirectory(self._parent, "Folder for the documents", self._folder())
        return Path(name) if name else None

    def _remember(self, path: Path) -> None:
        self.change(recent=self.settings.with_recent(path).recent)

    def change(self, **fields: object) -> None:
        """Changes settings and writes them; a folder that cannot be written is said, not fatal."""
        self.settings = self.settings.model_copy(update=fields)
        try:
            save_settings(self.settings)
        except (ProblemError, OSError) as error:
            reason = error.problems[0].what if isinstance(error, ProblemError) else str(error)
            self.told.emit((Problem(reason, "settings", "They hold until the window closes.", "warning"),))
        self.settled.emit()
