"""The bill of materials as CSV and XLSX: grouped lines, and the points to settle before ordering."""

from rackbuilder.analysis.report import Report
from rackbuilder.analysis.results import Bom, BomLine
from rackbuilder.design.design import Design
from rackbuilder.formats.base import Export
from rackbuilder.formats.tables import CONTINENTAL, PLAIN, Cell, Column, CsvStyle, Table, to_csv, to_xlsx
from rackbuilder.topology.graphs import Graphs

COLUMNS = (
    Column("Section"),
    Column("Scope"),
    Column("Part"),
    Column("Name"),
    Column("Order number"),
    Column("Quantity", "number"),
    Column("Unit"),
    Column("Evidence"),
    Column("Used by"),
    Column("Note"),
)
OPEN_POINTS = "Open points"


def _row(line: BomLine) -> tuple[Cell, ...]:
    return (
        line.section,
        line.scope,
        line.part,
        line.name,
        line.part_number,
        line.quantity,
        line.unit,
        line.grade,
        line.used_by,
        line.note,
    )


def _point(text: str) -> tuple[Cell, ...]:
    """An open point as a row of the one table that CSV has."""
    return (OPEN_POINTS.lower(), "", "", text, "", None, "", "", "", "")


def bom_table(bom: Bom) -> Table:
    """All in one: the lines by section, then the open points."""
    return Table("Bill of materials", COLUMNS, [*map(_row, bom.lines), *map(_point, bom.open_points)])


def bom_sheets(bom: Bom) -> list[Table]:
    """A table for each section that has lines, and one of the open points."""
    sections: dict[str, list[BomLine]] = {}
    for line in bom.lines:
        sections.setdefault(line.section, []).append(line)
    sheets = [
        Table(name.capitalize(), COLUMNS[1:], [_row(line)[1:] for line in lines])
        for name, lines in sections.items()
    ]
    points = Table(OPEN_POINTS, (Column("To settle before ordering"),), [(text,) for text in bom.open_points])
    return [*sheets, points]


def _bom(report: Report) -> Bom:
    return report.bom or Bom((), ("The bill of materials has not been worked out.",), 0, True, 0)


def _csv(report: Report, style: CsvStyle) -> bytes:
    return to_csv(bom_table(_bom(report)), style)


def write_csv(_design: Design, _graphs: Graphs, report: Report) -> bytes:
    return _csv(report, PLAIN)


def write_continental_csv(_design: Design, _graphs: Graphs, report: Report) -> bytes:
    return _csv(report, CONTINENTAL)


def write_xlsx(design: Design, _graphs: Graphs, report: Report) -> bytes:
    return to_xlsx(bom_sheets(_bom(report)), f"Bill of materials {design.about.title}".rstrip())


BOM_CSV = Export("bom-csv", ".csv", "Bill of materials, CSV with commas", write_csv)
BOM_CSV_SEMICOLON = Export(
    "bom-csv-semicolon",
    ".csv",
    "Bill of materials, CSV with semicolons and decimal commas",
    write_continental_csv,
)
BOM_XLSX = Export("bom-xlsx", ".xlsx", "Bill of materials, Excel workbook", write_xlsx)
