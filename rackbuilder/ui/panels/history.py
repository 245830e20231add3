"""The steps made, oldest first, and those taken back in grey; a click jumps there."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from rackbuilder.ui.bridge import Document
from rackbuilder.ui.theme import colour, current


class HistoryPanel(QWidget):
    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.list = QListWidget()
        self.list.setAccessibleName("History")
        self.list.setFrameShape(QListWidget.Shape.NoFrame)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.list)
        self.list.itemClicked.connect(self._jump)
        self.list.itemActivated.connect(self._jump)
        document.changed.connect(self.refresh)
        document.replaced.connect(self.refresh)

    def refresh(self) -> None:
        """Lists the steps again and marks where the document stands; out of sight it waits until it is seen."""
        if not self.isVisible():
            return
        history = self._document.session.history
        rows = ["Opened", *(s.patch.label for s in history.done), *(s.patch.label for s in history.undone)]
        self.list.clear()
        for position, text in enumerate(rows):
            item = QListWidgetItem(text)
            item.setData(Qt.ItemDataRole.UserRole, position)
            if position > history.position:
                item.setForeground(colour(current().text3))
            self.list.addItem(item)
        self.list.setCurrentRow(history.position)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def _jump(self, item: QListWidgetItem) -> None:
        position = item.data(Qt.ItemDataRole.UserRole)
        if position != self._document.session.history.position:
            self._document.go_to(position)
