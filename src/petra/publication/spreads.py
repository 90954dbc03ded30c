"""Means with their spread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np


@dataclass(frozen=True, slots=True)
class Spread:
    """A mean with the standard deviation of what it was taken over."""

    mean: float
    deviation: float  # with n - 1; 0 of a single value
    count: int = 1
    between: float = 0.0  # the standard error of the mean of several grids, from their means alone

    @property
    def error(self) -> float:
        """The standard error of the mean: of runs as if independent, or of grids, whichever is larger."""
        return max(self.deviation / sqrt(self.count), self.between)


def spread(values: Sequence[float]) -> Spread:
    """The mean and deviation of one or more values."""
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
    return Spread(float(np.mean(values)), deviation, len(values))


def noise(one: Spread, other: Spread) -> float:
    """How far apart two means may lie by chance: two standard errors of their difference."""
    return 2 * sqrt(one.error**2 + other.error**2)
