"""Early stopping: when a model's learning rate is halved and when its training stops."""

from __future__ import annotations

from dataclasses import dataclass, replace

from petra.config import TrainingConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class Schedule:
    """Where one model stands after some epochs."""

    learning_rate: float
    best_f1: float = -1.0
    best_threshold: float = 0.5
    best_epoch: int = -1
    epochs: int = 0  # seen so far
    stale: int = 0  # epochs since the best one
    stopped: bool = False

    def after(self, f1: float, threshold: float, config: TrainingConfig) -> Schedule:
        """The schedule after one more epoch with this validation F1."""
        if self.stopped:
            return self
        if f1 > self.best_f1:
            return replace(
                self,
                best_f1=f1,
                best_threshold=threshold,
                best_epoch=self.epochs,
                epochs=self.epochs + 1,
                stale=0,
                stopped=self.epochs + 1 >= config.max_epochs,
            )
        stale = self.stale + 1
        rate = self.learning_rate
        if stale % config.patience_halve == 0:
            rate = max(rate / 2, config.min_learning_rate)
        return replace(
            self,
            learning_rate=rate,
            stale=stale,
            epochs=self.epochs + 1,
            stopped=stale >= config.patience_stop or self.epochs + 1 >= config.max_epochs,
        )


def temperature(epoch: int, config: TrainingConfig) -> float:
    """The temperature tau of the Gumbel-Softmax in an epoch counted from 0: halved every few epochs."""
    return float(config.temperature * 0.5 ** (epoch // config.temperature_halve_every))
