"""From features to h_t: a single-layer GRU from left to right, for several models at once.

The input's part of the gates is one product over all tokens; the loop holds only
the recurrent part. As in ``scan.py`` the gradient is written by hand, so that
each weight's gradient is one product too.

Letters: E models, T tokens, B texts, N tokens of several texts, D features of a token, H
hidden size. The three gates lie side by side in 3H: reset, update, candidate.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from petra.memory.kernels.compiled import compiled
from petra.memory.linear import add_outer, linear, swap_leading
from petra.runtime.products import product

FloatArray = NDArray[np.floating[Any]]


class RecurrentWeights(NamedTuple):
    """The GRU of each model."""

    inputs: Tensor  # (E, D, 3H)
    inputs_bias: Tensor  # (E, 3H)
    hidden: Tensor  # (E, H, 3H)
    hidden_bias: Tensor  # (E, 3H)


def recurrent_states(features: Tensor, start: Tensor, weights: RecurrentWeights) -> Tensor:
    """h_t for every token: features (E or 1, T, B, D) and h_0 (E, B, H) give (E, T, B, H)."""
    if not torch.is_grad_enabled() and weights.hidden.shape[0] == features.shape[2] == 1:
        return _states_of_one_text(features[0, :, 0], start[0, 0], weights)[None, :, None]
    projected = linear(features, weights.inputs, weights.inputs_bias)  # (E, T, B, 3H)
    return _recurrence(projected, start, weights.hidden, weights.hidden_bias)


def states_of_one(features: Tensor, weights: RecurrentWeights, start: Tensor | None = None) -> Tensor:
    """The same for one model, E = 1, from features (T, B, D): (T, B, H), by PyTorch's own GRU.

    Its loop is one operation however long the text, which suits few long texts better.
    """
    if start is None:
        start = features.new_zeros(1, features.shape[1], weights.hidden.shape[1])
    own = (weights.inputs[0].t(), weights.hidden[0].t(), weights.inputs_bias[0], weights.hidden_bias[0])
    parameters = [parameter.contiguous() for parameter in own]
    states: Tensor = torch.gru(features, start, parameters, True, 1, 0.0, True, False, False)[0]
    return states


def states_of_texts(features: Tensor, lengths: Sequence[int], weights: RecurrentWeights) -> Tensor:
    """h_t of one model, E = 1, for texts of different lengths, one after the other: features (N, D) give (N, H)."""
    if not len(features):
        return features.new_zeros(0, weights.hidden.shape[1])
    order, at_once = _by_step(np.array([length for length in lengths if length]))
    start = features.new_zeros(1, int(at_once[0]), weights.hidden.shape[1])
    rows = torch.from_numpy(order).to(features.device)
    own = (weights.inputs[0].t(), weights.hidden[0].t(), weights.inputs_bias[0], weights.hidden_bias[0])
    parameters = [parameter.contiguous() for parameter in own]
    in_order = features.index_select(0, rows)
    states = torch.gru(in_order, torch.from_numpy(at_once), start, parameters, True, 1, 0.0, True, False)[0]
    back = np.empty_like(order)
    back[order] = np.arange(len(order))
    return states.index_select(0, torch.from_numpy(back).to(features.device))


def _by_step(lengths: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All first tokens of texts, the longest text first, then all second ones and so on; how many each step has."""
    step = np.concatenate([np.arange(length) for length in lengths])
    longer_first = np.empty_like(lengths)
    longer_first[np.argsort(-lengths, kind="stable")] = np.arange(len(lengths))
    return np.lexsort((np.repeat(longer_first, lengths), step)), np.bincount(step)


def _states_of_one_text(features: Tensor, start: Tensor, weights: RecurrentWeights) -> Tensor:
    """h_t of one text by one model, without gradients: features (T, D) and h_0 (H,) give (T, H).

    On a CPU the loop is in NumPy, which spends less on a call than PyTorch; the tests hold the two equal.
    """
    if features.is_cuda and len(features):
        return states_of_one(features[:, None], weights, start[None, None])[:, 0]
    projected = product(features, weights.inputs[0], weights.inputs_bias[0])  # (T, 3H)
    weight, bias = (each[0].numpy(force=True) for each in (weights.hidden, weights.hidden_bias))
    return torch.from_numpy(_numpy_states(projected.numpy(force=True), start.numpy(force=True), weight, bias))


