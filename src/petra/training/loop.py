"""The training of a recipe's seeds, epoch by epoch."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.config import RunConfig
from petra.evaluation.gap_score import best_threshold
from petra.files import write_atomically
from petra.training.batches import Batcher
from petra.training.checkpoint import Checkpoint, load_checkpoint, save_checkpoint
from petra.training.learner import CorpusReader, Learner
from petra.training.schedule import Schedule, temperature


@dataclass(frozen=True, kw_only=True, slots=True)
class EpochReport:
    """What is known after an epoch; one entry per model."""

    epoch: int  # counted from 1
    seconds: float  # of this epoch
    temperature: float
    losses: tuple[float, ...]
    validation_f1: tuple[float, ...]
    thresholds: tuple[float, ...]
    learning_rates: tuple[float, ...]
    stopped: tuple[bool, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Trained:
    """The models of a finished run, each at its best epoch."""

    parameters: Mapping[str, Tensor]  # each leads with the models
    schedules: tuple[Schedule, ...]
    seconds: float


def train(
    config: RunConfig,
    learner: Learner,
    validation: Batcher,
    validation_gold: NDArray[np.bool_],
    folder: Path,
    *,
    resume: bool = False,
    on_batch: Callable[[int, int], None] | None = None,
    on_epoch: Callable[[EpochReport], None] | None = None,
) -> Trained:
    """Train until every model has stopped; after each epoch the state and the metrics are in the folder."""
    checkpoint_path, metrics_path = folder / "checkpoint.safetensors", folder / "metrics.jsonl"
    metrics: list[str] = []
    state = Checkpoint(
        epoch=0,
        seconds=0.0,
        schedules=(Schedule(learning_rate=config.training.learning_rate),) * learner.network.num_models,
        best={name: value.detach().clone() for name, value in learner.network.named_parameters()},
    )
    if resume and checkpoint_path.exists():
        state = load_checkpoint(checkpoint_path, config, learner)
        metrics = metrics_path.read_text(encoding="utf-8").splitlines()[: state.epoch]
    reader = CorpusReader(learner.network, validation)
    while not all(schedule.stopped for schedule in state.schedules):
        began = time.perf_counter()
        losses = _epoch(learner, state, on_batch)
        scores = best_threshold(reader.link_probabilities(), validation_gold)
        state = _advance(state, learner, scores.f1, scores.threshold, time.perf_counter() - began)
        report = EpochReport(
            epoch=state.epoch,
            seconds=round(time.perf_counter() - began, 3),
            temperature=temperature(state.epoch - 1, config.training),
            losses=tuple(losses.tolist()),
            validation_f1=tuple(scores.f1.tolist()),
            thresholds=tuple(scores.threshold.tolist()),
            learning_rates=tuple(schedule.learning_rate for schedule in state.schedules),
            stopped=tuple(schedule.stopped for schedule in state.schedules),
        )
        metrics.append(json.dumps({name: getattr(report, name) for name in EpochReport.__slots__}))
        write_atomically(metrics_path, ("\n".join(metrics) + "\n").encode())
        save_checkpoint(checkpoint_path, config, learner, state)
        if on_epoch is not None:
            on_epoch(report)
    return Trained(parameters=state.best, schedules=state.schedules, seconds=state.seconds)


def _epoch(learner: Learner, state: Checkpoint, on_batch: Callable[[int, int], None] | None) -> Tensor:
    """One pass over the training texts; returns each model's mean loss."""
    config = learner.config
    rates = [0.0 if schedule.stopped else schedule.learning_rate for schedule in state.schedules]
    learning_rates = torch.tensor(rates, device=learner.device)
    batches = -(-len(learner.batcher.examples) // config.batch_size)
    losses = []
    for done, batch in enumerate(learner.batcher.training(state.epoch, config.shuffle_seed), start=1):
        losses.append(learner.step(batch, temperature(state.epoch, config), learning_rates))
        if on_batch is not None:
            on_batch(done, batches)
    return torch.stack(losses).mean(0).cpu()


def _advance(
    state: Checkpoint, learner: Learner, f1: NDArray[np.float64], threshold: NDArray[np.float64], seconds: float
) -> Checkpoint:
    """The state after one more epoch with these validation scores."""
    schedules = tuple(
        schedule.after(float(score), float(at), learner.config)
        for schedule, score, at in zip(state.schedules, f1, threshold, strict=True)
    )
    better = torch.tensor(
        [new.best_epoch != old.best_epoch for new, old in zip(schedules, state.schedules, strict=True)],
        device=learner.device,
    )
    best = {
        name: torch.where(better.view(-1, *[1] * (value.dim() - 1)), value.detach(), state.best[name])
        for name, value in learner.network.named_parameters()
    }
    return Checkpoint(epoch=state.epoch + 1, seconds=state.seconds + seconds, schedules=schedules, best=best)
