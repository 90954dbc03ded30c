"""``petra data``: the corpora."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from petra.cli.console import remark, show
from petra.cli.options import DataOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.table import Table

    from petra.corpora.inventory import Holding

app = typer.Typer(no_args_is_help=True)


@app.callback()
def corpora() -> None:
    """Look after the corpora that PeTra learns from and is measured on."""


@app.command()
def check(data: DataOption = None) -> None:
    """List the corpora: found, missing or malformed."""
    from petra.corpora.inventory import take_inventory
    from petra.corpora.places import data_folder, source

    holdings = take_inventory(data_folder(data))
    show(holdings_table(holdings))
    for holding in holdings:
        if holding.missing:
            remark(f"{holding.name}: get {holding.place} from {source(holding.place)}.")
    problems = [holding for holding in holdings if holding.problem is not None]
    for holding in problems:
        remark(f"error: {holding.problem}")
    if problems:
        raise typer.Exit(1)


def holdings_table(holdings: Sequence[Holding]) -> Table:
    from rich.table import Table

    table = Table("Corpus", "Place", "State")
    for holding in holdings:
        state = (
            "missing" if holding.missing else "malformed" if holding.problem else f"{holding.count:,} {holding.unit}"
        )
        table.add_row(holding.name, holding.place, state)
    return table
