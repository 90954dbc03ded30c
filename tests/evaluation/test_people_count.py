from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from petra.evaluation.people_count import CountScore, score_counts


def test_a_hand_made_case() -> None:
    # Four documents of 2, 3, 4 and 5 people. Everything is off by 10 but at three thresholds:
    #   0.20: off by 0, 2, 0, 3 = 5      even positions 0, odd 5
    #   0.50: off by 1, 1, 1, 1 = 4      even positions 2, odd 2
    #   0.90: off by 4, 0, 3, 0 = 7      even positions 7, odd 0
    gold = np.array([2, 3, 4, 5])
    predicted = np.tile(gold + 10, (100, 1))
    predicted[19] = gold + np.array([0, 2, 0, -3])
    predicted[49] = gold + np.array([1, -1, 1, -1])
    predicted[89] = gold + np.array([4, 0, -3, 0])
    # Best case: 4 at 0.50. Even documents choose 0.20, which costs the odd ones 5;
    # odd documents choose 0.90, which costs the even ones 7: 12.
    assert score_counts(predicted, gold) == CountScore(error_best=4, threshold_best=0.5, error_two_fold=12, documents=4)


def test_the_lowest_of_equally_good_thresholds_is_taken() -> None:
    gold = np.array([1, 1])
    predicted = np.full((100, 2), 9)
    predicted[30:40] = 1
    assert score_counts(predicted, gold) == CountScore(error_best=0, threshold_best=0.31, error_two_fold=0, documents=2)


@given(
    predicted=arrays.arrays(np.int64, (100, 5), elements=st.integers(0, 20)),
    gold=arrays.arrays(np.int64, 5, elements=st.integers(0, 20)),
)
def test_the_honest_error_is_never_below_the_best_case_of_the_halves(predicted: np.ndarray, gold: np.ndarray) -> None:
    errors = np.abs(predicted - gold)
    halves = errors[:, ::2].sum(axis=1).min() + errors[:, 1::2].sum(axis=1).min()
    score = score_counts(predicted, gold)
    assert halves <= min(score.error_best, score.error_two_fold)
    assert score.error_best == min(sum(abs(p - g) for p, g in zip(row, gold, strict=True)) for row in predicted)
