"""Results of lengths and media: metres of each cable, and what each is made of, with the reason."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from rackbuilder.analysis.inputs import Assumption
from rackbuilder.errors import Severity
from rackbuilder.units import Figure

Origin = Literal["pinned", "chosen", "open"]
"""Set by the user; chosen by the tool; neither, because something must be known first or nothing fits."""


@dataclass(frozen=True)
class Lengths:
    """Path of every cable with its slack, in metres; a length that the user set stands as it is.

    A figure is “at least” when a rack or device of the path has no place, and has no value when nothing is known.
    """

    cables: dict[str, Figure]
    total_m: Figure
    unknown: int
    """Cables whose length is unknown or a lower bound."""
    by_device: dict[str, Mapping[str, Figure]] = field(default_factory=dict)
    """The same by the device where the record of a cable begins."""
    short: dict[str, Figure] = field(default_factory=dict)
    """Cables whose set length does not even reach along the path, which is given here without slack."""
    assumptions: tuple[Assumption, ...] = ()


class Option(NamedTuple):
    """Another way to make the same links."""

    medium: str
    part: str
    length_m: float
    optics: tuple[str, ...]
    """Those it needs besides, each once; empty for a cable that brings its plugs."""


class Choice(NamedTuple):
    """What one cable record is made of."""

    part: str
    """Empty when open."""
    origin: Origin
    length_m: float | None
    """To order: a length in which the part exists. None: unknown."""
    optics: tuple[str, str]
    """In the cages at both ends, pinned or chosen; empty where none is needed or none is known."""
    reason: str
    alternatives: tuple[Option, ...] = ()


class Mend(NamedTuple):
    """The edit that would right a fault: an optic for a cage, or the best parts for some cables."""

    kind: Literal["optic", "medium", "airflow"]
    target: tuple[str, ...]
    value: str = ""


class Fault(NamedTuple):
    """Something plugged or pinned that cannot work, in words."""

    rule: str
    severity: Severity
    what: str
    where: str
    fix: str
    refs: tuple[str, ...]
    mend: Mend | None = None


@dataclass(frozen=True)
class Media:
    cables: dict[str, Choice]
    optics: dict[str, Mapping[str, str]]
    """Device -> cage -> the optic that the tool chose; pinned ones are not listed."""
    by_device: dict[str, Mapping[str, Choice]]
    """The choices of all cables at a device."""
    open: dict[str, str] = field(default_factory=dict)
    """Cables that have no part yet -> why."""
    faults: tuple[Fault, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
