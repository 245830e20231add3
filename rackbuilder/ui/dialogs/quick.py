"""One line that finds: type, choose, Enter. Used for all commands, find and go to, and add by name."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.ui.theme import BODY, FIELD, ROW, SECONDARY, brush, current, font
from rackbuilder.ui.widgets.paint import RIGHT, draw_text, text_width

_SHOWN = 200
_HINT = Qt.ItemDataRole.UserRole + 1


class _Hints(QStyledItemDelegate):
    """The hint of a choice stands at the right, in the colour of hints."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(100, ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        theme, box = current(), QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(box, brush(theme.selection_fill))
        inner = box.adjusted(8, 0, -8, 0)
        hint = str(index.data(_HINT) or "")
        room = text_width(hint, font(SECONDARY)) + 16
        draw_text(painter, inner.adjusted(0, 0, -room, 0), str(index.data()), theme.text, BODY)
        draw_text(painter, inner, hint, theme.text3, SECONDARY, RIGHT)


class Choice(NamedTuple):
    """What can be chosen: its text, a hint at the right, and what is handed back."""

    text: str
    hint: str
    value: str


def matches(choices: Sequence[Choice], words: str, limit: int = _SHOWN) -> list[Choice]:
    """Choices that hold every word, those that begin with the text first."""
    wanted = words.lower().split()
    found = [c for c in choices if all(w in f"{c.text} {c.hint} {c.value}".lower() for w in wanted)]
    start = words.lower().strip()
    return sorted(found, key=lambda c: not c.text.lower().startswith(start))[:limit]


class QuickDialog(QDialog):
    """Modal, at the top of the window. `choose` is called with the value after the dialog has closed."""

    def __init__(
        self, parent: QWidget, title: str, choices: Sequence[Choice], choose: Callable[[str], None]
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._choices, self._choose = choices, choose
        self.edit = QLineEdit()
        self.edit.setPlaceholderText(title)
        self.edit.setAccessibleName(title)
        self.edit.setMinimumHeight(FIELD)
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setItemDelegate(_Hints(self.list))
        self.none = QLabel("Nothing is called so.")
        self.none.hide()
        self.list.setAccessibleName("Matches")
        column = QVBoxLayout(self)
        column.addWidget(self.edit)
        column.addWidget(self.none)
        column.addWidget(self.list)
        self.resize(520, 420)
        self.edit.textChanged.connect(self._filter)
        self.edit.returnPressed.connect(self._accept)
        self.list.itemActivated.connect(lambda _item: self._accept())
        self.edit.installEventFilter(self)
        self._filter("")

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Arrows move in the list while the line keeps the focus."""
        keys = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() in keys:
            self.list.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def _filter(self, words: str) -> None:
        self.list.clear()
        for choice in matches(self._choices, words):
            item = QListWidgetItem(choice.text)
            item.setData(Qt.ItemDataRole.UserRole, choice.value)
            item.setData(_HINT, choice.hint)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{choice.text}, {choice.hint}")
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.none.setVisible(not self.list.count())

    def _accept(self) -> None:
        if self.list.currentRow() < 0:
            return
        value = self.list.currentItem().data(Qt.ItemDataRole.UserRole)
        choose = self._choose
        # Once this dialog is gone: what is chosen may open another, whose loop would delete this one under its feet.
        QTimer.singleShot(0, lambda: choose(value))
        self.accept()
