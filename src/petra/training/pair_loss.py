"""The loss of the Referential Reader: cross entropy over all pairs of tokens of a text.

Pairs number O(T^2). The link of a pair is a sum over cells of products over the
tokens between; with running sums of log(1 - ov) the whole costs O(T^2 N) and, cell by
cell, memory for a few numbers a pair.

Letters: E models, T tokens, B texts, N cells, K annotated pairs of a text.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor

from petra.memory.gates import Gates
from petra.training.losses import ALMOST_ONE, Pairs, sound


def all_pairs_loss(gates: Gates, real: Tensor, pairs: Pairs) -> Tensor:
    """The loss of each model (E,): cross entropy over all pairs t1 < t2 of real tokens (T, B), by their weights.

    Annotated pairs have the label and the weight they come with; all others are
    labelled 0 and weigh 1.
    """
    label, weight = pair_targets(real, pairs)
    probability = sound(all_links(gates))
    losses = F.binary_cross_entropy(probability, label.expand_as(probability), reduction="none")  # (E, B, T, T)
    return (losses * weight).sum((1, 2, 3)) / weight.sum()


def pair_targets(real: Tensor, pairs: Pairs) -> tuple[Tensor, Tensor]:
    """Label and weight of every pair of tokens, (B, T, T) each; a weight is 0 unless t1 < t2 are real tokens."""
    tokens = len(real)
    real = real.t()
    weight = (real[:, :, None] & real[:, None, :]).float().triu(1).flatten(1)  # (B, T * T)
    place = pairs.first * tokens + pairs.second  # (B, K); what fills up says 0 and 0 of token 0 with itself
    label = torch.zeros_like(weight).scatter(1, place, pairs.label)
    weight = weight.scatter(1, place, pairs.weight)
    return label.view(-1, tokens, tokens), weight.view(-1, tokens, tokens)


def all_links(gates: Gates) -> Tensor:
    """The link of every pair of tokens t1 < t2, (E, B, T, T), and 0 for all others.

    P(t1, t2) = sum_i (up_t1^i + ov_t1^i) * prod_{j = t1+1 .. t2-1} (1 - ov_j^i) * up_t2^i
    """
    update, overwrite = (gate.permute(0, 2, 3, 1) for gate in (gates.coref_prob, gates.overwrite_prob))  # (E, B, N, T)
    kept = torch.log1p(-overwrite.clamp(max=ALMOST_ONE)).cumsum(dim=-1)  # over all tokens up to t
    before = F.pad(kept[..., :-1], (1, 0))  # without t itself
    return _links(update + overwrite, kept, before, update)


class _Links(torch.autograd.Function):
    """Sums over cells, one at a time, so that no number is kept for every pair and cell."""

    @staticmethod
    def forward(ctx: Any, present: Tensor, kept: Tensor, before: Tensor, update: Tensor) -> Tensor:
        ctx.save_for_backward(present, kept, before, update)
        models, texts, cells, tokens = present.shape
        links = present.new_zeros(models, texts, tokens, tokens)
        for cell in range(cells):
            survived = _survived(kept[:, :, cell], before[:, :, cell])
            links.addcmul_(survived.mul_(present[:, :, cell, :, None]), update[:, :, cell, None])
        return links.triu_(1)

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, ...]:
        present, kept, before, update = ctx.saved_tensors
        grad = grad.triu(1)
        grad_present, grad_update = torch.empty_like(present), torch.empty_like(update)
        for cell in range(present.shape[2]):
            through = _survived(kept[:, :, cell], before[:, :, cell]).mul_(grad)
            grad_present[:, :, cell] = (through @ update[:, :, cell, :, None]).squeeze(-1)
            grad_update[:, :, cell] = (present[:, :, cell, None] @ through).squeeze(-2)
        # A link is proportional to exp(before - kept): its derivative by either is the link itself, or less it.
        return grad_present, -present * grad_present, update * grad_update, grad_update


_links = cast(Callable[..., Tensor], _Links.apply)


def _survived(kept: Tensor, before: Tensor) -> Tensor:
    """The product over t1+1 .. t2-1 in one cell, from running sums (E, B, T); at most 1 also where t1 >= t2."""
    return (before[..., None, :] - kept[..., None]).clamp_(max=0).exp_()  # (E, B, T, T)
