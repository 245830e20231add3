"""Runs the fabric analyses of a design."""

from __future__ import annotations

from typing import Any

from rackbuilder.analysis.engine import Engine
from rackbuilder.analysis.fabric.boundary import BOUNDARY
from rackbuilder.analysis.fabric.capacity import CAPACITY
from rackbuilder.analysis.fabric.compiled import COMPILED
from rackbuilder.analysis.results import Boundary, Capacity, Compiled
from rackbuilder.design.design import Design
from rackbuilder.topology.graphs import Graphs, build_graphs

FABRIC = (COMPILED, CAPACITY, BOUNDARY)


def run(design: Design, graphs: Graphs | None = None) -> dict[str, Any]:
    return Engine(FABRIC).run(design, graphs or build_graphs(design))


def compiled(design: Design) -> Compiled:
    result: Compiled = run(design)["compiled"]
    return result


def capacity(design: Design) -> Capacity:
    result: Capacity = run(design)["capacity"]
    return result


def boundary(design: Design) -> Boundary:
    result: Boundary = run(design)["boundary"]
    return result
