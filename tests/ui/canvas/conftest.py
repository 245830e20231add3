"""A view on a plain document, shown offscreen at a fixed size."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from rackbuilder.design.design import Design
from rackbuilder.ui import theme
from rackbuilder.ui.views.page import CanvasPage
from tests.ui.canvas.hosts import Opener, Page, PlainHost


@pytest.fixture
def light(qapp: QApplication) -> Iterator[None]:
    theme.apply(qapp, "light")
    yield
    theme.apply(qapp, "light")


@pytest.fixture
def open_view(qtbot: QtBot, light: None) -> Iterator[Opener]:
    """`page, host = open_view(FabricView, design)`."""
    made: list[CanvasPage] = []

    def make(kind: type[Page], design: Design) -> tuple[Page, PlainHost]:
        host = PlainHost(design)
        page = kind(host)
        host.views.append(page)
        qtbot.addWidget(page)
        page.resize(1290, 787)
        page.show()
        qtbot.waitExposed(page)
        page.fit_all()
        made.append(page)
        return page, host

    yield make
    for page in made:
        page.close()
