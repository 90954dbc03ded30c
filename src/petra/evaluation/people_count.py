"""The error of counting people: the sum over documents of |predicted - true|.

The prediction depends on a threshold alpha of 0.01 .. 1.00. The paper reports the
error at the best alpha for the very documents it is measured on, a best case. The
two-fold error is the honest one: alpha comes from other documents than the error.

Letters: D documents.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from petra.evaluation.thresholds import THRESHOLDS


@dataclass(frozen=True, kw_only=True, slots=True)
class CountScore:
    """How far the counts of people are off, summed over the documents."""

    error_best: int
    threshold_best: float
    error_two_fold: int
    documents: int


def score_counts(predicted: NDArray[np.int64], gold: NDArray[np.int64]) -> CountScore:
    """The counting errors of predictions at each threshold, (100, D), against the true counts, (D,).

    For the two-fold error the documents at even positions choose the threshold for
    those at odd positions and the other way round, each taking the lowest among equally
    good ones. The errors of the two halves are added, so every document counts once and
    the sum compares with ``error_best``. With halves of the same size this is the mean
    of both directions' errors, each scaled from its half to all documents.
    """
    errors = np.abs(predicted - gold)  # (100, D)
    total = errors.sum(axis=1)  # (100,)
    even, odd = errors[:, ::2].sum(axis=1), errors[:, 1::2].sum(axis=1)  # (100,), (100,)
    return CountScore(
        error_best=int(total.min()),
        threshold_best=float(THRESHOLDS[total.argmin()]),
        error_two_fold=int(odd[even.argmin()] + even[odd.argmin()]),
        documents=len(gold),
    )
