"""Undo and redo: stacks of patches, each with what was selected and shown."""

from dataclasses import dataclass, field, replace

from rackbuilder.design.patch import Patch, merged


@dataclass(frozen=True, slots=True)
class Focus:
    """What the user had selected and saw when a step was made; undo brings it back."""

    selection: tuple[str, ...] = ()
    view: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One undoable step. Steps in a row with the same gesture key are one (a spin box, an arrow key held)."""

    patch: Patch
    gesture: str = ""
    focus: Focus = field(default_factory=Focus)


class History:
    """The steps done and undone. Holds patches only; the session applies them."""

    def __init__(self) -> None:
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._open = False

    @property
    def done(self) -> tuple[Step, ...]:
        """Oldest first."""
        return tuple(self._done)

    @property
    def undone(self) -> tuple[Step, ...]:
        """The next to redo first."""
        return tuple(reversed(self._undone))

    @property
    def last(self) -> Step | None:
        """The step that undo takes back."""
        return self._done[-1] if self._done else None

    @property
    def next(self) -> Step | None:
        """The step that redo repeats."""
        return self._undone[-1] if self._undone else None

    @property
    def position(self) -> int:
        return len(self._done)

    def push(self, step: Step) -> None:
        """Adds a step and forgets what was undone; merges it with the last one of the same gesture."""
        self._undone.clear()
        last = self._done[-1] if self._done else None
        if last and self._open and step.gesture and last.gesture == step.gesture:
            both = merged(step.patch.label, (last.patch, step.patch))
            self._done[-1] = replace(last, patch=both)
            if both.empty:  # the gesture came back to where it began
                self._done.pop()
                self._open = False  # the step before is another gesture, whatever its key
            return
        self._done.append(step)
        self._open = True

    def close_gesture(self) -> None:
        """The next step stands alone, whatever its key: the button was released, the field left."""
        self._open = False

    def undo(self) -> Step | None:
        """The step to take back, moved to the undone ones."""
        self._open = False
        if not self._done:
            return None
        step = self._done.pop()
        self._undone.append(step)
        return step

    def redo(self) -> Step | None:
        self._open = False
        if not self._undone:
            return None
        step = self._undone.pop()
        self._done.append(step)
        return step
