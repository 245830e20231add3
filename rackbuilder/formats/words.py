"""Results in plain words, the same on every machine: for reports and terminals. The window has its own."""

import re
from collections.abc import Callable, Iterable, Sequence

from rackbuilder.analysis.inputs import Assumption
from rackbuilder.analysis.report import Report
from rackbuilder.topology.natural import natural_key
from rackbuilder.units import Figure

UNKNOWN = "unknown"
NONE = "–"


def figure_text(figure: Figure, words: Callable[[float], str]) -> str:
    """“at least 1,426.0 kW”, “132.0 kW (assumed)”, “unknown (power_max_w of …)”; a dash for what does not exist."""
    if figure.value is None:
        return f"{UNKNOWN} ({few(figure.missing)})" if figure.missing else NONE
    text = words(figure.value)
    if figure.at_least:
        text = f"at least {text}"
    mark = {"U": " (assumed)", "user": " (set by the user)"}.get(figure.grade, "")
    return text + mark


def few(names: Sequence[str], most: int = 3) -> str:
    """“a, b, c and 4 more”."""
    more = f" and {len(names) - most:,} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more


def counted(number: int, one: str, many: str = "") -> str:
    """“1 leaf”, “32 leaves”."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def ratio_text(ratio: float | None) -> str:
    """Oversubscription, down over up: “1:1”, “1.94:1”."""
    return NONE if ratio is None else f"{ratio:.3g}:1"


def assumptions_of(report: Report) -> list[Assumption]:
    """Every assumption that a result rests on, once, by name."""
    results = (report.power, report.cooling, report.placement, report.loads, report.step)
    found = {note: None for result in results if result is not None for note in result.assumptions}
    return sorted(found, key=lambda note: (natural_key(note.name), note.text))


# ---- Markdown

_MARKS = re.compile(r"([\\`*\[\]<|])")
_BREAKS = re.compile(r"[\x00-\x1f\x7f\u2028\u2029]+")


def plain(text: str) -> str:
    """Names as people typed them, so that no mark in them shapes the document."""
    return _MARKS.sub(r"\\\1", _BREAKS.sub(" ", text))


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a table; cells are taken as they are, so names go through `plain` first."""
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    return [*lines, *(f"| {' | '.join(row)} |" for row in rows)]
