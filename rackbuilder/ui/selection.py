"""What is selected: refs in the order they were chosen, one set for all views."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Signal


class Selection(QObject):
    """An ordered set of refs (see design.refs). `changed` fires once for each change, and never without one."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._refs: dict[str, None] = {}

    @property
    def refs(self) -> tuple[str, ...]:
        return tuple(self._refs)

    @property
    def primary(self) -> str:
        """The ref chosen last; empty when nothing is selected."""
        return next(reversed(self._refs), "")

    def __contains__(self, ref: object) -> bool:
        return ref in self._refs

    def __len__(self) -> int:
        return len(self._refs)

    def set(self, refs: Iterable[str]) -> None:
        """Selects these refs alone."""
        self._take(dict.fromkeys(refs))

    def add(self, refs: Iterable[str]) -> None:
        self._take({**self._refs, **dict.fromkeys(refs)})

    def remove(self, refs: Iterable[str]) -> None:
        gone = frozenset(refs)
        self._take({ref: None for ref in self._refs if ref not in gone})

    def toggle(self, refs: Iterable[str]) -> None:
        """Takes out what is selected, adds what is not."""
        wanted = dict.fromkeys(refs)
        kept = {ref: None for ref in self._refs if ref not in wanted}
        self._take({**kept, **{ref: None for ref in wanted if ref not in self._refs}})

    def clear(self) -> None:
        self._take({})

    def keep(self, exists: Callable[[str], bool]) -> None:
        """Drops the refs of things that are no longer there."""
        self._take({ref: None for ref in self._refs if exists(ref)})

    def _take(self, refs: dict[str, None]) -> None:
        if list(refs) != list(self._refs):
            self._refs = refs
            self.changed.emit()
