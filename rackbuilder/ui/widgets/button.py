"""Buttons the panels paint themselves: an action with its key, a segmented choice, a chip with a swatch."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from rackbuilder.ui.theme import BODY, CAPTION, FIELD, RADIUS, SECONDARY, Theme, brush, current, font, mix
from rackbuilder.ui.widgets.data import ButtonSpec
from rackbuilder.ui.widgets.paint import CENTRE, LEFT, draw_box, draw_frame, draw_text, text_width


class PaintedButton(QAbstractButton):
    """A button that Enter presses as well as Space, and that shows when the cursor is over it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self.update()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self.update()
        super().leaveEvent(event)

    def shade(self, fill: str, theme: Theme) -> str:
        """A fill a little nearer the text where the cursor is, more while pressed."""
        if not self.isEnabled():
            return fill
        return mix(fill, theme.text, 0.14 if self.isDown() else 0.06 if self.underMouse() else 0.0)

    def box(self) -> QRectF:
        return QRectF(self.rect())


class ActionButton(PaintedButton):
    """A verb, and the key that does the same. The primary one of a group is filled with the accent."""

    def __init__(self, spec: ButtonSpec, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self.set_spec(spec)

    def set_spec(self, spec: ButtonSpec) -> None:
        self.spec = spec
        self.setText(spec.text)
        self.setAccessibleName(spec.text)
        self.setAccessibleDescription(f"key {spec.hint}" if spec.hint else "")
        self.setToolTip(spec.tip)
        self.setEnabled(spec.enabled)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        face = font(BODY, semibold=self.spec.primary)
        width = 22 + text_width(self.spec.text, face)
        if self.spec.hint:
            width += 7 + text_width(self.spec.hint, font(CAPTION))
        return QSize(int(width + 1), FIELD)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        filled = self.spec.primary and self.isEnabled()
        if filled:
            draw_box(painter, self.box(), self.shade(theme.accent, theme), RADIUS)
        else:
            draw_frame(painter, self.box(), theme.line2, RADIUS, self.shade(theme.raised, theme))
        ink, hint = (theme.on_tint, theme.on_tint) if filled else (theme.text, theme.text2)
        if not self.isEnabled():
            ink = hint = theme.text3
        inner = self.box().adjusted(11, 0, -11, 0)
        draw_text(painter, inner, self.spec.text, ink, BODY, LEFT, semibold=self.spec.primary)
        draw_text(
            painter,
            inner,
            self.spec.hint,
            hint,
            CAPTION,
            Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
        )
        if self.hasFocus():
            draw_frame(painter, self.box().adjusted(2, 2, -2, -2), ink, RADIUS - 1, width=1.5)
        painter.end()


class _Segment(PaintedButton):
    def __init__(self, text: str, first: bool, last: bool, parent: QWidget) -> None:
        super().__init__(parent)
        # Far beyond the edge where a neighbour follows: only the outer corners are round.
        self._spread = (0.0 if first else -8.0, 0.0 if last else 8.0)
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        # Room for the heavier weight, so that choosing moves nothing.
        return QSize(int(text_width(self.text(), font(SECONDARY, semibold=True))) + 25, FIELD)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        chosen = self.isChecked()
        body = self.box().adjusted(0, 1, 0, -1)
        fill = self.shade(theme.selection_fill if chosen else theme.raised, theme)
        left, right = self._spread
        draw_box(painter, body.adjusted(left, 0, right, 0), fill, RADIUS - 1)
        if chosen:
            inset = RADIUS / 2
            line = QRectF(0, body.bottom() - 2, body.width(), 2)
            line.adjust(0 if left else inset, 0, 0 if right else -inset, 0)
            painter.fillRect(line, brush(theme.accent))
        ink = theme.text3 if not self.isEnabled() else theme.text if chosen else theme.text2
        draw_text(painter, body, self.text(), ink, SECONDARY, CENTRE, semibold=chosen)
        if self.hasFocus():
            draw_frame(painter, body.adjusted(2, 2, -2, -3), theme.accent, RADIUS - 1, width=1.5)
        painter.end()


class Segmented(QWidget):
    """One of a few choices, all in sight: the view, what colour means, front or rear."""

    chosen = Signal(str)
    """The id, when the user chose it."""

    def __init__(
        self, choices: Sequence[tuple[str, str]], name: str = "", parent: QWidget | None = None
    ) -> None:
        """`choices`: ids and texts; `name`: what is chosen, for a screen reader."""
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setFixedHeight(FIELD)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, _Segment] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(1, 0, 1, 0)
        row.setSpacing(1)
        for at, (key, text) in enumerate(choices):
            self._buttons[key] = button = _Segment(text, at == 0, at == len(choices) - 1, self)
            button.clicked.connect(lambda _=False, key=key: self.chosen.emit(key))
            self._group.addButton(button)
            row.addWidget(button)
        if choices:
            self.set_current(choices[0][0])

    def current(self) -> str:
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def set_current(self, key: str) -> None:
        """Shows a choice without telling anybody. Raises KeyError for an id that is none."""
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> QAbstractButton:
        return self._buttons[key]

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        box = QRectF(self.rect())
        draw_frame(painter, box, theme.line2, RADIUS, theme.raised)
        for button in list(self._buttons.values())[1:]:
            painter.fillRect(QRectF(button.x() - 1, 1, 1, box.height() - 2), brush(theme.line))
        painter.end()


class Chip(PaintedButton):
    """A layer that is shown or not: swatch and text when it is, grey text when not."""

    def __init__(
        self, text: str, colour: str = "", checked: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._colour = colour
        self.setText(text)
        self.setAccessibleName(text)
        self.setCheckable(True)
        self.setChecked(checked)

    def _swatch(self) -> bool:
        return bool(self._colour) and self.isChecked()

    def sizeHint(self) -> QSize:
        return QSize(int(text_width(self.text(), font(CAPTION))) + 18 + (14 if self._colour else 0), 20)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        on = self.isChecked() and self.isEnabled()
        edge = theme.accent if self.hasFocus() else theme.line2 if on else theme.line
        draw_frame(painter, self.box(), edge, 3, self.shade(theme.raised if on else theme.panel, theme))
        inner = self.box().adjusted(8, 0, -6, 0)
        if self._swatch():
            swatch = QRectF(8, inner.center().y() - 4, 9, 9)
            draw_box(painter, swatch, theme.named(self._colour), 2)
            inner = inner.adjusted(14, 0, 0, 0)
        align = LEFT if self._swatch() else CENTRE
        draw_text(
            painter,
            inner if self._swatch() else self.box(),
            self.text(),
            theme.text if on else theme.text3,
            CAPTION,
            align,
        )
        painter.end()
