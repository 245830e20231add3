"""What each action does. One method an action, short: the work is a command, a dialog, or a view's."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QMenu

from rackbuilder.commands.clipboard import Clip, Paste, copy
from rackbuilder.commands.devices import DeleteItems, DuplicateDevices, Rename
from rackbuilder.commands.drawing import Unpin
from rackbuilder.commands.groups import Group, Ungroup
from rackbuilder.design.refs import parse
from rackbuilder.errors import Problem, ProblemError
from rackbuilder.session.journal import Recovery
from rackbuilder.ui import theme
from rackbuilder.ui.actions import ACTIONS
from rackbuilder.ui.centre import VIEW_NAMES
from rackbuilder.ui.dialogs.ask import ask_text
from rackbuilder.ui.dialogs.quick import Choice, QuickDialog
from rackbuilder.ui.find import exact, findable
from rackbuilder.ui.jobs import JobHandlers
from rackbuilder.ui.pages import HelpHandlers
from rackbuilder.ui.placing import placeable, placing

if TYPE_CHECKING:
    from rackbuilder.ui.window import MainWindow

_DELETABLE = ("devices", "racks", "cables", "groups", "fabrics", "jobs")


class Handlers(JobHandlers, HelpHandlers):
    """Holds no state of the document: only the tool in hand and the part it places."""

    def __init__(self, window: "MainWindow") -> None:
        self.window = window
        self.document = window.document
        self._tool = "select"
        self._part = ""

    def table(self) -> Mapping[str, Callable[[], object]]:
        """Every action's handler, by id: `file.save_as` is `file_save_as`, views, tools and themes by their name."""
        found: dict[str, Callable[[], object]] = {}
        for item in ACTIONS:
            kind, _, name = item.id.partition(".")
            if kind == "tool":
                found[item.id] = lambda n=name: self.take_tool(n)  # type: ignore[misc]
            elif kind == "view" and name in VIEW_NAMES:
                found[item.id] = lambda n=name: self.window.show_view(n)  # type: ignore[misc]
            elif item.id in ("view.system", "view.light", "view.dark"):
                found[item.id] = lambda n=name: self._theme(n)  # type: ignore[misc]
            elif kind == "export" and name != "all":
                found[item.id] = lambda n=name: self.export_one(n)  # type: ignore[misc]
            else:
                found[item.id] = getattr(self, f"{kind}_{name}")
        return found

    @property
    def selected(self) -> tuple[str, ...]:
        return tuple(self.document.selection.refs)

    def records(self, *tables: str) -> tuple[str, ...]:
        """Selected records of some tables, each once: a port stands for its device."""
        ids = dict.fromkeys(parse(ref).record for ref in self.selected)
        return tuple(i for i in ids if any(i in self.document.design.tables[t] for t in tables))

    def nothing(self, what: str) -> None:
        self.say(f"Nothing is selected to {what}", "Select something first.")

    def say(self, what: str, fix: str = "") -> None:
        """A remark in the bar above the canvas."""
        self.window.tell([Problem(what, "", fix, "note")])

    def enable(self) -> None:
        """Greys what cannot be done now."""
        if not hasattr(self.window, "actions_by_id"):
            return
        history, design = self.document.session.history, self.document.design
        devices, items = bool(self.records("devices", "racks")), bool(self.records(*_DELETABLE))
        loose = any(design.devices[d].groups for d in self.records("devices"))
        verdict = self.document.report.bottleneck
        states = {
            "edit.undo": bool(history.done),
            "edit.redo": bool(history.undone),
            "edit.copy": devices,
            "edit.duplicate": devices,
            "edit.delete": items,
            "edit.rename": items,
            "arrange.group": devices,
            "arrange.ungroup": loose or bool(self.records("groups")),
            "analyse.remap": bool(verdict and verdict.remap),
            "analyse.swap": bool(verdict and (verdict.remap or verdict.swap)),
            "analyse.next_problem": bool(self.document.report.problems),
            "analyse.apply_fix": bool(self.document.report.fixable),
        }
        for identity, on in states.items():
            self.window.actions_by_id[identity].setEnabled(on)
        for identity, step, word in (
            ("edit.undo", history.last, "Undo"),
            ("edit.redo", history.next, "Redo"),
        ):
            self.window.actions_by_id.name(identity, f"{word} {step.patch.label}" if step else word)

    # ---- file

    def file_blank(self) -> None:
        self.window.files.blank()

    def file_open(self) -> None:
        self.window.files.open()

    def file_save(self) -> None:
        self.window.files.save()

    def file_save_as(self) -> None:
        self.window.files.save_as()

    def file_start(self) -> None:
        self.window.keep_places()
        self.window.offer_recovery()
        self.window.show_start()

    def file_quit(self) -> None:
        self.window.close()

    def fill_recent(self) -> None:
        """The files opened last, newest first; one that is gone is left out."""
        menu = self.window.actions_by_id.recent
        menu.clear()
        there = [path for path in self.window.files.settings.recent if Path(path).exists()]
        for path in there:
            action = menu.addAction(Path(path).name)
            action.setToolTip(path)
            action.triggered.connect(lambda _=False, p=path: self.window.files.open(Path(p)))
        menu.setEnabled(bool(there))

    def start_asked(self, action: str, value: object) -> None:
        """What the start page asks for."""
        files = self.window.files
        if isinstance(value, Recovery):
            {"recover": self._recover, "forget": self._forget, "edits": self.show_edits}[action](value)
        elif action == "recent":
            files.open(Path(str(value)))
        elif action == "sample":
            files.sample(str(value))
        elif action == "help":
            getattr(self, f"help_{value}")()
        else:
            getattr(self, f"file_{action}")()

    def _recover(self, recovery: Recovery) -> None:
        self.window.files.recover(recovery)

    def _forget(self, recovery: Recovery) -> None:
        self.window.files.forget(recovery)
        self.window.offer_recovery()

    # ---- edit

    def edit_undo(self) -> None:
        self.document.undo()

    def edit_redo(self) -> None:
        self.document.redo()

    def edit_copy(self) -> None:
        devices = self.records("devices", "racks")
        if not devices:
            self.nothing("copy")
            return
        QApplication.clipboard().setText(copy(self.document.design, devices).model_dump_json())

    def edit_paste(self) -> None:
        """Pastes what rackbuilder copied, in this window or another, into the selected rack."""
        try:
            clip = Clip.model_validate_json(QApplication.clipboard().text())
        except ValueError:
            self.say("The clipboard holds nothing of rackbuilder's", "Copy devices or racks first.")
            return
        racks = self.records("racks")
        self._select_new(lambda: self.document.do(Paste(clip=clip, rack=racks[0] if len(racks) == 1 else "")))

    def edit_duplicate(self) -> None:
        devices = self.records("devices", "racks")
        if devices:
            self._select_new(lambda: self.document.do(DuplicateDevices(devices=devices)))
        else:
            self.nothing("duplicate")

    def edit_delete(self) -> None:
        items = self.records(*_DELETABLE)
        self.document.do(DeleteItems(refs=items)) if items else self.nothing("delete")

    def edit_rename(self) -> None:
        items = self.records(*_DELETABLE)
        if not items:
            self.nothing("rename")
        elif len(items) > 1:
            self.say("Several things are selected", "Select one to rename it.")
        else:
            tables = self.document.design.tables.values()
            old = next(rows[items[0]].name for rows in tables if items[0] in rows)
            name = ask_text(self.window, "Rename", f"Name of {items[0]}", old)
            if name is not None:
                self.document.do(Rename(ref=items[0], name=name))

    def edit_select_all(self) -> None:
        self.document.selection.set([*self.document.design.devices, *self.document.design.racks])

    def edit_find(self) -> None:
        """Puts the cursor into the search field."""
        if self.window.view is None:
            self.window.show_view("fabric")
        self.window.toolbar.search.setFocus()
        self.window.toolbar.search.selectAll()

    def find_text(self, words: str) -> None:
        """Goes to the one match, or shows the list of them."""
        rows = findable(self.document.design)
        found = exact(rows, words)
        if found is not None:
            self.window.show_refs((found.value,))
            self.window.focus_view()
            return
        dialog = QuickDialog(self.window, "Find or go to", rows, lambda ref: self.window.show_refs((ref,)))
        dialog.edit.setText(words)
        dialog.open()

    def edit_commands(self) -> None:
        rows = [Choice(a.text, f"{a.menu}  {a.shortcut}".strip(), a.id) for a in ACTIONS]
        QuickDialog(
            self.window, "All commands", rows, lambda i: self.window.actions_by_id[i].trigger()
        ).open()

    # ---- view and tools

    def take_tool(self, name: str) -> None:
        """Takes a tool in hand in every view."""
        self._tool = name
        if self.window.view is None:
            self.window.show_view("fabric")
        self.hand_tool()
        self.window.focus_view()

    def hand_tool(self) -> None:
        """Gives the tool in hand to the view in sight."""
        view = self.window.view
        if view is not None:
            view.take_tool(self._tool, self._part)
        self.window.actions_by_id.check(f"tool.{self._tool}")

    def tool_changed(self, name: str) -> None:
        """A view took another tool itself: Esc goes back to selecting."""
        self._tool = name
        self.window.actions_by_id.check(f"tool.{name}")

    def pick_part(self, part: str) -> None:
        """The part the place tool uses from now."""
        self._part = part
        if self._tool == "place":
            self.hand_tool()

    def view_fit(self) -> None:
        if self.window.view is not None:
            self.window.view.fit(self.selected)

    def view_fit_all(self) -> None:
        if self.window.view is not None:
            self.window.view.fit_all()

    def view_zoom_in(self) -> None:
        if self.window.view is not None:
            self.window.view.zoom_by(1)

    def view_zoom_out(self) -> None:
        if self.window.view is not None:
            self.window.view.zoom_by(-1)

    def _theme(self, mode: str) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, mode)  # type: ignore[arg-type]
        self.window.actions_by_id.check(f"view.{mode}")
        self.window.files.change(theme=mode)

    # ---- insert and arrange

    def insert_add(self) -> None:
        parts = placeable(self.document.design, self.document.catalog)
        rows = [Choice(p.name, p.id, p.id) for p in parts]
        QuickDialog(self.window, "Add by name", rows, self.place_part).open()

    def insert_rack(self) -> None:
        parts = placeable(self.document.design, self.document.catalog)
        rows = [Choice(p.name, p.id, p.id) for p in parts if p.kind == "rack"]
        QuickDialog(self.window, "Add a rack", rows, self.place_part).open()

    def place_part(self, part: str, count: int = 1) -> None:
        """Places a part at once: a device in the selected rack or the first with room, a rack beside the others."""
        if self.window.view is None:
            self.window.show_view("fabric")
        self._part = part
        design, catalog = self.document.design, self.document.catalog
        try:
            command = placing(design, catalog, part, self.records("racks"), count)
        except ProblemError as error:
            self.window.tell(error.problems)
            return
        self._select_new(lambda: self.document.do(command))

    def _select_new(self, work: Callable[[], bool]) -> None:
        """Runs an edit, then selects and shows what it made."""
        before = {*self.document.design.devices, *self.document.design.racks}
        if work():
            design = self.document.design
            made = [i for i in (*design.racks, *design.devices) if i not in before]
            racks = [i for i in made if i in design.racks]
            self.document.selection.set(racks or made)
            if self.window.view is not None:
                self.window.view.frame(racks or made)

    def arrange_group(self) -> None:
        items = self.records("devices", "racks")
        self.document.do(Group(refs=items)) if items else self.nothing("group")

    def arrange_ungroup(self) -> None:
        devices = self.document.design.devices
        groups = dict.fromkeys(g for d in self.records("devices") for g in devices[d].groups)
        chosen = [*self.records("groups"), *groups]
        self.document.do(Ungroup(groups=tuple(chosen))) if chosen else self.nothing("ungroup")

    def arrange_unpin(self) -> None:
        self.document.do(Unpin(view=self.document.view_name, refs=self.selected))

    # ---- export, window

    def export_all(self) -> None:
        written = self.window.files.export_all()
        if written:
            self.say(f"{len(written)} documents written to {written[0].parent}")

    def export_one(self, kind: str) -> None:
        """One kind of document, to a file that is asked for."""
        path = self.window.files.export_one(kind)
        if path is not None:
            self.say(f"{path.name} is written to {path.parent}")

    def window_fullscreen(self) -> None:
        self.window.showNormal() if self.window.isFullScreen() else self.window.showFullScreen()

    # ---- from the canvas

    def context_menu(self, place: QPoint, ref: str) -> None:
        """The actions that make sense for what is under the cursor."""
        if ref and ref not in self.selected:
            self.document.selection.set([ref])
        menu = QMenu(self.window)
        menu.aboutToHide.connect(menu.deleteLater)
        ids = ("edit.copy", "edit.paste", "edit.duplicate", "edit.delete", "edit.rename", "", "tool.cable",
               "arrange.group", "arrange.ungroup", "arrange.unpin", "", "insert.add", "insert.part", "",
               "view.fit", "view.fit_all", "analyse.why")  # fmt: skip
        for identity in ids:
            menu.addAction(self.window.actions_by_id[identity]) if identity else menu.addSeparator()
        menu.popup(place)

    def open_ref(self, ref: str) -> None:
        """A double click: a server opens its inside, everything else is framed."""
        device = self.document.design.devices.get(parse(ref).record)
        if device is not None and self.document.design.type_of(device).gpus:
            self.document.selection.set([device.id])
            self.window.show_view("server")
            return
        self.window.show_refs((ref,))
