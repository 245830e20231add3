"""rackbuilder export FILE: documents for the supplier, the installers and other programs."""

from pathlib import Path
from typing import Annotated

import typer

from rackbuilder.cli import common
from rackbuilder.errors import InputError, Problem, refusal, unknown_name
from rackbuilder.formats import EXPORTS
from rackbuilder.formats.files import write_atomic


def export(
    file: Path,
    to: Annotated[str, typer.Option("--to", metavar="KIND", help="see `rackbuilder formats`")] = "",
    out: Annotated[Path | None, typer.Option("-o", "--out", metavar="OUT", help="the file to write")] = None,
    everything: Annotated[
        Path | None, typer.Option("--all", metavar="DIR", help="every kind, into a folder")
    ] = None,
) -> None:
    """Write a design as documents of other kinds."""
    with common.exit_codes():
        if bool(to) == bool(everything) or bool(to) != bool(out):
            raise InputError(
                Problem("Give --to KIND with -o OUT, or --all DIR", "export", "See `rackbuilder formats`.")
            )
        kinds = [e for e in EXPORTS if everything or e.kind == to]
        if not kinds:
            raise unknown_name("format", to, (e.kind for e in EXPORTS))
        session = common.opened(file)
        report = common.analysed(session).report
        if everything:
            _make(everything)
        for kind in kinds:
            target = out or (everything or Path()) / f"{file.stem}-{kind.kind}{kind.suffix}"
            write_atomic(target, kind.write(session.design, session.graphs, report))
            common.say(f"{target}: {kind.title}")


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        what = f"The folder cannot be made: {error.strerror}"
        raise refusal(what, str(folder), "Choose another one.") from None
