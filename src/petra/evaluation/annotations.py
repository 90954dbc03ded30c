"""Evaluation on annotations of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from petra.corpora.annotated import AnnotatedDocument
from petra.evaluation.finder import PeopleFinder, people_of
from petra.evaluation.gum import SpanAndHeadScore, score_both_ways
from petra.runtime.progress import Report, silent


@dataclass(frozen=True, kw_only=True, slots=True)
class AnnotationsRun:
    """A model's score on annotated texts, and on each of them."""

    model: str
    score: SpanAndHeadScore
    documents: dict[str, SpanAndHeadScore]  # by id


def evaluate_annotations(
    finder: PeopleFinder,
    documents: Sequence[AnnotatedDocument],
    *,
    cells: int | None = None,
    threshold: float | None = None,
    report: Report = silent,
) -> AnnotationsRun:
    """Score the people that a model finds in annotated texts."""
    texts = [document.text for document in documents]
    found = list(people_of(finder, texts, cells=cells, threshold=threshold, report=report))
    return AnnotationsRun(
        model=finder.name,
        score=score_both_ways(documents, found),
        documents={
            document.id: score_both_ways([document], [people])
            for document, people in zip(documents, found, strict=True)
        },
    )
