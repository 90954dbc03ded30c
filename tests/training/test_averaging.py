"""The mean of the models of several seeds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import torch
from tiny import tiny_span_model

from petra.trained import TrainedModel, load_trained
from petra.training.averaging import average
from petra.training.results import has_mean


def of_seed(model: TrainedModel, seed: int, value: float) -> TrainedModel:
    """A model whose weights are all one number."""
    return replace(
        model,
        config=replace(model.config, seeds=(5, 6)),
        record={**model.record, "seed": seed, "threshold": 0.5},
        weights={name: torch.full_like(each, value) for name, each in model.weights.items()},
    )


def test_weights_are_the_mean_of_those_of_the_seeds(tiny_encoder: Path, tmp_path: Path) -> None:
    trained = load_trained(tiny_span_model(tmp_path / "model", tiny_encoder))
    mean = average([of_seed(trained, 5, 2.0), of_seed(trained, 6, 6.0)])
    assert mean.weights.keys() == trained.weights.keys()
    assert all(torch.all(weight == 4.0) for weight in mean.weights.values())
    assert mean.config.seeds == (5, 6)
    assert mean.record["seeds"] == [5, 6]
    assert [run["seed"] for run in mean.record["runs"]] == [5, 6]


def test_only_seeds_that_began_with_one_model_have_a_mean(tiny_encoder: Path, tmp_path: Path) -> None:
    config = replace(load_trained(tiny_span_model(tmp_path / "model", tiny_encoder)).config, seeds=(1, 2))
    adapted = replace(config, adapter=replace(config.adapter, rank=2))
    assert has_mean(replace(adapted, initialise_from="first"))
    assert not has_mean(adapted)
    assert not has_mean(replace(adapted, initialise_from="first", seeds=(1,)))
