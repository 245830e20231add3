"""Every action as data: its id, text, shortcut, menu and what it needs. The window gives each a handler."""

from typing import NamedTuple

from rackbuilder.errors import did_you_mean
from rackbuilder.formats import EXPORTS


class Action(NamedTuple):
    """One thing a user can do. `canvas_only` shortcuts are single letters that act while the canvas has focus."""

    id: str
    text: str
    menu: str
    shortcut: str = ""
    icon: str = ""
    tip: str = ""
    checkable: bool = False
    canvas_only: bool = False


MENUS = ("File", "Edit", "View", "Insert", "Arrange", "Analyse", "Export", "Window", "Help")

ACTIONS: tuple[Action, ...] = (
    Action("file.new", "New from template …", "File", "Ctrl+N"),
    Action("file.blank", "New blank design", "File", "Ctrl+Shift+N"),
    Action("file.open", "Open …", "File", "Ctrl+O", "open", "Open a design"),
    Action("file.save", "Save", "File", "Ctrl+S", "save", "Save the design"),
    Action("file.save_as", "Save as …", "File", "Ctrl+Shift+S"),
    Action("file.start", "Start page", "File"),
    Action("file.quit", "Quit", "File", "Ctrl+Q"),
    Action("edit.undo", "Undo", "Edit", "Ctrl+Z", "undo", "Take back the last step"),
    Action("edit.redo", "Redo", "Edit", "Ctrl+Shift+Z", "redo", "Repeat the step taken back"),
    Action("edit.copy", "Copy", "Edit", "Ctrl+C"),
    Action("edit.paste", "Paste", "Edit", "Ctrl+V"),
    Action("edit.duplicate", "Duplicate", "Edit", "D", canvas_only=True),
    Action("edit.delete", "Delete", "Edit", "Del", canvas_only=True),
    Action("edit.rename", "Rename …", "Edit", "F2"),
    Action("edit.select_all", "Select all", "Edit", "Ctrl+A", canvas_only=True),
    Action("edit.find", "Find or go to", "Edit", "/", "search", canvas_only=True),
    Action("edit.commands", "All commands …", "Edit", "Ctrl+Shift+P"),
    Action("view.fabric", "Fabric", "View", "1", checkable=True, canvas_only=True),
    Action("view.racks", "Racks", "View", "2", checkable=True, canvas_only=True),
    Action("view.floor", "Floor", "View", "3", checkable=True, canvas_only=True),
    Action("view.server", "Server", "View", "4", checkable=True, canvas_only=True),
    Action("view.table", "Table", "View", "5", checkable=True, canvas_only=True),
    Action("view.fit", "Fit selection", "View", "F", "fit", canvas_only=True),
    Action("view.fit_all", "Fit all", "View", "Shift+F", canvas_only=True),
    Action("view.zoom_in", "Zoom in", "View", "Ctrl++"),
    Action("view.zoom_out", "Zoom out", "View", "Ctrl+-"),
    Action("view.system", "Follow the system's colours", "View", checkable=True),
    Action("view.light", "Light", "View", checkable=True),
    Action("view.dark", "Dark", "View", checkable=True),
    Action("tool.select", "Select", "Insert", "V", "select", "Select and move", True, True),
    Action("tool.place", "Place", "Insert", "P", "place", "Place the chosen part", True, True),
    Action("tool.cable", "Cable", "Insert", "C", "cable", "Cable from a selection to devices", True, True),
    Action("tool.pan", "Pan", "Insert", "H", "pan", "Move the view; Space does so in every tool", True, True),
    Action("insert.add", "Add by name …", "Insert", "A", canvas_only=True),
    Action("insert.rack", "Rack", "Insert"),
    Action("insert.part", "Own part from a copy …", "Insert"),
    Action("arrange.group", "Group", "Arrange", "G", canvas_only=True),
    Action("arrange.ungroup", "Ungroup", "Arrange", "Shift+G", canvas_only=True),
    Action("arrange.unpin", "Forget drawn positions", "Arrange", "L", canvas_only=True),
    Action("analyse.workload", "Workload …", "Analyse", "W", canvas_only=True),
    Action("analyse.swap", "Swap right and wrong mapping", "Analyse"),
    Action("analyse.remap", "Apply the proposed mapping", "Analyse", "Ctrl+M"),
    Action("analyse.next_problem", "Next problem", "Analyse", "F8"),
    Action("analyse.apply_fix", "Apply the fix of the problem", "Analyse", "Ctrl+Return"),
    Action("analyse.why", "What is this number", "Analyse", "F1"),
    Action("export.all", "All documents …", "Export", "Ctrl+E"),
    *(Action(f"export.{kind.kind}", f"{kind.title} …", "Export") for kind in EXPORTS),
    Action("window.fullscreen", "Full screen", "Window", "F11", checkable=True),
    Action("help.first_steps", "First steps", "Help"),
    Action("help.shortcuts", "Shortcuts", "Help"),
    Action("help.glossary", "Glossary", "Help"),
    Action("help.changelog", "What is new", "Help"),
    Action("help.about", "About rackbuilder", "Help"),
)


def action(identity: str) -> Action:
    """An action by its id. Raises KeyError with a suggestion: a wrong id is a bug."""
    for item in ACTIONS:
        if item.id == identity:
            return item
    raise KeyError(f"no action {identity}; {did_you_mean(identity, (a.id for a in ACTIONS))}")
