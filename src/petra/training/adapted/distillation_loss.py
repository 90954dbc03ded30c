"""The distillation loss: how far the inner numbers of a student are from those of its teacher.

What a memory takes of a token's features x is linear in them, x W + b for its GRU, and
so is what a span head takes of the two ends of a span. These projections are compared
for every token. The states of the GRU are compared where the teacher finds mentions,
because cells hold states of mentions.

Letters: B texts, L tokens of the longest, D features of a token, H hidden size,
Z numbers that memory and span head take of a token.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from petra.encoder.pretrained import WindowTokens
from petra.memory.gates import mention_probability
from petra.memory.gru import states_of_one
from petra.text.document import Document
from petra.training.adapted.model import AdaptedModel

_LEAST = 1e-6  # variance that is divided by, at least


class _Targets(NamedTuple):
    """What the teacher computes of B texts."""

    is_real: Tensor  # (B, L) 1 for tokens, 0 for padding
    projections: Tensor  # (B, L, Z)
    states: Tensor  # (B, L, H)
    mention_prob: Tensor  # (B, L)


class DistillationLoss:
    """Compares students with one teacher."""

    def __init__(self, teacher: AdaptedModel, dtype: torch.dtype) -> None:
        teacher.encoder.model.to(dtype).eval()
        self.teacher = teacher

    def of_windows(self, student: AdaptedModel, features: Tensor, windows: Sequence[WindowTokens]) -> Tensor:
        """The loss of a student with features (B, L, D) of B texts, differentiable.

        It is a share of the variance of the teacher's numbers: 0 for equal numbers, 1 for
        their mean alone. The windows hold the texts as the teacher's tokenizer splits
        them, one window a text.
        """
        targets = self._targets(windows, features.shape[1])
        of_projections = _unexplained(_projections(student, features), targets.projections, targets.is_real)
        weight = targets.mention_prob * targets.is_real
        of_states = _unexplained(_states(student, features), targets.states, weight)
        return (of_projections + of_states) / 2

    def of_documents(self, student: AdaptedModel, features: Tensor, documents: Sequence[Document]) -> Tensor:
        """The loss over documents, the first rows of features (B, L, D); longer ones than a window are left out."""
        encoder = self.teacher.encoder
        split = [list(encoder.split(encoder.tokenizer.tokenize(document.text).token_ids)) for document in documents]
        chosen = [place for place, windows in enumerate(split) if len(windows) == 1]
        if not chosen:
            return features.new_zeros(())
        return self.of_windows(student, features[chosen], [split[place][0] for place in chosen])

    @torch.no_grad()
    def _targets(self, windows: Sequence[WindowTokens], tokens: int) -> _Targets:
        """The teacher's numbers for windows, padded to so many tokens."""
        teacher = self.teacher
        device, begin = teacher.device, len(teacher.encoder.tokenizer.prefix)
        token_ids, attention_mask = (part.to(device) for part in teacher.encoder.pad(windows, tokens=tokens))
        features = teacher.encoder.features(token_ids, attention_mask.long())[:, begin : begin + tokens]
        lengths = torch.tensor([[len(window.token_ids)] for window in windows], device=device)
        is_real = (torch.arange(tokens, device=device) < lengths).to(features.dtype)
        states = _states(teacher, features)
        mention_prob = mention_probability(states[None], teacher.network.mention_weights)[0]
        return _Targets(is_real, _projections(teacher, features), states, mention_prob)


def _projections(model: AdaptedModel, features: Tensor) -> Tensor:
    """What memory and span head take of features (B, L, D): (B, L, Z)."""
    memory, spans = model.network, model.spans
    return torch.cat(
        [
            features @ memory.recurrent_inputs[0] + memory.recurrent_inputs_bias[0],
            features @ spans.first + spans.bias,
            features @ spans.last,
        ],
        dim=-1,
    )


def _states(model: AdaptedModel, features: Tensor) -> Tensor:
    """h_t of every token, from features (B, L, D): (B, L, H)."""
    return states_of_one(features.transpose(0, 1), model.network.recurrent_weights).transpose(0, 1)


def _unexplained(given: Tensor, target: Tensor, weight: Tensor) -> Tensor:
    """The share of the target's variance that is left, averaged over Z; tokens are weighted by (B, L)."""
    share = (weight / weight.sum().clamp(min=_LEAST))[..., None]
    mean = (share * target).sum((0, 1))
    variance = (share * (target - mean).square()).sum((0, 1))
    left: Tensor = ((share * (given - target).square()).sum((0, 1)) / variance.clamp(min=_LEAST)).mean()
    return left
