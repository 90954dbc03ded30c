"""``petra quotes``: the quotations of a text and who says them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from petra.cli.console import progress
from petra.cli.loading import load_tracker
from petra.cli.options import CellsOption, DeviceOption, EncodingOption, JsonOption, ModelOption, ThresholdOption
from petra.cli.texts import read_source


def quotes(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text file; - is standard input.", allow_dash=True)],
    model: ModelOption = None,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    device: DeviceOption = None,
    encoding: EncodingOption = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write CSV to stdout.")] = False,
    as_json: JsonOption = False,
) -> None:
    """List every quotation of a text with its speaker, whom it is said to, and what tells the speaker.

    With --json the people too, as `petra track --json` gives them; `text` is what is said without what interrupts it.
    """
    from rich.console import Console

    from petra.report.tables.quotations import said, show_quotations
    from petra.report.values.as_json import dump

    if as_csv and as_json:
        raise typer.BadParameter("Choose one of --csv and --json.", param_hint="--csv")
    text = read_source(file, encoding)
    tracker = load_tracker(model, device)
    with progress(f"Reading {file}") as report:
        tracking = tracker.track(text, cells=cells, threshold=threshold, source=str(file), report=report)
    if as_json:
        values = tracking.to_dict()
        for quotation, each in zip(values["quotations"], tracking.quotations, strict=True):
            quotation["text"] = said(each, text)
        typer.echo(dump(values))
    elif as_csv:
        typer.echo(tracking.to_csv("quotations"), nl=False)
    else:
        show_quotations(tracking.quotations, tracking.people, text, Console())
