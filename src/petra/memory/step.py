"""One token: the equations in the paper's order, and the backward pass of that step, written by hand.

A training step overwrites softly (equation 6) and saves what its backward pass needs; a
reading step overwrites the least used cell (equation 5).

Letters: E models, B texts, T tokens, N cells, H hidden size, M size of MLP_2's layers.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from petra.memory import gates as g
from petra.memory.cells import MemoryState, UpdateWeights, merged_cells, update_cells, update_usage
from petra.memory.linear import linear
from petra.memory.variants import Vanilla


class TokenTerms(NamedTuple):
    """What is known of a token before the memory is looked at; of all tokens, with T before B."""

    hidden: Tensor  # h_t  (E, B, H)
    mention_prob: Tensor  # e_t  (E, B)
    share: Tensor  # h_t's part of MLP_2's first layer  (E, B, M)
    update: Tensor  # h_t's part of MLP_3  (E, B, H)


def hard_step(
    token: TokenTerms,
    state: MemoryState,
    absent: Tensor,
    preference: Tensor | None,
    similarity: g.SimilarityWeights,
    update: UpdateWeights,
    variant: Vanilla,
    decay: float,
) -> tuple[MemoryState, Tensor, Tensor]:
    """One token with a hard overwrite, the equations in the paper's order; ``decay`` is gamma."""
    cells, usage = state
    sim = g.similarity(token.share, token.hidden, cells, usage, similarity)
    shares = g.person_shares(g.coref_scores(sim.score, usage))
    coref_prob, new_person_prob = g.split_mention(token.mention_prob, shares)
    preference = variant.hard_preference(sim.score, usage, preference)
    overwrite_prob = g.overwrite_least_used(new_person_prob, usage - absent, preference)
    merged = merged_cells(token.update, cells, update)
    cells = variant.keep_keys(cells, update_cells(cells, token.hidden, merged, coref_prob, overwrite_prob))
    usage = update_usage(usage, coref_prob, overwrite_prob, decay)
    return MemoryState(cells, usage), coref_prob, overwrite_prob


class SavedStep(NamedTuple):
    """What the forward pass of a step saves for the backward pass."""

    score: Tensor  # sim_t^i  (E, B, N)
    shares: Tensor  # the softmax of equation 4  (E, B, N + 1)
    odds: Tensor  # the Gumbel-Softmax of equation 6  (E, B, N)
    first: Tensor  # MLP_2's hidden layers  (E, B, N, M)
    second: Tensor
    merged: Tensor  # MLP_3's output  (E, B, N, H)


class LoopWeights(NamedTuple):
    """The weights inside the loop."""

    update_cell: Tensor  # MLP_3's part for m^i
    similarity: g.SimilarityWeights


def soft_step(
    token: TokenTerms,
    noise: Tensor,
    temperature: Tensor,
    state: MemoryState,
    weights: LoopWeights,
    variant: Vanilla,
    decay: float,
    after: MemoryState,
    gates: tuple[Tensor, Tensor],
    saved: SavedStep,
) -> MemoryState:
    """One token with a soft overwrite; writes the state after it, its gates and what is saved to the given tensors."""
    cells, usage = state
    sim = g.similarity(token.share, token.hidden, cells, usage, weights.similarity)
    shares = g.person_shares(g.coref_scores(sim.score, usage))
    coref_prob, new_person_prob = g.split_mention(token.mention_prob, shares)
    noise = variant.soft_preference(noise, sim.score, _unused(usage, noise))
    odds = g.overwrite_odds(usage, noise, temperature)
    overwrite_prob = g.overwrite_gumbel(new_person_prob, odds)
    merged = torch.tanh(token.update.unsqueeze(-2) + linear(cells, weights.update_cell))
    cells = variant.keep_keys(cells, update_cells(cells, token.hidden, merged, coref_prob, overwrite_prob))
    usage = update_usage(usage, coref_prob, overwrite_prob, decay)
    made = (cells, usage, coref_prob, overwrite_prob, sim.score, shares, odds, sim.first, sim.second, merged)
    for place, value in zip((*after, *gates, *saved), made, strict=True):
        place.copy_(value)
    return MemoryState(cells, usage)


class TokenGrads(NamedTuple):
    """Gradients with respect to a token's terms, and its part of those of the small weights."""

    hidden: Tensor  # (E, B, H)
    mention_prob: Tensor  # (E, B)
    share: Tensor  # (E, B, M)
    update: Tensor  # (E, B, H)
    usage_weight: Tensor  # of MLP_2's first layer  (E, B, M)
    second_bias: Tensor  # (E, B, M)
    out: Tensor  # (E, B, M)
    out_bias: Tensor  # (E, B)


