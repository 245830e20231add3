"""Numbers as the window writes them: grouped as the user's locale does, three significant digits, a space, the unit.

Nothing here invents: None is "unknown", and a lower bound starts with "at least". Files and the command line have
their own, locale-free words in `units`.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from PySide6.QtCore import QLocale

from rackbuilder.units import Figure

UNKNOWN = "unknown"
NONE = "none"

_UP = ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
_BINARY = ((2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"), (1.0, "B"))
_TIME = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def locale() -> QLocale:
    """The user's; where the system names none (“C”), English, because C has no digit groups."""
    chosen = QLocale()
    return QLocale(QLocale.Language.English) if chosen.language() == QLocale.Language.C else chosen


def fixed(value: float, decimals: int = 0) -> str:
    """So many decimals, grouped. A value that rounds to zero has no minus sign."""
    shown = round(float(value), decimals) or 0.0
    return locale().toString(shown, "f", decimals)


def significant(value: float, digits: int = 3, trim: bool = False) -> str:
    """So many significant digits, grouped, never as a power of ten; whole digits are kept (“1,426”, not “1,430”).

    `trim` drops zeros at the end of the decimals, for nominal values: “400”, “12.8”.
    """
    decimals = _decimals(value, digits)
    if trim:
        shown = round(value, decimals)
        decimals = next(n for n in range(decimals + 1) if math.isclose(round(shown, n), shown, abs_tol=1e-12))
    return fixed(value, decimals)


def _decimals(value: float, digits: int) -> int:
    """Decimals that give so many digits after rounding: 9.996 to three digits is 10.0."""
    if value == 0:
        return 0
    rounded = float(f"{value:.{digits - 1}e}")
    return max(0, digits - 1 - math.floor(math.log10(abs(rounded))))


def _step(value: float, steps: tuple[tuple[float, str], ...], digits: int) -> tuple[float, str]:
    """The largest step that the value, rounded, reaches: 999.7 ms is 1.00 s."""
    rounded = abs(float(f"{value:.{digits - 1}e}"))
    return next(((size, unit) for size, unit in steps if rounded >= size * (1 - 1e-12)), steps[-1])


def _prefixed(value: float, unit: str, digits: int = 3, trim: bool = False) -> str:
    size, prefix = _step(value, _UP, digits) if value else (1.0, "")
    return f"{significant(value / size, digits, trim)} {prefix}{unit}"


# ---- what the window shows -------------------------------------------------------------------------------------


def count(value: int | None) -> str:
    """“1,016”."""
    return UNKNOWN if value is None else fixed(value)


def quantity(value: float | None, unit: str, digits: int = 3) -> str:
    """A value in a unit that takes no prefix: “21 m”, “1,360 kg”, “130.5 kg” with four digits, “10 K”."""
    return UNKNOWN if value is None else f"{significant(value, digits, trim=True)} {unit}"


def rate(rate_bps: float | None, direction: bool = True) -> str:
    """“400 Gb/s per direction”. Four digits, zeros dropped: sums of nominal rates are exact (“409.6 Tb/s”)."""
    if rate_bps is None:
        return UNKNOWN
    return _prefixed(rate_bps, "b/s", 4, trim=True) + (" per direction" if direction else "")


def byte_rate(rate_bytes_s: float | None, direction: bool = True) -> str:
    """“450 GB/s per direction”, as NVLink is given."""
    if rate_bytes_s is None:
        return UNKNOWN
    return _prefixed(rate_bytes_s, "B/s", 4, trim=True) + (" per direction" if direction else "")


def size(size_bytes: float | None) -> str:
    """Traffic and storage, decimal: “652 TB”."""
    return UNKNOWN if size_bytes is None else _prefixed(size_bytes, "B")


def memory(size_bytes: float | None) -> str:
    """Memory, binary: “80 GiB”."""
    if size_bytes is None:
        return UNKNOWN
    step, unit = _step(size_bytes, _BINARY, 3)
    return f"{significant(size_bytes / step, trim=True)} {unit}"


