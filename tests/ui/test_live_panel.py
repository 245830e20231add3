"""The live panel, from a report worked by hand: its words, its order, what is stale and what is unknown."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from rackbuilder.commands.devices import PlaceDevice
from rackbuilder.session.background import Work
from rackbuilder.ui.bridge import Document
from rackbuilder.ui.panels import live_parts
from rackbuilder.ui.panels.live import LivePanel
from rackbuilder.units import Figure
from tests.ui import reports
from tests.ui.drive import key, settle


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> LivePanel:
    made = LivePanel(document)
    qtbot.addWidget(made)
    made.resize(376, 900)
    made.show()
    return made


def full(document: Document, **changes: Any) -> None:
    """The pod of the pictures, at its full report."""
    from rackbuilder.analysis.results import Compiled

    results: dict[str, Any] = {
        "compiled": Compiled(reports.counts(), (), {}, {}), "capacity": reports.capacity(), "step": reports.step(),
        "loads": reports.loads(), "bottleneck": reports.verdict(), "power": reports.power({}),
        "cooling": reports.cooling(1_326e3, 0.0),
    }  # fmt: skip
    reports.show(document, **(results | changes))


def test_the_header_says_domain_hops_and_step(document: Document, panel: LivePanel) -> None:
    """Compute alone takes 1.75 s, the node boundary 2.37 s: the step takes at least that."""
    full(document)
    domains, hops, step = live_parts.header(document.report)
    assert (domains.value, domains.unit, domains.caption) == ("8", "GPUs", "per NVLink domain")
    assert (hops.value, hops.unit) == ("3", "max 3")
    assert step.value == "≥ 2.37 s"


def test_two_sizes_of_domain_are_never_averaged(document: Document, panel: LivePanel) -> None:
    from rackbuilder.analysis.results import Compiled

    full(document, compiled=Compiled(reports.counts({8: 7, 72: 2}), (), {}, {}))
    words = panel.header.accessibleName()
    assert "8 × 7 and" in words
    assert "72 × 2" in words


def test_traffic_is_split_by_scope(document: Document, panel: LivePanel) -> None:
    """559.4 + 90.6 + 2.0 = 652 TB; 85.8 %, 13.9 % and 0.3 % of it."""
    full(document)
    assert panel.traffic.accessibleName() == "Traffic per step: 652 TB"
    words = panel.traffic.content.accessibleName()
    assert words == "in server 85.8 %, in domain none, server–leaf 13.9 %, leaf–spine 0.3 %"


def test_times_stand_by_boundary(document: Document, panel: LivePanel) -> None:
    full(document)
    words = panel.times.content.accessibleName()
    assert words == "compute at peak 1.75 s, NVLink 900 ms, node boundary 2.37 s, leaf uplinks 150 ms"


def test_hops_are_shares_of_gpu_pairs(document: Document, panel: LivePanel) -> None:
    full(document)
    assert panel.hops.content.accessibleName() == "NVLink 0.7 %, 1 switch 3.0 %, 3 switches 96.4 %"
    assert "127 domains of 8" in panel.hops.accessibleName()
    full(document, capacity=reports.capacity(unreachable=515_620))
    assert "unreachable 50.0 %" in panel.hops.content.accessibleName()


def test_the_busiest_links_and_how_many_more(document: Document, panel: LivePanel) -> None:
    full(document)
    assert panel.links.accessibleName() == "Busiest links: 987 more above 50 %"
    assert panel.links.content.accessibleName().count("%") == 5
    rows, _ = live_parts.busiest(reports.loads(), document.design)
    assert (rows[0].text, rows[0].ref) == ("52.0 %", "srv-0001~leaf-01")


def test_racks_against_their_limit(pod: Any) -> None:
    """40.8 of 44.0 kW are 93 %; a rack without a limit has no percent, for it would be one of nothing."""
    design = pod.document.design
    result = reports.power({"rack-01": (40_800.0, 44_000.0), "rack-02": (20_000.0, None)})
    bars, limit, foot, total = live_parts.racks(result, design)
    assert (limit, total) == ("limit 44.0 kW", "60.8 kW")
    assert "".join(run.text for run in foot) == "Highest A01 40.8 of 44.0 kW (93 %)"
    from rackbuilder.ui.widgets.rack_columns import share_text

    assert [(bar.name, bar.text, share_text(bar)) for bar in bars] == [
        ("A01", "40.8 of 44.0 kW", "93 %"),
        ("A02", "20.0 kW", ""),
    ]


def test_a_rack_that_is_not_known_in_full_makes_the_total_a_lower_bound(pod: Any) -> None:
    result = reports.power({"rack-01": (40_800.0, 44_000.0), "rack-02": (None, 44_000.0)})
    bars, _, foot, total = live_parts.racks(result, pod.document.design)
    assert total == "at least 40.8 kW"
    assert "1 rack not known in full" in "".join(run.text for run in foot)
    assert [bar.share for bar in bars if bar.name == "A02"] == [None]


def test_heat_is_shown_only_where_there_is_liquid(document: Document, panel: LivePanel) -> None:
    """17 of 132 kW to air, 115 to liquid, as published for a GB200 NVL72."""
    full(document)
    assert not panel.cooling.isVisible()
    full(document, cooling=reports.cooling(17_000.0, 115_000.0, 165.0))
    assert panel.cooling.isVisible()
    assert panel.cooling.content.accessibleName() == "liquid 115.0 kW, air 17.0 kW"
    assert panel.cooling.accessibleName() == "Heat: 165 L/min"


def test_there_is_no_price_book_and_no_dead_link(panel: LivePanel) -> None:
    assert panel.cost.accessibleName() == "Cost: no price book"
    assert not panel.cost.content.links()


# ---- nothing yet, and unknown


def test_without_a_workload_it_offers_to_choose_or_suggest_one(document: Document, panel: LivePanel) -> None:
    full(document, step=reports.no_job(), loads=None, bottleneck=reports.verdict(remap=None, boundary=""))
    assert [b.text() for b in _buttons(panel)] == ["Choose workload", "Suggest one"]
    assert panel.traffic.content.accessibleName() == "Needs a workload."
    assert "NVLink 0.7 %" in panel.hops.content.accessibleName()  # drawn from the graph, so always there


def test_what_is_missing_is_named_and_hatched(document: Document, panel: LivePanel) -> None:
    unknown = reports.step(
        traffic=(), missing=("NVLink rate of gpu-x",), boundary_time_s={}, compute_s=Figure(None)
    )
    full(document, step=unknown, loads=None)
    assert panel.traffic.content.accessibleName() == "Needs NVLink rate of gpu-x."
    assert panel.traffic.accessibleName() == "Traffic per step: unknown"
    assert live_parts.header(document.report)[2].value is None


def test_heights_never_change_between_states(document: Document, panel: LivePanel) -> None:
    """Racks aside, whose rows follow their number: current, without a job and unknown stand at the same height."""
    tops = []
    for step in (reports.step(), reports.no_job(), reports.step(traffic=(), missing=("x",))):
        full(document, step=step)
        settle()
        sections = (panel.traffic, panel.times, panel.hops, panel.links, panel.racks)
        tops.append([section.y() for section in sections])
    assert tops[0] == tops[1] == tops[2]


def test_it_fits_a_full_hd_window_without_a_scroll_bar(pod: Any) -> None:
    settle()
    assert not pod.live.area.verticalScrollBar().isVisible()


# ---- links and buttons


def test_links_carry_what_they_select(document: Document, panel: LivePanel, qtbot: QtBot) -> None:
    full(document)
    with qtbot.waitSignal(panel.linked) as caught:
        panel.sentence.linkActivated.emit(panel.sentence.links()[0].ref)
    assert caught.args == [("srv-0001", "srv-0002")]


def test_a_busy_link_selects_its_cables(pod: Any) -> None:
    """Server 1 has one cable to leaf 1; the leaf has eight of its 32 uplinks to each of four spines."""
    pod.show_refs(("srv-0001~leaf-01",))
    design = pod.document.design
    ends = [{design.cables[c].a.device, design.cables[c].b.device} for c in pod.document.selection.refs]
    assert ends == [{"srv-0001", "leaf-01"}]
    pod.show_refs(("leaf-01~spine-01",))
    assert len(pod.document.selection) == 8


def test_the_remap_is_one_click_and_back_another(pod: Any) -> None:
    job = pod.document.design.jobs["job-01"]
    assert job.sizes["tp"] == 16
    _buttons(pod.live)[0].click()
    assert pod.document.design.jobs["job-01"].sizes["tp"] == 8
    assert [b.text() for b in _buttons(pod.live)] == ["Try the wrong mapping"]
    _buttons(pod.live)[0].click()
    assert pod.document.design.jobs["job-01"].sizes["tp"] == 16


def test_the_key_beside_the_fix_works_where_it_is_shown(pod: Any) -> None:
    """Elsewhere Ctrl+M; Enter once the sentence has the keyboard."""
    assert _buttons(pod.live)[0].spec.hint == "Ctrl+M"
    pod.focus_view()
    key(QApplication.focusWidget(), Qt.Key.Key_M, Qt.KeyboardModifier.ControlModifier)
    assert pod.document.design.jobs["job-01"].sizes["tp"] == 8
    pod.document.undo()
    pod.live.sentence.setFocus(Qt.FocusReason.OtherFocusReason)
    assert _buttons(pod.live)[0].spec.hint == "Enter"
    key(pod.live.sentence, Qt.Key.Key_Return)
    assert pod.document.design.jobs["job-01"].sizes["tp"] == 8


def test_suggest_one_makes_a_job(pod: Any) -> None:
    pod.handlers.activate_job("")
    pod.live.asked.emit("suggest")
    job = next(j for j in pod.document.design.jobs.values() if j.active)
    assert job.sizes["tp"] == 8  # no larger than the NVLink domain


# ---- freshness


def test_results_older_than_the_design_turn_grey_after_a_moment(
    document: Document, panel: LivePanel, qtbot: QtBot
) -> None:
    full(document)
    document._worker._inline = False  # an analysis that does not come back
    document._worker.submit = lambda work: None  # type: ignore[method-assign]
    document.do(PlaceDevice(type="dgx-h100"))
    assert not panel.header.stale  # under 150 ms nothing changes but the number
    with qtbot.waitSignal(document.late_changed):
        pass
    assert panel.header.stale
    assert panel.sentence.stale
    assert not any(b.isEnabled() for b in _buttons(panel))
    text, working, _ = panel.state()
    assert (text, working) == ("Revision 0 of 1", True)
    full(document)
    document._set_late(document.stale)
    assert not panel.header.stale


def test_a_preview_is_marked_and_dropped(document: Document, panel: LivePanel) -> None:
    document.preview(PlaceDevice(type="dgx-h100"))
    assert panel.state()[0] == "Preview of the gesture"
    assert document.report.compiled is not None
    assert document.report.compiled.counts.gpus == 8
    document.end_preview()
    assert panel.state()[0] == "Results current"
    assert document.report.compiled.counts.gpus == 0
    assert not document.design.devices


def test_an_analysis_that_fails_is_said(document: Document, panel: LivePanel) -> None:
    document._on_delivered(Work(document.design, document.graphs, document.session.revision), None)
    assert panel.state()[0] == "An analysis failed; the log has the details"


def _buttons(panel: LivePanel) -> list[Any]:
    from rackbuilder.ui.widgets import ActionButton

    return [b for b in panel.sentence.findChildren(ActionButton) if b.isVisibleTo(panel.sentence)]
