"""The span head: spans scored by their ends and width, and kept where they are whole words and likely."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from petra.config import SpanConfig
from petra.mentions.span_head import SpanHead, kind_probabilities, whole_words


def test_a_span_is_scored_by_its_two_ends_and_its_width() -> None:
    # Two features, one hidden number: relu(first[0] + last[1] + 10 * width) times 2 for a name.
    head = SpanHead(SpanConfig(max_width=2, size=1), 2)
    with torch.no_grad():
        head.first.copy_(torch.tensor([[1.0], [0.0]]))
        head.last.copy_(torch.tensor([[0.0], [1.0]]))
        head.width.copy_(torch.tensor([[0.0], [10.0]]))
        head.out.copy_(torch.tensor([[2.0, 0.0, 0.0]]))
        head.out_bias.zero_()
    features = torch.tensor([[[1.0, 2.0], [3.0, 4.0]]])
    scores = head.scores(features)[0, :, :, 0]
    # Token 0 alone: 1 + 2; tokens 0..1: 1 + 4 + 10; token 1 alone: 3 + 4; 1..2 reaches past the end: 3 + 0 + 10.
    assert_close(scores, torch.tensor([[6.0, 30.0], [14.0, 26.0]]))


def test_scores_of_chosen_spans_are_those_of_all() -> None:
    head = SpanHead(SpanConfig(max_width=3, size=4), 5, seed=3)
    features = torch.randn(6, 5, generator=torch.Generator().manual_seed(0))
    every = head.scores(features[None])[0]
    first, width = torch.tensor([0, 2, 3]), torch.tensor([2, 0, 1])
    assert_close(head.scores_of(features[first], features[first + width], width), every[first, width])


def test_probabilities_leave_room_for_no_mention() -> None:
    # Scores of 0 for all three kinds and 0 for no mention: a quarter each.
    assert_close(kind_probabilities(torch.zeros(1, 3)), torch.full((1, 3), 0.25))


def test_only_whole_words_are_spans() -> None:
    # Words: one token, two tokens, one token. Rows are first tokens, columns widths 1 and 2.
    found = whole_words(np.array([0, 1, 1, 2]), 2)
    assert found.tolist() == [[True, False], [False, True], [False, False], [True, False]]


def test_candidates_are_likely_spans_of_whole_words() -> None:
    head = SpanHead(SpanConfig(max_width=2, size=1), 1)
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.zero_()
        head.first.fill_(1.0)
        head.out.copy_(torch.tensor([[0.0, 5.0, 0.0]]))
        head.out_bias.fill_(-9.0)
    # f is -9 without the feature and, for a nominal, 5 - 9 with it: probability e^-4, below; twice it, e^1.
    features = torch.tensor([[0.0], [2.0], [1.0]])
    found = head.candidates(features, np.array([0, 1, 2]))
    assert (found.first.tolist(), found.last.tolist()) == ([1, 1], [1, 2])
    expected = np.e / (1 + np.e + 2 * np.exp(-9))
    assert found.kind_prob[0].tolist() == pytest.approx([0.0, expected, 0.0], abs=1e-3)


@pytest.mark.parametrize("tokens", [1, 2, 300])  # more than are scored together
def test_the_probabilities_of_candidates_are_those_of_all_spans(tokens: int) -> None:
    head = SpanHead(SpanConfig(max_width=3, size=4), 5, seed=3)
    with torch.no_grad():
        head.out_bias.zero_()  # so that no span is unlikely
        head.width.copy_(torch.tensor([[0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 2.0, 0.0], [0.5, 0.0, 0.0, 0.0]]))
    features = torch.randn(tokens, 5, generator=torch.Generator().manual_seed(0))
    words = np.arange(tokens) // 2 * 2  # two tokens each
    every = kind_probabilities(head.scores(features[None])[0]).detach()
    found = head.candidates(features, words)
    assert len(found.first) == whole_words(words, 3).sum()
    assert_close(torch.from_numpy(found.kind_prob), every[found.first, found.last - found.first])


def test_an_empty_text_has_no_candidates() -> None:
    found = SpanHead(SpanConfig(max_width=2, size=1), 3).candidates(torch.zeros(0, 3), np.zeros(0, dtype=np.int64))
    assert len(found.first) == 0
    assert found.kind_prob.shape == (0, 3)


def test_names_come_with_a_gender_where_the_head_tells_it() -> None:
    head = SpanHead(SpanConfig(max_width=1, size=1, name_gender=True), 2)
    with torch.no_grad():
        for parameter in head.parameters():
            parameter.zero_()
        head.first.copy_(torch.tensor([[1.0], [1.0]]))
        head.out.copy_(torch.tensor([[5.0, -5.0, -5.0]]))
        head.feminine.fill_(2.0)
        head.feminine_bias.fill_(-4.0)
    # Hidden 1, 2 and 3: log-odds of feminine -2, 0 and 2.
    found = head.candidates(torch.tensor([[1.0, 0.0], [1.0, 1.0], [1.0, 2.0]]), np.array([0, 1, 2]))
    assert found.feminine_prob is not None
    assert found.feminine_prob.tolist() == pytest.approx([1 / (1 + np.e**2), 0.5, 1 / (1 + np.e**-2)], abs=1e-6)
