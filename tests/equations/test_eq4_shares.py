"""Equation 4: [c_t^1 .. c_t^N, n_t] = e_t * softmax([cs_t^1 .. cs_t^N, 0])."""

from __future__ import annotations

from math import log

import torch
from torch.testing import assert_close

from petra.memory.gates import coref_scores, person_shares, split_mention


def test_a_known_person_takes_three_quarters_of_the_mention() -> None:
    # One live cell, sim = ln 3 against the null score 0: shares 3/4 and 1/4 of e_t = 0.8.
    scores = coref_scores(torch.tensor([[log(3), 9.0]]), usage=torch.tensor([[0.5, 0.0]]))  # 9.0: an empty cell
    shares = person_shares(scores)
    assert_close(shares, torch.tensor([[0.75, 0.0, 0.25]]))
    coref_prob, new_person_prob = split_mention(torch.tensor([0.8]), shares)
    assert_close(coref_prob, torch.tensor([[0.6, 0.0]]))
    assert_close(new_person_prob, torch.tensor([0.2]))


def test_two_people_and_a_new_one() -> None:
    # exp of the scores: 5, 4 and, for the new person, 1; shares 0.5, 0.4 and 0.1 of e_t = 0.5.
    coref_prob, new_person_prob = split_mention(torch.tensor([0.5]), person_shares(torch.tensor([[log(5), log(4)]])))
    assert_close(coref_prob, torch.tensor([[0.25, 0.2]]))
    assert_close(new_person_prob, torch.tensor([0.05]))


def test_in_an_empty_memory_a_mention_is_of_a_new_person() -> None:
    shares = person_shares(torch.full((1, 3), float("-inf")))
    assert shares.tolist() == [[0.0, 0.0, 0.0, 1.0]]
