"""Answers about a design. `ANALYSES` lists them in an order in which each comes after those it needs."""

from rackbuilder.analysis.bom import BOM
from rackbuilder.analysis.cabling.lengths import LENGTHS
from rackbuilder.analysis.cabling.media import MEDIA
from rackbuilder.analysis.cabling.plugs import PLUGS
from rackbuilder.analysis.fabric.boundary import BOUNDARY
from rackbuilder.analysis.fabric.capacity import CAPACITY
from rackbuilder.analysis.fabric.compiled import COMPILED
from rackbuilder.analysis.facility.cooling import COOLING
from rackbuilder.analysis.facility.power import POWER
from rackbuilder.analysis.inputs import Analysis

ANALYSES: tuple[Analysis, ...] = (COMPILED, CAPACITY, BOUNDARY, LENGTHS, MEDIA, PLUGS, POWER, COOLING, BOM)
