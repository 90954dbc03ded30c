"""What the trainer asks of an objective: of frozen features, or of an adapted encoder."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor

from petra.trained import TrainedModel


class EpochSummary(Protocol):
    """What is known after an epoch."""

    @property
    def metrics(self) -> Mapping[str, Any]:
        """All of it as plain values, for a line of the metrics."""

    @property
    def line(self) -> str:
        """The most of it as a line to read."""


def _nobody(*_: Any) -> None:
    """A hook that does nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hooks:
    """Callbacks for progress while a recipe runs; amounts come as done and whole."""

    on_fetch: Callable[[int, int], None] = _nobody
    on_encode: Callable[[str, int, int], None] = _nobody
    on_distillation: Callable[[int, int], None] = _nobody
    on_batch: Callable[[int, int], None] = _nobody
    on_epoch: Callable[[Any], None] = _nobody  # with the summary of an epoch


class Training(Protocol):
    """Models that learn together, epoch by epoch."""

    @property
    def device(self) -> torch.device: ...

    @property
    def epoch(self) -> int:
        """Epochs done."""

    @property
    def finished(self) -> bool: ...

    def learn(self) -> EpochSummary:
        """Learn for one epoch and validate."""

    @property
    def tensors(self) -> dict[str, Tensor]:
        """All tensors that the next epoch depends on."""

    @property
    def progress(self) -> dict[str, Any]:
        """All else that the next epoch depends on, as plain values."""

    def restore(self, tensors: Mapping[str, Tensor], progress: Mapping[str, Any]) -> None:
        """Set a new training to the state of one that was saved."""


class Objective(Protocol):
    """How the models of one configuration learn: its data, its training, its scores."""

    together: bool  # whether seeds learn side by side, or one after the other

    def begin(self, seeds: Sequence[int]) -> Training:
        """The training of some seeds, before its first epoch; whatever can be missing is read first."""

    def models(self, training: Any, seeds: Sequence[int]) -> list[TrainedModel]:
        """The models of a finished training at their best epochs, with their records."""

    def test_scores(self, model: TrainedModel) -> dict[str, float]:
        """The scores of a model on the test split of GAP, for its record."""
