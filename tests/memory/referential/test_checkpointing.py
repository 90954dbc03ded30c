"""The checkpointed loop gives what autograd gives for a plain one."""

from __future__ import annotations

import functools

import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

from petra.memory.linear import linear
from petra.memory.referential.checkpointing import Product, Tensors, checkpointed_loop, loop

MODELS, TOKENS, TEXTS, CELLS, SIZE = 2, 5, 3, 2, 4


def step(products: tuple[Product, ...], constants: Tensors, state: Tensors, token: Tensors) -> tuple[Tensors, Tensors]:
    """A made-up step, with a product of a token's rows and one of the cells' rows."""
    of_token, of_cells = products
    bias, scale = constants
    hidden, cells = state
    inputs, mask = token
    hidden = torch.tanh(of_token(hidden) + bias[:, None] + inputs) * mask
    cells = torch.tanh(of_cells(cells) + hidden.unsqueeze(-2)) * scale
    return (hidden, cells), ((cells * hidden.unsqueeze(-2)).sum(-1), hidden.sum(-1))


def random(*shape: int, seed: int, requires_grad: bool = True) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).requires_grad_(requires_grad)


MATRICES = (random(MODELS, SIZE, SIZE, seed=0), random(MODELS, SIZE, SIZE, seed=1))
BIAS = random(MODELS, SIZE, seed=2)
SCALE = random(seed=3, requires_grad=False)
STATE = (random(MODELS, TEXTS, SIZE, seed=4), random(MODELS, TEXTS, CELLS, SIZE, seed=5))
INPUTS = random(MODELS, TOKENS, TEXTS, SIZE, seed=6)
MASK = random(1, TOKENS, TEXTS, 1, seed=7, requires_grad=False)  # the same for all models
LEAVES = (*MATRICES, BIAS, *STATE, INPUTS)


def plain() -> Tensors:
    """The same loop, all of it under autograd."""
    products = tuple(functools.partial(linear, weight=matrix) for matrix in MATRICES)
    state: Tensors = STATE
    rows = []
    for t in range(TOKENS):
        state, outputs = step(products, (BIAS, SCALE), state, (INPUTS[:, t], MASK[:, t]))
        rows.append(outputs)
    return tuple(torch.stack(column, dim=1) for column in zip(*rows, strict=True))


def checkpointed() -> Tensors:
    return checkpointed_loop(step, MATRICES, (BIAS, SCALE), STATE, (INPUTS, MASK))


def test_outputs_are_those_of_the_plain_loop() -> None:
    assert_close(checkpointed(), plain())
    assert_close(loop(step, MATRICES, (BIAS, SCALE), STATE, (INPUTS, MASK)), plain())


def test_gradients_are_those_of_the_plain_loop() -> None:
    weights = (random(MODELS, TOKENS, TEXTS, CELLS, seed=8), random(MODELS, TOKENS, TEXTS, seed=9))

    def gradients(outputs: Tensors) -> Tensors:
        total = sum((output * weight.detach()).sum() for output, weight in zip(outputs, weights, strict=True))
        assert isinstance(total, Tensor)
        return torch.autograd.grad(total, LEAVES)

    assert_close(gradients(checkpointed()), gradients(plain()), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("output", [0, 1])
def test_an_output_that_nothing_depends_on_adds_nothing(output: int) -> None:
    ours, theirs = (
        torch.autograd.grad(outputs[output][:, :3].sum(), LEAVES, materialize_grads=True)
        for outputs in (checkpointed(), plain())
    )
    assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


def test_a_loop_has_no_gradient() -> None:
    assert not any(output.requires_grad for output in loop(step, MATRICES, (BIAS, SCALE), STATE, (INPUTS, MASK)))


def test_what_is_kept_does_not_grow_with_a_step_s_arithmetic() -> None:
    # Of each token: its inputs and its state, here one text's mask and, per model and text, SIZE numbers of inputs,
    # SIZE of hidden and CELLS * SIZE of cells. Besides: the matrices, the bias and the scale.
    kept: list[Tensor] = []

    def keep(tensor: Tensor) -> Tensor:
        kept.append(tensor)
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        checkpointed()
    of_a_token = MODELS * TEXTS * (SIZE + SIZE + CELLS * SIZE) + TEXTS
    besides = sum(tensor.numel() for tensor in (*MATRICES, BIAS, SCALE))
    assert sum(tensor.numel() for tensor in kept) == TOKENS * of_a_token + besides
