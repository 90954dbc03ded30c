"""``StackedAdam`` is ``torch.optim.Adam`` with ``clip_grad_norm_`` for each model by itself."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

from petra.training.optimizer import StackedAdam

SHAPES = ((3, 2), (4,), ())  # of one model's parameters
RATES = (1e-2, 3e-3)  # of the two models
CLIP = 1.0


def random_stacks(count: int, seed: int, scale: float = 1.0) -> list[list[Tensor]]:
    """Parameters or gradients of both models, so many times."""
    generator = torch.Generator().manual_seed(seed)
    return [[scale * torch.randn(2, *shape, generator=generator) for shape in SHAPES] for _ in range(count)]


def gradient_steps() -> list[list[Tensor]]:
    """Gradients of several steps: some longer than the clipping norm, some shorter."""
    return random_stacks(4, seed=1, scale=3.0) + random_stacks(3, seed=2, scale=0.05)


def after_torch(model: int, start: Sequence[Tensor], steps: Sequence[Sequence[Tensor]]) -> list[Tensor]:
    """The model's parameters after torch's Adam, alone."""
    parameters = [nn.Parameter(value[model].clone()) for value in start]
    optimizer = torch.optim.Adam(parameters, lr=RATES[model])
    for gradients in steps:
        for parameter, gradient in zip(parameters, gradients, strict=True):
            parameter.grad = gradient[model].clone()
        nn.utils.clip_grad_norm_(parameters, CLIP)
        optimizer.step()
    return [parameter.detach() for parameter in parameters]


def after_ours(start: Sequence[Tensor], steps: Sequence[Sequence[Tensor]]) -> list[Tensor]:
    parameters = [value.clone() for value in start]
    optimizer = StackedAdam(parameters, CLIP)
    for gradients in steps:
        optimizer.update(gradients, torch.tensor(RATES))
    return parameters


def test_each_model_moves_as_under_torch_alone() -> None:
    [start], steps = random_stacks(1, seed=0), gradient_steps()
    ours = after_ours(start, steps)
    for model in range(2):
        assert_close([value[model] for value in ours], after_torch(model, start, steps), atol=1e-6, rtol=1e-5)


@pytest.mark.parametrize("broken", [float("nan"), float("inf")])
@pytest.mark.parametrize("at", [0, 3], ids=["first step", "later step"])
def test_a_gradient_that_is_not_finite_is_a_step_not_taken(broken: float, at: int) -> None:
    [start], steps = random_stacks(1, seed=0), gradient_steps()
    spared = [*steps[:at], *steps[at + 1 :]]
    steps[at][1][1, 2] = broken  # one number of the second model
    ours = after_ours(start, steps)
    assert_close([value[0] for value in ours], after_torch(0, start, steps), atol=1e-6, rtol=1e-5)
    assert_close([value[1] for value in ours], after_torch(1, start, spared), atol=1e-6, rtol=1e-5)


def test_a_broken_step_leaves_its_model_bit_for_bit() -> None:
    parameters = [torch.ones(2, 3)]
    optimizer = StackedAdam(parameters, CLIP)
    optimizer.update([torch.ones(2, 3)], torch.tensor(RATES))
    before = [value.clone() for value in (parameters[0], *optimizer.state.values())]
    optimizer.update([torch.tensor([[1.0] * 3, [float("nan")] * 3])], torch.tensor(RATES))
    for value, old in zip((parameters[0], *optimizer.state.values()), before, strict=True):
        assert torch.equal(value[1], old[1])
        assert not torch.equal(value[0], old[0])


def test_a_learning_rate_of_zero_stops_a_model() -> None:
    parameters = [torch.ones(2, 3)]
    optimizer = StackedAdam(parameters, CLIP)
    for _ in range(3):
        optimizer.update([torch.ones(2, 3)], torch.tensor([0.0, 1e-2]))
    assert torch.equal(parameters[0][0], torch.ones(3))
    assert (parameters[0][1] < 1).all()
