"""The start page: four actions, what can be recovered, finished examples as small live drawings, recent files."""

import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from rackbuilder import resources
from rackbuilder.errors import ProblemError
from rackbuilder.session.journal import Recovery
from rackbuilder.session.session import Session
from rackbuilder.session.settings import load_settings
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.theme import CAPTION, FIGURE, RADIUS, SECONDARY, brush, colour, current, font, pen
from rackbuilder.ui.thumbnail import Thumbnail
from rackbuilder.ui.widgets import ActionButton, Banner, ButtonSpec

_ACTIONS = (
    ButtonSpec("New from template", "new", "Ctrl+N", primary=True),
    ButtonSpec("Blank design", "blank"),
    ButtonSpec("Open", "open", "Ctrl+O"),
)
_HELP = (("First steps, 4 minutes", "first_steps"), ("Shortcuts", "shortcuts"), ("What is new", "changelog"))
EXAMPLES = (
    ("one-server", "One server", "Fine-tune Llama 3 70B, no fabric needed"),
    ("superpod-4su", "SuperPOD, four units", "Two tiers, eight rails"),
    ("nvl72-8racks", "Eight NVL72 racks", "72 GPUs in each NVLink domain"),
)


class _Link(QLabel):
    """Text that does something when clicked or on Enter."""

    activated = Signal()

    def __init__(self, text: str) -> None:
        super().__init__(text)
        face = font()
        face = type(face)(face)
        face.setUnderline(True)
        self.setFont(face)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        palette = self.palette()
        palette.setColor(palette.ColorRole.WindowText, colour(current().link))
        self.setPalette(palette)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self.activated.emit()

    def keyPressEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit()
        else:
            super().keyPressEvent(event)


class ExampleCard(QFrame):
    """A finished example: its drawing, counted from the design itself, and what it shows."""

    activated = Signal()

    def __init__(self, title: str, text: str, session: Session | None) -> None:
        super().__init__()
        self.setFixedSize(QSize(270, 212))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(title)
        head = QLabel(title)
        head.setFont(font(semibold=True))
        counts = QLabel(_counts(session) if session else "not found")
        counts.setFont(font(SECONDARY))
        about = QLabel(text)
        about.setFont(font(SECONDARY))
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 8)
        column.setSpacing(3)
        picture = Thumbnail(session.design, session.graphs) if session else QWidget()
        picture.setFixedHeight(128)
        column.addWidget(picture)
        for label in (head, counts, about):
            label.setContentsMargins(12, 0, 12, 0)
            column.addWidget(label)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(pen(theme.accent if self.hasFocus() else theme.line))
        painter.setBrush(brush(theme.base))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self.activated.emit()

    def keyPressEvent(self, event) -> None:  # type: ignore[no-untyped-def]
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.activated.emit()
        else:
            super().keyPressEvent(event)


def _counts(session: Session) -> str:
    sizes: dict[int, int] = {}
    for domain in session.graphs.domains:
        sizes[domain.size] = sizes.get(domain.size, 0) + 1
    gpus = sum(size * count for size, count in sizes.items())
    domains = " and ".join(
        f"{n:,} domain{'' if n == 1 else 's'} of {size}" for size, n in sorted(sizes.items())
    )
    return f"{gpus:,} GPUs · {domains}"


class StartPage(QScrollArea):
    """`asked` carries an action and its value: new, blank, open, recent PATH, sample NAME, recover/forget, help."""

    asked = Signal(str, object)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self._recoveries: Sequence[Recovery] = ()
        self._samples: dict[str, Session | None] = {}
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.refresh()

    def refresh(self) -> None:
        """Builds the page again: recent files and recoveries may have changed."""
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(40, 28, 40, 28)
        column.setSpacing(10)
        self._head(column)
        for recovery in self._recoveries:
            column.addWidget(self._recovery(recovery))
        column.addWidget(_caption("Finished examples"))
        column.addLayout(self._examples())
        self._recent(column)
        column.addLayout(self._help())
        column.addStretch(1)
        self.setWidget(page)

    def show_recoveries(self, recoveries: Sequence[Recovery]) -> None:
        self._recoveries = recoveries
        self.refresh()

    def _head(self, column: QVBoxLayout) -> None:
        title = QLabel("Start a design")
        title.setFont(font(FIGURE, semibold=True))
        column.addWidget(title)
        column.addWidget(QLabel("Everything stays on this computer. Nothing is fetched or sent."))
        row = QHBoxLayout()
        for spec in _ACTIONS:
            button = ActionButton(spec)
            button.clicked.connect(lambda _=False, a=spec.action: self.asked.emit(a, None))
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)

    def _recovery(self, recovery: Recovery) -> Banner:
        when = time.strftime("%d %B %H:%M", time.localtime(recovery.changed_at))
        edits = f"Its last {recovery.edits:,} edits" if recovery.edits != 1 else "Its last edit"
        text = f"{recovery.name} was not closed. {edits}, to {when}, can be brought back."
        banner = Banner("warning", text, [ButtonSpec("Recover", "recover"), ButtonSpec("Discard", "forget")])
        banner.actionRequested.connect(lambda action: self.asked.emit(action, recovery))
        return banner

    def _examples(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(14)
        for name, title, text in EXAMPLES:
            card = ExampleCard(title, text, self._sample(name))
            card.activated.connect(lambda n=name: self.asked.emit("sample", n))
            row.addWidget(card)
        row.addStretch(1)
        return row

    def _sample(self, name: str) -> Session | None:
        if name not in self._samples:
            try:
                self._samples[name] = Session.open(
                    resources.path(f"designs/{name}.rackbuilder"), self._document.catalog
                )
            except ProblemError:
                self._samples[name] = None
        return self._samples[name]

    def _recent(self, column: QVBoxLayout) -> None:
        recent = [Path(p) for p in load_settings().settings.recent if Path(p).exists()]
        if not recent:
            return
        column.addWidget(_caption("Recent"))
        for path in recent[:6]:
            link = _Link(path.name)
            link.setToolTip(str(path))
            link.activated.connect(lambda p=path: self.asked.emit("recent", str(p)))
            row = QHBoxLayout()
            row.addWidget(link)
            place = QLabel(str(path.parent))
            place.setFont(font(SECONDARY))
            row.addWidget(place, 1)
            column.addLayout(row)

    def _help(self) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(24)
        for text, name in _HELP:
            link = _Link(text)
            link.activated.connect(lambda n=name: self.asked.emit("help", n))
            row.addWidget(link)
        catalog = self._document.catalog
        row.addWidget(QLabel(f"Catalog of {catalog.date}: {len(catalog.parts):,} parts"))
        row.addStretch(1)
        return row


def _caption(text: str) -> QLabel:
    label = QLabel(text)
    label.setFont(font(CAPTION + 2, semibold=True))
    return label
