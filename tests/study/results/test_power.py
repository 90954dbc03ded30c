from __future__ import annotations

from math import comb

import pytest

from petra.errors import StudyError
from petra.study.results.power import PAPER_CORRELATION, answers_needed, documents_needed


def test_telling_60_from_50_per_cent_by_hand() -> None:
    # (1.95996 * 0.5 + 0.84162 * 0.4898979)^2 / 0.1^2 = 193.9
    assert answers_needed(0.6) == 194
    # Two answers to a document, correlated by 0.2263, of which 18 % are neutral: 194 * 1.2263 / (2 * 0.82) = 145.06.
    assert round(PAPER_CORRELATION, 4) == 0.2263
    found = documents_needed(0.6)
    assert (found.answers, found.documents, found.annotators) == (194, 146, 30)


def test_the_exact_binomial_agrees() -> None:
    # The two-sided sign test rejects k of n where both tails of k have at most 5 % under a half.
    n = answers_needed(0.6)
    tail, least = 0.0, n
    while tail + comb(n, least) / 2**n <= 0.025:
        tail += comb(n, least) / 2**n
        least -= 1
    power = sum(comb(n, k) * 0.6**k * 0.4 ** (n - k) for k in range(least + 1, n + 1))
    assert power == pytest.approx(0.8, abs=0.04)  # the exact test is a little stricter


def test_what_makes_a_study_smaller() -> None:
    usual = documents_needed(0.6).documents
    assert documents_needed(0.7).documents < usual / 3
    assert documents_needed(0.6, neutral=0.0, correlation=0.0).documents == 97  # 194 in pairs
    assert documents_needed(0.6, correlation=1.0).documents == documents_needed(0.6, rounds=1).documents
    assert documents_needed(0.4).documents == usual


@pytest.mark.parametrize(
    "options", [{"share": 0.5}, {"share": 1.0}, {"share": 0.6, "neutral": 1.0}, {"share": 0.6, "rounds": 0}]
)
def test_impossible_studies_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(StudyError):
        documents_needed(**options)  # type: ignore[arg-type]
