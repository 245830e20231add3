"""The painted widgets, offscreen, from fixed data: what they draw in each state, and what never moves."""

import re
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from rackbuilder.ui import theme
from rackbuilder.ui.theme import DARK, LIGHT
from rackbuilder.ui.widgets import (
    HeaderFigures,
    HeadFigure,
    Painted,
    RackBar,
    RackColumns,
    Row,
    RowBars,
    SectionBox,
    Segment,
    SentenceView,
    StackedBar,
)
from tests.ui.widget_samples import (
    ALL,
    RACKS,
    SEGMENTS,
    activate,
    built,
    colours,
    columns,
    header,
    recorded,
    rows,
    sentence,
    show,
    stacked,
)


@pytest.fixture(autouse=True)
def light(qapp: QApplication) -> Iterator[None]:
    theme.apply(qapp, "light")
    yield
    theme.apply(qapp, "light")


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every text that is drawn from here on."""
    return recorded(monkeypatch)


# ---- colour, stale, unknown ---------------------------------------------------------------------------------------


def test_stacked_bar_is_drawn_in_proportion(qtbot: QtBot) -> None:
    bar = StackedBar()
    bar.set_segments([Segment("a", 3.0, "in-server", "3"), Segment("b", 1.0, "server-leaf", "1")])
    image = show(qtbot, bar, 400)
    line = [image.pixelColor(x, 2).name() for x in range(400)]
    # 400 px less one gap of 1.5 px, three to one.
    assert line.count(LIGHT.scope("in-server")) == pytest.approx(0.75 * 398.5, abs=2)
    assert line.count(LIGHT.scope("server-leaf")) == pytest.approx(0.25 * 398.5, abs=2)
    assert line[0] == LIGHT.scope("in-server")
    assert line[399] == LIGHT.scope("server-leaf")


def test_a_little_is_not_nothing(qtbot: QtBot, drawn: list[str]) -> None:
    bar = StackedBar()
    bar.set_segments([Segment("a", 1.0, "in-server", "100.0 %"), Segment("b", 1e-6, "spine-core", "< 0.1 %")])
    image = show(qtbot, bar, 300)
    assert LIGHT.scope("spine-core") in colours(image, QRect(0, 0, 300, 18))
    assert "< 0.1 %" in drawn


def test_zero_is_none(qtbot: QtBot, drawn: list[str]) -> None:
    show(qtbot, stacked())
    assert "none" in drawn
    assert "0.0 %" not in drawn
    assert "in server 85.8 %" in drawn, "the label stands in the bar where it fits"


def test_hidden_part_is_hatched_and_not_in_the_legend(qtbot: QtBot, drawn: list[str]) -> None:
    bar = StackedBar()
    bar.set_segments(
        [Segment("compute", 1.0, "compute", "1.00 s"), Segment("data", 1.0, "leaf-spine", "1 s", hidden=True)]
    )
    image = show(qtbot, bar, 300)
    assert len(colours(image, QRect(160, 2, 130, 14))) > 2, "lines on a softer ground"
    assert "data" not in drawn


def test_legend_counts_what_it_cannot_hold(qtbot: QtBot, drawn: list[str]) -> None:
    bar = StackedBar()
    bar.set_segments([Segment(f"part {i}", 1.0, "compute", f"{i} s", "x" * 40) for i in range(6)])
    show(qtbot, bar)
    assert [text for text in drawn if text.endswith(" s")] == ["0 s", "1 s", "2 s"]
    assert "3 more" in drawn


@pytest.mark.parametrize("make", [stacked, rows, columns], ids=lambda make: make.__name__)
def test_stale_is_grey(qtbot: QtBot, make: Callable[[], Painted]) -> None:
    widget = make()
    bars = QRect(0, 0, 376, 18) if isinstance(widget, StackedBar) else QRect(0, 12, 376, 26)
    fresh = colours(show(qtbot, widget), bars)
    tinted = {*LIGHT.scopes, *LIGHT.load}
    assert fresh & tinted
    widget.set_stale(True)
    image = widget.grab().toImage()
    assert not colours(image, bars) & tinted
    assert {LIGHT.stale(c) for c in tinted} & colours(image, bars)
    assert LIGHT.text not in colours(image, QRect(0, 44, 376, 20)), "text is that of hints"
    assert "computed again" in widget.accessibleName()
    widget.set_stale(False)
    assert colours(widget.grab().toImage(), bars) == fresh


def test_stale_text_is_that_of_hints(qtbot: QtBot) -> None:
    for make in (sentence, header):
        widget = make()
        assert {LIGHT.text} & colours(show(qtbot, widget))
        widget.set_stale(True)
        after = colours(widget.grab().toImage())
        assert LIGHT.text3 in after
        assert not {LIGHT.text, LIGHT.link} & after


def test_theme_changes_at_once(qtbot: QtBot, qapp: QApplication) -> None:
    widget = stacked()
    assert LIGHT.scope("in-server") in colours(show(qtbot, widget))
    theme.apply(qapp, "dark")
    after = colours(widget.grab().toImage())
    assert DARK.scope("in-server") in after
    assert LIGHT.scope("in-server") not in after


def test_unknown_never_paints_a_number(qtbot: QtBot, drawn: list[str]) -> None:
    bar, links, racks, few, head = StackedBar(), RowBars(2), RackColumns(), RackColumns(), HeaderFigures()
    bar.set_segments(
        [Segment("in server", None, "in-server", "85 %"), Segment("in domain", None, "in-domain", "3 %")]
    )
    links.set_rows([Row("a", None, "52 %", ref="x"), Row("b", None, "12 %")])
    racks.set_racks([RackBar(f"{chr(65 + i)}", None, "40 kW") for i in range(20)], "limit")
    few.set_racks([RackBar("A", None, "40 of 44 kW")])
    head.set_figures([HeadFigure(None, "8 GPUs", "per domain")])
    images = [show(qtbot, widget) for widget in (bar, links, racks, few, head)]
    assert not [text for text in drawn if re.search(r"\d", text)]
    assert drawn.count("unknown") == 2 + 2 + 1 + 1
    for widget, image in zip((bar, links, racks, few), images, strict=False):
        found = colours(image)
        assert not found & {*LIGHT.scopes[:5], *LIGHT.load, LIGHT.gpu_cell}, (
            f"{widget}: no bar, and never green"
        )
        assert LIGHT.line2 in found, "hatched, with an edge"


def test_missing_stands_in_place_of_the_content(qtbot: QtBot, drawn: list[str]) -> None:
    box = SectionBox("Traffic per step", stacked())
    box.set_total("652 TB")
    box.set_missing("Needs the NVLink rate of GPU-X.")
    image = show(qtbot, box)
    assert {"Traffic per step", "unknown", "Needs the NVLink rate of GPU-X."} == set(drawn)
    assert not colours(image) & set(LIGHT.scopes[:5])
    assert box.accessibleName() == "Traffic per step: unknown"
    assert "652" not in box.accessibleName() + box.content.accessibleName()


def test_content_comes_back_after_missing(qtbot: QtBot, drawn: list[str]) -> None:
    bar = stacked()
    bar.set_missing("Needs a value.")
    bar.set_segments(SEGMENTS)
    show(qtbot, bar)
    assert "85.8 %" in drawn
    assert "Needs a value." not in drawn


def test_partly_unknown_racks_are_hatched_above_what_is_known(qtbot: QtBot, drawn: list[str]) -> None:
    racks = RackColumns()
    racks.set_racks([RackBar("A01", 0.6, "26.4 of 44.0 kW", partial=True)])
    image = show(qtbot, racks)
    assert "≥ 60 %" in drawn
    assert {LIGHT.load[3], LIGHT.line2} <= colours(image)
    assert racks.accessibleName().startswith("A01 26.4 of 44.0 kW (≥ 60 %)")


def test_over_the_limit_is_said_and_hatched(qtbot: QtBot, drawn: list[str]) -> None:
    racks = RackColumns()
    racks.set_racks([RackBar("A01", 1.16, "51.0 of 44.0 kW")])
    image = show(qtbot, racks)
    assert "116 %" in drawn
    assert {LIGHT.error, LIGHT.error_fill, LIGHT.load[5]} <= colours(image)


def test_columns_are_sorted_and_at_most_forty(qtbot: QtBot, drawn: list[str]) -> None:
    racks = RackColumns()
    racks.set_racks([RackBar(f"R{i}", i / 50, "x") for i in range(50)], "limit 44.0 kW")
    image = show(qtbot, racks, 400)
    assert "highest 40 of 50" in drawn
    tops = [
        next(y for y in range(12, 43) if image.pixelColor(5 + 10 * i, y) != image.pixelColor(399, 30))
        for i in range(40)
    ]
    assert tops == sorted(tops)
    assert tops[0] < tops[-1]


# ---- heights --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__name__)
def test_height_does_not_depend_on_state(qtbot: QtBot, make: Callable[[], Painted]) -> None:
    widget = make()
    show(qtbot, widget)
    height = widget.height()
    assert widget.minimumHeight() == widget.maximumHeight() == height
    widget.set_stale(True)
    assert widget.height() == height
    widget.set_missing(
        "Needs the NVLink rate of GPU-X, which nobody has published so far, and one more thing."
    )
    assert widget.height() == height
    widget.set_empty("Needs a workload.")
    assert widget.height() == height


def test_heights_are_those_of_the_picture(qtbot: QtBot) -> None:
    """Read from the picture of the live panel, hairlines included."""
    pictured = (
        (HeaderFigures(), 56),
        (SentenceView(), 133),
        (SectionBox("x", StackedBar()), 94),
        (SectionBox("x", RowBars(5, 18)), 128),
        (SectionBox("x", RackColumns()), 100),
        (SectionBox("x", StackedBar(12, legend="line")), 66),
    )
    for widget, height in pictured:
        qtbot.addWidget(widget)
        widget.adjustSize()
        assert widget.height() == height, widget


def test_rack_rows_grow_with_racks_only(qtbot: QtBot) -> None:
    racks = built(qtbot, RackColumns())
    racks.set_racks(RACKS[:3])
    three = racks.height()
    racks.set_racks([rack._replace(share=None) for rack in RACKS[:3]])
    assert racks.height() == three
    racks.set_racks(RACKS[:7])
    assert racks.height() == three + 4 * 19
    racks.set_racks(RACKS)
    assert racks.height() == built(qtbot, RackColumns()).height()


def test_a_section_grows_with_its_racks(qtbot: QtBot) -> None:
    frame = QWidget()
    layout = QVBoxLayout(frame)
    box = SectionBox("Rack power, maximum", RackColumns())
    layout.addWidget(box)
    layout.addStretch()
    activate(qtbot, frame)
    frame.resize(400, 600)
    for count in (12, 3, 9):
        box.content.set_racks(RACKS[:count])
        qtbot.waitUntil(lambda: box.height() == box.content.height() + 27 + 10)
