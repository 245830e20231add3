"""What the actions about workloads, findings and figures do."""

from typing import TYPE_CHECKING

from rackbuilder.analysis.workload.jobs import active_job
from rackbuilder.commands.jobs import ActivateJob, SetJob, SwapMapping
from rackbuilder.session.jobs import SUGGESTED, suggested_job
from rackbuilder.ui.dialogs.job import JobDialog

if TYPE_CHECKING:
    from rackbuilder.ui.bridge import Document
    from rackbuilder.ui.window import MainWindow


class JobHandlers:
    """A part of `Handlers`."""

    window: "MainWindow"
    document: "Document"

    def say(self, what: str, fix: str = "") -> None:
        raise NotImplementedError

    def analyse_workload(self) -> None:
        self.workload()

    def workload(self) -> None:
        """Asks for a workload; the active job is changed, or a first one made."""
        self._ask_job(new=False)

    def new_workload(self) -> None:
        """One more job, which becomes the active one."""
        self._ask_job(new=True)

    def _ask_job(self, new: bool) -> None:
        job = None if new else active_job(self.document.design.jobs)
        dialog = JobDialog(self.window, self.document, job)
        if dialog.exec():
            self.document.do(dialog.command)
        dialog.deleteLater()

    def activate_job(self, job: str) -> None:
        self.document.do(ActivateJob(job=job))

    def asked(self, what: str) -> None:
        """What a button of the live panel wants."""
        {
            "workload": self.workload,
            "suggest": self.suggest,
            "remap": self.analyse_remap,
            "swap": self.analyse_swap,
        }[what]()

    def suggest(self) -> None:
        """The usual job, mapped by default on the GPUs that are drawn."""
        job = suggested_job(self.document.graphs, self.document.workloads, SUGGESTED)
        if job is None or not self.document.graphs.domains:
            self.say("There are no GPUs to run a job on", "Place servers first.")
            return
        self.document.do(SetJob(workload=job.workload, sizes=job.sizes, order=job.order))

    def analyse_remap(self) -> None:
        self._swap("remap")

    def analyse_swap(self) -> None:
        """From the right mapping to a wrong one, and back: each is one click."""
        verdict = self.document.report.bottleneck
        self._swap("remap" if verdict and verdict.remap else "swap")

    def _swap(self, which: str) -> None:
        verdict, step = self.document.report.bottleneck, self.document.report.step
        remap = getattr(verdict, which) if verdict else None
        if remap is None or step is None or not step.job:
            self.say("There is no other mapping to try", "Choose a workload first.")
        elif self.document.stale:
            self.say("The mapping is being worked out for the design as it is now", "Try again in a moment.")
        else:
            self.document.do(SwapMapping(job=step.job, sizes=remap.sizes))

    def analyse_next_problem(self) -> None:
        self.window.show_panel(self.window.problems)
        self.window.problems.next()

    def analyse_apply_fix(self) -> None:
        self.window.problems.apply_fix()

    def analyse_why(self) -> None:
        """Where the selected figure comes from: the properties name grade and source of each."""
        self.window.show_panel(self.window.properties)
        self.window.properties.explain()
