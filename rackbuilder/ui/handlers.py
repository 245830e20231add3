"""What each action does. One method an action, short: the work is a command, a dialog, or a view's."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu

from rackbuilder.catalog.parts import DeviceType, RackType
from rackbuilder.commands.base import Command
from rackbuilder.commands.clipboard import Clip, Paste, copy
from rackbuilder.commands.devices import DeleteItems, DuplicateDevices, PlaceDevice, Rename
from rackbuilder.commands.drawing import Unpin
from rackbuilder.commands.groups import Group, Ungroup
from rackbuilder.commands.jobs import ActivateJob, SetJob, SwapMapping
from rackbuilder.commands.racks import AddRack, PlaceRackSystem
from rackbuilder.design.geometry import free_units
from rackbuilder.design.refs import parse
from rackbuilder.errors import Problem
from rackbuilder.session.jobs import SUGGESTED, suggested_job
from rackbuilder.session.journal import Recovery
from rackbuilder.ui import theme
from rackbuilder.ui.actions import ACTIONS
from rackbuilder.ui.dialogs import help as help_pages
from rackbuilder.ui.dialogs.help import HelpDialog
from rackbuilder.ui.dialogs.job import JobDialog
from rackbuilder.ui.dialogs.own_part import OwnPartDialog
from rackbuilder.ui.dialogs.quick import Choice, QuickDialog
from rackbuilder.ui.dialogs.template import TemplateDialog

if TYPE_CHECKING:
    from rackbuilder.ui.window import MainWindow


class Handlers:
    """Holds no state of the document: only the tool in hand and the part it places."""

    def __init__(self, window: "MainWindow") -> None:
        self._window = window
        self._document = window.document
        self._tool = "select"
        self._part = ""

    def table(self) -> Mapping[str, Callable[[], object]]:
        """Every action's handler, by id: `file.save_as` is `file_save_as`, views, tools and themes by their name."""
        found: dict[str, Callable[[], object]] = {}
        for item in ACTIONS:
            kind, _, name = item.id.partition(".")
            if kind == "tool":
                found[item.id] = lambda n=name: self.take_tool(n)  # type: ignore[misc]
            elif item.id in ("view.fabric", "view.racks", "view.floor", "view.server", "view.table"):
                found[item.id] = lambda n=name: self._window.show_view(n)  # type: ignore[misc]
            elif item.id in ("view.system", "view.light", "view.dark"):
                found[item.id] = lambda n=name: self._theme(n)  # type: ignore[misc]
            else:
                found[item.id] = getattr(self, f"{kind}_{name}")
        return found

    @property
    def _selected(self) -> tuple[str, ...]:
        return tuple(self._document.selection.refs)

    def _records(self, *tables: str) -> tuple[str, ...]:
        """Selected records of some tables, each once: a port stands for its device."""
        ids = dict.fromkeys(parse(ref).record for ref in self._selected)
        return tuple(i for i in ids if any(i in self._document.design.tables[t] for t in tables))

    def _nothing(self, what: str) -> None:
        self._window.tell([Problem(f"Nothing is selected to {what}", "", "Select something first.", "note")])

    # ---- file

    def file_new(self) -> None:
        dialog = TemplateDialog(self._window, self._document.catalog)
        if dialog.exec() and dialog.command is not None:
            self._window.files.from_template(dialog.command)
        dialog.deleteLater()

    def file_blank(self) -> None:
        self._window.files.blank()

    def file_open(self) -> None:
        self._window.files.open()

    def file_save(self) -> None:
        self._window.files.save()

    def file_save_as(self) -> None:
        self._window.files.save_as()

    def file_start(self) -> None:
        self._window.show_start()

    def file_quit(self) -> None:
        self._window.close()

    def start_asked(self, action: str, value: object) -> None:
        """What the start page asks for."""
        files = self._window.files
        if action == "recover" and isinstance(value, Recovery):
            files.recover(value)
        elif action == "forget" and isinstance(value, Recovery):
            files.forget(value)
            self._window.offer_recovery()
        elif action == "recent":
            files.open(Path(str(value)))
        elif action == "sample":
            files.sample(str(value))
        elif action == "help":
            getattr(self, f"help_{value}")()
        else:
            getattr(self, f"file_{action}")()

    # ---- edit

    def edit_undo(self) -> None:
        self._document.undo()

    def edit_redo(self) -> None:
        self._document.redo()

    def edit_copy(self) -> None:
        devices = self._records("devices", "racks")
        if not devices:
            self._nothing("copy")
            return
        clip = copy(self._document.design, devices)
        QApplication.clipboard().setText(clip.model_dump_json())

    def edit_paste(self) -> None:
        """Pastes what rackbuilder copied, in this window or another, into the selected rack."""
        text = QApplication.clipboard().text()
        try:
            clip = Clip.model_validate_json(text)
        except ValueError:
            problem = Problem(
                "The clipboard holds nothing of rackbuilder's", "", "Copy devices or racks first.", "note"
            )
            self._window.tell([problem])
            return
        racks = self._records("racks")
        self._document.do(Paste(clip=clip, rack=racks[0] if len(racks) == 1 else ""))

    def edit_duplicate(self) -> None:
        devices = self._records("devices")
        self._document.do(DuplicateDevices(devices=devices)) if devices else self._nothing("duplicate")

    def edit_delete(self) -> None:
        items = self._records("devices", "racks", "cables", "groups", "fabrics", "jobs")
        self._document.do(DeleteItems(refs=items)) if items else self._nothing("delete")

    def edit_rename(self) -> None:
        items = self._records("devices", "racks", "cables", "groups", "fabrics", "jobs")
        if len(items) != 1:
            self._nothing("rename") if not items else self._window.tell(
                [Problem("Several things are selected", "", "Select one to rename it.", "note")]
            )
            return
        old = next(rows[items[0]].name for rows in self._document.design.tables.values() if items[0] in rows)
        name, good = QInputDialog.getText(self._window, "Rename", f"Name of {items[0]}", text=old)
        if good:
            self._document.do(Rename(ref=items[0], name=name))

    def edit_select_all(self) -> None:
        self._document.selection.set([*self._document.design.devices, *self._document.design.racks])

    def edit_find(self) -> None:
        self._find("")

    def find_text(self, words: str) -> None:
        """Goes to the one match, or shows the list."""
        self._find(words)

    def _find(self, words: str) -> None:
        design = self._document.design
        rows = [
            Choice(record.label, record.id if record.name else table[:-1], record.id)
            for table in ("devices", "racks", "cables", "fabrics", "groups", "jobs")
            for record in design.tables[table].values()
        ]
        dialog = QuickDialog(self._window, "Find or go to", rows, lambda ref: self._window.show_refs((ref,)))
        dialog.edit.setText(words)
        dialog.open()

    def edit_commands(self) -> None:
        rows = [Choice(a.text, f"{a.menu}  {a.shortcut}".strip(), a.id) for a in ACTIONS]
        QuickDialog(
            self._window, "All commands", rows, lambda i: self._window.actions_by_id[i].trigger()
        ).open()

    # ---- view and tools

    def take_tool(self, name: str) -> None:
        """Takes a tool in hand in every view."""
        self._tool = name
        if self._window.view is None:
            self._window.show_view("fabric")
        self.hand_tool()

    def hand_tool(self) -> None:
        """Gives the tool in hand to the view in sight."""
        view = self._window.view
        if view is not None:
            view.take_tool(self._tool, self._part)
        self._window.actions_by_id.check(f"tool.{self._tool}")

    def pick_part(self, part: str) -> None:
        """The part the place tool uses from now."""
        self._part = part
        if self._tool == "place":
            self.hand_tool()

    def view_fit(self) -> None:
        if self._window.view is not None:
            self._window.view.fit(self._selected)

    def view_fit_all(self) -> None:
        if self._window.view is not None:
            self._window.view.fit_all()

    def view_zoom_in(self) -> None:
        if self._window.view is not None:
            self._window.view.zoom_by(1)

    def view_zoom_out(self) -> None:
        if self._window.view is not None:
            self._window.view.zoom_by(-1)

    def _theme(self, mode: str) -> None:
        app = QApplication.instance()
        if isinstance(app, QApplication):
            theme.apply(app, mode)  # type: ignore[arg-type]
        self._window.actions_by_id.check(f"view.{mode}")
        self._window.files.change(theme=mode)

    # ---- insert and arrange

    def insert_add(self) -> None:
        parts = [p for p in self._document.catalog.parts.values() if isinstance(p, DeviceType | RackType)]
        rows = [Choice(p.name, p.id, p.id) for p in parts]
        QuickDialog(self._window, "Add by name", rows, self.place_part).open()

    def insert_rack(self) -> None:
        rows = [Choice(r.name, r.id, r.id) for r in self._document.catalog.of_kind(RackType)]
        QuickDialog(self._window, "Add a rack", rows, self.place_part).open()

    def insert_part(self) -> None:
        part = self._document.design.parts.get(self._part) or self._document.catalog.parts.get(self._part)
        if not isinstance(part, DeviceType | RackType):
            fix = "Choose the part to copy in the parts list first."
            self._window.tell([Problem("No part is chosen", "", fix, "note")])
            return
        dialog = OwnPartDialog(self._window, part)
        if dialog.exec():
            try:
                self._document.do(dialog.command)
            except ValueError as error:
                self._window.tell(
                    [Problem(f"The power is no number: {error}", "own part", "Type a number in W.")]
                )
        dialog.deleteLater()

    def place_part(self, part: str) -> None:
        """Places a part at once: a device in the selected rack or the first with room, a rack beside the others."""
        if self._window.view is None:
            self._window.show_view("fabric")
        self._part = part
        before = set(self._document.design.devices) | set(self._document.design.racks)
        if self._document.do(self._placing(part)):
            design = self._document.design
            made = [i for i in (*design.devices, *design.racks) if i not in before]
            self._document.selection.set(made)
            if self._window.view is not None:
                self._window.view.frame(made)

    def _placing(self, identity: str) -> Command:
        design, catalog = self._document.design, self._document.catalog
        part = design.parts.get(identity) or catalog.part(identity)
        if isinstance(part, RackType):
            return (
                PlaceRackSystem(type=identity)
                if part.assembly and part.assembly.slots
                else AddRack(type=identity)
            )
        assert isinstance(part, DeviceType)
        chosen = self._records("racks")
        for rack in (*chosen, *(r for r in design.racks if r not in chosen)):
            kind = design.rack_type(design.racks[rack])
            fits = kind.id in part.mounts_in if part.mounts_in else kind.assembly is None
            if fits and (part.u_height == 0 or free_units(design, rack, part)):
                return PlaceDevice(type=identity, rack=rack)
        return PlaceDevice(type=identity)

    def arrange_group(self) -> None:
        items = self._records("devices", "racks")
        self._document.do(Group(refs=items)) if items else self._nothing("group")

    def arrange_ungroup(self) -> None:
        groups = dict.fromkeys(
            g for d in self._records("devices") for g in self._document.design.devices[d].groups
        )
        chosen = [*self._records("groups"), *groups]
        self._document.do(Ungroup(groups=tuple(chosen))) if chosen else self._nothing("ungroup")

    def arrange_unpin(self) -> None:
        self._document.do(Unpin(view=self._document.view_name, refs=self._selected))

    # ---- analyse

    def analyse_workload(self) -> None:
        self.workload()

    def workload(self) -> None:
        """Asks for a workload; the active job is changed, or a first one made."""
        job = next((j for j in self._document.design.jobs.values() if j.active), None)
        dialog = JobDialog(self._window, self._document, job)
        if dialog.exec():
            self._document.do(dialog.command)
        dialog.deleteLater()

    def activate_job(self, job: str) -> None:
        self._document.do(ActivateJob(job=job))

    def asked(self, what: str) -> None:
        """What a button of the live panel wants."""
        {"workload": self.workload, "suggest": self._suggest, "remap": self.analyse_remap, "fix": self.analyse_remap,
         "swap": self.analyse_swap}.get(what, lambda: None)()  # fmt: skip

    def _suggest(self) -> None:
        job = suggested_job(self._document.graphs, self._document.workloads, SUGGESTED)
        if job is None or not self._document.graphs.domains:
            self._window.tell(
                [Problem("There are no GPUs to run a job on", "", "Place servers first.", "note")]
            )
            return
        self._document.do(SetJob(workload=job.workload, sizes=job.sizes, order=job.order))

    def analyse_remap(self) -> None:
        self._swap("remap")

    def analyse_swap(self) -> None:
        verdict = self._document.report.bottleneck
        self._swap("remap" if verdict and verdict.remap else "swap")

    def _swap(self, which: str) -> None:
        verdict, step = self._document.report.bottleneck, self._document.report.step
        remap = getattr(verdict, which) if verdict else None
        if remap is None or step is None or self._document.stale:
            self._window.tell(
                [Problem("There is no other mapping to try", "", "Choose a workload first.", "note")]
            )
            return
        self._document.do(SwapMapping(job=step.job, sizes=remap.sizes))

    def analyse_next_problem(self) -> None:
        self._window.show_bottom(self._window.problems)
        self._window.problems.next()

    def analyse_apply_fix(self) -> None:
        self._window.problems.apply_fix()

    def analyse_why(self) -> None:
        """Where the selected figure comes from: the properties name grade and source of each."""
        self._window.docks["properties"].show()
        self._window.docks["properties"].raise_()
        self._window.properties.table.setFocus()

    # ---- export, window, help

    def export_all(self) -> None:
        written = self._window.files.export_all()
        if written:
            what = f"{len(written)} documents written to {written[0].parent}"
            self._window.tell([Problem(what, "", "", "note")])

    def window_fullscreen(self) -> None:
        self._window.showNormal() if self._window.isFullScreen() else self._window.showFullScreen()

    def help_first_steps(self) -> None:
        HelpDialog(self._window, "First steps", help_pages.page("first-steps")).exec()

    def help_shortcuts(self) -> None:
        HelpDialog(self._window, "Shortcuts", help_pages.shortcuts()).exec()

    def help_glossary(self) -> None:
        HelpDialog(self._window, "Glossary", help_pages.page("glossary")).exec()

    def help_changelog(self) -> None:
        HelpDialog(self._window, "What is new", help_pages.page("changelog")).exec()

    def help_about(self) -> None:
        HelpDialog(self._window, "About rackbuilder", help_pages.about()).exec()

    # ---- from the canvas

    def context_menu(self, place: QPoint, ref: str) -> None:
        """The actions that make sense for what is under the cursor."""
        if ref and ref not in self._selected:
            self._document.selection.set([ref])
        menu = QMenu(self._window)
        ids = ("edit.copy", "edit.paste", "edit.duplicate", "edit.delete", "edit.rename", "", "arrange.group",
               "arrange.unpin", "", "view.fit", "view.fit_all")  # fmt: skip
        for identity in ids:
            menu.addAction(self._window.actions_by_id[identity]) if identity else menu.addSeparator()
        menu.popup(place)

    def open_ref(self, ref: str) -> None:
        """A double click: a server opens its inside, everything else is framed."""
        device = self._document.design.devices.get(parse(ref).record)
        if device is not None and self._document.design.type_of(device).gpus:
            self._document.selection.set([device.id])
            self._window.show_view("server")
            return
        self._window.show_refs((ref,))
