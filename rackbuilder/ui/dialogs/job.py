"""Workload: a preset and its parallel sizes, checked while they are typed."""

from math import prod

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.analysis.workload.jobs import DEFAULT_ORDER
from rackbuilder.catalog.workloads import Workloads
from rackbuilder.commands.jobs import SetJob
from rackbuilder.design.records import Job
from rackbuilder.errors import Severity
from rackbuilder.session.jobs import SUGGESTED, gpus_of, suggested_job
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.theme import FIELD
from rackbuilder.ui.widgets import Banner

_DIMENSIONS = (
    ("tp", "Tensor"),
    ("cp", "Context"),
    ("ep", "Expert"),
    ("pp", "Pipeline"),
    ("dp", "Data"),
)


class JobDialog(QDialog):
    """`command` sets the job after the dialog was accepted; choosing a preset fills in its default mapping."""

    def __init__(self, parent: QWidget, document: Document, job: Job | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Workload")
        self._document, self._job = document, job
        self._gpus, self._domain = gpus_of(document.graphs)
        self.preset = QComboBox()
        self.preset.setAccessibleName("Workload")
        self.preset.setMinimumHeight(FIELD)
        for identity, preset in _sorted(document.workloads):
            self.preset.addItem(preset, identity)
        self.sizes = {key: _size(key, text) for key, text in _DIMENSIONS}
        self.suggest = QPushButton("Suggest sizes")
        self.suggest.setAutoDefault(False)
        self.suggest.clicked.connect(self._suggest)
        self.note = Banner("note", "")
        rows = QFormLayout()
        rows.addRow("Workload", self.preset)
        for key, text in _DIMENSIONS:
            rows.addRow(f"{text} parallel", self.sizes[key])
        rows.addRow("", self.suggest)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(kinds.Cancel | kinds.Ok)
        self.ok = self.buttons.button(kinds.Ok)
        self.ok.setText("Change workload" if job else "Run workload")
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(rows)
        column.addWidget(self.note)
        column.addWidget(self.buttons)
        self.setMinimumWidth(460)
        self._begin()

    def _begin(self) -> None:
        """What the job has, or the usual preset mapped by default."""
        self.preset.setCurrentIndex(
            max(self.preset.findData(self._job.workload if self._job else SUGGESTED), 0)
        )
        if self._job is not None:
            self._fill(self._job.sizes)
        else:
            self._suggest()
        self.preset.currentIndexChanged.connect(lambda _index: self._suggest())
        for box in self.sizes.values():
            box.valueChanged.connect(lambda _value: self._tell())
        self._tell()

    def _fill(self, sizes: dict[str, int]) -> None:
        for key, box in self.sizes.items():
            box.setValue(sizes.get(key, 0 if key == "dp" else 1))

    def _suggest(self) -> None:
        document = self._document
        job = suggested_job(document.graphs, document.workloads, self.preset.currentData())
        self._fill(job.sizes if job else {})

    # ---- checking

    def _value(self, key: str) -> int:
        return self.sizes[key].value()

    def _tell(self) -> None:
        severity, text, fits = self._judged()
        self.note.set_content(severity, text)
        self.ok.setEnabled(fits)

    def _judged(self) -> tuple[Severity, str, bool]:
        """What the sizes come to, how bad that is, and whether the job can be set."""
        replica = prod(self._value(key) for key in ("tp", "cp", "pp"))
        asked = self._value("dp")
        if not self._gpus:
            return "note", "There are no GPUs yet: the job waits for servers.", True
        replicas = asked or max(self._gpus // replica, 1)
        taken = replica * replicas
        words = f"One replica takes {replica:,} GPUs; {replicas:,} of them take {taken:,} of {self._gpus:,}."
        if taken > self._gpus:
            return "error", f"{words} Make a size smaller.", False
        if taken % self._value("ep"):
            return "error", f"{words} Experts on {self._value('ep')} GPUs do not divide that.", False
        if self._value("tp") > self._domain:
            return (
                "warning",
                f"{words} A tensor group of {self._value('tp')} leaves its NVLink domain of {self._domain}.",
                True,
            )
        idle = self._gpus - taken
        return "note", words + (f" {idle:,} stay idle." if idle else " None stays idle."), True

    @property
    def command(self) -> SetJob:
        """Sets the job; of one that exists, all that this dialog does not show stays."""
        sizes = {
            key: self._value(key) for key in self.sizes if self._value(key) != 1 or key in ("tp", "pp", "dp")
        }
        workload = self.preset.currentData()
        old = self._job
        if old is None:
            job = suggested_job(self._document.graphs, self._document.workloads, workload)
            return SetJob(workload=workload, sizes=sizes, order=job.order if job else DEFAULT_ORDER)
        return SetJob(
            id=old.id, workload=workload, sizes=sizes, order=old.order, where=old.where, options=old.options,
            transport=old.transport,
        )  # fmt: skip


def _size(key: str, text: str) -> QSpinBox:
    box = QSpinBox()
    box.setRange(0 if key == "dp" else 1, 1_000_000)
    box.setAccessibleName(f"{text} parallel size")
    box.setMinimumHeight(FIELD)
    if key == "dp":
        box.setSpecialValueText("what the GPUs allow")
    return box


def _sorted(workloads: Workloads) -> list[tuple[str, str]]:
    return sorted(((p.id, p.name) for p in workloads.presets.values()), key=lambda row: row[1].lower())
