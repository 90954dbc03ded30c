"""A recipe of adapted models carried out: data in, trained models out."""

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
from petra.runtime.files import write_atomically
from petra.runtime.progress import Report, silent
from petra.trained import TrainedModel, load_trained, model_folder, read_config, save_trained
from petra.training.adapted.alike import check_start
from petra.training.adapted.imitation import check_imitation, imitate
from petra.training.adapted.learner import AdaptedLearner
from petra.training.adapted.material import Labelled, Material, read_material, snippets
from petra.training.adapted.passages import Passage, draw
from petra.training.adapted.span_fit import refit_spans
from petra.training.adapted.teaching import adapted_model, believed
from petra.training.adapted.validation import Validation, validate
from petra.training.batches import epoch_order
from petra.training.schedule import temperature
from petra.training.supervision.make import make_instances
from petra.training.supervision.unlabelled import find_unlabelled

_MADE_WITH = (1, 2)  # seeds of self-made instances: two draws from one text have much in common, and more than one


class Epoch(NamedTuple):
    """What is known after an epoch of one seed."""

    seed: int
    epoch: int  # counted from 1
    seconds: float
    losses: Mapping[str, float]  # means over the epoch's steps
    validation: Validation


class Trained(NamedTuple):
    """A model at its best epoch."""

    weights: Mapping[str, Tensor]
    best: Epoch
    seconds: float


def train_adapted(
    config: RunConfig,
    encoder: PretrainedEncoder,
    material: Material,
    *,
    seed: int,
    device: torch.device,
    on_imitation: Report = silent,
    on_epoch: Callable[[Epoch], None],
) -> Trained:
    """Train one model for the recipe's epochs; of those the best on GAP validation is kept, the last of equals."""
    began = time.perf_counter()
    training = config.training
    steps = training.max_epochs * -(-material.epoch_size(config) // training.batch_size)
    learner = AdaptedLearner(config, encoder, seed=seed, steps=steps, device=device)
    if config.start:
        learner.go_on_from(load_trained(config.start).weights)
    if config.imitation.model:
        imitated = adapted_model(load_trained(config.imitation.model), device)
        imitate(learner, imitated, material.unlabelled, report=on_imitation)
        if config.imitation.weight:
            learner.go_on_imitating(imitated)
    random = np.random.default_rng((training.shuffle_seed, seed))
    passages = draw(material.litbank.get("training", ()), config.supervision.passage_tokens, random)
    best: tuple[Epoch, dict[str, Tensor]] | None = None
    for epoch in range(training.max_epochs):
        start = time.perf_counter()
        losses = _learn(config, learner, material.epoch(config, random), passages, epoch)
        with learner.averaged():
            scores = validate(learner, material.validation, material.litbank.get("validation", ()))
            report = Epoch(seed, epoch + 1, round(time.perf_counter() - start, 2), losses, scores)
            on_epoch(report)
            if best is None or scores.f1 >= best[0].validation.f1:
                best = (report, {name: value.to("cpu", copy=True) for name, value in learner.weights.items()})
    assert best is not None  # a recipe has at least one epoch
    return Trained(best[1], best[0], round(time.perf_counter() - began, 1))


def _learn(
    config: RunConfig,
    learner: AdaptedLearner,
    instances: Sequence[Labelled],
    passages: Iterator[Passage],
    epoch: int,
) -> dict[str, float]:
    """The steps of an epoch; returns the mean losses."""
    ready = snippets(config, learner.encoder, instances)
    order = epoch_order([len(each.document) for each in ready], config.training.batch_size, learner.seed, epoch)
    tau = temperature(epoch, config.training)
    found = []
    for members in order:
        some = [next(passages) for _ in range(config.supervision.passages)]
        found.append(learner.step([ready[member] for member in members], some, tau))
    return {name: round(float(np.mean([losses[name] for losses in found])), 4) for name in found[0]}


def carry_out(
    config: RunConfig,
    data: Path,
    folder: Path,
    *,
    device: torch.device,
    report: Report = silent,
    on_imitation: Report = silent,
    on_epoch: Callable[[Epoch], None],
) -> list[dict[str, Any]]:
    """Train the seeds of a recipe one after the other, each kept as ``folder/seed-S``; returns their records.

    A seed whose model is in the folder already is not trained again. The encoder is
    fetched on first use, and report told of it; on_imitation is told of the steps in
    which another model is imitated.
    """
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")  # TF32: ample for gradients
    if config.start:
        check_start(config, read_config(model_folder(config.start)))
    if config.imitation.model:
        check_imitation(config, read_config(model_folder(config.imitation.model)))
    supervision = config.supervision
    seeds = _MADE_WITH if supervision.made else ()
    made = [Labelled(instance) for seed in seeds for instance in make_instances(data, seed)]
    answers: Sequence[Labelled] = ()
    if supervision.believed:
        unlabelled = find_unlabelled(data, config.training.shuffle_seed)
        answers = believed(Path(supervision.teachers), unlabelled, device)
    records = []
    for seed in config.seeds:
        place = folder / f"seed-{seed}"
        if (place / "record.json").is_file():
            records.append(json.loads((place / "record.json").read_text(encoding="utf-8")))
            continue
        encoder = PretrainedEncoder.load(config.encoder, device=device, report=report)
        material = read_material(config, encoder, data, made=made, believed=answers)
        lines: list[str] = []

        def told(epoch: Epoch, lines: list[str] = lines, place: Path = place) -> None:
            lines.append(json.dumps({**epoch._asdict(), "validation": epoch.validation._asdict()}))
            write_atomically(place.with_suffix(".metrics.jsonl"), ("\n".join(lines) + "\n").encode())
            on_epoch(epoch)

        trained = train_adapted(
            config, encoder, material, seed=seed, device=device, on_imitation=on_imitation, on_epoch=told
        )
        record = record_of(config, trained)
        model = TrainedModel(name=f"{config.name}-{seed}", config=config, record=record, weights=trained.weights)
        save_trained(place, model)
        if config.spans.max_width and config.supervision.passages:
            record = dict(refit_spans(place, data, device=device, seed=seed).record)
        records.append(record)
    return records


def record_of(config: RunConfig, trained: Trained) -> dict[str, Any]:
    """What is known of a model that was trained and has not been scored further."""
    scores = trained.best.validation
    return {
        "seed": trained.best.seed,
        "validation_f1": scores.f1,
        "threshold": scores.threshold,
        "best_epoch": trained.best.epoch,
        "epochs": config.training.max_epochs,
        "seconds": trained.seconds,
        "span_f1": scores.span_f1,
        "links_right": scores.links_right,
    }
