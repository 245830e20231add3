"""A banner says what happened and offers what to do; an empty state says why a place is empty."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from rackbuilder.errors import Severity
from rackbuilder.ui.icons import paint_severity
from rackbuilder.ui.theme import BODY, FIELD, ICON, RADIUS, SENTENCE, font
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.button import ActionButton
from rackbuilder.ui.widgets.data import ButtonSpec, Run, Runs, as_runs, plain
from rackbuilder.ui.widgets.paint import Look, draw_frame
from rackbuilder.ui.widgets.runs import Hot, Line, draw_runs, hot_boxes, wrap

LINE = 18
SIDE = 12
"""Room above, below and beside the words."""


class Banner(Painted):
    """In the colours of a severity: shape, words with links, buttons. As high as its words need, at least 46 px."""

    actionRequested = Signal(str)

    def __init__(
        self,
        severity: Severity,
        runs: Runs | str,
        buttons: Sequence[ButtonSpec] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(46, parent)
        self._severity: Severity = severity
        self._runs: tuple[Run, ...] = ()
        self._buttons: list[ActionButton] = []
        self.set_content(severity, runs, buttons)

    def set_content(self, severity: Severity, runs: Runs | str, buttons: Sequence[ButtonSpec] = ()) -> None:
        self._severity = severity
        self._runs = as_runs(runs)
        for old in self._buttons:
            old.deleteLater()
        self._buttons = [ActionButton(spec, self) for spec in buttons]
        for button in self._buttons:
            button.clicked.connect(
                lambda _=False, action=button.spec.action: self.actionRequested.emit(action)
            )
            button.show()
        self._settle()
        self.show_content()

    @property
    def severity(self) -> Severity:
        return self._severity

    def words(self) -> str:
        return f"{self._severity}: {plain(self._runs)}"

    def _settle(self) -> None:
        """Buttons right, words in what is left, the height of the words."""
        x = self.width() - SIDE
        for button in reversed(self._buttons):
            x -= button.sizeHint().width()
            button.setGeometry(x, 0, button.sizeHint().width(), FIELD)
            x -= 8
        height = max(len(self._lines()) * LINE + 2 * 10, 46 if self._buttons else 38)
        self.setFixedHeight(height)
        for button in self._buttons:
            button.move(button.x(), (height - FIELD) // 2)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle()

    def _origin(self) -> QPointF:
        return QPointF(SIDE + ICON + 8, (self.height() - len(self._lines()) * LINE) / 2)

    def _lines(self) -> list[Line]:
        right = min((button.x() for button in self._buttons), default=self.width()) - SIDE
        return wrap(self._runs, max(right - SIDE - ICON - 8, 60), BODY)[0]

    def links(self) -> list[Hot]:
        return hot_boxes(self._lines(), self._origin(), LINE)

    def draw(self, painter: QPainter, look: Look) -> None:
        theme = look.theme
        edge, fill = theme.severity(self._severity), theme.severity_fill(self._severity)
        draw_frame(painter, QRectF(self.rect()), edge, RADIUS, fill)
        origin = self._origin()
        shape = QRectF(SIDE, origin.y() + (LINE - ICON) / 2, ICON, ICON)
        paint_severity(painter, shape, self._severity, theme)
        draw_runs(painter, self._lines(), origin, LINE, look, BODY)


class EmptyState(QWidget):
    """Where there is nothing yet: what would be here, and how to get it."""

    actionRequested = Signal(str)

    def __init__(
        self, title: str, text: str = "", buttons: Sequence[ButtonSpec] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName(f"{title}. {text}" if text else title)
        column = QVBoxLayout(self)
        column.setSpacing(4)
        column.addStretch(2)
        column.addWidget(self._label(title, SENTENCE, True))
        if text:
            column.addWidget(self._label(text, BODY, False))
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addStretch(1)
        for spec in buttons:
            row.addWidget(self._button(spec))
        row.addStretch(1)
        column.addSpacing(8)
        column.addLayout(row)
        column.addStretch(3)

    def _label(self, text: str, size: int, semibold: bool) -> QLabel:
        label = QLabel(text, self)
        label.setFont(font(size, semibold))
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        label.setWordWrap(True)
        return label

    def _button(self, spec: ButtonSpec) -> ActionButton:
        button = ActionButton(spec, self)
        button.clicked.connect(lambda _=False: self.actionRequested.emit(spec.action))
        return button

    def sizeHint(self) -> QSize:
        return QSize(300, 140)
