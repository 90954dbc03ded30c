"""The mean of the models of a recipe's seeds, where these began with the same weights.

Such models lie close to each other, and the mean of their weights reads at least as well as
most of them. It is calibrated as every model of a recipe is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import torch
from torch import Tensor

from petra.corpora.gap import gold_labels, read_gap
from petra.evaluation.gap_score import best_threshold
from petra.trained import TrainedModel
from petra.training.adapted.calibration import calibrate
from petra.training.adapted.model import adapted_model
from petra.training.adapted.validation import link_probabilities

_OF_A_SEED = ("schema", "name", "sha256", "config_sha256")


def mean_model(models: Sequence[TrainedModel], data: Path, device: torch.device) -> TrainedModel:
    """The mean of models of one configuration, with its threshold of links and calibrated."""
    mean = average(models)
    instances = read_gap(data, "validation")
    best = best_threshold(link_probabilities(adapted_model(mean, device), instances), gold_labels(instances))
    chosen = {"validation_f1": round(float(best.f1), 2), "threshold": float(best.threshold)}
    mean = replace(mean, record={**mean.record, **chosen})
    is_read_by_mention = mean.config.spans.max_width and mean.config.supervision.passages
    return calibrate(mean, data, device=device) if is_read_by_mention else mean


def average(models: Sequence[TrainedModel]) -> TrainedModel:
    """The mean of the weights of models, with what is known of each in its record."""
    first = models[0]
    seeds = tuple(model.record["seed"] for model in models)
    weights: dict[str, Tensor] = {
        name: torch.stack([model.weights[name].float() for model in models]).mean(dim=0) for name in first.weights
    }
    record = {
        "seeds": list(seeds),
        "runs": [{key: value for key, value in model.record.items() if key not in _OF_A_SEED} for model in models],
    }
    return TrainedModel(
        name=first.config.name, config=replace(first.config, seeds=seeds), record=record, weights=weights
    )
