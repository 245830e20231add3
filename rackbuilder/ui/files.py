"""New, open, save, export and recovery as a user does them, with the questions that keep work from being lost."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from rackbuilder import resources
from rackbuilder.commands.base import Command
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.formats import EXPORTS
from rackbuilder.formats.files import write_atomic
from rackbuilder.session.journal import Recovery, discard
from rackbuilder.session.session import Session
from rackbuilder.session.settings import Settings, save_settings
from rackbuilder.ui.bridge import Document

_FILTER = "rackbuilder designs (*.rackbuilder)"
SUFFIX = ".rackbuilder"


class Files(QObject):
    """The file menu. `told` carries what went wrong; `settled` new settings."""

    told = Signal(object)
    settled = Signal()

    def __init__(self, parent: QWidget, document: Document, settings: Settings) -> None:
        super().__init__(parent)
        self._parent, self._document = parent, document
        self.settings = settings

    # ---- leaving the present document

    def may_leave(self) -> bool:
        """Asks about unsaved changes; False when the user cancels or the save fails."""
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
        if answer == buttons.Save:
            return self.save()
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
        if (
            QMessageBox.question(self._parent, "Discard recovery copy", question)
            == QMessageBox.StandardButton.Yes
        ):
            discard(recovery)

    def _take(self, make: Callable[[], Session]) -> bool:
        if not self.may_leave():
            return False
        try:
            session = make()
        except ProblemError as error:
            self.told.emit(error.problems)
            return False
        self._document.session.close()
        self._document.take(session)
        return True

    # ---- saving

    def save(self) -> bool:
        """Saves to the document's file, asking for a name the first time; False when it did not happen."""
        if self._document.session.path is None:
            return self.save_as()
        return self._save(self._document.session.path)

    def save_as(self) -> bool:
        path = self._ask_save()
        return path is not None and self._save(path)

    def _save(self, path: Path) -> bool:
        session = self._document.session
        overwrite = path != session.path
        if not overwrite and session.changed_on_disk():
            if not self._may_overwrite(path):
                return False
            overwrite = True
        try:
            self._document.save(path, overwrite)
        except ProblemError as error:
            self.told.emit(error.problems)
            return False
        self._remember(path)
        return True

    def _may_overwrite(self, path: Path) -> bool:
        box = QMessageBox(self._parent)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle("Changed on disk")
        box.setText(f"{path.name} was changed by another program since it was opened.")
        box.setInformativeText("Overwrite it? The version on disk is kept as .bak.")
        overwrite = box.addButton("Overwrite", QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.exec()
        return box.clickedButton() is overwrite

    # ---- exporting

    def export_all(self, folder: Path | None = None) -> list[Path]:
        """Every document into one folder; returns what was written."""
        target = folder or self._ask_folder()
        if target is None:
            return []
        self._document.wait()
        stem = Path(self._document.session.title).stem or "design"
        written = []
        try:
            target.mkdir(parents=True, exist_ok=True)
            for kind in EXPORTS:
                path = target / f"{stem}-{kind.kind}{kind.suffix}"
                write_atomic(
                    path, kind.write(self._document.design, self._document.graphs, self._document.report)
                )
                written.append(path)
        except ProblemError as error:
            self.told.emit(error.problems)
        except OSError as error:
            self.told.emit(
                (Problem(f"The folder cannot be made: {error.strerror}", str(target), "Choose another."),)
            )
        return written

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
