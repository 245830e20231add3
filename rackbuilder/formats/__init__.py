"""Files out, and the design file itself. `EXPORTS` lists every kind of document that a design can be written as."""

from rackbuilder.formats.base import Export, Import
from rackbuilder.formats.bom_table import BOM_CSV, BOM_CSV_SEMICOLON, BOM_XLSX
from rackbuilder.formats.cable_schedule import SCHEDULE_CSV, SCHEDULE_CSV_SEMICOLON, SCHEDULE_XLSX
from rackbuilder.formats.drawing import DRAWINGS
from rackbuilder.formats.graphml import GRAPHML
from rackbuilder.formats.guids import CN_GUIDS, ROOT_GUIDS
from rackbuilder.formats.ibimport import IBNETDISCOVER_IN
from rackbuilder.formats.ibnetdiscover import IBNETDISCOVER
from rackbuilder.formats.ibsim import IBSIM
from rackbuilder.formats.report import JSON, TEXT

EXPORTS: tuple[Export, ...] = (
    BOM_CSV,
    BOM_CSV_SEMICOLON,
    BOM_XLSX,
    SCHEDULE_CSV,
    SCHEDULE_CSV_SEMICOLON,
    SCHEDULE_XLSX,
    GRAPHML,
    *DRAWINGS,
    IBNETDISCOVER,
    IBSIM,
    ROOT_GUIDS,
    CN_GUIDS,
    TEXT,
    JSON,
)

IMPORTS: tuple[Import, ...] = (IBNETDISCOVER_IN,)
"""Every kind of file that becomes a design."""

__all__ = ["EXPORTS", "IMPORTS", "Export", "Import"]
