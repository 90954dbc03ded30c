"""``petra data``: the corpora."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
def check(
    annotations: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="Folder of annotated texts of your own.", show_default=False),
    ] = None,
    data: DataOption = None,
) -> None:
    """List the corpora: found, missing or malformed, and where to get what is missing.

    With DIR, look at annotations of your own instead: what each file holds, or what is wrong in which line.
    """
    if annotations is not None:
        _check_annotations(annotations)
        return
    from petra.corpora.inventory import take_inventory
    from petra.corpora.places import SOURCES, data_folder, source
    from petra.errors import DataError

    try:
        folder = data_folder(data)
    except DataError:
        for place, origin in SOURCES.items():
            remark(f"{place}: from {origin}.")
        raise
    holdings = take_inventory(folder)
    show(holdings_table(holdings))
    for holding in holdings:
        if holding.missing:
            remark(f"{holding.name}: get {holding.place} from {source(holding.place)}.")
    problems = [holding for holding in holdings if holding.problem is not None]
    for holding in problems:
        remark(f"error: {holding.problem}")
    if problems:
        raise typer.Exit(1)


def _check_annotations(folder: Path) -> None:
    from rich.table import Table

    from petra.corpora.annotations.folder import check_annotations

    table = Table("File", "Texts", "People", "Mentions", "State")
    problems = []
    for checked in check_annotations(folder):
        name = str(checked.path.relative_to(folder))
        counts = (len(checked.documents), checked.people, checked.mentions)
        table.add_row(name, *(f"{count:,}" for count in counts), "malformed" if checked.problem else "fine")
        if checked.problem:
            problems.append(checked.problem)
    show(table)
    for problem in problems:
        remark(f"error: {problem}")
    if problems:
        raise typer.Exit(1)


@app.command()
def make(
    out: Annotated[Path, typer.Argument(help="File to write, in the format of GAP.")],
    seed: Annotated[int, typer.Option("--seed", help="Which snippets and names are drawn.")] = 1,
    data: DataOption = None,
) -> None:
    """Make synthetic instances to train on, from WikiText-2 and the texts of GAP development."""
    from petra.corpora.gap import write_gap_file
    from petra.corpora.places import data_folder
    from petra.training.data.instances.synthetic import synthetic_instances

    instances = synthetic_instances(data_folder(data), seed)
    write_gap_file(out, instances)
    remark(f"{out}: {len(instances):,} instances.")


def holdings_table(holdings: Sequence[Holding]) -> Table:
    from rich.table import Table

    table = Table("Corpus", "Place", "State")
    for holding in holdings:
        state = (
            "missing" if holding.missing else "malformed" if holding.problem else f"{holding.count:,} {holding.unit}"
        )
        table.add_row(holding.name, holding.place, state)
    return table
