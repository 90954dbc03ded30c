from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tiny_study import MODELS, tiny_grid
from torch import Tensor

from petra.memory.models import Model, make_model
from petra.reproduction.grid import GridRun
from petra.reproduction.groups import make_groups
from petra.reproduction.stacking import Stacked, stack

INPUTS = 5


@pytest.fixture(params=MODELS)
def stacked(request: pytest.FixtureRequest) -> tuple[Stacked, tuple[GridRun, ...]]:
    """Runs with 3, 3, 1 and 1 cells of each kind of model."""
    [group] = make_groups(tiny_grid(Path("encoder"), models=[request.param], cells=[1, 3]).runs, models_at_once=9)
    return stack(group, INPUTS), group.runs


def alone(run: GridRun) -> Model:
    return make_model(run.config.memory, INPUTS, seeds=(run.seed,))


def test_a_run_begins_as_it_would_alone(stacked: tuple[Stacked, tuple[GridRun, ...]]) -> None:
    made, runs = stacked
    assert made.network.capacity.tolist() == [3, 3, 1, 1]
    whole: dict[str, Tensor] = dict(made.network.named_parameters())
    for index, run in enumerate(runs):
        own = made.own(whole, index)
        for name, value in alone(run).named_parameters():
            assert torch.equal(own[name], value), name


def test_its_gates_are_those_it_has_alone(stacked: tuple[Stacked, tuple[GridRun, ...]]) -> None:
    made, runs = stacked
    features = torch.randn(1, 7, 2, INPUTS, generator=torch.Generator().manual_seed(0))
    real = torch.ones(7, 2, dtype=torch.bool)
    with torch.no_grad():
        together = made.network.read(features, real)
        for index, run in enumerate(runs):
            one = alone(run).read(features, real)
            assert torch.allclose(together.coref_prob[index, ..., : run.cells], one.coref_prob[0], atol=1e-6)
            assert torch.allclose(together.overwrite_prob[index, ..., : run.cells], one.overwrite_prob[0], atol=1e-6)
            assert not together.overwrite_prob[index, ..., run.cells :].any()


def test_a_model_has_the_parameters_of_its_own_cells(stacked: tuple[Stacked, tuple[GridRun, ...]]) -> None:
    made, runs = stacked
    for index, run in enumerate(runs):
        assert made.parameter_count(index) == sum(value.numel() for value in alone(run).parameters())
    large, small = made.parameter_count(0), made.parameter_count(2)
    # Hidden size 8; two cells more: none for vanilla, their vectors, their keys of 2, or keys of 32 with values.
    expected = {"vanilla": 0, "learned-init": 2 * 8, "fixed-key": 2 * 2, "referential-reader": 2 * (32 + 8)}
    assert large - small == expected[runs[0].model]
