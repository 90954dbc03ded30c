"""``petra resolve``: a text with names for pronouns."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from petra.cli.console import progress, remark
from petra.cli.loading import load_tracker
from petra.cli.options import CellsOption, DeviceOption, EncodingOption, ModelOption, ThresholdOption
from petra.cli.outputs import check_outputs
from petra.cli.texts import read_source


def resolve(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text file; - is standard input.", allow_dash=True)],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="OUT", help="File to write; without it, stdout.")
    ] = None,
    model: ModelOption = None,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    device: DeviceOption = None,
    encoding: EncodingOption = None,
) -> None:
    """Write a text with names for pronouns: he, him, his, she, her, hers, them, their, theirs.

    Pronouns of people without a name stay, and so do those after which another word would have to change.
    """
    from petra.runtime.files import write_atomically

    check_outputs([] if out is None else [(out, "text")], [file], force=True)
    text = read_source(file, encoding)
    tracker = load_tracker(model, device)
    with progress(f"Reading {file}") as report:
        tracking = tracker.track(text, cells=cells, threshold=threshold, source=str(file), report=report)
    if out is None:
        typer.echo(tracking.to_resolved(), nl=False)
    else:
        write_atomically(out, tracking.to_resolved().encode())
        remark(f"Text written to {out}.")
