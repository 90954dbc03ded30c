"""Evaluation on LitBank: the people that a model finds in novels against those annotated."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.litbank import LitbankSplit, read_litbank
from petra.domain import Person
from petra.evaluation.coreference import CoreferenceScore, score_coreference
from petra.evaluation.finder import PeopleFinder, people_of
from petra.runtime.progress import Report, silent


@dataclass(frozen=True, kw_only=True, slots=True)
class LitBankRun:
    """A model's score on a part of LitBank."""

    model: str
    split: LitbankSplit
    fold: int
    score: CoreferenceScore


def evaluate_litbank(
    finder: PeopleFinder,
    data: Path,
    split: LitbankSplit = "test",
    fold: int = 0,
    *,
    cells: int | None = None,
    threshold: float | None = None,
    report: Report = silent,
) -> LitBankRun:
    """Score the people that a model finds in a part of a fold of LitBank."""
    documents = read_litbank(data, split, fold)
    texts = [document.text for document in documents]
    found = people_of(finder, texts, cells=cells, threshold=threshold, report=report)
    return LitBankRun(model=finder.name, split=split, fold=fold, score=score_people(documents, found))


def score_people(documents: Sequence[AnnotatedDocument], found: Iterable[tuple[Person, ...]]) -> CoreferenceScore:
    """The scores of the people found in each document, in the same order; a mention is found if its exact span is."""
    return score_coreference(
        (
            [[(mention.start, mention.end) for mention in person] for person in document.people],
            [[(mention.start, mention.end) for mention in person.mentions] for person in people],
        )
        for document, people in zip(documents, found, strict=True)
    )
