"""Quantities: types, parsing, display, and Figure, a value with what is known of it.

Base units inside: bit/s, byte, byte/s, W, s, m, kg, degree C. A rate is per direction, always.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NewType

from rackbuilder.errors import refusal

BitsPerSecond = NewType("BitsPerSecond", float)
BytesPerSecond = NewType("BytesPerSecond", float)
Bytes = NewType("Bytes", float)
Watts = NewType("Watts", float)
Seconds = NewType("Seconds", float)
Metres = NewType("Metres", float)
Kilograms = NewType("Kilograms", float)

Grade = Literal["A", "B", "C", "D", "user", "U"]
"""Evidence, best first: vendor page, cites the vendor, community or measured, trade, typed in by the user, a guess."""

GRADES: tuple[Grade, ...] = ("A", "B", "C", "D", "user", "U")
Mark = Literal["known", "assumed", "unknown"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A number and what is known of it.

    value      None is unknown: looked for and not found. Never zero.
    at_least   the value is a lower bound, because a part of the sum is unknown
    grade      the weakest evidence that went in
    missing    what is unknown, in words ("power_max_w of nvlink5-switch-tray")
    """

    value: float | None
    at_least: bool = False
    grade: Grade = "A"
    missing: tuple[str, ...] = ()

    @property
    def mark(self) -> Mark:
        if self.value is None:
            return "unknown"
        return "assumed" if self.grade in ("user", "U") else "known"

    @property
    def exact(self) -> bool:
        """Known in full: neither unknown nor only a lower bound."""
        return self.value is not None and not self.at_least

    def times(self, factor: float) -> "Figure":
        """The figure scaled by an exact number (a count, a unit)."""
        return self if self.value is None else replace(self, value=self.value * factor)

    def assumed(self) -> "Figure":
        """The same value, no longer backed by a source."""
        return replace(self, grade="U")


def weakest(grades: Iterable[Grade]) -> Grade:
    """The worst of some grades; A for none."""
    return max(grades, key=GRADES.index, default="A")


def total(figures: Iterable[Figure]) -> Figure:
    """The only sum of figures: unknown parts make it a lower bound, and are listed.

    No figures at all sum to an exact 0; only unknown ones sum to unknown.
    """
    rows = tuple(figures)
    values = [row.value for row in rows if row.value is not None]
    missing = tuple(dict.fromkeys(name for row in rows for name in row.missing))
    if rows and not values:
        return Figure(None, missing=missing)
    partial = len(values) < len(rows) or any(row.at_least for row in rows)
    grade = weakest(row.grade for row in rows if row.value is not None)
    return Figure(float(sum(values)), at_least=partial, grade=grade, missing=missing)


def unknown(name: str) -> Figure:
    """An unknown figure that says what is missing."""
    return Figure(None, missing=(name,))


# ---- parsing -------------------------------------------------------------------------------------------------

_QUANTITY = re.compile(r"\s*([-+]?\d[\d\u202f\u00a0_]*(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*([A-Za-zµ/%²³°]+)?\s*")
_SCALE = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "m": 1e-3, "µ": 1e-6, "u": 1e-6, "n": 1e-9}


def _split(text: str, unit: str, what: str) -> tuple[float, str]:
    match = _QUANTITY.fullmatch(text)
    if not match or match[2] is None:
        raise refusal(f"“{text}” is not a {what}", fix=f"Write a number and a unit, such as {unit}.")
    value = float(re.sub(r"[\u202f\u00a0_]", "", match[1]))
    if not math.isfinite(value):
        raise refusal(f"“{text}” is beyond all numbers", fix="Write a smaller one.")
    return value, match[2]


def parse_rate_bps(text: str) -> BitsPerSecond:
    """A rate per direction in bit/s from “400 Gb/s” or “50 GB/s”.

    Text that does not say bits or bytes (“400G”) and text that adds both directions are refused: they are
    read in two ways by the people of this field.
    """
    body = text.removesuffix("per direction").rstrip()
    if "bidir" in body or "both" in body:
        raise refusal(f"“{text}” adds both directions", fix="Give the rate of one direction.")
    value, unit = _split(body, "400 Gb/s", "rate")
    match = re.fullmatch(r"([kMGT]?)(b|B|bit|byte)/s", unit)
    if not match:
        raise refusal(f"“{text}” does not say bits or bytes per second", fix="Write 400 Gb/s or 50 GB/s.")
    return BitsPerSecond(value * _SCALE[match[1]] * (8 if match[2] in ("B", "byte") else 1))


def parse_bidirectional_bytes_s(text: str) -> BytesPerSecond:
    """Half of a vendor's figure that adds both directions: “900 GB/s” gives 450e9 byte/s per direction."""
    return BytesPerSecond(parse_rate_bps(text) / 8 / 2)


def parse_unit(text: str, unit: str) -> float:
    """A number in the base unit from text such as “10.2 kW”, “25 m” or “3.5 µs”; `unit` is W, m, s, kg, B …"""
    value, given = _split(text, f"1 {unit}", f"value in {unit}")
    if given == unit:
        return value
    if unit != "kg" and given.endswith(unit) and given[: -len(unit)] in _SCALE:
        return value * _SCALE[given[: -len(unit)]]
    raise refusal(f"“{text}” is not in {unit}", fix=f"Write the value in {unit}, for example “1 {unit}”.")


# ---- display (ASCII-safe, locale-free: for reports, CLI and exports; the window has its own) -------------------

_STEPS = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def _scaled(value: float, unit: str) -> str:
    """Four digits; the prefix of the rounded value, so that 999.99 G is 1 T and not 1000 G."""
    rounded = float(f"{value:.4g}")
    for size, prefix in _STEPS:
        if abs(rounded) >= size:
            return f"{_digits(value / size, 4)} {prefix}{unit}"
    return f"{_digits(value, 4)} {unit}"


def _digits(value: float, count: int) -> str:
    """That many digits, and all of those before the point: never 1.23e+04."""
    rounded = float(f"{value:.{count}g}")
    return f"{value:,.0f}" if abs(rounded) >= 10**count else f"{value:.{count}g}"


def rate_text(rate_bps: float) -> str:
    """“400 Gb/s”; the caller adds “per direction” where the column does not say it."""
    return _scaled(rate_bps, "b/s")


def byte_rate_text(rate_bytes_s: float) -> str:
    return _scaled(rate_bytes_s, "B/s")


def bytes_text(size_bytes: float) -> str:
    return _scaled(size_bytes, "B")


def power_text(power_w: float) -> str:
    """kW with one decimal, MW from 10,000 kW, W below 1 kW."""
    if abs(round(power_w, -2)) >= 1e7:
        return f"{power_w / 1e6:,.2f} MW"
    return f"{power_w / 1e3:,.1f} kW" if abs(round(power_w)) >= 1e3 else f"{power_w:,.0f} W"


def time_text(time_s: float) -> str:
    """Three significant digits in s, ms or µs."""
    rounded = float(f"{time_s:.3g}")
    for size, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if abs(rounded) >= size:
            return f"{_digits(time_s / size, 3)} {unit}"
    return f"{_digits(time_s / 1e-9, 3)} ns"
