"""What the actions that open a dialog or a page do: templates, own parts, recovery, help."""

from typing import TYPE_CHECKING

from rackbuilder.catalog.parts import DeviceType, RackType
from rackbuilder.errors import ProblemError
from rackbuilder.session.journal import Recovery, replay
from rackbuilder.ui.dialogs import help as help_pages
from rackbuilder.ui.dialogs.help import HelpDialog
from rackbuilder.ui.dialogs.own_part import OwnPartDialog
from rackbuilder.ui.dialogs.template import TemplateDialog

if TYPE_CHECKING:
    from rackbuilder.ui.bridge import Document
    from rackbuilder.ui.window import MainWindow


class HelpHandlers:
    """A part of `Handlers`."""

    window: "MainWindow"
    document: "Document"
    _part: str

    def say(self, what: str, fix: str = "") -> None:
        raise NotImplementedError

    def records(self, *tables: str) -> tuple[str, ...]:
        raise NotImplementedError

    def file_new(self) -> None:
        dialog = TemplateDialog(self.window, self.document.catalog)
        if dialog.exec() and dialog.command is not None:
            self.window.files.from_template(dialog.command)
        dialog.deleteLater()

    def insert_part(self) -> None:
        """An own part from a copy of the selected device's type, or of the part chosen in the palette."""
        base = self._base_part()
        if base is None:
            self.say("No part is chosen", "Select a device, or choose a part in the parts list.")
            return
        dialog = OwnPartDialog(self.window, base, self.document)
        dialog.exec()
        dialog.deleteLater()

    def _base_part(self) -> DeviceType | RackType | None:
        design = self.document.design
        ids = [design.devices[d].type for d in self.records("devices")[:1]]
        ids += [design.racks[r].type for r in self.records("racks")[:1]]
        identity = ids[0] if ids else self._part
        part = design.parts.get(identity) or self.document.catalog.parts.get(identity)
        return part if isinstance(part, DeviceType | RackType) else None

    def show_edits(self, recovery: Recovery) -> None:
        """What a recovery copy would bring back, oldest first."""
        try:
            made = replay(recovery)
        except ProblemError as error:
            self.window.tell(error.problems)
            return
        lines = [f"{n}. {patch.label}" for n, patch in enumerate(made.patches, start=1)]
        lines += [problem.what for problem in made.problems]
        self._show(f"Edits of {recovery.name}", "\n".join(lines) or "Nothing is known of the edits.")

    def help_first_steps(self) -> None:
        self._show("First steps", help_pages.page("first-steps"))

    def help_shortcuts(self) -> None:
        self._show("Shortcuts", help_pages.shortcuts())

    def help_glossary(self) -> None:
        self._show("Glossary", help_pages.page("glossary"))

    def help_changelog(self) -> None:
        self._show("What is new", help_pages.page("changelog"))

    def help_about(self) -> None:
        self._show("About rackbuilder", help_pages.about())

    def _show(self, title: str, text: str) -> None:
        dialog = HelpDialog(self.window, title, text)
        dialog.exec()
        dialog.deleteLater()
