"""What an export is: a name, a file ending, and a function from a design and its report to bytes; and an import."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from rackbuilder.analysis.report import Report
from rackbuilder.catalog.load import Catalog
from rackbuilder.design.design import Design
from rackbuilder.design.patch import Patch
from rackbuilder.errors import Problem
from rackbuilder.topology.graphs import Graphs


class Export(NamedTuple):
    """One kind of file that can be written. The same design and report give the same bytes, on any machine."""

    kind: str
    suffix: str
    title: str
    write: Callable[[Design, Graphs, Report], bytes]


class Imported(NamedTuple):
    """What a file says, as records on a blank design, and what was odd about it."""

    patch: Patch
    problems: tuple[Problem, ...]


class Import(NamedTuple):
    """One kind of file that can be read. `options`: names of what `read` may be told, with their meaning.

    `read` raises InputError for text of another kind.
    """

    kind: str
    title: str
    options: Mapping[str, str]
    read: Callable[[str, Catalog, Mapping[str, str]], Imported]
