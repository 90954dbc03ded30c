"""Runs a recipe of adapted models: data in, trained models out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from petra.config import RunConfig
from petra.encoder.pretrained import PretrainedEncoder
from petra.encoder.resolve import encoder_folder
from petra.errors import ConfigError
from petra.runtime.files import write_atomically
from petra.runtime.progress import Report, silent
from petra.text.tokenize import Tokenizer
from petra.trained import TrainedModel, load_trained, model_folder, read_config, save_trained
from petra.training.adapted.data import (
    LabelledInstance,
    Passages,
    TrainingData,
    balanced_sample,
    read_training_data,
    snippets,
)
from petra.training.adapted.distillation import distil
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.model import adapted_model
from petra.training.adapted.pseudo_labels import pseudo_label
from petra.training.adapted.span_fit import refit_spans
from petra.training.adapted.validation import Validation, validate
from petra.training.batches import epoch_order
from petra.training.schedule import temperature
from petra.training.supervision.synthetic import synthetic_instances
from petra.training.supervision.unlabelled import find_unlabelled

_POOL = 3  # pseudo-labelled instances to draw from, for each one of an epoch
_SYNTHETIC_SEEDS = (1, 2)  # two samples of synthetic instances overlap, but hold more than one


class Epoch(NamedTuple):
    """What is known after an epoch of one seed."""

    seed: int
    epoch: int  # counted from 1
    seconds: float
    losses: Mapping[str, float]  # means over the epoch's steps
    validation: Validation


class AdaptedResult(NamedTuple):
    """A model at its best epoch."""

    weights: Mapping[str, Tensor]
    best: Epoch
    seconds: float


def train_adapted(
    config: RunConfig,
    encoder: PretrainedEncoder,
    corpora: TrainingData,
    *,
    seed: int,
    device: torch.device,
    on_distillation: Report = silent,
    on_epoch: Callable[[Epoch], None],
) -> AdaptedResult:
    """Train one model for the recipe's epochs; returns its best epoch by ``Validation.overall``, the last of equals."""
    began = time.perf_counter()
    training = config.training
    steps = training.max_epochs * -(-corpora.epoch_size(config) // training.batch_size)
    learner = AdaptedLearner(config, encoder, seed=seed, steps=steps, device=device)
    if config.initialise_from:
        learner.initialise_from(load_trained(config.initialise_from).weights)
    if config.distillation.teacher:
        teacher = adapted_model(load_trained(config.distillation.teacher), device)
        distil(learner, teacher, corpora.unlabelled, report=on_distillation)
        if config.distillation.weight:
            learner.add_distillation(teacher)
    random = np.random.default_rng((training.shuffle_seed, seed))
    passages = corpora.draw_passages(config, random)
    best: tuple[Epoch, dict[str, Tensor]] | None = None
    for epoch in range(training.max_epochs):
        start = time.perf_counter()
        losses = _learn(config, learner, corpora.epoch(config, random), passages, epoch)
        with learner.averaged():
            scores = validate(learner, corpora.validation, corpora.held_out)
            report = Epoch(seed, epoch + 1, round(time.perf_counter() - start, 2), losses, scores)
            on_epoch(report)
            if best is None or scores.overall >= best[0].validation.overall:
                best = (report, {name: value.to("cpu", copy=True) for name, value in learner.weights.items()})
    assert best is not None  # a recipe has at least one epoch
    return AdaptedResult(best[1], best[0], round(time.perf_counter() - began, 1))


def _learn(
    config: RunConfig,
    learner: AdaptedLearner,
    instances: Sequence[LabelledInstance],
    passages: Iterator[Passages],
    epoch: int,
) -> dict[str, float]:
    """The steps of an epoch; returns the mean losses."""
    ready = snippets(config, learner.encoder, instances)
    order = epoch_order([len(each.document) for each in ready], config.training.batch_size, learner.seed, epoch)
    tau = temperature(epoch, config.training)
    found = []
    for members in order:
        some = next(passages)
        found.append(learner.step([ready[member] for member in members], some.long, tau, some.short))
    return {name: round(float(np.mean([losses[name] for losses in found])), 4) for name in found[0]}


def run_adapted_recipe(
    config: RunConfig,
    data: Path,
    folder: Path,
    *,
    device: torch.device,
    report: Report = silent,
    on_distillation: Report = silent,
    on_epoch: Callable[[Epoch], None],
) -> list[dict[str, Any]]:
    """Train the seeds of a recipe one after the other and save each as ``folder/seed-S``; returns their records.

    A seed whose model is in the folder already is not trained again. Report receives the
    progress of fetching the encoder, on_distillation that of the steps of distillation.
    """
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")  # TF32: ample for gradients
    if config.initialise_from:
        check_initialise_from(config, read_config(model_folder(config.initialise_from)))
    if config.distillation.teacher:
        check_distillation(config, read_config(model_folder(config.distillation.teacher)))
    supervision = config.supervision
    seeds = _SYNTHETIC_SEEDS if supervision.synthetic else ()
    synthetic = [LabelledInstance(instance) for seed in seeds for instance in synthetic_instances(data, seed)]
    pseudo_labelled: Sequence[LabelledInstance] = ()
    if supervision.pseudo_labels:
        unlabelled = [LabelledInstance(each) for each in find_unlabelled(data, config.training.shuffle_seed)]
        random = np.random.default_rng(config.training.shuffle_seed)
        chosen = balanced_sample(unlabelled, _POOL * supervision.pseudo_labels, random)
        pseudo_labelled = pseudo_label(Path(supervision.teachers), [each.instance for each in chosen], device)
    records = []
    corpora: TrainingData | None = None
    for seed in config.seeds:
        place = folder / f"seed-{seed}"
        if (place / "record.json").is_file():
            records.append(json.loads((place / "record.json").read_text(encoding="utf-8")))
            continue
        if corpora is None:  # before the encoder is on a GPU, because processes are forked for it
            tokenizer = Tokenizer.from_folder(encoder_folder(config.encoder.name, report=report))
            corpora = read_training_data(config, tokenizer, data, synthetic=synthetic, pseudo_labelled=pseudo_labelled)
        encoder = PretrainedEncoder.load(config.encoder, device=device, report=report)
        lines: list[str] = []

        def record_epoch(epoch: Epoch, lines: list[str] = lines, place: Path = place) -> None:
            lines.append(json.dumps({**epoch._asdict(), "validation": epoch.validation._asdict()}))
            write_atomically(place.with_suffix(".metrics.jsonl"), ("\n".join(lines) + "\n").encode())
            on_epoch(epoch)

        trained = train_adapted(
            config, encoder, corpora, seed=seed, device=device, on_distillation=on_distillation, on_epoch=record_epoch
        )
        record = record_of(config, trained)
        model = TrainedModel(name=f"{config.name}-{seed}", config=config, record=record, weights=trained.weights)
        save_trained(place, model)
        if config.spans.max_width and config.supervision.passages:
            record = dict(refit_spans(place, data, device=device, seed=seed).record)
        records.append(record)
    return records


_SAME_SHAPE = (
    "encoder.name",
    "encoder.layers",
    "memory.num_cells",
    "memory.hidden_size",
    "memory.mlp_size",
    "memory.variant",
    "memory.key_size",
    "adapter.rank",
    "adapter.alpha",
    "spans.max_width",
    "spans.size",
)
_SAME_HEADS = ("memory.variant", "memory.hidden_size", "memory.mlp_size", "spans.max_width", "spans.size")


def check_initialise_from(config: RunConfig, initial: RunConfig) -> None:
    """Raise ConfigError unless the weights of another model have the same shapes and meaning."""
    _check_same(config, initial, _SAME_SHAPE, "the model of initialise_from")


def check_distillation(config: RunConfig, teacher: RunConfig) -> None:
    """Raise ConfigError unless a student can take over the teacher's memory and span head."""
    _check_same(config, teacher, _SAME_HEADS, "the model of distillation.teacher")


def _check_same(config: RunConfig, other: RunConfig, names: Sequence[str], which: str) -> None:
    for name in names:
        mine, theirs = (attrgetter(name)(each) for each in (config, other))
        if mine != theirs:
            raise ConfigError(f"{name} is {mine!r}, but {theirs!r} in {which}. Make them the same.")


def record_of(config: RunConfig, trained: AdaptedResult) -> dict[str, Any]:
    """What is known of a model that was trained and has not been scored further."""
    scores = trained.best.validation
    return {
        "seed": trained.best.seed,
        "validation_f1": scores.f1,
        "threshold": scores.threshold,
        "best_epoch": trained.best.epoch,
        "epochs": config.training.max_epochs,
        "seconds": trained.seconds,
        "span_f1": dict(scores.span_f1),
        "links_right": dict(scores.links_right),
    }
