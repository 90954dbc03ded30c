"""The two losses of the paper: L = L_coref + lambda * L_ent."""

from __future__ import annotations

from math import log

import torch
from torch.testing import assert_close

from petra.memory.gates import Gates
from petra.training.losses import Pairs, coreference_loss, mention_loss


def gates_of(coref: list[list[float]], overwrite: list[list[float]]) -> Gates:
    """The gates of one model in one text: rows are tokens."""
    c, o = (torch.tensor(rows)[None, :, None] for rows in (coref, overwrite))
    return Gates((c + o).sum(-1), c, o, torch.zeros_like(c))


def pairs_of(*pairs: tuple[int, int, int, float]) -> Pairs:
    first, second, label, weight = (torch.tensor([column]) for column in zip(*pairs, strict=True))
    return Pairs(first, second, label.float(), weight.float())


def test_cross_entropy_by_weight() -> None:
    # One cell. P(0, 1) = 1 * 0.5 = 0.5, labelled 1: -ln 0.5. P(0, 2) = 1 * 0.2, labelled 0: -ln 0.8.
    # Weights 5 and 50: (5 ln 2 - 50 ln 0.8) / 55.
    gates = gates_of([[0.0], [0.5], [0.2]], [[1.0], [0.0], [0.0]])
    loss = coreference_loss(gates, pairs_of((0, 1, 1, 5.0), (0, 2, 0, 50.0)))
    assert_close(loss, torch.tensor([(5 * log(2) - 50 * log(0.8)) / 55]))


def test_a_pair_of_weight_zero_only_fills_up() -> None:
    gates = gates_of([[0.0], [0.5], [0.2]], [[1.0], [0.0], [0.0]])
    alone = coreference_loss(gates, pairs_of((0, 1, 1, 5.0)))
    assert torch.equal(alone, coreference_loss(gates, pairs_of((0, 1, 1, 5.0), (0, 0, 0, 0.0))))


def test_a_model_that_has_come_apart_does_not_stop_the_others() -> None:
    # The second model gives nan everywhere; the first has P(0, 1) = 0.5, labelled 1.
    sound = gates_of([[0.0], [0.5]], [[1.0], [0.0]])
    both = Gates(*(torch.cat([each, torch.full_like(each, float("nan"))]) for each in sound))
    loss = coreference_loss(both, pairs_of((0, 1, 1, 5.0)))
    assert_close(loss[0], torch.tensor(log(2)))


def test_every_model_has_its_loss() -> None:
    # As above, P(0, 1) = 0.5 for the first model; for the second 1 * 0.25.
    c = torch.tensor([[0.0, 0.5], [0.0, 0.25]])[:, :, None, None]
    o = torch.tensor([[1.0, 0.0], [1.0, 0.0]])[:, :, None, None]
    loss = coreference_loss(Gates((c + o).sum(-1), c, o, c), pairs_of((0, 1, 1, 5.0)))
    assert_close(loss, torch.tensor([log(2), log(4)]))


def test_a_surely_wrong_link_has_a_finite_gradient() -> None:
    # P(0, 1) = 0 where 1 is right, and P(0, 2) = 1 where 0 is right.
    gates = gates_of([[0.0], [0.0], [1.0]], [[1.0], [0.0], [0.0]])
    coref = gates.coref_prob.requires_grad_()
    coreference_loss(gates, pairs_of((0, 1, 1, 5.0), (0, 2, 0, 50.0))).sum().backward()
    assert coref.grad is not None
    assert coref.grad.isfinite().all()
    assert coref.grad[0, 1, 0, 0] < 0 < coref.grad[0, 2, 0, 0]  # up, and down


def test_mentions_outside_the_labelled_spans_cost_their_mean() -> None:
    # Text 1: tokens 1 and 3 are unlabelled: (0.2 + 0.6) / 2 = 0.4. Text 2: all three: 0.1.
    # Text 3 has no unlabelled token and does not count. The mean of 0.4 and 0.1 is 0.25.
    mention_prob = torch.tensor([[0.2, 0.9, 0.6], [0.1, 0.1, 0.1], [0.7, 0.7, 0.7]]).T[None]  # (1, T, B)
    unlabelled = torch.tensor([[True, False, True], [True, True, True], [False, False, False]]).T
    assert_close(mention_loss(mention_prob, unlabelled), torch.tensor([0.25]))


def test_without_unlabelled_tokens_there_is_no_mention_loss() -> None:
    assert mention_loss(torch.full((2, 3, 1), 0.5), torch.zeros(3, 1, dtype=torch.bool)).tolist() == [0.0, 0.0]
