"""Models that learn side by side on frozen features: the seeds of a recipe, or a group of runs."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.evaluation.gap_score import best_threshold
from petra.training.batches import Batcher
from petra.training.checkpoint import Checkpointed, copy_exactly
from petra.training.learner import CorpusReader, Learner
from petra.training.loop import train_epochs
from petra.training.schedule import Schedule, temperature


@dataclass(frozen=True, kw_only=True, slots=True)
class EpochReport:
    """What is known after an epoch; one entry per model that was in the batch."""

    epoch: int  # counted from 1
    seconds: float  # of this epoch
    temperature: float
    models: tuple[int, ...]  # their places among all
    losses: tuple[float, ...]
    validation_f1: tuple[float, ...]
    thresholds: tuple[float, ...]
    learning_rates: tuple[float, ...]
    stopped: tuple[bool, ...]

    @property
    def metrics(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def line(self) -> str:
        scores = " ".join(
            f"{f1:5.1f}{'.' if stopped else ' '}" for f1, stopped in zip(self.validation_f1, self.stopped, strict=True)
        )
        loss = sum(self.losses) / len(self.losses)
        return f"epoch {self.epoch:3d}  {self.seconds:6.1f} s  loss {loss:.4f}  validation F1 {scores}"


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingResult:
    """The models of a finished run, each at its best epoch."""

    parameters: Mapping[str, Tensor]  # each leads with the models
    schedules: tuple[Schedule, ...]
    seconds: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """How far models have come after some epochs."""

    epoch: int  # epochs done
    seconds: float  # spent training so far
    schedules: tuple[Schedule, ...]
    best: Mapping[str, Tensor]  # the parameters of each model's best epoch


class SideBySide:
    """The training of models side by side.

    When at most the share ``compact_at`` of the models in the batch is still learning,
    the others leave it, if the batch has more than ``compact_above``: that changes no
    model, only the time the rest takes.
    """

    def __init__(
        self,
        learner: Learner,
        validation: Batcher,
        validation_gold: NDArray[np.bool_],
        *,
        compact_at: float = 0.0,
        compact_above: int = 1,
        on_batch: Callable[[int, int], None] | None = None,
    ) -> None:
        self.learner = learner
        self.standing = Standing(
            epoch=0,
            seconds=0.0,
            schedules=(Schedule(learning_rate=learner.config.learning_rate),) * learner.network.num_models,
            best={name: value.detach().clone() for name, value in learner.network.named_parameters()},
        )
        self._validation = validation
        self._gold = validation_gold
        self._compact_at, self._compact_above = compact_at, compact_above
        self._on_batch = on_batch
        self._reader: CorpusReader | None = None  # created again when models leave the batch

    @property
    def device(self) -> torch.device:
        return self.learner.device

    @property
    def epoch(self) -> int:
        return self.standing.epoch

    @property
    def finished(self) -> bool:
        return not self._learning

    @property
    def _learning(self) -> list[int]:
        return [place for place in self.learner.models if not self.standing.schedules[place].stopped]

    @property
    def result(self) -> TrainingResult:
        standing = self.standing
        return TrainingResult(parameters=standing.best, schedules=standing.schedules, seconds=standing.seconds)

    def learn(self) -> EpochReport:
        """Learn for one epoch and validate."""
        learner, learning, batch = self.learner, self._learning, len(self.learner.models)
        if batch > self._compact_above and len(learning) <= self._compact_at * batch:
            self._reader = None
            learner.keep_only(learning)
            gc.collect()  # what a GPU holds for the larger batch hangs on objects that refer to each other
        if self._reader is None:
            self._reader = CorpusReader(learner.network, self._validation)
        began = time.perf_counter()
        losses = _epoch(learner, self.standing, self._on_batch)
        scores = best_threshold(self._reader.link_probabilities(), self._gold)
        self.standing = _advance(self.standing, learner, scores.f1, scores.threshold, time.perf_counter() - began)
        schedules = [self.standing.schedules[place] for place in learner.models]
        return EpochReport(
            epoch=self.epoch,
            seconds=round(time.perf_counter() - began, 3),
            temperature=temperature(self.epoch - 1, learner.config),
            models=learner.models,
            losses=tuple(losses.tolist()),
            validation_f1=tuple(scores.f1.tolist()),
            thresholds=tuple(scores.threshold.tolist()),
            learning_rates=tuple(schedule.learning_rate for schedule in schedules),
            stopped=tuple(schedule.stopped for schedule in schedules),
        )

    @property
    def tensors(self) -> dict[str, Tensor]:
        learner = self.learner
        tensors = {f"parameter.{name}": value.detach() for name, value in learner.network.named_parameters()}
        tensors |= {f"best.{name}": value for name, value in self.standing.best.items()}
        tensors |= {f"adam.{name}": value for name, value in learner.optimizer.state.items()}
        tensors |= {f"generator.{index}": each.get_state() for index, each in enumerate(learner.generators)}
        return tensors

    @property
    def progress(self) -> dict[str, Any]:
        return {
            "epoch": self.standing.epoch,
            "seconds": self.standing.seconds,
            "schedules": [asdict(schedule) for schedule in self.standing.schedules],
            "models": self.learner.models,
        }

    def restore(self, tensors: Mapping[str, Tensor], progress: Mapping[str, Any]) -> None:
        """Set a new training to the state of one that was saved."""
        learner = self.learner
        learner.keep_only(progress["models"])
        parameters = dict(learner.network.named_parameters())
        with torch.no_grad():
            for name, parameter in parameters.items():
                copy_exactly(parameter, tensors[f"parameter.{name}"])
        for name, moment in learner.optimizer.state.items():
            copy_exactly(moment, tensors[f"adam.{name}"])
        for index, generator in enumerate(learner.generators):
            generator.set_state(tensors[f"generator.{index}"])
        self._reader = None
        self.standing = Standing(
            epoch=progress["epoch"],
            seconds=progress["seconds"],
            schedules=tuple(Schedule(**schedule) for schedule in progress["schedules"]),
            # Copies, because what was read may still be a view of the file, which the next epoch replaces.
            best={name: tensors[f"best.{name}"].to(learner.device, copy=True) for name in parameters},
        )


def train(
    recipe: Checkpointed,
    learner: Learner,
    validation: Batcher,
    validation_gold: NDArray[np.bool_],
    folder: Path,
    *,
    resume: bool = False,
    compact_at: float = 0.0,
    compact_above: int = 1,
    on_batch: Callable[[int, int], None] | None = None,
    on_epoch: Callable[[EpochReport], None] | None = None,
) -> TrainingResult:
    """Train until every model has stopped; after each epoch the state and the metrics are in the folder."""
    training = SideBySide(
        learner,
        validation,
        validation_gold,
        compact_at=compact_at,
        compact_above=compact_above,
        on_batch=on_batch,
    )
    train_epochs(
        recipe,
        training,
        checkpoint=folder / "checkpoint.safetensors",
        metrics=folder / "metrics.jsonl",
        resume=resume,
        on_epoch=on_epoch,
    )
    return training.result


def _epoch(learner: Learner, state: Standing, on_batch: Callable[[int, int], None] | None) -> Tensor:
    """One pass over the training texts; returns each model's mean loss."""
    config = learner.config
    schedules = [state.schedules[place] for place in learner.models]
    rates = [0.0 if schedule.stopped else schedule.learning_rate for schedule in schedules]
    learning_rates = torch.tensor(rates, device=learner.device)
    batches = -(-len(learner.batcher.examples) // config.batch_size)
    losses = []
    for done, batch in enumerate(learner.batcher.training(state.epoch, config.shuffle_seed), start=1):
        losses.append(learner.step(batch, temperature(state.epoch, config), learning_rates))
        if on_batch is not None:
            on_batch(done, batches)
    return torch.stack(losses).mean(0).cpu()


def _advance(
    state: Standing, learner: Learner, f1: NDArray[np.float64], threshold: NDArray[np.float64], seconds: float
) -> Standing:
    """The state after one more epoch, with these validation scores of the models in the batch."""
    schedules = list(state.schedules)
    for place, score, at in zip(learner.models, f1, threshold, strict=True):
        schedules[place] = schedules[place].after(float(score), float(at), learner.config)
    places = torch.tensor(learner.models, device=learner.device)
    better = torch.tensor(
        [schedules[place].best_epoch != state.schedules[place].best_epoch for place in learner.models],
        device=learner.device,
    )
    best = {
        name: state.best[name].index_copy(0, places[better], value.detach()[better])
        for name, value in learner.network.named_parameters()
    }
    return Standing(epoch=state.epoch + 1, seconds=state.seconds + seconds, schedules=tuple(schedules), best=best)
