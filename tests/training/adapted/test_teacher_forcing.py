"""The memory read with teacher forcing equals the paper's equations with gates of 0 and 1."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from petra.config import MemoryConfig
from petra.memory.cells import MemoryState, merged_cells, token_update, update_cells, update_usage
from petra.memory.gates import similarity, token_share
from petra.memory.network import Network
from petra.training.adapted.teacher_forcing import (
    comparison_scores,
    link_loss,
    person_vectors,
    ranks,
    span_loss,
    weighted_features,
)

SIZE = 6
# Three persons by turns: a b a a c b, at these tokens.
PERSONS, HEADS = [0, 1, 0, 0, 2, 1], [2, 3, 7, 8, 20, 21]
PREVIOUS = np.array([-1, -1, 0, 2, -1, 1])


def network() -> Network:
    return Network(MemoryConfig(num_cells=3, hidden_size=SIZE, mlp_size=5), 4, seeds=(3,)).requires_grad_(False)


def hidden() -> torch.Tensor:
    return torch.randn(len(PERSONS), SIZE, generator=torch.Generator().manual_seed(1))


def test_mentions_are_ranked_within_their_persons() -> None:
    assert [rank.tolist() for rank in ranks(PREVIOUS)] == [[0, 1, 4], [2, 5], [3]]
    later_most = np.array([-1, -1, 1, 2])  # of the second person there are three
    assert [rank.tolist() for rank in ranks(later_most)] == [[1, 0], [2], [3]]
    assert ranks(np.array([], dtype=np.int64)) == ()


def test_vectors_and_scores_are_those_of_the_loop_with_forced_gates() -> None:
    model, states = network(), hidden()
    vectors = person_vectors(model, states, ranks(PREVIOUS))
    memory = MemoryState(torch.zeros(1, 1, 3, SIZE), torch.zeros(1, 1, 3))
    latest: dict[int, int] = {}
    token, weights = 0, model.similarity_weights
    for number, (person, head) in enumerate(zip(PERSONS, HEADS, strict=True)):
        own = states[None, number : number + 1]  # (E, B, H)
        usage = memory.usage * model.config.usage_decay ** (head - token - 1) if number else memory.usage
        expected = similarity(token_share(own, weights), own, memory.cells, usage, weights).score[0, 0]
        for other, place in latest.items():
            found = comparison_scores(
                model,
                states,
                vectors,
                torch.tensor([number]),
                torch.tensor([place]),
                torch.tensor([head - HEADS[place]]),
            )
            assert_close(found[0], expected[other])
        gate = torch.nn.functional.one_hot(torch.tensor([[person]]), 3).float()
        coref, overwrite = (gate, torch.zeros_like(gate)) if person in latest else (torch.zeros_like(gate), gate)
        merged = merged_cells(token_update(own, model.update_weights), memory.cells, model.update_weights)
        cells = update_cells(memory.cells, own, merged, coref, overwrite)
        memory = MemoryState(cells, update_usage(usage, coref, overwrite, model.config.usage_decay))
        assert_close(vectors[number], memory.cells[0, 0, person])
        latest[person], token = number, head


def test_mentions_of_a_person_each_are_vectors_of_their_own() -> None:
    assert_close(person_vectors(network(), hidden(), ranks(np.full(len(PERSONS), -1))), hidden())


def test_the_link_loss_by_hand() -> None:
    # Mention 0 is new and compared with nobody: no loss. Mention 1 is of the person with score ln 3, against ln 2
    # and ln 1 for a new one: -ln(3/6). Mention 2 is new with score ln 2, against ln 4: -ln(2/6), and wrong.
    scores, new_person = torch.tensor([log(3), log(2), log(4)]), torch.tensor([5.0, log(1), log(2)])
    mention, is_same = torch.tensor([1, 1, 2]), torch.tensor([True, False, False])
    loss, right = link_loss(scores, mention, is_same, new_person, torch.tensor([True, True, True]))
    assert float(loss) == pytest.approx((0 + log(2) + log(3)) / 3)
    assert float(right) == pytest.approx(2 / 3)
    # Without mention 0, and with mention 1 alone.
    loss, right = link_loss(scores, mention, is_same, new_person, torch.tensor([False, True, True]))
    assert (float(loss), float(right)) == pytest.approx(((log(2) + log(3)) / 2, 1 / 2))
    loss, right = link_loss(scores, mention, is_same, new_person, torch.tensor([False, True, False]))
    assert (float(loss), float(right)) == pytest.approx((log(2), 1))


def test_the_gradient_of_the_link_loss_is_share_less_truth() -> None:
    # Shares 3/6 (right), 2/6 and, of a new person, 1/6.
    scores, new_person = torch.tensor([log(3), log(2)]).requires_grad_(), torch.zeros(1).requires_grad_()
    loss, _ = link_loss(
        scores, torch.tensor([0, 0]), torch.tensor([True, False]), new_person, is_learned=torch.tensor([True])
    )
    loss.backward()
    assert_close(scores.grad, torch.tensor([3 / 6 - 1, 2 / 6]))
    assert_close(new_person.grad, torch.tensor([1 / 6]))


def test_a_mention_that_is_not_learned_has_no_gradient() -> None:
    # Mention 0 is compared once and not learned; mention 1 is of its person with a share of 1/2.
    scores, new_person = torch.tensor([log(5), 0.0]).requires_grad_(), torch.zeros(2).requires_grad_()
    loss, _ = link_loss(
        scores, torch.tensor([0, 1]), torch.tensor([False, True]), new_person, is_learned=torch.tensor([False, True])
    )
    loss.backward()
    assert_close(scores.grad, torch.tensor([0, 1 / 2 - 1]))
    assert_close(new_person.grad, torch.tensor([0, 1 / 2]))


@pytest.mark.parametrize(("new_person", "expected"), [(0.0, 1000), (600.0, 1100), (-600.0, 1000)])
def test_the_link_loss_of_large_scores_stays_finite(new_person: float, expected: float) -> None:
    scores, mention = torch.tensor([500.0, -500.0]), torch.tensor([0, 0])
    is_same, is_learned = torch.tensor([False, True]), torch.tensor([True])
    loss, right = link_loss(scores, mention, is_same, torch.tensor([new_person]), is_learned)
    assert float(loss) == pytest.approx(expected)
    assert float(right) == 0


def test_weighted_features_by_hand() -> None:
    # Weights 2, -3 and 10. Row 0 has feature 0 at 1 and feature 1 at 1/2; row 1 none; row 2 feature 2 at 1/10.
    weights = torch.tensor([2.0, -3.0, 10.0]).requires_grad_()
    row, feature = torch.tensor([0, 0, 2]), torch.tensor([0, 1, 2])
    found = weighted_features(weights, row, feature, torch.tensor([1.0, 0.5, 0.1]), 3)
    assert_close(found, torch.tensor([2 - 1.5, 0.0, 1.0]))
    (gradient,) = torch.autograd.grad(found.sum(), weights)
    assert_close(gradient, torch.tensor([1.0, 0.5, 0.1]))


def test_the_span_loss_counts_what_counts_and_divides_by_mentions() -> None:
    # Two spans that count, one of them a name with score ln 3 (softmax 3/6), the other no mention, all scores 0.
    scores = torch.tensor([[[[log(3), 0.0, 0.0], [0.0, 0.0, 0.0], [9.0, 0.0, 0.0]]]])
    target, counted = torch.tensor([[[1, 0, 0]]]), torch.tensor([[[1.0, 1.0, 0.0]]])
    assert float(span_loss(scores, target, counted)) == pytest.approx(log(2) + log(4))
    assert exp(log(2)) == pytest.approx(2)
