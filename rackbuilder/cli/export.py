"""rackbuilder export FILE: documents for the supplier, the installers and other programs."""

from pathlib import Path
from typing import Annotated

import typer

from rackbuilder.cli import common
from rackbuilder.errors import InputError, Problem, unknown_name
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
        if bool(to) == bool(everything) or (to and out is None):
            raise InputError(
                Problem("Give --to KIND with -o OUT, or --all DIR", "export", "See `rackbuilder formats`.")
            )
        kinds = [e for e in EXPORTS if everything or e.kind == to]
        if not kinds:
            raise unknown_name("format", to, (e.kind for e in EXPORTS))
        session = common.opened(file)
        report = common.analysed(session).report
        if everything:
            everything.mkdir(parents=True, exist_ok=True)
        for kind in kinds:
            target = out or (everything or Path()) / f"{file.stem}-{kind.kind}{kind.suffix}"
            write_atomic(target, kind.write(session.design, session.graphs, report))
            common.say(f"{target}: {kind.title}")
