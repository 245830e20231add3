"""Past versions of the file: each step maps version n to n + 1, as plain values.

A new table or optional field is no new version; only a changed meaning is.
"""

from collections.abc import Callable, Mapping
from typing import Any

VERSION = 1

Step = Callable[[dict[str, Any]], dict[str, Any]]

MIGRATIONS: Mapping[int, Step] = {}
"""Version n -> the step to n + 1. Version 1 is the first."""


def migrate(
    data: dict[str, Any], version: int, steps: Mapping[int, Step] = MIGRATIONS, target: int = VERSION
) -> dict[str, Any]:
    """File content brought up to the present version. Raises KeyError for a version that never was."""
    for number in range(version, target):
        data = steps[number](data)
    return data
