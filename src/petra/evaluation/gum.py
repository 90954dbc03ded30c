"""Evaluation on GUM: the people that a model finds in texts of many genres against those annotated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from petra.corpora.annotated import AnnotatedDocument
from petra.corpora.gum import GumSplit, genre_of, read_gum
from petra.domain import Person
from petra.evaluation.coreference import CoreferenceScore
from petra.evaluation.finder import PeopleFinder, people_of
from petra.evaluation.head_match import score_people_by_head
from petra.evaluation.litbank import score_people
from petra.runtime.progress import Report, silent


@dataclass(frozen=True, kw_only=True, slots=True)
class SpanAndHeadScore:
    """The scores of the same documents with mentions matched in two ways."""

    exact: CoreferenceScore  # by their spans
    head: CoreferenceScore  # by their head words


@dataclass(frozen=True, kw_only=True, slots=True)
class GumRun:
    """A model's score on a part of GUM, and on each genre of it."""

    model: str
    split: GumSplit
    score: SpanAndHeadScore
    genres: dict[str, SpanAndHeadScore]


def evaluate_gum(
    finder: PeopleFinder,
    data: Path,
    split: GumSplit = "dev",
    *,
    cells: int | None = None,
    threshold: float | None = None,
    report: Report = silent,
) -> GumRun:
    """Score the people that a model finds in a part of GUM."""
    documents = read_gum(data, split)
    texts = [document.text for document in documents]
    found = list(people_of(finder, texts, cells=cells, threshold=threshold, report=report))
    genres = [genre_of(document.id) for document in documents]
    return GumRun(
        model=finder.name,
        split=split,
        score=score_both_ways(documents, found),
        genres={
            genre: score_both_ways(
                [document for document, its in zip(documents, genres, strict=True) if its == genre],
                [people for people, its in zip(found, genres, strict=True) if its == genre],
            )
            for genre in sorted(set(genres))
        },
    )


def score_both_ways(documents: Sequence[AnnotatedDocument], found: Sequence[tuple[Person, ...]]) -> SpanAndHeadScore:
    """The scores of the people found in each document, in the same order."""
    return SpanAndHeadScore(exact=score_people(documents, found), head=score_people_by_head(documents, found))
