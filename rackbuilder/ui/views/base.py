"""What the window may call on any view, and how a view follows the document only while it is in sight."""

from collections.abc import Iterable

from PySide6.QtCore import QPoint, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from rackbuilder.design.patch import Patch
from rackbuilder.session.session import Event


class View(QWidget):
    """One view of the document.

    menu_wanted   a place on the screen and the ref under the cursor
    opened        a device was double-clicked
    told          problems to be shown in words (tuple of Problem)
    """

    menu_wanted = Signal(QPoint, str)
    opened = Signal(str)
    told = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._behind = False
        self._other = False

    # ---- what a view is told

    def apply_patch(self, patch: Patch) -> list[str]:
        """Follows an edit; returns what was touched."""
        raise NotImplementedError

    def report_changed(self) -> None:
        """Follows new results."""

    def reload(self) -> None:
        """Shows another document."""
        raise NotImplementedError

    def refresh(self) -> list[str]:
        """Draws the document as it is; returns what was touched."""
        raise NotImplementedError

    # ---- what the window calls

    def frame(self, refs: Iterable[str]) -> None:
        """Brings things into sight."""

    def fit(self, refs: Iterable[str]) -> None:
        """Fills the view with some things; with everything when there are none."""

    def fit_all(self) -> None:
        """Shows everything."""

    def zoom_by(self, steps: float) -> None:
        """Nearer by some steps of the wheel."""

    def take_tool(self, name: str, part: str = "") -> None:
        """select, place, cable or pan; `part` is what the place tool places."""

    def set_minimap(self, on: bool) -> None:
        """Whether there is room for the map of the drawing."""

    # ---- only while in sight

    def follow_event(self, event: Event) -> None:
        """An edit: at once in sight, else when the view is shown next."""
        if self.isVisible():
            self.apply_patch(event.patch)
        else:
            self._behind = True

    def follow_report(self) -> None:
        if self.isVisible():
            self.report_changed()
        else:
            self._behind = True

    def follow_document(self) -> None:
        if self.isVisible():
            self.reload()
        else:
            self._other = True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._other:
            self.reload()
        elif self._behind:
            self.refresh()
        self._other = self._behind = False
