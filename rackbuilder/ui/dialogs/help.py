"""Help pages and the changelog, read from the shipped files."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from rackbuilder import __version__, resources
from rackbuilder.ui.actions import ACTIONS


class HelpDialog(QDialog):
    """Shows Markdown."""

    def __init__(self, parent: QWidget, title: str, text: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.browser = QTextBrowser()
        self.browser.setOpenLinks(False)
        self.browser.setMarkdown(text)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.browser)
        column.addWidget(buttons)
        self.resize(640, 560)


def page(name: str) -> str:
    """A help page by its name."""
    return resources.path(f"help/{name}.md").read_text(encoding="utf-8")


def shortcuts() -> str:
    """The list of all actions with their keys, made from ACTIONS."""
    rows = (f"| {a.menu} | {a.text} | {a.shortcut or '–'} |" for a in ACTIONS)
    head = "# Shortcuts\n\nSingle letters act while the canvas has the focus.\n\n| Menu | Action | Key |\n|---|---|---|"
    return "\n".join((head, *rows))


def about() -> str:
    what = "Draw a GPU cluster and see at once what every link, rack and job gets."
    return f"# rackbuilder {__version__}\n\n{what} Apache-2.0."
