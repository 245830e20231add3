"""The live panel: the verdict first, then its evidence, always in the same order at the same height."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QPainter, QResizeEvent
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from rackbuilder.analysis import results as r
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.jobwords import mapping_text, workload_name
from rackbuilder.ui.panels import live_parts as parts
from rackbuilder.ui.widgets import (
    ButtonSpec,
    GradeMark,
    HeaderFigures,
    Missing,
    Painted,
    RackColumns,
    RowBars,
    Run,
    SectionBox,
    SentenceView,
    StackedBar,
)
from rackbuilder.ui.widgets.paint import Look
from rackbuilder.ui.widgets.rack_columns import FOOT, ROW_HEIGHT
from rackbuilder.ui.widgets.section import BELOW, CAPTION_HEIGHT

_NEEDS_JOB = "Needs a workload."


class Nothing(Painted):
    """The content of a section that says all it has in its total."""

    def __init__(self) -> None:
        super().__init__(0)

    def draw(self, painter: QPainter, look: Look) -> None:
        """Nothing."""


class LivePanel(QWidget):
    """`linked` asks to select and frame refs; `asked` names what a button wants: remap, swap, workload, suggest."""

    linked = Signal(tuple)
    asked = Signal(str)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.header = HeaderFigures()
        self.sentence = SentenceView()
        self.traffic = SectionBox("Traffic per step", StackedBar())
        self.times = SectionBox("Ideal time of a step, by boundary", RowBars(4, 16, 8, True, (0.40, 0.83)))
        self.hops = SectionBox("Hops between GPU pairs", RowBars(4, 16, 8, True, (0.40, 0.83)))
        self.links = SectionBox("Busiest links", RowBars(rows=5, row_height=16))
        self.racks = SectionBox("Rack power, maximum", RackColumns())
        self.cooling = SectionBox("Heat", StackedBar(legend_rows=1))
        self.cost = SectionBox("Cost", Nothing())
        self.cost.set_total("no price book")
        self._lay_out()
        self._connect()
        self.refresh()

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.sentence)
        self._sections = (
            self.traffic, self.times, self.hops, self.links, self.racks, self.cooling, self.cost,
        )  # fmt: skip
        for section in self._sections:
            column.addWidget(section)
        column.addStretch(1)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QScrollArea.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(inner)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.area)

    def _connect(self) -> None:
        for widget in (self.sentence, *(s.content for s in self._sections)):
            widget.linkActivated.connect(lambda text: self.linked.emit(tuple(text.split())))
        self.sentence.actionRequested.connect(self.asked)
        self._document.reported.connect(self.refresh)
        self._document.replaced.connect(self.refresh)
        self._document.late_changed.connect(self._show_stale)
        self.sentence.installEventFilter(self)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_racks()

    def _fit_racks(self) -> None:
        """A row a rack where all of the panel fits then; else they are columns, and nothing need be scrolled."""
        shown = [s for s in self._sections if s is not self.racks and s.isVisibleTo(self)]
        others = self.header.height() + self.sentence.height() + sum(s.sizeHint().height() for s in shown)
        room = self.height() - others - CAPTION_HEIGHT - BELOW - FOOT - 2
        self.racks.content.allow_rows(max(room // ROW_HEIGHT, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut) and watched is self.sentence:
            verdict, step = self._document.report.bottleneck, self._document.report.step
            if verdict is not None:
                self.sentence.set_buttons(self._buttons(verdict, step))
        return False

    # ---- content

    def refresh(self) -> None:
        """Shows the newest results; sections whose result is missing say what they need."""
        report = self._document.report
        self.header.set_figures(parts.header(report))
        self._sentence(report.bottleneck, report.step)
        self._job_sections(report.step, report.loads)
        if report.capacity:
            rows = parts.hops(report.capacity)
            self.hops.content.set_rows(rows) if rows else self.hops.set_empty("No GPU pairs yet.")
            self.hops.set_total(self._domains())
        else:
            self.hops.set_empty("No result yet.")
        self._facility(report.power, report.cooling)
        self._show_stale()

    def _domains(self) -> str:
        compiled = self._document.report.compiled
        sizes = sorted(compiled.counts.nvlink_domains.items()) if compiled else []
        return ", ".join(
            f"{count:,} domain{'' if count == 1 else 's'} of {size}" for size, count in sizes[:3]
        )

    def _sentence(self, verdict: r.Bottleneck | None, step: r.Step | None) -> None:
        if verdict is None:
            self.sentence.set_sentence("No result yet.")
            return
        missing = (
            [Missing([Run(name)], name, "Show") for name in verdict.missing[:2]]
            if not verdict.boundary
            else []
        )
        grade = GradeMark(verdict.confidence, "assumed") if verdict.confidence else None
        self.sentence.set_sentence(parts.sentence(verdict), self._buttons(verdict, step), grade, missing)

    def _buttons(self, verdict: r.Bottleneck, step: r.Step | None) -> list[ButtonSpec]:
        if step is None or not step.workload:
            return [
                ButtonSpec("Choose workload", "workload", "W", primary=True),
                ButtonSpec("Suggest one", "suggest"),
            ]
        if verdict.remap:
            # Enter is the fix while the sentence has the keyboard; elsewhere its own key is.
            key = "Enter" if self.sentence.hasFocus() else "Ctrl+M"
            return [ButtonSpec("Apply remap", "remap", key, primary=True, tip=verdict.remap.text)]
        if verdict.swap:
            return [ButtonSpec("Try the wrong mapping", "swap", tip=verdict.swap.text)]
        return []

    def _job_sections(self, step: r.Step | None, loads: r.Loads | None) -> None:
        if step is None or not step.workload:
            for section in (self.traffic, self.times, self.links):
                section.set_empty(_NEEDS_JOB)
            return
        if step.missing and not step.traffic:
            text = f"Needs {', '.join(step.missing[:3])}."
            self.traffic.set_missing(text)
            self.times.set_missing(text)
            self.links.set_missing("Loads follow from the traffic.", hatched=False)
            return
        segments, total = parts.traffic(step)
        self.traffic.content.set_segments(segments)
        self.traffic.set_total(total)
        self.times.content.set_rows(parts.boundaries(step))
        self.times.set_total("")
        if loads is None or not loads.links:
            self.links.set_empty("No traffic on links.")
            return
        rows, more = parts.busiest(loads, self._document.design)
        self.links.content.set_rows(rows)
        self.links.set_total(more)

    def _facility(self, power: r.Power | None, cooling: r.Cooling | None) -> None:
        if power is None or not any(row.rack for row in power.racks):
            self.racks.set_empty("No racks yet.")
        else:
            bars, limit, foot, total = parts.racks(power, self._document.design)
            self.racks.content.set_racks(bars, limit, foot)
            self.racks.set_total(total)
        found = parts.cooling(cooling) if cooling else None
        self.cooling.setVisible(found is not None)
        if found:
            self.cooling.content.set_segments(found[0])
            self.cooling.set_total(found[1])
        self._fit_racks()

    # ---- freshness

    def _show_stale(self) -> None:
        """Grey after a moment only; a preview is newer than the document, not older."""
        stale = self._document.late and not self._document.previewing
        for widget in (self.header, self.sentence, *self._sections):
            widget.set_stale(stale)

    def state(self) -> tuple[str, bool, str]:
        """What the title of the panel says at its right, whether work is going on, and the same in short."""
        document = self._document
        if document.failed:
            return "An analysis failed; the log has the details", False, "failed"
        if document.previewing:
            return "Preview of the gesture", False, "Preview"
        if document.late:
            shown = max(document.report.revision, 0)
            return f"Revision {shown:,} of {document.session.revision:,}", True, ""
        name, mapping = self._job()
        return " · ".join(w for w in (name, mapping) if w) or "Results current", False, mapping or "Current"

    def _job(self) -> tuple[str, str]:
        """The workload the numbers are about, with the sizes it was placed with."""
        placement = self._document.report.placement
        job = self._document.design.jobs.get(placement.job) if placement else None
        if placement is None or job is None:
            return "", ""
        return workload_name(job, self._document.workloads), mapping_text(placement.sizes)
