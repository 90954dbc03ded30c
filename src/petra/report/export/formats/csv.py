"""CSV: tables of mentions, people and quotations."""

from __future__ import annotations

from petra.report.export.format import EXPORTED_TABLES, ExportOptions, Files, Format
from petra.report.export.rows import Cell, table_rows, written
from petra.report.export.tracked import TrackedText


def separated(tracked: TrackedText, options: ExportOptions, separator: str, suffix: str) -> Files:
    """The tables, cells separated by a character; the one asked for first, the others under their names."""
    tables = (options.table, *(table for table in EXPORTED_TABLES if table != options.table))
    files = {}
    for number, table in enumerate(tables):
        columns, rows = table_rows(tracked, table)
        lines = [separator.join(columns), *(separator.join(_cell(cell, separator) for cell in row) for row in rows)]
        files[f".{table}{suffix}" if number else suffix] = "".join(f"{line}\n" for line in lines)
    return files


def _cell(value: Cell, separator: str) -> str:
    """A cell, in quotation marks if it needs them.

    The csv module leaves a lone carriage return bare, which its own reader takes for the end of the row.
    """
    cell = written(value)
    if any(mark in cell for mark in (separator, '"', "\n", "\r")):
        return '"' + cell.replace('"', '""') + '"'
    return cell


FORMAT = Format(
    about="tables of mentions, people and quotations for spreadsheets",
    files=lambda tracked, options: separated(tracked, options, ",", ".csv"),
)
