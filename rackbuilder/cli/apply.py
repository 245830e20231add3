"""rackbuilder apply FILE EDITS.yaml: a script of edits, all or nothing."""

from pathlib import Path
from typing import Annotated

import typer

from rackbuilder.cli import common
from rackbuilder.commands import COMMANDS
from rackbuilder.commands.script import Script, read_script
from rackbuilder.errors import InputError, Problem
from rackbuilder.formats.files import read_bounded
from rackbuilder.templates import EDITS, TEMPLATES

_LIMIT_BYTES = 50_000_000


def apply(
    file: Path,
    edits: Path,
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="the design to write")],
) -> None:
    """Apply a script of edits to a design."""
    with common.exit_codes():
        session = common.opened(file)
        table = {kind.verb: kind for kind in (*COMMANDS, *TEMPLATES, *EDITS)}
        commands = read_script(_text(edits), table, str(edits))
        patch = session.do(Script(commands=commands))
        session.save(out, overwrite=True)
    common.say(f"{out}: {len(commands):,} edits, {len(patch.changes):,} records changed")


def _text(path: Path) -> str:
    try:
        return read_bounded(path, _LIMIT_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"Byte {error.start:,} is not UTF-8 text"
        raise InputError(Problem(what, str(path), "Save the script as UTF-8.")) from None
