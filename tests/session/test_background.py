"""The worker: the newest revision wins, and nothing that goes wrong in an analysis or a listener ends it."""

import threading
from collections.abc import Iterator

import pytest

from rackbuilder.design.design import Design
from rackbuilder.session.analyst import Analyst, Outcome
from rackbuilder.session.background import Work, Worker
from rackbuilder.session.log import LOGGER, stop_log
from rackbuilder.topology.graphs import Graphs, build_graphs
from tests.session import documents

DESIGN = Design()
GRAPHS = build_graphs(DESIGN)


class Gate(Analyst):
    """An analyst of three steps, each of which a test can hold; no analysis of its own."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.may_go_on = threading.Semaphore(0)
        self.faulty: set[int] = set()
        self.ran: list[str] = []

    def steps(self, design: Design, graphs: Graphs) -> Iterator[str]:
        for step in "abc":
            self.begun.release()
            assert self.may_go_on.acquire(timeout=10)
            self.ran.append(step)
            yield step

    def outcome(self, design: Design, graphs: Graphs, revision: int) -> Outcome:
        if revision in self.faulty:
            raise RuntimeError(f"a bug at {revision}")
        return Outcome()

    def step(self, count: int = 1) -> None:
        for _ in range(count):
            assert self.begun.acquire(timeout=10)
            self.may_go_on.release()


class Box:
    """What was delivered, and a way to wait for it."""

    def __init__(self) -> None:
        self.got: list[tuple[int, bool, bool]] = []
        self.threads: list[str] = []
        self.arrived = threading.Semaphore(0)
        self.fail = False

    def __call__(self, work: Work, outcome: Outcome | None) -> None:
        self.got.append((work.revision, work.preview, outcome is not None))
        self.threads.append(threading.current_thread().name)
        self.arrived.release()
        if self.fail:
            raise RuntimeError("a bug in a window")

    def wait(self) -> None:
        assert self.arrived.acquire(timeout=10)


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def box() -> Box:
    return Box()


@pytest.fixture
def worker(gate: Gate, box: Box) -> Iterator[Worker]:
    made = Worker(gate, box)
    yield made
    gate.may_go_on.release(100)
    made.stop()
    stop_log()
    assert not any(thread.name == "analysis" for thread in threading.enumerate())


def work(revision: int, preview: bool = False) -> Work:
    return Work(DESIGN, GRAPHS, revision, preview)


def test_a_revision_is_delivered_from_the_worker(worker: Worker, gate: Gate, box: Box) -> None:
    worker.submit(work(1))
    gate.step(3)
    box.wait()
    assert worker.idle()
    assert box.got == [(1, False, True)]
    assert box.threads == ["analysis"]


def test_a_newer_revision_takes_over_between_two_analyses(worker: Worker, gate: Gate, box: Box) -> None:
    worker.submit(work(1))
    assert gate.begun.acquire(timeout=10)  # in the first step of revision 1
    worker.submit(work(2))
    worker.submit(work(3))
    gate.may_go_on.release()
    gate.step(3)
    box.wait()
    assert worker.idle()
    assert box.got == [(3, False, True)]  # neither 1, half done, nor 2, never begun
    assert "".join(gate.ran) == "aabc"


def test_a_preview_gives_way_to_the_edit_that_ends_it(worker: Worker, gate: Gate, box: Box) -> None:
    worker.submit(work(1, preview=True))
    assert gate.begun.acquire(timeout=10)
    worker.submit(work(2))
    gate.may_go_on.release()
    gate.step(3)
    box.wait()
    assert worker.idle()
    assert box.got == [(2, False, True)]


def test_a_revision_overtaken_in_its_last_step_is_not_delivered(worker: Worker, gate: Gate, box: Box) -> None:
    worker.submit(work(1))
    gate.step(2)
    assert gate.begun.acquire(timeout=10)
    worker.submit(work(2))
    gate.may_go_on.release()
    gate.step(3)
    box.wait()
    assert worker.idle()
    assert box.got == [(2, False, True)]


def test_a_fault_is_logged_and_delivered_as_none_and_the_next_revision_runs(
    worker: Worker, gate: Gate, box: Box, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LOGGER, "propagate", True)
    gate.faulty = {1}
    worker.submit(work(1))
    gate.step(3)
    box.wait()
    worker.submit(work(2))
    gate.step(3)
    box.wait()
    assert box.got == [(1, False, False), (2, False, True)]
    assert "analysis of revision 1 failed" in caplog.text
    assert "a bug at 1" in caplog.text


def test_a_listener_that_fails_does_not_end_the_worker(
    worker: Worker, gate: Gate, box: Box, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LOGGER, "propagate", True)
    box.fail = True
    for revision in (1, 2):
        worker.submit(work(revision))
        gate.step(3)
        box.wait()
        assert worker.idle()
    assert [revision for revision, _, _ in box.got] == [1, 2]
    assert "a bug in a window" in caplog.text


def test_stopping_waits_for_the_step_in_hand_and_delivers_nothing(gate: Gate, box: Box) -> None:
    worker = Worker(gate, box)
    worker.submit(work(1))
    assert gate.begun.acquire(timeout=10)
    threading.Timer(0.05, gate.may_go_on.release).start()
    worker.stop()
    assert not any(thread.name == "analysis" for thread in threading.enumerate())
    assert box.got == []
    assert gate.ran == ["a"]


def test_after_the_end_nothing_is_done_and_nobody_waits(gate: Gate, box: Box) -> None:
    worker = Worker(gate, box)
    worker.stop()
    worker.stop()
    worker.submit(work(1))
    assert worker.idle(timeout_s=0)
    assert box.got == []


def test_idle_says_when_it_is_not(worker: Worker, gate: Gate, box: Box) -> None:
    worker.submit(work(1))
    assert gate.begun.acquire(timeout=10)
    assert not worker.idle(timeout_s=0.01)
    gate.may_go_on.release()
    gate.step(2)
    assert worker.idle()


def test_inline_it_is_done_when_it_is_asked(gate: Gate, box: Box) -> None:
    gate.may_go_on.release(6)
    gate.faulty = {2}
    worker = Worker(gate, box, inline=True)
    worker.submit(work(1))
    worker.submit(work(2))
    assert box.got == [(1, False, True), (2, False, False)]
    assert worker.idle(timeout_s=0)
    worker.stop()
    stop_log()


def test_the_real_analyst_on_the_worker_gives_what_it_gives_inline() -> None:
    from rackbuilder.catalog.workloads import shipped_workloads

    design = documents.design()
    graphs = build_graphs(design)
    inline = Analyst(shipped_workloads()).run(design, graphs, 7)
    got: list[Outcome | None] = []
    worker = Worker(Analyst(shipped_workloads()), lambda _, outcome: got.append(outcome))
    worker.submit(Work(design, graphs, 7))
    assert worker.idle(60)
    worker.stop()
    (outcome,) = got
    assert outcome is not None
    assert outcome.report.revision == 7
    assert outcome.report.results == inline.report.results
    assert outcome.report.problems == inline.report.problems