class WeightFactors(NamedTuple):
    """The factors whose products, summed over tokens, are the gradients of the large weights; all (E, B, N, ...)."""

    product: Tensor  # h_t * m^i
    grad_first: Tensor  # before the ReLUs of MLP_2
    grad_second: Tensor
    grad_merged: Tensor  # before the tanh of MLP_3


def soft_step_backward(
    token: TokenTerms,
    noise: Tensor,
    temperature: Tensor,
    state: MemoryState,
    gates: tuple[Tensor, Tensor],
    saved: SavedStep,
    weights: LoopWeights,
    variant: Vanilla,
    decay: float,
    grad_after: MemoryState,
    grad_gates: tuple[Tensor, Tensor],
    grads: TokenGrads,
) -> tuple[MemoryState, WeightFactors]:
    """The backward pass of ``soft_step``, equation by equation from the last to the first.

    Returns the gradient of the state before the token, and the factors of the weights'
    gradients; writes the other gradients to ``grads``.
    """
    cells, usage = state
    coref_prob, overwrite_prob = gates
    hidden = token.hidden.unsqueeze(-2)  # (E, B, 1, H)
    touched = overwrite_prob + coref_prob

    # Equation 8: the minimum lets a gradient through only below 1.
    grad_usage_sum = grad_after.usage * (touched + decay * usage <= 1)
    # Equation 7; a fixed key is carried over as it is.
    grad_updated = variant.keep_keys_backward(grad_after.cells)
    grad_overwrite = grad_gates[1] + grad_usage_sum + (grad_updated * (hidden - cells)).sum(-1)
    grad_coref = grad_gates[0] + grad_usage_sum + (grad_updated * (saved.merged - cells)).sum(-1)
    grad_merged = grad_updated * coref_prob.unsqueeze(-1) * (1 - saved.merged * saved.merged)
    grad_cells = grad_after.cells - grad_updated * touched.unsqueeze(-1)
    grad_hidden = (grad_updated * overwrite_prob.unsqueeze(-1)).sum(-2)
    # Equation 6.
    grad_new_person = (grad_overwrite * saved.odds).sum(-1, keepdim=True)  # (E, B, 1)
    grad_logits = overwrite_prob * (grad_overwrite - grad_new_person)
    grad_usage = decay * grad_usage_sum - grad_logits / temperature
    # Equation 4.
    shares, new_share = saved.shares[..., :-1], saved.shares[..., -1:]
    grad_mention = (shares * grad_coref).sum(-1, keepdim=True) + new_share * grad_new_person
    grad_score = coref_prob * (grad_coref - grad_mention)
    grad_score = variant.soft_preference_backward(grad_score, grad_logits, saved.score, _unused(usage, noise))
    # Equation 2.
    mlp = weights.similarity
    grad_second = grad_score.unsqueeze(-1) * mlp.out[:, None, None] * (saved.second > 0)
    grad_first = linear(grad_second, mlp.second.transpose(1, 2)) * (saved.first > 0)
    grad_product = linear(grad_first, mlp.product.transpose(1, 2))
    grad_cells = (
        grad_cells
        + linear(grad_first, mlp.cell.transpose(1, 2))
        + hidden * grad_product
        + linear(grad_merged, weights.update_cell.transpose(1, 2))
    )
    grad_usage = grad_usage + (grad_first * mlp.usage[:, None, None]).sum(-1)
    made = TokenGrads(
        hidden=grad_hidden + (cells * grad_product).sum(-2),
        mention_prob=grad_mention.squeeze(-1),
        share=grad_first.sum(-2),
        update=grad_merged.sum(-2),
        usage_weight=(usage.unsqueeze(-1) * grad_first).sum(-2),
        second_bias=grad_second.sum(-2),
        out=(grad_score.unsqueeze(-1) * saved.second).sum(-2),
        out_bias=grad_score.sum(-1),
    )
    for place, value in zip(grads, made, strict=True):
        place.copy_(value)
    return MemoryState(grad_cells, grad_usage), WeightFactors(hidden * cells, grad_first, grad_second, grad_merged)


def _unused(usage: Tensor, noise: Tensor) -> Tensor:
    """The model's own cells that were never written; noise of minus infinity marks those it does not have."""
    return (usage == 0) & (noise > float("-inf"))
