from __future__ import annotations

import numpy as np
import pytest
from gap_samples import instance
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from petra.evaluation.gap_score import at_most_one, best_threshold, decide, score_gap
from petra.evaluation.rates import Rates

# Six labels by hand: instances 1 and 2 are masculine, 3 is feminine.
INSTANCES = [
    instance(True, False, "masculine", "one"),
    instance(False, True, "masculine", "two"),
    instance(True, False, "feminine", "three"),
]


def labels(*rows: tuple[int, int]) -> np.ndarray:
    return np.array(rows, dtype=bool).reshape(-1, 2)


def test_a_hand_made_case() -> None:
    # Predicted: A and B of one, B of two, nothing of three.
    # Overall: 2 right of 3 predicted and 3 true: P = R = F1 = 2/3.
    # Masculine: 2 right of 3 predicted and 2 true: P = 2/3, R = 1, F1 = 4/5.
    # Feminine: 0 right of 0 predicted and 1 true: all 0, so bias = 0.
    score = score_gap(labels((1, 1), (0, 1), (0, 0)), INSTANCES)
    assert score.overall == Rates(
        precision=pytest.approx(200 / 3), recall=pytest.approx(200 / 3), f1=pytest.approx(200 / 3)
    )
    assert score.masculine == Rates(precision=pytest.approx(200 / 3), recall=100.0, f1=pytest.approx(80.0))
    assert score.feminine == Rates(precision=0.0, recall=0.0, f1=0.0)
    assert score.bias == 0.0
    assert score.instances == 3


def test_bias_is_feminine_over_masculine() -> None:
    # Masculine: one of two found, none wrong: P = 1, R = 1/2, F1 = 2/3. Feminine: all right, F1 = 1.
    score = score_gap(labels((1, 0), (0, 0), (1, 0)), INSTANCES)
    assert score.masculine.f1 == pytest.approx(200 / 3)
    assert score.feminine.f1 == 100.0
    assert score.bias == pytest.approx(1.5)


def test_both_labels_false_make_no_difference_when_predicted_so() -> None:
    with_neither = [*INSTANCES, instance(False, False, "feminine", "four")]
    right = labels((1, 0), (0, 1), (1, 0))
    assert (
        score_gap(labels((1, 0), (0, 1), (1, 0), (0, 0)), with_neither).overall == score_gap(right, INSTANCES).overall
    )


def test_nothing_predicted_and_nothing_true_is_zero_not_an_error() -> None:
    score = score_gap(labels((0, 0)), [instance(False, False)])
    assert score.overall == Rates(precision=0.0, recall=0.0, f1=0.0)
    assert score.bias == 0.0
    assert score_gap(labels(), []).instances == 0


def test_a_link_holds_from_its_threshold_on() -> None:
    probabilities = np.array([[0.29, 0.30], [0.31, 1.0]])
    np.testing.assert_array_equal(decide(probabilities, 0.30), [[False, True], [True, True]])


def test_the_lowest_of_equally_good_thresholds_is_taken() -> None:
    # True links at 0.9 and 0.6, a false one at 0.405: from 0.41 to 0.60 the F1 is 100.
    best = best_threshold(np.array([[0.9, 0.405], [0.1, 0.6]]), labels((1, 0), (0, 1)))
    assert best.threshold == 0.41
    assert best.f1 == 100.0


def test_with_no_true_link_every_threshold_is_as_good() -> None:
    best = best_threshold(np.array([[0.9, 0.4]]), labels((0, 0)))
    assert (best.threshold, best.f1) == (0.01, 0.0)


def test_each_model_has_its_own_threshold() -> None:
    gold = labels((1, 0), (0, 1))
    one = np.array([[0.9, 0.405], [0.1, 0.6]])
    best = best_threshold(np.stack([one, one / 2, np.zeros_like(one)]), gold)
    np.testing.assert_array_equal(best.threshold, [0.41, 0.21, 0.01])
    np.testing.assert_array_equal(best.f1, [100.0, 100.0, 0.0])


@given(
    probabilities=arrays.arrays(np.float32, (3, 2, 2), elements=st.floats(0, 1, width=32)),
    gold=arrays.arrays(np.bool_, (2, 2)),
)
def test_no_threshold_scores_higher_than_the_best(probabilities: np.ndarray, gold: np.ndarray) -> None:
    instances = [instance(bool(a), bool(b), name=str(i)) for i, (a, b) in enumerate(gold)]
    best = best_threshold(probabilities, gold)
    assert best.threshold.shape == best.f1.shape == (3,)
    for model, threshold, f1 in zip(probabilities, best.threshold, best.f1, strict=True):
        scores = [score_gap(decide(model, k / 100), instances).overall.f1 for k in range(1, 101)]
        assert f1 == pytest.approx(max(scores))
        assert threshold == (scores.index(max(scores)) + 1) / 100


def test_at_most_one_name_may_win() -> None:
    probabilities = np.array([[0.9, 0.8], [0.2, 0.3], [0.5, 0.5]])
    assert at_most_one(probabilities).tolist() == [[0.9, 0.0], [0.0, 0.3], [0.5, 0.0]]
