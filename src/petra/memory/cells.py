"""What the cells hold: the paper's equations 7 and 8.

Letters: E models, B texts, N cells, H hidden size.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from petra.memory.linear import linear


class UpdateWeights(NamedTuple):
    """MLP_3: one linear layer over [h_t; m^i] followed by tanh, its rows by what they multiply."""

    token: Tensor  # (E, H, H) multiplies h_t
    cell: Tensor  # (E, H, H) multiplies m^i
    bias: Tensor  # (E, H)


class MemoryState(NamedTuple):
    """The memory between two tokens."""

    cells: Tensor  # m_t^i  (E, B, N, H)
    usage: Tensor  # u_t^i  (E, B, N)


def token_update(hidden: Tensor, mlp: UpdateWeights) -> Tensor:
    """The part of MLP_3 that depends on h_t alone: (E, ..., H)."""
    return linear(hidden, mlp.token, mlp.bias)


def merged_cells(update: Tensor, cells: Tensor, mlp: UpdateWeights) -> Tensor:
    """MLP_3([h_t; m^i]), given the token's share of it: what a cell becomes when the token is of its person."""
    return torch.tanh(update.unsqueeze(-2) + linear(cells, mlp.cell))  # (E, B, N, H)


def update_cells(cells: Tensor, hidden: Tensor, merged: Tensor, coref_prob: Tensor, overwrite_prob: Tensor) -> Tensor:
    """Equation 7: m_t^i = (1 - o - c) m_{t-1}^i + o h_t + c MLP_3([h_t; m_{t-1}^i])."""
    written = overwrite_prob.unsqueeze(-1)
    known = coref_prob.unsqueeze(-1)
    return (1 - (written + known)) * cells + written * hidden.unsqueeze(-2) + known * merged


def update_usage(usage: Tensor, coref_prob: Tensor, overwrite_prob: Tensor, decay: float) -> Tensor:
    """Equation 8: u_t^i = min(1, o + c + gamma u_{t-1}^i)."""
    return (overwrite_prob + coref_prob + decay * usage).clamp(max=1)


def absent_cells(capacity: Tensor, num_cells: int) -> Tensor:
    """0 for the cells a model has and -inf for the rest, (E, 1, N), where models differ in their capacity (E,)."""
    index = torch.arange(num_cells, device=capacity.device)
    return torch.where(index < capacity[:, None], 0.0, float("-inf"))[:, None]
