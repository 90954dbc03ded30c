"""What the answers say: preferences with their uncertainty, and how far annotators agree.

Letters: D documents, K models; outcomes are the models and, after them, neutral.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import Final

import numpy as np
from numpy.typing import NDArray

from petra.study.answers import Answer
from petra.study.study import Study

CONFIDENCE: Final = 0.95
_SAMPLES: Final = 10_000  # of the bootstrap


@dataclass(frozen=True, kw_only=True, slots=True)
class Judgement:
    """An answer, with the model that it is for instead of the label shown."""

    annotator: int
    round: int
    document: int
    outcome: int  # the model's number, or K for neutral
    answer: Answer


@dataclass(frozen=True, slots=True)
class Interval:
    """A number and the range that it lies in with a probability of 95 %."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Preference:
    """How often one outcome was chosen."""

    outcome: int
    count: int
    percent: Interval | None  # of all answers; None if there is none


@dataclass(frozen=True, kw_only=True, slots=True)
class PreferenceDifference:
    """By how many points of percent one model is preferred more often than another."""

    model: int
    other: int
    points: Interval | None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Analysis:
    """What the answers given so far say."""

    judgements: tuple[Judgement, ...]
    preferences: tuple[Preference, ...]  # by outcome
    differences: tuple[PreferenceDifference, ...]  # of each two models
    agreement: NDArray[np.int64]  # (K + 1, K + 1) documents by the outcomes of an earlier and a later round

    @property
    def num_compared(self) -> int:
        """How many pairs of answers to one document there are."""
        return int(self.agreement.sum())

    def disagreeing(self, one: int, other: int) -> int:
        """Pairs of answers that are for these two outcomes, whichever came first; for one outcome, those that agree."""
        both = self.agreement[one, other] + self.agreement[other, one]
        return int(self.agreement[one, one] if one == other else both)

    @property
    def num_agreeing(self) -> int:
        """How many pairs of answers are for the same outcome."""
        return int(np.trace(self.agreement))


def analyse(study: Study, answers: Iterable[Answer]) -> Analysis:
    """The analysis of answers; those to tasks that the study does not have are left out."""
    judgements = judge(study, answers)
    counts = _counts(study, judgements)  # (D, K + 1)
    totals = counts.sum(axis=0)
    return Analysis(
        judgements=judgements,
        preferences=tuple(
            Preference(outcome=outcome, count=int(count), percent=wilson(int(count), len(judgements)))
            for outcome, count in enumerate(totals)
        ),
        differences=tuple(
            PreferenceDifference(model=model, other=other, points=_difference(counts, model, other, study.seed))
            for model, other in combinations(range(len(study.models)), 2)
        ),
        agreement=_agreement(study, judgements),
    )


def judge(study: Study, answers: Iterable[Answer]) -> tuple[Judgement, ...]:
    """The answers with the models they are for, by annotator and place."""
    judgements = []
    for answer in sorted(answers, key=lambda answer: (answer.annotator, answer.place)):
        if not 0 < answer.annotator <= len(study.annotators):
            continue
        annotator = study.annotators[answer.annotator - 1]
        if not 0 <= answer.place < len(annotator.tasks):
            continue
        task = annotator.tasks[answer.place]
        if answer.choice in task.choices:
            judgement = Judgement(
                annotator=annotator.number,
                round=annotator.round,
                document=task.document,
                outcome=task.preferred(answer.choice),
                answer=answer,
            )
            judgements.append(judgement)
    return tuple(judgements)


def wilson(count: int, total: int) -> Interval | None:
    """The percentage ``count`` is of ``total``, with Wilson's score interval; None of nothing.

    It takes every answer for itself, as if no two were of one document.
    """
    if not total:
        return None
    z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
    share, spare = count / total, z * z / total
    middle = (share + spare / 2) / (1 + spare)
    reach = z / (1 + spare) * sqrt(share * (1 - share) / total + spare / (4 * total))
    return Interval(100 * share, 100 * max(0.0, middle - reach), 100 * min(1.0, middle + reach))


def _counts(study: Study, judgements: Sequence[Judgement]) -> NDArray[np.int64]:
    """How often each outcome was chosen for each document, (D, K + 1)."""
    counts = np.zeros((len(study.documents), len(study.models) + 1), dtype=np.int64)
    for judgement in judgements:
        counts[judgement.document, judgement.outcome] += 1
    return counts


def _difference(counts: NDArray[np.int64], model: int, other: int, seed: int) -> Interval | None:
    """The lead of a model over another in percent of the answers.

    The range is the bootstrap's over documents, because answers to the same document
    go together; the same answers give the same range.
    """
    judged = counts[counts.sum(axis=1) > 0]  # (D',)
    if not len(judged):
        return None
    drawn = np.random.default_rng(seed).integers(len(judged), size=(_SAMPLES, len(judged)))
    lead, given = judged[:, model] - judged[:, other], judged.sum(axis=1)
    samples = 100 * lead[drawn].sum(axis=1) / given[drawn].sum(axis=1)
    low, high = np.quantile(samples, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Interval(100 * float(lead.sum() / given.sum()), float(low), float(high))


def _agreement(study: Study, judgements: Sequence[Judgement]) -> NDArray[np.int64]:
    """Each two answers to one document, by the outcome in the earlier round (rows) and in the later one (columns)."""
    outcomes: dict[int, dict[int, int]] = {}
    for judgement in judgements:
        outcomes.setdefault(judgement.document, {})[judgement.round] = judgement.outcome
    matrix = np.zeros((len(study.models) + 1,) * 2, dtype=np.int64)
    for by_round in outcomes.values():
        for earlier, later in combinations(sorted(by_round), 2):
            matrix[by_round[earlier], by_round[later]] += 1
    return matrix
