"""The verdict: a sentence of at most four lines with linked nouns, what to do about it, how far to trust it."""

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import QWidget

from rackbuilder.ui.icons import paint_grade
from rackbuilder.ui.theme import (
    CAPTION,
    FIELD,
    MARK,
    PADDING,
    SECONDARY,
    SENTENCE,
    SENTENCE_LINE,
    brush,
    font,
)
from rackbuilder.ui.widgets.base import ENTER, Painted
from rackbuilder.ui.widgets.button import ActionButton
from rackbuilder.ui.widgets.data import ButtonSpec, GradeMark, Missing, Run, Runs, as_runs, plain
from rackbuilder.ui.widgets.paint import Look, draw_frame, draw_line, draw_text, text_width
from rackbuilder.ui.widgets.runs import Hot, Line, draw_runs, hot_boxes, wrap

HEIGHT = 133
TOP = 8
STEPS = (
    (SENTENCE, SENTENCE_LINE, 4),
    (SENTENCE - 1, SENTENCE_LINE, 4),
    (SENTENCE - 2, 16, 5),
    (SENTENCE - 3, 14, 6),
)
"""Size, line and number of lines, as they are tried."""
MISSING_ROW = 24
MOST_MISSING = 4


class Fit(NamedTuple):
    """The sentence in lines of a size, and whether all of it is there."""

    lines: list[Line]
    size: int
    pitch: int
    whole: bool


