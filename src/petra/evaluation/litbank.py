"""Evaluation on LitBank: the people that a model finds in novels against those annotated."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.litbank import Part, read_litbank
from petra.domain import Person
from petra.evaluation.coreference import CoreferenceScore, score_coreference
from petra.runtime.progress import Report, silent


class Found(Protocol):
    """What a model found in a text, as ``petra.tracker.Tracking``."""

    @property
    def people(self) -> tuple[Person, ...]: ...


class PeopleFinder(Protocol):
    """A model that finds the people of texts, as ``petra.Tracker``."""

    @property
    def name(self) -> str: ...

    def track_many(
        self, texts: Iterable[str], *, cells: int | None = None, threshold: float | None = None
    ) -> Iterator[Found]:
        """What was found in each text, in input order."""


@dataclass(frozen=True, kw_only=True, slots=True)
class LitBankRun:
    """A model's score on a part of LitBank."""

    model: str
    split: Part
    fold: int
    score: CoreferenceScore


def evaluate_litbank(
    finder: PeopleFinder,
    data: Path,
    split: Part = "test",
    fold: int = 0,
    *,
    cells: int | None = None,
    threshold: float | None = None,
    report: Report = silent,
) -> LitBankRun:
    """Score the people that a model finds in a part of a fold of LitBank."""
    documents = read_litbank(data, split, fold)
    found = finder.track_many([document.text for document in documents], cells=cells, threshold=threshold)
    return LitBankRun(
        model=finder.name, split=split, fold=fold, score=score_people(documents, _told(found, len(documents), report))
    )


def score_people(documents: Sequence[AnnotatedDocument], found: Iterable[Found]) -> CoreferenceScore:
    """The scores of what was found in each document, in the same order."""
    return score_coreference(
        (
            [[(mention.start, mention.end) for mention in person] for person in document.people],
            [[(mention.start, mention.end) for mention in person.mentions] for person in tracking.people],
        )
        for document, tracking in zip(documents, found, strict=True)
    )


def _told(found: Iterator[Found], whole: int, report: Report) -> Iterator[Found]:
    for done, tracking in enumerate(found, start=1):
        yield tracking
        report(done, whole)
