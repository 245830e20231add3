"""The painted widgets under mouse and keyboard: links, the sentence with its buttons, choices, banners."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from rackbuilder.ui import theme
from rackbuilder.ui.theme import LIGHT
from rackbuilder.ui.widgets import (
    ActionButton,
    Banner,
    ButtonSpec,
    Chip,
    EmptyState,
    HeaderFigures,
    HeadFigure,
    Missing,
    Run,
    Segmented,
    SentenceView,
    runs,
)
from tests.ui.widget_samples import (
    BUTTONS,
    FIGURES,
    LEFT_BUTTON,
    SENTENCE,
    activate,
    built,
    centre,
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


# ---- links ----------------------------------------------------------------------------------------------------------


def test_click_on_a_link_says_its_ref(qtbot: QtBot) -> None:
    for make, ref in ((rows, "cable:2"), (columns, "rack:A01"), (sentence, "group:1")):
        widget = make()
        activate(qtbot, widget)
        with qtbot.waitSignal(widget.linkActivated, timeout=1000) as told:
            QTest.mouseClick(widget, LEFT_BUTTON, pos=centre(widget, ref))
        assert told.args == [ref]


def test_a_link_over_two_lines_is_one_link(qtbot: QtBot) -> None:
    widget = sentence()
    activate(qtbot, widget)
    broken = [hot for hot in widget.links() if len(hot.rects) == 2]
    assert broken, "the picture breaks “tensor group of 16” or “Tensor 8 × pipeline 4”"
    for line in (0, 1):
        with qtbot.waitSignal(widget.linkActivated, timeout=1000) as told:
            QTest.mouseClick(widget, LEFT_BUTTON, pos=centre(widget, broken[0].ref, line))
        assert told.args == [broken[0].ref]


def test_click_beside_a_link_says_nothing(qtbot: QtBot) -> None:
    widget = rows()
    activate(qtbot, widget)
    with qtbot.assertNotEmitted(widget.linkActivated):
        QTest.mouseClick(widget, LEFT_BUTTON, pos=QPoint(300, 8))
        QTest.mousePress(widget, LEFT_BUTTON, pos=centre(widget, "cable:1"))
        QTest.mouseRelease(widget, LEFT_BUTTON, pos=QPoint(300, 8))


def test_hover_says_which(qtbot: QtBot) -> None:
    widget = rows()
    activate(qtbot, widget)
    told: list[str] = []
    widget.linkHovered.connect(told.append)
    for place in (centre(widget, "cable:1"), QPoint(300, 8)):
        QTest.mouseMove(widget, place)
    assert told == ["cable:1", ""]


def test_tab_walks_the_links_and_enter_follows(qtbot: QtBot) -> None:
    frame = QWidget()
    layout = QVBoxLayout(frame)
    first, second = rows(), rows()
    layout.addWidget(first)
    layout.addWidget(second)
    activate(qtbot, frame)
    first.setFocus(Qt.FocusReason.TabFocusReason)
    told: list[str] = []
    first.linkActivated.connect(told.append)
    QTest.keyClick(first, Qt.Key.Key_Return)
    assert first.accessibleDescription() == "link: srv-064 p1 → L17"
    QTest.keyClick(first, Qt.Key.Key_Tab)
    QTest.keyClick(first, Qt.Key.Key_Return)
    assert told == ["cable:1", "cable:2"]
    QTest.keyClick(first, Qt.Key.Key_Up)
    QTest.keyClick(first, Qt.Key.Key_Space)
    assert told[-1] == "cable:1"
    QTest.keyClick(first, Qt.Key.Key_Tab)
    QTest.keyClick(first, Qt.Key.Key_Tab)
    assert second.hasFocus()
    QTest.keyClick(second, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert first.hasFocus()
    assert LIGHT.accent in colours(first.grab().toImage()), "the focus is seen"


def test_only_what_can_be_clicked_takes_the_focus(qtbot: QtBot) -> None:
    assert built(qtbot, stacked()).focusPolicy() == Qt.FocusPolicy.NoFocus
    assert built(qtbot, rows()).focusPolicy() == Qt.FocusPolicy.StrongFocus
    bar = stacked()
    bar.set_empty(["No price book. ", ("Load", "load")])
    assert bar.focusPolicy() == Qt.FocusPolicy.StrongFocus
    activate(qtbot, bar)
    bar.setFocus()
    with qtbot.waitSignal(bar.linkActivated, timeout=1000) as told:
        QTest.keyClick(bar, Qt.Key.Key_Return)
    assert told.args == ["load"]


def test_everything_has_a_name(qtbot: QtBot) -> None:
    assert (
        built(qtbot, stacked()).accessibleName()
        == "in server 85.8 %, in domain none, server–leaf 13.9 %, leaf–spine 0.3 %"
    )
    assert built(qtbot, rows()).accessibleName() == "srv-064 p1 → L17 52.0 %, srv-023 p5 → L05 11.9 %"
    assert built(qtbot, sentence()).accessibleName().startswith("The node boundary limits this job.")
    assert (
        built(qtbot, header()).accessibleName()
        == "8 GPUs per NVLink domain, 3 max 3 median switch hops, 4.42 s step · 919 k tokens/s"
    )
    assert "40.8 of 44.0 kW (93 %)" in built(qtbot, columns()).accessibleName()


# ---- the sentence ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [300, 316, 376, 420])
def test_sentence_is_whole_in_its_height(qtbot: QtBot, drawn: list[str], width: int) -> None:
    widget = sentence()
    show(qtbot, widget, width)
    assert "3.07 s." in " ".join(drawn)
    assert "…" not in "".join(drawn)
    words = " ".join("".join(part[0] if isinstance(part, tuple) else part for part in SENTENCE).split())
    said = " ".join("".join(text + " " for text in drawn).split())
    assert said.replace(" ", "").startswith(words.replace(" ", ""))
    assert max(rect.bottom() for hot in widget.links() for rect in hot.rects) <= 88


def test_a_sentence_that_cannot_fit_is_cut_and_in_the_tip(qtbot: QtBot, drawn: list[str]) -> None:
    widget = SentenceView()
    widget.set_sentence("word " * 200)
    show(qtbot, widget)
    assert drawn[-1].endswith("…")
    assert widget.tip_at(QRectF(20, 20, 1, 1).topLeft()).count("word") == 200


def test_numbers_keep_their_units() -> None:
    lines, _ = runs.wrap([Run("take 54 % of 4.42 s, then 40.8 kW and 3 servers")], 60)
    texts = [line[0].text.strip() for line in lines]
    assert [text for text in texts if "54 %" in text]
    assert [text for text in texts if "4.42 s," in text]
    assert not [text for text in texts if text.startswith(("%", "kW"))]


def test_keys_of_the_sentence(qtbot: QtBot) -> None:
    widget = sentence()
    activate(qtbot, widget)
    widget.setFocus(Qt.FocusReason.MouseFocusReason)
    for which, action in ((Qt.Key.Key_Return, "fix"), (Qt.Key.Key_S, "curve")):
        with qtbot.waitSignal(widget.actionRequested, timeout=1000) as asked:
            QTest.keyClick(widget, which)
        assert asked.args == [action]
    with qtbot.waitSignal(widget.linkActivated, timeout=1000) as told:
        QTest.keyClick(widget, Qt.Key.Key_Down)
        QTest.keyClick(widget, Qt.Key.Key_Return)
    assert told.args == ["boundary"]


def test_a_stale_fix_cannot_be_applied(qtbot: QtBot) -> None:
    widget = sentence()
    activate(qtbot, widget)
    fix, curve = widget.findChildren(ActionButton)
    widget.set_stale(True)
    with qtbot.assertNotEmitted(widget.actionRequested):
        QTest.keyClick(widget, Qt.Key.Key_Return)
        QTest.mouseClick(fix, LEFT_BUTTON)
    assert not fix.isEnabled()
    widget.set_sentence(SENTENCE, BUTTONS)
    assert not fix.isEnabled(), "new words alone do not make it current"
    widget.set_stale(False)
    with qtbot.waitSignal(widget.actionRequested, timeout=1000) as told:
        QTest.mouseClick(fix, LEFT_BUTTON)
    assert told.args == ["fix"]
    with qtbot.waitSignal(widget.actionRequested, timeout=1000) as told:
        QTest.mouseClick(curve, LEFT_BUTTON)
    assert told.args == ["curve"]


def test_buttons_are_kept_over_new_results(qtbot: QtBot) -> None:
    widget = sentence()
    show(qtbot, widget)
    before = widget.findChildren(ActionButton)
    widget.set_sentence("Short.", [ButtonSpec("Apply other remap", "fix", "Enter", True), BUTTONS[1]])
    after = widget.findChildren(ActionButton)
    assert before == after
    assert after[0].text() == "Apply other remap"
    assert after[0].y() < 60, "buttons follow the words"


def test_missing_values_can_be_entered(qtbot: QtBot, drawn: list[str]) -> None:
    widget = SentenceView()
    parts = [
        Missing(["NVLink rate of ", ("GPU-X", "part:x")], "enter:rate"),
        Missing("NICs per GPU", "enter:nics"),
    ]
    widget.set_sentence(["The step time is ", Run("unknown", italic=True), "."], missing=parts)
    activate(qtbot, widget)
    drawn.clear()
    widget.grab()
    assert drawn.count("Enter value") == 2
    assert [hot.ref for hot in widget.links()] == ["part:x", "enter:rate", "enter:nics"]
    with qtbot.waitSignal(widget.linkActivated, timeout=1000) as told:
        QTest.mouseClick(widget, LEFT_BUTTON, pos=centre(widget, "enter:nics"))
    assert told.args == ["enter:nics"]


# ---- header, title, buttons ----------------------------------------------------------------------------------------


def test_unequal_domains_are_shown_side_by_side(qtbot: QtBot, drawn: list[str]) -> None:
    head = HeaderFigures()
    mixed = HeadFigure("8", "× 7 and", "GPUs per NVLink domain", "NVLink domain", (("72", "× 2"),))
    head.set_figures([mixed, FIGURES[1], HeadFigure("376 kW", "", "row, at least")])
    for width in (300, 376):
        drawn.clear()
        show(qtbot, head, width)
        assert {"8", "× 7 and", "72", "× 2", "3", "376 kW"} <= set(drawn), f"no number is cut at {width}"
    assert head.accessibleName().startswith("8 × 7 and 72 × 2 GPUs per NVLink domain")


def test_segmented_chooses_by_mouse_and_arrows(qtbot: QtBot) -> None:
    choice = Segmented([("fabric", "Fabric"), ("racks", "Racks"), ("floor", "Floor")], "View")
    activate(qtbot, choice, choice.sizeHint().width())
    told: list[str] = []
    choice.chosen.connect(told.append)
    QTest.mouseClick(choice.button("racks"), LEFT_BUTTON)
    assert (choice.current(), told) == ("racks", ["racks"])
    choice.button("racks").setFocus()
    QTest.keyClick(choice.button("racks"), Qt.Key.Key_Right)
    assert choice.current() == "floor"
    choice.set_current("fabric")
    assert told[-1] != "fabric", "only the user's choice is told"
    width = choice.sizeHint().width()
    choice.set_current("floor")
    assert choice.sizeHint().width() == width
    assert choice.button("floor").accessibleName() == "Floor"


def test_chip_shows_its_colour_when_on(qtbot: QtBot) -> None:
    chip = Chip("Storage", "storage")
    assert LIGHT.scope("storage") in colours(show(qtbot, chip, chip.sizeHint().width()))
    QTest.mouseClick(chip, LEFT_BUTTON)
    assert not chip.isChecked()
    assert LIGHT.scope("storage") not in colours(chip.grab().toImage())


def test_banner_says_shape_words_and_deeds(qtbot: QtBot) -> None:
    words = [Run("pod-east", bold=True), Run(" was not closed. "), Run("Show the edits", "edits")]
    banner = Banner("warning", words, [ButtonSpec("Recover", "recover")])
    image = show(qtbot, banner, 640)
    assert {LIGHT.warning, LIGHT.warning_fill} <= colours(image)
    assert banner.height() == 46
    with qtbot.waitSignal(banner.actionRequested, timeout=1000) as told:
        QTest.mouseClick(banner.findChildren(ActionButton)[0], LEFT_BUTTON)
    assert told.args == ["recover"]
    with qtbot.waitSignal(banner.linkActivated, timeout=1000) as told:
        QTest.mouseClick(banner, LEFT_BUTTON, pos=centre(banner, "edits"))
    assert told.args == ["edits"]
    assert banner.accessibleName() == "warning: pod-east was not closed. Show the edits"


def test_banner_grows_with_its_words(qtbot: QtBot, drawn: list[str]) -> None:
    banner = Banner("note", "Three units would need 16 spines too, not 12. " * 4)
    show(qtbot, banner, 320)
    assert banner.height() > 90
    assert "…" not in "".join(drawn)


def test_empty_state_offers_what_to_do(qtbot: QtBot) -> None:
    empty = EmptyState(
        "No racks yet", "Start from a template.", [ButtonSpec("New from template", "new", "Ctrl+N", True)]
    )
    qtbot.addWidget(empty)
    empty.resize(400, 200)
    empty.show()
    with qtbot.waitSignal(empty.actionRequested, timeout=1000) as told:
        QTest.mouseClick(empty.findChildren(ActionButton)[0], LEFT_BUTTON)
    assert told.args == ["new"]
    assert empty.accessibleName() == "No racks yet. Start from a template."
