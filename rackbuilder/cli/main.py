"""The command line: one typer application over the same engine as the window."""

import io
import sys
from typing import Annotated

import typer

from rackbuilder import __version__
from rackbuilder.cli import common
from rackbuilder.cli.analyse import analyse
from rackbuilder.cli.apply import apply
from rackbuilder.cli.check import check
from rackbuilder.cli.export import export
from rackbuilder.cli.import_ import import_
from rackbuilder.cli.lists import catalog, formats, templates
from rackbuilder.cli.new import new
from rackbuilder.session.log import LOGGER, start_log

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)
for _command in (new, analyse, check, export, apply, catalog, templates, formats):
    app.command()(_command)
app.command("import")(import_)


def _version(wanted: bool) -> None:
    if wanted:
        common.put(f"rackbuilder {__version__}")
        raise typer.Exit


@app.callback()
def group(
    verbose: Annotated[bool, typer.Option("--verbose", help="the log on stderr")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="say the version")
    ] = False,
) -> None:
    """rackbuilder: build a GPU cluster and see what every link, rack and job gets.

    Without a subcommand, `rackbuilder [FILE]` opens the window.
    """
    start_log(verbose)


def main(arguments: list[str]) -> int:
    """Runs one subcommand; returns the exit code. An internal fault is 3, logged with its traceback."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")  # the same bytes in every locale
    try:
        app(arguments, prog_name="rackbuilder", standalone_mode=True)
    except SystemExit as leave:
        return leave.code if isinstance(leave.code, int) else 1
    except Exception as error:  # noqa: BLE001 the last line of defence: a bug leaves with 3 and a log
        start_log()
        LOGGER.exception("internal fault in %s", arguments)
        common.say(f"internal error: {error!r}; the log has the details")
        return 3
    return 0
