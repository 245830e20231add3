"""How old the catalog is: advice without a date is worth little."""

from collections.abc import Iterator
from datetime import date

from rackbuilder.catalog.load import Catalog
from rackbuilder.errors import Problem

MAX_AGE_DAYS = 180


def age_problem(catalog: Catalog, today: date, limit_days: int = MAX_AGE_DAYS) -> Iterator[Problem]:
    """A warning when the newest entry of the catalog is older than the limit."""
    age = (today - date.fromisoformat(catalog.date)).days
    if age > limit_days:
        yield Problem(
            f"The catalog is of {catalog.date}, {age} days old",
            "catalog",
            f"Figures and availability may have changed; it warns above {limit_days} days.",
            "warning",
            rule="catalog.age",
        )
