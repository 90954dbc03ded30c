"""``petra bench``: speed and memory on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petra.cli.console import progress, show, show_json
from petra.cli.loading import load_tracker
from petra.cli.options import CellsOption, DeviceOption, JsonOption, ModelOption

if TYPE_CHECKING:
    from rich.table import Table

    from petra.bench import BenchResult


def bench(
    model: ModelOption = None,
    text: Annotated[
        Path | None, typer.Option("--text", metavar="FILE", help="Text to read (default: a built-in one).")
    ] = None,
    cells: CellsOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Time the parts of reading, the memory against a plain loop, all in one run."""
    from petra.text.source import read_text

    given = None if text is None else read_text(text)
    tracker = load_tracker(model, device)

    from petra.bench import PARAGRAPH, measure

    with progress("Timing") as report:
        result = measure(tracker, PARAGRAPH if given is None else given, cells=cells, report=report)
    if as_json:
        show_json(result.to_dict())
    else:
        show(bench_table(result))


def bench_table(result: BenchResult) -> Table:
    from rich.table import Table

    title = f"{result.model}: {result.tokens:,} tokens, {result.cells} cells, {result.threads} threads"
    table = Table("", "Tokens a second", "Times the plain loop", title=title, title_justify="left")
    for column in table.columns[1:]:
        column.justify = "right"
    table.add_row(f"encoder ({result.device})", f"{result.encoder:,.0f}", "")
    table.add_row("GRU", f"{result.recurrent:,.0f}", "", end_section=True)
    for what, speed in (
        ("memory, plain per-token loop", result.plain),
        ("memory, every token", result.exact),
        (f"memory, {result.read_share:.0%} of the tokens", result.skipping),
    ):
        table.add_row(what, f"{speed:,.0f}", f"{result.times_plain(speed):.1f}")
    table.caption = f"Ten times the text, streamed, takes {result.peak_ratio:.2f} times the memory."
    table.caption_justify = "left"
    return table
