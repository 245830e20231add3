"""Moves the window over the drawing; the view itself does it while this tool is in hand."""

from typing import ClassVar

from PySide6.QtCore import Qt

from rackbuilder.ui.canvas.tools.base import Tool


class PanTool(Tool):
    name: ClassVar[str] = "pan"
    cursor: ClassVar[Qt.CursorShape] = Qt.CursorShape.OpenHandCursor
    pans: ClassVar[bool] = True
