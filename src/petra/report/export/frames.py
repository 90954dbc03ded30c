"""What was found in a text as frames of pandas and polars, which are imported here only."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from petra.errors import ConfigError
from petra.report.export.format import TableName
from petra.report.export.rows import OPTIONAL_NUMBERS, table_rows
from petra.report.export.tracked import TrackedText

if TYPE_CHECKING:
    import pandas
    import polars


def pandas_frame(tracked: TrackedText, table: TableName) -> pandas.DataFrame:
    """A table as a frame of pandas; numbers that may be missing are of the type Int64."""
    library = _library("pandas")
    columns, rows = table_rows(tracked, table)
    frame: pandas.DataFrame = library.DataFrame(rows, columns=list(columns))
    return frame.astype({column: "Int64" for column in columns if column in OPTIONAL_NUMBERS})


def polars_frame(tracked: TrackedText, table: TableName) -> polars.DataFrame:
    """A table as a frame of polars."""
    library = _library("polars")
    columns, rows = table_rows(tracked, table)
    overrides = {column: library.Int64 for column in columns if column in OPTIONAL_NUMBERS}
    frame: polars.DataFrame = library.DataFrame(
        rows, schema=list(columns), schema_overrides=overrides, orient="row", infer_schema_length=None
    )
    return frame


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        raise ConfigError(f"{name} is not installed. Install it with: pip install {name}") from None
