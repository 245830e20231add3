"""What an export is: a name, a file ending, and a function from a design and its report to bytes."""

from collections.abc import Callable
from typing import NamedTuple

from rackbuilder.analysis.report import Report
from rackbuilder.design.design import Design
from rackbuilder.topology.graphs import Graphs


class Export(NamedTuple):
    """One kind of file that can be written. The same design and report give the same bytes, on any machine."""

    kind: str
    suffix: str
    title: str
    write: Callable[[Design, Graphs, Report], bytes]
