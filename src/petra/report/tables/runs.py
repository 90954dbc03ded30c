"""The runs of a recipe as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.table import Table

_COLUMNS = {
    "seed": "Seed",
    "validation_f1": "Validation F1",
    "test_f1": "Test F1",
    "threshold": "Threshold",
    "count_error_best": "Counting error",
    "epochs": "Epochs",
    "seconds": "Seconds",
}


def runs_table(result: Mapping[str, Any]) -> Table:
    """One row a seed of a result (schema petra.result/1), and the means."""
    runs = result["runs"]
    columns = {key: title for key, title in _COLUMNS.items() if key in runs[0]}
    table = Table(title=result["model"], show_footer=True)
    for key, title in columns.items():
        mean = f"{result[f'mean_{key}']:.1f} ± {result[f'std_{key}']:.1f}" if f"mean_{key}" in result else ""
        table.add_column(title, footer="mean" if key == "seed" else mean, justify="right")
    for run in runs:
        table.add_row(*(str(run[key]) for key in columns))
    return table
