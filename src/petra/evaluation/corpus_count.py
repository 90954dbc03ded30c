"""The error of counting people on annotated corpora: the sum over documents of |found - annotated|.

Unlike the counts of GAP texts, no threshold is chosen here: the people are those that a
model reports. Constant guesses stand beside the model, for where all documents have
about as many people the error says little. Most people of a document are mentioned
once, and whether a passing mention is a person of its own is the noisy part, so those
mentioned twice or more are counted by themselves too.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median_low
from typing import Literal

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.gum import read_gum
from petra.corpora.litbank import read_litbank
from petra.evaluation.finder import PeopleFinder, people_of
from petra.runtime.progress import Report, silent

CountedCorpus = Literal["gum", "litbank"]


@dataclass(frozen=True, kw_only=True, slots=True)
class CorpusCount:
    """How many people were found and annotated, and the summed errors of the model and of constant guesses."""

    found: int
    annotated: int
    error: int
    best_constant: int  # the guess with the least error on these very documents: their median
    error_best_constant: int
    mean_constant: int  # the mean of these documents, rounded
    error_mean_constant: int


@dataclass(frozen=True, kw_only=True, slots=True)
class CorpusCountRun:
    """A model's error at counting the people of a corpus's development documents."""

    model: str
    corpus: CountedCorpus
    everybody: CorpusCount
    mentioned_again: CorpusCount  # people with two mentions or more, on both sides
    documents: int


def evaluate_corpus_count(
    finder: PeopleFinder,
    data: Path,
    corpus: CountedCorpus,
    *,
    cells: int | None = None,
    threshold: float | None = None,
    report: Report = silent,
) -> CorpusCountRun:
    """Score a model at counting the people of a corpus's development documents."""
    documents = _development(data, corpus)
    texts = [document.text for document in documents]
    people = people_of(finder, texts, cells=cells, threshold=threshold, report=report)
    found = [[person.mentions for person in them] for them in people]
    annotated = [document.people for document in documents]
    return CorpusCountRun(
        model=finder.name,
        corpus=corpus,
        everybody=_count(found, annotated, least=1),
        mentioned_again=_count(found, annotated, least=2),
        documents=len(documents),
    )


def score_corpus_count(found: Sequence[int], annotated: Sequence[int]) -> CorpusCount:
    """The errors of the counts of some documents against the true counts."""
    best, middle = median_low(annotated), round(mean(annotated))
    return CorpusCount(
        found=sum(found),
        annotated=sum(annotated),
        error=_error(found, annotated),
        best_constant=best,
        error_best_constant=_error([best] * len(annotated), annotated),
        mean_constant=middle,
        error_mean_constant=_error([middle] * len(annotated), annotated),
    )


def _development(data: Path, corpus: CountedCorpus) -> tuple[AnnotatedDocument, ...]:
    return read_gum(data, "dev") if corpus == "gum" else read_litbank(data, "validation")


def _count(found: Sequence[Collection[Sized]], annotated: Sequence[Collection[Sized]], *, least: int) -> CorpusCount:
    """The errors over people, each given as mentions, with at least so many mentions."""
    sides = ([sum(len(person) >= least for person in people) for people in side] for side in (found, annotated))
    return score_corpus_count(*sides)


def _error(guesses: Sequence[int], truth: Sequence[int]) -> int:
    return sum(abs(guess - true) for guess, true in zip(guesses, truth, strict=True))
