"""What is written of trained models: test scores in their records, and the result of a recipe."""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from petra.config import RunConfig
from petra.corpora.gap import GapInstance
from petra.evaluation.gap_score import decide, score_gap
from petra.runtime.files import write_atomically
from petra.runtime.locks import lock
from petra.trained import is_model, read_config, read_record

MEAN = "mean"  # the folder of the mean of all seeds, beside theirs
_NOT_MEASURED = ("schema", "name", "sha256", "data")  # of a record: what the runs of a result leave out


def seed_folder(folder: Path, seed: int) -> Path:
    """Where the model of a seed is."""
    return folder / f"seed-{seed}"


def has_mean(config: RunConfig) -> bool:
    """Whether the seeds of a configuration begin with the same weights."""
    return bool(config.adapter.rank and config.initialise_from and len(config.seeds) > 1)


def is_of_recipe(folder: Path, config: RunConfig) -> bool:
    """Whether the model in a folder was trained by a recipe, with whichever seeds."""
    return replace(read_config(folder), seeds=config.seeds) == config


def scores_on_test(links: NDArray[np.float64], threshold: float, instances: Sequence[GapInstance]) -> dict[str, float]:
    """The scores on test instances, from P_CL of each name with its pronoun (n, 2)."""
    score = score_gap(decide(links, threshold), instances)
    return {
        "test_f1": round(score.overall.f1, 2),
        "masculine_f1": round(score.masculine.f1, 2),
        "feminine_f1": round(score.feminine.f1, 2),
        "bias": round(score.bias, 3),
    }


def hardware(device: torch.device) -> str:
    """The name of a device."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else platform.processor() or "CPU"


def write_result(config: RunConfig, folder: Path, device: torch.device, command: str) -> dict[str, Any]:
    """Write and return the result (schema petra.result/1) of all models of a recipe that a folder holds."""
    with lock(folder / ".result.lock", wait=True):  # several processes may have trained in the folder
        seeds = _seeds(config, folder)
        result = _result(replace(config, seeds=seeds), [_run(seed_folder(folder, seed)) for seed in seeds])
        result |= {"hardware": hardware(device), "command": command, **_means(result["runs"])}
        if is_model(str(folder / MEAN)):
            result["mean"] = _run(folder / MEAN)
        write_atomically(folder / "result.json", (json.dumps(result, indent=2) + "\n").encode())
    return result


def _seeds(config: RunConfig, folder: Path) -> tuple[int, ...]:
    """The seeds whose models of the recipe are there."""
    found = sorted(int(path.name[5:]) for path in folder.glob("seed-*") if path.name[5:].isdecimal())
    places = [(seed, seed_folder(folder, seed)) for seed in found]
    return tuple(seed for seed, place in places if is_model(str(place)) and is_of_recipe(place, config))


def _run(folder: Path) -> dict[str, Any]:
    return {name: value for name, value in read_record(folder).items() if name not in _NOT_MEASURED}


def _result(config: RunConfig, runs: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "schema": "petra.result/1",
        "model": config.name,
        "recipe": config.to_toml(),
        "encoder": config.encoder.name,
        "layers": list(config.encoder.layers),
        "cells": config.memory.num_cells,
        "runs": runs,
    }


def _means(runs: list[dict[str, Any]]) -> dict[str, float]:
    means = {}
    for measure in ("validation_f1", "test_f1", "count_error_best"):
        values = [run[measure] for run in runs if measure in run]
        if values:
            means[f"mean_{measure}"] = round(float(np.mean(values)), 2)
            means[f"std_{measure}"] = round(float(np.std(values, ddof=1)), 2) if len(values) > 1 else 0.0
    return means
