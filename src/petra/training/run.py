"""Runs a recipe: stage by stage, data in, trained and scored models out."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import torch

from petra.config import Recipe, RunConfig, Stage
from petra.errors import ConfigError
from petra.runtime.locks import lock
from petra.trained import is_model, load_trained, save_trained
from petra.training.adapted.objective import AdaptedEncoder
from petra.training.averaging import mean_model
from petra.training.frozen.objective import FrozenFeatures
from petra.training.loop import train_epochs
from petra.training.objective import Hooks, Objective
from petra.training.references import References, check_references, find_references, stage_folder
from petra.training.results import MEAN, has_mean, is_of_recipe, seed_folder, write_result


def run_recipe(
    recipe: Recipe | RunConfig,
    data: Path,
    folder: Path,
    *,
    device: torch.device,
    only: str | None = None,
    resume: bool = False,
    score_test: bool = False,
    command: str = "",
    hooks: Hooks | None = None,
) -> dict[str, Any]:
    """Train every seed of a recipe and save each at its best epoch, as ``folder/seed-S``.

    Of seeds of an adapted model that began with the model of an earlier stage the mean is made
    as well, as ``folder/mean``.

    Stages follow each other, those before the last in ``folder/STAGE``; ``only`` names one
    to run alone. A seed whose model is there already is not trained again. One that was
    interrupted goes on after its last whole epoch with ``resume``. Seeds that other
    processes train at the same time are left to these and waited for.

    Returns the result of the last stage run (schema petra.result/1), which is also in its
    folder as ``result.json``. The test split is read only if ``score_test`` is set, and only
    by that stage. All files of a stage are read before its first epoch, so that a missing
    one costs no training.
    """
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")  # TF32: ample for gradients
    if isinstance(recipe, RunConfig):
        recipe = Recipe(stages=(Stage(name="", config=recipe),))
    stages = recipe.stages if only is None else (recipe.stage(only),)
    check_references(recipe, stages)
    result: dict[str, Any] = {}
    for stage in stages:
        references = find_references(recipe, stage, folder)
        scored = score_test and stage is stages[-1]
        place = stage_folder(folder, recipe, stage)
        objective = _objective(stage.config, data, references, device, hooks or Hooks(), score_test=scored)
        _train(stage.config, objective, place, resume=resume, hooks=hooks or Hooks())
        places = [seed_folder(place, seed) for seed in stage.config.seeds]
        if has_mean(stage.config):
            places.append(place / MEAN)
            _make_mean(stage.config, place, data, device)
        if scored:
            _score_test(objective, places)
        result = write_result(stage.config, place, device, command)
    return result


def _objective(
    config: RunConfig, data: Path, references: References, device: torch.device, hooks: Hooks, *, score_test: bool
) -> Objective:
    if config.adapter.rank:
        return AdaptedEncoder(config, data, device, hooks, score_test=score_test, references=references)
    return FrozenFeatures(config, data, device, hooks, score_test=score_test)


class _RunFiles(NamedTuple):
    """The files of a training that is under way, of seeds that learn together or of one."""

    checkpoint: Path
    metrics: Path
    lock: Path

    @classmethod
    def of(cls, folder: Path, seeds: Sequence[int], *, together: bool) -> _RunFiles:
        prefix = "" if together else f"seed-{seeds[0]}."
        return cls(
            folder / f"{prefix}checkpoint.safetensors",
            folder / f"{prefix}metrics.jsonl",
            folder / f".{prefix}training.lock",
        )


def _train(config: RunConfig, objective: Objective, folder: Path, *, resume: bool, hooks: Hooks) -> None:
    """Train the seeds whose models are not there."""
    for wait in (False, True):  # first what no other process is at
        for group in [config.seeds] if objective.together else [(seed,) for seed in config.seeds]:
            files = _RunFiles.of(folder, group, together=objective.together)
            with lock(files.lock, wait=wait) as is_held:
                if is_held:
                    _train_group(config, objective, folder, group, files, resume=resume, hooks=hooks)
            gc.collect()  # what a GPU holds for a training hangs on objects that refer to each other


def _train_group(
    config: RunConfig,
    objective: Objective,
    folder: Path,
    group: Sequence[int],
    files: _RunFiles,
    *,
    resume: bool,
    hooks: Hooks,
) -> None:
    """Train a group of seeds on from where it stands."""
    is_begun = files.checkpoint.exists()
    if is_begun and not resume:
        raise ConfigError(f"{folder} holds a training run already. Give --resume to go on with it, or another --out.")
    seeds = tuple(group) if is_begun else tuple(_missing(config, folder, group))
    if not seeds:
        return
    training = objective.begin(seeds)
    train_epochs(
        replace(config, seeds=seeds),
        training,
        checkpoint=files.checkpoint,
        metrics=files.metrics,
        resume=resume,
        on_epoch=hooks.on_epoch,
    )
    for seed, model in zip(seeds, objective.models(training, seeds), strict=True):
        save_trained(seed_folder(folder, seed), model)
    files.checkpoint.unlink(missing_ok=True)


def _missing(config: RunConfig, folder: Path, seeds: Sequence[int]) -> Iterator[int]:
    """The seeds that have no model yet; a model of another recipe is in the way."""
    for seed in seeds:
        place = seed_folder(folder, seed)
        if not is_model(str(place)):
            yield seed
        elif not is_of_recipe(place, config):
            raise ConfigError(f"The model in {place} was made by another recipe. Give another --out.")


def _make_mean(config: RunConfig, folder: Path, data: Path, device: torch.device) -> None:
    """Make the mean of all seeds, unless it is there."""
    place = folder / MEAN
    if is_model(str(place)) and list(config.seeds) == load_trained(place).record["seeds"]:
        return
    save_trained(place, mean_model([load_trained(seed_folder(folder, seed)) for seed in config.seeds], data, device))


def _score_test(objective: Objective, places: Sequence[Path]) -> None:
    """Add the scores on the test split to the records of models that have none."""
    for place in places:
        model = load_trained(place)
        if "test_f1" not in model.record:
            save_trained(place, replace(model, record={**model.record, **objective.test_scores(model)}))
