"""The live panel: the verdict first, then its evidence, always in the same order at the same height."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QScrollArea, QVBoxLayout, QWidget

from rackbuilder.analysis import results as r
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.panels import live_parts as parts
from rackbuilder.ui.widgets import (
    ButtonSpec,
    GradeMark,
    HeaderFigures,
    Missing,
    PanelTitle,
    RackColumns,
    RowBars,
    Run,
    SectionBox,
    SentenceView,
    StackedBar,
)

_SLOW_MS = 150
_NEEDS_JOB = "Needs a workload."


class LivePanel(QWidget):
    """`linked` asks to select and frame refs; `asked` names what a button wants: remap, swap, workload, suggest."""

    linked = Signal(tuple)
    asked = Signal(str)

    def __init__(self, document: Document) -> None:
        super().__init__()
        self._document = document
        self.title = PanelTitle("Live")
        self.header = HeaderFigures()
        self.sentence = SentenceView()
        self.traffic = SectionBox("Traffic per step", StackedBar())
        self.times = SectionBox("Ideal time per step at each boundary", RowBars(rows=4, track=True))
        self.hops = SectionBox("Hops between GPU pairs", RowBars(4, 17, 10, True, (0.477, 0.858)))
        self.links = SectionBox("Busiest links", RowBars(rows=5))
        self.racks = SectionBox("Rack power, maximum", RackColumns())
        self.cooling = SectionBox("Heat", StackedBar(legend_rows=1))
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(_SLOW_MS)
        self._slow.timeout.connect(self._mark_stale)
        self._lay_out()
        self._connect()
        self.refresh()

    def _lay_out(self) -> None:
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(self.sentence)
        self._sections = (self.traffic, self.times, self.hops, self.links, self.racks, self.cooling)
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
        outer.addWidget(self.title)
        outer.addWidget(self.area)

    def _connect(self) -> None:
        for widget in (self.sentence, *(s.content for s in self._sections)):
            widget.linkActivated.connect(lambda text: self.linked.emit(tuple(text.split())))
        self.sentence.actionRequested.connect(self.asked)
        self._document.reported.connect(self.refresh)
        self._document.replaced.connect(self.refresh)
        self._document.changed.connect(self._slow.start)

    # ---- content

    def refresh(self) -> None:
        """Shows the newest results; sections whose result is missing say what they need."""
        document, report = self._document, self._document.report
        stale = document.stale and not document.previewing
        if not stale:
            self._slow.stop()
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
        self._status()
        self._set_stale(stale)

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
            return [ButtonSpec("Apply remap", "remap", "Enter", primary=True, tip=verdict.remap.text)]
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
        self.times.set_total("nothing hidden, no efficiencies")
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

    # ---- freshness

    def _mark_stale(self) -> None:
        if self._document.stale:
            self._set_stale(True)
            self._status()

    def _set_stale(self, stale: bool) -> None:
        for widget in (self.header, self.sentence, *self._sections):
            widget.set_stale(stale)

    def _status(self) -> None:
        document = self._document
        if document.failed:
            self.title.set_status("An analysis failed; the log has the details")
        elif document.previewing:
            self.title.set_status("Preview of the gesture")
        elif document.stale:
            self.title.set_status(
                f"Revision {max(document.report.revision, 0):,} of {document.session.revision:,}", 0.4
            )
        else:
            self.title.set_status("Results current")
