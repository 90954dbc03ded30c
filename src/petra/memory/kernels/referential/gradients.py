"""What the Referential Reader's forward kernel saves, and the parameters' gradients.

Letters: E models, T tokens, B texts, H hidden size (also of a value), K size of a key;
P programs of a model, R rows of a program; H' is H padded.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from petra.memory.kernels.referential.layout import whole_gates
from petra.memory.linear import outer
from petra.memory.referential.checkpointing import Tensors


class ReferentialSaved(NamedTuple):
    """What the forward pass saves for the backward pass; without one, what the next function or token needs."""

    hidden: Tensor  # (E, T + 1, B, H')
    keys: Tensor  # (E, T + 1, P, R, K)
    values: Tensor  # (E, T + 1, P, R, H')
    pre: Tensor  # (E, T, B, H')
    new_values: Tensor  # (E, T, B, H')
    value_projection: Tensor  # (E, T, B, 3H')
    key_terms: Tensor  # (E, T, B, 8K)
    read: Tensor  # (E, T, B, H')
    mixed: Tensor  # (E, T, B, H')
    decided: Tensor  # (E, T, B, 4)
    hidden_gates: Tensor | None  # (E, T, B, 3H')
    value_gates: Tensor | None  # (E, T, P, R, 3H')
    odds: Tensor | None  # (E, T, P, 2, R)


class ReaderFactors(NamedTuple):
    """What the matrices' gradients are products of, besides the saved: the gradients of what each matrix gave."""

    pre: Tensor  # (E, T, B, H')
    readout: Tensor  # (E, T, B, 2K + H')
    key_terms: Tensor  # (E, T, B, 5K)
    value_projection: Tensor  # (E, T, B, 3H')
    hidden_gates: Tensor  # (E, T, B, 3H')
    logits: Tensor  # (E, T, B, 3)
    key_gates: Tensor  # (E, T, P, R, 3K)
    value_gates: Tensor  # (E, T, P, R, 3H')


def parameter_gradients(
    saved: ReferentialSaved, factors: ReaderFactors, dropout: Tensor, size: int, key_size: int
) -> Tensors:
    """The gradients of the matrices, then of the vectors."""
    inner, base, _, _, new_key, *_ = saved.key_terms.split(key_size, dim=-1)
    grad_query, grad_residual, grad_key_inputs = factors.key_terms.split((key_size, key_size, 3 * key_size), dim=-1)
    grad_key_cells = factors.key_gates
    recurrent = outer(saved.hidden[:, :-1], factors.pre)
    readout = outer(saved.pre, factors.readout)
    gates = outer(factors.logits, saved.pre)  # (E, 3, H')
    residual = outer(base * dropout[..., size : size + key_size], grad_residual)
    value_inputs, value_inputs_bias = whole_gates(outer(saved.new_values, factors.value_projection), size)
    value_cells, value_cells_bias = whole_gates(outer(saved.values[:, :-1], factors.value_gates), size)
    hidden, hidden_bias = whole_gates(outer(saved.mixed, factors.hidden_gates), size)
    return (
        recurrent[:, :size, :size],
        readout[:, :size, : 2 * key_size + size],
        outer(inner, grad_query),
        residual,
        outer(new_key, grad_key_inputs),
        _outer_by_token(saved.keys[:, :-1], grad_key_cells),
        value_inputs,
        value_cells,
        hidden,
        gates[..., :size],
        gates[..., size],
        readout[:, size, :key_size],
        grad_query.sum((1, 2)),
        factors.pre.new_zeros(len(factors.pre)),  # the softmax of a match is the same whatever its bias is
        grad_key_inputs.sum((1, 2)),
        grad_key_cells.sum((1, 2, 3)),
        value_inputs_bias,
        value_cells_bias,
        hidden_bias,
    )


def _outer_by_token(inputs: Tensor, grads: Tensor) -> Tensor:
    """As ``outer``, each token's rows alone at first: few columns and many rows give too few tiles to work on else."""
    rows, others = (each.flatten(2, -2) for each in (inputs, grads))
    return torch.matmul(rows.transpose(2, 3), others).sum(1)
