"""One visible line for each thing added: every module of a folder of things stands in that folder's list.

A list is a plain tuple of imported names (no scanning, no decorators), so a module somebody forgot would be dead code
that no user meets. It counts as listed when its package's list holds something that the module defines.
"""

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Any

import pytest

from rackbuilder import commands, formats, rules, templates
from rackbuilder.analysis import ANALYSES
from rackbuilder.analysis.workload import workload_analyses
from rackbuilder.catalog.workloads import shipped_workloads
from rackbuilder.commands import COMMAND_TABLE, COMMANDS
from rackbuilder.commands.base import Command
from rackbuilder.formats import EXPORTS, IMPORTS
from rackbuilder.formats.base import Export
from rackbuilder.rules import RULES
from rackbuilder.rules.finding import Topic
from rackbuilder.templates import EDITS, TEMPLATES
from rackbuilder.templates.base import Template


def modules(package: Any) -> dict[str, Any]:
    """Every module of a package, not those of packages in it."""
    found = (info for info in pkgutil.iter_modules(package.__path__) if not info.ispkg)
    return {info.name: importlib.import_module(f"{package.__name__}.{info.name}") for info in found}


def classes_of(package: Any, base: type) -> list[type]:
    """Classes that the package's modules define: the concrete ones, which are those that have a verb of their own."""
    return [
        value
        for module in modules(package).values()
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, base)
        and value.__module__ == module.__name__
        and "verb" in vars(value)
    ]


def values_of(package: Any, kind: type) -> list[tuple[str, Any]]:
    """(name, value) of what the package's modules keep in a name of their own, alone or several in a tuple."""
    return [
        (f"{module.__name__}.{name}", item)
        for module in modules(package).values()
        for name, value in vars(module).items()
        if name.isupper()
        for item in (value if type(value) is tuple else (value,))
        if isinstance(item, kind)
    ]


def missing(found: Iterable[tuple[str, Any]], listed: Iterable[Any]) -> list[str]:
    known = {id(item) for item in listed}
    return [name for name, value in found if id(value) not in known]


def test_every_command_is_listed() -> None:
    script = {"script"}  # a list of the others
    found = [kind for kind in classes_of(commands, Command) if kind.verb not in script]  # type: ignore[attr-defined]
    assert [kind.__name__ for kind in found if kind not in COMMANDS] == []
    assert len(COMMAND_TABLE) == len(COMMANDS)  # and no verb stands for two


def test_every_template_is_listed() -> None:
    found = classes_of(templates, Command)
    assert [kind.__name__ for kind in found if kind not in (*TEMPLATES, *EDITS)] == []
    assert all(issubclass(kind, Template) for kind in TEMPLATES)
    verbs = [kind.verb for kind in (*COMMANDS, *TEMPLATES, *EDITS)]
    assert len(set(verbs)) == len(verbs)


def test_every_topic_of_rules_is_listed() -> None:
    found = values_of(rules, Topic)
    assert found
    assert missing(found, RULES) == []
    assert len({topic.name for topic in RULES}) == len(RULES)


def test_every_export_is_listed() -> None:
    found = values_of(formats, Export)
    assert found
    assert missing(found, EXPORTS) == []
    assert len({export.kind for export in EXPORTS}) == len(EXPORTS)


def test_every_import_is_listed() -> None:
    kinds = {type(item) for item in IMPORTS}
    assert len(kinds) == 1
    assert missing(values_of(formats, kinds.pop()), IMPORTS) == []


@pytest.mark.parametrize("package", ["cabling", "fabric", "facility", ""])
def test_every_analysis_is_listed(package: str) -> None:
    from rackbuilder.analysis.inputs import Analysis

    name = f"rackbuilder.analysis.{package}".rstrip(".")
    assert missing(values_of(importlib.import_module(name), Analysis), ANALYSES) == []


def test_analyses_stand_in_an_order_in_which_each_finds_what_it_needs() -> None:
    seen: set[str] = set()
    for item in (*ANALYSES, *workload_analyses(shipped_workloads())):
        assert item.needs <= seen, item.name
        assert item.name not in seen
        seen.add(item.name)
    for topic in RULES:
        assert topic.needs <= seen, topic.name
