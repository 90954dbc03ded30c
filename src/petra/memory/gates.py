"""What the memory decides on reading one token: the paper's equations 1 to 6.

Letters: E models, B texts, T tokens, N cells, H hidden size, M size of an MLP's layers. The
functions are pure, and take any leading dimensions where they say so.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from petra.memory.linear import linear


class Gates(NamedTuple):
    """What the memory decided on every token."""

    mention_prob: Tensor  # e_t    (E, T, B)
    coref_prob: Tensor  # c_t^i  (E, T, B, N)
    overwrite_prob: Tensor  # o_t^i  (E, T, B, N)
    usage: Tensor  # u_t^i  (E, T, B, N), after token t


class MentionWeights(NamedTuple):
    """MLP_1, from h_t to the logit of e_t."""

    first: Tensor  # (E, H, M)
    first_bias: Tensor  # (E, M)
    second: Tensor  # (E, M, M)
    second_bias: Tensor  # (E, M)
    out: Tensor  # (E, M, 1)
    out_bias: Tensor  # (E, 1)


class SimilarityWeights(NamedTuple):
    """MLP_2; the rows of its first layer by what they multiply."""

    token: Tensor  # (E, H, M) multiplies h_t
    cell: Tensor  # (E, H, M) multiplies m^i
    product: Tensor  # (E, H, M) multiplies h_t * m^i
    usage: Tensor  # (E, M)    multiplies u^i
    first_bias: Tensor  # (E, M)
    second: Tensor  # (E, M, M)
    second_bias: Tensor  # (E, M)
    out: Tensor  # (E, M)
    out_bias: Tensor  # (E,)


class Similarity(NamedTuple):
    """sim_t^i with the hidden layers it came from."""

    first: Tensor  # (E, B, N, M)
    second: Tensor  # (E, B, N, M)
    score: Tensor  # (E, B, N)


def mention_probability(hidden: Tensor, mlp: MentionWeights) -> Tensor:
    """Equation 1: e_t = sigmoid(MLP_1(h_t)), for hidden (E, ..., H)."""
    first = F.relu(linear(hidden, mlp.first, mlp.first_bias))
    second = F.relu(linear(first, mlp.second, mlp.second_bias))
    return torch.sigmoid(linear(second, mlp.out, mlp.out_bias)).squeeze(-1)


def token_share(hidden: Tensor, mlp: SimilarityWeights) -> Tensor:
    """The part of MLP_2's first layer that depends on h_t alone: (E, ..., M)."""
    return linear(hidden, mlp.token, mlp.first_bias)


def similarity(share: Tensor, hidden: Tensor, cells: Tensor, usage: Tensor, mlp: SimilarityWeights) -> Similarity:
    """Equation 2: sim_t^i = MLP_2([h_t; m^i; h_t * m^i; u^i]), given the token's share."""
    first = linear(cells, mlp.cell) + linear(hidden.unsqueeze(-2) * cells, mlp.product)  # (E, B, N, M)
    first = F.relu(first + share.unsqueeze(-2) + usage.unsqueeze(-1) * mlp.usage[:, None, None])
    second = F.relu(linear(first, mlp.second, mlp.second_bias))
    score = (second * mlp.out[:, None, None]).sum(-1) + mlp.out_bias[:, None, None]  # (E, B, N)
    return Similarity(first, second, score)


def coref_scores(similarity: Tensor, usage: Tensor) -> Tensor:
    """Equation 3: cs_t^i = sim_t^i, or minus infinity where cell i was never written (u^i = 0)."""
    return similarity.masked_fill(usage == 0, float("-inf"))


def person_shares(scores: Tensor) -> Tensor:
    """The softmax of equation 4: who a mention is of, the N people in memory or, last, a new one."""
    return F.softmax(F.pad(scores, (0, 1)), dim=-1)  # (..., N + 1)


def split_mention(mention_prob: Tensor, shares: Tensor) -> tuple[Tensor, Tensor]:
    """Equation 4: [c_t^1 .. c_t^N, n_t] = e_t times the shares."""
    split = mention_prob.unsqueeze(-1) * shares
    return split[..., :-1], split[..., -1]


def overwrite_least_used(new_person_prob: Tensor, usage: Tensor, preference: Tensor | None = None) -> Tensor:
    """Equation 5: n_t goes whole to the least used cell.

    Among equally little used cells the one with the highest preference (..., N) is
    taken, and of those the lowest i.
    """
    if preference is None:
        chosen = usage.argmin(dim=-1)
    else:
        least = usage == usage.amin(dim=-1, keepdim=True)
        chosen = preference.masked_fill(~least, float("-inf")).argmax(dim=-1)
    return new_person_prob.unsqueeze(-1) * F.one_hot(chosen, usage.shape[-1])


def overwrite_odds(usage: Tensor, noise: Tensor, temperature: Tensor) -> Tensor:
    """The Gumbel-Softmax of equation 6 over (1 - u) / tau, given its Gumbel noise (..., N)."""
    return F.softmax((1 - usage) / temperature + noise, dim=-1)


def unused_preference(similarity: Tensor, unused: Tensor) -> Tensor:
    """How the learned variants tell unused cells apart in equation 6: log softmax of sim over them, 0 elsewhere."""
    total = similarity.masked_fill(~unused, float("-inf")).logsumexp(dim=-1, keepdim=True)
    return torch.where(unused, similarity - total, 0.0)


def overwrite_gumbel(new_person_prob: Tensor, odds: Tensor) -> Tensor:
    """Equation 6: o_t^i = n_t * GS((1 - u) / tau)_i."""
    return new_person_prob.unsqueeze(-1) * odds
