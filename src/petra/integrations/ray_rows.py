"""Rows of a Ray dataset: the texts in one column, what is found in them in another."""

from __future__ import annotations

from collections.abc import Collection

import pyarrow as pa

from petra.errors import ConfigError
from petra.integrations.readings import ReadingSettings
from petra.report.values.as_json import dump


class RowReader:
    """Reads the texts of tables of rows, in a process of its own; the model is loaded once."""

    def __init__(self, *, reading: ReadingSettings, column: str, result: str, source: str | None) -> None:
        self._reading = reading
        self._column = column
        self._result = result
        self._source = source
        self._tracker = reading.load()

    def __call__(self, table: pa.Table) -> pa.Table:
        """The table with the column of results; a missing text has none."""
        check_columns(table.column_names, self._column, self._result, self._source)
        texts = table.column(self._column).to_pylist()
        sources = [None] * len(texts) if self._source is None else table.column(self._source).to_pylist()
        for row, text in enumerate(texts):
            if not isinstance(text, str | None):
                raise ConfigError(
                    f"The column {self._column!r} holds {type(text).__name__} in row {row} of a block, and texts were "
                    "expected. Name the column of the texts."
                )
        trackings = self._tracker.track_many(
            (text for text in texts if text is not None),
            cells=self._reading.cells,
            threshold=self._reading.threshold,
        )
        found = [
            None if text is None else dump({**next(trackings).to_dict(), "source": source}, indent=None)
            for text, source in zip(texts, sources, strict=True)
        ]
        return table.append_column(self._result, pa.array(found, type=pa.string()))


def check_columns(columns: Collection[str], column: str, result: str, source: str | None) -> None:
    """Refuse columns that are not there, and a result that would take the place of one that is."""
    for name in filter(None, (column, source)):
        if name not in columns:
            raise ConfigError(f"The dataset has no column {name!r}. It has: {', '.join(columns)}. Name one of these.")
    if result in columns:
        raise ConfigError(f"The dataset has a column {result!r} already. Give another name for the result.")
