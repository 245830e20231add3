"""rackbuilder analyse FILE: counts, capacity, power and the verdict, as text or JSON."""

from pathlib import Path
from typing import Annotated

import typer

from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.cli import common
from rackbuilder.formats.report import report_json, report_text
from rackbuilder.session.jobs import with_workload
from rackbuilder.session.session import Session


def analyse(
    file: Path,
    workload: Annotated[
        str, typer.Option(metavar="NAME", help="a job of the design, or a shipped preset")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
    links: Annotated[bool, typer.Option("--links", help="every link, not only the ten busiest")] = False,
) -> None:
    """Say what a design carries, needs and where it binds."""
    with common.exit_codes():
        session = common.opened(file)
        if workload:
            design = with_workload(session.design, session.graphs, shipped_workloads(), workload)
            session = Session(session.catalog, design, session.path)
        outcome = common.analysed(session)
        if as_json:
            common.put_json(report_json(session.design, session.graphs, outcome.report, links))
        else:
            common.put(report_text(session.design, session.graphs, outcome.report))
