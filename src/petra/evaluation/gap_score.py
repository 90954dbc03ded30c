"""Scores on GAP by the official rules, and the threshold that leads to them.

Every instance carries two labels, for (A, pronoun) and (B, pronoun). Precision,
recall and F1 are taken over all labels together, and once more over the instances
with a masculine and a feminine pronoun. See docs/gap.md.

Letters: n instances; leading dimensions ``...`` are models scored at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from petra.corpora.gap import GapInstance, gold_labels
from petra.evaluation.rates import Rates
from petra.evaluation.thresholds import THRESHOLDS


@dataclass(frozen=True, kw_only=True, slots=True)
class GapScore:
    """The official GAP measures."""

    overall: Rates
    masculine: Rates
    feminine: Rates
    instances: int

    @property
    def bias(self) -> float:
        """Feminine F1 over masculine F1: 1 is even, less favours masculine pronouns; 0 without a masculine F1."""
        return self.feminine.f1 / self.masculine.f1 if self.masculine.f1 else 0.0


class BestThreshold(NamedTuple):
    """For each model, the threshold with the highest F1, and that F1 in percent."""

    threshold: NDArray[np.float64]  # (...)
    f1: NDArray[np.float64]  # (...)


def score_gap(predicted: NDArray[np.bool_], instances: Sequence[GapInstance]) -> GapScore:
    """The measures of one system's labels for A and B, (n, 2)."""
    gold = gold_labels(instances)  # (n, 2)
    masculine = np.array([it.gender == "masculine" for it in instances], dtype=np.bool_)  # (n,)
    return GapScore(
        overall=_rates(predicted, gold),
        masculine=_rates(predicted[masculine], gold[masculine]),
        feminine=_rates(predicted[~masculine], gold[~masculine]),
        instances=len(instances),
    )


def decide(probabilities: NDArray[np.floating], threshold: float) -> NDArray[np.bool_]:
    """Which links hold: those whose probability is at least the threshold."""
    return probabilities.astype(np.float64) >= threshold


def at_most_one(probabilities: NDArray[np.floating]) -> NDArray[np.floating]:
    """Probabilities (n, 2) with that of the less probable name set to 0; of equals, A's stays.

    GAP never labels both names, but the paper decides on each by itself: what this
    leads to is reported beside its score and never instead of it.
    """
    loses = np.stack([probabilities[:, 0] < probabilities[:, 1], probabilities[:, 0] >= probabilities[:, 1]], axis=1)
    return np.where(loses, 0, probabilities)


def best_threshold(probabilities: NDArray[np.floating], gold: NDArray[np.bool_]) -> BestThreshold:
    """The threshold of 0.01 .. 1.00 with the highest F1; among equals, the lowest.

    ``probabilities`` is (..., n, 2) and ``gold`` (n, 2); links hold as in ``decide``.
    """
    predicted = probabilities.astype(np.float64)[..., None, :, :] >= THRESHOLDS[:, None, None]  # (..., 100, n, 2)
    f1 = _f1(predicted, gold)  # (..., 100)
    best = f1.argmax(axis=-1)  # the first of equals
    return BestThreshold(THRESHOLDS[best], f1.max(axis=-1))


def _rates(predicted: NDArray[np.bool_], gold: NDArray[np.bool_]) -> Rates:
    hits = (predicted & gold).sum()
    return Rates(
        precision=float(_percent(hits, predicted.sum())),
        recall=float(_percent(hits, gold.sum())),
        f1=float(_f1(predicted, gold)),
    )


def _f1(predicted: NDArray[np.bool_], gold: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The harmonic mean of precision and recall: twice the hits over all that is predicted and all that is true."""
    hits = (predicted & gold).sum(axis=(-2, -1))
    return _percent(2 * hits, predicted.sum(axis=(-2, -1)) + gold.sum())


def _percent(part: NDArray[np.int64], whole: NDArray[np.int64]) -> NDArray[np.float64]:
    """The part as a percentage of the whole; 0 of nothing is 0."""
    return 100 * part / np.maximum(whole, 1)
