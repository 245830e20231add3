"""One table model for every tabular file: columns and rows in memory, written as CSV or as an XLSX workbook.

Spreadsheets run what begins like a formula, whoever typed it: in CSV such text gets a leading apostrophe before it is
quoted; in XLSX text is stored as text. Numbers stay numbers, negative ones too.
"""

import csv
import io
import math
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

Cell = str | int | float | None
"""None is a figure that is not known: an empty cell, never a zero."""

FORMULA_MARKS = ("=", "+", "-", "@", "\t", "\r", "\n")
_CREATED = datetime(2000, 1, 1)  # noqa: DTZ001 a fixed stamp, so that equal content gives equal bytes
_SHEET_NAME = 31
_CELL_TEXT = 32_767


class Column(NamedTuple):
    """`unit` stands in brackets behind the title; numbers are right-aligned and take no apostrophe."""

    title: str
    kind: Literal["text", "number"] = "text"
    unit: str = ""

    @property
    def heading(self) -> str:
        return f"{self.title} ({self.unit})" if self.unit else self.title


class Table(NamedTuple):
    """Rows under columns; the title names the sheet of a workbook."""

    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Cell]]


class CsvStyle(NamedTuple):
    """How a spreadsheet of some country reads CSV. `mark` puts a byte-order mark first: old ones need it for UTF-8."""

    separator: Literal[",", ";"] = ","
    decimal: Literal[".", ","] = "."
    mark: bool = False


PLAIN = CsvStyle()
CONTINENTAL = CsvStyle(";", ",", mark=True)


def harmless(text: str) -> str:
    """Text that no spreadsheet takes for a formula."""
    return f"'{text}" if text.startswith(FORMULA_MARKS) else text


def number_text(value: float, decimal: str = ".") -> str:
    """The shortest text that reads back as the same number, without an exponent or grouping."""
    if isinstance(value, int) or value.is_integer():
        return str(int(value))
    text = repr(float(value))
    if "e" in text:
        text = f"{value:.20f}".rstrip("0")
    return text.replace(".", decimal)


def to_csv(table: Table, style: CsvStyle = PLAIN) -> bytes:
    """UTF-8, lines ending CR LF as RFC 4180 has them."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=style.separator, lineterminator="\r\n")
    writer.writerow(harmless(column.heading) for column in table.columns)
    for row in table.rows:
        writer.writerow(_csv_cell(cell, style) for cell in row)
    return (b"\xef\xbb\xbf" if style.mark else b"") + out.getvalue().encode("utf-8")


def _csv_cell(cell: Cell, style: CsvStyle) -> str:
    if cell is None:
        return ""
    return harmless(cell) if isinstance(cell, str) else number_text(cell, style.decimal)


def to_xlsx(tables: Iterable[Table], title: str = "") -> bytes:
    """A workbook with a sheet for each table: frozen header, filter, text as text and numbers as numbers."""
    import xlsxwriter  # a third of a second that only this needs

    out = io.BytesIO()
    with xlsxwriter.Workbook(out, {"in_memory": True}) as book:
        book.set_properties({"title": title, "created": _CREATED})
        head = book.add_format({"bold": True, "bottom": 1})
        for table in tables:
            sheet = book.add_worksheet(table.title[:_SHEET_NAME])
            for place, column in enumerate(table.columns):
                sheet.write_string(0, place, column.heading, head)
                sheet.set_column(place, place, _width(table, place))
            for line, row in enumerate(table.rows, start=1):
                for place, cell in enumerate(row):
                    if isinstance(cell, str):
                        sheet.write_string(line, place, cell[:_CELL_TEXT])
                    elif cell is not None and math.isfinite(cell):
                        sheet.write_number(line, place, cell)
            sheet.freeze_panes(1, 0)
            sheet.autofilter(0, 0, len(table.rows), len(table.columns) - 1)
    return out.getvalue()


def _width(table: Table, place: int) -> int:
    """Characters that most cells of a column need, between 8 and 60."""
    texts = [table.columns[place].heading, *(_plain(row[place]) for row in table.rows)]
    return min(60, max(8, 2 + max(map(len, texts))))


def _plain(cell: Cell) -> str:
    return "" if cell is None else cell if isinstance(cell, str) else number_text(cell)
