"""What the subcommands share: opening, analysing, speaking, and leaving with the right code.

Exit codes: 0 fine, also with warnings; 1 an error finding or a refused edit, nothing written; 2 usage or
unreadable input; 3 internal.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import typer

from rackbuilder.catalog.load import Catalog, shipped
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.errors import InputError, Problem, ProblemError
from rackbuilder.session.analyst import Analyst, Outcome
from rackbuilder.session.session import Session


def say(text: str) -> None:
    """Progress and messages go to stderr: stdout is for results."""
    sys.stderr.write(text + "\n")


def put(text: str) -> None:
    sys.stdout.write(text if text.endswith("\n") else text + "\n")


def put_json(data: Mapping[str, object]) -> None:
    """One object on stdout and nothing else there."""
    put(json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False))


def complain(problem: Problem) -> None:
    say(f"{problem.severity}: {problem.text()}")


@contextmanager
def exit_codes() -> Iterator[None]:
    """Turns refusals into messages and exit codes."""
    try:
        yield
    except InputError as error:
        _leave(error, 2)
    except ProblemError as error:
        _leave(error, 1)


def _leave(error: ProblemError, code: int) -> None:
    for problem in error.problems:
        complain(problem)
    raise typer.Exit(code)


def catalog() -> Catalog:
    return shipped()


def opened(file: Path) -> Session:
    """A session on a file. What was set aside is said on stderr; an unreadable file leaves with 2."""
    session = Session.open(file, catalog())
    for problem in session.problems:
        complain(problem)
    return session


def analysed(session: Session) -> Outcome:
    return Analyst(shipped_workloads()).run(session.design, session.graphs, session.revision)


def settings_from(pairs: list[str]) -> dict[str, str]:
    """KEY=VALUE arguments as a dict; an empty value leaves the field at its default."""
    fields = {}
    for pair in pairs:
        name, mark, value = pair.partition("=")
        if not mark or not name:
            raise InputError(
                Problem(f"“{pair}” is no KEY=VALUE", "--set", "Write for example --set units=4.")
            )
        if value:
            fields[name] = value
    return fields
