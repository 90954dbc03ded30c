"""The paper's three variants, side by side: how cells begin, which unused cell is taken, what of a cell is fixed.

Vanilla PeTra learns nothing of its cells. The two learned variants tell unused cells
apart by their similarity to the token, in equations 5 and 6; Fixed Key moreover keeps
the first dimensions of a cell out of equation 7. A method that ends in ``backward``
gives the gradient of the one it is named after.

Letters: E models, B texts, N cells, H hidden size, K fixed dimensions of a cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import Tensor

from petra.config import MemoryConfig
from petra.memory import gates as g


@dataclass(frozen=True)
class Vanilla:
    """Cells begin as zeros, so there may be any number of them, and unused ones are all equal."""

    key_size: int = 0  # K
    by_similarity: ClassVar[bool] = False  # whether unused cells are told apart by similarity

    def shapes(self, num_cells: int, hidden_size: int) -> dict[str, tuple[int, ...]]:
        """The learned parameters of the cells, by name."""
        return {}

    def initial_cells(self, learned: Mapping[str, Tensor], zeros: Tensor) -> Tensor:
        """The cells before the first token, (E, N, H), from the learned parameters and zeros of that shape."""
        return zeros

    def hard_preference(self, similarity: Tensor, usage: Tensor, preference: Tensor | None) -> Tensor | None:
        """Which of equally little used cells equation 5 takes: the one with the highest number, (E, B, N).

        ``preference`` is what the caller asks for; None stands for the lowest i.
        """
        return preference

    def soft_preference(self, noise: Tensor, similarity: Tensor, unused: Tensor) -> Tensor:
        """The Gumbel noise of equation 6, plus the preference among unused cells: (E, B, N)."""
        return noise

    def soft_preference_backward(self, grad: Tensor, grad_logits: Tensor, similarity: Tensor, unused: Tensor) -> Tensor:
        """The gradient of similarity: ``grad`` of its other uses, plus what the logits of equation 6 contribute."""
        return grad

    def keep_keys(self, before: Tensor, after: Tensor) -> Tensor:
        """The cells after equation 7, (E, B, N, H), with their fixed dimensions as they were before."""
        return after

    def keep_keys_backward(self, grad: Tensor) -> Tensor:
        """The gradient of what equation 7 gave, (E, B, N, H)."""
        return grad


@dataclass(frozen=True)
class LearnedInit(Vanilla):
    """Every cell begins as a learned vector, and a new person takes the most similar of the unused cells."""

    by_similarity: ClassVar[bool] = True

    def shapes(self, num_cells: int, hidden_size: int) -> dict[str, tuple[int, ...]]:
        return {"initial_cells": (num_cells, hidden_size)}

    def initial_cells(self, learned: Mapping[str, Tensor], zeros: Tensor) -> Tensor:
        return learned["initial_cells"]

    def hard_preference(self, similarity: Tensor, usage: Tensor, preference: Tensor | None) -> Tensor | None:
        return torch.where(usage == 0, similarity, 0.0)

    def soft_preference(self, noise: Tensor, similarity: Tensor, unused: Tensor) -> Tensor:
        return noise + g.unused_preference(similarity, unused)

    def soft_preference_backward(self, grad: Tensor, grad_logits: Tensor, similarity: Tensor, unused: Tensor) -> Tensor:
        shares = torch.softmax(similarity.masked_fill(~unused, -1e9), dim=-1) * unused
        return grad + grad_logits * unused - shares * (grad_logits * unused).sum(-1, keepdim=True)


@dataclass(frozen=True)
class FixedKey(LearnedInit):
    """The first K dimensions of a cell are learned and never change; the others begin as zeros."""

    def shapes(self, num_cells: int, hidden_size: int) -> dict[str, tuple[int, ...]]:
        return {"keys": (num_cells, self.key_size)}

    def initial_cells(self, learned: Mapping[str, Tensor], zeros: Tensor) -> Tensor:
        return torch.cat([learned["keys"], zeros[..., self.key_size :]], dim=-1)

    def keep_keys(self, before: Tensor, after: Tensor) -> Tensor:
        return torch.cat([before[..., : self.key_size], after[..., self.key_size :]], dim=-1)

    def keep_keys_backward(self, grad: Tensor) -> Tensor:
        return torch.cat([torch.zeros_like(grad[..., : self.key_size]), grad[..., self.key_size :]], dim=-1)


def variant_of(config: MemoryConfig) -> Vanilla:
    """The variant that a configuration names."""
    if config.variant == "learned-init":
        return LearnedInit()
    return FixedKey(config.key_size) if config.variant == "fixed-key" else Vanilla()
