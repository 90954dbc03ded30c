"""``petra why``: why a mention is linked to its person."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from petra.cli.console import progress
from petra.cli.loading import load_tracker
from petra.cli.options import CellsOption, DeviceOption, JsonOption, ModelOption, ThresholdOption
from petra.cli.texts import read_source

if TYPE_CHECKING:
    from petra.linking.explain import Explanation

_MOST = 5  # candidates shown


def why(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Text file; - is standard input.", allow_dash=True)],
    at: Annotated[int, typer.Option("--at", min=0, metavar="OFFSET", help="A character of the mention, from 0.")],
    model: ModelOption = None,
    cells: CellsOption = None,
    threshold: ThresholdOption = None,
    device: DeviceOption = None,
    as_json: JsonOption = False,
) -> None:
    """Explain whom a mention refers to: the candidates, and what memory and features add to the score of each.

    Offsets are those of `petra track --json`. The text is read twice.
    """
    text = read_source(file)
    tracker = load_tracker(model, device)
    with progress("Reading") as bar:
        tracking = tracker.track(text, cells=cells, threshold=threshold, report=bar)
    explanation = tracking.explain(tracking.mention_at(at))
    if as_json:
        typer.echo(json.dumps(explanation.to_dict(), indent=2))
    else:
        typer.echo("\n".join([explanation.in_words(), "", *_table(explanation)]))


def _table(explanation: Explanation) -> list[str]:
    """The candidates, and below each what its score is made of."""
    lines = []
    for candidate in explanation.candidates[:_MOST]:
        number = "new" if candidate.person_id is None else str(candidate.person_id)
        lines.append(f"{number:>4}  {candidate.name}: {candidate.probability:.1%}, score {candidate.score:.1f}")
        parts = {"memory": candidate.memory, **candidate.features}
        lines.append("      " + ", ".join(f"{name} {value:+.1f}" for name, value in parts.items()))
    if (more := len(explanation.candidates) - _MOST) > 0:
        lines.append(f"      and {more} more")
    return lines
