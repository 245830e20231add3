"""Remembers what was worked out from parts of a value, for as long as those parts are the same objects."""

from collections.abc import Callable, Hashable
from typing import TypeVar, cast

T = TypeVar("T")


class Memo:
    """Handed from one graph value to the next: what an edit leaves alone is not worked out again.

    Only a cache: an entry counts while everything it was made of is the same object, so sharing one between
    revisions, or between two threads, changes no result.
    """

    def __init__(self) -> None:
        self._kept: dict[Hashable, tuple[tuple[object, ...], object]] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, made_of: tuple[object, ...], make: Callable[[], T]) -> T:
        """The value of a key, made anew when one of the objects it is made of is another one than last time."""
        entry = self._kept.get(key)
        if entry is not None and len(entry[0]) == len(made_of):
            for old, new in zip(entry[0], made_of, strict=True):
                if old is not new:
                    break
            else:
                return cast(T, entry[1])
        value = make()
        self._kept[key] = (made_of, value)
        return value

    def same(self, key: Hashable, value: T) -> T:
        """The value last given for this key if it is equal, so that what is made of it stays valid; else this one."""
        entry = self._kept.get(key)
        if entry is not None and entry[1] == value:
            return entry[1]
        self._kept[key] = ((), value)
        return value
