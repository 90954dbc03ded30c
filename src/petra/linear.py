"""A linear map for each of several models, in one batched product.

Letters: E models trained or read together, I inputs, O outputs. A single model is
E = 1. Every tensor of parameters leads with E; the equations are written as for
one model and this product is what carries the models side by side.
"""

from __future__ import annotations

import torch
from torch import Tensor


def linear(inputs: Tensor, weight: Tensor, bias: Tensor | None = None, *, plus: Tensor | None = None) -> Tensor:
    """inputs (E, ..., I) times weight (E, I, O), plus a bias (E, O), or plus what has the shape of the result.

    The result is (E, ..., O). Inputs with E = 1 are shared by all models.
    """
    models, _, size = weight.shape
    leading, *between, _ = inputs.shape
    rows = inputs.flatten(1, -2)  # (E, R, I)
    if leading != models:
        rows = rows.expand(models, -1, -1)
    if bias is not None:
        outputs = torch.baddbmm(bias.unsqueeze(1), rows, weight)
    elif plus is None:
        outputs = torch.bmm(rows, weight)
    elif models == 1:  # a small product: every operation counts
        outputs = torch.baddbmm(plus.flatten(1, -2), rows, weight)
    else:  # several models, where the sum is fused with what comes next
        outputs = torch.bmm(rows, weight) + plus.flatten(1, -2)
    return outputs.view(models, *between, size)


def add_outer(total: Tensor, inputs: Tensor, grads: Tensor) -> None:
    """Add to a weight's gradient (E, I, O) what inputs (E, ..., I) and grads (E, ..., O) contribute."""
    rows = inputs.reshape(inputs.shape[0], -1, inputs.shape[-1])
    total.baddbmm_(rows.transpose(1, 2), grads.reshape(grads.shape[0], -1, grads.shape[-1]))


def swap_leading(tensor: Tensor) -> Tensor:
    """(E, T, ...) as (T, E, ...) and back, laid out anew: loops over tokens want one token's part in one place."""
    return tensor.transpose(0, 1).contiguous()
