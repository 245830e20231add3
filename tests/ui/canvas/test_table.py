"""The table view: rows of the document, sorted as people number, selected for all views."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from rackbuilder.commands.devices import Rename
from rackbuilder.ui import theme
from rackbuilder.ui.views.table import TableView
from tests.layout import samples
from tests.ui.canvas.hosts import PlainHost


@pytest.fixture
def table(qtbot: QtBot, qapp: QApplication) -> Iterator[tuple[TableView, PlainHost]]:
    theme.apply(qapp, "light")
    host = PlainHost(samples.superpod(units=1, spines=4))
    view = TableView(host)
    host.views.append(view)
    qtbot.addWidget(view)
    view.resize(1000, 600)
    view.show()
    yield view, host
    view.close()


def column(view: TableView, number: int) -> list[str]:
    model = view.table.model()
    return [str(model.index(row, number).data()) for row in range(model.rowCount())]


def test_devices_with_their_figures(table: tuple[TableView, PlainHost]) -> None:
    view, host = table
    assert len(column(view, 0)) == len(host.design.devices)
    row = column(view, 0).index("srv-001")
    model = view.table.model()
    cells = [model.index(row, n).data() for n in range(8)]
    assert cells == ["srv-001", "DGX H100", "A01", "U1–U8", "", "", "10 of 13", "10.2 kW"]


def test_rows_sort_by_number(table: tuple[TableView, PlainHost]) -> None:
    view, _ = table
    view.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    servers = [name for name in column(view, 0) if name.startswith("eth-")]
    assert servers == [f"eth-{n}" for n in range(1, 9)]
    view.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    assert [name for name in column(view, 0) if name.startswith("eth-")] == servers[::-1]


def test_cables_with_both_ends(table: tuple[TableView, PlainHost]) -> None:
    view, host = table
    view.set_what("cables")
    assert len(column(view, 0)) == len(host.design.cables)
    first = [view.table.model().index(0, n).data() for n in range(8)]
    assert first[1:6] == ["srv-001", "osfp1/1", "L01", "osfp1/1", "compute"]
    assert first[6:] == ["not chosen", "unknown"]


def test_selecting_rows_selects_for_all_views(table: tuple[TableView, PlainHost]) -> None:
    view, host = table
    view.table.selectRow(column(view, 0).index("L03"))
    assert host.selection.refs == ("L03",)
    host.selection.set(["srv-002", "srv-004"])
    rows = {index.row() for index in view.table.selectionModel().selectedRows()}
    assert {column(view, 0)[row] for row in rows} == {"srv-002", "srv-004"}


def test_an_edit_is_followed(table: tuple[TableView, PlainHost]) -> None:
    view, host = table
    host.do(Rename(ref="srv-001", name="alpha"))
    assert "alpha" in column(view, 0)
