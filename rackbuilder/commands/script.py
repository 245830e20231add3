"""Edit scripts: a YAML list of edits, read and written; and a list of commands as one."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

import yaml
from pydantic import SerializeAsAny

from rackbuilder.catalog.load import Catalog
from rackbuilder.commands.base import Command, command_from, run
from rackbuilder.commands.names import counted
from rackbuilder.design.draft import Draft
from rackbuilder.design.patch import Patch
from rackbuilder.design.view import View
from rackbuilder.errors import InputError, Problem, ProblemError

SIZE_LIMIT_BYTES = 50_000_000
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""Safe either way; libyaml's is ten times faster, and bounds the depth by itself."""


class Script(Command):
    """Several commands as one edit: all or nothing, one step."""

    verb: ClassVar[str] = "script"

    commands: tuple[SerializeAsAny[Command], ...]
    label: str = ""

    def draw(self, draft: Draft, catalog: Catalog) -> str:
        for number, command in enumerate(self.commands, start=1):
            try:
                self._one(draft, command, catalog)
            except ProblemError as error:
                if self.label or len(self.commands) == 1:
                    raise
                raise type(error)(*(_numbered(p, number, command) for p in error.problems)) from None
        return self.label or f"Script of {counted(len(self.commands), 'edit')}"

    def _one(self, draft: Draft, command: Command, catalog: Catalog) -> None:
        """On this draft itself where the command draws: a draft of its own for each would copy every table."""
        if type(command).plan is Command.plan:
            command.draw(draft, catalog)
        else:
            run(draft, command, catalog)


def _numbered(problem: Problem, number: int, command: Command) -> Problem:
    where = f"edit {number} ({command.verb})"
    at = f"{where}, {problem.where}" if problem.where else where
    return Problem(problem.what, at, problem.fix, problem.severity, problem.refs, problem.rule)


def plan_script(view: View, catalog: Catalog, commands: Iterable[Command]) -> Patch:
    """One patch of many commands, each seeing the ones before it. Raises ProblemError with the edit's number."""
    return Script(commands=tuple(commands)).plan(view, catalog)


# ---- reading and writing


def read_script(text: str, table: Mapping[str, type[Command]], where: str = "") -> tuple[Command, ...]:
    """The commands of a script. `where` names the file in messages.

    Raises InputError with file and line for text that is no YAML, holds aliases or tags of objects, is too large,
    or names an edit or field that is not known.
    """
    if len(text) > SIZE_LIMIT_BYTES:
        what = f"The script has {len(text):,} characters; the limit is {SIZE_LIMIT_BYTES:,}"
        raise InputError(Problem(what, where, "Split it."))
    rows = list(_rows(text, where))
    problems: list[Problem] = []
    commands = []
    for line, row in rows:
        try:
            commands.append(command_from(dict(table), row, f"{where} line {line}".strip()))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(*problems[:20])
    return tuple(commands)


def _rows(text: str, where: str) -> Iterator[tuple[int, object]]:
    """(line, plain value) of each entry of the list."""
    try:
        root = yaml.compose(text, Loader=_LOADER)
        if root is None:
            return
        if not isinstance(root, yaml.SequenceNode):
            raise InputError(Problem("A script is a list of edits", where, "Begin each edit with “- verb:”."))
        _refuse_aliases(root, where)
        make = yaml.SafeLoader("")
        for node in root.value:
            yield node.start_mark.line + 1, make.construct_document(node)
    except yaml.MarkedYAMLError as error:
        raise InputError(_yaml_problem(error, where)) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise InputError(Problem(f"This is no YAML: {error}", where, "Mend it in a text editor.")) from None


def _yaml_problem(error: yaml.MarkedYAMLError, where: str) -> Problem:
    line = f" line {error.problem_mark.line + 1}" if error.problem_mark else ""
    return Problem(
        f"This is no plain YAML: {error.problem}", f"{where}{line}".strip(), "Mend it in a text editor."
    )


def _refuse_aliases(root: yaml.Node, where: str) -> None:
    """A few lines of aliases can stand for more values than any memory holds; a script needs none."""
    seen: set[int] = set()
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            at = f"{where} line {node.start_mark.line + 1}".strip()
            raise InputError(Problem("Aliases (&name, *name) are not read", at, "Write the value out."))
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            waiting += [part for pair in node.value for part in pair]


def write_script(commands: Iterable[Command]) -> str:
    """A script that `read_script` reads back as the same commands."""
    lines = [line for command in commands for line in _lines(command)]
    if not lines:
        return "[]\n"
    text: str = yaml.safe_dump(
        lines, sort_keys=False, allow_unicode=True, width=1000, default_flow_style=None
    )
    return text


def _lines(command: Command) -> Iterator[dict[str, Any]]:
    """A compound edit is written as its edits."""
    if isinstance(command, Script):
        for part in command.commands:
            yield from _lines(part)
    else:
        yield command.line()
