"""A linear map for each of several models, in one batched product.

Letters: E models trained or read together, I inputs, O outputs. A single model is
E = 1. Every tensor of parameters leads with E; the equations are written as for
one model and this product computes the models side by side.
"""

from __future__ import annotations

import torch
from torch import Tensor


def linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """inputs (E, ..., I) times weight (E, I, O), plus bias (E, O): (E, ..., O).

    Inputs with E = 1 are shared by all models.
    """
    rows = inputs.reshape(inputs.shape[0], -1, inputs.shape[-1])  # (E, R, I)
    rows = rows.expand(weight.shape[0], -1, -1)
    outputs = torch.bmm(rows, weight) if bias is None else torch.baddbmm(bias.unsqueeze(1), rows, weight)
    return outputs.view(weight.shape[0], *inputs.shape[1:-1], weight.shape[-1])


def add_outer(total: Tensor, inputs: Tensor, grads: Tensor) -> None:
    """Add to a weight's gradient (E, I, O) what inputs (E, ..., I) and grads (E, ..., O) contribute."""
    rows = inputs.reshape(inputs.shape[0], -1, inputs.shape[-1])
    total.baddbmm_(rows.transpose(1, 2), grads.reshape(grads.shape[0], -1, grads.shape[-1]))


def outer(inputs: Tensor, grads: Tensor) -> Tensor:
    """What inputs (E, ..., I) and grads (E, ..., O) contribute to a weight's gradient: (E, I, O), in single precision.

    Both may be of half precision.
    """
    rows, others = (each.flatten(1, -2) for each in (inputs, grads))
    return torch.bmm(rows.transpose(1, 2), others).float()


def swap_leading(tensor: Tensor) -> Tensor:
    """(E, T, ...) as (T, E, ...) and back, as a copy: one token's values are then contiguous for a loop over tokens.

    A clone, not ``contiguous``: that keeps odd strides where E is 1, and a compiled
    step is made for one set of strides.
    """
    return tensor.transpose(0, 1).clone(memory_format=torch.contiguous_format)
