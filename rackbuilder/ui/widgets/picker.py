"""Controls of the tool bar that paint themselves: a tool, a choice with its name, and the search field."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QMenu, QSizePolicy, QToolButton, QWidget

from rackbuilder.ui.icons import icon
from rackbuilder.ui.theme import BODY, CAPTION, FIELD, ICON, RADIUS, SECONDARY, current, font, mix
from rackbuilder.ui.widgets.button import PaintedButton
from rackbuilder.ui.widgets.paint import LEFT, RIGHT, draw_box, draw_frame, draw_text, fitted, text_width

TOOL = 28


class ToolButton(QToolButton):
    """An action as an icon; its name and key stand in the tip. The tool in hand stands on the selection's fill."""

    def __init__(self, action: QAction, name: str) -> None:
        super().__init__()
        self.setDefaultAction(action)
        self.setAccessibleName(name)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setFixedSize(TOOL, TOOL)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        box = QRectF(self.rect())
        if self.isChecked() and self.isEnabled():
            draw_box(painter, box, theme.selection_fill, RADIUS)
        elif self.isEnabled() and (self.underMouse() or self.isDown()):
            draw_box(painter, box, mix(theme.window, theme.text, 0.14 if self.isDown() else 0.08), RADIUS)
        mode = self.icon().Mode.Normal if self.isEnabled() else self.icon().Mode.Disabled
        side = (TOOL - ICON) // 2
        self.icon().paint(painter, self.rect().adjusted(side, side, -side, -side), mode=mode)
        if self.hasFocus():
            draw_frame(painter, box.adjusted(1, 1, -1, -1), theme.accent, RADIUS, width=1.5)
        painter.end()


class Picker(PaintedButton):
    """“Workload  Llama 3.1 405B ▾”: what is chosen, by name, and a menu of the others."""

    picked = Signal(str)
    """The value of the choice."""

    def __init__(self, name: str, widest: int = 300, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._widest = name, widest
        self._value = ""
        self._choices: tuple[tuple[str, str], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.menu = QMenu(self)
        self.clicked.connect(self._open)
        self.setAccessibleName(name)

    def show_choices(self, choices: Sequence[tuple[str, str]], value: str, text: str = "") -> None:
        """Choices as (value, text), a blank text being a line between them; `text` stands for the chosen one."""
        self._choices, self._value = tuple(choices), value
        self.setText(text or next((t for v, t in choices if v == value and t), ""))
        self.setAccessibleName(f"{self._name}: {self.text()}")
        self.setToolTip(f"{self._name}: {self.text()}")
        self.updateGeometry()
        self.update()

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:
        return self._choices

    @property
    def value(self) -> str:
        return self._value

    def _open(self) -> None:
        self.menu.clear()
        group = QActionGroup(self.menu)
        for value, text in self._choices:
            if not text:
                self.menu.addSeparator()
                continue
            action = self.menu.addAction(text)
            action.setCheckable(True)
            action.setChecked(value == self._value)
            action.triggered.connect(lambda _=False, v=value: self.picked.emit(v))
            group.addAction(action)
        self.menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Space):
            self._open()
        else:
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        width = 10 + text_width(self._name, font(SECONDARY)) + 6 + text_width(self.text(), font(BODY)) + 28
        return QSize(min(int(width) + 1, self._widest), FIELD)

    def minimumSizeHint(self) -> QSize:
        return QSize(120, FIELD)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        edge = theme.accent if self.hasFocus() else theme.line2
        draw_frame(painter, self.box(), edge, RADIUS, self.shade(theme.raised, theme))
        inner = self.box().adjusted(10, 0, -26, 0)
        draw_text(painter, inner, self._name, theme.text2, SECONDARY, LEFT)
        lead = text_width(self._name, font(SECONDARY)) + 6
        place = inner.adjusted(lead, 0, 0, 0)
        draw_text(painter, place, fitted(self.text(), font(BODY), place.width()), theme.text, BODY, LEFT)
        mark = self.rect().adjusted(self.width() - 22, 7, -10, -7)
        icon("down", "text2").paint(painter, mark)
        painter.end()


class SearchField(QLineEdit):
    """One line with a glass at its left, and its key at its right while it is empty. Esc gives the focus back."""

    left = Signal()

    def __init__(self, hint: str, key: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self.setPlaceholderText(hint)
        self.setAccessibleName(hint)
        self.setFixedHeight(FIELD)
        self.addAction(icon("search", "text3"), QLineEdit.ActionPosition.LeadingPosition)
        self.setClearButtonEnabled(not key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._key and not self.text() and self.width() > 150:
            painter = QPainter(self)
            draw_text(
                painter,
                QRectF(self.rect()).adjusted(0, 0, -10, 0),
                self._key,
                current().text3,
                CAPTION,
                RIGHT,
            )
            painter.end()
