"""How many problems of each severity: shape and number, in tabs, status bar and the worst line."""

from collections.abc import Mapping

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from rackbuilder.errors import Severity
from rackbuilder.ui.icons import paint_severity
from rackbuilder.ui.theme import SECONDARY, Theme, font
from rackbuilder.ui.widgets.paint import draw_text, text_width

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")
_MARK = 12


def counts_text(counts: Mapping[Severity, int]) -> str:
    """“1 error, 3 warnings”; “no problems”."""
    said = [f"{counts[s]:,} {s}{'' if counts[s] == 1 else 's'}" for s in SEVERITIES if counts.get(s)]
    return ", ".join(said) or "no problems"


def counts_width(counts: Mapping[Severity, int], zeros: bool = False) -> float:
    """Room for `draw_counts`, in px."""
    shown = [counts.get(s, 0) for s in SEVERITIES if zeros or counts.get(s)]
    return sum(_MARK + 12 + text_width(f"{n:,}", font(SECONDARY)) for n in shown)


def draw_counts(
    painter: QPainter, box: QRectF, counts: Mapping[Severity, int], theme: Theme, zeros: bool = False
) -> None:
    """Shapes and numbers from the left of a box; a severity without any is left out unless `zeros`."""
    x = box.left()
    for severity in SEVERITIES:
        count = counts.get(severity, 0)
        if not count and not zeros:
            continue
        paint_severity(painter, QRectF(x, box.center().y() - _MARK / 2, _MARK, _MARK), severity, theme)
        text = f"{count:,}"
        wide = text_width(text, font(SECONDARY))
        draw_text(painter, QRectF(x + _MARK + 4, box.top(), wide + 1, box.height()), text, theme.text2)
        x += _MARK + 12 + wide
