"""One line of text, asked for: a name, a reason."""

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QLineEdit, QVBoxLayout, QWidget

from rackbuilder.ui.theme import FIELD


class AskDialog(QDialog):
    """A labelled line; the button says what it does, and is off while a required text is missing."""

    def __init__(
        self, parent: QWidget, title: str, label: str, text: str = "", verb: str = "", required: bool = False
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.edit = QLineEdit(text)
        self.edit.setMinimumHeight(FIELD)
        self.edit.setMinimumWidth(380)
        self.edit.selectAll()
        self.edit.setAccessibleName(label)
        words = QLabel(label)
        words.setWordWrap(True)
        words.setBuddy(self.edit)
        kinds = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(kinds.Cancel | kinds.Ok)
        self.button = buttons.button(kinds.Ok)
        self.button.setText(verb or title)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for widget in (words, self.edit, buttons):
            column.addWidget(widget)
        if required:
            self.edit.textChanged.connect(lambda t: self.button.setEnabled(bool(t.strip())))
            self.button.setEnabled(bool(text.strip()))


def ask_text(
    parent: QWidget, title: str, label: str, text: str = "", verb: str = "", required: bool = False
) -> str | None:
    """What was typed; None when the user thought better of it."""
    dialog = AskDialog(parent, title, label, text, verb, required)
    typed = dialog.edit.text() if dialog.exec() else None
    dialog.deleteLater()
    return typed
