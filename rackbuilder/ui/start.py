"""The start page: four actions, what can be recovered, finished examples as small live drawings, recent files."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from rackbuilder import resources
from rackbuilder.design.design import Design
from rackbuilder.errors import ProblemError
from rackbuilder.session.journal import Recovery
from rackbuilder.session.session import Session
from rackbuilder.topology.graphs import Graphs
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.theme import BODY, FIGURE, PADDING, RADIUS, SECONDARY, brush, current, font, pen
from rackbuilder.ui.thumbnail import Thumbnail
from rackbuilder.ui.widgets import ActionButton, Banner, ButtonSpec
from rackbuilder.ui.widgets.label import Elided, LinkLabel
from rackbuilder.ui.widgets.paint import draw_line

_ACTIONS = (
    ButtonSpec("New from template", "new", "Ctrl+N", primary=True),
    ButtonSpec("Blank design", "blank", "Ctrl+Shift+N"),
    ButtonSpec("Open", "open", "Ctrl+O"),
)
_HELP = (("First steps, 4 minutes", "first_steps"), ("Shortcuts", "shortcuts"), ("What is new", "changelog"))
EXAMPLES = (
    ("one-server", "One server", "Fine-tune Llama 3 70B, no fabric needed"),
    ("superpod-4su", "SuperPOD, four units", "Two tiers, eight rails"),
    ("nvl72-8racks", "Eight NVL72 racks", "Each rack is one NVLink domain"),
)
FEW = 3
"""Recovery copies shown at once, the newest."""
_WIDEST, _GAP, _WORDS = 1160, 14, 82
"""Of the column, which keeps to the left as text does; between cards; the words below the drawing of a card."""


def counted(graphs: Graphs) -> str:
    """“1,016 GPUs · 127 domains of 8”, told from the design itself."""
    sizes: dict[int, int] = {}
    for domain in graphs.domains:
        sizes[domain.size] = sizes.get(domain.size, 0) + 1
    gpus = sum(size * count for size, count in sizes.items())
    words = [f"{gpus:,} GPUs"]
    words += [f"{n:,} domain{'' if n == 1 else 's'} of {size}" for size, n in sorted(sizes.items())]
    return " · ".join(words)


class ExampleCard(QFrame):
    """A finished example: its drawing and its counts, both made from the design itself when first seen."""

    activated = Signal()

    def __init__(self, title: str, text: str, load: Callable[[], Session | None]) -> None:
        super().__init__()
        self._load = load
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(f"Example: {title}")
        self.counts = Elided("", SECONDARY)
        self._picture = Thumbnail(self._opened)
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 8)
        column.setSpacing(2)
        column.addWidget(self._picture)
        column.addSpacing(6)
        words = QVBoxLayout()
        words.setContentsMargins(PADDING, 0, PADDING, 0)
        words.setSpacing(1)
        for label in (Elided(title, BODY, "text", True), self.counts, Elided(text, SECONDARY, "text")):
            words.addWidget(label)
        column.addLayout(words)
        column.addStretch(1)

    def set_width(self, width: int) -> None:
        """The drawing is half as high as it is wide."""
        self._picture.setFixedHeight(width // 2)
        self.setFixedSize(width, width // 2 + _WORDS)

    def _opened(self) -> tuple[Design, Graphs] | None:
        session = self._load()
        if session is None:
            self.counts.setText("not found")
            return None
        self.counts.setText(counted(session.graphs))
        return session.design, session.graphs

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        theme = current()
        over = self.hasFocus() or self.underMouse()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen(theme.accent if over else theme.line, 1.5 if over else 1.0))
        painter.setBrush(brush(theme.base))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        draw_line(painter, self._picture.height() + 1, 1, self.width() - 1, theme.line)
        painter.end()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.activated.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: object) -> None:
        self.update()

    def leaveEvent(self, event: object) -> None:
        self.update()


class RecentRow(QWidget):
    """A file opened before: its name, what was in it when it was left, where it is."""

    activated = Signal()

    def __init__(self, path: Path, summary: str) -> None:
        super().__init__()
        self.setFixedHeight(34)
        link = LinkLabel(path.name)
        link.setToolTip(str(path))
        link.activated.connect(self.activated)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(PADDING)
        holder = QWidget()
        holder.setFixedWidth(230)
        inner = QHBoxLayout(holder)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.addWidget(link)
        inner.addStretch(1)
        row.addWidget(holder)
        row.addWidget(Elided(summary or str(path.parent)), 1)
        when = QLabel(when_text(path.stat().st_mtime, time.time()))
        when.setFont(font(SECONDARY))
        row.addWidget(when)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        draw_line(painter, self.height() - 1, 0, self.width(), current().line)
        painter.end()


def when_text(then: float, now: float) -> str:
    """“today 14:05”, “yesterday”, “12 March”, in local time; the year only where it is another one."""
    at, today = time.localtime(then), time.localtime(now)
    if at[:3] == today[:3]:
        return time.strftime("today %H:%M", at)
    if at[:3] == time.localtime(now - 86_400)[:3]:
        return "yesterday"
    year = "" if at.tm_year == today.tm_year else f" {at.tm_year}"
    return f"{at.tm_mday} {time.strftime('%B', at)}{year}"


class StartPage(QScrollArea):
    """`asked` carries an action and its value: new, blank, open, recent PATH, sample NAME, recover/forget, help."""

    asked = Signal(str, object)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._recoveries: Sequence[Recovery] = ()
        self._recent: Sequence[tuple[Path, str]] = ()
        self._samples: dict[str, Session | None] = {}
        self._all = False
        self._cards = self._examples()
        self._shown: object = None
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName("Start page")

    def refresh(self) -> None:
        """Builds the page again when recent files or recoveries have changed; the drawings stay."""
        state = (self._recoveries, self._recent, self._all)
        if state == self._shown:
            return
        self._shown = state
        self._cards.setParent(None)  # out of the page that goes
        page = _Page()
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        self._head(column)
        shown = self._recoveries if self._all else self._recoveries[:FEW]
        for recovery in shown:
            column.addWidget(self._recovery(recovery))
        if len(shown) < len(self._recoveries):
            more = LinkLabel(f"{len(self._recoveries) - len(shown):,} more that were not closed")
            more.activated.connect(self._show_all)
            column.addWidget(more)
        column.addSpacing(14)
        column.addWidget(_caption("Finished examples"))
        column.addWidget(self._cards)
        self._cards.show()
        self._files(column)
        column.addSpacing(14)
        column.addLayout(self._help())
        column.addStretch(1)
        body = QWidget()
        body.setMaximumWidth(_WIDEST)
        body.setLayout(column)
        row = QHBoxLayout(page)
        row.setContentsMargins(40, 22, 40, 28)
        row.addWidget(body, 1)
        row.addStretch(0)
        self.setWidget(page)

    def show_recoveries(self, recoveries: Sequence[Recovery]) -> None:
        self._recoveries = recoveries
        self.refresh()

    def _show_all(self) -> None:
        self._all = True
        QTimer.singleShot(0, self.refresh)  # not under the feet of the link that asked for it

    def show_recent(self, recent: Sequence[tuple[Path, str]]) -> None:
        """Files with what is known of them, the last opened first."""
        self._recent = recent
        self.refresh()

    def _head(self, column: QVBoxLayout) -> None:
        title = QLabel("Start a design")
        title.setFont(font(FIGURE, semibold=True))
        column.addWidget(title)
        words = QLabel("Everything stays on this computer. Nothing is fetched or sent.")
        column.addWidget(words)
        row = QHBoxLayout()
        row.setSpacing(8)
        for spec in _ACTIONS:
            button = ActionButton(spec)
            button.clicked.connect(lambda _=False, a=spec.action: self.asked.emit(a, None))
            row.addWidget(button)
        row.addStretch(1)
        column.addSpacing(4)
        column.addLayout(row)

    def _recovery(self, recovery: Recovery) -> Banner:
        when = when_text(recovery.changed_at, time.time())
        edits = f"Its last {recovery.edits:,} edits" if recovery.edits != 1 else "Its last edit"
        text = f"{recovery.name} was not closed. {edits}, of {when}, can be brought back."
        buttons = [ButtonSpec("Recover", "recover"), ButtonSpec("Show the edits", "edits"),
                   ButtonSpec("Discard", "forget")]  # fmt: skip
        banner = Banner("warning", text, buttons)
        banner.actionRequested.connect(lambda action: self.asked.emit(action, recovery))
        return banner

    def _examples(self) -> QWidget:
        cards = QWidget()
        row = QHBoxLayout(cards)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        for name, title, text in EXAMPLES:
            card = ExampleCard(title, text, lambda n=name: self._sample(n))  # type: ignore[misc]
            card.activated.connect(lambda n=name: self.asked.emit("sample", n))
            row.addWidget(card)
        row.addStretch(1)
        return cards

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        room = min(self.viewport().width() - 80, _WIDEST)
        for card in self._cards.findChildren(ExampleCard):
            card.set_width(max((room - 2 * _GAP) // 3, 200))

    def _sample(self, name: str) -> Session | None:
        if name not in self._samples:
            path = resources.path(f"designs/{name}.rackbuilder")
            try:
                self._samples[name] = Session.open(path, self._document.catalog)
            except ProblemError:
                self._samples[name] = None
        return self._samples[name]

    def _files(self, column: QVBoxLayout) -> None:
        if not self._recent:
            return
        column.addSpacing(14)
        column.addWidget(_caption("Recent"))
        rows = QVBoxLayout()
        rows.setSpacing(0)
        for path, summary in self._recent:
            row = RecentRow(path, summary)
            row.activated.connect(lambda p=path: self.asked.emit("recent", str(p)))
            rows.addWidget(row)
        column.addLayout(rows)

    def _help(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(24)
        for text, name in _HELP:
            link = LinkLabel(text)
            link.activated.connect(lambda n=name: self.asked.emit("help", n))
            row.addWidget(link)
        catalog = self._document.catalog
        words = QLabel(f"Catalog of {catalog.date}: {len(catalog.parts):,} parts")
        words.setFont(font(SECONDARY))
        row.addWidget(words)
        row.addStretch(1)
        return row


class _Page(QWidget):
    """On the canvas's colour."""

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), brush(current().canvas))
        painter.end()


def _caption(text: str) -> QLabel:
    label = QLabel(text)
    label.setFont(font(BODY, semibold=True))
    label.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
    return label
