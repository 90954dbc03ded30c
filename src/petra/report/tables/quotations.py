"""The quotations of a text as a table: drawn on a terminal, or plain aligned columns in a pipe."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from petra.domain import Person, Quotation
from petra.report.values.summaries import line_of

_NONE = "No quotations were found."
_COLUMNS = ("Line", "Speaker", "To", "Found by", "Quotation")
_LONGEST = 60  # characters of a quotation in a table


def show_quotations(quotations: Sequence[Quotation], people: Sequence[Person], text: str, console: Console) -> None:
    """Print the quotations of a text, decorated if the console is a terminal."""
    rows = _rows(quotations, people, text)
    if not rows:
        console.out(_NONE, highlight=False)
    elif console.is_terminal:
        table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
        for column in _COLUMNS:
            table.add_column(column, justify="right" if column == "Line" else "left", overflow="fold")
        for row in rows:
            table.add_row(*map(Text, row))  # as Text: nothing is read as rich's markup
        console.print(table)
    else:
        # Never wrapped: a pipe has no width.
        console.out(*_aligned([_COLUMNS, *rows]), sep="\n", highlight=False)


def said(quotation: Quotation, text: str) -> str:
    """What is said, on one line, with quotation marks and without what interrupts it."""
    return " ".join(" ".join(text[start:end] for start, end in quotation.parts).split())


def _rows(quotations: Sequence[Quotation], people: Sequence[Person], text: str) -> list[tuple[str, ...]]:
    names = {person.id: person.name for person in people}
    lines = line_of(text)
    return [
        (
            str(lines(it.start)),
            names.get(it.speaker or 0, "?"),
            names.get(it.addressee or 0, ""),
            it.found_by,
            _short(said(it, text)),
        )
        for it in quotations
    ]


def _short(words: str) -> str:
    return words if len(words) <= _LONGEST else words[: _LONGEST - 1].rstrip() + "…"


def _aligned(rows: Sequence[tuple[str, ...]]) -> list[str]:
    widths = [max(cell_len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    lines = []
    for row in rows:
        spaces = [" " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)]
        cells = [spaces[0] + row[0], *(cell + space for cell, space in zip(row[1:], spaces[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return lines
