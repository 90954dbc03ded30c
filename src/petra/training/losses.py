"""The losses of the paper: the coreference loss and the entity mention loss.

Letters: E models, T tokens, B texts, N cells, K token pairs of a text.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from petra.memory.gates import Gates

ALMOST_ONE = 1 - 1e-6  # keeps log(1 - o) finite


class Pairs(NamedTuple):
    """The labelled pairs of tokens of each text; a pair of weight 0 is padding."""

    first: Tensor  # (B, K) the earlier token
    second: Tensor  # (B, K) the later one
    label: Tensor  # (B, K) 1 for the same person, 0 for different ones
    weight: Tensor  # (B, K)


def link_probability(gates: Gates, first: Tensor, second: Tensor) -> Tensor:
    """Equation 9, differentiable: P_CL of token pairs (B, K), for each model (E, B, K).

    The product over the tokens between is a difference of running sums of
    log(1 - o), so a pair costs O(N) however far apart its tokens are.
    """
    kept = torch.log1p(-gates.overwrite_prob.clamp(max=ALMOST_ONE)).cumsum(dim=1)  # (E, T, B, N)
    present = gates.overwrite_prob + gates.coref_prob
    survived = torch.exp(_at(kept, second) - _at(kept, first))
    return (_at(present, first) * survived * _at(gates.coref_prob, second)).sum(-1)


def _at(values: Tensor, tokens: Tensor) -> Tensor:
    """values (E, T, B, N) at tokens (B, K): (E, B, K, N)."""
    index = tokens.t()[None, :, :, None].expand(values.shape[0], -1, -1, values.shape[-1])  # (E, K, B, N)
    return values.gather(1, index).transpose(1, 2)


def coreference_loss(gates: Gates, pairs: Pairs) -> Tensor:
    """L_coref of each model (E,): cross entropy of P_CL over the labelled pairs, by their weights."""
    probability = sound(link_probability(gates, pairs.first, pairs.second))
    label = pairs.label.expand_as(probability)
    losses = F.binary_cross_entropy(probability, label, reduction="none")  # (E, B, K)
    return (losses * pairs.weight).sum((1, 2)) / pairs.weight.sum()


def sound(probability: Tensor) -> Tensor:
    """Probabilities fit for the cross entropy: clamped to 0..1, and 0 where a model has diverged to NaN.

    The optimizer leaves a model without finite gradients as it is; one such model
    must not stop those that learn beside it.
    """
    return probability.nan_to_num(nan=0.0).clamp(0, 1)


def mention_loss(mention_prob: Tensor, unlabelled: Tensor) -> Tensor:
    """L_ent of each model (E,): the mean of e_t over a text's unlabelled tokens (T, B), then over texts."""
    count = unlabelled.sum(0)  # (B,)
    means = (mention_prob * unlabelled).sum(1) / count.clamp(min=1)  # (E, B)
    return means.sum(1) / (count > 0).sum().clamp(min=1)
