"""Answers about a design. `ANALYSES` lists them in an order in which each comes after those it needs."""

from rackbuilder.analysis.fabric.boundary import BOUNDARY
from rackbuilder.analysis.fabric.capacity import CAPACITY
from rackbuilder.analysis.fabric.compiled import COMPILED
from rackbuilder.analysis.inputs import Analysis

ANALYSES: tuple[Analysis, ...] = (COMPILED, CAPACITY, BOUNDARY)
