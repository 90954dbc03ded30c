"""The tables of CSV, separated by tabs."""

from __future__ import annotations

from petra.report.export.format import Format
from petra.report.export.formats.csv import separated

FORMAT = Format(
    about="the same tables separated by tabs",
    files=lambda tracked, options: separated(tracked, options, "\t", ".tsv"),
)
