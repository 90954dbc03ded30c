"""Runs a recipe on GAP with a frozen encoder: data in, trained and scored models out.

Letters: E models (seeds), n instances.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from petra.config import RunConfig
from petra.corpora.gap import GapInstance, Split, gold_labels, read_gap
from petra.corpora.people_counts import read_people_counts
from petra.encoder.features import cached_features
from petra.encoder.pretrained import PretrainedEncoder
from petra.errors import DataError
from petra.evaluation.gap_score import decide, score_gap
from petra.evaluation.people_count import score_counts
from petra.evaluation.thresholds import THRESHOLDS
from petra.memory.models import Model, make_model
from petra.runtime.files import write_atomically
from petra.trained import TrainedModel, save_trained
from petra.training.batches import Batcher
from petra.training.examples import make_examples
from petra.training.learner import CorpusReader, Learner
from petra.training.loop import EpochReport, TrainingResult, train


def _nobody(*_: Any) -> None:
    """A hook that does nothing."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Hooks:
    """Callbacks for progress while a recipe runs; amounts come as done and whole."""

    on_fetch: Callable[[int, int], None] = _nobody
    on_encode: Callable[[str, int, int], None] = _nobody
    on_batch: Callable[[int, int], None] = _nobody
    on_epoch: Callable[[EpochReport], None] = _nobody


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Corpus:
    """A split of GAP and its batches."""

    instances: Sequence[GapInstance]
    batcher: Batcher


def prepare(
    config: RunConfig,
    encoder: PretrainedEncoder,
    data: Path,
    split: Split,
    device: torch.device,
    hooks: Hooks,
    *,
    texts: int = 0,
) -> Corpus:
    """Read, tokenize and encode a split, or its first ``texts`` texts; the features are cached on disk."""
    instances = read_gap(data, split)[: texts or None]
    documents = [encoder.tokenizer.tokenize(instance.text) for instance in instances]
    features = cached_features(encoder, documents, report=lambda done, whole: hooks.on_encode(split, done, whole))
    all_pairs = config.memory.variant == "referential-reader"
    examples = make_examples(instances, documents, config.training, all_pairs=all_pairs)
    return Corpus(instances=instances, batcher=Batcher(examples, features, config.training.batch_size, device))


def run_recipe(
    config: RunConfig,
    data: Path,
    folder: Path,
    *,
    device: torch.device,
    resume: bool = False,
    score_test: bool = False,
    command: str = "",
    hooks: Hooks | None = None,
) -> dict[str, Any]:
    """Train every seed of a recipe and save each at its best epoch, as ``folder/seed-S``.

    Returns the result (schema petra.result/1), which is also in ``folder/result.json``.
    The test split is read only if ``score_test`` is set. All files are read before the first
    epoch, so that a missing one costs no training.
    """
    hooks = hooks or Hooks()
    folder.mkdir(parents=True, exist_ok=True)
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")  # TF32: ample for gradients
    encoder = PretrainedEncoder.load(config.encoder, device=device, report=hooks.on_fetch)
    training = prepare(config, encoder, data, "development", device, hooks)
    validation = prepare(config, encoder, data, "validation", device, hooks)
    counted = counted_texts(validation, data)
    test = prepare(config, encoder, data, "test", device, hooks) if score_test else None
    network = make_model(config.memory, encoder.size, seeds=config.seeds).to(device)
    learner = Learner(network, training.batcher, config.training, config.seeds)
    trained = train(
        config,
        learner,
        validation.batcher,
        gold_labels(validation.instances),
        folder,
        resume=resume,
        on_batch=hooks.on_batch,
        on_epoch=hooks.on_epoch,
    )
    with torch.no_grad():
        for name, parameter in network.named_parameters():
            parameter.copy_(trained.parameters[name].half())  # scored as they are kept
    data_words = (
        f"GAP development ({len(training.instances):,} texts) trained it; "
        f"GAP validation ({len(validation.instances):,} texts) chose epoch and threshold"
    )
    runs = _run_records(config, trained)
    add_counts(runs, network, validation, counted)
    if test is not None:
        add_test(runs, network, test)
    for index, run in enumerate(runs):
        save_trained(folder / f"seed-{run['seed']}", _model(config, trained, index, run, data_words))
    result = _result(config, runs, device, command)
    write_atomically(folder / "result.json", (json.dumps(result, indent=2) + "\n").encode())
    return result


