"""What a user does, sent to the real widgets as events; and how a test answers a dialog that waits for it."""

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QMessageBox, QWidget

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
DialogT = TypeVar("DialogT", bound=QDialog)


def settle() -> None:
    """Lets everything that waits for the event loop happen."""
    for _ in range(4):
        QApplication.processEvents()


def key(widget: QWidget, which: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
    QTest.keyClick(widget, which, keys)
    settle()


def typed(widget: QWidget, text: str) -> None:
    QTest.keyClicks(widget, text)
    settle()


def click(widget: QWidget, at: QPoint | None = None, keys: Qt.KeyboardModifier = NONE) -> None:
    QTest.mouseClick(widget, LEFT, keys, at or widget.rect().center())
    settle()


class Answer(QObject):
    """Waits for a dialog that runs its own loop, and does something to it; `seen` is what it said."""

    def __init__(self, kind: type[QDialog], act: Callable[[Any], None]) -> None:
        super().__init__()
        self._kind, self._act = kind, act
        self.seen: list[str] = []
        self._timer = QTimer(self)
        self._timer.setInterval(1)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        found = QApplication.activeModalWidget()
        if isinstance(found, self._kind):
            self._timer.stop()
            self.seen.append(found.text() if isinstance(found, QMessageBox) else found.windowTitle())
            self._act(found)

    def stop(self) -> None:
        self._timer.stop()


def press(text: str) -> Callable[[QDialog], None]:
    """Presses the button of a dialog that says this."""

    def act(dialog: QDialog) -> None:
        found = [b for b in dialog.findChildren(QAbstractButton) if b.text().replace("&", "") == text]
        assert found, f"no button {text!r} in {[b.text() for b in dialog.findChildren(QAbstractButton)]}"
        found[0].click()

    return act
