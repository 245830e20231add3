"""Workload: a preset, its parallel sizes and the order of ranks, checked while they are typed."""

from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from rackbuilder.catalog.workloads import Workloads
from rackbuilder.commands.jobs import SetJob
from rackbuilder.design.records import Job
from rackbuilder.session.jobs import suggested_job
from rackbuilder.ui.bridge import Document

_DIMENSIONS = (
    ("tp", "Tensor"),
    ("cp", "Context"),
    ("ep", "Expert"),
    ("pp", "Pipeline"),
    ("dp", "Data (0: all GPUs)"),
)


class JobDialog(QDialog):
    """`command` sets the job after the dialog was accepted; choosing a preset fills in its default mapping."""

    def __init__(self, parent: QWidget, document: Document, job: Job | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Workload")
        self._document, self._job = document, job
        self.preset = QComboBox()
        self.preset.setAccessibleName("Preset")
        for identity, preset in _sorted(document.workloads):
            self.preset.addItem(preset, identity)
        self.sizes = {key: self._size(key, text) for key, text in _DIMENSIONS}
        self.note = QLabel()
        self.note.setWordWrap(True)
        rows = QFormLayout()
        rows.addRow("Workload", self.preset)
        for key, text in _DIMENSIONS:
            rows.addRow(f"{text} parallel", self.sizes[key])
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Cancel | QDialogButtonBox.StandardButton.Ok
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(rows)
        column.addWidget(self.note)
        column.addWidget(self.buttons)
        if job:
            self.preset.setCurrentIndex(max(self.preset.findData(job.workload), 0))
            self._fill(job.sizes)
        else:
            self._suggest()
        self.preset.currentIndexChanged.connect(lambda _index: self._suggest())
        self._tell()

    def _size(self, key: str, text: str) -> QSpinBox:
        box = QSpinBox()
        box.setRange(0 if key == "dp" else 1, 1_000_000)
        box.setAccessibleName(f"{text} parallel size")
        box.valueChanged.connect(lambda _value: self._tell())
        return box

    def _fill(self, sizes: dict[str, int]) -> None:
        for key, box in self.sizes.items():
            box.setValue(sizes.get(key, 0 if key == "dp" else 1))

    def _suggest(self) -> None:
        document = self._document
        job = suggested_job(document.graphs, document.workloads, self.preset.currentData())
        self._fill(job.sizes if job else {})

    def _tell(self) -> None:
        if not hasattr(self, "note"):
            return
        product = 1
        for key in ("tp", "cp", "pp"):
            product *= self.sizes[key].value()
        compiled = self._document.report.compiled
        gpus = compiled.counts.gpus if compiled else 0
        dp = self.sizes["dp"].value() or max(gpus // product, 1)
        self.note.setText(
            f"One replica takes {product:,} GPUs; {dp:,} replicas take {product * dp:,} of {gpus:,}."
        )

    @property
    def command(self) -> SetJob:
        sizes = {
            key: box.value()
            for key, box in self.sizes.items()
            if box.value() != 1 or key in ("tp", "pp", "dp")
        }
        identity = self._job.id if self._job else ""
        return SetJob(id=identity, workload=self.preset.currentData(), sizes=sizes)


def _sorted(workloads: Workloads) -> list[tuple[str, str]]:
    return sorted(((p.id, p.name) for p in workloads.presets.values()), key=lambda row: row[1].lower())
