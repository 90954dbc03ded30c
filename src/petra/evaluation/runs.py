"""Evaluations of a model: read the texts of a corpus, decide, score.

A model is anything that turns texts into memory logs, as ``petra.Tracker`` does.

Letters: n instances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from petra.corpora.gap import GapInstance, Split, gold_labels, read_gap
from petra.corpora.people_counts import read_people_counts
from petra.evaluation.count_baselines import CountBaselines, read_count_baselines
from petra.evaluation.gap_score import BestThreshold, GapScore, at_most_one, best_threshold, decide, score_gap
from petra.evaluation.people_count import CountScore, score_counts
from petra.evaluation.thresholds import THRESHOLDS
from petra.log.memory_log import MemoryLog, ReadBy
from petra.people.counting import count_people
from petra.runtime.progress import Report, silent


class ReadingModel(Protocol):
    """A model that reads texts."""

    @property
    def name(self) -> str: ...

    def logs(self, texts: Sequence[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
        """The memory log of each text, read token by token, in input order."""


class Finder(ReadingModel, Protocol):
    """A model that finds people."""

    def people_logs(self, texts: Sequence[str], *, cells: int | None = None) -> Iterator[MemoryLog]:
        """The memory log that the people of each text are found with, in input order."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class GapRun:
    """A model's answers on a split of GAP, and their score."""

    model: str
    split: Split
    read_by: ReadBy  # of the logs that have the links
    threshold: float  # the best on the validation split
    validation_f1: float  # there, with it
    instances: list[GapInstance]
    predicted: NDArray[np.bool_]  # (n, 2)
    score: GapScore
    score_at_most_one: GapScore  # where at most one of the two names may be right, at a threshold of its own


@dataclass(frozen=True, kw_only=True, slots=True)
class CountRun:
    """A model's score at counting people."""

    model: str
    score: CountScore
    baselines: CountBaselines


def evaluate_gap(
    reader: Finder,
    data: Path,
    split: Split = "test",
    *,
    by_mention: bool = False,
    cells: int | None = None,
    transform: Callable[[GapInstance], GapInstance] | None = None,
    report: Report = silent,
) -> GapRun:
    """Score a model on a split of GAP, with the threshold that is best on the validation split.

    Every model is read token by token, as in the paper; with ``by_mention`` the links are those
    of the logs that people are found with. With ``transform`` it is applied to every instance
    scored; the threshold is that of validation as it is.
    """
    validation = read_gap(data, "validation")
    instances = validation if split == "validation" else read_gap(data, split)
    if transform is not None:
        instances = [transform(instance) for instance in instances]
    # The two splits are read as one list, so that batches and progress run through.
    together = validation if instances is validation else validation + instances
    read = reader.people_logs if by_mention else reader.logs
    logs = _told(read([instance.text for instance in together], cells=cells), len(together), report)
    read_by, probabilities = link_probabilities(logs, together)  # (all, 2)
    gold = gold_labels(validation)

    def decided(links: NDArray[np.float64]) -> tuple[BestThreshold, NDArray[np.bool_]]:
        best = best_threshold(links[: len(validation)], gold)
        return best, decide(links[-len(instances) :], float(best.threshold))

    best, predicted = decided(probabilities)  # predicted is (n, 2)
    _, predicted_one = decided(at_most_one(probabilities).astype(np.float64))
    return GapRun(
        model=reader.name,
        split=split,
        read_by=read_by,
        threshold=float(best.threshold),
        validation_f1=float(best.f1),
        instances=instances,
        predicted=predicted,
        score=score_gap(predicted, instances),
        score_at_most_one=score_gap(predicted_one, instances),
    )


def link_probabilities(
    logs: Iterable[MemoryLog], instances: Sequence[GapInstance]
) -> tuple[ReadBy, NDArray[np.float64]]:
    """P_CL of (A, pronoun) and (B, pronoun) for each instance, (n, 2), by its log; and how these were read."""
    read_by: ReadBy = "token"
    links = []
    for instance, log in zip(instances, logs, strict=True):
        read_by = log.read_by
        links.append([log.link_probability(name, instance.pronoun) for name in (instance.a, instance.b)])
    return read_by, np.array(links, dtype=np.float64).reshape(-1, 2)


def evaluate_count(reader: Finder, data: Path, *, cells: int | None = None, report: Report = silent) -> CountRun:
    """Score a model at counting the people of the annotated texts."""
    documents = read_people_counts(data)
    logs = _told(reader.people_logs([document.text for document in documents], cells=cells), len(documents), report)
    predicted = np.stack([count_people(log, THRESHOLDS) for log in logs], axis=1)  # (100, D)
    gold = np.array([document.count for document in documents])  # (D,)
    baselines = read_count_baselines(data)
    return CountRun(model=reader.name, score=score_counts(predicted, gold), baselines=baselines)


def _told(logs: Iterator[MemoryLog], whole: int, report: Report) -> Iterator[MemoryLog]:
    for done, log in enumerate(logs, start=1):
        yield log
        report(done, whole)
