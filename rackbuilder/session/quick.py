"""The few figures a template sheet shows while its fields are typed, without the whole report."""

from typing import NamedTuple

from rackbuilder.analysis import ANALYSES
from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.results import Counts, Power
from rackbuilder.design.design import Design
from rackbuilder.topology.graphs import Graphs
from rackbuilder.units import Figure

_WANTED = ("compiled", "power")


class Facts(NamedTuple):
    counts: Counts
    power_max_w: Figure
    racks_w: tuple[Figure, ...]


def quick_facts(design: Design, graphs: Graphs) -> Facts:
    """Counts and power of a design that is not open."""
    needed = _closure(_WANTED)
    engine = Engine([item for item in ANALYSES if item.name in needed])
    results = engine.run(design, graphs)
    power = results["power"]
    assert isinstance(power, Power)
    return Facts(results["compiled"].counts, power.max_w, tuple(r.max_w for r in power.racks))


def _closure(names: tuple[str, ...]) -> set[str]:
    wanted = set(names)
    for item in reversed(ANALYSES):
        if item.name in wanted:
            wanted |= item.needs
    return wanted