def power(power_w: float | None) -> str:
    """kW with one decimal, MW with three digits from 10,000 kW, W below 1 kW: “40.8 kW”, “48 W”."""
    if power_w is None:
        return UNKNOWN
    if abs(power_w) >= 9_999_950:
        return f"{significant(power_w / 1e6)} MW"
    if abs(power_w) >= 999.5 or power_w == 0:
        return f"{fixed(power_w / 1e3, 1)} kW"
    return f"{significant(power_w, trim=True)} W"


def power_of(power_w: float | None, limit_w: float | None) -> str:
    """“40.8 of 44.0 kW”; a limit that is not known is said."""
    if limit_w is None:
        return power(power_w)
    if power_w is None:
        return f"{UNKNOWN} of {power(limit_w)}"
    value, unit = power(limit_w).rsplit(" ", 1)
    divisor, decimals = {"MW": (1e6, 2), "kW": (1e3, 1), "W": (1.0, 0)}[unit]
    return f"{fixed(power_w / divisor, decimals)} of {value} {unit}"


def time(time_s: float | None, like_s: float | None = None) -> str:
    """Three digits in s, ms or µs; with `like_s` the unit and decimals of that time, so that parts of a sum align.

    “4.42 s”, “110 ms”; time(0.11, like_s=4.42) is “0.11 s”.
    """
    if time_s is None:
        return UNKNOWN
    pattern = like_s or time_s
    if not pattern:
        return "0 s"
    step, unit = _step(pattern, _TIME, 3)
    return f"{fixed(time_s / step, _decimals(pattern / step, 3))} {unit}"


def percent(share: float | None, decimals: int = 1, zero: str = NONE) -> str:
    """“85.8 %”; zero is “none”, and what would round to zero “< 0.1 %”: a little is not nothing."""
    if share is None:
        return UNKNOWN
    least = 10.0**-decimals
    if share == 0:
        return zero
    if abs(share * 100) < least / 2:
        return f"< {fixed(least, decimals)} %"
    return f"{fixed(share * 100, decimals)} %"


def ratio(down: float | None, up: float | None) -> str:
    """Oversubscription as down:up: “1:1”, “4:3”; “1.94:1” where no small whole numbers say it."""
    if down is None or up is None:
        return UNKNOWN
    if up <= 0:
        return "no uplinks"
    exact = Fraction(down / up).limit_denominator(16)
    if exact.numerator <= 16 and math.isclose(float(exact), down / up, rel_tol=1e-9):
        return f"{exact.numerator}:{exact.denominator}"
    return f"{significant(down / up, trim=True)}:1"


def per_second(value: float | None, what: str) -> str:
    """“919 k tokens/s”."""
    if value is None:
        return UNKNOWN
    step, prefix = _step(value, _UP[2:], 3) if value else (1.0, "")
    return f"{significant(value / step)} {prefix} {what}/s" if prefix else f"{significant(value)} {what}/s"


def money(value: float | None, currency: str = "$") -> str:
    """“$ 46.2 M”; below a million every digit that is left of the point."""
    if value is None:
        return UNKNOWN
    step, prefix = _step(value, _UP[2:4], 3) if abs(value) >= 999_500 else (1.0, "")
    return (
        f"{currency} {significant(value / step)} {prefix}".rstrip()
        if prefix
        else f"{currency} {fixed(value)}"
    )


# ---- with what is known of them ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shown:
    """A figure ready to be drawn: the words, and whether they are a number at all."""

    text: str
    known: bool
    at_least: bool = False


def figure(value: Figure, words: Callable[[float], str]) -> Shown:
    """A Figure in words: “unknown”, “at least 1,426.0 kW” or the plain value."""
    if value.value is None:
        return Shown(UNKNOWN, known=False)
    text = words(value.value)
    return Shown(f"at least {text}" if value.at_least else text, known=True, at_least=value.at_least)
