"""One table model, two files: nothing a user typed runs in a spreadsheet, and numbers stay numbers."""

import csv
import io
import re
import zipfile

import pytest
from python_calamine import CalamineWorkbook

from rackbuilder.formats.tables import (
    CONTINENTAL,
    Cell,
    Column,
    CsvStyle,
    Table,
    number_text,
    to_csv,
    to_xlsx,
)

COLUMNS = (Column("Name"), Column("Length", "number", "m"))
DANGEROUS = (
    '=HYPERLINK("http://x","y")',
    "+CMD|x",
    "-1+1",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "=2+2",
    '=a,b"c"',
)


def table(*rows: tuple[Cell, ...]) -> Table:
    return Table("Things", COLUMNS, rows)


def read(data: bytes, style: CsvStyle = CsvStyle()) -> list[list[str]]:  # noqa: B008
    text = data.decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=style.separator))


@pytest.mark.parametrize("name", DANGEROUS)
@pytest.mark.parametrize("style", [CsvStyle(), CONTINENTAL])
def test_text_like_a_formula_is_neutralised_before_it_is_quoted(name: str, style: CsvStyle) -> None:
    rows = read(to_csv(table((name, -1.5)), style), style)
    assert rows[1] == ["'" + name, f"-1{style.decimal}5"]  # a real negative number stays one


def test_line_ends_inside_a_cell_are_quoted() -> None:
    data = to_csv(table(("a\rb", 1), ("c\nd", 2), ('e "f", g', 3)))
    assert data == b'Name,Length (m)\r\n"a\rb",1\r\n"c\nd",2\r\n"e ""f"", g",3\r\n'


@pytest.mark.parametrize("name", [*DANGEROUS, "Straße", "two\nlines", "plain"])
def test_a_workbook_stores_text_as_text(name: str) -> None:
    data = to_xlsx([table((name, -1.5), ("", None))])
    (row,) = CalamineWorkbook.from_filelike(io.BytesIO(data)).get_sheet_by_index(0).to_python()[1:2]
    # XML turns a lone carriage return into a line feed.
    assert row == [name.replace("\r", "\n"), -1.5] or row == [name, -1.5]
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        assert not re.search(rb"<f[ >]", book.read("xl/worksheets/sheet1.xml"))


def test_continental_style() -> None:
    """2.5 m and 9.1 for a German spreadsheet; the mark tells old ones that it is UTF-8."""
    data = to_csv(table(("Straße", 2.5), ("x;y", 9.10), ("z", 1234.5)), CONTINENTAL)
    assert data.startswith(b"\xef\xbb\xbfName;Length (m)\r\n")
    assert data.decode("utf-8-sig").splitlines()[1:] == ["Straße;2,5", '"x;y";9,1', "z;1234,5"]


def test_unknown_is_an_empty_cell_never_a_zero() -> None:
    assert to_csv(table(("a", None), ("b", 0))).splitlines()[1:] == [b"a,", b"b,0"]
    rows = CalamineWorkbook.from_filelike(io.BytesIO(to_xlsx([table(("a", None), ("b", 0))])))
    assert rows.get_sheet_by_index(0).to_python()[1:] == [["a", ""], ["b", 0.0]]


@pytest.mark.parametrize(
    ("value", "text"),
    [(3, "3"), (3.0, "3"), (0.1, "0.1"), (1e-7, "0.0000001"), (-2.5, "-2.5"), (1e21, "1" + "0" * 21)],
)
def test_numbers_have_no_exponent(value: float, text: str) -> None:
    assert number_text(value) == text


def test_sheets_have_a_frozen_header_and_a_filter() -> None:
    data = to_xlsx([table(("a", 1)), Table("Empty", COLUMNS, ())], "Title")
    assert CalamineWorkbook.from_filelike(io.BytesIO(data)).sheet_names == ["Things", "Empty"]
    with zipfile.ZipFile(io.BytesIO(data)) as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        core = book.read("docProps/core.xml").decode()
    assert 'state="frozen"' in sheet
    assert '<autoFilter ref="A1:B2"/>' in sheet
    assert "2000-01-01T00:00:00Z" in core


def test_a_workbook_has_the_same_bytes_each_time() -> None:
    assert to_xlsx([table(("a", 1))], "Title") == to_xlsx([table(("a", 1))], "Title")
