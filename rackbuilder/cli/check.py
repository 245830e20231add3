"""rackbuilder check FILE: findings; exit 1 if any is an error."""

from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer

from rackbuilder.catalog.age import age_problem
from rackbuilder.cli import common
from rackbuilder.errors import InputError, Problem
from rackbuilder.rules.finding import Finding


def check(
    file: Path,
    as_json: Annotated[bool, typer.Option("--json", help="one JSON object on stdout")] = False,
    today: Annotated[str, typer.Option(metavar="DATE", help="judge the catalog's age against this day")] = "",
) -> None:
    """List what is wrong or worth knowing."""
    with common.exit_codes():
        session = common.opened(file)
        findings = [*map(_from_file, session.problems), *common.analysed(session).findings]
        if today:
            findings += [Finding(p) for p in age_problem(common.catalog(), _day(today))]
    if as_json:
        common.put_json({"schema": 1, "findings": [_plain(finding) for finding in findings]})
    else:
        _list(findings)
    if any(f.problem.severity == "error" and not f.waived for f in findings):
        raise typer.Exit(1)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InputError(Problem(f"“{text}” is no date", "--today", "Write it as 2026-12-01.")) from None


def _from_file(problem: Problem) -> Finding:
    return Finding(problem)


def _plain(finding: Finding) -> dict[str, Any]:
    p = finding.problem
    return {
        "rule": p.rule,
        "severity": p.severity,
        "what": p.what,
        "where": p.where,
        "fix": p.fix,
        "ids": list(p.refs),
        "apply": finding.fix.line() if finding.fix else None,
        "waived": finding.waived or None,
    }


def _list(findings: list[Finding]) -> None:
    for finding in findings:
        mark = "waived" if finding.waived else finding.problem.severity
        common.put(f"{mark}: {finding.problem.text()}")
    counts = {
        s: sum(f.problem.severity == s and not f.waived for f in findings)
        for s in ("error", "warning", "note")
    }
    common.put(", ".join(f"{n} {s}{'' if n == 1 else 's'}" for s, n in counts.items()))
