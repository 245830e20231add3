"""The analysis worker: one thread that always works on the newest revision. No Qt."""

import threading
from collections.abc import Callable
from typing import NamedTuple

from rackbuilder.design.design import Design
from rackbuilder.session.analyst import Analyst, Outcome
from rackbuilder.session.log import LOGGER
from rackbuilder.topology.graphs import Graphs


class Work(NamedTuple):
    """A revision to be analysed; a preview is a gesture not yet released."""

    design: Design
    graphs: Graphs
    revision: int
    preview: bool = False


Deliver = Callable[[Work, Outcome | None], None]
"""Called with the work and its outcome, None when an analysis failed (it is in the log)."""


class Worker:
    """Analyses the newest work; what came before and is not done is dropped between two analyses.

    `deliver` is called on the worker's thread, or in `submit` when `inline`.
    """

    def __init__(self, analyst: Analyst, deliver: Deliver, inline: bool = False) -> None:
        self._analyst, self._deliver, self._inline = analyst, deliver, inline
        self._newest: Work | None = None
        self._busy = False
        self._ended = False
        self._wake = threading.Condition()
        self._thread: threading.Thread | None = None
        if not inline:
            self._thread = threading.Thread(target=self._loop, name="analysis", daemon=True)
            self._thread.start()

    def submit(self, work: Work) -> None:
        """Analyses this next; older work that waits or runs is dropped. Nothing happens after `stop`."""
        if self._ended:
            return
        if self._inline:
            self._deliver(work, self._outcome(work))
            return
        with self._wake:
            self._newest = work
            self._wake.notify_all()

    def idle(self, timeout_s: float = 10.0) -> bool:
        """Waits until nothing is left to do; True when so."""
        with self._wake:
            return self._wake.wait_for(lambda: self._newest is None and not self._busy, timeout_s)

    def stop(self) -> None:
        """Ends the thread after the analysis in hand."""
        with self._wake:
            self._ended = True
            self._newest = None
            self._wake.notify_all()
        if self._thread:
            self._thread.join(timeout=10)

    def _loop(self) -> None:
        while True:
            with self._wake:
                self._busy = False
                self._wake.notify_all()
                self._wake.wait_for(lambda: self._newest is not None or self._ended)
                if self._ended:
                    return
                work, self._newest, self._busy = self._newest, None, True
            assert work is not None
            outcome = self._outcome(work)
            if not self._overtaken():
                self._hand_over(work, outcome)

    def _hand_over(self, work: Work, outcome: Outcome | None) -> None:
        try:
            self._deliver(work, outcome)
        except Exception:  # noqa: BLE001 a listener that fails must not end the thread, and with it all results to come
            LOGGER.exception("results of revision %s could not be delivered", work.revision)

    def _outcome(self, work: Work) -> Outcome | None:
        try:
            for _ in self._analyst.steps(work.design, work.graphs):
                if self._overtaken():
                    return None
            return self._analyst.outcome(work.design, work.graphs, work.revision)
        except Exception:  # noqa: BLE001 a fault in an analysis must not end the window; it is a bug and is logged as one
            LOGGER.exception("analysis of revision %s failed", work.revision)
            return None

    def _overtaken(self) -> bool:
        return self._ended or self._newest is not None
