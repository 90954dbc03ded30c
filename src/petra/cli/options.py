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
BackendOption = Annotated[
    str | None,
    typer.Option(
        "--backend",
        metavar="NAME",
        envvar="PETRA_BACKEND",
        help="What computes the encoder: torch, torch-bf16, openvino, openvino-bf16, openvino-int8, onnx, or auto (the "
        "default): the fastest installed that is recorded as safe for the model.",
    ),
]
ThreadsOption = Annotated[
    int | None,
    typer.Option("--threads", min=1, envvar="PETRA_THREADS", help="Threads to compute with (default: one a core)."),
]
DataOption = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="Folder of the corpora (default: $PETRA_DATA).")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Write JSON to stdout.")]
