"""Painted widgets from fixed data, and how tests look at them."""

from collections.abc import Callable
from typing import TypeVar

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from rackbuilder.ui.widgets import (
    ButtonSpec,
    GradeMark,
    HeaderFigures,
    HeadFigure,
    Painted,
    RackBar,
    RackColumns,
    Row,
    RowBars,
    Segment,
    SentenceView,
    StackedBar,
    paint,
    runs,
)

WidgetT = TypeVar("WidgetT", bound=QWidget)

LEFT_BUTTON = Qt.MouseButton.LeftButton

SEGMENTS = (
    Segment("in server", 0.858, "in-server", "85.8 %", "in server 85.8 %"),
    Segment("in domain", 0.0, "in-domain", "0.0 %"),
    Segment("server–leaf", 0.139, "server-leaf", "13.9 %"),
    Segment("leaf–spine", 0.003, "leaf-spine", "0.3 %"),
)
ROWS = (
    Row("srv-064 p1 → L17", 0.52, "52.0 %", ref="cable:1"),
    Row("srv-023 p5 → L05", 0.119, "11.9 %", ref="cable:2"),
)
RACKS = tuple(RackBar(f"A{i:02}", 0.927, "40.8 of 44.0 kW", f"rack:A{i:02}") for i in range(1, 13))
SENTENCE = (
    "The ",
    ("node boundary", "boundary"),
    " limits this job. Each ",
    ("tensor group of 16", "group:1"),
    " spans two servers: 14 % of the bytes leave NVLink and take 54 % of the step. ",
    ("Tensor 8 × pipeline 4", "remap"),
    " would cut the step from 4.42 s to 3.07 s.",
)
BUTTONS = (ButtonSpec("Apply remap", "fix", "Enter", primary=True), ButtonSpec("Show curve", "curve", "S"))
FIGURES = (
    HeadFigure("8", "GPUs", "per NVLink domain"),
    HeadFigure("3", "max 3", "median switch hops"),
    HeadFigure("4.42 s", "", "step · 919 k tokens/s"),
)


def stacked() -> StackedBar:
    made = StackedBar()
    made.set_segments(SEGMENTS)
    return made


def rows() -> RowBars:
    made = RowBars(5)
    made.set_rows(ROWS)
    return made


def columns() -> RackColumns:
    made = RackColumns()
    made.set_racks(
        RACKS, "limit 44.0 kW", ["Highest ", ("A01", "rack:A01"), " 40.8 kW"], "one PDU lost: holds"
    )
    return made


def sentence() -> SentenceView:
    made = SentenceView()
    made.set_sentence(SENTENCE, BUTTONS, GradeMark("extrapolated", "assumed"))
    return made


def header() -> HeaderFigures:
    made = HeaderFigures()
    made.set_figures(FIGURES)
    return made


ALL: tuple[Callable[[], Painted], ...] = (stacked, rows, columns, sentence, header)


def recorded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that every text drawn from now on is added to."""
    texts: list[str] = []
    put = paint.put

    def record(painter: QPainter, rect: QRectF, text: str, align: Qt.AlignmentFlag = paint.LEFT) -> None:
        texts.append(text)
        put(painter, rect, text, align)

    monkeypatch.setattr(paint, "put", record)
    monkeypatch.setattr(runs, "put", record)
    return texts


def show(qtbot: QtBot, widget: QWidget, width: int = 376) -> QImage:
    """What the widget paints, painted once."""
    qtbot.addWidget(widget)
    widget.resize(width, widget.height())
    return widget.grab().toImage()


def activate(qtbot: QtBot, widget: QWidget, width: int = 376) -> None:
    """On the screen and with the keyboard, as far as there is one."""
    qtbot.addWidget(widget)
    widget.resize(width, widget.height())
    widget.show()
    widget.activateWindow()
    qtbot.waitUntil(widget.isActiveWindow)


def built(qtbot: QtBot, widget: WidgetT) -> WidgetT:
    qtbot.addWidget(widget)
    return widget


def colours(image: QImage, box: QRect | None = None) -> set[str]:
    area = (box or image.rect()).intersected(image.rect())
    xs, ys = range(area.left(), area.right() + 1), range(area.top(), area.bottom() + 1)
    return {image.pixelColor(x, y).name() for x in xs for y in ys}


def centre(widget: Painted, ref: str, line: int = 0) -> QPoint:
    hot = next(hot for hot in widget.links() if hot.ref == ref)
    return hot.rects[line].center().toPoint()
