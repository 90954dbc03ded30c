"""Runs a recipe of adapted models: data in, trained models out."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from petra.config import RunConfig
from petra.encoder.pretrained import PretrainedEncoder
from petra.encoder.resolve import encoder_folder
from petra.runtime.files import write_atomically
from petra.runtime.locks import lock
from petra.runtime.progress import Report, silent
from petra.text.tokenize import Tokenizer
from petra.trained import TrainedModel, is_model, load_trained, read_record, save_trained
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
from petra.training.references import References, references_of, seed_folder
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
    references: References,
    on_distillation: Report = silent,
    on_epoch: Callable[[Epoch], None],
) -> AdaptedResult:
    """Train one model for the recipe's epochs; returns its best epoch by ``Validation.overall``, the last of equals."""
    began = time.perf_counter()
    training = config.training
    steps = training.max_epochs * -(-corpora.epoch_size(config) // training.batch_size)
    learner = AdaptedLearner(config, encoder, seed=seed, steps=steps, device=device)
    if references.initialise_from:
        learner.initialise_from(load_trained(references.initialise_from).weights)
    if references.teacher:
        teacher = adapted_model(load_trained(references.teacher), device)
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
    references: References | None = None,
    report: Report = silent,
    on_distillation: Report = silent,
    on_epoch: Callable[[Epoch], None],
) -> list[dict[str, Any]]:
    """Train the seeds of a recipe one after the other and save each as ``folder/seed-S``; returns their records.

    A seed whose model is in the folder already is not trained again. Seeds that other
    processes train at the same time are left to these and waited for. Report receives the
    progress of fetching the encoder, on_distillation that of the steps of distillation.
    """
    references = references or references_of(config)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")  # TF32: ample for gradients
    corpora: TrainingData | None = None
    for wait in (False, True):  # first what nobody else is at
        for seed in config.seeds:
            place = seed_folder(folder, seed)
            with lock(folder / f".{place.name}.lock", wait=wait) as is_held:
                if not is_held or is_model(str(place)):
                    continue
                if corpora is None:
                    corpora = _prepare(config, data, references, device, report)
                encoder = PretrainedEncoder.load(config.encoder, device=device, report=report)
                trained = train_adapted(
                    config,
                    encoder,
                    corpora,
                    seed=seed,
                    device=device,
                    references=references,
                    on_distillation=on_distillation,
                    on_epoch=_recorded(place.with_suffix(".metrics.jsonl"), on_epoch),
                )
                model = TrainedModel(
                    name=f"{config.name}-{seed}",
                    config=config,
                    record=record_of(config, trained, references),
                    weights=trained.weights,
                )
                if config.spans.max_width and config.supervision.passages:
                    model = refit_spans(model, data, device=device, seed=seed)
                save_trained(place, model)
    return [dict(read_record(seed_folder(folder, seed))) for seed in config.seeds]


def _prepare(
    config: RunConfig, data: Path, references: References, device: torch.device, report: Report
) -> TrainingData:
    """The training data of a recipe."""
    supervision = config.supervision
    seeds = _SYNTHETIC_SEEDS if supervision.synthetic else ()
    synthetic = [LabelledInstance(instance) for seed in seeds for instance in synthetic_instances(data, seed)]
    pseudo_labelled: Sequence[LabelledInstance] = ()
    if supervision.pseudo_labels:
        unlabelled = [LabelledInstance(each) for each in find_unlabelled(data, config.training.shuffle_seed)]
        random = np.random.default_rng(config.training.shuffle_seed)
        chosen = balanced_sample(unlabelled, _POOL * supervision.pseudo_labels, random)
        pseudo_labelled = pseudo_label(references.teachers, [each.instance for each in chosen], device)
    tokenizer = Tokenizer.from_folder(encoder_folder(config.encoder.name, report=report))
    return read_training_data(config, tokenizer, data, synthetic=synthetic, pseudo_labelled=pseudo_labelled)


def _recorded(path: Path, on_epoch: Callable[[Epoch], None]) -> Callable[[Epoch], None]:
    """A hook that also writes what is known of each epoch to a file."""
    lines: list[str] = []

    def record_epoch(epoch: Epoch) -> None:
        lines.append(json.dumps({**epoch._asdict(), "validation": epoch.validation._asdict()}))
        write_atomically(path, ("\n".join(lines) + "\n").encode())
        on_epoch(epoch)

    return record_epoch


def record_of(config: RunConfig, trained: AdaptedResult, references: References) -> dict[str, Any]:
    """What is known of a model that was trained and has not been scored further."""
    scores = trained.best.validation
    begun_with = {"initialised_from": references.initialise_from, "distilled_from": references.teacher}
    return {
        "seed": trained.best.seed,
        "validation_f1": scores.f1,
        "validation_overall": round(scores.overall, 4),
        "threshold": scores.threshold,
        "best_epoch": trained.best.epoch,
        "epochs": config.training.max_epochs,
        "seconds": trained.seconds,
        "span_f1": dict(scores.span_f1),
        "links_right": dict(scores.links_right),
        **{what: str(read_record(place)["name"]) for what, place in begun_with.items() if place is not None},
    }
