"""Published rows, and a template run and judged: what the tests of templates share."""

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from rackbuilder.analysis.results import Compiled
from rackbuilder.catalog.load import shipped
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.design.design import Design
from rackbuilder.design.integrity import misfits
from rackbuilder.session.analyst import Analyst
from rackbuilder.templates.base import Template
from rackbuilder.topology.graphs import build_graphs

ROWS: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parent.parent / "data" / "reference_rows.yaml").read_text(encoding="utf-8")
)


class Made(NamedTuple):
    """A design that a template made on an empty one, with what the rules say of it."""

    design: Design
    compiled: Compiled
    errors: tuple[str, ...]
    warnings: tuple[str, ...]


def made(template: Template, judge: bool = True) -> Made:
    """Runs a template; counts come from the drawn graph, never from the template."""
    design = Design().apply(template.plan(Design(), shipped()))
    graphs = build_graphs(design)
    if not judge:
        return Made(design, counted(design), (), ())
    outcome = Analyst(shipped_workloads()).run(design, graphs, 0)
    assert outcome.report.compiled is not None
    problems = [f.problem for f in outcome.findings]
    return Made(
        design,
        outcome.report.compiled,
        tuple(p.text() for p in problems if p.severity == "error"),
        tuple(p.text() for p in problems if p.severity == "warning"),
    )


def counted(design: Design) -> Compiled:
    from rackbuilder.session.quick import quick_facts  # noqa: F401
    from rackbuilder.analysis.engine import Engine
    from rackbuilder.analysis.fabric.compiled import COMPILED

    results = Engine([COMPILED]).run(design, build_graphs(design))
    compiled = results["compiled"]
    assert isinstance(compiled, Compiled)
    return compiled


def fits(design: Design) -> list[str]:
    return [problem.text() for problem in misfits(design)]
