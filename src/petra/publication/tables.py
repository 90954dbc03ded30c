"""A table of values, and how it is written: as text, as CSV, as Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from petra.publication.spreads import Spread

Value: TypeAlias = str | int | float | Spread | None
ABSENT = "–"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """The head of a column, and how many decimals its numbers have."""

    title: str
    digits: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """Rows of values under their columns."""

    name: str
    title: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Value, ...], ...]
    notes: tuple[str, ...] = ()

    def texts(self) -> list[list[str]]:
        """The rows as they are read."""
        return [
            [as_text(value, column.digits) for value, column in zip(row, self.columns, strict=True)]
            for row in self.rows
        ]

    def is_number(self, column: int) -> bool:
        """Whether a column holds numbers, which stand to the right."""
        return not any(isinstance(row[column], str) for row in self.rows)

    @property
    def number_columns(self) -> list[bool]:
        """Whether each column holds numbers."""
        return [self.is_number(at) for at in range(len(self.columns))]

    def to_csv(self) -> str:
        """The values unrounded, under one heading each: a mean and its deviation have two columns."""
        double = [any(isinstance(row[at], Spread) for row in self.rows) for at in range(len(self.columns))]
        heads: list[str] = []
        for column, is_double in zip(self.columns, double, strict=True):
            heads += [f"{column.title}, mean", f"{column.title}, deviation"] if is_double else [column.title]
        lines = []
        for row in self.rows:
            lines.append([part for value, both in zip(row, double, strict=True) for part in _parts(value, both)])
        return to_csv([heads, *lines])


def as_text(value: Value, digits: int = 1) -> str:
    """A value for people; a dash where there is none."""
    if value is None:
        return ABSENT
    if isinstance(value, Spread):
        mean = f"{value.mean:.{digits}f}"
        return f"{mean} ± {value.deviation:.{digits}f}" if value.count > 1 else mean
    if isinstance(value, float):
        return f"{value:.{digits}f}"
    return f"{value:,}" if isinstance(value, int) else value


def to_csv(rows: Sequence[Sequence[object]]) -> str:
    """Rows as comma-separated values."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _parts(value: Value, is_double: bool) -> list[object]:
    """A value's fields in a CSV file."""
    if isinstance(value, Spread):
        return [round(value.mean, 4), round(value.deviation, 4) if value.count > 1 else ""]
    plain = "" if value is None else round(value, 4) if isinstance(value, float) else value
    return [plain, ""] if is_double else [plain]