def _numpy_states(projected: FloatArray, start: FloatArray, weight: FloatArray, bias: FloatArray) -> FloatArray:
    """The loop of one text: the input's part of the gates (T, 3H), which it overwrites, gives h_t (T, H)."""
    size = len(start)
    projected[:, : 2 * size] += bias[: 2 * size]
    inner_bias = bias[2 * size :]
    states = np.empty((len(projected), size), dtype=projected.dtype)
    recurrent = np.empty(3 * size, dtype=projected.dtype)
    gates, reset, keep, inner = (
        recurrent[: 2 * size],
        recurrent[:size],
        recurrent[size : 2 * size],
        recurrent[2 * size :],
    )
    hidden = start
    for of_gates, candidate, after in zip(projected[:, : 2 * size], projected[:, 2 * size :], states, strict=True):
        np.dot(hidden, weight, out=recurrent)
        gates += of_gates
        gates *= 0.5  # the logistic function of x is (1 + tanh(x / 2)) / 2
        np.tanh(gates, out=gates)
        gates += 1
        gates *= 0.5
        inner += inner_bias
        inner *= reset
        candidate += inner
        np.tanh(candidate, out=candidate)
        # h_t = (1 - z) n + z h_{t-1}
        np.subtract(hidden, candidate, out=after)
        after *= keep
        after += candidate
        hidden = after
    return states


def _step(projected: Tensor, hidden: Tensor, weight: Tensor, bias: Tensor, out: Tensor) -> Tensor:
    """h_t = (1 - z) n + z h_{t-1}, also written to ``out``."""
    _, keep, candidate, _ = _gates(projected, linear(hidden, weight, bias), hidden.shape[-1])
    after = (1 - keep) * candidate + keep * hidden
    out.copy_(after)
    return after


def _gates(projected: Tensor, recurrent: Tensor, size: int) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """r, z and n of the GRU, and the recurrent part of n."""
    reset = torch.sigmoid(projected[..., :size] + recurrent[..., :size])
    keep = torch.sigmoid(projected[..., size : 2 * size] + recurrent[..., size : 2 * size])
    inner = recurrent[..., 2 * size :]
    candidate = torch.tanh(projected[..., 2 * size :] + reset * inner)
    return reset, keep, candidate, inner


def _step_backward(
    projected: Tensor,
    recurrent: Tensor,
    hidden: Tensor,
    weight: Tensor,
    grad_after: Tensor,
    grad_state: Tensor,
    grad_projected: Tensor,
    grad_recurrent: Tensor,
) -> Tensor:
    """The backward pass of ``_step``: writes the gradients of its gates and returns that of h_{t-1}."""
    reset, keep, candidate, inner = _gates(projected, recurrent, hidden.shape[-1])
    grad = grad_after + grad_state
    grad_candidate = grad * (1 - keep) * (1 - candidate * candidate)
    grad_keep = grad * (hidden - candidate) * keep * (1 - keep)
    grad_reset = grad_candidate * inner * reset * (1 - reset)
    grad_projected.copy_(torch.cat([grad_reset, grad_keep, grad_candidate], dim=-1))
    grad_gates = torch.cat([grad_reset, grad_keep, grad_candidate * reset], dim=-1)
    grad_recurrent.copy_(grad_gates)
    return grad * keep + linear(grad_gates, weight.transpose(1, 2))


class _Recurrence(torch.autograd.Function):
    """The loop of ``recurrent_states`` as one differentiable operation; inside, tensors lead with T."""

    @staticmethod
    def forward(ctx: Any, projected: Tensor, start: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        projected = swap_leading(projected)  # (T, E, B, 3H)
        states = projected.new_empty(len(projected) + 1, *start.shape)
        states[0] = hidden = start
        step = compiled(_step, projected.is_cuda)
        for t in range(len(projected)):
            hidden = step(projected[t], hidden, weight, bias, states[t + 1])
        ctx.save_for_backward(projected, states, weight, bias)
        return swap_leading(states[1:])

    @staticmethod
    def backward(ctx: Any, grad_states: Tensor) -> tuple[Tensor | None, ...]:
        projected, states, weight, bias = ctx.saved_tensors
        grad_states = swap_leading(grad_states)
        recurrent = swap_leading(linear(swap_leading(states[:-1]), weight, bias))  # once more, for all tokens at once
        grad_projected, grad_recurrent = torch.empty_like(projected), torch.empty_like(projected)
        grad = torch.zeros_like(states[0])
        step = compiled(_step_backward, projected.is_cuda)
        for t in reversed(range(len(projected))):
            grad = step(
                projected[t],
                recurrent[t],
                states[t],
                weight,
                grad_states[t],
                grad,
                grad_projected[t],
                grad_recurrent[t],
            )
        grad_weight = torch.zeros_like(weight)
        add_outer(grad_weight, swap_leading(states[:-1]), swap_leading(grad_recurrent))
        return swap_leading(grad_projected), grad, grad_weight, grad_recurrent.sum((0, 2))


_recurrence = cast(Callable[..., Tensor], _Recurrence.apply)
