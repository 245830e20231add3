"""Figures of parts as this design sees them: an override of the user wins over the catalog's number."""

from collections.abc import Iterable

from rackbuilder.catalog.parts import PartBase
from rackbuilder.design.records import Override
from rackbuilder.units import Figure, weakest


class Figures:
    """Look-ups of `part/<id>/<field>` and `ref/<ref>/<field>`; values that are no numbers are left out."""

    def __init__(self, overrides: Iterable[Override] = ()) -> None:
        self._values: dict[str, float] = {
            row.id: float(row.value)
            for row in overrides
            if isinstance(row.value, int | float) and not isinstance(row.value, bool)
        }

    def __bool__(self) -> bool:
        return bool(self._values)

    def part(self, part: PartBase, field: str) -> Figure:
        """A numeric field of a part with what is known of it. Raises AttributeError for a field it has not."""
        value = self._values.get(f"part/{part.id}/{field}")
        return part.figure(field) if value is None else Figure(value, grade="user")

    def given(self, key: str) -> Figure | None:
        """What the user set under a whole key, such as “ref/srv-0007/power_max_w”; None when nothing."""
        value = self._values.get(key)
        return None if value is None else Figure(value, grade="user")

    def rate_bps(self, ref: str) -> float | None:
        """The rate a user set for one cable, bit/s per direction."""
        return self._values.get(f"ref/{ref}/rate_bps")


def lowest(figures: Iterable[Figure]) -> Figure:
    """The least of some figures. Unknown when one is: it may be the least. Nothing at all is unknown."""
    rows = tuple(figures)
    values = [row.value for row in rows if row.value is not None]
    missing = tuple(dict.fromkeys(name for row in rows for name in row.missing))
    if not rows or len(values) < len(rows):
        return Figure(None, missing=missing)
    at_least = any(row.at_least for row in rows)
    return Figure(min(values), at_least, weakest(row.grade for row in rows), missing)
