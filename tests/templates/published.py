"""Published rows, and a template run and judged: what the tests of templates share."""

from pathlib import Path
from typing import Any, NamedTuple

import yaml

from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.fabric.compiled import COMPILED
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


class Counted(NamedTuple):
    """A design that a template made on an empty one, counted on the drawn graph."""

    design: Design
    compiled: Compiled

    def row(self, fabric: str = "compute") -> dict[str, int]:
        """The counts a published row prints."""
        counts = self.compiled.counts
        found = {"servers": counts.servers, "gpus": counts.gpus}
        here = counts.fabrics[fabric]
        found |= {role: here.switches[role] for role in ("leaf", "spine", "core")}
        for name in ("server-leaf", "leaf-spine", "spine-core"):
            found[name.replace("-", "_")] = here.cables[name]
        return found


def made(template: Template, on: Design | None = None) -> Design:
    base = on or Design()
    return base.apply(template.plan(base, shipped()))


def counted(template: Template) -> Counted:
    design = made(template)
    compiled = Engine([COMPILED]).run(design, build_graphs(design))["compiled"]
    assert isinstance(compiled, Compiled)
    return Counted(design, compiled)


def findings(design: Design, *severities: str) -> list[str]:
    """What every rule says of a design, on every analysis."""
    outcome = Analyst(shipped_workloads()).run(design, build_graphs(design), 0)
    return [f.problem.text() for f in outcome.findings if f.problem.severity in severities]


def unfit(design: Design) -> list[str]:
    return [problem.text() for problem in misfits(design)]
