"""The tool bar: files, history, views, tools, workload, and the search field."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QSizePolicy, QToolBar, QToolButton, QWidget

from rackbuilder.ui.actions import action
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.menus import Actions
from rackbuilder.ui.theme import FIELD, ICON, TOOL_BAR
from rackbuilder.ui.widgets import Segmented

VIEWS = (
    ("fabric", "Fabric"),
    ("racks", "Racks"),
    ("floor", "Floor"),
    ("server", "Server"),
    ("table", "Table"),
)
_NO_JOB = "No workload"


class ToolBar(QToolBar):
    """`view_chosen`, `job_chosen` and `found` carry a view's name, a job's id and a search text."""

    view_chosen = Signal(str)
    job_chosen = Signal(str)
    new_job = Signal()
    found = Signal(str)

    def __init__(self, document: Document, actions: Actions) -> None:
        super().__init__("Tools")
        self.setObjectName("tools")
        self.setMovable(False)
        self.setFixedHeight(TOOL_BAR)
        self.setIconSize(QSize(ICON, ICON))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._document = document
        for identity in ("file.open", "file.save", "edit.undo", "edit.redo"):
            self._button(actions, identity)
        self.addSeparator()
        self.views = Segmented(list(VIEWS))
        self.views.chosen.connect(self.view_chosen)
        self.addWidget(self.views)
        self.addSeparator()
        for identity in ("tool.select", "tool.place", "tool.cable", "tool.pan"):
            self._button(actions, identity)
        self.addSeparator()
        self.jobs = QComboBox()
        self.jobs.setAccessibleName("Workload")
        self.jobs.setMinimumHeight(FIELD)
        self.jobs.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.jobs.activated.connect(self._job)
        self.addWidget(QLabel(" Workload "))
        self.addWidget(self.jobs)
        spacer = QWidget()
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spacer)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find or go to   /")
        self.search.setAccessibleName("Find or go to")
        self.search.setFixedSize(240, FIELD)
        self.search.returnPressed.connect(lambda: self.found.emit(self.search.text()))
        self.addWidget(self.search)
        document.changed.connect(self.refresh)
        document.replaced.connect(self.refresh)
        self.refresh()

    def _button(self, actions: Actions, identity: str) -> None:
        button = QToolButton()
        button.setDefaultAction(actions[identity])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        button.setAccessibleName(action(identity).text)
        button.setFixedSize(28, 28)
        self.addWidget(button)

    def refresh(self) -> None:
        """Lists the jobs of the design; the active one is shown."""
        jobs = self._document.design.jobs
        rows = [(_NO_JOB, ""), *((job.label, job.id) for job in jobs.values()), ("New workload …", "+")]
        if rows != [(self.jobs.itemText(i), self.jobs.itemData(i)) for i in range(self.jobs.count())]:
            self.jobs.clear()
            for text, value in rows:
                self.jobs.addItem(text, value)
        active = next((job.id for job in jobs.values() if job.active), "")
        self.jobs.setCurrentIndex(max(self.jobs.findData(active), 0))

    def _job(self, index: int) -> None:
        value = self.jobs.itemData(index)
        self.refresh()
        if value == "+":
            self.new_job.emit()
        else:
            self.job_chosen.emit(value)
