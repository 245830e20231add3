"""Icons follow the theme; marks of severity and confidence differ in shape, not in colour alone."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QIcon, QImage, QPainter
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from rackbuilder.ui import icons, theme
from rackbuilder.ui.theme import LIGHT
from tests.ui.widget_samples import (
    colours,
)


@pytest.fixture(autouse=True)
def light(qapp: QApplication) -> Iterator[None]:
    theme.apply(qapp, "light")
    yield
    theme.apply(qapp, "light")


def painted(draw: Callable[[QPainter], None], side: int = 32) -> QImage:
    image = QImage(side, side, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.panel))
    painter = QPainter(image)
    draw(painter)
    painter.end()
    return image


def test_every_icon_is_in_the_set_and_follows_the_theme(qtbot: QtBot, qapp: QApplication) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    for name in icons.NAMES:
        button.setIcon(icons.icon(name))
        theme.apply(qapp, "light")
        light = button.icon().pixmap(QSize(16, 16)).toImage()
        theme.apply(qapp, "dark")
        dark = button.icon().pixmap(QSize(16, 16)).toImage()
        assert light != dark, name
        assert any(light.pixelColor(x, y).alpha() > 128 for x in range(16) for y in range(16)), name
    with pytest.raises(KeyError, match="save"):
        icons.icon("svae")


def test_icons_by_mode(qtbot: QtBot) -> None:
    made = icons.icon("save")

    def darkest(mode: QIcon.Mode) -> set[str]:
        image = made.pixmap(QSize(32, 32), mode).toImage()
        return {
            image.pixelColor(x, y).name()
            for x in range(32)
            for y in range(32)
            if image.pixelColor(x, y).alpha() == 255
        }

    assert LIGHT.text2 in darkest(QIcon.Mode.Normal)
    assert LIGHT.line2 in darkest(QIcon.Mode.Disabled)
    assert LIGHT.on_tint in darkest(QIcon.Mode.Selected)


def test_severities_differ_in_shape_too(qapp: QApplication) -> None:
    box = QRectF(0, 0, 32, 32)
    shapes: list[frozenset[tuple[int, int]]] = []
    for severity in ("error", "warning", "note"):
        plain = painted(lambda p, s=severity: icons.paint_severity(p, box, s, LIGHT))  # type: ignore[misc]
        waived = painted(lambda p, s=severity: icons.paint_severity(p, box, s, LIGHT, waived=True))  # type: ignore[misc]
        assert LIGHT.severity(severity) in colours(plain)
        assert LIGHT.text3 in colours(waived)
        assert LIGHT.severity(severity) not in colours(waived)
        for image in (plain, waived):
            ink = ((x, y) for x in range(32) for y in range(32) if image.pixelColor(x, y).lightness() < 200)
            shapes.append(frozenset(ink))
    assert len(set(shapes)) == 6


def test_grades_differ_without_colour(qapp: QApplication) -> None:
    amounts = []
    for mark in ("known", "assumed", "unknown"):
        image = painted(lambda p, m=mark: icons.paint_grade(p, QRectF(0, 0, 20, 20), m, LIGHT))  # type: ignore[misc]
        amounts.append(sum(image.pixelColor(x, y).lightness() < 160 for x in range(32) for y in range(32)))
    # Of the same circle: all of it, half of it and its line, its broken line.
    assert amounts[0] > 1.5 * amounts[1] > 3 * amounts[2] > 0
