from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from petra.reproduction.measures import kl_from_uniform, shares, spearman, standard_errors_between

NUMBERS = st.floats(-1e3, 1e3).map(lambda number: round(number, 3))


def test_ranks_that_agree_or_are_turned_round() -> None:
    assert spearman([1, 2, 3], [10, 100, 1000]) == pytest.approx(1)
    assert spearman([1, 2, 3], [5, 4, -3]) == pytest.approx(-1)


def test_a_correlation_by_hand() -> None:
    # Ranks 1 2 3 4 5 and 2 1 4 3 5; differences 1 1 1 1 0: 1 - 6 * 4 / (5 * 24) = 0.8.
    assert spearman([1, 2, 3, 4, 5], [20, 10, 40, 30, 50]) == pytest.approx(0.8)


def test_equal_values_share_their_ranks() -> None:
    # Ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4 about 2.5: sum of products 4.5, of squares 4.5 and 5.
    assert spearman([1, 2, 2, 3], [1, 2, 3, 4]) == pytest.approx(4.5 / (4.5 * 5) ** 0.5)
    # The same numbers in SciPy's documentation of spearmanr.
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]) == pytest.approx(0.8207826816681233)


def test_there_is_no_correlation_with_what_does_not_vary() -> None:
    assert spearman([1, 2, 3], [4, 4, 4]) is None
    assert spearman([1], [2]) is None
    assert spearman([], []) is None
    with pytest.raises(ValueError, match="2 values cannot be paired with 1"):
        spearman([1, 2], [1])


@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=2, max_size=20))
def test_only_the_order_matters(pairs: list[tuple[float, float]]) -> None:
    ones, others = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    plain = spearman(ones, others)
    assert spearman([3 * one + 1 for one in ones], others) == pytest.approx(plain)
    assert spearman(others, ones) == pytest.approx(plain)
    if plain is not None:
        assert -1 - 1e-9 <= plain <= 1 + 1e-9
        assert spearman(ones, [-other for other in others]) == pytest.approx(-plain)


def test_how_far_from_even() -> None:
    assert kl_from_uniform([0.25] * 4) == pytest.approx(0)
    assert kl_from_uniform([1.0, 0.0]) == pytest.approx(log(2))
    # 3/4 ln(3/4 * 2) + 1/4 ln(1/4 * 2) = 0.75 * 0.405 - 0.25 * 0.693
    assert kl_from_uniform([0.75, 0.25]) == pytest.approx(0.75 * log(1.5) - 0.25 * log(2))


def test_amounts_as_shares() -> None:
    assert shares([1.0, 3.0]) == (0.25, 0.75)
    assert shares([0.0, 0.0]) is None


@given(st.lists(st.floats(0, 1e3), min_size=1, max_size=20))
def test_divergence_lies_between_even_and_one_cell(amounts: list[float]) -> None:
    parts = shares(amounts)
    if parts is not None:
        assert -1e-9 <= kl_from_uniform(parts) <= log(len(parts)) + 1e-9


def test_correlations_are_compared_by_their_standard_errors() -> None:
    # atanh 0.49 = 0.5361, atanh 0.65 = 0.7753, and sqrt(2 * 1.06 / 47) = 0.2124.
    assert standard_errors_between(0.65, 0.49, 50, 50) == pytest.approx(1.126, abs=0.001)
    assert standard_errors_between(0.49, 0.65, 50, 50) == pytest.approx(-1.126, abs=0.001)
    assert standard_errors_between(1.0, -1.0, 3, 50) == 0.0  # too few to tell
    assert standard_errors_between(1.0, 1.0, 50, 50) == 0.0
