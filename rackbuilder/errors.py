"""What a user can cause: a Problem says what, where and how to fix; everything else is a bug."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong or worth knowing, in the words a user reads.

    `refs` name the culprits (see design.refs), so that a click can select them. `rule` is the id of the
    rule or check that found it, empty for a refused edit.
    """

    what: str
    where: str = ""
    fix: str = ""
    severity: Severity = "error"
    refs: tuple[str, ...] = ()
    rule: str = ""

    def text(self) -> str:
        """One paragraph for a terminal or a log."""
        parts = [self.what if not self.where else f"{self.where}: {self.what}"]
        if self.fix:
            parts.append(f"Fix: {self.fix}")
        return "\n  ".join(parts)


class ProblemError(Exception):
    """Raised when an edit, a file or an argument is refused; carries every reason, not only the first."""

    def __init__(self, *problems: Problem) -> None:
        self.problems = problems
        super().__init__("\n".join(problem.text() for problem in problems))


class InputError(ProblemError):
    """What was given cannot be understood: an unknown name, a field of the wrong kind, an unreadable file."""


def refusal(what: str, where: str = "", fix: str = "", refs: Iterable[str] = ()) -> ProblemError:
    """A ProblemError of one error, to be raised by the caller."""
    return ProblemError(Problem(what, where, fix, refs=tuple(refs)))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """'Did you mean “x”?' for the closest known word, else the list of what is known (at most ten)."""
    choices = sorted(known)
    close = difflib.get_close_matches(word, choices, n=1, cutoff=0.5)
    if close:
        return f"Did you mean “{close[0]}”?"
    shown = ", ".join(choices[:10])
    return f"Known: {shown}{', …' if len(choices) > 10 else ''}." if choices else "None is known."


def unknown_name(kind: str, name: str, known: Iterable[str], where: str = "") -> InputError:
    """“There is no template “supperpod”. Did you mean “superpod”?”"""
    return InputError(Problem(f"There is no {kind} “{name}”", where, did_you_mean(name, known)))
