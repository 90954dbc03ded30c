"""Rows of a tab-separated file, without quoting: a tab always parts two columns.

The corpora hold bare quotation marks, which the CSV rules would take for quoting.
Lines end in LF or CRLF. Rows are numbered as an editor numbers lines, from 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from petra.errors import DataError


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """One row of a file, by column name."""

    file: str
    number: int
    values: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.values[column]

    def fail(self, problem: str) -> NoReturn:
        """Raise the error that this row has a problem."""
        raise DataError(f"{self.file}, row {self.number}: {problem}")

    def integer(self, column: str) -> int:
        """A column that holds a whole number, 0 or more."""
        value = self[column]
        if not (value.isascii() and value.isdigit()):
            self.fail(f"column {column} is {value!r}; expected a whole number, 0 or more.")
        return int(value)

    def flag(self, column: str) -> bool:
        """A column that holds TRUE or FALSE, in any case."""
        flags = {"TRUE": True, "FALSE": False}
        value = self[column].upper()
        if value not in flags:
            self.fail(f"column {column} is {self[column]!r}; expected TRUE or FALSE.")
        return flags[value]


def read_rows(path: Path, columns: Sequence[str], *, header: bool = True) -> Iterator[Row]:
    """The rows of a file whose first column is an ID, each ID once.

    With a header, the first line names the columns: those asked for may stand in any
    order, and others may stand beside them. Without one, the columns are as given.
    """
    lines = read_lines(path)
    names: Sequence[str] = columns
    if header:
        names = lines[0].split("\t")
        if absent := [column for column in columns if column not in names]:
            raise DataError(
                f"{path.name}, row 1: no column {', '.join(absent)}; found {', '.join(names)}. "
                f"The first line names the columns, separated by tabs: {', '.join(columns)}."
            )
        if len(lines) == 1:
            raise DataError(f"{path.name} has a header and no rows. Fetch it again.")
    rows_of_id: dict[str, int] = {}
    for number, line in enumerate(lines[header:], start=1 + header):
        cells = line.split("\t")
        if len(cells) != len(names):
            raise DataError(
                f"{path.name}, row {number}: expected {len(names)} columns ({', '.join(names)}), "
                f"separated by single tabs; found {len(cells)}."
            )
        row = Row(file=path.name, number=number, values=dict(zip(names, cells, strict=True)))
        first = rows_of_id.setdefault(row[columns[0]], number)
        if first != number:
            row.fail(f"the {columns[0]} {row[columns[0]]!r} stands in row {first} already; each may stand once.")
        yield row


def read_lines(path: Path) -> list[str]:
    """The lines of a file that is not empty."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = error.object.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{path.name}, row {row}: not UTF-8 (byte {error.object[error.start]:#04x}). "
            "Save the file as UTF-8, or fetch it again."
        ) from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}.") from None
    if not text.strip():
        raise DataError(f"{path.name} is empty. Fetch it again.")
    # Not splitlines(): it also parts lines at characters that may stand inside a text.
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
