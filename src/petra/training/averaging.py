"""The mean of models that began with the same weights, and of the model that they began with.

Seeds of one recipe that were initialised from the same model lie close to each other, and
the mean of their weights reads at least as well as most of them. Half of the initial
weights kept in it keep what a further training would otherwise forget. The mean is
calibrated as every model of `petra train` is.

    python -m petra.training.averaging out/base/seed-41 out/base/seed-42 --initial MODEL --out out/base/mean
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from petra.corpora.gap import gold_labels, read_gap
from petra.corpora.places import data_folder
from petra.errors import ConfigError
from petra.evaluation.gap_score import best_threshold
from petra.trained import TrainedModel, load_trained, save_trained
from petra.training.adapted.calibration import calibrate
from petra.training.adapted.model import adapted_model
from petra.training.adapted.validation import link_probabilities
from petra.training.references import check_initialise_from


def average(models: Sequence[TrainedModel], initial: TrainedModel, initial_share: float) -> TrainedModel:
    """The mean of models, with a share of the initial one; weights that it does not have are those of the models."""
    if not 0 <= initial_share < 1:
        raise ConfigError(f"The initial model's share is {initial_share}; choose 0 or more, and less than 1.")
    for model in models:
        check_initialise_from(model.config, initial.config)
    weights: dict[str, Tensor] = {}
    for name in models[0].weights:
        mean = sum((model.weights[name].float() for model in models[1:]), models[0].weights[name].float()) / len(models)
        if name in initial.weights:
            mean = initial_share * initial.weights[name].float() + (1 - initial_share) * mean
        weights[name] = mean
    first = models[0]
    seeds = tuple(seed for model in models for seed in model.config.seeds)
    record = {
        "seeds": [model.record["seed"] for model in models],
        "initial_share": initial_share,
        "runs": [{key: value for key, value in model.record.items() if key not in _IDENTITY} for model in models],
    }
    return TrainedModel(
        name=first.config.name,
        config=replace(first.config, seeds=tuple(dict.fromkeys(seeds))),
        record=record,
        weights=weights,
    )


_IDENTITY = ("schema", "name", "sha256")


def _with_threshold(model: TrainedModel, data: Path, device: str) -> TrainedModel:
    """A model with the threshold of links that is best on GAP validation."""
    instances = read_gap(data, "validation")
    links = link_probabilities(adapted_model(model, torch.device(device)), instances)
    best = best_threshold(links, gold_labels(instances))
    chosen = {"validation_f1": round(float(best.f1), 2), "threshold": float(best.threshold)}
    return replace(model, record={**model.record, **chosen})


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m petra.training.averaging", description=__doc__)
    parser.add_argument("models", nargs="+", type=Path, help="folders of models that began with the same weights")
    parser.add_argument("--initial", required=True, help="the model that they began with, by name or folder")
    parser.add_argument("--initial-share", type=float, default=0.5, help="its share in the mean (default: 0.5)")
    parser.add_argument("--out", required=True, type=Path, help="folder of the mean")
    parser.add_argument("--data", type=Path, help="folder of the corpora (default: PETRA_DATA)")
    parser.add_argument("--device", default="cpu")
    asked = parser.parse_args()
    mean = average([load_trained(each) for each in asked.models], load_trained(asked.initial), asked.initial_share)
    data = data_folder(asked.data)
    save_trained(asked.out, calibrate(_with_threshold(mean, data, asked.device), data, device=asked.device))


if __name__ == "__main__":
    main()
