"""The tool bar: files, history, views, tools, workload, and the search field."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QToolBar, QWidget

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
_SEARCH, _SEARCH_SMALL = 280, 200


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
        self.layout().setContentsMargins(8, 0, 8, 0)
        self.layout().setSpacing(2)
        self._document = document
        self._buttons(actions, "file.open", "file.save", "edit.undo", "edit.redo")
        self.addWidget(_Gap())
        self.views = Segmented(list(VIEWS), "View")
        self.views.chosen.connect(self.view_chosen)
        self.addWidget(self.views)
        self.addWidget(_Gap())
        self._buttons(actions, "tool.select", "tool.place", "tool.cable", "tool.pan")
        self.addWidget(_Gap())
        self.jobs = Picker("Workload")
        self.jobs.picked.connect(self._job)
        self.addWidget(self.jobs)
        spacer = QWidget()
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spacer)
        self.search = SearchField("Find or go to", "/")
        self.search.returnPressed.connect(self._find)
        self.addWidget(self.search)
        document.changed.connect(self.refresh)
        document.replaced.connect(self.refresh)
        self.refresh()

    def _buttons(self, actions: Actions, *ids: str) -> None:
        for identity in ids:
            self.addWidget(ToolButton(actions[identity], action(identity).text))

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
        self.search.setFixedWidth(_SEARCH if self.width() >= 1500 else _SEARCH_SMALL)
        super().resizeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        del event
        painter = QPainter(self)
        painter.fillRect(self.rect(), brush(current().window))
        painter.fillRect(0, self.height() - 1, self.width(), 1, brush(current().line))
        painter.end()
