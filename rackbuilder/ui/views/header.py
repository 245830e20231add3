"""The strip above a canvas: name of the view, layer chips, what colours say."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from rackbuilder.ui import theme

HEIGHT = 42


class Header(QWidget):
    """Part of the drawing surface, not of the frame around it. In a narrow window words go first, then chips."""

    def __init__(self, left: list[QWidget], right: list[QWidget], parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedHeight(HEIGHT)
        self.setMinimumWidth(1)  # never wider than the window: what does not fit is hidden
        self.setAutoFillBackground(True)
        self._painted: theme.Theme | None = None
        self.name, self.note = QLabel(), QLabel()
        self.name.setTextFormat(Qt.TextFormat.PlainText)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.name.setFont(theme.font(theme.SECONDARY, semibold=True))
        self.note.setFont(theme.font(theme.SECONDARY))
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 0, 12, 0)
        row.setSpacing(6)
        row.addWidget(self.name)
        row.addWidget(self.note)
        row.addSpacing(8)
        for widget in left:
            row.addWidget(widget)
        row.addStretch(1)
        for widget in right:
            row.addWidget(widget)
        self._row = row
        self._optional = [self.note, *(w for w in right if isinstance(w, QLabel)), *reversed(left)]
        self._dress()

    def show_text(self, name: str, note: str) -> None:
        self.name.setText(name)
        self.note.setText(note)
        self._squeeze()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._squeeze()

    def _squeeze(self) -> None:
        """Hides what does not fit, and shows it again when it does."""
        for widget in self._optional:
            widget.show()
        for widget in self._optional:
            self._row.invalidate()
            if self._row.minimumSize().width() <= self.width():
                break
            widget.hide()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._dress()

    def _dress(self) -> None:
        # Setting a palette sends another change of it: once for each theme.
        if self._painted is theme.current() or not hasattr(self, "note"):
            return
        self._painted = theme.current()
        palette = self.palette()
        palette.setColor(palette.ColorRole.Window, theme.colour(self._painted.canvas))
        self.setPalette(palette)
        for label, ink in ((self.name, self._painted.text), (self.note, self._painted.text2)):
            own = label.palette()
            own.setColor(own.ColorRole.WindowText, theme.colour(ink))
            label.setPalette(own)
