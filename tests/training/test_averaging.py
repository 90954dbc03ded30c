"""The mean of models and of the one that they began with."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch
from tiny import tiny_span_model

from petra.errors import ConfigError
from petra.trained import TrainedModel, load_trained
from petra.training.averaging import average


def model(initial: TrainedModel, seed: int, value: float) -> TrainedModel:
    """A model whose weights are all one number; it has one that the initial model does not."""
    weights = {name: torch.full_like(each, value) for name, each in initial.weights.items()}
    return replace(
        initial,
        config=replace(initial.config, seeds=(seed,)),
        record={**initial.record, "seed": seed, "threshold": 0.5},
        weights={**weights, "spans.new": torch.tensor([value])},
    )


def test_the_mean_keeps_a_share_of_the_initial_weights(tiny_encoder: Path, tmp_path: Path) -> None:
    trained = load_trained(tiny_span_model(tmp_path / "model", tiny_encoder))
    initial = replace(trained, weights={name: torch.full_like(each, 1.0) for name, each in trained.weights.items()})
    mean = average([model(initial, 5, 2.0), model(initial, 6, 6.0)], initial, 0.25)
    # A quarter of 1 and three quarters of 4; what the initial model lacks is the mean of the others.
    assert all(torch.all(mean.weights[name] == 3.25) for name in initial.weights)
    assert mean.weights["spans.new"].item() == 4.0
    assert mean.config.seeds == (5, 6)
    assert mean.record["seeds"] == [5, 6]
    with pytest.raises(ConfigError, match="less than 1"):
        average([model(initial, 5, 2.0)], initial, 1.0)
