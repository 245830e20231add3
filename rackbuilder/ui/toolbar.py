"""The tool bar: files, history, views, tools, workload, and the search field."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolBar, QWidget

from rackbuilder.ui.actions import action
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.jobwords import job_text
from rackbuilder.ui.menus import Actions
from rackbuilder.ui.theme import TOOL_BAR, brush, current
from rackbuilder.ui.widgets import Segmented
from rackbuilder.ui.widgets.picker import Picker, SearchField, ToolButton

VIEWS = (
    ("fabric", "Fabric"),
    ("racks", "Racks"),
    ("floor", "Floor"),
    ("server", "Server"),
    ("table", "Table"),
)
NEW_JOB, EDIT_JOB = "+", "="
_SEARCH = ((1500, 280), (1280, 200), (0, 124))
"""Width of the search field, by the least width of the bar."""


class _Gap(QWidget):
    """A hairline between groups of tools."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(17, 24)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(QRectF(8, 1, 1, 22), brush(current().line))
        painter.end()


def _buttons(actions: Actions, *ids: str) -> list[QWidget]:
    return [ToolButton(actions[identity], action(identity).text) for identity in ids]


class ToolBar(QToolBar):
    """`view_chosen`, `job_chosen` and `found` carry a view's name, a job's id and a search text."""

    view_chosen = Signal(str)
    job_chosen = Signal(str)
    new_job = Signal()
    edit_job = Signal()
    found = Signal(str)

    def __init__(self, document: Document, actions: Actions) -> None:
        super().__init__("Tools")
        self.setObjectName("tools")
        self.setMovable(False)
        self.setFixedHeight(TOOL_BAR)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self.toggleViewAction().setVisible(False)
        self._document = document
        # One widget with a layout of its own: a tool bar's would hide in a menu what has no room, where these shrink.
        self._bar = QWidget()
        self._bar.setFixedHeight(TOOL_BAR)
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(8, 0, 12, 0)
        row.setSpacing(2)
        self.views = Segmented(list(VIEWS), "View")
        self.jobs = Picker("Workload")
        self.search = SearchField("Find or go to", "/")
        for part in (
            *_buttons(actions, "file.open", "file.save", "edit.undo", "edit.redo"), _Gap(), self.views, _Gap(),
            *_buttons(actions, "tool.select", "tool.place", "tool.cable", "tool.pan"), _Gap(), self.jobs,
        ):  # fmt: skip
            row.addWidget(part)
        row.addStretch(1)
        row.addWidget(self.search)
        self._bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.addWidget(self._bar)
        layout = self.layout()
        if layout is not None:
            layout.setContentsMargins(0, 0, 0, 0)
        self._connect()
        self.refresh()

    def _connect(self) -> None:
        self.views.chosen.connect(self.view_chosen)
        self.jobs.picked.connect(self._job)
        self.search.returnPressed.connect(self._find)
        self._document.changed.connect(self.refresh)
        self._document.replaced.connect(self.refresh)

    def _find(self) -> None:
        text = self.search.text().strip()
        self.search.clear()
        if text:
            self.found.emit(text)

    def refresh(self) -> None:
        """Lists the jobs of the design; the active one is shown by the name of its workload."""
        jobs, workloads = self._document.design.jobs, self._document.workloads
        rows = [("", "No workload"), *((job.id, job_text(job, workloads)) for job in jobs.values())]
        active = next((job.id for job in jobs.values() if job.active), "")
        more = [(EDIT_JOB, "Change this workload …")] if active else []
        self.jobs.show_choices([*rows, ("", ""), *more, (NEW_JOB, "New workload …")], active)

    def _job(self, value: str) -> None:
        if value == NEW_JOB:
            self.new_job.emit()
        elif value == EDIT_JOB:
            self.edit_job.emit()
        else:
            self.job_chosen.emit(value)

    def resizeEvent(self, event: QResizeEvent) -> None:
        width = next(width for least, width in _SEARCH if self.width() >= least)
        self.search.setFixedWidth(width)
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), brush(current().window))
        painter.fillRect(0, self.height() - 1, self.width(), 1, brush(current().line))
        painter.end()
