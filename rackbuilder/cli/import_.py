"""rackbuilder import SOURCE: a design from a file of another program."""

from pathlib import Path
from typing import Annotated

import typer

from rackbuilder.cli import common
from rackbuilder.commands.names import counted
from rackbuilder.design.design import Design
from rackbuilder.errors import InputError, Problem, unknown_name
from rackbuilder.formats import IMPORTS
from rackbuilder.formats.files import read_bounded
from rackbuilder.session.session import Session

SIZE_LIMIT_BYTES = 500_000_000


def import_(
    source: Annotated[Path, typer.Argument(metavar="SOURCE", help="the file to read")],
    kind: Annotated[str, typer.Option("--from", metavar="KIND", help="see `rackbuilder formats`")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="the design to write")],
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="an option of the kind")
    ] = None,
) -> None:
    """Make a design from a file of another program. What was odd about it is said on stderr."""
    with common.exit_codes():
        reader = next((item for item in IMPORTS if item.kind == kind), None)
        if reader is None:
            raise unknown_name("format to read", kind, (item.kind for item in IMPORTS))
        options = common.settings_from(values or [])
        for name in options:
            if name not in reader.options:
                raise unknown_name(f"option of {kind}", name, reader.options)
        catalog = common.catalog()
        made = reader.read(_text(source), catalog, options)
        for problem in made.problems:
            common.complain(problem)
        session = Session(catalog, Design().apply(made.patch))
        session.save(out)
    rows = (("device", session.design.devices), ("cable", session.design.cables))
    common.say(f"{out}: " + ", ".join(counted(len(table), word) for word, table in rows))


def _text(source: Path) -> str:
    """Names in such files may be of any age: bytes that are no UTF-8 are kept as marks, not refused."""
    data = read_bounded(source, SIZE_LIMIT_BYTES)
    if b"\0" in data[:4096]:
        raise InputError(Problem("The file is no text", str(source), "Give what the program prints."))
    return data.decode("utf-8", errors="replace")
