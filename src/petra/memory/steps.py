"""One token: the equations in the paper's order, and the gradient of that step written by hand.

A training step overwrites softly (equation 6) and keeps what its gradient needs; a
reading step overwrites the least used cell (equation 5).

Letters: E models, B texts, T tokens, N cells, H hidden size, M size of MLP_2's layers.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from petra.memory import gates as g
from petra.memory.cells import State, UpdateWeights, merged_cells, update_cells, update_usage
from petra.memory.linear import linear


class TokenTerms(NamedTuple):
    """What is known of a token before the memory is looked at; of all tokens, with T before B."""

    hidden: Tensor  # h_t  (E, B, H)
    mention_prob: Tensor  # e_t  (E, B)
    share: Tensor  # h_t's part of MLP_2's first layer  (E, B, M)
    update: Tensor  # h_t's part of MLP_3  (E, B, H)


class Rules(NamedTuple):
    """What the loop needs to know besides weights."""

    decay: float  # gamma
    key_size: int  # fixed dimensions of a cell, 0 but in the Fixed Key variant
    by_similarity: bool  # whether ties among unused cells go by similarity (the learned variants)


def hard_step(
    token: TokenTerms,
    state: State,
    absent: Tensor,
    preference: Tensor | None,
    similarity: g.SimilarityWeights,
    update: UpdateWeights,
    rules: Rules,
) -> tuple[State, Tensor, Tensor]:
    """One token with a hard overwrite, the equations in the paper's order."""
    cells, usage = state
    sim = g.similarity(token.share, token.hidden, cells, usage, similarity)
    shares = g.person_shares(g.coref_scores(sim.score, usage))
    coref_prob, new_person_prob = g.split_mention(token.mention_prob, shares)
    if rules.by_similarity:
        preference = torch.where(usage == 0, sim.score, 0.0)
    overwrite_prob = g.overwrite_least_used(new_person_prob, usage - absent, preference)
    merged = merged_cells(token.update, cells, update)
    cells = update_cells(cells, token.hidden, merged, coref_prob, overwrite_prob, rules.key_size)
    usage = update_usage(usage, coref_prob, overwrite_prob, rules.decay)
    return State(cells, usage), coref_prob, overwrite_prob


class Trace(NamedTuple):
    """What the gradient of a step needs of it."""

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
    state: State,
    weights: LoopWeights,
    rules: Rules,
    kept: State,
    gates: tuple[Tensor, Tensor],
    trace: Trace,
) -> State:
    """One token with a soft overwrite; also writes the state after it, its gates and its trace where they are kept."""
    cells, usage = state
    sim = g.similarity(token.share, token.hidden, cells, usage, weights.similarity)
    shares = g.person_shares(g.coref_scores(sim.score, usage))
    coref_prob, new_person_prob = g.split_mention(token.mention_prob, shares)
    if rules.by_similarity:
        noise = noise + g.unused_preference(sim.score, _unused(usage, noise))
    odds = g.overwrite_odds(usage, noise, temperature)
    overwrite_prob = g.overwrite_gumbel(new_person_prob, odds)
    merged = torch.tanh(token.update.unsqueeze(-2) + linear(cells, weights.update_cell))
    cells = update_cells(cells, token.hidden, merged, coref_prob, overwrite_prob, rules.key_size)
    usage = update_usage(usage, coref_prob, overwrite_prob, rules.decay)
    made = (cells, usage, coref_prob, overwrite_prob, shares, odds, sim.first, sim.second, merged)
    for place, value in zip((*kept, *gates, *trace), made, strict=True):
        place.copy_(value)
    return State(cells, usage)


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


class Products(NamedTuple):
    """The factors whose products, summed over tokens, are the gradients of the large weights; all (E, B, N, ...)."""

    product: Tensor  # h_t * m^i
    grad_first: Tensor  # before the ReLUs of MLP_2
    grad_second: Tensor
    grad_merged: Tensor  # before the tanh of MLP_3


def soft_step_gradient(
    token: TokenTerms,
    noise: Tensor,
    temperature: Tensor,
    state: State,
    gates: tuple[Tensor, Tensor],
    trace: Trace,
    weights: LoopWeights,
    rules: Rules,
    grad_after: State,
    grad_gates: tuple[Tensor, Tensor],
    kept: TokenGrads,
) -> tuple[State, Products]:
    """The gradient of ``soft_step``, equation by equation from the last to the first.

    Returns that of the state before the token, and the factors for the weights;
    writes the rest where it is kept.
    """
    cells, usage = state
    coref_prob, overwrite_prob = gates
    hidden = token.hidden.unsqueeze(-2)  # (E, B, 1, H)
    touched = overwrite_prob + coref_prob

    # Equation 8: the minimum lets a gradient through only below 1.
    grad_usage_sum = grad_after.usage * (touched + rules.decay * usage <= 1)
    # Equation 7; a fixed key is carried over as it is.
    grad_updated = grad_after.cells
    if rules.key_size:
        grad_updated = torch.cat(
            [torch.zeros_like(cells[..., : rules.key_size]), grad_updated[..., rules.key_size :]], dim=-1
        )
    grad_overwrite = grad_gates[1] + grad_usage_sum + (grad_updated * (hidden - cells)).sum(-1)
    grad_coref = grad_gates[0] + grad_usage_sum + (grad_updated * (trace.merged - cells)).sum(-1)
    grad_merged = grad_updated * coref_prob.unsqueeze(-1) * (1 - trace.merged * trace.merged)
    grad_cells = grad_after.cells - grad_updated * touched.unsqueeze(-1)
    grad_hidden = (grad_updated * overwrite_prob.unsqueeze(-1)).sum(-2)
    # Equation 6.
    grad_new_person = (grad_overwrite * trace.odds).sum(-1, keepdim=True)  # (E, B, 1)
    grad_logits = overwrite_prob * (grad_overwrite - grad_new_person)
    grad_usage = rules.decay * grad_usage_sum - grad_logits / temperature
    # Equation 4.
    shares, new_share = trace.shares[..., :-1], trace.shares[..., -1:]
    grad_mention = (shares * grad_coref).sum(-1, keepdim=True) + new_share * grad_new_person
    grad_score = coref_prob * (grad_coref - grad_mention)
    mlp = weights.similarity
    if rules.by_similarity:  # the log softmax over unused cells
        unused = _unused(usage, noise)
        score = (trace.second * mlp.out[:, None, None]).sum(-1)
        preferred = torch.softmax(score.masked_fill(~unused, -1e9), dim=-1) * unused
        grad_score = grad_score + grad_logits * unused - preferred * (grad_logits * unused).sum(-1, keepdim=True)
    # Equation 2.
    grad_second = grad_score.unsqueeze(-1) * mlp.out[:, None, None] * (trace.second > 0)
    grad_first = linear(grad_second, mlp.second.transpose(1, 2)) * (trace.first > 0)
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
        out=(grad_score.unsqueeze(-1) * trace.second).sum(-2),
        out_bias=grad_score.sum(-1),
    )
    for place, value in zip(kept, made, strict=True):
        place.copy_(value)
    return State(grad_cells, grad_usage), Products(hidden * cells, grad_first, grad_second, grad_merged)


def _unused(usage: Tensor, noise: Tensor) -> Tensor:
    """The model's own cells that were never written; noise of minus infinity marks those it does not have."""
    return (usage == 0) & (noise > float("-inf"))
