"""What the painted widgets are given: plain texts, shares and colour tokens; no widget knows the model.

A colour is a token of the theme ("server-leaf", "compute"), so that a change of theme needs a repaint only.
An unknown value is None and is drawn hatched and as a word, whatever text comes with it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rackbuilder.units import Mark


class Run(NamedTuple):
    """A stretch of a sentence; with a ref it is a link that selects and frames what it names."""

    text: str
    ref: str | None = None
    italic: bool = False
    bold: bool = False


Runs = Iterable[Run | tuple[str, str | None] | str]


def as_runs(runs: Runs | str) -> tuple[Run, ...]:
    """Runs from what callers find handy: a string, pairs of text and ref, or Runs themselves."""
    if isinstance(runs, str):
        return (Run(runs),)
    return tuple(
        run if isinstance(run, Run) else Run(run) if isinstance(run, str) else Run(*run) for run in runs
    )


def plain(runs: Iterable[Run]) -> str:
    """The words alone, for tips and screen readers."""
    return "".join(run.text for run in runs)


class Segment(NamedTuple):
    """A part of a stacked bar. `text` is its value in words; a value of 0 is written "none"."""

    label: str
    value: float | None
    colour: str
    text: str = ""
    inside: str = ""
    """Written in the bar where it fits; empty for the label."""
    hidden: bool = False
    """Overlapped by something else: hatched, and not in the legend."""
    legend: bool = True


class Row(NamedTuple):
    """A label, a bar and a text. Without a colour the bar takes that of its load."""

    label: str
    share: float | None
    text: str
    colour: str | None = None
    ref: str | None = None
    error: bool = False
    """The text is in the error colour ("unreachable")."""


class RackBar(NamedTuple):
    """A rack against its limit. `partial`: a part is unknown, so that the share is a lower bound.

    Not `limited`: no limit is set, and the share only says how long the bar is beside the others.
    """

    name: str
    share: float | None
    text: str
    ref: str | None = None
    partial: bool = False
    limited: bool = True


class HeadFigure(NamedTuple):
    """A big number. `value` None is *unknown*; "–" where there is nothing to say yet."""

    value: str | None
    unit: str = ""
    caption: str = ""
    short: str = ""
    """The caption where there is little room."""
    more: tuple[tuple[str, str], ...] = ()
    """Further pairs of big and small: (("72", "× 2"),) after value "8", unit "× 7 and"."""


class ButtonSpec(NamedTuple):
    """A button by what it asks for. `hint` is its key, shown beside the text."""

    text: str
    action: str
    hint: str = ""
    primary: bool = False
    enabled: bool = True
    tip: str = ""


class Missing(NamedTuple):
    """A value that is not known, and the ref where it can be entered."""

    runs: Runs
    ref: str
    text: str = "Enter value"


class GradeMark(NamedTuple):
    """How far a result can be trusted: calibrated, extrapolated, uncalibrated."""

    text: str
    mark: Mark