class SentenceView(Painted):
    """Enter does the primary button, a button's letter does that button, links select and frame."""

    actionRequested = Signal(str)

    link_reasons = ()  # only Tab goes to a link: otherwise Enter is the fix

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(HEIGHT, parent)
        self._runs: tuple[Run, ...] = ()
        self._missing: tuple[Missing, ...] = ()
        self._grade: GradeMark | None = None
        self._buttons: list[ActionButton] = []
        self._fitted: tuple[int, Fit] | None = None

    def set_sentence(
        self,
        runs: Runs | str,
        buttons: Sequence[ButtonSpec] = (),
        grade: GradeMark | None = None,
        missing: Sequence[Missing] = (),
    ) -> None:
        """`missing` stands below the sentence."""
        shown = (as_runs(runs), tuple(missing), grade)
        self._set_buttons(buttons)
        if shown == (self._runs, self._missing, self._grade) and not self.missing:
            return
        self._runs, self._missing, self._grade = shown
        self._fitted = None
        self.show_content()

    def set_stale(self, stale: bool) -> None:
        """A fix worked out for an older design must not be applied: the buttons wait for the new result."""
        super().set_stale(stale)
        for button in self._buttons:
            button.setEnabled(button.spec.enabled and not stale)

    def words(self) -> str:
        missing = ", ".join(plain(as_runs(row.runs)) for row in self._missing)
        grade = self._grade.text if self._grade else ""
        return "; ".join(part for part in (plain(self._runs), missing, grade) if part)

    def tip_at(self, point: QPointF) -> str:
        return plain(self._runs) if not self._fit().whole and point.y() < self._below() else ""

    # ---- buttons ----------------------------------------------------------------------------------------------------

    def _set_buttons(self, specs: Sequence[ButtonSpec]) -> None:
        """Buttons are kept over changes of their text: one that has the focus keeps it."""
        while len(self._buttons) > len(specs):
            gone = self._buttons.pop()
            gone.hide()  # it goes with the next turn of the event loop, and must not be seen till then
            gone.deleteLater()
        while len(self._buttons) < len(specs):
            button = ActionButton(specs[len(self._buttons)], self)
            button.clicked.connect(
                lambda _=False, button=button: self.actionRequested.emit(button.spec.action)
            )
            button.show()
            self._buttons.append(button)
        for button, spec in zip(self._buttons, specs, strict=True):
            if button.spec != spec:
                button.set_spec(spec)
            button.setEnabled(spec.enabled and not self.stale)
        self._place_buttons()

    def set_buttons(self, specs: Sequence[ButtonSpec]) -> None:
        """Other texts or keys on the buttons; the sentence stays."""
        self._set_buttons(specs)

    def _place_buttons(self) -> None:
        x = PADDING
        y = min(int(self._below()) + 8, HEIGHT - FIELD - 10)
        for button in self._buttons:
            button.setGeometry(x, y, button.sizeHint().width(), FIELD)
            button.setVisible(not self.missing)
            x += button.width() + 6

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_buttons()

    def refresh(self) -> None:
        super().refresh()
        self._place_buttons()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        primary = next((b for b in self._buttons if b.spec.primary), None)
        letter = next((b for b in self._buttons if b.spec.hint and b.spec.hint == event.text().upper()), None)
        if event.key() in ENTER and self._focused < 0 and primary is not None:
            primary.click()
        elif letter is not None and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            letter.click()
        else:
            super().keyPressEvent(event)

    # ---- text -------------------------------------------------------------------------------------------------------

    def _fit(self) -> Fit:
        """Four lines of 14 px; where they do not hold the sentence, smaller ones in the same height, then a cut."""
        width = self.width() - 2 * PADDING
        if self._fitted is not None and self._fitted[0] == width:
            return self._fitted[1]
        fit = Fit([], SENTENCE, SENTENCE_LINE, True)
        for size, pitch, most in STEPS:
            lines, whole = wrap(self._runs, width, size, most)
            fit = Fit(lines, size, pitch, whole)
            if whole:
                break
        self._fitted = (width, fit)
        return fit

    def _origin(self) -> QPointF:
        return QPointF(PADDING, TOP)

    def _below(self) -> float:
        fit = self._fit()
        return TOP + len(fit.lines) * fit.pitch if self._runs else TOP

    def _message_origin(self) -> QPointF:
        return self._origin()

    def links(self) -> list[Hot]:
        fit = self._fit()
        found = hot_boxes(fit.lines, self._origin(), fit.pitch)
        for row, box in self._missing_rows():
            found += hot_boxes(self._missing_line(row), box.topLeft() + QPointF(18, 0), MISSING_ROW)
            width = text_width(row.text, font(SECONDARY))
            found.append(
                Hot(row.ref, row.text, (QRectF(box.right() - width, box.top(), width, MISSING_ROW),))
            )
        return found

    def _missing_rows(self) -> list[tuple[Missing, QRectF]]:
        top = self._below() + 6
        room = int((HEIGHT - top) // MISSING_ROW)
        rows = self._missing[: min(room, MOST_MISSING)]
        width = self.width() - 2 * PADDING
        return [
            (row, QRectF(PADDING, top + at * MISSING_ROW, width, MISSING_ROW)) for at, row in enumerate(rows)
        ]

    def _missing_line(self, row: Missing) -> list[Line]:
        room = self.width() - 2 * PADDING - 18 - text_width(row.text, font(SECONDARY)) - 12
        return wrap(as_runs(row.runs), room, SECONDARY, 1)[0]

    def draw(self, painter: QPainter, look: Look) -> None:
        painter.fillRect(self.rect(), brush(look.theme.base))
        draw_line(painter, HEIGHT - 1, 0, self.width(), look.theme.line)
        fit = self._fit()
        draw_runs(painter, fit.lines, self._origin(), fit.pitch, look, fit.size)
        for row, box in self._missing_rows():
            self._draw_missing(painter, look, row, box)
        if self._grade is not None and self._buttons:
            self._draw_grade(painter, look, self._grade)
        if self.hasFocus() and self._focused < 0:
            draw_frame(painter, QRectF(0, 0, self.width(), HEIGHT - 1), look.theme.accent, 0, width=1.5)

    def _draw_missing(self, painter: QPainter, look: Look, row: Missing, box: QRectF) -> None:
        mark = QRectF(box.left(), box.center().y() - MARK / 2, MARK, MARK)
        paint_grade(painter, mark, "unknown", look.theme, look.ink("text2"))
        draw_runs(painter, self._missing_line(row), box.topLeft() + QPointF(18, 0), MISSING_ROW, look)
        enter = wrap([Run(row.text, row.ref)], 1e6)[0]
        left = box.right() - enter[0][0].width
        draw_runs(painter, enter, QPointF(left, box.top()), MISSING_ROW, look)

    def _draw_grade(self, painter: QPainter, look: Look, grade: GradeMark) -> None:
        """Right of the buttons; only the mark where the word has no room."""
        last = self._buttons[-1].geometry()
        right = float(self.width() - PADDING)
        width = text_width(grade.text, font(CAPTION)) + 1
        y = last.center().y() + 0.5
        if right - width - MARK - 5 > last.right() + 8:
            draw_text(
                painter, QRectF(right - width, y - 9, width, 18), grade.text, look.ink("text2"), CAPTION
            )
            right -= width + 5
        paint_grade(
            painter, QRectF(right - MARK, y - MARK / 2, MARK, MARK), grade.mark, look.theme, look.ink("text2")
        )
