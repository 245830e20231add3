"""rackbuilder new TEMPLATE: a design from a template."""

from pathlib import Path
from typing import Annotated

import typer

from rackbuilder.cli import common
from rackbuilder.commands.base import checked
from rackbuilder.commands.names import counted
from rackbuilder.errors import InputError, ProblemError
from rackbuilder.session.session import Session
from rackbuilder.templates import template


def new(
    name: Annotated[str, typer.Argument(metavar="TEMPLATE", help="see `rackbuilder templates`")],
    out: Annotated[Path, typer.Option("-o", "--out", metavar="FILE", help="the design to write")],
    values: Annotated[
        list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="a field of the template")
    ] = None,
) -> None:
    """Make a design from a template."""
    with common.exit_codes():
        kind = template(name)
        command = checked(kind, common.settings_from(values or []), name)
        session = Session(common.catalog())
        try:
            session.do(command)
        except ProblemError as error:  # what the fields ask for cannot be: the fields are to blame
            raise InputError(*error.problems) from None
        session.save(out)
    design = session.design
    made = (("device", design.devices), ("rack", design.racks), ("cable", design.cables))
    common.say(f"{out}: " + ", ".join(counted(len(rows), word) for word, rows in made))
