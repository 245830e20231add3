"""Small widgets that paint themselves with the theme and are given plain data, no model.

All have a fixed height, a stale state and a state for what is unknown; what can be clicked can be reached by Tab.
"""

from rackbuilder.ui.widgets.banner import Banner, EmptyState
from rackbuilder.ui.widgets.base import Painted
from rackbuilder.ui.widgets.button import ActionButton, Chip, Segmented
from rackbuilder.ui.widgets.data import (
    ButtonSpec,
    GradeMark,
    HeadFigure,
    Missing,
    RackBar,
    Row,
    Run,
    Runs,
    Segment,
)
from rackbuilder.ui.widgets.header import HeaderFigures
from rackbuilder.ui.widgets.rack_columns import RackColumns
from rackbuilder.ui.widgets.row_bars import RowBars
from rackbuilder.ui.widgets.section import SectionBox
from rackbuilder.ui.widgets.sentence import SentenceView
from rackbuilder.ui.widgets.stacked_bar import StackedBar

__all__ = [
    "ActionButton",
    "Banner",
    "ButtonSpec",
    "Chip",
    "EmptyState",
    "GradeMark",
    "HeadFigure",
    "HeaderFigures",
    "Missing",
    "Painted",
    "RackBar",
    "RackColumns",
    "Row",
    "RowBars",
    "Run",
    "Runs",
    "SectionBox",
    "Segment",
    "Segmented",
    "SentenceView",
    "StackedBar",
]
