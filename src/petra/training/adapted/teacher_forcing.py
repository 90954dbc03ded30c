"""Teacher forcing: the memory reads mention by mention, and the gold decisions update its cells.

With the gold person of every mention, the gates of equations 7 and 8 are 0 or 1: the
first mention of a person writes h_t, each later one makes the cell MLP_3([h_t; m]), and
usage is gamma^(k - 1), k tokens after a mention. The cells do not depend on the
memory's own decisions, so all decisions are scored at once: equation 2 for every
mention against the persons before it, and the softmax of equation 4 with 0 for a new one.

Letters: K mentions of all passages together, P comparisons, H hidden size. One model, E = 1.
"""

from __future__ import annotations

from itertools import zip_longest

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor

from petra.memory.gates import similarity, token_share
from petra.memory.network import Network


def ranks(previous: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
    """The first mentions of all persons, then the second ones, and so on.

    ``previous`` gives for each mention the one before it of the same person, or -1. Within a
    rank persons keep one order, those with most mentions first.
    """
    found: list[list[int]] = []  # the mentions of each person
    place: dict[int, int] = {}  # latest mention -> its person's place among them
    for mention, before in enumerate(previous.tolist()):
        if before < 0:
            found.append([])
        place[mention] = place.pop(before, len(found) - 1)
        found[place[mention]].append(mention)
    found.sort(key=len, reverse=True)
    return tuple(np.array([each for each in rank if each is not None]) for rank in zip_longest(*found))


def person_vectors(network: Network, hidden: Tensor, ranked: tuple[NDArray[np.int64], ...]) -> Tensor:
    """The cell of each mention's person after that mention (K, H), from h_t of the mentions (K, H).

    MLP_3 over the mentions of a person is a recurrent layer, a single operation in PyTorch.
    """
    if len(ranked) < 2:  # every mention is the first of its person
        return hidden
    token, cell, bias = (weight[0] for weight in network.update_weights)
    layer = [token.t().contiguous(), cell.t().contiguous(), bias, torch.zeros_like(bias)]
    order = torch.from_numpy(np.concatenate(ranked)).to(hidden.device)
    in_order = hidden[order]
    first, rest = in_order[: len(ranked[0])], in_order[len(ranked[0]) :]
    counts = torch.tensor([len(rank) for rank in ranked[1:]])
    start = first[None, : len(ranked[1])]
    later = torch.rnn_tanh(rest, counts, start, layer, True, 1, 0.0, True, False)[0]
    return torch.cat([first, later])[torch.argsort(order)]


def comparison_scores(
    network: Network, hidden: Tensor, vectors: Tensor, mention: Tensor, latest: Tensor, distance: Tensor
) -> Tensor:
    """sim of each comparison (P,): the mention's h_t against the person's cell, last used ``distance`` tokens ago."""
    weights = network.similarity_weights
    usage = network.config.usage_decay ** (distance - 1).clamp(min=0).float()
    share = token_share(hidden[None], weights)[:, mention]
    found = similarity(share, hidden[None][:, mention], vectors[None][:, latest, None], usage[None, :, None], weights)
    return found.score[0, :, 0]


def link_loss(
    scores: Tensor, mention: Tensor, is_same: Tensor, new_person: Tensor, is_learned: Tensor
) -> tuple[Tensor, Tensor]:
    """The cross entropy of who each mention is of, and how many of them the highest score gets right.

    ``scores`` (P,) are those of the comparisons, ``new_person`` (K,) those of a new person, whom
    a mention is of that is of nobody it is compared with. Mentions that are not learned (K,) do not count.
    """
    # The softmax over a mention's comparisons and a new person, by sums over each mention's own.
    zero = torch.zeros_like(new_person)
    highest = new_person.detach().scatter_reduce(0, mention, scores.detach(), "amax", include_self=True)
    total = torch.exp(new_person - highest).scatter_add(0, mention, torch.exp(scores - highest[mention]))
    normaliser = highest + torch.log(total)  # (K,)
    known = zero.scatter_add(0, mention, is_same.float()) > 0
    own = torch.where(known, zero.scatter_add(0, mention, torch.where(is_same, scores, 0.0)), new_person)
    right = own >= highest - 1e-6
    share = is_learned / is_learned.sum().clamp(min=1)
    return (share * (normaliser - own)).sum(), (share * right).sum()


def weighted_features(weights: Tensor, row: Tensor, feature: Tensor, value: Tensor, rows: int) -> Tensor:
    """What features (Q,) with weights (F,) add to the score of each of so many rows."""
    return weights.new_zeros(rows).index_add(0, row, weights[feature] * value)


def span_loss(scores: Tensor, target: Tensor, counted: Tensor) -> Tensor:
    """The cross entropy of the kinds of spans, 0 for no mention, summed by weight and divided by the gold mentions."""
    losses = F.cross_entropy(F.pad(scores, (1, 0)).flatten(0, -2), target.flatten(), reduction="none")
    return (losses * counted.flatten()).sum() / (target > 0).sum().clamp(min=1)


def gender_loss(scores: Tensor, feminine: Tensor) -> Tensor:
    """The mean cross entropy of the genders of names (n,): log-odds of feminine, and 1 where it is; 0 without names."""
    return F.binary_cross_entropy_with_logits(scores, feminine.float(), reduction="sum") / max(1, len(scores))
