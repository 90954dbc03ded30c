"""Options that several commands share, so that each means the same everywhere."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from petra.config import MOST_CELLS

ModelOption = Annotated[
    str | None,
    typer.Option("--model", "-m", envvar="PETRA_MODEL", help="Model name or folder (default: the one shipped)."),
]
CellsOption = Annotated[
    int | None, typer.Option("--cells", min=1, max=MOST_CELLS, help="Memory cells (default: the model's own).")
]
ThresholdOption = Annotated[
    float | None,
    typer.Option(
        "--threshold", min=0, max=1, help="Least probability of a decision that counts (default: the model's own)."
    ),
]
EncodingOption = Annotated[
    str | None,
    typer.Option("--encoding", metavar="NAME", help="Encoding of the text, as windows-1252 (default: it is told)."),
]
DeviceOption = Annotated[str | None, typer.Option("--device", help="cpu, cuda or cuda:1 (default: the best there is).")]
DataOption = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="Folder of the corpora (default: $PETRA_DATA).")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON to stdout.")]
