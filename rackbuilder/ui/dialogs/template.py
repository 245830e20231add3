"""New from template: fields left, what you get right, updated while you type; nothing is made before Create."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.catalog.load import Catalog
from rackbuilder.templates import TEMPLATES, Template
from rackbuilder.ui.dialogs.form import Form, label_of
from rackbuilder.ui.dialogs.planning import Planned, Planner, size_field
from rackbuilder.ui.dialogs.sheet import (
    Counts,
    GrowthTable,
    choices_for,
    consequences,
    count_rows,
    lower_bounds,
    odd_results,
)
from rackbuilder.ui.theme import BODY, CAPTION, SECONDARY, font
from rackbuilder.ui.thumbnail import Thumbnail
from rackbuilder.ui.widgets import ActionButton, Banner, ButtonSpec, Segmented

_DELAY_MS = 60
_CREATE = ButtonSpec("Create design", "create", "Enter", primary=True)


class TemplateDialog(QDialog):
    """`command` is the template to run after the dialog was accepted."""

    def __init__(self, parent: QWidget, catalog: Catalog, inline: bool = False) -> None:
        super().__init__(parent)
        self.setWindowTitle("New from template")
        self.command: Template | None = None
        self._wanted = False
        self._catalog = catalog
        self._kinds = {kind.verb: kind for kind in TEMPLATES if kind.model_fields}
        self._planner = Planner(catalog, inline)
        self._planner.planned.connect(self._planned)
        self._planner.grown.connect(self._grown)
        self.kinds = Segmented([(verb, kind.title) for verb, kind in self._kinds.items()], "Template")
        self.about = QLabel()
        self.about.setFont(font(SECONDARY))
        self._forms = {
            verb: Form(kind, choices_for(kind, catalog), self._soon) for verb, kind in self._kinds.items()
        }
        self.picture, self.counts, self.growth = Thumbnail(), Counts(), GrowthTable()
        self.notes = [Banner("note", ""), Banner("warning", ""), Banner("error", "")]
        self.foot = QLabel()
        self.foot.setFont(font(SECONDARY))
        self.create_button = ActionButton(_CREATE)
        self.cancel_button = ActionButton(ButtonSpec("Cancel", "cancel", "Esc"))
        self._lay_out()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_DELAY_MS)
        self._timer.timeout.connect(self.refresh)
        self.kinds.chosen.connect(self.choose)
        self.create_button.clicked.connect(self.accept)
        self.cancel_button.clicked.connect(self.reject)
        self.resize(960, 720)
        self.choose(next(iter(self._kinds)))

    # ---- the sheet

    def _lay_out(self) -> None:
        body = QHBoxLayout()
        body.setContentsMargins(16, 4, 16, 8)
        body.setSpacing(24)
        body.addWidget(self._left(), 11)
        body.addLayout(self._right(), 13)
        head = QVBoxLayout()
        head.setContentsMargins(16, 12, 16, 4)
        head.addWidget(self.kinds)
        head.addWidget(self.about)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addLayout(head)
        column.addLayout(body, 1)
        column.addWidget(self._bottom())

    def _left(self) -> QWidget:
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(10)
        for form in self._forms.values():
            column.addWidget(form)
        for note in self.notes:
            note.hide()
            column.addWidget(note)
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(holder)
        return area

    def _right(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(8)
        column.addWidget(_caption("What you get", BODY))
        frame = QFrame()
        frame.setFrameShape(QFrame.Shape.StyledPanel)
        inner = QVBoxLayout(frame)
        inner.setContentsMargins(1, 1, 1, 1)
        inner.addWidget(self.picture)
        frame.setMinimumHeight(190)
        column.addWidget(frame, 1)
        column.addWidget(self.counts)
        self._growth_caption = _caption("Growth on this fabric", CAPTION)
        column.addWidget(self._growth_caption)
        column.addWidget(self.growth)
        return column

    def _bottom(self) -> QWidget:
        bar = QFrame()
        bar.setFrameShape(QFrame.Shape.NoFrame)
        row = QHBoxLayout(bar)
        row.setContentsMargins(16, 8, 16, 12)
        row.addWidget(self.foot, 1)
        row.addWidget(self.cancel_button)
        row.addWidget(self.create_button)
        return bar

    # ---- what is typed

    def choose(self, verb: str) -> None:
        """Shows the fields of another template."""
        self.kinds.set_current(verb)
        self.about.setText(self._kinds[verb].about)
        for name, form in self._forms.items():
            form.setVisible(name == verb)
        next(iter(self.form.fields.values())).setFocus(Qt.FocusReason.OtherFocusReason)
        self.growth.show_rows("", (), 0)
        self.refresh()

    @property
    def form(self) -> Form:
        return self._forms[self.kinds.current()]

    def _soon(self) -> None:
        self._timer.start()

    def refresh(self) -> None:
        """Has what is typed worked out; until then Create waits, for it makes what is shown."""
        self._timer.stop()
        self.command = None
        self._enable()
        self._planner.submit(self._kinds[self.kinds.current()], self.form.values())

    def _planned(self, found: Planned) -> None:
        kind, values = self._kinds[self.kinds.current()], self.form.values()
        self.command = found.command
        self.picture.show_design(found.design, found.graphs)
        self.counts.show_rows(count_rows(found) if found.facts else ())
        self.form.show_consequences(consequences(kind, values, found, self._catalog))
        refusals = [" ".join(part for part in (f"{p.what}.", p.fix) if part) for p in found.problems]
        for banner, lines in zip(
            self.notes, (odd_results(found, self._catalog), lower_bounds(found), refusals), strict=True
        ):
            banner.setVisible(bool(lines))
            if lines:
                banner.set_content(banner.severity, " ".join(lines))
        if found.command is None:
            self.growth.show_rows("", (), 0)
            self.foot.setText("Nothing is made: see what stands against it.")
        else:
            self.foot.setText(
                f"One undo step. {found.objects:,} objects, about {max(found.seconds, 0.1):.1f} s."
            )
        self._enable()
        if self._wanted:
            self._wanted = False
            if self.command is not None:
                super().accept()

    def _grown(self, rows: tuple) -> None:  # type: ignore[type-arg]
        name = size_field(self._kinds[self.kinds.current()])
        now = self.form.values().get(name, 0)
        self.growth.show_rows(label_of(name), rows, int(now))

    def _enable(self) -> None:
        self.create_button.set_spec(_CREATE._replace(enabled=self.command is not None))

    # ---- leaving

    def accept(self) -> None:
        """Makes what is shown; what is still being worked out is made when it is."""
        if self._timer.isActive():
            self.refresh()
        self._wanted = self.command is None
        if self.command is not None:
            super().accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accept()
        else:
            super().keyPressEvent(event)

    def done(self, result: int) -> None:
        self._planner.stop()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._planner.stop()
        super().closeEvent(event)


def _caption(text: str, size: int) -> QLabel:
    label = QLabel(text)
    label.setFont(font(size, semibold=True))
    return label