def _run_records(config: RunConfig, trained: TrainingResult) -> list[dict[str, Any]]:
    return [
        {
            "seed": seed,
            "validation_f1": round(schedule.best_f1, 2),
            "threshold": schedule.best_threshold,
            "best_epoch": schedule.best_epoch + 1,
            "epochs": schedule.epochs,
            "seconds": round(trained.seconds, 1),  # all seeds train together
        }
        for seed, schedule in zip(config.seeds, trained.schedules, strict=True)
    ]


def counted_texts(validation: Corpus, data: Path, *, whole: bool = True) -> dict[int, int]:
    """The number of people in each annotated text, by the text's place in the validation split.

    Every annotated text must be there, unless only a part of the split is at hand.
    """
    place = {instance.id: index for index, instance in enumerate(validation.instances)}
    counts = read_people_counts(data)
    missing = [row.id for row in counts if row.id not in place]
    if missing and whole:
        raise DataError(f"num_people.tsv counts {missing[0]}, which is not in gap-validation.tsv. Check both files.")
    return {place[row.id]: row.count for row in counts if row.id in place}


def add_counts(runs: list[dict[str, Any]], network: Model, validation: Corpus, counted: Mapping[int, int]) -> None:
    """Add the error at counting people, over the annotated texts of the validation split."""
    predicted = _counts(network, validation.batcher)[:, :, list(counted)]  # (E, 100, D)
    gold = np.array(list(counted.values()))
    for run, own in zip(runs, predicted, strict=True):
        score = score_counts(own, gold)
        run |= {"count_error_best": score.error_best, "count_error_two_fold": score.error_two_fold}


def _counts(network: Model, batcher: Batcher) -> NDArray[np.int64]:
    """The people counted in every text at every threshold: (E, 100, n)."""
    thresholds = torch.tensor(THRESHOLDS, device=batcher.device)
    counts = np.zeros((network.num_models, len(THRESHOLDS), len(batcher.examples)), np.int64)
    for members, gates in CorpusReader(network, batcher).gates():
        for index, threshold in enumerate(thresholds):
            found = (gates.overwrite_prob >= threshold).sum((1, 3))  # (E, B)
            counts[:, index, members] = found[:, : len(members)].cpu().numpy()
    return counts


def add_test(runs: list[dict[str, Any]], network: Model, test: Corpus) -> None:
    """Add the scores on the test split, at each run's threshold."""
    links = CorpusReader(network, test.batcher).link_probabilities()  # (E, n, 2)
    for run, own in zip(runs, links, strict=True):
        score = score_gap(decide(own, run["threshold"]), test.instances)
        run |= {
            "test_f1": round(score.overall.f1, 2),
            "masculine_f1": round(score.masculine.f1, 2),
            "feminine_f1": round(score.feminine.f1, 2),
            "bias": round(score.bias, 3),
        }


def hardware(device: torch.device) -> str:
    """The name of a device."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else platform.processor() or "CPU"


def _model(config: RunConfig, trained: TrainingResult, index: int, run: Mapping[str, Any], data: str) -> TrainedModel:
    return TrainedModel(
        name=f"{config.name}-{run['seed']}",
        config=config,
        record={**run, "data": data},
        weights={name: value[index : index + 1] for name, value in trained.parameters.items()},
    )


def _result(config: RunConfig, runs: list[dict[str, Any]], device: torch.device, command: str) -> dict[str, Any]:
    result: dict[str, Any] = {
        "schema": "petra.result/1",
        "model": config.name,
        "recipe": config.to_toml(),
        "encoder": config.encoder.name,
        "layers": list(config.encoder.layers),
        "cells": config.memory.num_cells,
        "runs": runs,
        "hardware": hardware(device),
        "command": command,
    }
    for measure in ("validation_f1", "test_f1", "count_error_best"):
        values = [run[measure] for run in runs if measure in run]
        if values:
            result[f"mean_{measure}"] = round(float(np.mean(values)), 2)
            result[f"std_{measure}"] = round(float(np.std(values, ddof=1)), 2) if len(values) > 1 else 0.0
    return result
