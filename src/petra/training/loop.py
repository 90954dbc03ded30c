"""The training of models epoch by epoch: after each the metrics and a checkpoint are on disk."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from petra.runtime.files import write_atomically
from petra.training.background import Background
from petra.training.checkpoint import Checkpointed, load_checkpoint, save_checkpoint
from petra.training.objective import Training


def train_epochs(
    recipe: Checkpointed,
    training: Training,
    *,
    checkpoint: Path,
    metrics: Path,
    resume: bool = False,
    on_epoch: Callable[[Any], None] | None = None,
) -> None:
    """Train until all models have stopped, from the checkpoint on if there is one to resume."""
    lines: list[str] = []
    if resume and checkpoint.exists():
        load_checkpoint(checkpoint, recipe, training)
        lines = metrics.read_text(encoding="utf-8").splitlines()[: training.epoch]
    with ExitStack() as stack:
        # The state of many models on a GPU takes as long to write as an epoch to train.
        background = stack.enter_context(Background()) if training.device.type == "cuda" else None
        while not training.finished:
            summary = training.learn()
            lines.append(json.dumps(summary.metrics))
            write_atomically(metrics, ("\n".join(lines) + "\n").encode())
            save_checkpoint(checkpoint, recipe, training, background)
            if on_epoch is not None:
                on_epoch(summary)
