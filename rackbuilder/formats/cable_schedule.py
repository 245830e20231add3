"""The cable schedule as CSV and XLSX: a row a cable, with both ends by rack, unit, device and port.

Parts, plugs and lengths are as pinned, else as the choice of media found them; which, the row says.
"""

from collections.abc import Mapping

from rackbuilder.analysis.bom import order_number
from rackbuilder.analysis.cabling.ends import bought, cage_of
from rackbuilder.analysis.cabling.market import Market, market_of
from rackbuilder.analysis.cabling.models import Choice, Media
from rackbuilder.analysis.report import Report
from rackbuilder.design.design import Design
from rackbuilder.design.records import Cable, End
from rackbuilder.formats.base import Export
from rackbuilder.formats.tables import CONTINENTAL, PLAIN, Cell, Column, CsvStyle, Table, to_csv, to_xlsx
from rackbuilder.topology.graphs import Graphs
from rackbuilder.topology.natural import natural_key

_END = (
    Column("rack"),
    Column("U", "number"),
    Column("device"),
    Column("device name"),
    Column("cage"),
    Column("port"),
)
COLUMNS = (
    Column("Cable"),
    Column("Name"),
    Column("Fabric"),
    *(column._replace(title=f"A {column.title}") for column in _END),
    *(column._replace(title=f"B {column.title}") for column in _END),
    Column("Part"),
    Column("Part name"),
    Column("Order number"),
    Column("Length", "number", "m"),
    Column("Assembly"),
    Column("State"),
    Column("A optic"),
    Column("B optic"),
    Column("Chosen by"),
    Column("Why"),
)
_CHOSEN_BY = {"pinned": "user", "chosen": "tool", "open": ""}


def schedule_table(design: Design, graphs: Graphs, report: Report) -> Table:
    """Every cable record, in natural order of the ids; links that follow from seats are no cables."""
    fabrics = _fabrics(graphs)
    names = sorted(design.cables, key=natural_key)
    media = report.get("media")
    choices = media.cables if isinstance(media, Media) else {}
    market = market_of(design, graphs.memo)
    rows = [_row(design, fabrics, market, design.cables[name], choices.get(name)) for name in names]
    return Table("Cables", COLUMNS, rows)


def _fabrics(graphs: Graphs) -> Mapping[str, str]:
    """Cable -> its fabric; NVLink for cables between NVLink ports. Others have none."""
    found = {
        cable: graph.id
        for graph in graphs.fabrics.values()
        for _, _, data in graph.edges()
        for cable in data["cables"]
    }
    found.update(dict.fromkeys(graphs.nvlink_cables(), "NVLink"))
    return found


def _row(
    design: Design, fabrics: Mapping[str, str], market: Market, cable: Cable, choice: Choice | None
) -> tuple[Cell, ...]:
    thing = bought(cable, design.tables["assemblies"])
    if choice is None:
        choice = Choice(thing.part, "pinned" if thing.part else "open", thing.length_m, ("", ""), "")
    part = market.cable(choice.part)
    length_m = choice.length_m if thing.length_m is None else thing.length_m
    return (
        cable.id,
        cable.name,
        fabrics.get(cable.id, ""),
        *_end(design, cable.a),
        *_end(design, cable.b),
        choice.part,
        part.name if part else "",
        order_number(part, length_m) if part else "",
        length_m,
        cable.assembly,
        cable.state,
        *choice.optics,
        _CHOSEN_BY[choice.origin],
        choice.reason,
    )


def _end(design: Design, end: End) -> tuple[Cell, ...]:
    device = design.devices[end.device]
    rack = design.racks.get(device.rack)
    return rack.label if rack else "", device.u, device.id, device.name, cage_of(end.port), end.port


def _csv(design: Design, graphs: Graphs, report: Report, style: CsvStyle) -> bytes:
    return to_csv(schedule_table(design, graphs, report), style)


def write_csv(design: Design, graphs: Graphs, report: Report) -> bytes:
    return _csv(design, graphs, report, PLAIN)


def write_continental_csv(design: Design, graphs: Graphs, report: Report) -> bytes:
    return _csv(design, graphs, report, CONTINENTAL)


def write_xlsx(design: Design, graphs: Graphs, report: Report) -> bytes:
    return to_xlsx([schedule_table(design, graphs, report)], f"Cable schedule {design.about.title}".rstrip())


SCHEDULE_CSV = Export("schedule-csv", ".csv", "Cable schedule, CSV with commas", write_csv)
SCHEDULE_CSV_SEMICOLON = Export(
    "schedule-csv-semicolon",
    ".csv",
    "Cable schedule, CSV with semicolons and decimal commas",
    write_continental_csv,
)
SCHEDULE_XLSX = Export("schedule-xlsx", ".xlsx", "Cable schedule, Excel workbook", write_xlsx)
