"""The training of models side by side, epoch by epoch: the seeds of a recipe, or a group of runs."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.evaluation.gap_score import best_threshold
from petra.runtime.files import write_atomically
from petra.training.background import Background
from petra.training.batches import Batcher
from petra.training.checkpoint import Checkpoint, Recipe, load_checkpoint, save_checkpoint
from petra.training.learner import CorpusReader, Learner
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


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainingResult:
    """The models of a finished run, each at its best epoch."""

    parameters: Mapping[str, Tensor]  # each leads with the models
    schedules: tuple[Schedule, ...]
    seconds: float


def train(
    recipe: Recipe,
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
    """Train until every model has stopped; after each epoch the state and the metrics are in the folder.

    When at most the share ``compact_at`` of the models in the batch is still learning,
    the others leave it, if the batch has more than ``compact_above``: that changes no
    model, only the time the rest takes.
    """
    checkpoint_path, metrics_path = folder / "checkpoint.safetensors", folder / "metrics.jsonl"
    metrics: list[str] = []
    state = Checkpoint(
        epoch=0,
        seconds=0.0,
        schedules=(Schedule(learning_rate=recipe.training.learning_rate),) * learner.network.num_models,
        best={name: value.detach().clone() for name, value in learner.network.named_parameters()},
    )
    if resume and checkpoint_path.exists():
        state = load_checkpoint(checkpoint_path, recipe, learner)
        metrics = metrics_path.read_text(encoding="utf-8").splitlines()[: state.epoch]
    reader = CorpusReader(learner.network, validation)
    with ExitStack() as stack:
        # The state of many models on a GPU takes as long to write as an epoch to train.
        background = stack.enter_context(Background()) if learner.device.type == "cuda" else None
        while learning := [place for place in learner.models if not state.schedules[place].stopped]:
            batch = len(learner.models)
            if batch > compact_above and len(learning) <= compact_at * batch:
                learner.keep_only(learning)
                reader = CorpusReader(learner.network, validation)
                gc.collect()  # what a GPU holds for the larger batch hangs on objects that refer to each other
            began = time.perf_counter()
            losses = _epoch(learner, state, on_batch)
            scores = best_threshold(reader.link_probabilities(), validation_gold)
            state = _advance(state, learner, scores.f1, scores.threshold, time.perf_counter() - began)
            schedules = [state.schedules[place] for place in learner.models]
            report = EpochReport(
                epoch=state.epoch,
                seconds=round(time.perf_counter() - began, 3),
                temperature=temperature(state.epoch - 1, recipe.training),
                models=learner.models,
                losses=tuple(losses.tolist()),
                validation_f1=tuple(scores.f1.tolist()),
                thresholds=tuple(scores.threshold.tolist()),
                learning_rates=tuple(schedule.learning_rate for schedule in schedules),
                stopped=tuple(schedule.stopped for schedule in schedules),
            )
            metrics.append(json.dumps({name: getattr(report, name) for name in EpochReport.__slots__}))
            write_atomically(metrics_path, ("\n".join(metrics) + "\n").encode())
            save_checkpoint(checkpoint_path, recipe, learner, state, background)
            if on_epoch is not None:
                on_epoch(report)
    return TrainingResult(parameters=state.best, schedules=state.schedules, seconds=state.seconds)


def _epoch(learner: Learner, state: Checkpoint, on_batch: Callable[[int, int], None] | None) -> Tensor:
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
    state: Checkpoint, learner: Learner, f1: NDArray[np.float64], threshold: NDArray[np.float64], seconds: float
) -> Checkpoint:
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
    return Checkpoint(epoch=state.epoch + 1, seconds=state.seconds + seconds, schedules=tuple(schedules), best=best)
