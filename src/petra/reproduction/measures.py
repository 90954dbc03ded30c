"""The numbers that sum up several runs: rank correlation, and how evenly cells are used."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt

import numpy as np
from numpy.typing import NDArray


def spearman(ones: Sequence[float], others: Sequence[float]) -> float | None:
    """Spearman's rank correlation: Pearson's over ranks, where equal values share the mean of theirs.

    None where there is no such number: fewer than two pairs, or all of one side equal.
    """
    if len(ones) != len(others):
        raise ValueError(f"{len(ones)} values cannot be paired with {len(others)}.")
    first, second = _ranks(ones), _ranks(others)
    if len(ones) < 2 or np.ptp(first) == 0 or np.ptp(second) == 0:
        return None
    return float(np.corrcoef(first, second)[0, 1])


def standard_errors_between(one: float, other: float, count: int, other_count: int) -> float:
    """By how many standard errors one rank correlation of so many pairs is above another.

    By Fisher's transformation atanh, whose error is the square root of 1.06 / (n - 3) for ranks; 0
    where there are too few pairs for it.
    """
    if min(count, other_count) < 4:
        return 0.0
    error = sqrt(1.06 / (count - 3) + 1.06 / (other_count - 3))
    within = 1 - 1e-9  # a perfect correlation would be infinitely far away
    return float(np.arctanh(one * within) - np.arctanh(other * within)) / error


def _ranks(values: Sequence[float]) -> NDArray[np.float64]:
    """The places of values in their order, from 1."""
    numbers = np.asarray(values, dtype=np.float64)
    below = (numbers[None, :] < numbers[:, None]).sum(axis=1)
    equal = (numbers[None, :] == numbers[:, None]).sum(axis=1)  # with itself
    ranks: NDArray[np.float64] = below + (equal + 1) / 2
    return ranks


def shares(amounts: Sequence[float]) -> tuple[float, ...] | None:
    """Amounts as parts of their sum; None where the sum is 0."""
    total = sum(amounts)
    return tuple(amount / total for amount in amounts) if total > 0 else None


def kl_from_uniform(distribution: Sequence[float]) -> float:
    """The divergence KL(p || uniform) = sum_i p_i ln(p_i N) in nats: 0 if even, ln N if all is in one cell."""
    parts = np.asarray(distribution, dtype=np.float64)
    used = parts[parts > 0]
    return float((used * np.log(used * len(parts))).sum())
