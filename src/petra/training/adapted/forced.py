"""The memory read mention by mention with the right decisions forced on it.

Where it is known who every mention is of, equations 7 and 8 have gates of 0 and 1: the
first mention of a person writes h_t, each later one makes the cell MLP_3([h_t; m]), and
usage is gamma^(k - 1), k tokens after a mention. The cells then do not depend on what
the memory would decide, so all its decisions are scored at once: equation 2 for every
mention against the persons before it, and the softmax of equation 4 with 0 for a new one.

Letters: K mentions of all passages together, P comparisons, H hidden size. One model, E = 1.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from petra.linear import linear
from petra.memory.cells import token_update
from petra.memory.gates import similarity, token_share
from petra.memory.network import Network


class Chains(NamedTuple):
    """The mentions of persons, rank by rank: all first mentions, then all second ones, and so on."""

    ranks: tuple[NDArray[np.int64], ...]  # the mentions of each rank
    before: tuple[NDArray[np.int64], ...]  # for each but the first: the places, in the rank before, of those before


def chains(previous: NDArray[np.int64]) -> Chains:
    """The chains given, for each mention, the one before it of the same person or -1."""
    rank = np.zeros(len(previous), dtype=np.int64)
    for mention, before in enumerate(previous.tolist()):
        rank[mention] = rank[before] + 1 if before >= 0 else 0
    ranks = tuple(np.flatnonzero(rank == number) for number in range(int(rank.max(initial=-1)) + 1))
    before = tuple(np.searchsorted(ranks[number - 1], previous[ranks[number]]) for number in range(1, len(ranks)))
    return Chains(ranks, before)


def person_vectors(network: Network, hidden: Tensor, chain: Chains) -> Tensor:
    """The cell of each mention's person after that mention, from h_t of the mentions (K, H): (K, H)."""
    if not chain.ranks:
        return hidden
    weights = network.update_weights
    update = token_update(hidden[None], weights)[0]  # (K, H)

    def placed(indices: NDArray[np.int64]) -> Tensor:
        return torch.from_numpy(indices).to(hidden.device)

    cells = hidden[placed(chain.ranks[0])]
    made = [cells]
    for mentions, before in zip(chain.ranks[1:], chain.before, strict=True):
        merged = linear(cells[placed(before)][None], weights.cell)[0]
        cells = torch.tanh(update[placed(mentions)] + merged)
        made.append(cells)
    order = placed(np.argsort(np.concatenate(chain.ranks)))
    return torch.cat(made)[order]


def comparison_scores(
    network: Network, hidden: Tensor, vectors: Tensor, mention: Tensor, latest: Tensor, distance: Tensor
) -> Tensor:
    """sim of each comparison (P,): the mention's h_t against the person's cell, used so many tokens before."""
    weights = network.similarity_weights
    usage = network.config.usage_decay ** (distance - 1).clamp(min=0).float()
    share = token_share(hidden[None], weights)[:, mention]
    found = similarity(share, hidden[None][:, mention], vectors[None][:, latest, None], usage[None, :, None], weights)
    return found.score[0, :, 0]


def link_loss(scores: Tensor, mention: Tensor, is_same: Tensor, num_mentions: int) -> tuple[Tensor, Tensor]:
    """The cross entropy of who each mention is of, and how many of them the highest score gets right.

    A mention that is of nobody it is compared with is of a new person, whose score is 0.
    """
    # The softmax over a mention's comparisons and 0, by sums over each mention's own.
    zero = scores.new_zeros(num_mentions)
    highest = zero.scatter_reduce(0, mention, scores.detach(), "amax", include_self=True)
    total = torch.exp(-highest).scatter_add(0, mention, torch.exp(scores - highest[mention]))
    normaliser = highest + torch.log(total)  # (K,)
    own = zero.scatter_add(0, mention, torch.where(is_same, scores, 0.0))
    known = zero.scatter_add(0, mention, is_same.float())
    best = own >= highest - 1e-6
    right = torch.where(known > 0, best & (highest > 0), highest <= 0)
    return (normaliser - own).mean(), right.float().mean()


def span_loss(scores: Tensor, target: Tensor, counted: Tensor) -> Tensor:
    """The cross entropy of spans' kinds, 0 for no mention, over all that count, per mention."""
    losses = F.cross_entropy(F.pad(scores, (1, 0)).flatten(0, -2), target.flatten(), reduction="none")
    return (losses * counted.flatten()).sum() / (target > 0).sum().clamp(min=1)
