"""What cannot physically be, on a design that holds it already: a file or an import."""

from collections.abc import Iterator

from rackbuilder.analysis.inputs import Inputs
from rackbuilder.design.integrity import misfits
from rackbuilder.rules.finding import Finding, topic


def fit(inputs: Inputs) -> Iterator[Finding]:
    """Places taken twice or outside the rack, ports that are not there or hold two cables, plugs that do not mate."""
    for problem in misfits(inputs):
        yield Finding(problem, waivable=False)


SPACE = topic("space", "parts racks devices cables", "", fit)
